// SPDX-License-Identifier: GPL-3.0-or-later
// The board that a view shows while something is predicted: the question, what may be known, the cells to paint, and
// then reality laid over them. It is a picture like any other: what a hand does becomes a change of the view's options
// (prediction.h), so the window, a lesson and `warpglass render --select option:predict=ask` show the same board.
#pragma once

#include "views/common/options.h"
#include "views/common/view.h"

namespace warpglass {

// What is laid over reality was answered elsewhere: what follows is the picture, and no question.
inline constexpr Setting<bool> predictionEnds{"predictionEnds", false};

PicturePtr predictionPicture(const View& view, const PaintContext& context, const QRectF& area, Predicting state,
                             const PicturePtr& previous);

// The question that a picture asks; null if it is no board.
const Prediction* predictionOf(const Picture* picture);
// Whether it is asked in the view's own picture, and not on a board.
bool predictionStaged(const Picture* picture);
// Where an item of the board lies; null if there is none.
QRectF predictedCell(const Picture& picture, int item);
// The board's button: check, and then the next question.
QRectF predictionButton(const Picture& picture);

} // namespace warpglass
