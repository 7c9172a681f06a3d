// SPDX-License-Identifier: GPL-3.0-or-later
// What ptxas makes part of another instruction, or keeps in registers.
#include "gpu/emulator/timing/cost_table.h"
#include "gpu/emulator/timing/passes.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

bool hasConstant(const ptx::Instruction& i) {
    return std::any_of(i.operands.begin(), i.operands.end(),
                       [](const ptx::Operand& o) { return o.kind == ptx::Operand::Kind::Integer; });
}

// All users of what k writes satisfy the test, and there is at least one.
template <typename F>
bool onlyFeeds(const Translation& t, std::uint32_t k, F test) {
    const auto writes = t.code.writes(t.code.ops[k]);
    if (writes.size() != 1 || t.users[writes[0]].empty() || t.program.info[k].source->guarded())
        return false;
    return std::all_of(t.users[writes[0]].begin(), t.users[writes[0]].end(),
                       [&](std::uint32_t user) { return t.program.info[user].source && user != k && test(user); });
}

void fuseOne(Translation& t, std::uint32_t k) {
    const InstInfo& info = t.program.info[k];
    MachineOp& op = t.code.ops[k];
    if (!info.source || info.opClass != OpClass::Integer || op.slots == 0)
        return;
    const ptx::Instruction& i = *info.source;
    using ptx::Opcode;
    const Opcode opcode = info.is.opcode;
    const bool wide64 = isWide64(info.is);
    const auto opcodeAt = [&](std::uint32_t at) { return t.program.info[at].is.opcode; };
    const auto adds = [&](std::uint32_t user) {
        return opcodeAt(user) == Opcode::Add || opcodeAt(user) == Opcode::Sub || opcodeAt(user) == Opcode::Mad;
    };
    const auto accesses = [&](std::uint32_t user) {
        return t.program.info[user].isMemory && t.program.info[user].opClass != OpClass::Call;
    };
    const auto goesOn = [&](std::uint32_t user) { // the logic, in one more operation that alone reads it
        const Opcode u = opcodeAt(user);
        return (u == Opcode::And || u == Opcode::Or || u == Opcode::Xor) &&
               t.users[t.code.writes(t.code.ops[k])[0]].size() == 1 && user > k;
    };
    const bool product = opcode == Opcode::Mul && (info.is.wide() || (info.is.half == ptx::Half::Low && !wide64));
    const bool logic = opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor;
    if ((product || (opcode == Opcode::Shl && hasConstant(i))) && onlyFeeds(t, k, adds)) {
        op.slots = 0;
        op.latency = 0;
        for (const std::uint32_t user : t.users[t.code.writes(op)[0]]) { // IMAD.WIDE, LEA
            MachineOp& add = t.code.ops[user];
            if (add.slots == 2)
                add.slots = 1;
            if (opcode == Opcode::Mul)
                add.pipe = Pipe::Imad;
        }
    } else if ((opcode == Opcode::Add && wide64 && hasConstant(i) && onlyFeeds(t, k, accesses)) ||
               ((logic || opcode == Opcode::Not) && !wide64 && onlyFeeds(t, k, goesOn))) { // [R+n], LOP3
        op.slots = 0;
        op.latency = 0;
    }
}

} // namespace

void fuse(Translation& t) {
    for (std::uint32_t k = 0; k < t.program.code.size(); ++k)
        fuseOne(t, k);
}

// An array of a few words of local memory becomes registers: each access compares its index with every word's and
// moves, by predicate. What that costs was fitted to the reduction of large arguments of sin and cos (function_sinf_large).
void keepInRegisters(Translation& t) {
    for (std::uint32_t k = 0; k < t.program.code.size(); ++k) {
        const InstInfo& info = t.program.info[k];
        const std::uint32_t bytes = t.program.functions[info.function].localBytes;
        if (info.opClass != OpClass::Memory || info.space != MemorySpace::Local || info.genericSpace || bytes == 0 ||
            bytes > ptxas.arrayInRegisters)
            continue;
        MachineOp& op = t.code.ops[k];
        op.pipe = Pipe::Alu;
        op.slots = std::uint8_t((bytes + 3) / 4);
        op.latency = t.timing.alu;
        op.wait = WarpState::StallWait;
    }
}

} // namespace warpglass::emulator
