// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/decode.h"
#include "gpu/emulator/decode/decoder.h"
#include "gpu/emulator/memory/touch.h"
#include "gpu/emulator/ops/control_ops.h"

#include "gpu/launch/kernel_text.h"
#include "gpu/launch/validate.h"
#include "gpu/ptx/source_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
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

void namesOf(const Operand& o, Names& names) {
    names.insert(o.name);
    for (const Operand& e : o.elements)
        namesOf(e, names);
}

// Registers that have a place in every frame. A function may declare a million of them and use three; compilers declare
// those that they use.
std::vector<const ptx::Register*> registersOf(const ptx::Function& f) {
    constexpr std::size_t usual = 16384;
    Names used;
    if (f.registers.size() > usual)
        for (const ptx::Instruction& i : f.body) {
            used.insert(i.guard);
            for (const Operand& o : i.operands)
                namesOf(o, used);
        }
    std::vector<const ptx::Register*> registers;
    registers.reserve(std::min(f.registers.size(), usual));
    for (const ptx::Register& r : f.registers)
        if (f.registers.size() <= usual || used.contains(r.name))
            registers.push_back(&r);
    return registers;
}

// As many operands as the row of the instruction set has letters; those behind '?' may be missing.
bool countFits(const ptx::Instruction& i) {
    std::size_t least = 0, most = 0;
    bool optional = false;
    for (const char letter : ptx::row(i.opcode).operands) {
        if (letter == '*')
            return i.operands.size() >= least;
        if (letter == '?')
            optional = true;
        else
            least += optional ? 0 : 1, ++most;
    }
    return i.operands.size() >= least && i.operands.size() <= most;
}

bool nothing(Exec& x, const Inst& in) { // fences, nanosleep, prefetch: time only
    activeMask(x, in);
    return true;
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

} // namespace

bool Decoder::family(Decoding& d, std::uint32_t position) {
    using ptx::Family;
    switch (d.is.family) {
    case Family::Arithmetic:
    case Family::Predicate:
        return arithmetic(d);
    case Family::Compare:
        return compareOp(d);
    case Family::Select:
        return select(d);
    case Family::Move:
        return move(d);
    case Family::Address:
        return d.is.opcode == ptx::Opcode::Cvta ? toOrFromGeneric(d) : spaceTest(d);
    case Family::Convert:
        return convertOp(d);
    case Family::Load:
    case Family::Store:
        return memory(d);
    case Family::Atomic:
        return atomic(d);
    case Family::Cluster:
    case Family::Async:
        return async(d);
    case Family::Fence:
        // Between the ways to one memory, and between the blocks of a cluster, no block is ordered against others.
        if (d.is.scope != ptx::Scope::Cta && d.is.scope != ptx::Scope::Cluster && !d.i.has(ptx::Modifier::Proxy) &&
            !m_program.ordered) {
            m_program.ordered = true;
            m_program.orderReason = "blocks talk to each other (memory fence), so what they find depends on the order";
        }
        d.info.opClass = OpClass::Fence;
        d.inst.run = fenceHandler();
        return true;
    case Family::Hint:
        if (d.is.opcode == ptx::Opcode::Setmaxnreg)
            if (const Operand& o = d.i.operand(0);
                o.kind != Operand::Kind::Integer || o.integer < 24 || o.integer > 256 || o.integer % 8 != 0)
                return d.fail("its number of registers is a multiple of 8 from 24 to 256");
        d.info.opClass = OpClass::Fence;
        d.inst.run = &nothing;
        return true;
    case Family::Branch:
    case Family::End:
    case Family::Barrier:
        return control(d, position);
    case Family::Call:
        return call(d);
    case Family::Warp:
        return warpWide(d);
    case Family::Texture:
        return textureOp(d);
    case Family::Surface:
        return surfaceOp(d);
    case Family::Stack:
        return stack(d);
    case Family::Video:
        return video(d);
    case Family::Matrix:
        return matrix(d);
    default:
        return d.fail("the emulator does not know it");
    }
}

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
    for (std::size_t k = 0; k < order.size(); ++k) {
        Names names;
        for (const auto& i : m_module.functions[order[k]].body)
            for (const Operand& o : i.operands)
                symbolsOf(o, names);
        for (bool grew = true; grew;) { // variables may hold the addresses of others: tables of virtual functions
            grew = false;
            for (const auto& v : m_module.variables)
                if (names.count(v.name))
                    for (const auto& a : v.initialAddresses)
                        grew |= names.insert(a.symbol).second;
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

void Decoder::layoutShared() {
    Names named;
    for (const FunctionCode& f : m_program.functions)
        for (const auto& i : f.source->body)
            for (const Operand& o : i.operands)
                symbolsOf(o, named);
    std::uint64_t at = 0, dynamicAlignment = 16;
    std::vector<std::string> dynamic;
    const auto place = [&](const ptx::Variable& v) {
        if (v.space != ptx::StateSpace::Shared || !named.count(v.name) || m_shared.count(v.name))
            return;
        const std::uint64_t alignment =
            v.alignment ? std::uint64_t(v.alignment) : std::max(1, ptx::bytesOf(v.type) * v.vector);
        if (v.sizeBytes() == 0) {
            dynamic.push_back(v.name);
            dynamicAlignment = std::max(dynamicAlignment, alignment);
            return;
        }
        at = (at + alignment - 1) / alignment * alignment;
        m_shared[v.name] = at;
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
    for (const auto& name : dynamic)
        m_shared[name] = m_program.sharedDynamicAt;
}

void Decoder::layoutFunction(std::uint32_t index) {
    FunctionCode& code = m_program.functions[index];
    FunctionScope& scope = m_scopes[index];
    const ptx::Function& f = *code.source;
    scope.source = &f;
    scope.index = index;
    m_scope = &scope;
    // Predicates share rows' space in fours: 32 to a 128-byte row.
    std::uint32_t predicates = 0;
    code.zeroFrom = 0;
    const std::vector<const ptx::Register*> registers = registersOf(f);
    scope.registers.reserve(registers.size());
    for (const ptx::Register* r : registers)
        if (r->type == Type::Pred)
            scope.registers[r->name] = {4 * predicates++, Type::Pred};
    scope.nextRow = (4 * predicates + 127) / 128 * 128;
    for (const ptx::Register* r : registers)
        if (r->type != Type::Pred)
            scope.registers[r->name] = {newRow(rowBytes(r->type)), r->type};
    const auto slot = [&](const ptx::Variable& v) {
        const auto words = std::uint32_t((std::max<std::uint64_t>(v.sizeBytes(), 1) + 3) / 4);
        if (v.space == ptx::StateSpace::Reg) {
            const RegisterRow r{newRow(rowBytes(v.type)), v.type};
            scope.registers[v.name] = r;
            return slotOf(r);
        }
        const ParamSlot s{scope.nextRow, words};
        scope.nextRow += words * 128;
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
        local += v.sizeBytes();
    }
    code.localBytes = std::uint32_t(local);
    if (std::any_of(f.body.begin(), f.body.end(),
                    [](const ptx::Instruction& i) { return ptx::row(i.opcode).family == ptx::Family::Stack; }))
        code.stackRow = newRow(4);
    code.zeroTo = scope.nextRow;
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

void Decoder::error(const ptx::Instruction& i, const std::string& why) {
    if (m_errors.empty())
        m_firstErrorLine = i.line;
    m_errors.push_back(fmt::format("line {}: {} ({})", i.line, i.text, why));
}

void Decoder::decodeInstruction(std::uint32_t position, const ptx::Instruction& i) {
    Decoding d{i, ptx::describe(i), {}, {}, {}};
    d.inst.index = position;
    d.info.source = &i;
    d.info.function = m_scope->index;
    if (i.guarded()) {
        const RegisterRow* r = registerOf(i.guard);
        if (!r || r->type != Type::Pred) {
            error(i, "its guard is not declared");
            return;
        }
        d.inst.guard = guardPresent | (i.guardNegated ? guardNegated : 0) | r->row;
        d.info.reads.push_back(r->row);
    }
    if (const ptx::Support s = ptx::support(i); s.kind != ptx::Support::Kind::Runs) {
        error(i, s.why);
        return;
    }
    if (!countFits(i)) {
        error(i, "it has too few or too many operands");
        return;
    }
    if (!family(d, position) || !d.inst.run) {
        error(i, d.error.empty() ? "the emulator does not know it" : d.error);
        return;
    }
    m_program.branches += (d.is.opcode == ptx::Opcode::Bra && i.guarded()) || d.is.opcode == ptx::Opcode::Brx;
    m_program.selects += d.is.opcode == ptx::Opcode::Selp;
    d.info.is = d.is;
    m_program.code[position] = d.inst;
    m_program.info[position] = std::move(d.info);
}

void Decoder::decodeFunction(std::uint32_t index) {
    FunctionCode& code = m_program.functions[index];
    const ptx::Function& f = *code.source;
    m_scope = &m_scopes[index];
    auto flow = ptx::controlFlow(f);
    if (!flow) {
        m_errors.push_back(flow.error().text());
        return;
    }
    m_flow = &*flow;
    m_labels = ptx::labelMap(f);
    m_leader.resize(m_program.code.size() + 1, false);
    m_leader[code.first] = true;
    for (const auto& l : f.labels)
        m_leader[code.first + l.instruction] = true;
    for (const auto& b : flow->blocks)
        m_leader[code.first + b.first] = true;
    for (std::uint32_t k = 0; k < f.body.size(); ++k) {
        const ptx::Instruction& i = f.body[k];
        const std::uint32_t position = code.first + k;
        decodeInstruction(position, i);
        const OpClass c = m_program.info[position].opClass;
        // Places that are come back to begin a piece; what changes place or lanes ends one.
        const ptx::Description& is = m_program.info[position].is;
        if (is.opcode == ptx::Opcode::Brx || c == OpClass::Call || is.sync || is.warp)
            m_leader[position] = true;
        if (c == OpClass::Control || c == OpClass::Call || m_program.info[position].isBarrier || is.warp ||
            is.opcode == ptx::Opcode::Wgmma)
            m_leader[position + 1] = true;
    }
    noteUsedBytes(code);
    noteFirstGuesses(code);
    const std::uint32_t last = code.end - 1;
    m_leader[last] = true;
    Inst end;
    end.index = last;
    end.run = f.isEntry ? exitHandler() : functionEndHandler();
    m_program.code[last] = end;
    m_program.info[last].function = index;
    m_program.info[last].opClass = OpClass::Control;
    m_program.info[last].isExit = f.isEntry;
    code.frameBytes = m_scope->nextRow;
    m_flow = nullptr;
}

void Decoder::makeRuns() {
    for (const FunctionCode& f : m_program.functions) {
        for (std::uint32_t first = f.first; first < f.end;) {
            std::uint32_t end = first + 1;
            while (end < f.end && !m_leader[end])
                ++end;
            const InstInfo& info = m_program.info[end - 1];
            const Handler h = m_program.code[end - 1].run;
            const bool control =
                info.isBarrier || (info.opClass == OpClass::Control && h != trapHandler()) || h == callHandler();
            for (std::uint32_t k = first; k < end; ++k)
                m_program.code[k].piece = std::uint32_t(m_program.pieces.size());
            m_program.pieces.push_back({first, end, control});
            first = end;
        }
    }
}

void Decoder::makeSites(std::uint32_t kernel) {
    const auto site = [&](SiteKind kind, const ptx::Instruction* i) {
        Site s;
        s.kernel = kernel;
        s.kind = kind;
        if (i) {
            s.ptxLine = std::uint32_t(i->line);
            s.text = i->text;
            for (const ptx::Place& place : ptx::sourceChain(m_module, *i))
                s.where.push_back(sourcePlace(m_module, place));
        } else {
            s.ptxLine = std::uint32_t(m_program.functions[0].source->line);
        }
        m_program.sites.push_back(std::move(s));
        return std::uint32_t(m_program.sites.size() - 1);
    };
    const ptx::Function& entry = *m_program.functions[0].source;
    m_program.entrySite = site(SiteKind::Entry, entry.body.empty() ? nullptr : &entry.body.front());
    for (std::size_t k = 0; k < m_program.code.size(); ++k) {
        InstInfo& info = m_program.info[k];
        const Piece& piece = m_program.pieces[m_program.code[k].piece];
        const ptx::Instruction* source = info.source;
        if (!source && k > 0)
            source = m_program.info[k - 1].source; // the end of a function: its last line
        if (piece.first == k)
            info.pathSite = site(SiteKind::Path, source);
        if (info.isBranch && info.isConditional && !info.isExit)
            info.site = site(SiteKind::Branch, source);
        else if (info.isBarrier)
            info.site = site(SiteKind::Barrier, source);
        else if (info.isMemory)
            info.site = site(SiteKind::Access, source);
        else if (info.isAsync)
            info.site = site(SiteKind::Instruction, source);
        else if (info.isShuffle)
            info.site = site(SiteKind::Shuffle, source);
        else if (info.isLaunch)
            info.site = site(SiteKind::Launch, source);
        else if (info.isExit)
            info.site = site(SiteKind::Exit, source);
    }
}

Result<void> Decoder::run(std::uint32_t entry, std::uint32_t kernel) {
    m_program.module = &m_module;
    m_program.moduleEntry = entry;
    m_program.name = m_module.functions[entry].name;
    reach(entry);
    for (const FunctionCode& f : m_program.functions)
        if (auto ok = validateLocals(*f.source, m_module.name); !ok)
            return ok;
    layoutShared();
    for (std::uint32_t f = 0; f < m_program.functions.size(); ++f)
        layoutFunction(f);
    for (std::uint32_t f = 0; f < m_program.functions.size(); ++f)
        decodeFunction(f);
    if (!m_errors.empty()) {
        const bool lacksCode = m_undefined == m_errors.size();
        const char* const what =
            lacksCode ? "of a function that is defined nowhere" : "that the emulator does not know";
        const char* const thing = lacksCode ? "call" : "instruction";
        std::string all = m_errors.size() == 1 ? fmt::format("There is {} {} {}", lacksCode ? "a" : "an", thing, what)
                                               : fmt::format("There are {} {}s {}", m_errors.size(), thing, what);
        for (const auto& e : m_errors)
            all += "\n  " + e;
        return Error{all, m_module.name, m_firstErrorLine, 0,
                     lacksCode ? "Define it in the same file; a program of several files runs as a whole"
                               : "Run it on a GPU, or compile it for an older architecture"};
    }
    makeRuns();
    makeSites(kernel);
    return {};
}

Result<Program> decode(const ptx::Module& module, std::uint32_t entry, const Symbols& symbols, std::uint32_t kernel) {
    Program program;
    Decoder decoder(module, symbols, program);
    if (auto ok = decoder.run(entry, kernel); !ok)
        return ok.error();
    return program;
}

} // namespace warpglass::emulator
