// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a variable of the source, thread by thread, in a launch that is made again for that
// (EmulatorOptions::variable). Of one in a register a value is told when it changes: behind an instruction that writes the
// register, and where debug information says that the variable is in another one from here on. Of one in local memory each
// store is told. A value is known once its register or its memory has been written in this call of the function, and while
// debug information says where it is; else nothing is told. Others pay nothing: only instructions that matter to the variable
// are marked.
#pragma once

#include "gpu/base/result.h"
#include "gpu/emulator/state/exec.h"
#include "gpu/launch/backend.h"
#include "gpu/ptx/debug_info.h"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpglass::emulator {

class VariableWatch {
public:
    // Marks the instructions of these programs, once. text: of their module. Error: there is no such variable, it has no such
    // part, or nobody knows where it is.
    static Result<std::unique_ptr<VariableWatch>> make(const WatchedVariable& asked, std::string_view text,
                                                       const std::vector<std::unique_ptr<Program>>& programs);

    void restart(); // the launch is made once more
    bool step(Exec& x, const Inst& in);
    void access(Exec& x, const Inst& in); // of x.access and x.address, which was carried out
    // All of it as notes, the last value first, with their number behind it.
    std::vector<Diagnostic> told() const;

private:
    // A variable of that name in a function of a program, and the part of it that is asked for.
    struct Source {
        const Program* program = nullptr;
        const ptx::DebugInfo::Variable* variable = nullptr;
        ptx::DebugPart part;
        std::uint32_t function = 0; // Program::functions
    };
    struct Read { // of a value, somewhere
        enum class Kind : std::uint8_t { Row, Predicate, Local, Parameter, Constant };
        Kind kind = Kind::Row;
        std::uint32_t source = 0;
        Row row;
        std::uint32_t rowBytes = 4;
        std::uint64_t at = 0;     // in the frame's local memory, or the parameters; the bits of a constant
        bool onceWritten = false; // what the row holds is a value only then
        bool operator==(const Read&) const = default;
    };
    // What is to be done at a position beside the instruction itself.
    struct Step {
        Handler run = nullptr;
        bool enters = false;                // a call begins, of which nothing is known yet
        std::vector<Read> before;           // look whether it is another value; what made it is the instruction before
        std::vector<Read> arrives;          // it is asked for here
        std::vector<Read> after;            // the same behind the instruction, of the lanes that it ran for
        std::vector<std::uint32_t> writes;  // sources whose register it writes
        std::vector<std::uint32_t> forgets; // sources whose life begins here
    };
    struct Code {
        const Program* program = nullptr;
        std::vector<Step> steps;  // [position]
        std::vector<Read> locals; // every place in local memory, once
    };
    struct Lanes {
        std::array<std::uint64_t, 32> bits{};
        std::uint32_t known = 0, written = 0; // lanes
    };
    struct Value {
        const Program* program = nullptr;
        std::uint32_t position = 0, launch = 0, thread = 0, source = 0;
        std::uint64_t block = 0, step = 0, bits = 0, offset = 0; // offset: in the variable
        std::uint64_t time = 0;                                  // of its block: steps, or with the timing model cycles
        bool held = false;
    };

    VariableWatch(WatchedVariable asked, ptx::DebugInfo info) : m_asked(std::move(asked)), m_info(std::move(info)) {}
    void find(const Program& program);
    void mark(Program& program);
    void markPlace(Code& code, std::uint32_t source, const ptx::DebugInfo::Place& place, const Read& read);
    void markArrivals(Code& code, std::uint32_t function);
    std::optional<Read> readOf(const Program& program, std::uint32_t source, const ptx::DebugInfo::Place& place) const;
    const Code& codeOf(const Program* program);
    Lanes& lanesOf(const Exec& x, std::uint32_t source) { return m_lanes[{x.warp, x.frame, source}]; }
    // Which lanes of m have a value there.
    std::uint32_t take(Exec& x, const Read& read, std::uint32_t m, std::array<std::uint64_t, 32>& bits);
    void look(Exec& x, const Read& read, std::uint32_t m, std::uint32_t position);
    void keep(Exec& x, std::uint32_t source, std::uint32_t position, std::uint32_t lanes,
              const std::array<std::uint64_t, 32>& bits, std::uint64_t offset, bool held);
    std::string textOf(const Value& value) const;
    std::string nameOf(const Value& value) const;

    WatchedVariable m_asked;
    ptx::DebugInfo m_info;
    std::vector<Source> m_sources;
    bool m_named = false, m_atLine = false, m_hasPart = false; // what was found of what was asked for
    std::vector<Code> m_codes;                                 // of programs
    const Code* m_last = nullptr;
    std::uint64_t m_known = 0, m_scope = 0; // instructions
    struct Key {
        const void *warp = nullptr, *frame = nullptr;
        std::uint32_t source = 0;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& k) const {
            return std::hash<const void*>()(k.warp) * 31 + std::hash<const void*>()(k.frame) * 7 + k.source;
        }
    };
    std::unordered_map<Key, Lanes, KeyHash> m_lanes;
    std::map<std::uint32_t, std::pair<Dim3, Dim3>> m_sizes; // [launch] grid, block
    std::deque<Value> m_values;
    std::uint64_t m_count = 0;
    std::uint32_t m_at = 0; // position that runs
};

} // namespace warpglass::emulator
