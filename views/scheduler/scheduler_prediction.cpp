// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scheduler/scheduler_prediction.h"

#include "views/common/state_words.h"
#include "views/common/ticks.h"
#include "views/scheduler/scheduler_text.h"

#include <algorithm>

namespace warpglass {

namespace {

constexpr std::int64_t mostCycles = 200'000; // that are searched for a choice

bool isReady(const StateRow* state) {
    return state && (state->state == WarpState::Selected || state->state == WarpState::Eligible);
}

int readyRows(const SchedulerModel& model, std::int64_t cycle) {
    return int(std::count_if(model.rows.begin(), model.rows.end(),
                             [&](const SchedulerRow& row) { return isReady(row.states.at(*model.trace, cycle)); }));
}

QString ruleOf(const std::string& policy) {
    if (policy == "lrr")
        return SchedulerText::tr("The rule: round robin, the next ready warp after the one that issued last.");
    if (policy == "gto")
        return SchedulerText::tr("The rule: the warp that issued last while it is ready, else the oldest.");
    if (policy == "gty")
        return SchedulerText::tr("The rule: the warp that issued last while it is ready, else the youngest.");
    return {};
}

// How long ago a slot's warp issued: cycles, or -1.
std::int64_t lastIssue(const SchedulerModel& model, const SchedulerRow& row, std::int64_t cycle) {
    const std::uint64_t n = row.states.firstEndingAfter(*model.trace, cycle);
    if (n >= row.states.size())
        return -1;
    const std::uint32_t warp = row.states.warpOf(n);
    for (std::uint64_t k = n; k > 0 && row.states.warpOf(k - 1) == warp; --k)
        if (const StateRow& before = row.states.row(*model.trace, k - 1); before.state == WarpState::Selected)
            return cycle - before.end.value + 1;
    return -1;
}

} // namespace

std::int64_t cycleAsked(const SchedulerModel& model, const Selection& selection) {
    std::int64_t cycle = std::max(model.clock.cycle(selection.time + Time{1}), model.range.begin.value);
    const std::int64_t end = std::min(model.range.end.value, cycle + mostCycles);
    while (cycle < end && (model.issuingRow(cycle) < 0 || readyRows(model, cycle) < 2))
        ++cycle;
    return cycle < end ? cycle : -1;
}

std::optional<Prediction> issuePrediction(const SchedulerModel& model, const Selection& selection) {
    const Trace& trace = *model.trace;
    const auto stateOf = [&](std::size_t row, std::int64_t at) { return model.rows[row].states.at(trace, at); };
    const std::int64_t cycle = cycleAsked(model, selection);
    if (cycle < 0)
        return std::nullopt;
    const int issues = model.issuingRow(cycle);
    Prediction p;
    p.asked = Asked::One;
    p.moment = model.clock.time(double(cycle));
    p.columns = 1;
    p.origin = Origin::Modelled;
    PredictionWords& w = p.words;
    w.question = SchedulerText::tr("Which warp issues in cycle %1?").arg(numberText(cycle));
    w.given << SchedulerText::tr("SM %1, scheduler %2, which issues one instruction a cycle.")
                   .arg(model.place.sm)
                   .arg(model.place.scheduler);
    if (const QString rule = ruleOf(model.policy); !rule.isEmpty())
        w.given << rule;
    w.yes = SchedulerText::tr("issues");
    w.no = SchedulerText::tr("does not issue");
    w.name = w.names = QStringLiteral("%1");
    QString instruction;
    for (std::size_t row = 0; row < model.rows.size(); ++row) {
        const StateRow* state = stateOf(row, cycle);
        if (!state)
            continue;
        const std::uint32_t warpRow = model.rows[row].states.warpNear(trace, cycle);
        const Warp& warp = trace.warps[warpRow];
        PredictedItem item;
        item.label = item.name = SchedulerText::tr("block %1, warp %2")
                                     .arg(QString::fromStdString(trace.blockIndex(trace.blockOf(warp)).indexText()))
                                     .arg(warp.warpInBlock);
        item.open = isReady(state);
        const std::int64_t ago = lastIssue(model, model.rows[row], cycle);
        const QString before = ago < 0    ? SchedulerText::tr("has not issued yet")
                               : ago == 1 ? SchedulerText::tr("issued in the cycle before")
                                          : SchedulerText::tr("issued %1 cycles ago").arg(numberText(ago));
        item.note = SchedulerText::tr("ready · %1").arg(before);
        item.closed = QStringLiteral("%1 · %2").arg(stateName(state->state), before);
        if (int(row) == issues) {
            p.truth.insert(int(p.items.size()));
            instruction =
                QString::fromUtf8(model.ptx(state->ptxLine).data(), qsizetype(model.ptx(state->ptxLine).size()));
            if (instruction.endsWith(QLatin1Char(';')))
                instruction.chop(1); // in a sentence
        }
        p.items.append(item);
    }
    const int others = readyRows(model, cycle) - 1;
    w.truth = instruction.isEmpty()
                  ? SchedulerText::tr("Ready and not chosen: %1.").arg(others)
                  : SchedulerText::tr("It issues %1. Ready and not chosen: %2.").arg(instruction).arg(others);
    return p;
}

} // namespace warpglass
