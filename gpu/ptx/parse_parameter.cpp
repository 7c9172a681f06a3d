// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of functions whose address is taken: "mov.u64 %rd1, p", p a .param of the function itself. PTX ISA, "Device
// Function Parameters": such a parameter is copied to the stack, and its address is one in local memory. The copy is made
// a local variable here, so that nobody else has to know: it is written at the start, or read before each return if it
// is a result, and every ld.param and st.param of its name goes to it.
#include "gpu/ptx/parser.h"
#include "gpu/ptx/write.h"

#include <algorithm>

namespace warpglass::ptx {
namespace {

constexpr std::uint64_t mostBytes = 1 << 16; // of a parameter that is copied; ptxas takes less

bool takesAddressOf(const Instruction& i, const std::string& parameter) {
    return i.opcode == Opcode::Mov && i.operands.size() == 2 && i.operands[1].kind == Operand::Kind::Symbol &&
           i.operands[1].name == parameter;
}

bool namesAddress(const Operand& o, const std::string& parameter) {
    return o.kind == Operand::Kind::Address && !o.baseIsRegister && o.name == parameter;
}

// Loads and stores of a parameter become those of the local variable, and its address that one's.
void redirect(Instruction& i, const std::string& parameter, const std::string& local) {
    bool changed = false;
    for (Operand& o : i.operands) {
        if (!namesAddress(o, parameter) && !(o.kind == Operand::Kind::Symbol && takesAddressOf(i, parameter)))
            continue;
        o.name = local;
        changed = true;
    }
    if (!changed)
        return;
    for (Modifier& m : i.modifiers)
        if (m == Modifier::Param || m == Modifier::ParamFunc)
            m = Modifier::Local;
    i.text = write(i);
}

Instruction access(Opcode opcode, Modifier space, Modifier type, const std::string& name, std::uint64_t offset,
                   const std::string& reg) {
    Instruction i;
    i.opcode = opcode;
    i.modifiers = {space, type};
    Operand memory, data;
    memory.kind = Operand::Kind::Address;
    memory.name = name;
    memory.integer = std::int64_t(offset);
    data.name = reg;
    i.operands = {data, memory};
    if (opcode == Opcode::St)
        std::swap(i.operands[0], i.operands[1]);
    i.text = write(i);
    return i;
}

} // namespace

// The instructions that copy as many bytes, in the widest pieces that both are aligned to.
std::vector<Instruction> Parser::copyParameter(Function& function, const Variable& v, const Moved& moved) {
    struct Piece {
        std::uint64_t bytes;
        Modifier type;
        Type reg;
    };
    static const Piece pieces[] = {{8, Modifier::B64, Type::B64},
                                   {4, Modifier::B32, Type::B32},
                                   {2, Modifier::B16, Type::B16},
                                   {1, Modifier::B8, Type::B16}};
    const std::uint64_t size = v.sizeBytes(), aligned = v.alignment ? v.alignment : bytesOf(v.type) * v.vector;
    std::vector<Instruction> copies;
    for (std::uint64_t at = 0; at < size;) {
        const Piece& piece = *std::find_if(std::begin(pieces), std::end(pieces), [&](const Piece& p) {
            return p.bytes == 1 || (p.bytes <= aligned && at % p.bytes == 0 && at + p.bytes <= size);
        });
        const std::string reg = flatName("%copy$", true);
        m_taken.insert(reg);
        function.registers.push_back({reg, piece.reg});
        copies.push_back(access(Opcode::Ld, moved.isResult ? Modifier::Local : Modifier::Param, piece.type,
                                moved.isResult ? moved.local : v.name, at, reg));
        copies.push_back(access(Opcode::St, moved.isResult ? Modifier::Param : Modifier::Local, piece.type,
                                moved.isResult ? v.name : moved.local, at, reg));
        at += piece.bytes;
    }
    return copies;
}

void Parser::moveParameters(Function& function) {
    if (function.isEntry)
        return; // there it lies in a memory of its own, which cvta.param knows
    std::vector<Moved> all;
    std::vector<Instruction> before, after; // the body, each return
    for (const auto* list : {&function.params, &function.returns})
        for (const Variable& v : *list) {
            if (v.space != StateSpace::Param || v.sizeBytes() > mostBytes ||
                std::none_of(function.body.begin(), function.body.end(),
                             [&](const Instruction& i) { return takesAddressOf(i, v.name); }))
                continue;
            Moved moved{v.name, flatName(v.name + "$", true), list == &function.returns};
            m_taken.insert(moved.local);
            Variable local = v;
            local.space = StateSpace::Local;
            local.name = moved.local;
            local.attributes.clear();
            function.locals.push_back(std::move(local));
            auto& copies = moved.isResult ? after : before;
            for (Instruction& i : copyParameter(function, v, moved))
                copies.push_back(std::move(i));
            all.push_back(std::move(moved));
        }
    if (all.empty())
        return;

    std::vector<Instruction> body = std::move(before);
    std::vector<std::uint32_t> placeOf; // old instruction -> new one
    for (Instruction& i : body)
        i.line = function.bodyLine;
    for (Instruction& i : function.body) {
        placeOf.push_back(std::uint32_t(body.size()));
        for (const Moved& moved : all)
            redirect(i, moved.parameter, moved.local);
        if (i.opcode == Opcode::Ret)
            for (Instruction copy : after) {
                copy.line = i.line;
                copy.column = i.column;
                copy.place = i.place;
                body.push_back(std::move(copy));
            }
        body.push_back(std::move(i));
    }
    placeOf.push_back(std::uint32_t(body.size()));
    for (Label& label : function.labels)
        label.instruction = placeOf[label.instruction];
    for (std::uint32_t& at : function.pragmaAt)
        if (at < placeOf.size())
            at = placeOf[at];
    function.body = std::move(body);
}

} // namespace warpglass::ptx
