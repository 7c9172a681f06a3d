// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/code/register_rows.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace warpglass::emulator {

namespace {

void namesOf(const ptx::Operand& o, std::unordered_set<std::string_view>& names) {
    names.insert(o.name);
    for (const ptx::Operand& e : o.elements)
        namesOf(e, names);
}

// Registers that have a place in every frame. A function may declare a million of them and use three; compilers declare
// those that they use.
std::vector<const ptx::Register*> registersOf(const ptx::Function& f) {
    constexpr std::size_t usual = 16384;
    std::unordered_set<std::string_view> used;
    if (f.registers.size() > usual)
        for (const ptx::Instruction& i : f.body) {
            used.insert(i.guard);
            for (const ptx::Operand& o : i.operands)
                namesOf(o, used);
        }
    std::vector<const ptx::Register*> registers;
    registers.reserve(std::min(f.registers.size(), usual));
    for (const ptx::Register& r : f.registers)
        if (f.registers.size() <= usual || used.contains(r.name))
            registers.push_back(&r);
    return registers;
}

} // namespace

RegisterRows layoutRegisters(const ptx::Function& f, FrameLayout& frame) {
    const std::vector<const ptx::Register*> registers = registersOf(f);
    RegisterRows rows;
    rows.reserve(registers.size());
    for (const ptx::Register* r : registers)
        if (r->type == ptx::Type::Pred)
            rows[r->name] = {frame.predicate(), ptx::Type::Pred};
    frame.endPredicates();
    for (const ptx::Register* r : registers)
        if (r->type != ptx::Type::Pred)
            rows[r->name] = {frame.row(rowBytes(r->type)), r->type};
    return rows;
}

} // namespace warpglass::emulator
