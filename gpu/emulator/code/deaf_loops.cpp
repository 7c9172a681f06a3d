// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/code/deaf_loops.h"
#include "gpu/emulator/code/bounds.h"

#include <algorithm>
#include <vector>

namespace warpglass::emulator {

namespace {

bool contains(const std::vector<Row>& rows, Row row) {
    return std::find(rows.begin(), rows.end(), row) != rows.end();
}

struct Loop {
    const Program& program;
    std::uint32_t first = 0, last = 0; // the branch back

    bool reads(const InstInfo& i) const {
        const auto isSpecial = [](const ptx::Operand& o) { return o.kind == ptx::Operand::Kind::Special; };
        const bool asks = i.source && std::any_of(i.source->operands.begin(), i.source->operands.end(), isSpecial);
        return i.isMemory || i.isAsync || i.isBarrier || i.isShuffle || i.isLaunch || i.role == Role::Call || asks;
    }
    bool isBranch(std::uint32_t at) const { return program.info[at].is.opcode == ptx::Opcode::Bra; }
    bool isDeaf() const {
        for (std::uint32_t at = first; at <= last; ++at)
            if (!isBranch(at) && reads(program.info[at]))
                return false;
        return true;
    }
    // Rows whose value may be another one in the next turn.
    std::vector<Row> varying() const {
        std::vector<Row> rows;
        for (bool grows = true; grows;) {
            grows = false;
            for (std::uint32_t at = first; at <= last; ++at)
                for (const Row written : program.info[at].writes) {
                    const bool carried = [&] {
                        for (const Row read : program.info[at].reads) {
                            if (contains(rows, read))
                                return true;
                            for (std::uint32_t later = at; later <= last; ++later)
                                if (contains(program.info[later].writes, read))
                                    return true;
                        }
                        return false;
                    }();
                    if (carried && !contains(rows, written)) {
                        rows.push_back(written);
                        grows = true;
                    }
                }
        }
        return rows;
    }
    // What its branches ask; of one that asks nothing, what those ask that lead into it.
    std::vector<Row> deciding() const {
        std::vector<Row> rows;
        for (std::uint32_t at = first; at <= last; ++at)
            if (isBranch(at) && program.code[at].guard)
                rows.push_back(program.code[at].guard.row());
        if (!rows.empty())
            return rows;
        const FunctionCode& function = program.functions[program.info[first].function];
        for (std::uint32_t at = function.first; at < function.end; ++at) {
            const bool outside = at < first || at > last;
            const bool leads = isBranch(at) && (program.code[at].branch.target == first || at + 1 == first);
            if (outside && leads && program.code[at].guard)
                rows.push_back(program.code[at].guard.row());
        }
        return rows;
    }
    // The load that a row was computed from, before the loop.
    std::uint32_t loadOf(Row row, int depth = 0) const {
        const std::uint32_t begin = program.functions[program.info[first].function].first;
        for (std::uint32_t at = last + 1; at-- > begin;) {
            const InstInfo& i = program.info[at];
            if (!contains(i.writes, row))
                continue;
            if (i.isMemory)
                return i.access == AccessKind::Load && i.space != MemorySpace::Param ? at : noIndex;
            for (const Row read : i.reads)
                if (depth < 8)
                    if (const std::uint32_t load = loadOf(read, depth + 1); load != noIndex)
                        return load;
            return noIndex;
        }
        return noIndex;
    }
};

} // namespace

std::optional<DeafLoop> deafLoop(const Program& program, std::uint32_t position) {
    const std::uint32_t end = program.functions[program.info[position].function].end;
    for (std::uint32_t at = position; at < std::min<std::uint64_t>(end, std::uint64_t(position) + bounds.pollLoop);
         ++at) {
        if (program.info[at].is.opcode != ptx::Opcode::Bra || program.code[at].branch.target > position)
            continue;
        const Loop loop{program, program.code[at].branch.target, at};
        if (!loop.isDeaf())
            return std::nullopt;
        const std::vector<Row> varying = loop.varying(), deciding = loop.deciding();
        if (std::any_of(deciding.begin(), deciding.end(), [&](Row row) { return contains(varying, row); }))
            return std::nullopt;
        DeafLoop found;
        for (const Row row : deciding)
            if (found.load == noIndex)
                found.load = loop.loadOf(row);
        return found;
    }
    return std::nullopt;
}

} // namespace warpglass::emulator
