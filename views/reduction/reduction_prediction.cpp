// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reduction/reduction_prediction.h"

#include "views/common/ticks.h"
#include "views/reduction/reduction_text.h"

#include <algorithm>

namespace warpglass {

namespace {

constexpr int mostLinked = 64; // elements between which links are drawn

// The column in which an input stands before the step; -1: nowhere in that row.
int columnOf(const ReductionModel& model, const ReductionRow& row, std::uint32_t input) {
    for (const std::uint32_t value : {input, drawnInput(model.tree, input)}) {
        const auto at = std::find(row.values.begin(), row.values.end(), value);
        if (at != row.values.end())
            return int(at - row.values.begin());
    }
    return -1;
}

} // namespace

std::vector<ReductionAddition> additionsOf(const ReductionModel& model, std::size_t step) {
    std::vector<ReductionAddition> additions;
    additions.reserve(model.tree.steps[step].sums.size());
    for (const std::uint32_t sum : model.tree.steps[step].sums) {
        const ReductionValue& value = model.tree.values[sum];
        std::vector<int> columns;
        columns.reserve(value.inputs.size());
        for (const std::uint32_t input : value.inputs)
            columns.push_back(columnOf(model, model.rows[step], input));
        if (columns.size() < 2 || std::find(columns.begin(), columns.end(), -1) != columns.end())
            return {};
        // What stays in its place is added to; where none does, the lowest.
        auto into = std::find(columns.begin(), columns.end(), value.column);
        if (into == columns.end())
            into = std::min_element(columns.begin(), columns.end());
        const int target = *into;
        columns.erase(into);
        if (std::find(columns.begin(), columns.end(), target) != columns.end())
            return {}; // an element added to itself is no pair, as where a scan adds nothing to its first
        for (const int column : columns)
            additions.push_back({target, column, sum});
    }
    return additions;
}

std::optional<Prediction> additionsPrediction(const ReductionModel& model, const Selection& selection) {
    const ReductionTree& tree = model.tree;
    for (std::size_t step = 0; step < tree.steps.size() && step < model.rows.size(); ++step) {
        if (tree.steps[step].begin <= selection.time)
            continue;
        const auto additions = additionsOf(model, step);
        if (additions.empty())
            continue;
        const ReductionStep& next = tree.steps[step];
        Prediction p;
        p.moment = next.begin;
        PredictionWords& w = p.words;
        const Trace& trace = *model.trace;
        const Block& block = trace.blocks[model.block];
        w.code = codeLine(trace.kernelOf(trace.launchOf(block)),
                          sourceLineOf(trace.kernelOf(trace.launchOf(block)), next.ptxLine), next.ptxLine);
        w.given << ReductionText::tr("Step %1 of block %2, which has %3 threads; steps so far: %4.")
                       .arg(step + 1)
                       .arg(blockIndexText(trace, block))
                       .arg(tree.threads)
                       .arg(step);
        w.counted = ReductionText::tr("%1 of %2 additions right");
        w.all = ReductionText::tr("All %1 additions right");
        w.missed = ReductionText::tr("also added: %1");
        w.wrong = ReductionText::tr("not added: %1");
        w.yes = ReductionText::tr("is added");
        w.no = ReductionText::tr("is not added");
        w.name = ReductionText::tr("element %1");
        w.names = ReductionText::tr("elements %1");
        w.truth =
            next.stride
                ? ReductionText::tr("Threads that add: %1, warps they are in: %2; elements %3 apart.")
                      .arg(next.threads)
                      .arg(next.warps)
                      .arg(next.stride)
                : ReductionText::tr("Threads that add: %1, warps they are in: %2.").arg(next.threads).arg(next.warps);
        const ReductionRow& row = model.rows[step];
        const int columns = int(row.values.size());
        if (columns > mostLinked) {
            p.asked = Asked::Number;
            p.number = std::uint64_t(additions.front().from);
            p.most = 9'999'999;
            w.question =
                ReductionText::tr("Which element is added to element %1 in the next step?").arg(additions.front().into);
            w.given << ReductionText::tr("Elements are counted from 0, up to %1.").arg(columns - 1);
            return p;
        }
        p.asked = Asked::Links;
        p.columns = columns;
        w.question = ReductionText::tr("Which elements are added in the next step?");
        for (int column = 0; column < columns; ++column) {
            PredictedItem item;
            const std::uint32_t value = row.values[std::size_t(column)];
            item.name = QString::number(column);
            item.open = value != noIndex;
            item.label = item.open ? valueText(tree.values[value]) : QString();
            item.closed = ReductionText::tr("no number of this step stands here");
            p.items.append(item);
        }
        for (const ReductionAddition& addition : additions)
            p.links.insert({std::min(addition.into, addition.from), std::max(addition.into, addition.from)});
        return p;
    }
    return std::nullopt;
}

} // namespace warpglass
