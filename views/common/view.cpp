// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/view.h"

#include "views/common/prediction_picture.h"

namespace warpglass {

Selection View::looksAt(const Selection& selection) const {
    Selection still = selection;
    still.motion = {};
    return still;
}

PicturePtr View::compose(const PaintContext& context, const QRectF& area, Progress& progress,
                         const PicturePtr& previous) const {
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
