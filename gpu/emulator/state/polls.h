// SPDX-License-Identifier: GPL-3.0-or-later
// What is remembered of a warp that may be waiting for somebody else's store (watch/spin_loops.h).
#pragma once

#include "gpu/base/lane_mask.h"
#include "gpu/trace/tables.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace warpglass::emulator {

// Where lanes of a warp last asked in vain; for the message.
struct LastPoll {
    std::uint32_t position = noIndex;
    LaneMask lanes;
    std::uint64_t address = 0;
    MemorySpace space = MemorySpace::Global;
};

inline constexpr std::uint32_t fewWords = 4;

struct PollTurn {               // of one warp in one turn
    std::uint32_t next = 0;     // of what is remembered, to be replaced
    std::uint32_t expected = 0; // what comes next, if the loop goes round once more
    std::uint32_t asked = 0;
    std::uint64_t mark = 0;                  // an answer; 0: the next one that is not remembered
    std::uint32_t marked = 0;                // asked then
    std::uint32_t unchanged = 0, looked = 0; // looked: `unchanged` at the last look at the registers
    std::uint64_t at = 0;                    // the answer at which they are looked at; 0: not yet chosen
    std::uint64_t state = 0;                 // registers with which it waits
    bool waits = false, restless = false;
    bool used = false;
};

// What a loop asks is remembered: mostly few words, but it may ask for several by turns. When an answer comes again that
// was forgotten in between there is room for as many as the loop asks, up to all.
struct Polls : PollTurn {
    struct Seen {
        std::uint64_t registers = 0; // of the frame, when it was last looked at
        std::uint32_t asked = 0;     // Polls::asked, when it was last asked
        LastPoll where;              // one lane's address stands for all
    };
    std::array<std::uint64_t, 64> answers{}; // who asked where and what was found
    std::array<Seen, 64> seen{};
    std::uint32_t room = fewWords; // used of both; kept from turn to turn
    // Askings in vain until the next look: grows where registers change, with few words in this turn alone.
    std::uint32_t patience = 0;

    // room: it is not remembered.
    std::uint32_t find(std::uint64_t answer) const {
        if (answers[expected] == answer)
            return expected;
        return std::uint32_t(std::find(answers.begin(), answers.begin() + room, answer) - answers.begin());
    }
    // Of what this loop asks: not of another one before.
    bool isLate(std::uint32_t place) const { return answers[place] != 0 && asked - seen[place].asked < room; }
    void beginTurn() {
        static_cast<PollTurn&>(*this) = {};
        std::fill_n(answers.begin(), room, std::uint64_t(0));
    }
};

// A warp's last turn that ended in waiting: at which answer, and with which registers.
struct VainTurn {
    std::uint64_t answer = 0, state = 0;
};

} // namespace warpglass::emulator
