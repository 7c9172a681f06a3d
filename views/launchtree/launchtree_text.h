// SPDX-License-Identifier: GPL-3.0-or-later
// What the launch tree says of its rows, translated.
#pragma once

#include "views/launchtree/launchtree_model.h"

#include <QCoreApplication>
#include <QFont>

namespace warpglass {

// Texts of all parts have one translation context.
struct LaunchTreeText {
    Q_DECLARE_TR_FUNCTIONS(LaunchTreeView)
};

QString shapeText(const Launch& launch); // "<<<64, 32>>>"
// "4,096 grids  nestedHelloWorld <<<1, 32>>>"; of a group as many as `grids` says, if it does.
QString rowText(const Trace& trace, const TreeRow& row, std::optional<std::uint64_t> grids = {});
// The same where it may be `room` wide: the name gives way in its middle, and how many and of what shape stay whole.
QString fittedRowText(const Trace& trace, const TreeRow& row, std::optional<std::uint64_t> grids, const QFont& font,
                      qreal room);
// What became of the launches that were dropped, for who looks at the tree.
QString droppedText(const TreeTotals& totals);
// Who launched it: "by block (3) thread (0), tail launch"; of a group only how.
QString whoText(const Trace& trace, const TreeRow& row, bool withStream = true);
QString rowToolTip(const Trace& trace, const TreeRow& row);

} // namespace warpglass
