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

#include <array>
#include <cstdint>
#include <span>

namespace warpglass::emulator {

// Where lanes of a warp last asked in vain; for the message.
struct LastPoll {
    std::uint32_t position = noIndex;
    LaneMask lanes;
    std::uint64_t address = 0;
    MemorySpace space = MemorySpace::Global;
};

struct Polls { // of one warp in one turn
    struct Seen {
        std::uint64_t answer = 0;    // who asked where and what was found
        std::uint64_t registers = 0; // of the frame, when it was last looked at
        std::uint32_t asked = 0;     // Polls::asked, when it was last asked
        LastPoll where;              // one lane's address stands for all
    };
    // A loop may ask for several words by turns: mostly few, as each asking is looked for among them. When an answer
    // comes again that was forgotten in between there is room for as many as the loop asks, up to all.
    std::array<Seen, 64> seen{};
    std::uint32_t room = 4; // used of seen; kept from turn to turn
    std::uint32_t next = 0; // of seen, to be replaced
    std::uint32_t asked = 0;
    std::uint64_t mark = 0;                  // an answer; 0: the next one that is not remembered
    std::uint32_t marked = 0;                // Polls::asked then
    std::uint32_t unchanged = 0, looked = 0; // looked: `unchanged` at the last look at the registers
    std::uint64_t at = 0;                    // the answer at which they are looked at; 0: not yet chosen
    std::uint64_t state = 0;                 // registers with which it waits
    bool waits = false, restless = false;
    bool used = false;

    std::span<Seen> remembered() { return {seen.data(), room}; }
    std::span<const Seen> remembered() const { return {seen.data(), room}; }
    // Of what this loop asks: not of another one before.
    bool isLate(const Seen& s) const { return asked - s.asked < room; }
    void beginTurn() {
        const std::uint32_t kept = room;
        *this = {};
        room = kept;
    }
};

// A warp's last turn that ended in waiting: at which answer, and with which registers.
struct VainTurn {
    std::uint64_t answer = 0, state = 0;
};

struct Warp;

// After the access of x.access was carried out; row holds what was found.
void notePoll(Exec& x, const Inst& in, std::uint32_t lanes, std::uint32_t row, std::uint32_t rowBytes);

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
