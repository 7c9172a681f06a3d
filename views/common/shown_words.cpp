// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/shown_words.h"

#include "gpu/base/shown.h"

#include <algorithm>

namespace warpglass {

QString shown(const QString& words) {
    if (std::none_of(words.begin(), words.end(), [](QChar c) { return isShownByNumber(c.unicode()); }))
        return words;
    return QString::fromStdString(shown(words.toStdString()));
}

} // namespace warpglass
