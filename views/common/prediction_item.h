// SPDX-License-Identifier: GPL-3.0-or-later
// What can be chosen on a prediction's board, as it is drawn: told by shape and word, not by colour alone.
#pragma once

#include "views/common/theme.h"

#include <QPainter>
#include <QString>

namespace warpglass {

// How an item stands once reality is there.
enum class Standing { Open, Chosen, Right, RightNot, Missed, Wrong, Closed };

struct PredictedItemLook {
    Standing how = Standing::Open;
    QString label;
    QString word;      // of how it stands; empty: none
    bool list = false; // one below the other, each as wide as the board
};

void paintPredictedItem(QPainter& painter, const QRectF& cell, const PredictedItemLook& look, const Theme& theme);

// The same in the picture of a view. Once reality is drawn there, it stays to be seen: what was painted, and how it stands,
// lies in a field at the end of the cell.
void paintStagedItem(QPainter& painter, const QRectF& cell, const PredictedItemLook& look, const Theme& theme);

// A tick and a cross, drawn, so that every font has them.
void paintTick(QPainter& painter, const QRectF& in, const QColor& ink);
void paintX(QPainter& painter, const QRectF& in, const QColor& ink);

inline QFont inBold(QFont font) {
    font.setBold(true);
    return font;
}

} // namespace warpglass
