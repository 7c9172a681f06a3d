// SPDX-License-Identifier: GPL-3.0-or-later
// An axis of numbers: where a number lies on it, and at which numbers it has marks. Pure: tested without a picture.
#pragma once

#include "views/common/theme.h"

#include <QPainter>
#include <QRectF>
#include <QVector>

#include <functional>

namespace warpglass {

// From a number to its place on the scale, 0 to 1.
struct NumberScale {
    double from = 0, to = 1; // from < to; above zero if logarithmic
    bool logarithmic = false;

    double share(double value) const; // beyond the ends, too, but not below a logarithmic one
    // Round numbers inside, at least two; far fewer than `most` are not given up for rounder ones.
    QVector<double> ticks(int most) const;
};

struct AxisMark {
    double value = 0;
    QString text; // empty: a line of the grid without a number
};

struct NumberAxis {
    NumberScale scale;
    double begin = 0, length = 0; // pixels; upward: less than 0
    QVector<AxisMark> marks;

    double pixel(double value) const { return begin + scale.share(value) * length; }
};

// What numbers are called beside an axis, all alike: 25000 and 50000, or 10³ and 10⁵ where they are powers of ten.
QVector<AxisMark> axisMarks(const QVector<double>& values);
// As many marks as the words of all have room beside each other; the last one alone if even two have not.
QVector<AxisMark> roomyMarks(const NumberScale& scale, int most,
                             const std::function<bool(const QVector<AxisMark>&)>& haveRoom);

// Marks for an axis of that length under a picture, or beside it.
QVector<AxisMark> marksBelow(const NumberScale& scale, qreal length, const Theme& theme);
QVector<AxisMark> marksBeside(const NumberScale& scale, qreal length, const Theme& theme);

qreal axisDepth(const Theme& theme);                                 // px below the inside: line, marks, numbers
qreal axisWidth(const QVector<AxisMark>& marks, const Theme& theme); // px left of the inside

// Grid, line, marks and numbers. The numbers stay between these x.
void paintAxisBelow(QPainter& painter, const NumberAxis& axis, const QRectF& inside, bool grid, qreal left, qreal right,
                    const Theme& theme);
void paintAxisBeside(QPainter& painter, const NumberAxis& axis, const QRectF& inside, bool grid, const Theme& theme);

} // namespace warpglass
