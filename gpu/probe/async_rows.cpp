// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/async_rows.h"

#include <algorithm>

namespace warpglass::probe {

namespace {

constexpr std::uint32_t rankShift = 24;
constexpr std::uint32_t inBlock = (1u << rankShift) - 1;

std::uint32_t sum(std::uint32_t each, LaneMask lanes) {
    return each * std::uint32_t(lanes.count());
}

} // namespace

void AsyncRows::add(AsyncEvent e) {
    switch (e.what->async) {
    case AsyncPart::CopyLanes: // of a function that closed no group
    case AsyncPart::LanesCommit:
    case AsyncPart::BulkCommit:
        groups(e);
        return;
    case AsyncPart::LanesWait:
    case AsyncPart::BulkWait:
        waits(e);
        return;
    case AsyncPart::ProductsWait:
        asked(e, 0);
        return;
    case AsyncPart::Bulk:
        copy(e, e.what->copy, e.count, e.site, e.what->tells);
        break;
    case AsyncPart::LanesArrive:
        if (e.count > 0)
            copy(e, AsyncCopyKind::Lanes, e.count, e.copySite, true);
        break;
    default:
        break;
    }
    if (e.what->async == AsyncPart::Try && !e.passed.empty())
        m_quickest = std::min(m_quickest, e.cycles);
    if (e.address != noIndex)
        m_events.push_back(e);
}

void AsyncRows::copy(const AsyncEvent& e, AsyncCopyKind kind, std::uint64_t bytes, std::uint32_t site, bool told) {
    const bool lanes = kind == AsyncCopyKind::Lanes;
    AsyncCopy row;
    row.warp = e.warp;
    row.site = site;
    row.kind = kind;
    row.lanes = e.lanes;
    row.issued = e.time;
    if (lanes) { // whose clock is an earlier group's where the first copy of this one was passed over
        Time& last = m_warps[e.warp].last;
        if (e.begun >= last)
            row.issued = e.begun;
        last = e.time;
    }
    row.complete = std::max(row.issued, m_trace.blocks[e.block].end);
    row.bytes = bytes;
    row.from = lanes ? MemorySpace::Global : e.what->from;
    row.to = lanes ? MemorySpace::Shared : e.what->to;
    if (told && e.address != noIndex) {
        row.barrier = (e.address & inBlock) - m_base;
        m_copyOf[m_events.size()] = m_copies.size();
    } else {
        m_warps[e.warp].open[lanes ? 0 : 1].push_back(m_copies.size());
    }
    if (e.place != noIndex)
        row.place = (e.place & inBlock) - m_base;
    m_copies.push_back(row);
}

void AsyncRows::groups(const AsyncEvent& e) {
    const bool lanes = e.what->async != AsyncPart::BulkCommit;
    if (lanes && e.count > 0)
        copy(e, AsyncCopyKind::Lanes, e.count, e.copySite, false);
    if (e.what->async == AsyncPart::CopyLanes)
        return;
    Warp& warp = m_warps[e.warp];
    warp.groups[lanes ? 0 : 1].push_back(std::move(warp.open[lanes ? 0 : 1]));
    warp.open[lanes ? 0 : 1].clear();
}

// All but the last groups have come, at the latest now.
void AsyncRows::waits(const AsyncEvent& e) {
    const std::size_t which = e.what->async == AsyncPart::LanesWait ? 0 : 1;
    Warp& warp = m_warps[e.warp];
    const auto end = [&](std::vector<std::size_t>& copies) {
        for (const std::size_t c : copies) {
            m_copies[c].complete = std::max(m_copies[c].issued, e.time);
        }
        copies.clear();
    };
    const std::size_t all = warp.groups[which].size();
    const std::size_t until = all - std::min<std::size_t>(all, e.what->keeps);
    for (std::size_t g = warp.done[which]; g < until; ++g)
        end(warp.groups[which][g]);
    warp.done[which] = std::max(warp.done[which], until);
    if (e.what->site.text.find("wait_all") != std::string::npos)
        end(warp.open[which]);
    if (which == 0 && until > 0)
        asked(e, std::uint32_t(until - 1));
}

// A wait for no mbarrier.
void AsyncRows::asked(const AsyncEvent& e, std::uint32_t group) {
    for (const auto& [kind, at] : {std::pair(PhaseEventKind::Wait, e.begun), std::pair(PhaseEventKind::Pass, e.time)})
        m_groupWaits.push_back({.block = e.block,
                                .warp = e.warp,
                                .site = e.site,
                                .time = at,
                                .kind = kind,
                                .barrier = noIndex,
                                .phase = group,
                                .lanes = e.lanes});
}

std::uint32_t AsyncRows::homeOf(const AsyncEvent& e) const {
    if (m_ranks <= 1)
        return e.block;
    const Block& own = m_trace.blocks[e.block];
    const std::uint32_t rank = e.address >> rankShift, first = own.index - own.index % m_ranks;
    const std::uint32_t row = e.block - own.index + first + rank;
    return rank < m_ranks && row < m_trace.blocks.size() && m_trace.blocks[row].launch == own.launch ? row : noIndex;
}

void AsyncRows::finish() {
    std::map<std::uint32_t, std::vector<std::size_t>> ofBlock; // events
    for (std::size_t n = 0; n < m_events.size(); ++n)
        if (const std::uint32_t home = homeOf(m_events[n]); home != noIndex)
            ofBlock[home].push_back(n);
    for (const PhaseEvent& wait : m_groupWaits)
        ofBlock[wait.block];
    std::size_t next = 0; // of the waits for groups
    for (auto& [block, events] : ofBlock) {
        const std::size_t first = m_trace.phaseEvents.size();
        walk(block, events);
        for (; next < m_groupWaits.size() && m_groupWaits[next].block == block; ++next)
            m_trace.phaseEvents.push_back(m_groupWaits[next]);
        const auto order = [](const PhaseEvent& e) { // of what is told of one moment
            return e.kind == PhaseEventKind::Copied     ? 1
                   : e.kind == PhaseEventKind::Complete ? 2
                   : e.kind == PhaseEventKind::Pass     ? 3
                                                        : 0;
        };
        std::stable_sort(m_trace.phaseEvents.begin() + std::ptrdiff_t(first), m_trace.phaseEvents.end(),
                         [&](const PhaseEvent& a, const PhaseEvent& b) {
                             return std::pair(a.time, order(a)) < std::pair(b.time, order(b));
                         });
    }
    std::stable_sort(m_copies.begin(), m_copies.end(), [](const AsyncCopy& a, const AsyncCopy& b) {
        return std::pair(a.warp, a.issued) < std::pair(b.warp, b.issued);
    });
    m_trace.copies.insert(m_trace.copies.end(), m_copies.begin(), m_copies.end());
}

// All that happened to the mbarriers of a block.
void AsyncRows::walk(std::uint32_t block, std::vector<std::size_t>& events) {
    const auto order = [&](std::size_t n) {
        const AsyncPart part = m_events[n].what->async;
        return part == AsyncPart::Init ? 0 : part == AsyncPart::Try ? 3 : part == AsyncPart::Bulk ? 2 : 1;
    };
    std::stable_sort(events.begin(), events.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(m_events[a].time, order(a)) < std::pair(m_events[b].time, order(b));
    });
    std::map<std::uint32_t, Barrier> barriers; // [byte of shared memory]
    for (const std::size_t n : events) {
        const AsyncEvent& e = m_events[n];
        Barrier& barrier = barriers[(e.address & inBlock) - m_base];
        if (const auto known = m_copyOf.find(n); known != m_copyOf.end()) {
            // For the phase that this warp expected bytes for, or another one; or, where they are asked for before they are
            // expected, for the one that goes on.
            barrier.asksFirst = barrier.asksFirst || barrier.expectedBy.empty();
            const auto own = barrier.expectedBy.find(e.warp);
            Phase& phase = barrier.phases[barrier.asksFirst                 ? barrier.phase
                                          : own != barrier.expectedBy.end() ? own->second
                                                                            : barrier.lastExpected];
            phase.beside = true;
            phase.copies.push_back(known->second);
        }
        switch (e.what->async) {
        case AsyncPart::Init:
            close(barrier, block);
            barrier = {};
            barrier.expected = e.count;
            row(block, e, PhaseEventKind::Init, 0, e.count, barrier, e.lanes);
            break;
        case AsyncPart::Inval:
            row(block, e, PhaseEventKind::Inval, barrier.phase, 0, barrier, e.lanes);
            break;
        case AsyncPart::Came:
            row(block, e, PhaseEventKind::Copied, barrier.phase, sum(e.count, e.lanes), barrier, e.lanes);
            break;
        case AsyncPart::Expect:
        case AsyncPart::Arrive:
        case AsyncPart::LanesArrive:
            arrive(e, barrier, block);
            break;
        case AsyncPart::Try:
            tried(e, barrier, block);
            break;
        default:
            break;
        }
    }
    for (const auto& [at, barrier] : barriers)
        close(barrier, block);
}

void AsyncRows::arrive(const AsyncEvent& e, Barrier& barrier, std::uint32_t block) {
    const AsyncPart part = e.what->async;
    Phase& phase = barrier.phases[barrier.phase];
    if (part == AsyncPart::Expect || e.what->tells) {
        const std::uint32_t bytes = sum(e.count, e.lanes);
        phase.bytes += bytes;
        phase.beside = true;
        phase.site = e.site;
        barrier.lastExpected = barrier.expectedBy[e.warp] = barrier.phase;
        row(block, e, PhaseEventKind::Expect, barrier.phase, bytes, barrier, e.lanes);
    }
    if (part == AsyncPart::Expect)
        return;
    const bool copies = part == AsyncPart::LanesArrive;
    phase.beside |= copies;
    const std::uint32_t arrivals = sum(copies || e.what->tells ? 1 : e.count, e.lanes);
    barrier.arrivedIn[e.warp] = barrier.phase;
    if (!copies || e.what->counts)
        barrier.arrived += arrivals;
    row(block, e, PhaseEventKind::Arrive, barrier.phase, arrivals, barrier, e.lanes);
    const bool ends = barrier.expected > 0 && barrier.arrived >= barrier.expected;
    if (e.what->drops)
        barrier.expected -= std::min(arrivals, barrier.expected);
    if (!ends)
        return;
    if (!phase.beside)
        over(barrier, barrier.phase, e, true);
    ++barrier.phase;
    barrier.arrived = 0;
}

void AsyncRows::tried(const AsyncEvent& e, Barrier& barrier, std::uint32_t block) {
    const auto isOdd = [](std::int64_t phase) { return std::uint32_t(phase & 1); };
    const auto own = barrier.arrivedIn.find(e.warp);
    if (!e.passed.empty()) {
        std::int64_t phase = barrier.phase - 1;
        const auto last = barrier.passed.find(e.warp);
        const std::int64_t least = last == barrier.passed.end() ? -1 : last->second;
        if (e.parity < 2) {
            if (isOdd(phase) != e.parity)
                phase = phase - 1 >= least ? phase - 1 : phase + 1;
            while (phase < least)
                phase += 2;
        } else if (own != barrier.arrivedIn.end()) {
            phase = own->second;
        }
        // Whoever asks for the phase before the first is held by none.
        if (phase >= 0 && phase != (last == barrier.passed.end() ? -1 : last->second)) {
            over(barrier, phase, e, false);
            const auto waited = barrier.waited.find(e.warp);
            if ((e.held || e.cycles / 2 > m_quickest) && (waited == barrier.waited.end() || waited->second != phase)) {
                AsyncEvent since = e;
                since.time = e.begun;
                row(block, since, PhaseEventKind::Wait, phase, 0, barrier, e.passed);
                barrier.waited[e.warp] = phase;
            }
            row(block, e, PhaseEventKind::Pass, phase, 0, barrier, e.passed);
            barrier.passed[e.warp] = phase;
        }
    }
    const LaneMask waiting = e.lanes & ~e.passed;
    if (waiting.empty())
        return;
    std::int64_t phase = barrier.phase;
    if (e.parity < 2 && isOdd(phase) != e.parity)
        --phase; // whose bytes have not come
    else if (e.parity >= 2 && own != barrier.arrivedIn.end())
        phase = own->second;
    const auto told = barrier.waited.find(e.warp);
    if (phase < 0 || (told != barrier.waited.end() && told->second == phase))
        return;
    barrier.waited[e.warp] = phase;
    AsyncEvent since = e;
    since.time = e.begun;
    row(block, since, PhaseEventKind::Wait, phase, 0, barrier, waiting);
}

// This phase, and with it all before.
void AsyncRows::over(Barrier& barrier, std::int64_t until, const AsyncEvent& by, bool byArrival) {
    for (auto& [number, phase] : barrier.phases) {
        if (number > until)
            break;
        if (phase.isOver)
            continue;
        phase.isOver = true;
        phase.by = by;
        if (!byArrival)
            phase.by.warp = noIndex;
    }
}

// What became of its phases, when all that is told of them is known.
void AsyncRows::close(const Barrier& barrier, std::uint32_t block) {
    for (const auto& [number, phase] : barrier.phases) {
        std::uint64_t known = 0, unknown = 0;
        for (const std::size_t c : phase.copies) {
            known += m_copies[c].bytes;
            unknown += m_copies[c].bytes == 0;
        }
        // How large a tensor's box is stands in its map alone: such copies of a phase share what is left of its bytes.
        const std::uint64_t left = phase.bytes > known ? phase.bytes - known : 0;
        for (const std::size_t c : phase.copies)
            if (m_copies[c].bytes == 0)
                m_copies[c].bytes = left / unknown;
        if (!phase.isOver)
            continue;
        AsyncEvent came = phase.by;
        came.warp = noIndex;
        for (const std::size_t c : phase.copies) {
            AsyncCopy& copy = m_copies[c];
            copy.complete = std::max(copy.issued, phase.by.time);
            came.site = copy.site;
            row(block, came, PhaseEventKind::Copied, number, std::uint32_t(copy.bytes), barrier, {});
        }
        if (left > 0 && unknown == 0) { // by copies of other blocks
            came.site = phase.site;
            row(block, came, PhaseEventKind::Copied, number, std::uint32_t(left), barrier, {});
        }
        row(block, phase.by, PhaseEventKind::Complete, number, 0, barrier, {});
    }
}

void AsyncRows::row(std::uint32_t block, const AsyncEvent& e, PhaseEventKind kind, std::int64_t phase,
                    std::uint32_t count, const Barrier& barrier, LaneMask lanes) {
    PhaseEvent row;
    row.block = block;
    row.warp = e.block == block ? e.warp : noIndex;
    row.site = e.site;
    row.time = e.time;
    row.kind = kind;
    row.barrier = (e.address & inBlock) - m_base;
    row.phase = std::uint32_t(phase);
    row.count = count;
    row.missing = barrier.expected > barrier.arrived ? barrier.expected - barrier.arrived : 0;
    row.lanes = lanes;
    m_trace.phaseEvents.push_back(row);
}

} // namespace warpglass::probe
