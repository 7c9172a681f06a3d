// SPDX-License-Identifier: GPL-3.0-or-later
// Takes down the events of one block's warps while it runs. Times are the warp's own clock; sites are those of the
// Program. The trace is put together from many of these, in block order, by trace_writer.
#pragma once

#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/state/exec.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace warpglass::emulator {

struct RecordedEvent {
    std::int64_t time = 0;  // warp's clock
    std::uint32_t site = 0; // of the Program; from so many on as it has: of RecordedBlock::called
    EventKind kind = EventKind::Entry;
    LaneMask active, taken;
    std::uint32_t access = noIndex; // row of accesses
};

struct RecordedWarp {
    LaneMask live;
    std::int64_t end = 0;
    std::uint64_t lost = 0;
    std::vector<RecordedEvent> events;
    std::vector<StateRow> states; // of the timing model
    std::uint32_t pathMask = 0;   // lanes that the last flow event said to be on
};

struct RecordedBlock {
    std::vector<std::shared_ptr<CopyNote>> copies;
    std::vector<RecordedPhase> phases;
    std::vector<RecordedWarp> warps;
    std::vector<AccessRow> accesses; // event is unused; firstLane and firstValue count into the two below
    std::vector<std::uint64_t> addresses, values;
    // Foreign functions' accesses: the position and that of the call (callerOf), and how many were known before.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> called;
};

class Recorder {
public:
    Recorder(bool accesses, std::uint64_t eventsPerWarp)
        : m_accesses(accesses), m_limit(std::min(eventsPerWarp, bounds.eventsOfWarp)) {}
    bool recordsAccesses() const { return m_accesses; }
    RecordedBlock& block() { return m_block; }

    // Timing model. Addresses stay valid: all of the block's warps are made on the first call.
    std::vector<StateRow>* statesOf(std::uint32_t warp, std::uint32_t warps);
    void end(std::uint32_t warp, LaneMask live, std::int64_t time);
    void stretchAfter(std::int64_t time, double factor); // events behind it are that much further behind it

    void event(const WarpContext& warp, EventKind kind, std::uint32_t site, LaneMask active, LaneMask taken,
               std::int64_t time);
    void path(const Exec& x, std::uint32_t position); // if the lanes that are on have changed
    // round: one of several accesses of an instruction that tells them itself (InstInfo::byRounds).
    void access(Exec& x, const Inst& in, std::int64_t time, bool round = false);
    void copy(std::shared_ptr<CopyNote> note);
    void phase(const RecordedPhase& event);
    void shuffle(const Exec& x, const Inst& in, std::uint32_t active, const std::array<std::uint32_t, 32>& source,
                 std::int64_t time);

private:
    RecordedWarp& at(std::uint32_t warp);
    RecordedWarp& at(const WarpContext& warp);
    bool push(RecordedWarp& w, RecordedEvent e);
    std::uint32_t siteOf(const Exec& x, const Inst& in); // of an access
    bool full(RecordedWarp& w);                          // no room for another access: counted as lost
    RecordedBlock m_block;
    bool m_accesses;
    std::uint64_t m_limit;
};

} // namespace warpglass::emulator
