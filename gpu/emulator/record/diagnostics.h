// SPDX-License-Identifier: GPL-3.0-or-later
// What a run found wrong, in sentences for a student. One Diagnostics a host thread; a fault or hazard is told once for
// each instruction, with a count, and the lists of all blocks are merged in block order.
#pragma once

#include "gpu/emulator/state/exec.h"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace warpglass::emulator {

class Diagnostics {
public:
    // True if this instruction already has a diagnostic of the kind in this block; it is counted then.
    bool repeated(const Exec& x, DiagnosticKind kind, std::uint32_t position);
    // what: a sentence without its end; place and full stop are added. lane: -1 for none. Fatal ones set x.stop.
    Diagnostic& add(Exec& x, DiagnosticKind kind, std::uint32_t position, int lane, std::uint64_t address,
                    const Message& what, bool fatal = false);
    // Of one that was told in this block, of an access that has left an array: up to where it has come in what lies around. If
    // that was a walk over all of it when the block ends, as through another type, it was nothing.
    struct Walk {
        std::uint64_t end = 0;
        bool isOne = false;
    };
    Walk* walkOf(DiagnosticKind kind, std::uint32_t position); // nullptr: it was not told
    // The instruction whose fault it is that the last one was told, and what it has done, in words. Of one cause one is told.
    void blame(std::uint32_t cause, Message what);
    bool isBlamed(std::uint32_t cause); // true: counted, as repeated() does
    // Takes the one away that has this cause, since what follows from it is told now.
    struct Blamed {
        Message what;
        std::uint32_t position; // that it was told of
    };
    std::optional<Blamed> takeBlame(std::uint32_t cause);
    // The same without telling it.
    static Diagnostic describe(const Exec& x, DiagnosticKind kind, std::uint32_t position, int lane,
                               std::uint64_t address, const Message& what, bool fatal = false);
    // Of what is no longer running: where and who it was.
    struct Spot {
        const Program* program = nullptr;
        std::uint32_t position = 0, launch = 0, thread = 0;
        std::uint64_t block = 0;
        Dim3 gridSize, blockSize;
        const ptx::Place* place = nullptr; // nullptr: the line is that of the instruction itself
    };
    static Spot spotOf(const Exec& x, std::uint32_t position, int lane);
    static Diagnostic describe(const Spot& at, const Message& what, DiagnosticKind kind = DiagnosticKind::Other);
    // What code/dead_loads.h says of this instruction, found once.
    using Question = bool (*)(const Program& program, const Inst& in);
    bool ask(Question question, const Program& program, const Inst& in);
    bool passesOn(const Program& program, const Inst& load); // onlyPassedOn()
    std::vector<Diagnostic> take();                          // at the end of a block
    void clear() { m_found.clear(); }

    // What watch/discarded_loads.h has spent on this block, so that it does not take longer than the block.
    struct Ahead {
        std::uint32_t steps = 0;
        std::vector<std::uint32_t> tooFar; // loads whose value went further than it looks
    } ahead;

private:
    struct Found {
        Diagnostic diagnostic;
        std::uint32_t position;
        Walk walk = {};
        std::uint32_t cause = noIndex;
        Message blamed = {};
    };
    std::vector<Found> m_found;
    std::map<std::tuple<Question, const Program*, std::uint32_t>, bool> m_answers; // [question, program, position]
};

// Faults of memory instructions; each returns false, the handler's "stop". With Exec::reportFaults the launch goes on, and
// the caller leaves the lane out.
bool faultAccess(Exec& x, const Inst& in, int lane, std::uint64_t address, std::uint32_t bytes, MemorySpace space,
                 std::uint64_t spaceBytes, AccessKind kind);
bool faultMisaligned(Exec& x, const Inst& in, int lane, std::uint64_t address, std::uint32_t bytes);
// Lanes whose member mask does not name themselves: those of the first group that has some.
struct NotNamed {
    std::uint32_t lanes = 0, members = 0;
    void look(std::uint32_t group, std::uint32_t named) {
        if (lanes == 0 && (group & ~named) != 0)
            *this = {group & ~named, named};
    }
};
// On an H200 that is an illegal instruction, a fault; false, the handler's "stop". A mask that the compiler knows as a
// number (constant) it leaves out where all lanes run, and they all take part: a hint. PTX ISA leaves both undefined.
bool passNotNamed(Exec& x, const Inst& in, const NotNamed& which, bool constant);
// Members of a shuffle, a vote and the like that go another way, and do not end: a hint.
void tellMissing(Exec& x, std::uint32_t position, std::uint32_t members, std::uint32_t missing);
// Whether the load, of the bytes from address on, uses one of so many at `at`.
bool usesAny(const Exec& x, const Inst& in, std::uint64_t address, std::uint64_t at, std::uint64_t bytes);
void hintUninitialised(Exec& x, const Inst& in, int lane, std::uint64_t address, MemorySpace space);

// Adds the diagnostics of a later block: the same kind at the same place is counted, not repeated.
void mergeDiagnostics(std::vector<Diagnostic>& all, std::vector<Diagnostic> more);

// "byte 12 of buffer "in"", of global memory.
Message wordText(const GlobalMemory& memory, std::uint64_t address);

// "line 12 of reduce.cu" or "line 40 of the PTX".
Message placeText(const Program& program, std::uint32_t position);

// The same where many come by one helper: the line of the kernel that called it, inlined or by the call at that position
// (noIndex: none), and where in the helper: "line 12 of reduce.cu, in wait at line 5 (PTX line 40)".
struct CallerPlace {
    Message text;
    SourcePlace source; // the kernel's line
};
CallerPlace callerPlace(const Program& program, std::uint32_t position, std::uint32_t call = noIndex);

} // namespace warpglass::emulator
