// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs in figures: every metric that either tells, side by side, each with its origin.
#pragma once

#include "gpu/trace/trace.h"

#include <QString>
#include <QVector>

#include <optional>

namespace warpglass {

struct Difference {
    QString metric, nsight, unit;
    QString meaning; // how the metric is worked out
    std::optional<double> a, b;
    Origin originA = Origin::Counted, originB = Origin::Counted; // of a value that is there
    QString why;                                                 // why a value is missing

    std::optional<double> difference() const; // b - a
    std::optional<double> ratio() const;      // b / a; nothing for a = 0
    // One is modelled and the other is not: the ratio is then the model's error as much as the runs' difference.
    bool mixed() const;
};

// The metrics of the host's launches (row 0) and what the traces count of themselves: grids, blocks, warps recorded,
// events recorded and lost. A figure is set against one of the same origin where there is one.
QVector<Difference> differences(const Trace& a, const Trace& b);

// "1.25", "3 407 872", "12.5 %", "1.31 us": as the window shows a value of this unit.
QString figureText(double value, const QString& unit);

// The same for a difference, with its sign: "+12.50 points" between shares, "-1.20 us".
QString changeText(double change, const QString& unit);

// Header, then a row a metric: metric, nsight, unit, value and origin of both, difference, ratio, note. The header says
// which runs A and B are.
QString differencesCsv(const QVector<Difference>& rows, const QString& nameA, const QString& nameB);

// A sentence if figures stand side by side that are not of one kind: modelled against measured, with the model's mean
// error and, for two runs of the same launch, the largest error among them; steps against nanoseconds. Empty if they
// are of one kind.
QString differencesWarning(const QVector<Difference>& rows, const Trace& a, const Trace& b);

} // namespace warpglass
