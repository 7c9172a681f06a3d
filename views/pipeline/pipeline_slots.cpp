// SPDX-License-Identifier: GPL-3.0-or-later
// Slots from mbarriers that copies tell, and from groups of cp.async; and what each wait for an mbarrier was for.
#include "views/pipeline/pipeline_model.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpglass {
namespace {

struct Phases { // of one mbarrier
    struct Passing {
        std::uint32_t warp, phase;
        Time since, at; // since: it asked; at: it went on
        bool waited;
        std::uint32_t site = noIndex;
    };
    std::map<std::uint32_t, Time> over;                   // [phase]
    std::vector<std::pair<Time, std::uint32_t>> arrivals; // and who, by time
    std::map<std::uint32_t, std::uint32_t> last;          // [phase]: who arrived last; noIndex: a copy
    std::map<std::uint32_t, std::uint64_t> bytes;         // [phase]: that came by copies
    std::map<std::uint32_t, Time> asked;                  // [phase]: bytes are expected
    std::map<std::uint32_t, Time> came;                   // [phase]: the first bytes
    std::vector<Passing> passings;
};

class SlotFinder {
public:
    SlotFinder(PipelineModel& model, PipelineWork& work) : m_model(model), m_work(work) {}

    void run() {
        readPhases();
        fromMbarriers();
        fromGroups();
        numberRings(m_model, m_work.trace);
        nameWaits();
    }

private:
    Time end() const { return m_model.range.end; }
    std::uint32_t firstWarp() const { return m_work.trace.blocks[m_model.block].firstWarp; }
    bool isOfBlock(std::uint32_t warp) const { return warp - firstWarp() < m_work.lives.size(); }

    void readPhases() {
        const auto& all = m_work.trace.phaseEvents;
        std::map<std::pair<std::uint32_t, std::uint32_t>, Time> open; // [barrier, warp]: since when it waits
        for (auto e = firstPhaseEvent(m_work.trace, m_model.block); e != all.end() && e->block == m_model.block; ++e) {
            Phases& p = m_phases[e->barrier];
            switch (e->kind) {
            case PhaseEventKind::Expect:
                p.asked.try_emplace(e->phase, e->time);
                break;
            case PhaseEventKind::Arrive:
                p.last[e->phase] = e->warp;
                p.arrivals.emplace_back(e->time, e->warp);
                break;
            case PhaseEventKind::Copied:
                p.last[e->phase] = noIndex;
                p.bytes[e->phase] += e->count;
                p.came.try_emplace(e->phase, e->time);
                break;
            case PhaseEventKind::Complete:
                p.over.try_emplace(e->phase, e->time);
                break;
            case PhaseEventKind::Wait:
                if (isOfBlock(e->warp))
                    open.try_emplace({e->barrier, e->warp}, e->time);
                break;
            case PhaseEventKind::Pass: {
                if (!isOfBlock(e->warp))
                    break;
                const auto since = open.find({e->barrier, e->warp});
                p.passings.push_back({e->warp, e->phase, since == open.end() ? e->time : since->second, e->time,
                                      since != open.end(), e->site});
                if (since != open.end())
                    open.erase(since);
                break;
            }
            case PhaseEventKind::Init:
            case PhaseEventKind::Inval:
                break;
            }
        }
        for (const auto& [who, since] : open) // for ever
            m_phases[who.first].passings.push_back({who.second, noIndex, since, end(), true});
        m_phases.erase(noIndex); // waits for groups
    }

    // A phase that copies told bytes of is a fill.
    void fromMbarriers() {
        const auto& copies = m_work.trace.copies;
        std::map<std::uint32_t, std::vector<std::uint32_t>> into; // [barrier]: copies, by time
        for (const WarpLife& life : m_work.lives) {
            auto c = std::lower_bound(copies.begin(), copies.end(), life.warp,
                                      [](const AsyncCopy& copy, std::uint32_t warp) { return copy.warp < warp; });
            for (; c != copies.end() && c->warp == life.warp; ++c)
                if (c->barrier != noIndex && c->to == MemorySpace::Shared && c->kind != AsyncCopyKind::Product)
                    into[c->barrier].push_back(std::uint32_t(c - copies.begin()));
        }
        for (const auto& [barrier, phases] : m_phases)
            if (!phases.bytes.empty())
                m_full.insert(barrier);
        for (const std::uint32_t barrier : m_full) {
            const Phases& phases = m_phases[barrier];
            auto& own = into[barrier]; // its copies
            std::stable_sort(own.begin(), own.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return copies[a].issued < copies[b].issued; });
            PipelineSlot slot;
            slot.full = barrier;
            std::size_t next = 0; // of them
            const bool asksFirst =
                !own.empty() && !phases.asked.empty() && copies[own.front()].issued < phases.asked.begin()->second;
            for (const auto& [phase, bytes] : phases.bytes) {
                SlotFill fill{.phase = phase, .bytes = bytes, .full = end(), .read = end(), .freed = end()};
                if (const auto over = phases.over.find(phase); over != phases.over.end()) {
                    fill.full = over->second;
                    fill.isFull = true;
                }
                fill.begin = phases.came.at(phase);
                if (const auto asked = phases.asked.find(phase); asked != phases.asked.end())
                    fill.begin = std::min(fill.begin, asked->second);
                // Copies are asked for after their phase's bytes are expected and before the next one's; else before it is over.
                const auto later = phases.asked.upper_bound(phase);
                const bool isExpected = phases.asked.contains(phase);
                const auto isOfPhase = [&](std::uint32_t c) {
                    return asksFirst                     ? !fill.isFull || copies[c].issued <= fill.full
                           : later == phases.asked.end() ? copies[c].issued <= fill.full || isExpected
                                                         : copies[c].issued < later->second;
                };
                if (next < own.size() && isOfPhase(own[next])) {
                    slot.place = std::min(slot.place, copies[own[next]].place);
                    fill.copy = own[next];
                    fill.begin = std::min(phases.came.at(phase), copies[own[next]].issued);
                }
                while (next < own.size() && isOfPhase(own[next]))
                    ++next;
                for (const Phases::Passing& p : phases.passings)
                    if (p.phase == phase && fill.isFull) {
                        fill.read = fill.isRead ? std::min(fill.read, p.at) : p.at;
                        fill.isRead = true;
                    }
                slot.bytes = std::max(slot.bytes, bytes);
                slot.fills.push_back(fill);
            }
            m_model.ringSlots.push_back(std::move(slot));
        }
        listByWarp();
        for (PipelineSlot& slot : m_model.ringSlots) {
            slot.empty = emptyOf(slot);
            for (std::size_t n = 0; n < slot.fills.size(); ++n)
                free(slot, n);
        }
    }

    void listByWarp() {
        for (const auto& [barrier, phases] : m_phases)
            for (const Phases::Passing& p : phases.passings)
                if (m_full.contains(barrier))
                    m_byWarp[p.warp].asked.push_back(p.since);
                else if (p.phase != noIndex)
                    m_byWarp[p.warp].passed.emplace_back(p.at, barrier);
        for (const PipelineSlot& slot : m_model.ringSlots)
            for (const SlotFill& fill : slot.fills)
                if (fill.copy != noIndex)
                    m_byWarp[m_work.trace.copies[fill.copy].warp].ordered.push_back(fill.begin);
        for (auto& [warp, of] : m_byWarp) {
            std::sort(of.asked.begin(), of.asked.end());
            std::sort(of.passed.begin(), of.passed.end());
            std::sort(of.ordered.begin(), of.ordered.end());
        }
    }

    // The mbarrier that whoever orders copies into a slot passes before, since it ordered the last ones.
    std::uint32_t emptyOf(const PipelineSlot& slot) const {
        std::map<std::uint32_t, int> votes;
        for (const SlotFill& fill : slot.fills) {
            if (fill.copy == noIndex)
                continue;
            const ByWarp& of = m_byWarp.at(m_work.trace.copies[fill.copy].warp);
            const auto after = std::upper_bound(of.passed.begin(), of.passed.end(), std::pair{fill.begin, noIndex});
            const auto own = std::lower_bound(of.ordered.begin(), of.ordered.end(), fill.begin);
            if (after != of.passed.begin() && (own == of.ordered.begin() || *(own - 1) <= (after - 1)->first))
                ++votes[(after - 1)->second];
        }
        const auto most = std::max_element(votes.begin(), votes.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        return most == votes.end() ? noIndex : most->first;
    }

    void free(PipelineSlot& slot, std::size_t n) {
        SlotFill& fill = slot.fills[n];
        const Time next = n + 1 < slot.fills.size() ? slot.fills[n + 1].begin : end();
        fill.freed = std::min(next, end());
        if (!fill.isRead)
            return;
        if (slot.empty != noIndex) {
            const Phases& empty = m_phases.at(slot.empty);
            for (const auto& [phase, over] : empty.over)
                if (over >= fill.read && over < fill.freed)
                    fill.freed = over;
            // Whoever fills may have to arrive, too: the last time it never does, and the phase is never over.
            const std::uint32_t filler = fill.copy == noIndex ? noIndex : m_work.trace.copies[fill.copy].warp;
            auto arrival =
                std::upper_bound(empty.arrivals.begin(), empty.arrivals.end(), std::pair{fill.freed, noIndex});
            while (arrival != empty.arrivals.begin() && (arrival - 1)->second == filler)
                --arrival;
            if (arrival != empty.arrivals.begin() && (arrival - 1)->first >= fill.read)
                fill.freed = (arrival - 1)->first;
            return;
        }
        // No mbarrier tells it: until its readers wait for the next one.
        Time last = fill.read;
        for (const Phases::Passing& p : m_phases.at(slot.full).passings) {
            if (p.phase != fill.phase)
                continue;
            const std::vector<Time>& asked = m_byWarp.at(p.warp).asked;
            const auto then = std::upper_bound(asked.begin(), asked.end(), p.at);
            last = std::max(last, lastUse(p, then == asked.end() ? next : std::min(next, *then)));
        }
        fill.freed = std::min(last, fill.freed);
    }

    // When the last products that a warp began are done, of those before `until`; that itself if there are none.
    Time lastUse(const Phases::Passing& p, Time until) const {
        const WarpLife& life = m_work.lives[p.warp - firstWarp()];
        const std::int64_t end = m_work.ticks.of(until);
        const auto after = std::partition_point(life.products.begin(), life.products.end(),
                                                [&](const WarpLife::Product& product) { return product.at < end; });
        if (after == life.products.begin() || m_work.ticks.time((after - 1)->at) < p.at)
            return until;
        const std::int64_t at = (after - 1)->at;
        const auto span =
            std::partition_point(life.spans.begin(), life.spans.end(), [&](const DoingSpan& s) { return s.end <= at; });
        return span == life.spans.end() ? until : std::min(until, m_work.ticks.time(span->end));
    }

    // cp.async tells nobody: a warp waits for its own groups. The n-th group of all warps is one fill.
    void fromGroups() {
        const auto& copies = m_work.trace.copies;
        std::map<std::uint32_t, SlotFill> fills;       // [group]
        std::map<std::uint32_t, std::uint32_t> places; // [group]: the lowest byte that it fills
        bool isPlaced = true;
        for (const WarpLife& life : m_work.lives) {
            auto c = std::lower_bound(copies.begin(), copies.end(), life.warp,
                                      [](const AsyncCopy& copy, std::uint32_t warp) { return copy.warp < warp; });
            for (; c != copies.end() && c->warp == life.warp; ++c) {
                if (c->barrier != noIndex || c->kind != AsyncCopyKind::Lanes || c->to != MemorySpace::Shared)
                    continue;
                const auto group = std::uint32_t(
                    std::partition_point(life.commits.begin(), life.commits.end(),
                                         [&](std::int64_t at) { return m_work.ticks.time(at) < c->issued; }) -
                    life.commits.begin());
                auto [known, isNew] = fills.try_emplace(group);
                SlotFill& fill = known->second;
                if (isNew)
                    fill = {.phase = group,
                            .begin = c->issued,
                            .full = c->complete,
                            .isFull = true,
                            .copy = std::uint32_t(c - copies.begin())};
                fill.begin = std::min(fill.begin, c->issued);
                fill.full = std::max(fill.full, c->complete);
                fill.bytes += c->bytes;
                const std::uint32_t place = places.try_emplace(group, c->place).first->second;
                places[group] = std::min(place, c->place);
                isPlaced &= c->place != noIndex;
            }
        }
        if (fills.empty())
            return;
        for (auto& [group, fill] : fills) {
            for (const WarpLife& life : m_work.lives)
                for (const HeldGroup& held : life.held)
                    if (held.group == group && held.used) {
                        const Time first = m_work.ticks.time(held.first), last = m_work.ticks.time(held.last);
                        fill.read = fill.isRead ? std::min(fill.read, first) : first;
                        fill.freed = fill.isRead ? std::max(fill.freed, last) : last;
                        fill.isRead = true;
                    }
            if (!fill.isRead)
                fill.read = fill.freed = end();
            fill.read = std::max(fill.read, fill.full);
            fill.freed = std::max(fill.freed, fill.read);
        }
        isPlaced ? groupsByPlace(fills, places) : groupsByOverlap(fills);
    }

    // Groups that fill the same bytes fill one slot.
    void groupsByPlace(const std::map<std::uint32_t, SlotFill>& fills,
                       const std::map<std::uint32_t, std::uint32_t>& places) {
        const std::size_t first = m_model.ringSlots.size();
        std::map<std::uint32_t, std::size_t> numbers; // [place]
        for (const auto& [group, fill] : fills) {
            const std::uint32_t place = places.at(group);
            const auto [number, isNew] = numbers.try_emplace(place, first + numbers.size());
            if (isNew)
                m_model.ringSlots.push_back({.place = place});
            addGroup(m_model.ringSlots[number->second], fill);
        }
    }

    static void addGroup(PipelineSlot& slot, const SlotFill& fill) {
        if (!slot.fills.empty())
            slot.fills.back().freed = std::min(slot.fills.back().freed, fill.begin);
        slot.bytes = std::max(slot.bytes, fill.bytes);
        slot.fills.push_back(fill);
    }

    // Of an older file, which does not say where copies go: as many slots as are on their way or read at once.
    void groupsByOverlap(const std::map<std::uint32_t, SlotFill>& fills) {
        std::vector<std::pair<Time, int>> edges;
        for (const auto& [group, fill] : fills)
            if (fill.isRead) {
                edges.emplace_back(fill.begin, 1);
                edges.emplace_back(fill.freed, -1);
            }
        std::sort(edges.begin(), edges.end());
        int now = 0, most = 1;
        for (const auto& [at, by] : edges)
            most = std::max(most, now += by);
        const std::size_t first = m_model.ringSlots.size();
        m_model.ringSlots.resize(first + std::size_t(most));
        std::uint32_t n = 0;
        for (const auto& [group, fill] : fills)
            addGroup(m_model.ringSlots[first + n++ % std::uint32_t(most)], fill);
    }

    // What each wait was for: bytes on their way, bytes nobody had asked for, room, or another warp.
    void nameWaits() {
        std::map<std::uint32_t, const PipelineSlot*> ofFull;
        std::map<std::uint32_t, std::size_t> slotOf, laneOf;
        std::set<std::uint32_t> empties;
        for (std::size_t n = 0; n < m_model.ringSlots.size(); ++n) {
            const PipelineSlot& slot = m_model.ringSlots[n];
            if (slot.full != noIndex) {
                ofFull[slot.full] = &slot;
                slotOf[slot.full] = n;
            }
            if (slot.empty != noIndex)
                empties.insert(slot.empty);
        }
        for (std::size_t n = 0; n < m_model.lanes.size(); ++n)
            for (const std::uint32_t w : m_model.lanes[n].warps)
                laneOf[w] = n;
        const Ticks& ticks = m_work.ticks;
        std::map<std::uint32_t, std::vector<DoingSpan>> roomWaits; // [warp]: of those that order
        for (const std::uint32_t empty : empties)
            for (const Phases::Passing& p : m_phases[empty].passings)
                if (p.waited)
                    roomWaits[p.warp].push_back({ticks.of(p.since), ticks.of(p.at), Doing::WaitsSlot});
        for (auto& [warp, list] : roomWaits)
            std::sort(list.begin(), list.end(), byBegin);
        for (const auto& [barrier, phases] : m_phases)
            for (const Phases::Passing& p : phases.passings) {
                if (!p.waited || p.at <= p.since)
                    continue;
                auto& waits = m_work.mbarriers[p.warp - firstWarp()];
                const DoingSpan whole{ticks.of(p.since), ticks.of(p.at), Doing::WaitsWarp};
                const auto full = ofFull.find(barrier);
                if (full != ofFull.end()) {
                    const auto& fills = full->second->fills; // by phase
                    const auto fill =
                        std::lower_bound(fills.begin(), fills.end(), p.phase,
                                         [](const SlotFill& f, std::uint32_t phase) { return f.phase < phase; });
                    const bool isIt = fill != fills.end() && fill->phase == p.phase;
                    std::vector<DoingSpan> parts = forBytes(whole, isIt ? &*fill : nullptr, roomWaits);
                    waits.insert(waits.end(), parts.begin(), parts.end());
                } else {
                    waits.push_back(
                        {whole.begin, whole.end, empties.contains(barrier) ? Doing::WaitsSlot : Doing::WaitsWarp});
                }
                const auto over = phases.over.find(p.phase);
                if (over == phases.over.end())
                    continue;
                PipelineArrow arrow{over->second, p.at,    p.since, laneOf[p.warp], noIndex,
                                    noIndex,      barrier, p.phase, p.site};
                const auto last = phases.last.find(p.phase);
                const std::uint32_t who = last == phases.last.end() ? noIndex : last->second;
                if (who != noIndex && isOfBlock(who))
                    arrow.fromLane = laneOf[who];
                else if (slotOf.contains(barrier))
                    arrow.slot = slotOf[barrier];
                addArrow(arrow);
            }
        for (auto& waits : m_work.mbarriers)
            std::sort(waits.begin(), waits.end(), byBegin);
        std::sort(m_model.arrows.begin(), m_model.arrows.end(),
                  [](const PipelineArrow& a, const PipelineArrow& b) { return a.to < b.to; });
    }

    static bool byBegin(const DoingSpan& a, const DoingSpan& b) { return a.begin < b.begin; }

    // Until its first byte was asked for a fill is held up by whoever orders it; that one may wait for room.
    std::vector<DoingSpan> forBytes(const DoingSpan& whole, const SlotFill* fill,
                                    const std::map<std::uint32_t, std::vector<DoingSpan>>& roomWaits) const {
        const std::int64_t asked = fill ? std::clamp(m_work.ticks.of(fill->begin), whole.begin, whole.end) : whole.end;
        std::vector<DoingSpan> parts;
        if (asked > whole.begin) {
            parts.push_back({whole.begin, asked, Doing::WaitsOrder});
            if (fill && fill->copy != noIndex)
                if (const auto room = roomWaits.find(m_work.trace.copies[fill->copy].warp); room != roomWaits.end())
                    layOver(parts, room->second);
        }
        if (asked < whole.end)
            parts.push_back({asked, whole.end, Doing::WaitsCopy});
        return parts;
    }

    // One for all warps of a lane: the last that goes on.
    void addArrow(const PipelineArrow& arrow) {
        const auto same = m_arrows.try_emplace({arrow.barrier, arrow.phase, arrow.lane}, m_model.arrows.size());
        if (same.second) {
            m_model.arrows.push_back(arrow);
            return;
        }
        PipelineArrow& known = m_model.arrows[same.first->second];
        known.to = std::max(known.to, arrow.to);
        known.waited = std::min(known.waited, arrow.waited);
    }

    PipelineModel& m_model;
    PipelineWork& m_work;
    std::map<std::uint32_t, Phases> m_phases; // [byte of shared memory]
    struct ByWarp {
        std::vector<Time> asked;                            // for bytes
        std::vector<std::pair<Time, std::uint32_t>> passed; // mbarriers that no copy tells
        std::vector<Time> ordered;                          // fills
    };
    std::map<std::uint32_t, ByWarp> m_byWarp;
    std::set<std::uint32_t> m_full;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::size_t>, std::size_t> m_arrows;
};

} // namespace

void findSlots(PipelineModel& model, PipelineWork& work) {
    SlotFinder(model, work).run();
}

} // namespace warpglass
