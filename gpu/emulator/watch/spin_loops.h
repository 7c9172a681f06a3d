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

#include "gpu/emulator/code/program.h"
#include "gpu/emulator/state/polls.h"

#include <cstdint>

namespace warpglass::emulator {

struct Exec;
struct Inst;
struct WarpContext;

// After the access of x.access was carried out; row holds what was found.
void notePoll(Exec& x, const Inst& in, std::uint32_t lanes, Row row, std::uint32_t rowBytes);

// A wait that somebody else must end has just failed: the turn ends with this piece. Place and lanes are told if
// nobody ever ends it. Registers are looked at now and then, and each time once they have stayed.
void noteWait(Exec& x, const Inst& in, std::uint32_t lanes, std::uint64_t address);

// The same of lanes that wait without asking.
void keepPoll(WarpContext& warp, const LastPoll& poll);

// Whether lanes or blocks wait for each other in a short loop: pollsInLoop(), or a lock that is tried with what the loop makes
// anew each time, as compilers do with constants.
bool waitsInLoop(const Program& program);
// Whether a short loop of the program asks for a word of global memory that another block may write.
bool pollsInLoop(const Program& program);
// What goes past the first cache: older code asks for flags so.
bool passesCaches(const InstInfo& info);
// A fence that orders what blocks of other clusters see. One between two ways to memory, or of new mbarriers, does not.
bool orderedForOthers(const InstInfo& info);
// Whether a short loop compares and swaps a word of global memory: how often it goes round is a matter of who else does.
bool swapsInLoop(const Program& program);

} // namespace warpglass::emulator
