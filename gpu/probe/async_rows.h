// SPDX-License-Identifier: GPL-3.0-or-later
// Copies and what happened to mbarriers, as rows of a trace, from what probes wrote down about them.
//
// A GPU tells nobody when a copy's last byte came. A phase that bytes belong to is said to be over when the first of those who
// waited for it went on, a copy to be complete when the phase or the group that it belongs to was; both may have been so
// earlier. A phase of arrivals alone is over with the last of them.
//
// A try holds its thread in hardware until the phase is over, or for a while. Whether one had to wait is told by how long it
// took: the quickest try of the launch had not, and those that took more than twice as long had.
//
// Which phase a lane waited for is known by its parity alone: of the phases of that parity it is the one that arrivals have
// come nearest to, and not before what its warp passed last.
#pragma once

#include "gpu/probe/probe.h"
#include "gpu/trace/trace.h"

#include <map>
#include <vector>

namespace warpglass::probe {

// One record, with the launch's rows and times.
struct AsyncEvent {
    const ProbeSite* what = nullptr;
    std::uint32_t block = 0, warp = 0, site = 0; // rows of the trace
    Time time, begun;         // begun: of cp.async the first copy, of a try or a wait for groups when it was asked
    std::uint32_t cycles = 0; // that a try took
    LaneMask lanes, passed;   // passed: of a try
    std::uint32_t address = noIndex, place = noIndex; // of the mbarrier; of a copy in shared memory
    std::uint32_t count = 0;          // arrivals or bytes of a lane; of copies bytes of all; 0: not known
    std::uint32_t parity = 2;         // of a try; 2: not known
    bool held = false;                // of a try: begun was that of one before, which was in vain
    std::uint32_t copySite = noIndex; // of cp.async: row of the first copy's site
};

class AsyncRows {
public:
    // ranks: blocks of a cluster; an address names one of them in its highest byte. base: address of the first byte of shared
    // memory that a kernel has.
    AsyncRows(Trace& trace, std::uint32_t ranks, std::uint32_t base) : m_trace(trace), m_ranks(ranks), m_base(base) {}

    void add(AsyncEvent event); // warp by warp, in time order
    void finish();              // when all blocks are there: makes Trace::copies and Trace::phaseEvents

private:
    struct Phase {
        std::uint64_t bytes = 0; // that are expected
        bool beside = false;     // bytes belong to it, or arrivals that copies make
        bool isOver = false;
        AsyncEvent by;                     // that ended it, or saw that it was over
        std::uint32_t site = 0;            // of who expects bytes
        std::vector<std::size_t> copies{}; // of m_copies
    };
    struct Barrier {
        std::uint32_t expected = 0, arrived = 0;
        std::int64_t phase = 0, lastExpected = -1; // that arrivals come to; that bytes were expected for last
        bool asksFirst = false;                    // copies are asked for before their bytes are expected
        std::map<std::int64_t, Phase> phases;
        std::map<std::uint32_t, std::int64_t> passed, waited, arrivedIn, expectedBy; // [warp]
    };
    struct Warp {
        std::vector<std::size_t> open[2]; // copies of no group yet; of cp.async, of bulk copies
        std::vector<std::vector<std::size_t>> groups[2];
        Time last;                    // of cp.async
        std::size_t done[2] = {0, 0}; // groups that were waited for
    };

    void groups(const AsyncEvent& e);
    void waits(const AsyncEvent& e);
    void asked(const AsyncEvent& e, std::uint32_t group);
    void copy(const AsyncEvent& e, AsyncCopyKind kind, std::uint64_t bytes, std::uint32_t site, bool told);
    std::uint32_t homeOf(const AsyncEvent& e) const; // row of the block whose memory it means
    void walk(std::uint32_t block, std::vector<std::size_t>& events);
    void arrive(const AsyncEvent& e, Barrier& barrier, std::uint32_t block);
    void tried(const AsyncEvent& e, Barrier& barrier, std::uint32_t block);
    static void over(Barrier& barrier, std::int64_t until, const AsyncEvent& by, bool byArrival);
    void close(const Barrier& barrier, std::uint32_t block);
    void row(std::uint32_t block, const AsyncEvent& e, PhaseEventKind kind, std::int64_t phase, std::uint32_t count,
             const Barrier& barrier, LaneMask lanes);

    Trace& m_trace;
    std::uint32_t m_ranks, m_base;
    std::vector<AsyncEvent> m_events;
    std::vector<AsyncCopy> m_copies;
    std::map<std::size_t, std::size_t> m_copyOf; // [event] a copy that tells an mbarrier
    std::vector<PhaseEvent> m_groupWaits;        // for groups of cp.async, and of products
    std::map<std::uint32_t, Warp> m_warps;
    std::uint32_t m_quickest = noIndex; // cycles of a try
};

} // namespace warpglass::probe
