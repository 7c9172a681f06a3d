// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel consists of, before an instruction is decoded: the functions that it can reach, and where their registers,
// parameters, local and shared variables lie.
#include "gpu/emulator/decode/decoder.h"
#include "gpu/ptx/source_lines.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace warpglass::emulator {

using ptx::Operand;
using ptx::Type;

namespace {

using Names = std::unordered_set<std::string_view>; // of the module

void symbolsOf(const Operand& o, Names& names) {
    if (o.kind == Operand::Kind::Symbol || (o.kind == Operand::Kind::Address && !o.baseIsRegister))
        names.insert(o.name);
    for (const Operand& e : o.elements)
        symbolsOf(e, names);
}

// Functions whose address something in the module takes: another grid may have stored it where this one finds it.
Names addressesTaken(const ptx::Module& module) {
    Names names;
    for (const ptx::Function& f : module.functions)
        for (const ptx::Instruction& i : f.body)
            if (i.opcode != ptx::Opcode::Call)
                for (const Operand& o : i.operands)
                    symbolsOf(o, names);
    for (const ptx::Variable& v : module.variables)
        for (const auto& a : v.initialAddresses)
            names.insert(a.symbol);
    return names;
}

bool callsThroughARegister(const ptx::Function& function) {
    return std::any_of(function.body.begin(), function.body.end(), [](const ptx::Instruction& i) {
        return i.opcode == ptx::Opcode::Call && std::any_of(i.operands.begin(), i.operands.end(), [](const Operand& o) {
                   return o.kind == Operand::Kind::Register;
               });
    });
}

// Of a thread's stack, for what the function hands over in calls. ptxas (13.0) puts there what the twelve registers of a call
// do not take: nothing of 48 bytes, all of 64; once for all calls. It knows nothing that no call hands over.
std::uint64_t handedBytesOf(const ptx::Function& f) {
    constexpr std::uint64_t inRegisters = 48;
    std::unordered_map<std::string_view, std::uint64_t> keptBack; // bytes
    for (const ptx::Variable& v : f.locals)
        if (v.space == ptx::StateSpace::Param)
            keptBack.emplace(v.name, v.sizeBytes());
    if (keptBack.empty())
        return 0;
    const auto sizes = keptBack;
    std::uint64_t most = 0;
    for (const ptx::Instruction& i : f.body)
        if (i.opcode == ptx::Opcode::Call) {
            std::uint64_t onStack = 0;
            for (const Operand& list : i.operands) {
                std::uint64_t left = inRegisters;
                for (const Operand& o : list.elements)
                    if (const auto v = sizes.find(o.name); v != sizes.end()) {
                        const bool fits = v->second <= left;
                        left -= fits ? v->second : 0;
                        onStack += fits ? 0 : v->second;
                        keptBack.erase(o.name);
                    }
            }
            most = std::max(most, onStack);
        }
    for (const auto& [name, bytes] : keptBack)
        most += bytes;
    return most;
}

} // namespace

// The entry, what it calls, and every function whose address something it names may hold; if it calls through a
// register, every function whose address is taken anywhere.
void Decoder::reach(std::uint32_t entry) {
    std::vector<std::uint32_t> order{entry};
    std::set<std::uint32_t> seen{entry};
    bool indirect = false; // calls through a register were found
    const auto add = [&](std::string_view name) {
        const auto f = m_symbols.functions.find(std::string(name));
        if (f == m_symbols.functions.end())
            return;
        const ptx::Function& target = m_module.functions[f->second];
        if (!target.isEntry && !target.isExtern && !target.body.empty() && seen.insert(f->second).second)
            order.push_back(f->second);
    };
    std::unordered_map<std::string_view, const ptx::Variable*> pointing; // variables that hold addresses
    for (const auto& v : m_module.variables)
        if (!v.initialAddresses.empty())
            pointing.emplace(v.name, &v);
    for (std::size_t k = 0; k < order.size(); ++k) {
        Names names;
        for (const auto& i : m_module.functions[order[k]].body)
            for (const Operand& o : i.operands)
                symbolsOf(o, names);
        // Variables may hold the addresses of others: tables of virtual functions.
        for (std::vector<std::string_view> open(names.begin(), names.end()); !open.empty();) {
            const auto v = pointing.find(open.back());
            open.pop_back();
            if (v != pointing.end())
                for (const auto& a : v->second->initialAddresses)
                    if (names.insert(a.symbol).second)
                        open.push_back(a.symbol);
        }
        if (!indirect && callsThroughARegister(m_module.functions[order[k]])) {
            indirect = true;
            names.merge(addressesTaken(m_module));
        }
        std::vector<std::string_view> inOrder(names.begin(), names.end());
        std::sort(inOrder.begin(), inOrder.end());
        for (const std::string_view name : inOrder)
            add(name);
    }
    for (const std::uint32_t f : order) {
        m_program.functionOfModule[f] = std::uint32_t(m_program.functions.size());
        FunctionCode code;
        code.source = &m_module.functions[f];
        m_program.functions.push_back(code);
    }
    m_scopes.resize(order.size());
}

void Decoder::findForeign() {
    std::set<std::string_view> own; // files that the entry's lines are of, whatever was inlined there
    const auto eachFile = [&](const FunctionCode& code, auto&& tell) {
        for (const ptx::Instruction& i : code.source->body)
            if (const auto chain = ptx::sourceChain(m_module, i); !chain.empty())
                for (const auto& file : m_module.files)
                    if (file.number == chain.back().file)
                        tell(file.path);
    };
    eachFile(m_program.functions[0], [&](const std::string& path) { own.insert(path); });
    for (FunctionCode& code : m_program.functions) {
        code.isForeign = !own.empty();
        eachFile(code, [&](const std::string& path) { code.isForeign &= own.count(path) == 0; });
    }
}

void Decoder::layoutShared() {
    Names named;
    for (const FunctionCode& f : m_program.functions)
        for (const auto& i : f.source->body)
            for (const Operand& o : i.operands)
                symbolsOf(o, named);
    std::uint64_t at = 0, dynamicAlignment = 16;
    std::vector<const ptx::Variable*> dynamic;
    const auto place = [&](const ptx::Variable& v) {
        if (v.space != ptx::StateSpace::Shared || !named.count(v.name) || m_shared.count(v.name))
            return;
        const std::uint64_t alignment =
            v.alignment ? std::uint64_t(v.alignment) : std::max(1, ptx::bytesOf(v.type) * v.vector);
        if (v.sizeBytes() == 0) {
            dynamic.push_back(&v);
            dynamicAlignment = std::max(dynamicAlignment, alignment);
            return;
        }
        at = (at + alignment - 1) / alignment * alignment;
        m_shared[v.name] = at;
        m_program.objects.push_back({&v, v.space, at, v.sizeBytes(), noIndex});
        at += v.sizeBytes();
    };
    for (const auto& v : m_module.variables)
        place(v);
    for (const FunctionCode& f : m_program.functions)
        for (const auto& v : f.source->locals)
            place(v);
    at = std::min<std::uint64_t>(at, 0x7fffffff); // more than any launch is given, however much more
    m_program.sharedStatic = std::uint32_t(at);
    m_program.sharedDynamicAt = std::uint32_t((at + dynamicAlignment - 1) / dynamicAlignment * dynamicAlignment);
    m_program.takesDynamicShared = !dynamic.empty();
    for (const ptx::Variable* v : dynamic)
        if (m_shared.emplace(v->name, m_program.sharedDynamicAt).second)
            m_program.objects.push_back({v, v->space, m_program.sharedDynamicAt, 0, noIndex});
}

// All of the module: an index may lead to one that the kernel does not name.
void Decoder::layoutConstants() {
    std::vector<DeclaredObject> found;
    const auto place = [&](const ptx::Variable& v) {
        if (v.space != ptx::StateSpace::Const || v.opaque != ptx::Opaque::None || v.sizeBytes() == 0)
            return;
        if (const auto at = m_symbols.variables.find(v.name); at != m_symbols.variables.end())
            found.push_back({&v, v.space, at->second.address, v.sizeBytes(), noIndex});
    };
    for (const auto& v : m_module.variables)
        place(v);
    for (const ptx::Function& f : m_module.functions)
        for (const auto& v : f.locals)
            place(v);
    std::ranges::sort(found, {}, &DeclaredObject::begin);
    m_program.objects.insert(m_program.objects.end(), found.begin(), found.end());
}

void Decoder::layoutFunction(std::uint32_t index) {
    FunctionCode& code = m_program.functions[index];
    FunctionScope& scope = m_scopes[index];
    const ptx::Function& f = *code.source;
    scope.source = &f;
    scope.index = index;
    m_scope = &scope;
    // Predicates share rows' space in fours: 32 to a 128-byte row.
    code.zeroFrom = 0;
    scope.registers = layoutRegisters(f, scope.frame);
    const auto slot = [&](const ptx::Variable& v) {
        const std::uint64_t words = (std::max<std::uint64_t>(v.sizeBytes(), 1) + 3) / 4;
        if (v.space == ptx::StateSpace::Reg) {
            const RegisterRow r{newRow(rowBytes(v.type)), v.type};
            scope.registers[v.name] = r;
            return slotOf(r);
        }
        const ParamSlot s{scope.frame.rows(words), std::uint32_t(words)};
        scope.params[v.name] = s;
        return s;
    };
    if (f.isEntry) {
        std::uint64_t at = 0;
        for (const auto& v : f.params) {
            const std::uint64_t alignment =
                v.alignment ? std::uint64_t(v.alignment) : std::max(1, ptx::bytesOf(v.type) * v.vector);
            at = (at + alignment - 1) / alignment * alignment;
            scope.entryParams[v.name] = std::uint32_t(at);
            m_program.paramOffsets.push_back(std::uint32_t(at));
            at += v.sizeBytes();
        }
        m_program.paramBytes = std::uint32_t(at);
    } else {
        for (const auto& v : f.params)
            code.params.push_back(slot(v));
        for (const auto& v : f.returns)
            code.returns.push_back(slot(v));
    }
    std::uint64_t local = 0;
    for (const auto& v : f.locals) {
        if (v.space == ptx::StateSpace::Param)
            slot(v);
        if (v.space != ptx::StateSpace::Local)
            continue;
        const std::uint64_t alignment =
            v.alignment ? std::uint64_t(v.alignment) : std::max(1, ptx::bytesOf(v.type) * v.vector);
        local = (local + alignment - 1) / alignment * alignment;
        scope.locals[v.name] = local;
        m_program.objects.push_back({&v, v.space, local, v.sizeBytes(), index});
        local += v.sizeBytes();
    }
    code.localBytes = std::uint32_t(local);
    code.handedBytes = handedBytesOf(f);
    if (std::any_of(f.body.begin(), f.body.end(),
                    [](const ptx::Instruction& i) { return ptx::row(i.opcode).family == ptx::Family::Stack; }))
        code.stackRow = newRow(4);
    code.zeroTo = std::uint32_t(scope.frame.bytes());
    code.first = std::uint32_t(m_program.code.size());
    code.end = code.first + std::uint32_t(f.body.size()) + 1;
    m_program.code.resize(code.end);
    m_program.info.resize(code.end);
}

ParamSlot Decoder::slotOf(const RegisterRow& r) {
    if (r.type == Type::Pred)
        return {r.row, 1, ParamSlot::Kind::Predicate};
    return {r.row, r.bytes() / 4, ParamSlot::Kind::Register};
}

} // namespace warpglass::emulator
