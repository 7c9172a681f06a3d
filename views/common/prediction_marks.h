// SPDX-License-Identifier: GPL-3.0-or-later
// Links between items, and a number, as a prediction's board and the views' own pictures draw them.
#pragma once

#include "views/common/prediction.h"
#include "views/common/prediction_board.h"
#include "views/common/prediction_item.h"

namespace warpglass {

QColor standingInk(Standing how, const Theme& theme);
Qt::PenStyle standingLine(Standing how); // solid, dashed where it was missed, dotted where it is not so

// A plus, a tick, a cross or an exclamation mark in a disc; radius at the usual type.
void paintStandingSign(QPainter& painter, QPointF at, Standing how, const Theme& theme, qreal radius = 7);
// An arc below two items, with the sign of how it stands in its middle.
void paintPredictedLink(QPainter& painter, const QRectF& from, const QRectF& to, Standing how, const Theme& theme);
// The number with its buttons and bars; judged: with what is true beside it.
void paintPredictedNumber(QPainter& painter, const PredictionBoard& board, const Prediction& prediction,
                          const Guess& guess, Predicting state, bool judged, const Theme& theme);

// What the marks mean, for the legend. whole: all is right; nothing: it has not been judged yet. staged: in the view's own
// picture; bars: of a number.
QVector<QPair<Standing, QString>> standingWords(const Prediction& prediction, std::optional<bool> whole, bool staged,
                                                bool bars);

// Which keys do what, in one line. plays: the view can play on.
QString predictionKeys(const Prediction& prediction, bool shown, bool plays, bool staged);

} // namespace warpglass
