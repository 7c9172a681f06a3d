// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/side_names.h"

#include "views/common/caption.h"
#include "views/common/marks.h"

namespace warpglass {

QString captionOfSide(const PaintContext& side, std::size_t which, const QFont& font, qreal width) {
    QString name = (which == 0 ? nameOfFirst : nameOfSecond).of(side.options);
    if (!name.isEmpty())
        name += QStringLiteral("  ·  ");
    return name + fittedTraceCaption(*side.trace, side.selection, font, width - textWidth(font, name));
}

} // namespace warpglass
