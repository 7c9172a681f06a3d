// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of equal cycles are found once by a sweep over the slots' rows of states; sums before each run make the use of any
// stretch of cycles the difference of two look-ups.
#include "views/scheduler/scheduler_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace warpglass {

namespace {

bool isStalled(WarpState state) {
    return state != WarpState::Selected && state != WarpState::Eligible;
}

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return lines;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// What changes at a cycle: how many warps are selected, stalled, there.
struct RowChange {
    std::int64_t cycle = 0;
    int selected = 0, stalled = 0, present = 0;
};

void findRuns(SchedulerModel& model) {
    std::vector<RowChange> changes;
    for (const SchedulerRow& row : model.rows)
        for (std::uint32_t w : row.states.warps())
            for (const StateRow& s : model.trace->statesOf(model.trace->warps[w])) {
                const int selected = s.state == WarpState::Selected, stalled = isStalled(s.state);
                changes.push_back({s.begin.value, selected, stalled, 1});
                changes.push_back({s.end.value, -selected, -stalled, -1});
            }
    std::sort(changes.begin(), changes.end(), [](const RowChange& a, const RowChange& b) { return a.cycle < b.cycle; });
    RowChange now{model.range.begin.value};
    SlotUse sum;
    std::size_t i = 0;
    while (now.cycle < model.range.end.value) {
        for (; i < changes.size() && changes[i].cycle <= now.cycle; ++i) {
            now.selected += changes[i].selected;
            now.stalled += changes[i].stalled;
            now.present += changes[i].present;
        }
        const SchedulerModel::Run run{now.cycle, now.selected > 0, now.stalled > 0, now.present == 0, sum};
        if (model.runs.empty() || run.issued != model.runs.back().issued || run.waiting != model.runs.back().waiting ||
            run.empty != model.runs.back().empty)
            model.runs.push_back(run);
        const std::int64_t next =
            i < changes.size() ? std::min(changes[i].cycle, model.range.end.value) : model.range.end.value;
        const std::int64_t length = next - now.cycle;
        sum.cycles += length;
        sum.issued += run.issued ? length : 0;
        sum.waiting += run.waiting ? length : 0;
        sum.issuedWaiting += run.issued && run.waiting ? length : 0;
        sum.empty += run.empty ? length : 0;
        now.cycle = next;
    }
}

} // namespace

std::vector<SchedulerPlace> schedulerPlaces(const Trace& trace, std::uint32_t launch) {
    std::set<SchedulerPlace> places;
    if (!trace.states.empty() && launch < trace.launches.size())
        for (const Block& block : trace.blocksOf(trace.launches[launch]))
            for (const Warp& warp : trace.warpsOf(block))
                if (warp.stateCount > 0)
                    places.insert({block.sm, warp.scheduler});
    return {places.begin(), places.end()};
}

SchedulerPlace chosenPlace(const std::vector<SchedulerPlace>& places, const Trace& trace, std::uint32_t warp, int sm,
                           int scheduler) {
    if (places.empty())
        return {};
    SchedulerPlace of = places.front();
    if (warp < trace.warps.size() && trace.warps[warp].stateCount > 0)
        of = {trace.blockOf(trace.warps[warp]).sm, trace.warps[warp].scheduler};
    const SchedulerPlace wanted{sm < 0 ? of.sm : std::uint16_t(sm),
                                scheduler < 0 ? of.scheduler : std::uint8_t(scheduler)};
    if (std::binary_search(places.begin(), places.end(), wanted))
        return wanted;
    const auto near = std::lower_bound(places.begin(), places.end(), SchedulerPlace{wanted.sm, 0});
    return near != places.end() && near->sm == wanted.sm ? *near : places.front();
}

Time CycleClock::time(double cycle) const {
    return {std::int64_t(std::floor(origin + cycle * unitsPerCycle + 1e-6))};
}

std::int64_t CycleClock::cycle(Time time) const {
    return std::int64_t(std::ceil((double(time.value) - origin) / unitsPerCycle - 1e-6));
}

SlotUse SlotUse::operator-(const SlotUse& o) const {
    return {cycles - o.cycles, issued - o.issued, waiting - o.waiting, issuedWaiting - o.issuedWaiting,
            empty - o.empty};
}

SlotUse SchedulerModel::useBefore(std::int64_t cycle) const {
    if (runs.empty())
        return {};
    const std::int64_t at = std::clamp(cycle, range.begin.value, range.end.value);
    const auto run = std::prev(
        std::upper_bound(runs.begin(), runs.end(), at, [](std::int64_t c, const Run& r) { return c < r.begin; }));
    SlotUse use = run->before;
    const std::int64_t length = at - run->begin;
    use.cycles += length;
    use.issued += run->issued ? length : 0;
    use.waiting += run->waiting ? length : 0;
    use.issuedWaiting += run->issued && run->waiting ? length : 0;
    use.empty += run->empty ? length : 0;
    return use;
}

StateTimes SchedulerModel::times(std::int64_t begin, std::int64_t end) const {
    StateTimes sum;
    for (const SchedulerRow& row : rows)
        sum += row.states.between(*trace, begin, end);
    return sum;
}

int SchedulerModel::issuingRow(std::int64_t cycle) const {
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const StateRow* state = rows[r].states.at(*trace, cycle);
        if (state && state->state == WarpState::Selected)
            return int(r);
    }
    return -1;
}

int SchedulerModel::rowOfWarp(std::uint32_t warp) const {
    for (std::size_t r = 0; r < rows.size(); ++r)
        if (std::find(rows[r].states.warps().begin(), rows[r].states.warps().end(), warp) !=
            rows[r].states.warps().end())
            return int(r);
    return -1;
}

std::uint32_t SchedulerModel::lineAt(const SlotStates& states, std::int64_t cycle, bool& issuedBefore) const {
    issuedBefore = false;
    const StateRow* now = states.at(*trace, cycle);
    if (!now || now->ptxLine != 0)
        return now ? now->ptxLine : 0;
    issuedBefore = true;
    const std::uint64_t n = states.firstEndingAfter(*trace, cycle);
    const std::uint32_t warp = states.warpOf(n);
    for (std::uint64_t k = n; k > 0 && states.warpOf(k - 1) == warp; --k)
        if (const StateRow& before = states.row(*trace, k - 1); before.state == WarpState::Selected)
            return before.ptxLine;
    return 0;
}

std::string_view SchedulerModel::ptx(std::uint32_t line) const {
    return line >= 1 && line <= ptxLines.size() ? trimmed(ptxLines[line - 1]) : std::string_view();
}

std::uint32_t SchedulerModel::sourceLine(std::uint32_t ptxLine) const {
    return sourceLineOf(trace->kernelOf(trace->launches[launch]), ptxLine);
}

std::string_view SchedulerModel::source(std::uint32_t line) const {
    return line >= 1 && line <= sourceLines.size() ? trimmed(sourceLines[line - 1]) : std::string_view();
}

std::shared_ptr<const SchedulerModel> buildSchedulerModel(TracePtr trace, std::uint32_t launch, SchedulerPlace place,
                                                          Progress& progress) {
    auto model = std::make_shared<SchedulerModel>();
    model->trace = trace;
    model->launch = launch;
    model->place = place;
    if (launch >= trace->launches.size())
        return model;
    const Launch& open = trace->launches[launch];
    const Kernel& kernel = trace->kernelOf(open);
    model->ptxLines = linesOf(kernel.ptx);
    model->sourceLines = linesOf(kernel.source);
    model->lives = blockLives(*trace, launch);
    for (const TimingRow& timing : trace->timings)
        if (timing.launch == launch)
            model->policy = timing.policy;

    std::map<std::uint16_t, std::vector<std::uint32_t>> slotWarps; // of this scheduler
    bool any = false;
    for (const Block& block : trace->blocksOf(open)) {
        if (block.sm != place.sm)
            continue;
        for (std::uint32_t w = block.firstWarp; w < block.firstWarp + block.warpCount; ++w) {
            const Warp& warp = trace->warps[w];
            const auto states = trace->statesOf(warp);
            if (states.empty())
                continue;
            const TimeRange lived{states.front().begin, states.back().end};
            if (!any) { // the clock: where this warp's first cycle lies on the trace's axis
                const bool ns = trace->info.timeUnit == TimeUnit::Nanoseconds && trace->info.smClockMHz > 0;
                model->clock.unitsPerCycle = ns ? 1000.0 / trace->info.smClockMHz : 1.0;
                model->clock.origin = double(warp.start.value) - double(lived.begin.value) * model->clock.unitsPerCycle;
                // Times are cycles rounded to whole nanoseconds: what the rounding took away is no origin of its own.
                if (ns && std::abs(model->clock.origin) <= 0.5 + 1e-6)
                    model->clock.origin = 0.5;
            }
            model->range =
                any ? TimeRange{std::min(model->range.begin, lived.begin), std::max(model->range.end, lived.end)}
                    : lived;
            any = true;
            if (warp.scheduler == place.scheduler)
                slotWarps[warp.slot].push_back(w);
        }
    }
    for (auto& [slot, warps] : slotWarps) {
        std::sort(warps.begin(), warps.end(), [&](std::uint32_t a, std::uint32_t b) {
            return trace->statesOf(trace->warps[a]).front().begin < trace->statesOf(trace->warps[b]).front().begin;
        });
        model->rows.push_back({slot, SlotStates(*trace, std::move(warps))});
        progress.report(0.6 * double(model->rows.size()) / double(slotWarps.size()));
        if (progress.cancelled())
            return nullptr;
    }
    findRuns(*model);
    progress.report(1);
    return model;
}

std::string_view operationOf(std::string_view ptx) {
    ptx = trimmed(ptx);
    if (!ptx.empty() && ptx.front() == '@') {
        const std::size_t blank = ptx.find_first_of(" \t");
        ptx = blank == std::string_view::npos ? std::string_view() : trimmed(ptx.substr(blank));
    }
    return ptx.substr(0, ptx.find_first_of(". \t;"));
}

bool isBlockBarrier(std::string_view ptx) {
    const std::string_view operation = operationOf(ptx);
    return (operation == "bar" || operation == "barrier") && ptx.find("bar.warp") == std::string_view::npos &&
           ptx.find("barrier.cluster") == std::string_view::npos;
}

namespace {

// The nearest cycle in one direction in which the warp issues an instruction that is wanted.
template <typename Wanted>
std::int64_t stepFrom(const SchedulerModel& model, std::uint32_t warp, std::int64_t cycle, int direction,
                      const Wanted& wanted) {
    if (warp >= model.trace->warps.size())
        return cycle;
    const auto states = model.trace->statesOf(model.trace->warps[warp]);
    auto at =
        std::partition_point(states.begin(), states.end(), [&](const StateRow& s) { return s.end.value <= cycle; });
    if (direction > 0) {
        for (; at != states.end(); ++at) {
            const std::int64_t first = std::max(at->begin.value, cycle + 1);
            if (at->state == WarpState::Selected && first < at->end.value && wanted(*at))
                return first;
        }
        return cycle;
    }
    if (at != states.end())
        ++at; // the row that holds the cycle may have begun before it
    while (at != states.begin()) {
        --at;
        const std::int64_t last = std::min(at->end.value, cycle) - 1;
        if (at->state == WarpState::Selected && last >= at->begin.value && wanted(*at))
            return last;
    }
    return cycle;
}

} // namespace

std::int64_t issueFrom(const SchedulerModel& model, std::uint32_t warp, std::int64_t cycle, int direction) {
    return stepFrom(model, warp, cycle, direction, [](const StateRow&) { return true; });
}

std::int64_t barrierFrom(const SchedulerModel& model, std::uint32_t warp, std::int64_t cycle, int direction) {
    return stepFrom(model, warp, cycle, direction,
                    [&](const StateRow& s) { return isBlockBarrier(model.ptx(s.ptxLine)); });
}

ResidentWarps residentWarps(const Trace& trace, std::uint32_t launch) {
    ResidentWarps result;
    if (launch >= trace.launches.size() || trace.info.timeUnit == TimeUnit::Steps)
        return result;
    const Launch& open = trace.launches[launch];
    const std::int64_t warps = std::int64_t(warpsFor(open.block.count()));
    struct Edge {
        Time time;
        std::uint16_t sm = 0;
        bool enters = false;
    };
    std::vector<Edge> edges;
    for (const Block& block : trace.blocksOf(open)) {
        edges.push_back({block.start, block.sm, true});
        edges.push_back({block.end, block.sm, false});
    }
    // Who leaves makes room before the next one enters.
    std::sort(edges.begin(), edges.end(),
              [](const Edge& a, const Edge& b) { return a.time != b.time ? a.time < b.time : a.enters < b.enters; });
    std::map<std::uint16_t, std::int64_t> onSm;
    std::int64_t onDevice = 0;
    for (const Edge& edge : edges) {
        std::int64_t& here = onSm[edge.sm];
        here += edge.enters ? warps : -warps;
        onDevice += edge.enters ? warps : -warps;
        result.onSm = std::max(result.onSm, std::uint64_t(std::max<std::int64_t>(0, here)));
        result.onDevice = std::max(result.onDevice, std::uint64_t(std::max<std::int64_t>(0, onDevice)));
    }
    return result;
}

BlockLives blockLives(const Trace& trace, std::uint32_t launch) {
    BlockLives result;
    if (launch >= trace.launches.size() || trace.info.timeUnit == TimeUnit::Steps)
        return result;
    std::vector<std::int64_t> lives;
    for (const Block& block : trace.blocksOf(trace.launches[launch]))
        lives.push_back(block.end.value - block.start.value);
    if (lives.empty())
        return result;
    const auto ranked = [&](std::size_t percent) {
        const auto at = lives.begin() + std::ptrdiff_t((lives.size() * percent + 99) / 100 - 1);
        std::nth_element(lives.begin(), at, lives.end());
        return *at;
    };
    return {lives.size(), ranked(5), ranked(95)};
}

} // namespace warpglass
