// SPDX-License-Identifier: GPL-3.0-or-later
// A loop around a compare-and-swap begins with a look at the word, mostly by a plain load:
//
//     ld.global.u64 %rd15, [%rd1];
//     AGAIN: ...
//     atom.global.cas.b64 %rd7, [%rd1], %rd15, %rd11;
//     mov.u64 %rd15, %rd7;
//     @%p bra AGAIN;
//
// What it finds is a guess that the swap checks, whoever changes the word atomically in between: these two do not race.
// So are the atomics of doubles written in the CUDA C++ Programming Guide, and those of 8 and 16 bits that compilers make.
#include "gpu/emulator/decode/decoder.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace warpglass::emulator {

namespace {

using ptx::Opcode;
using ptx::Operand;

using Values = std::unordered_multimap<std::string, const Operand*>; // register -> what mov gives it

Values movesOf(const ptx::Function& f) {
    Values moves;
    for (const ptx::Instruction& i : f.body)
        if (i.opcode == Opcode::Mov && i.operands.size() == 2 && i.operands[0].kind == Operand::Kind::Register)
            moves.emplace(i.operands[0].name, &i.operands[1]);
    return moves;
}

// What an address begins with: a register, or the variable whose address is all that the register ever gets.
struct Place {
    std::string name;
    std::int64_t offset = 0;
    bool operator==(const Place&) const = default;
};
Place placeOf(const Operand& address, const Values& moves) {
    Place place{address.name, address.integer};
    const auto [from, to] = moves.equal_range(address.name);
    if (address.baseIsRegister && from != to && std::next(from) == to && from->second->kind == Operand::Kind::Symbol) {
        place.name = from->second->name;
        place.offset += from->second->integer;
    }
    return place;
}

// The registers whose value the register may have.
std::unordered_set<std::string> sourcesOf(const std::string& name, const Values& moves) {
    std::unordered_set<std::string> all{name};
    std::vector<std::string> open{name};
    while (!open.empty()) {
        const auto [from, to] = moves.equal_range(open.back());
        open.pop_back();
        for (auto at = from; at != to; ++at)
            if (at->second->kind == Operand::Kind::Register && all.insert(at->second->name).second)
                open.push_back(at->second->name);
    }
    return all;
}

bool isSwap(const ptx::Instruction& i) {
    return i.opcode == Opcode::Atom && i.has(ptx::Modifier::Cas) && i.operands.size() >= 4 &&
           i.operands[1].kind == Operand::Kind::Address && i.operands[2].kind == Operand::Kind::Register;
}

} // namespace

void Decoder::noteFirstGuesses(const FunctionCode& code) {
    const ptx::Function& f = *code.source;
    if (std::none_of(f.body.begin(), f.body.end(), isSwap))
        return;
    const Values moves = movesOf(f);
    std::unordered_multimap<std::string, std::size_t> loads; // by the register that they fill
    for (std::size_t n = 0; n < f.body.size(); ++n)
        if (const auto& o = f.body[n].operands; f.body[n].opcode == Opcode::Ld && o.size() >= 2 &&
                                                o[0].kind == Operand::Kind::Register &&
                                                o[1].kind == Operand::Kind::Address)
            loads.emplace(o[0].name, n);
    for (const ptx::Instruction& swap : f.body) {
        if (!isSwap(swap))
            continue;
        const Place place = placeOf(swap.operands[1], moves);
        for (const std::string& source : sourcesOf(swap.operands[2].name, moves))
            for (auto [at, end] = loads.equal_range(source); at != end; ++at)
                if (placeOf(f.body[at->second].operands[1], moves) == place)
                    m_program.info[code.first + at->second].isGuess = true;
    }
}

} // namespace warpglass::emulator
