// SPDX-License-Identifier: GPL-3.0-or-later
// When the units that do the work have nothing: the tensor cores, one a scheduler, or in kernels without products the
// schedulers themselves. What they lack is what the warp waits for that brings them the next work.
#include "views/pipeline/pipeline_model.h"

#include <algorithm>
#include <map>

namespace warpglass {

namespace {

// Cycles for which a product keeps the core of its scheduler.
std::int64_t cyclesOf(const PtxLine& line, const DeviceTiming& timing) {
    if (line.product == 0)
        return 1;
    const double rate =
        line.bits == 64 ? timing.tensorDoubles : double(timing.tensorProducts) * 16 / std::max(1u, line.bits);
    const auto beside = std::int64_t(line.ofWarpgroup ? 0 : timing.tensorBegin); // a warpgroup's follow each other
    return std::max<std::int64_t>(1, beside + std::int64_t(double(line.product) / std::max(1.0, rate)));
}

Bubble causeOf(Doing doing) {
    switch (doing) {
    case Doing::WaitsCopy:
        return Bubble::Copy;
    case Doing::WaitsOrder:
        return Bubble::Order;
    case Doing::WaitsSlot:
        return Bubble::Slot;
    case Doing::WaitsBarrier:
        return Bubble::Barrier;
    case Doing::WaitsLoad:
        return Bubble::Load;
    case Doing::WaitsWarp:
        return Bubble::Warp;
    case Doing::Orders:
        return Bubble::Orders;
    case Doing::Computes:
        return Bubble::Compute;
    default:
        return Bubble::Issue;
    }
}

struct Work { // of a unit, that a warp brings
    std::int64_t begin, end;
    std::size_t life;
};
struct Gap {
    std::int64_t begin, end;
    Bubble why;
};

class BubbleFinder {
public:
    BubbleFinder(PipelineModel& model, const PipelineWork& work)
        : m_model(model), m_work(work), m_timing(timingFor(work.trace.info)), m_begin(work.ticks.of(model.range.begin)),
          m_end(work.ticks.of(model.range.end)) {
        // A launch is modelled cycle by cycle up to some number of instructions, and what follows is stretched steps.
        std::int64_t modelled = 0;
        bool goesOn = false;
        for (const WarpLife& life : work.lives) {
            modelled = std::max(modelled, life.modelled);
            goesOn |= work.ticks.time(life.modelled) + Time{1} < work.trace.warps[life.warp].end;
        }
        if (model.hasCycles && goesOn)
            m_end = std::clamp(modelled, m_begin + 1, m_end);
    }

    void run() {
        m_model.bubbles.tensor =
            m_work.lines.multiplies() && std::any_of(m_work.lives.begin(), m_work.lives.end(),
                                                     [](const WarpLife& life) { return life.did(LineKind::Product); });
        m_model.bubbles.byRate = m_model.bubbles.tensor && (m_model.hasCycles || m_work.ticks.areCycles);
        std::map<int, std::vector<Work>> units; // [scheduler]
        for (std::size_t n = 0; n < m_work.lives.size(); ++n) {
            // Without cycles nothing is known of schedulers.
            const int unit =
                m_model.hasCycles || m_model.bubbles.byRate ? m_work.trace.warps[m_work.lives[n].warp].scheduler : 0;
            add(units[unit], n);
        }
        std::vector<std::vector<Gap>> gaps;
        for (auto& [unit, list] : units)
            if (!list.empty())
                gaps.push_back(gapsOf(list));
        Bubbles& all = m_model.bubbles;
        all.until = m_end == m_work.ticks.of(m_model.range.end) ? m_model.range.end : m_work.ticks.time(m_end);
        all.whole = double(gaps.size()) * double(m_end - m_begin);
        for (const auto& of : gaps)
            for (const Gap& gap : of)
                all.idle[std::size_t(gap.why)] += double(gap.end - gap.begin);
        together(gaps);
    }

private:
    void add(std::vector<Work>& unit, std::size_t n) const {
        const WarpLife& life = m_work.lives[n];
        if (m_model.bubbles.byRate) {
            for (const WarpLife::Product& p : life.products)
                unit.push_back({p.at, p.at + cyclesOf(m_work.lines.at(p.line), m_timing), n});
            return;
        }
        for (const DoingSpan& span : life.spans)
            if (m_model.bubbles.tensor ? span.doing == Doing::Multiplies : !waits(span.doing))
                unit.push_back({span.begin, span.end, n});
    }

    std::vector<Gap> gapsOf(std::vector<Work>& list) const {
        std::stable_sort(list.begin(), list.end(), [](const Work& a, const Work& b) { return a.begin < b.begin; });
        std::vector<Gap> gaps;
        const bool tensor = m_model.bubbles.tensor, queue = m_model.bubbles.byRate;
        std::int64_t at = m_begin;
        bool isFirst = true;
        for (const Work& work : list) {
            const std::int64_t begin = std::clamp(work.begin, m_begin, m_end);
            if (begin > at) {
                if (isFirst && (tensor || work.begin == m_work.lives[work.life].spans.front().begin))
                    gaps.push_back({at, begin, Bubble::Begin});
                else
                    explain(gaps, at, begin, m_work.lives[work.life]);
            }
            isFirst = false;
            // Products of one core queue up behind each other.
            at = queue ? std::max(at, begin) + work.end - work.begin : std::max(at, work.end);
            at = std::min(at, m_end);
        }
        if (at < m_end)
            gaps.push_back({at, m_end, Bubble::End});
        return gaps;
    }

    static void explain(std::vector<Gap>& gaps, std::int64_t begin, std::int64_t end, const WarpLife& life) {
        auto span = std::upper_bound(life.spans.begin(), life.spans.end(), begin,
                                     [](std::int64_t t, const DoingSpan& s) { return t < s.end; });
        std::int64_t at = begin;
        for (; span != life.spans.end() && span->begin < end; ++span) {
            if (span->begin > at)
                gaps.push_back({at, span->begin, Bubble::Issue});
            at = std::max(at, span->begin);
            const std::int64_t to = std::min(end, span->end);
            gaps.push_back({at, to, causeOf(span->doing)});
            at = to;
        }
        if (at < end)
            gaps.push_back({at, end, Bubble::Issue});
    }

    // What is drawn: stretches in which no unit has anything, by what the first of them lacks.
    void together(const std::vector<std::vector<Gap>>& gaps) {
        std::vector<std::pair<std::int64_t, int>> edges;
        for (const auto& of : gaps)
            for (const Gap& gap : of) {
                edges.emplace_back(gap.begin, 1);
                edges.emplace_back(gap.end, -1);
            }
        std::sort(edges.begin(), edges.end());
        int now = 0;
        std::vector<std::pair<std::int64_t, std::int64_t>> all;
        for (const auto& [at, by] : edges) {
            if (now == int(gaps.size()) && !all.empty())
                all.back().second = at;
            now += by;
            if (now == int(gaps.size()))
                all.emplace_back(at, at);
        }
        std::size_t n = 0;
        for (const auto& [begin, end] : all) {
            const auto& first = gaps.front();
            while (n < first.size() && first[n].end <= begin)
                ++n;
            for (std::size_t k = n; k < first.size() && first[k].begin < end; ++k) {
                const BubbleSpan span{m_work.ticks.time(std::max(begin, first[k].begin)),
                                      m_work.ticks.time(std::min(end, first[k].end)), first[k].why};
                if (span.end <= span.begin)
                    continue;
                auto& idle = m_model.idle;
                if (!idle.empty() && idle.back().why == span.why && idle.back().end >= span.begin)
                    idle.back().end = span.end;
                else
                    idle.push_back(span);
            }
        }
    }

    PipelineModel& m_model;
    const PipelineWork& m_work;
    const DeviceTiming& m_timing;
    std::int64_t m_begin, m_end;
};

} // namespace

const DeviceTiming& timingFor(const TraceInfo& info) {
    for (const DeviceSpec& device : devices())
        if (device.name == info.deviceName)
            return timingOf(device);
    static const DeviceTiming usual{};
    return usual;
}

std::vector<Bubble> bubblesBySize(const Bubbles& bubbles) {
    std::vector<Bubble> list;
    for (std::size_t b = 0; b < std::size_t(Bubble::Count_); ++b)
        if (bubbles.share(Bubble(b)) >= 0.0005)
            list.push_back(Bubble(b));
    std::stable_sort(list.begin(), list.end(), [&](Bubble a, Bubble b) { return bubbles.share(a) > bubbles.share(b); });
    return list;
}

void findBubbles(PipelineModel& model, const PipelineWork& work) {
    BubbleFinder(model, work).run();
}

} // namespace warpglass
