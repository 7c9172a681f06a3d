// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scheduler/scheduler_prediction.h"

#include "views/common/agreeing.h"
#include "views/common/state_words.h"
#include "views/common/ticks.h"
#include "views/scheduler/scheduler_text.h"

#include <algorithm>
#include <set>

namespace warpglass {

namespace {

constexpr std::int64_t mostCycles = 200'000; // that are searched for a choice
constexpr int mostAsked = 12;                // at once: more is no longer thought through

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

namespace {

// What may be known of a slot before a cycle.
struct KnownOfSlot {
    const StateRow* state = nullptr; // in the cycle; null: nobody is there yet
    std::int64_t since = 0;          // the first cycle in which it can issue whatever the others do
    QString note;
};

// How long a wait lasts that began before is known where it is for a result or for instructions; for a barrier or a place
// in a pipe it is not, for that depends on who issues.
bool endsByItself(WarpState state) {
    return state == WarpState::StallLongScoreboard || state == WarpState::StallShortScoreboard ||
           state == WarpState::StallWait || state == WarpState::StallBranchResolving ||
           state == WarpState::StallNoInstruction || state == WarpState::StallSleeping;
}

// The first cycle in which nobody is sure that it does not issue.
std::int64_t mayIssueFrom(const SchedulerModel& model, const SchedulerRow& row, std::int64_t cycle, std::int64_t end) {
    const StateRow* state = row.states.at(*model.trace, cycle);
    for (std::int64_t at = cycle; at < end; state = row.states.at(*model.trace, at)) {
        if (state && !endsByItself(state->state))
            return at;
        at = state ? state->end.value : at + 1;
    }
    return end;
}

QString operationAt(const SchedulerModel& model, const SchedulerRow& row, std::int64_t cycle) {
    bool before = false;
    const std::uint32_t line = model.lineAt(row.states, cycle, before);
    const std::string_view operation = operationOf(model.ptx(before ? 0 : line));
    return QString::fromUtf8(operation.data(), qsizetype(operation.size()));
}

KnownOfSlot knownOf(const SchedulerModel& model, const SchedulerRow& row, std::int64_t cycle, std::int64_t end) {
    KnownOfSlot known{row.states.at(*model.trace, cycle), mayIssueFrom(model, row, cycle, end), {}};
    if (!known.state) {
        known.note = SchedulerText::tr("not there yet");
        return known;
    }
    const std::int64_t ago = lastIssue(model, row, cycle);
    QStringList words{isReady(known.state) ? SchedulerText::tr("ready")
                      : known.since == cycle || known.since == end
                          ? stateName(known.state->state)
                          : SchedulerText::tr("can issue from cycle %1").arg(numberText(known.since))};
    words << (ago < 0    ? SchedulerText::tr("has not issued yet")
              : ago == 1 ? SchedulerText::tr("issued in the cycle before")
                         : SchedulerText::tr("issued %1 cycles ago").arg(numberText(ago)));
    if (const QString next = operationAt(model, row, cycle); end > cycle + 1 && !next.isEmpty())
        words << SchedulerText::tr("next: %1").arg(next);
    known.note = words.join(QStringLiteral(" · "));
    return known;
}

QString warpName(const SchedulerModel& model, const SchedulerRow& row, std::int64_t cycle) {
    const Trace& trace = *model.trace;
    const Warp& warp = trace.warps[row.states.warpNear(trace, cycle)];
    return SchedulerText::tr("block %1, warp %2").arg(blockIndexText(trace, trace.blockOf(warp))).arg(warp.warpInBlock);
}

// What one cycle's answer adds to it.
QString issuedText(const SchedulerModel& model, std::int64_t cycle) {
    const StateRow* state = model.rows[std::size_t(model.issuingRow(cycle))].states.at(*model.trace, cycle);
    const std::string_view line = model.ptx(state->ptxLine);
    QString instruction = QString::fromUtf8(line.data(), qsizetype(line.size()));
    if (instruction.endsWith(QLatin1Char(';')))
        instruction.chop(1); // in a sentence
    const int others = readyRows(model, cycle) - 1;
    return instruction.isEmpty()
               ? SchedulerText::tr("Ready and not chosen: %1.").arg(others)
               : SchedulerText::tr("It issues %1. Ready and not chosen: %2.").arg(instruction, QString::number(others));
}

// What several cycles' answer adds to it.
QString issuedText(const SchedulerModel& model, std::int64_t begin, std::int64_t end) {
    int issued = 0, longest = 0, turn = 0, before = -1;
    std::set<int> rows;
    for (std::int64_t cycle = begin; cycle < end; ++cycle) {
        const int row = model.issuingRow(cycle);
        turn = row < 0 ? 0 : row == before ? turn + 1 : 1;
        longest = std::max(longest, turn);
        before = row;
        issued += row >= 0;
        if (row >= 0)
            rows.insert(row);
    }
    return SchedulerText::tr("Cycles with an instruction: %1 of %2, of %3 warps; at most %4 in a row of the same warp.")
        .arg(issued)
        .arg(end - begin)
        .arg(rows.size())
        .arg(longest);
}

} // namespace

bool isAsked(const SchedulerModel& model, std::size_t row, CycleRange cycles) {
    for (auto cycle = std::int64_t(cycles.begin); cycle < std::int64_t(cycles.end); ++cycle)
        if (model.rows[row].states.at(*model.trace, cycle))
            return true;
    return false;
}

CycleRange cyclesAsked(const SchedulerModel& model, const Selection& selection, const Options& options) {
    const std::int64_t begin = cycleAsked(model, selection);
    const int length = std::clamp(predictionLength.of(options), 1, mostAsked);
    return begin < 0 ? CycleRange{}
                     : CycleRange{double(begin), double(std::min(begin + length, model.range.end.value))};
}

std::optional<Prediction> issuePrediction(const SchedulerModel& model, const Selection& selection,
                                          const Options& options) {
    const CycleRange cycles = cyclesAsked(model, selection, options);
    const auto cycle = std::int64_t(cycles.begin), end = std::int64_t(cycles.end);
    if (cycle == end)
        return std::nullopt;
    const bool several = end > cycle + 1;
    Prediction p;
    p.asked = several ? Asked::Each : Asked::One;
    p.moment = model.clock.time(double(cycle));
    p.end = model.clock.time(double(end - 1));
    p.length = std::clamp(predictionLength.of(options), 1, mostAsked);
    p.longest = mostAsked;
    p.columns = int(end - cycle);
    p.origin = Origin::Modelled;
    PredictionWords& w = p.words;
    w.length = agreeing(SchedulerText::tr("%1 {cycle|cycles}"), p.length);
    w.question = several ? SchedulerText::tr("Which warp issues in each of the cycles %1 to %2?")
                               .arg(numberText(cycle), numberText(end - 1))
                         : SchedulerText::tr("Which warp issues in cycle %1?").arg(numberText(cycle));
    w.given << SchedulerText::tr("SM %1, scheduler %2, which issues one instruction a cycle.")
                   .arg(model.place.sm)
                   .arg(model.place.scheduler);
    if (const QString rule = ruleOf(model.policy); !rule.isEmpty())
        w.given << rule;
    w.yes = SchedulerText::tr("issues");
    w.no = SchedulerText::tr("does not issue");
    w.name = w.names = QStringLiteral("%1");
    w.counted = SchedulerText::tr("%1 of %2 cycles right");
    w.all = SchedulerText::tr("all %1 cycles right");
    w.truth = several ? issuedText(model, cycle, end) : issuedText(model, cycle);
    for (std::int64_t at = cycle; at < end; ++at)
        w.columns << SchedulerText::tr("cycle %1").arg(numberText(at));
    for (std::size_t row = 0; row < model.rows.size(); ++row) {
        if (!isAsked(model, row, cycles))
            continue;
        const KnownOfSlot known = knownOf(model, model.rows[row], cycle, end);
        for (std::int64_t at = cycle; at < end; ++at) {
            PredictedItem item;
            item.name = warpName(model, model.rows[row], at);
            item.label = several ? numberText(at) : item.name;
            item.open = several ? at >= known.since : isReady(known.state);
            item.note = item.closed = known.note;
            if (several && at == cycle)
                item.group = QStringLiteral("%1 · %2").arg(item.name, known.note);
            if (model.issuingRow(at) == int(row))
                p.truth.insert(int(p.items.size()));
            p.items.append(item);
        }
    }
    for (std::int64_t at = cycle; several && at < end; ++at) { // where no warp is ready, no warp is right
        PredictedItem nobody;
        nobody.label = numberText(at);
        nobody.name = nobody.group = SchedulerText::tr("nobody");
        if (at > cycle)
            nobody.group.clear();
        if (model.issuingRow(at) < 0)
            p.truth.insert(int(p.items.size()));
        p.items.append(nobody);
    }
    return p;
}

} // namespace warpglass
