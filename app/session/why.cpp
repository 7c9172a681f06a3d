// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/why.h"
#include "gpu/base/messages/session.h"

#include "gpu/metrics/metric_values.h"
#include "gpu/metrics/model_accuracy.h"
#include "gpu/metrics/tile_use.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace warpglass::session {

namespace {

constexpr std::size_t mostLines = 4; // of one limit that are looked at
constexpr std::size_t mostPaired = 4;
constexpr double leastShare = 0.02;               // of a limit's burden that a line is named for
constexpr std::uint64_t mostLookedAt = 1'000'000; // events of a block, for the layout of its tiles

bool belongsToLines(Limit limit) {
    return limit == Limit::Coalescing || limit == Limit::Conflicts || limit == Limit::L1Misses ||
           limit == Limit::L2Misses || limit == Limit::Atomics;
}

// What one line of the source has of what a limit is about.
struct Burden {
    double weight = 0; // by which lines are compared
    double found = 0, least = 0, times = 0;
    std::map<WarpState, double> states = {}; // cycles of weight
};

Burden counted(Limit limit, const InstructionCount& c) {
    const bool global = c.isMemory && (c.space == MemorySpace::Global || c.space == MemorySpace::Local);
    const double requests = double(c.requests);
    switch (limit) {
    case Limit::Divergence:
        if (c.isConditional)
            return {double(c.divergent), double(c.divergent), 0, double(c.executions)};
        return {};
    case Limit::Coalescing: {
        const double least = std::max(requests, std::ceil(double(c.bytesDistinct) / 32));
        return global ? Burden{double(c.sectors) - least, double(c.sectors), least, requests} : Burden{};
    }
    case Limit::Conflicts:
        return c.isMemory && c.space == MemorySpace::Shared
                   ? Burden{double(c.passes) - double(c.idealPasses), double(c.passes), double(c.idealPasses), requests}
                   : Burden{};
    case Limit::L1Misses:
    case Limit::L2Misses:
        return global && c.access == AccessKind::Load ? Burden{double(c.sectors), double(c.sectors), 0, requests}
                                                      : Burden{};
    case Limit::Atomics:
        return c.isMemory && c.access == AccessKind::Atomic
                   ? Burden{double(c.requests), double(c.bytesRequested), double(c.bytesDistinct), requests}
                   : Burden{};
    default:
        return {};
    }
}

// Whether a warp in this state pays for the limit.
bool pays(Limit limit, WarpState state) {
    switch (limit) {
    case Limit::Barriers:
        return state == WarpState::StallBarrier;
    case Limit::Latency:
        return state == WarpState::StallLongScoreboard || state == WarpState::StallShortScoreboard;
    case Limit::Bandwidth:
        return state == WarpState::StallLongScoreboard || state == WarpState::StallLgThrottle ||
               state == WarpState::StallMioThrottle || state == WarpState::StallDrain;
    case Limit::Issue:
        return state == WarpState::Selected || state == WarpState::Eligible ||
               state == WarpState::StallMathPipeThrottle;
    default:
        return false;
    }
}

// Whether a launch has anything to do with the limit; else it takes as long without it.
bool concerns(Limit limit, const Trace& trace) {
    const auto has = [&](std::initializer_list<std::string_view> words) {
        return std::ranges::any_of(trace.kernels, [&](const Kernel& k) {
            return std::ranges::any_of(words, [&](std::string_view w) { return k.ptx.find(w) != std::string::npos; });
        });
    };
    switch (limit) {
    case Limit::Conflicts:
        return std::ranges::any_of(
            trace.counts, [](const InstructionCount& c) { return c.isMemory && c.space == MemorySpace::Shared; });
    case Limit::Atomics:
        return std::ranges::any_of(
            trace.counts, [](const InstructionCount& c) { return c.isMemory && c.access == AccessKind::Atomic; });
    case Limit::Tensor:
        return has({"mma"}); // wmma, wgmma, tcgen05.mma
    case Limit::CopyEngine:
        return has({".bulk", "shared::cluster", "mapa", "multimem"});
    default:
        return true;
    }
}

// A queue or a unit that is full: worth its name. That who waits for memory waits on the long scoreboard says nothing new.
bool isQueue(WarpState state) {
    return state == WarpState::StallLgThrottle || state == WarpState::StallMioThrottle ||
           state == WarpState::StallMathPipeThrottle || state == WarpState::StallDrain;
}

class Asker {
public:
    Asker(const RunRequest& request, const LaunchPlan& plan, Progress& progress,
          const std::function<void(int, int)>& step, bool timelines, const std::function<void(Why)>& soFar)
        : m_request(request), m_plan(plan), m_progress(progress), m_step(step), m_soFar(soFar), m_timelines(timelines) {
        m_plan.check = nullptr; // of its result nobody asks here
        m_request.options.keepFindings = true;
        m_request.options.timing = true;
        m_request.options.without = {};
        if (m_request.options.detail.kind == Detail::Kind::None) // lines are found by what warps were seen to wait for
            m_request.options.detail.kind = Detail::Kind::Auto;
    }

    Result<Why> run() {
        m_runs = 2 + int(allOf<Limit>.size());
        auto base = ask({}, {}, Keep::All);
        if (!base)
            return base.error();
        m_why.trace = base->trace;
        m_why.ns = base->ns;
        m_why.warmL2 = m_request.options.warmL2;
        m_why.modelError = expectedError(*m_why.trace).value_or(0);
        findLines();
        for (const Limit limit : allOf<Limit>)
            m_runs -= !concerns(limit, *m_why.trace);
        for (const Limit limit : allOf<Limit>) {
            if (!concerns(limit, *m_why.trace)) {
                m_why.limits.push_back({.limit = limit, .ns = m_why.ns});
                continue;
            }
            auto without = ask(LimitSet().with(limit), {}, m_timelines ? Keep::States : Keep::Nothing);
            if (!without)
                return without.error();
            WhyLimit row{.limit = limit, .ns = without->ns};
            if (m_why.worth(row))
                row.trace = without->trace;
            m_why.limits.push_back(std::move(row));
            tellSoFar();
        }
        auto floor = ask(LimitSet::all(), {}, Keep::Nothing);
        if (!floor)
            return floor.error();
        m_why.floorNs = floor->ns;
        sortLimits(m_why);
        m_why.floorNs = std::min(m_why.floorNs, m_why.limits.front().ns);
        planMore();
        if (auto ok = lines(); !ok)
            return ok.error();
        if (auto ok = pairs(); !ok)
            return ok.error();
        if (auto ok = layouts(); !ok)
            return ok.error();
        return std::move(m_why);
    }

    // Of limits whose events were never counted nothing is asked.
    Result<Why> limitsAlone() {
        auto base = ask({}, {}, Keep::States);
        if (!base)
            return base.error();
        m_why.trace = base->trace;
        m_why.ns = base->ns;
        const LaunchTotals totals = totalsOf(m_why.trace->countsOf(0));
        const bool isAlone = m_why.trace->launches.size() == 1;
        for (const Limit limit : allOf<Limit>) {
            const bool never = isAlone && ((limit == Limit::Divergence && totals.divergent == 0) ||
                                           (limit == Limit::Conflicts && totals.conflicts == 0));
            WhyLimit row{.limit = limit, .ns = m_why.ns};
            if (!never && concerns(limit, *m_why.trace)) {
                auto without = ask(LimitSet().with(limit), {}, Keep::Nothing);
                if (!without)
                    return without.error();
                row.ns = without->ns;
            }
            m_why.limits.push_back(std::move(row));
        }
        sortLimits(m_why);
        m_why.floorNs = m_why.limits.front().ns;
        return std::move(m_why);
    }

private:
    static void sortLimits(Why& why) {
        std::stable_sort(why.limits.begin(), why.limits.end(),
                         [](const WhyLimit& a, const WhyLimit& b) { return a.ns < b.ns; });
    }

    void tellSoFar() const {
        if (!m_soFar)
            return;
        Why part = m_why;
        part.whole = false;
        sortLimits(part);
        part.floorNs = part.limits.front().ns;
        m_soFar(std::move(part));
    }

    using Place = std::pair<std::uint32_t, std::optional<AccessKind>>; // a line, and what it does to memory there
    struct Answer {
        TracePtr trace;
        double ns = 0;
    };

    enum class Keep {
        Nothing, // but the time: that nothing is wrong has been found out
        States,  // of the warps that are recorded
        All
    };

    Result<Answer> ask(LimitSet without, std::vector<std::uint32_t> lines, Keep keep) {
        if (m_step)
            m_step(m_done, m_runs);
        ++m_done;
        RunRequest request = m_request;
        request.options.without = without;
        request.options.withoutLines = std::move(lines);
        request.options.results = false;
        if (keep != Keep::All) {
            request.options.detail.accesses = request.accesses = false;
            request.options.checkMemory = false;
            request.options.checkFirstUse = false;
            request.options.checkRaces = false;
        }
        if (keep == Keep::Nothing) {
            request.options.detail.kind = Detail::Kind::None;
            request.options.maxEvents = 0;
        }
        auto run = runPlan(request, m_plan, m_progress);
        if (!run)
            return run.error();
        if (run->findings) {
            m_request.options.findings = run->findings;
            m_request.options.keepFindings = false;
        }
        if (run->fault)
            return faultOf(*run, request);
        if (run->trace->timings.empty())
            return Error{say::NotTimed};
        // Warps that come in another order may meet at a queue where they had passed each other by. A device without the
        // limit could keep to the order of the one that has it, and so is no slower.
        double ns = run->trace->timings.front().durationNs;
        if (m_why.trace)
            ns = std::min(ns, m_why.ns);
        return Answer{keep != Keep::Nothing ? run->trace : nullptr, ns};
    }

    std::uint32_t lineOf(std::uint32_t ptxLine) const {
        const Trace& t = *m_why.trace;
        const std::uint32_t source = sourceLineOf(t.kernels[t.launches.front().kernel], ptxLine);
        return m_why.fromSource ? source : ptxLine;
    }

    void findLines() {
        const Trace& t = *m_why.trace;
        const Kernel& kernel = t.kernels[t.launches.front().kernel];
        const auto counts = t.countsOf(0);
        m_why.fromSource = std::any_of(counts.begin(), counts.end(),
                                       [&](const InstructionCount& c) { return sourceLineOf(kernel, c.ptxLine) != 0; });
        for (const InstructionCount& c : t.countsOf(0))
            if (const std::uint32_t line = lineOf(c.ptxLine)) {
                const Place place{line, c.isMemory ? std::optional(c.access) : std::nullopt};
                m_ptxLines[place].push_back(c.ptxLine);
                for (const Limit limit : allOf<Limit>) {
                    const Burden b = counted(limit, c);
                    if (b.times == 0)
                        continue;
                    Burden& sum = m_burdens[limit][place];
                    sum.weight += b.weight;
                    sum.found += b.found;
                    sum.least += b.least;
                    sum.times += b.times;
                }
            }
        for (const Warp& w : t.warps) {
            std::uint32_t issued = 0; // a warp that waits at a barrier stands behind it
            for (const StateRow& s : t.statesOf(w)) {
                for (const Limit limit : {Limit::Barriers, Limit::Latency, Limit::Bandwidth, Limit::Issue})
                    if (const std::uint32_t line =
                            pays(limit, s.state) ? lineOf(limit == Limit::Barriers ? issued : s.ptxLine) : 0) {
                        Burden& sum = m_burdens[limit][{line, {}}];
                        const auto cycles = double((s.end - s.begin).value);
                        sum.weight += cycles;
                        sum.states[s.state] += cycles;
                    }
                if (s.state == WarpState::Selected)
                    issued = s.ptxLine;
            }
        }
        for (auto& [place, lines] : m_ptxLines) {
            std::sort(lines.begin(), lines.end());
            lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
        }
    }

    // Of a line alone: all that it has.
    std::vector<std::uint32_t> ptxLinesOf(const Place& place) {
        if (place.second)
            return m_ptxLines[place];
        std::vector<std::uint32_t> all;
        for (const auto& [at, lines] : m_ptxLines)
            if (at.first == place.first)
                all.insert(all.end(), lines.begin(), lines.end());
        std::sort(all.begin(), all.end());
        return all;
    }

    // Lines of what is worth it, those that carry most first.
    void planMore() {
        std::size_t paired = 0;
        for (WhyLimit& limit : m_why.limits) {
            if (!m_why.worth(limit))
                continue;
            ++paired;
            double all = 0;
            std::vector<std::pair<double, Place>> order;
            for (const auto& [place, burden] : m_burdens[limit.limit])
                if (burden.weight > 0) {
                    all += burden.weight;
                    order.push_back({-burden.weight, place});
                }
            std::sort(order.begin(), order.end());
            order.resize(std::min(order.size(), mostLines));
            for (const auto& [weight, place] : order) {
                const Burden& b = m_burdens[limit.limit][place];
                if (b.weight < leastShare * all)
                    continue;
                WhyLine row;
                row.line = place.first;
                row.access = place.second;
                row.ptxLines = ptxLinesOf(place);
                row.share = b.weight / all;
                row.found = b.times > 0 ? b.found / b.times : 0;
                row.least = b.times > 0 ? b.least / b.times : 0;
                for (const auto& [state, cycles] : b.states)
                    if (cycles > b.weight / 2 && isQueue(state))
                        row.mostly = state;
                limit.lines.push_back(std::move(row));
            }
            m_runs += belongsToLines(limit.limit) && limit.lines.size() > 1 ? int(limit.lines.size()) : 0;
        }
        paired = std::min(paired, mostPaired);
        m_runs += int(paired * (paired - (paired > 0)) / 2);
    }

    Result<void> lines() {
        for (WhyLimit& limit : m_why.limits) {
            if (!belongsToLines(limit.limit))
                continue;
            for (WhyLine& line : limit.lines) {
                if (limit.lines.size() == 1) { // the only one pays for all of it
                    line.savedNs = m_why.ns - limit.ns;
                    continue;
                }
                auto without = ask(LimitSet().with(limit.limit), line.ptxLines, Keep::Nothing);
                if (!without)
                    return without.error();
                line.savedNs = m_why.ns - without->ns;
            }
            std::stable_sort(limit.lines.begin(), limit.lines.end(), [](const WhyLine& a, const WhyLine& b) {
                return a.savedNs.value_or(0) > b.savedNs.value_or(0);
            });
        }
        return {};
    }

    Result<void> pairs() {
        for (std::size_t a = 0; a < std::min(mostPaired, m_why.limits.size()); ++a)
            for (std::size_t b = a + 1; b < std::min(mostPaired, m_why.limits.size()); ++b) {
                const WhyLimit &first = m_why.limits[a], &second = m_why.limits[b];
                if (!m_why.worth(first) || !m_why.worth(second))
                    continue;
                auto without = ask(LimitSet().with(first.limit).with(second.limit), {}, Keep::Nothing);
                if (!without)
                    return without.error();
                if (!m_why.pair || without->ns < m_why.pair->ns)
                    m_why.pair = WhyPair{first.limit, second.limit, without->ns};
            }
        return {};
    }

    // Which layout of their tiles would cost the fewest passes, by the accesses of one block.
    Result<void> layouts() {
        const auto conflicts = std::ranges::find(m_why.limits, Limit::Conflicts, &WhyLimit::limit);
        if (!m_why.worth(*conflicts) || conflicts->lines.empty())
            return {};
        RunRequest request = m_request;
        request.options.timing = request.options.keepFindings = request.options.results = false;
        request.options.findings = nullptr;
        request.options.detail = {.kind = Detail::Kind::Blocks, .blocks = {0}, .accesses = true};
        request.options.maxEvents = mostLookedAt;
        request.options.checkMemory = request.options.checkFirstUse = request.options.checkRaces = false;
        const auto run = runPlan(request, m_plan, m_progress);
        if (!run)
            return run.error();
        const Trace& trace = *run->trace;
        const auto first = std::ranges::find_if(trace.blocks, [](const Block& b) { return b.warpCount > 0; });
        if (run->fault || first == trace.blocks.end())
            return {};
        for (WhyLine& line : conflicts->lines)
            for (const std::uint32_t ptxLine : line.ptxLines) {
                const auto tile = recordedTile(trace, std::uint32_t(first - trace.blocks.begin()), ptxLine);
                if (!tile || tile->left > 0) // of a part nobody knows what the others ask for
                    continue;
                LayoutRanking ranking = rankLayouts(tile->use);
                std::erase_if(ranking.best, [](const RankedLayout& r) {
                    return r.layout.order != TileOrder::Padded && r.layout.order != TileOrder::Swizzled;
                });
                if (!ranking.best.empty() && ranking.best.front().passes() < ranking.plain.passes() &&
                    (!line.layout || line.passes < ranking.plain.passes())) {
                    line.layout = ranking.best.front();
                    line.passes = ranking.plain.passes();
                }
            }
        return {};
    }

    RunRequest m_request;
    LaunchPlan m_plan;
    Progress& m_progress;
    const std::function<void(int, int)>& m_step;
    const std::function<void(Why)>& m_soFar;
    bool m_timelines = false;
    int m_done = 0, m_runs = 0;
    Why m_why;
    std::map<Place, std::vector<std::uint32_t>> m_ptxLines;
    std::map<Limit, std::map<Place, Burden>> m_burdens;
};

} // namespace

Result<Why> why(const RunRequest& request, const LaunchPlan& plan, Progress& progress,
                const std::function<void(int, int)>& step, bool timelines, const std::function<void(Why)>& soFar) {
    if (request.backend != "emulator")
        return Error{.message = say::NoLimitsOnGpu, .remedy = say::UseBackendEmulator};
    return Asker(request, plan, progress, step, timelines, soFar).run();
}

Result<Why> limitsOf(const RunRequest& request, const LaunchPlan& plan, Progress& progress) {
    const std::function<void(int, int)> step;
    const std::function<void(Why)> soFar;
    return Asker(request, plan, progress, step, false, soFar).limitsAlone();
}
} // namespace warpglass::session
