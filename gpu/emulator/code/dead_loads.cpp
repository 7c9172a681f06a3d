// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/code/dead_loads.h"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

namespace warpglass::emulator {

namespace {

using Rows = std::vector<Row>;

bool has(const Rows& rows, Row row) {
    return std::find(rows.begin(), rows.end(), row) != rows.end();
}

struct Code {
    const Program& program;
    std::span<const Inst> all; // of the function

    const InstInfo& info(const Inst& in) const { return program.info[in.index]; }
    Rows dataRows(const Inst& in) const {
        if (in.memory.elements == 1)
            return {in.dst};
        const auto& rows = program.vectors[in.memory.vector];
        return {rows.begin(), rows.begin() + in.memory.elements};
    }
    bool isStore(const Inst& in) const { return info(in).isMemory && info(in).access == AccessKind::Store; }

    // Whether a row holds the address of a .local variable, or of a place at a constant distance from one.
    bool isOfFrame(Row row, int depth = 0) const {
        bool any = false;
        for (const Inst& in : all) {
            const InstInfo& i = info(in);
            if (!has(i.writes, row))
                continue;
            any = true;
            if (i.role == Role::LocalAddress)
                continue;
            const bool moves =
                i.is.opcode == ptx::Opcode::Mov || i.is.opcode == ptx::Opcode::Cvta || i.is.opcode == ptx::Opcode::Add;
            if (!moves || i.reads.size() != 1 || depth == 8 || !isOfFrame(i.reads[0], depth + 1))
                return false;
        }
        return any;
    }
    // Whether both take their address from the same register, or from registers that were loaded from the same place.
    bool sameAddress(const Inst& a, const Inst& b) const {
        if (a.memory.offset != b.memory.offset || a.memory.noBase || b.memory.noBase)
            return false;
        if (a.a == b.a)
            return true;
        const auto loaded = [&](Row row) -> const Inst* {
            const auto at =
                std::find_if(all.begin(), all.end(), [&](const Inst& in) { return has(info(in).writes, row); });
            return at != all.end() && info(*at).isMemory && info(*at).access == AccessKind::Load ? &*at : nullptr;
        };
        const Inst *first = loaded(a.a), *second = loaded(b.a);
        return first && second && first->a == second->a && first->memory.offset == second->memory.offset;
    }
};

Code codeOf(const Program& program, const Inst& in) {
    const FunctionCode& function = program.functions[program.info[in.index].function];
    return {program, {program.code.data() + function.first, program.code.data() + function.end}};
}

// What hands a value on as it is, beside what onlyPassedOn() knows.
bool carries(const Inst& in, const InstInfo& info, Row row) {
    switch (info.is.opcode) {
    case ptx::Opcode::Shfl:
        return in.a == row && in.b != row && in.c != row && in.warp.members != row;
    case ptx::Opcode::Selp:
    case ptx::Opcode::Prmt:
    case ptx::Opcode::Shl:
    case ptx::Opcode::Shr:
        return true;
    default:
        return false;
    }
}

// anywhere: it may be stored to any place, and carried.
bool passesOn(const Code& code, const Inst& load, Rows open, bool ownPlace, bool anywhere) {
    std::set<Row> seen, bitsPut;
    while (!open.empty()) {
        const Row row = open.back();
        open.pop_back();
        if (row == noRow || !seen.insert(row).second)
            continue;
        for (const Inst& in : code.all) {
            const InstInfo& info = code.info(in);
            if (!has(info.reads, row))
                continue;
            const bool puts = info.is.opcode == ptx::Opcode::And || info.is.opcode == ptx::Opcode::Or ||
                              info.is.opcode == ptx::Opcode::Bfi;
            if (anywhere && carries(in, info, row)) {
                open.insert(open.end(), info.writes.begin(), info.writes.end());
            } else if (code.isStore(in)) {
                const bool isData = has(code.dataRows(in), row) && in.a != row;
                if (!isData || !(ownPlace || anywhere || (bitsPut.contains(row) && code.sameAddress(load, in))))
                    return false;
            } else if (puts || info.is.opcode == ptx::Opcode::Mov || info.is.opcode == ptx::Opcode::Cvt) {
                open.insert(open.end(), info.writes.begin(), info.writes.end());
                if (puts || bitsPut.contains(row))
                    bitsPut.insert(info.writes.begin(), info.writes.end());
            } else if (info.role != Role::ParamStore || !ownPlace) {
                return false;
            }
        }
    }
    return true;
}

} // namespace

bool onlyPassedOn(const Program& program, const Inst& load) {
    const Code code = codeOf(program, load);
    const bool own = load.memory.noBase || code.info(load).role == Role::LocalDirect || code.isOfFrame(load.a);
    return passesOn(code, load, code.dataRows(load), own, false);
}

bool onlyCopied(const Program& program, const Inst& load, std::size_t element) {
    const Code code = codeOf(program, load);
    return passesOn(code, load, {code.dataRows(load)[element]}, false, true);
}

bool onlyCopiedAsSecondHalf(const Program& program, const Inst& load) {
    const Code code = codeOf(program, load);
    const auto isWord = [](const Inst& in) { return in.memory.elements == 1 && in.memory.bytes == 4; };
    if (!isWord(load))
        return false;
    const auto isFirstHalf = [&](const Inst& in) {
        const InstInfo& info = code.info(in);
        return info.isMemory && info.access == AccessKind::Load && isWord(in) && in.a == load.a &&
               in.memory.noBase == load.memory.noBase && in.memory.offset + 4 == load.memory.offset;
    };
    const auto storesBoth = [&](const Inst& in) {
        if (!code.isStore(in))
            return false;
        const Rows rows = code.dataRows(in);
        const auto second = std::find(rows.begin(), rows.end(), load.dst);
        return second != rows.end() && second != rows.begin() &&
               std::any_of(code.all.begin(), code.all.end(),
                           [&](const Inst& other) { return isFirstHalf(other) && other.dst == *(second - 1); });
    };
    return std::any_of(code.all.begin(), code.all.end(), storesBoth) && onlyCopied(program, load, 0);
}

bool isUnused(const Program& program, const Inst& in) {
    const Code code = codeOf(program, in);
    const Rows rows = code.dataRows(in);
    return std::none_of(code.all.begin(), code.all.end(), [&](const Inst& other) {
        const Rows& reads = code.info(other).reads;
        return std::any_of(reads.begin(), reads.end(), [&](Row row) { return has(rows, row); });
    });
}

} // namespace warpglass::emulator
