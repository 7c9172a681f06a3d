// SPDX-License-Identifier: GPL-3.0-or-later
// Where everything of a prediction's board lies, and what keys and mouse make of a guess: no trace, no painter.
#pragma once

#include "views/common/prediction.h"
#include "views/common/theme.h"

#include <QLineF>
#include <QRectF>

namespace warpglass {

struct PredictionBoard {
    QRectF question, given, code, board, verdict, legend, keys;
    QRectF check, play;             // buttons; play is null where there is none
    QRectF less, more, value;       // of a number
    QRectF shorter, longer, length; // how many moments are asked for at once; null where there is nothing to choose
    QVector<QRectF> bars;           // of a number that is small: the n-th is the answer n + 1
    QVector<QRectF> cells;          // of items
    QVector<QRectF> notes;          // beside the cells of a list; empty where notes stand in the cells
    QVector<QRectF> groups;         // before the first cell of a row; null where there is no group
    int columns = 1;                // as laid out: a long row is folded

    int cellAt(QPointF at) const; // -1: none
    int barAt(QPointF at) const;
};

// staged: the items lie in a picture of the view's (PredictionStage), in the place of the board. What is told after the
// answer then stands where it was told what is known, so that nothing moves.
// state: Asked or Shown. plays: whether a button to play on stands beside the one for the next question.
PredictionBoard predictionBoard(const Prediction& prediction, const QRectF& area, const Theme& theme, Predicting state,
                                bool plays, const QString& verdict, bool staged = false);

// What an input makes of the view's options while something is asked. cell: what is under the pointer.
void chooseItem(const Prediction& prediction, Options& options, int cell); // click, or Space at the cursor
// columns: of the board, as laid out; 0: not known.
void dragItems(const Prediction& prediction, Options& options, int from, int to, bool begins, int columns = 0);
void setNumber(const Prediction& prediction, Options& options, std::optional<std::uint64_t> number);
bool setLength(const Prediction& prediction, Options& options, int length); // false: there is nothing to choose
bool keyOnBoard(const Prediction& prediction, const PredictionBoard& board, Options& options, int key);

} // namespace warpglass
