// SPDX-License-Identifier: GPL-3.0-or-later
// In which state each resident warp is, in every cycle exactly one: sums for the whole SM, and rows for warps whose
// states are recorded. A state is written down when it ends.
#pragma once

#include "gpu/trace/tables.h"

#include <array>
#include <cstdint>
#include <vector>

namespace warpglass::emulator {

struct OpenState { // of one warp
    std::int64_t since = 0;
    std::vector<StateRow>* rows = nullptr; // nullptr: only the sums are kept
    std::uint32_t line = 0;                // of the PTX text
    WarpState state = WarpState::StallNoInstruction;
};

class StateLog {
public:
    // From cycle `at` on the warp is in this state.
    void enter(OpenState& warp, WarpState state, std::uint32_t line, std::int64_t at) {
        if (warp.state == state && warp.line == line)
            return;
        close(warp, at);
        warp.state = state;
        warp.line = line;
        warp.since = at > warp.since ? at : warp.since; // a block that is to begin later has no state before that
    }
    // It issues, one instruction a state.
    void select(OpenState& warp, std::uint32_t line, std::int64_t at) {
        close(warp, at);
        warp.state = WarpState::Selected;
        warp.line = line;
        warp.since = at > warp.since ? at : warp.since;
    }
    // The warp's state ends.
    void close(OpenState& warp, std::int64_t at) {
        if (at <= warp.since)
            return;
        cycles[std::size_t(warp.state)] += std::uint64_t(at - warp.since);
        if (warp.rows) [[unlikely]]
            write(warp, at);
        warp.since = at;
    }
    std::uint64_t resident() const; // warps x cycles

    std::array<std::uint64_t, std::size_t(WarpState::Count_)> cycles{}; // of all warps

private:
    static void write(OpenState& warp, std::int64_t at);
};

} // namespace warpglass::emulator
