// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/record/pointer_origin.h"

#include <algorithm>
#include <set>
#include <vector>

namespace warpglass::emulator {

namespace {

const Area* areaAt(const GlobalMemory& memory, std::uint64_t address) {
    const Area* area = windowOf(address) == Window::Global ? memory.nearest(address) : nullptr;
    return area && address - area->base <= area->bytes ? area : nullptr;
}

} // namespace

const Area* pointerOrigin(const Program& program, const Inst& in, const LaunchState& launch,
                          const GlobalMemory& memory) {
    if (in.memory.noBase)
        return nullptr;
    const FunctionCode& function = program.functions[program.info[in.index].function];
    std::set<const Area*> areas;
    std::set<Row> seen;
    std::vector<Row> open{in.a};
    while (!open.empty()) {
        const Row row = open.back();
        open.pop_back();
        if (!seen.insert(row).second)
            continue;
        for (const ConstantRow& c : function.constants)
            if (c.row == row && c.bytes == 8)
                if (const Area* area = areaAt(memory, c.bits))
                    areas.insert(area);
        for (std::uint32_t at = function.first; at < function.end; ++at) {
            const Inst& from = program.code[at];
            const InstInfo& info = program.info[from.index];
            if (std::find(info.writes.begin(), info.writes.end(), row) == info.writes.end())
                continue;
            if (info.role == Role::EntryParam) {
                const std::byte* const there = launch.params.find(std::uint64_t(from.memory.offset), 8);
                std::uint64_t value = 0;
                if (from.memory.bytes == 8 && there)
                    std::memcpy(&value, there, 8);
                if (const Area* area = areaAt(memory, value))
                    areas.insert(area);
            } else if (info.opClass == OpClass::Call || (info.isMemory && from.memory.bytes == 8) ||
                       info.role == Role::ParamLoad) {
                return nullptr; // a pointer that was stored, or an argument
            } else if (!info.isMemory) {
                open.insert(open.end(), info.reads.begin(), info.reads.end());
            }
        }
    }
    return areas.size() == 1 ? *areas.begin() : nullptr;
}

} // namespace warpglass::emulator
