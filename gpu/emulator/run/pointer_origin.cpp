// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/pointer_origin.h"
#include "gpu/emulator/memory/param_ops.h"

#include <algorithm>
#include <set>
#include <string_view>
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
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> open{in.a};
    while (!open.empty()) {
        const std::uint32_t row = open.back();
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
            if (from.run == entryParamHandler()) {
                const auto offset = std::uint64_t(from.memory.offset);
                std::uint64_t value = 0;
                if (from.memory.bytes == 8 && offset + 8 <= launch.params.size())
                    std::memcpy(&value, launch.params.data() + offset, 8);
                if (const Area* area = areaAt(memory, value))
                    areas.insert(area);
            } else if (info.opClass == OpClass::Call || (info.isMemory && from.memory.bytes == 8) ||
                       from.run == paramLoadHandler()) {
                return nullptr; // a pointer that was stored, or an argument
            } else if (!info.isMemory) {
                open.insert(open.end(), info.reads.begin(), info.reads.end());
            }
        }
    }
    return areas.size() == 1 ? *areas.begin() : nullptr;
}

namespace {

// Numbers that differ between the blocks of a launch.
bool isOfBlock(const ptx::Operand& o) {
    const auto begins = [&](std::string_view word) { return std::string_view(o.name).starts_with(word); };
    return (o.kind == ptx::Operand::Kind::Special &&
            (begins("%ctaid") || begins("%cluster") || begins("%smid") || begins("%clock") || begins("%global"))) ||
           std::any_of(o.elements.begin(), o.elements.end(), isOfBlock);
}

// [row of 4 bytes] of the entry's registers that differ between blocks by their numbers; or that may, as what was loaded.
enum class Loaded : std::uint8_t { Same, MayDiffer };
class Differs {
public:
    Differs(const Program& program, Loaded loaded) {
        const FunctionCode& entry = program.functions[0];
        for (bool grew = true; grew;) {
            grew = false;
            for (std::uint32_t at = entry.first; at < entry.end; ++at) {
                const InstInfo& info = program.info[program.code[at].index];
                const bool given = program.code[at].run == entryParamHandler();
                bool differs =
                    info.opClass == OpClass::Call || (loaded == Loaded::MayDiffer && info.isMemory && !given);
                for (const std::uint32_t row : info.reads)
                    differs |= !given && has(row);
                if (info.source && !differs)
                    differs = std::any_of(info.source->operands.begin(), info.source->operands.end(), isOfBlock);
                for (const std::uint32_t row : info.writes)
                    if (differs && !has(row)) {
                        m_rows.push_back(row);
                        grew = true;
                    }
            }
        }
    }
    bool has(std::uint32_t row) const { return std::find(m_rows.begin(), m_rows.end(), row) != m_rows.end(); }

private:
    std::vector<std::uint32_t> m_rows;
};

} // namespace

bool blocksMeetAtAWord(const LaunchState& launch, const GlobalMemory& memory) {
    const Program& program = *launch.program;
    const FunctionCode& entry = program.functions[0];
    const auto isGlobal = [&](const InstInfo& i) {
        return i.isMemory && i.source && (i.genericSpace || i.space == MemorySpace::Global) &&
               (i.opClass == OpClass::Memory || i.opClass == OpClass::Atomic);
    };
    const auto isPlainStore = [&](const InstInfo& i) {
        return isGlobal(i) && i.access == AccessKind::Store && i.opClass == OpClass::Memory && !i.byRounds;
    };
    if (std::none_of(program.info.begin() + entry.first, program.info.begin() + entry.end, isPlainStore))
        return false;
    const Differs differs(program, Loaded::MayDiffer), byNumber(program, Loaded::Same);
    struct Word {
        const Area* area = nullptr;
        AccessKind access = AccessKind::Load;
    };
    std::vector<Word> words; // that are the same for all blocks
    for (std::uint32_t at = entry.first; at < entry.end; ++at) {
        const Inst& in = program.code[at];
        const InstInfo& info = program.info[in.index];
        if (!isGlobal(info) || in.run == entryParamHandler() || (!in.memory.noBase && differs.has(in.a)))
            continue;
        const Area* const area = in.memory.noBase ? memory.nearest(std::uint64_t(in.memory.offset))
                                                  : pointerOrigin(program, in, launch, memory);
        if (area)
            words.push_back({area, info.access});
        if (area && isPlainStore(info) &&
            std::any_of(info.reads.begin(), info.reads.end(), [&](std::uint32_t row) { return byNumber.has(row); }))
            return true; // the last one's stays
    }
    return std::any_of(words.begin(), words.end(), [&](const Word& a) {
        return a.access == AccessKind::Store && std::any_of(words.begin(), words.end(), [&](const Word& b) {
                   return b.area == a.area && b.access != AccessKind::Store;
               });
    });
}

} // namespace warpglass::emulator
