// SPDX-License-Identifier: GPL-3.0-or-later
// Waiting for somebody else's store. A warp that waits asks for the same word again and again: a volatile, relaxed or
// acquiring load, or an atomic whose old value it looks at. If the answer stays, and between two askings none of the
// warp's registers has changed either, then the warp goes round a loop that only another warp can end. It gives up its
// turn at once (Polls::waits): that is how blocks that wait for each other come to run, and since the finding is exact,
// a launch in which all wait is known to hang without trying for long.
//
// A loop that counts its tries, or looks at a clock, never stands still. After many askings in vain it gives the others
// a turn too (Polls::restless), but nobody can say that it would never end.
//
// A poll costs a few comparisons; registers are looked at only when an answer has stayed for a while. A loop may ask at
// several places: they are looked at where they were the last time, also in the warp's next turn, or else each turn would
// end at another place of the same loop and look like work.
#pragma once

#include "gpu/emulator/decode/program.h"

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

struct Warp;

// After the access of x.access was carried out; row holds what was found.
void notePoll(Exec& x, const Inst& in, std::uint32_t lanes, Row row, std::uint32_t rowBytes);

// A wait that somebody else must end has just failed: the turn ends with this piece. Place and lanes are told if
// nobody ever ends it.
void noteWait(Exec& x, const Inst& in, std::uint32_t lanes, std::uint64_t address);

// The same of lanes that wait without asking.
void keepPoll(Warp& warp, const LastPoll& poll);

// Whether a short loop of the program asks for a word of global memory that another block may write.
bool pollsInLoop(const Program& program);
// Whether a short loop compares and swaps a word of global memory: how often it goes round is a matter of who else does.
bool swapsInLoop(const Program& program);

} // namespace warpglass::emulator
