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

// Who gives a register its values.
using Makers = std::unordered_multimap<std::string, const ptx::Instruction*>;

Makers makersOf(const ptx::Function& f) {
    Makers makers;
    const auto add = [&](const Operand& o, const ptx::Instruction& i) {
        if (o.kind == Operand::Kind::Register)
            makers.emplace(o.name, &i);
    };
    for (const ptx::Instruction& i : f.body)
        if (!i.operands.empty()) {
            add(i.operands[0], i);
            for (const Operand& element : i.operands[0].elements)
                add(element, i);
        }
    return makers;
}

// What an address begins with, followed as long as a register has one maker: "add.s64 %rd2, %rd1, 140", "mov.u32 %r1, word".
struct Place {
    std::string name;
    std::uint64_t offset = 0;
    bool operator==(const Place&) const = default;
};
Place placeOf(const Operand& address, const Makers& makers) {
    constexpr int mostSteps = 8;
    Place place{address.name, std::uint64_t(address.integer)};
    bool isRegister = address.baseIsRegister;
    for (int step = 0; isRegister && step < mostSteps; ++step) {
        const auto [from, to] = makers.equal_range(place.name);
        if (from == to || std::next(from) != to)
            break;
        const ptx::Instruction& i = *from->second;
        const bool adds = i.opcode == Opcode::Add && i.operand(2).kind == Operand::Kind::Integer;
        if (!adds && i.opcode != Opcode::Mov && i.opcode != Opcode::Cvta)
            break;
        const Operand& source = i.operand(1);
        if (source.kind != Operand::Kind::Register && source.kind != Operand::Kind::Symbol)
            break;
        place.name = source.name;
        place.offset += std::uint64_t(adds ? i.operand(2).integer : source.integer);
        isRegister = source.kind == Operand::Kind::Register;
    }
    return place;
}

// The registers whose value the register may have, or a part of it: bytes are swapped with the word around them.
std::unordered_set<std::string> sourcesOf(const std::string& name, const Makers& makers) {
    std::unordered_set<std::string> all{name};
    std::vector<std::string> open{name};
    while (!open.empty()) {
        const auto [from, to] = makers.equal_range(open.back());
        open.pop_back();
        for (auto at = from; at != to; ++at) {
            const ptx::Instruction& i = *at->second;
            if (i.opcode != Opcode::Mov && i.opcode != Opcode::And && i.opcode != Opcode::Or)
                continue;
            for (std::size_t n = 1; n < i.operands.size(); ++n)
                if (i.operands[n].kind == Operand::Kind::Register && all.insert(i.operands[n].name).second)
                    open.push_back(i.operands[n].name);
        }
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
    const Makers makers = makersOf(f);
    std::unordered_multimap<std::string, std::size_t> loads; // by the register that they fill
    for (std::size_t n = 0; n < f.body.size(); ++n)
        if (const auto& o = f.body[n].operands; f.body[n].opcode == Opcode::Ld && o.size() >= 2 &&
                                                o[0].kind == Operand::Kind::Register &&
                                                o[1].kind == Operand::Kind::Address)
            loads.emplace(o[0].name, n);
    for (const ptx::Instruction& swap : f.body) {
        if (!isSwap(swap))
            continue;
        const Place place = placeOf(swap.operands[1], makers);
        for (const std::string& source : sourcesOf(swap.operands[2].name, makers))
            for (auto [at, end] = loads.equal_range(source); at != end; ++at)
                if (placeOf(f.body[at->second].operands[1], makers) == place)
                    m_program.info[code.first + at->second].isGuess = true;
    }
}

} // namespace warpglass::emulator
