// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/view.h"

#include "views/common/prediction_picture.h"

#include <algorithm>

namespace warpglass {

Selection View::looksAt(const Selection& selection) const {
    Selection still = selection;
    still.motion = {};
    return still;
}

namespace {

constexpr QSizeF leastBoard{420, 330}; // View::leastRoom, of a question

// Larger type than there is room for yields, down to the usual one: before words are cut or lie over each other.
PaintContext withRoom(const View& view, const PaintContext& context, const QRectF& area) {
    const qreal scale = context.theme.fontScale;
    if (context.paper || scale <= 1)
        return context;
    const QSizeF least = predicting().of(context.options) == Predicting::Off ? view.leastRoom(context) : leastBoard;
    const qreal room = std::min(area.width() / least.width(), area.height() / least.height());
    PaintContext fitted = context;
    if (room < scale)
        fitted.theme.fontScale = std::max(room, 1.0);
    return fitted;
}

} // namespace

PicturePtr View::compose(const PaintContext& given, const QRectF& area, Progress& progress,
                         const PicturePtr& previous) const {
    const PaintContext context = withRoom(*this, given, area);
    if (const Predicting state = predicting().of(context.options); state != Predicting::Off)
        return predictionPicture(*this, context, area, state, previous);
    if (const auto empty = emptiness(context))
        return emptyPicture(context, area, *empty, tableWithoutPicture(context));
    PicturePtr made = makePicture(context, area, progress, previous);
    return progress.cancelled() ? nullptr : made;
}

PicturePtr View::compose(const PaintContext& context, const QRectF& area) const {
    Progress nobody;
    return compose(context, area, nobody);
}

void paintView(const View& view, QPainter& painter, const QRectF& area, const PaintContext& context) {
    paintPicture(*view.compose(context, area), painter);
}

} // namespace warpglass
