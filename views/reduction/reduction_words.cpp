// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of a reduction tree: in tool tips and in its table.
#include "views/reduction/reduction_scene.h"

#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/reduction/reduction_pinned.h"
#include "views/reduction/reduction_text.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

using Kind = ReductionValue::Kind;

QString placeText(const ReductionTree& tree, const ReductionValue& v) {
    if (v.cell == noIndex)
        return ReductionText::tr("register of thread %1").arg(v.thread);
    const ReductionCell& c = tree.cells[v.cell];
    return (c.space == MemorySpace::Shared ? ReductionText::tr("shared memory 0x%1")
                                           : ReductionText::tr("global memory 0x%1"))
        .arg(QString::number(c.address, 16));
}

} // namespace

QString valueText(const ReductionValue& v) {
    if (v.isFloat) {
        const double n = number(v);
        return n == std::floor(n) && std::abs(n) < 1e9 ? numberText(std::int64_t(n)) : QString::number(n, 'g', 6);
    }
    return numberText(std::int64_t(number(v)));
}

QString sumText(const ReductionTree& tree, std::uint32_t sum) {
    const ReductionValue& v = tree.values[sum];
    QStringList parts;
    for (std::size_t i = 0; i < std::min<std::size_t>(v.inputs.size(), 8); ++i)
        parts << valueText(tree.values[v.inputs[i]]);
    if (v.inputs.size() > 8)
        parts << QStringLiteral("…");
    return ReductionText::tr("thread %1: %2 = %3")
        .arg(QString::number(v.thread), parts.join(QStringLiteral(" + ")), valueText(v));
}

QString reductionToolTip(const ReductionScene& s, const ReductionPlace& place) {
    const ReductionTree& tree = s.tree();
    const QString origin = QStringLiteral(" (") + originName(Origin::Counted) + QLatin1Char(')');
    if (place.step >= 0) {
        const ReductionStep& st = tree.steps[place.step];
        const QString pinned = pinnedStepText(s, place.step);
        return agreeing(
                   ReductionText::tr("step %1: %2 {thread adds|threads add} in %3 {warp|warps}, %4 of them divergent"),
                   place.step + 1, st.threads, st.warps, st.divergentWarps) +
               QLatin1Char('\n') +
               agreeing(ReductionText::tr("%1 {sector|sectors}, %2 bank {pass|passes} (%3 without conflicts)"),
                        st.sectors, st.passes, st.idealPasses) +
               origin + (pinned.isEmpty() ? pinned : QLatin1Char('\n') + pinned);
    }
    const std::uint32_t row = place.value;
    if (row == noIndex)
        return {};
    const ReductionValue& v = tree.values[row];
    QStringList lines;
    if (v.kind == Kind::Sum) {
        lines << sumText(tree, row) + origin;
        lines << ReductionText::tr("holds %1 of the given numbers").arg(v.numbers);
        lines << ReductionText::tr("at %1, into %2").arg(momentText(s.trace(), v.time), placeText(tree, v));
        if (!v.useful)
            lines << ReductionText::tr("the result is not made of it");
    } else {
        lines << valueText(v) + QStringLiteral(" · ") + placeText(tree, v);
        if (std::find(tree.missing.begin(), tree.missing.end(), row) != tree.missing.end())
            lines << ReductionText::tr("missing in the sum");
        if (std::find(tree.doubled.begin(), tree.doubled.end(), row) != tree.doubled.end())
            lines << ReductionText::tr("counted more than once in the sum");
    }
    if (v.raced) {
        lines << ReductionText::tr(
            "another warp read or wrote this place with no barrier between: which came first is chance");
    } else if (v.warpOrder) {
        lines << ReductionText::tr(
            "another lane of the warp uses it with no barrier between: right only while lanes go in step");
    }
    return lines.join(QLatin1Char('\n'));
}

QString reductionCsv(const ReductionModel& model) {
    const Trace& trace = *model.trace;
    const ReductionTree& tree = model.tree;
    QString out =
        QStringLiteral("block,step,thread,column,space,address,inputs,value,time,time_unit,useful,raced,origin\n");
    for (std::size_t i = 0; i < tree.steps.size(); ++i) {
        for (const std::uint32_t row : tree.steps[i].sums) {
            const ReductionValue& v = tree.values[row];
            QStringList inputs;
            for (const std::uint32_t in : v.inputs)
                inputs << QString::number(number(tree.values[in]), 'g', 12);
            const bool cell = v.cell != noIndex;
            out += QStringList{QString::number(trace.blocks[model.block].index),
                               QString::number(i + 1),
                               QString::number(v.thread),
                               QString::number(v.column),
                               cell ? QString::fromLatin1(name(tree.cells[v.cell].space)) : QStringLiteral("register"),
                               cell ? QString::number(tree.cells[v.cell].address) : QString(),
                               inputs.join(QStringLiteral(" + ")),
                               QString::number(number(v), 'g', 12),
                               QString::number(v.time.value),
                               QString::fromLatin1(name(trace.info.timeUnit)),
                               QString::number(int(v.useful)),
                               QString::number(int(v.raced)),
                               QStringLiteral("counted")}
                       .join(QLatin1Char(',')) +
                   QLatin1Char('\n');
        }
    }
    return out;
}

} // namespace warpglass
