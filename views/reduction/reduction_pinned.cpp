// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reduction/reduction_pinned.h"

#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/reduction/reduction_play.h"
#include "views/reduction/reduction_text.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace warpglass {

namespace {

std::set<int> columnsOf(const ReductionTree& tree, int step) {
    std::set<int> columns;
    if (step < int(tree.steps.size()))
        for (const std::uint32_t sum : tree.steps[std::size_t(step)].sums)
            columns.insert(tree.values[sum].column);
    return columns;
}

} // namespace

std::vector<int> columnsOfPinnedAlone(const ReductionTree& shown, const ReductionTree& pinned, int step) {
    const std::set<int> here = columnsOf(shown, step), there = columnsOf(pinned, step);
    std::vector<int> alone;
    std::set_difference(there.begin(), there.end(), here.begin(), here.end(), std::back_inserter(alone));
    return alone;
}

QPen pinnedNodePen(const Theme& theme) {
    QPen pen(theme.text, 1.6);
    pen.setDashPattern({3, 2});
    return pen;
}

void paintReductionPinned(QPainter& painter, const ReductionScene& s) {
    if (!s.pinned)
        return;
    const ReductionLayout& l = s.layout;
    painter.save();
    painter.setClipRect(l.plot, Qt::IntersectClip);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pinnedNodePen(s.theme));
    const qreal radius = std::max(1.5, std::min(l.nodeRadius(), l.pitch * 0.5));
    for (int step = 0; step < l.steps && !hiddenStep(s, step); ++step)
        for (const int column : columnsOfPinnedAlone(s.tree(), s.pinned->tree, step)) {
            if (column >= l.columns)
                continue;
            painter.drawEllipse(l.node(step, column), radius, radius);
        }
    painter.restore();
}

QStringList pinnedReductionTexts(const ReductionTree& pinned) {
    const QString steps = agreeing(ReductionText::tr("A: %1 {step|steps}"), numberText(pinned.steps.size()));
    return {steps + ReductionText::tr(", thread-steps paid %1, used %2")
                        .arg(numberText(pinned.threadStepsPaid()), numberText(pinned.usefulAdditions())),
            steps};
}

QString pinnedStepText(const ReductionScene& s, int step) {
    if (!s.pinned || step < 0 || step >= int(s.pinned->tree.steps.size()))
        return {};
    const ReductionStep& its = s.pinned->tree.steps[std::size_t(step)];
    return agreeing(ReductionText::tr("A: %1 {thread|threads}"), its.threads) + QStringLiteral(", ") +
           ReductionText::tr("%1 of %2 warps").arg(its.warps).arg(s.pinned->tree.warps) +
           (its.divergentWarps ? ReductionText::tr(", %1 divergent").arg(its.divergentWarps)
                               : ReductionText::tr(", none divergent"));
}

} // namespace warpglass
