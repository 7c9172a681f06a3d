// SPDX-License-Identifier: GPL-3.0-or-later
// Constants of a CUDA source that can be turned without typing: `#define N 32`, `constexpr int PAD = 1`, `const int`,
// with a whole number, and used further down.
#pragma once

#include "gpu/base/dim3.h"

#include <QString>
#include <QVector>

namespace warpglass {

struct Turnable {
    QString name;
    qint64 value = 0;
    int line = 0;                   // from 1
    qsizetype from = 0, length = 0; // the number in the text
    bool operator==(const Turnable&) const = default;
};

// In the order of the text. A name that is given a number twice is not among them: which one holds is not known.
QVector<Turnable> turnablesIn(const QString& text);

// The text with another number there; the same text if it no longer has the constant.
QString turned(const QString& text, const QString& name, qint64 value);

// What a slider stops at: powers of two around one that is such and more than two, else every number from 0 (or as far
// below 0 as it is) to some more. Ascending, and the value is among them.
QVector<qint64> stopsOf(qint64 value);
// Powers of two up to `most`, and the value.
QVector<qint64> powersUpTo(qint64 most, qint64 value);
// Of a block's or a grid's first number, so that there are no more than `most` in all. A square stays one.
QVector<qint64> shapeStops(Dim3 shape, qint64 most);
Dim3 shapeTurned(Dim3 shape, qint64 value);

} // namespace warpglass
