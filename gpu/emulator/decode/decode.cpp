// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/decode.h"
#include "gpu/base/messages/code.h"
#include "gpu/emulator/decode/decoder.h"
#include "gpu/emulator/ops/control_ops.h"
#include "gpu/emulator/watch/async_proxy.h"
#include "gpu/emulator/watch/program_checks.h"
#include "gpu/emulator/watch/watchers.h"

#include "gpu/base/large_pages.h"
#include "gpu/base/memory_limit.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/launch/validate.h"
#include "gpu/ptx/source_lines.h"

#include <fmt/format.h>

namespace warpglass::emulator {

using ptx::Operand;
using ptx::Type;

namespace {

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
        d.inst.run = d.i.has(ptx::Modifier::Proxy) &&
                             (d.i.has(ptx::Modifier::Async) || d.i.has(ptx::Modifier::AsyncGeneric)) &&
                             !d.i.has(ptx::Modifier::Global)
                         ? proxyFenceHandler()
                         : fenceHandler();
        return true;
    case Family::Hint:
        if (d.is.opcode == ptx::Opcode::Setmaxnreg)
            if (const Operand& o = d.i.operand(0);
                o.kind != Operand::Kind::Integer || o.integer < 24 || o.integer > 256 || o.integer % 8 != 0)
                return d.fail(say::RegisterNumber);
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
        return d.fail(say::NotKnownToEmulator);
    }
}

void Decoder::error(const ptx::Instruction& i, Message why) {
    if (m_errors.empty())
        m_firstErrorLine = i.line;
    m_errors.push_back(say::LineSays(i.line, i.text, std::move(why)));
}

void Decoder::decodeInstruction(std::uint32_t position, const ptx::Instruction& i) {
    Decoding d{i, ptx::describe(i), {}, {}, {}};
    d.inst.index = position;
    d.info.source = &i;
    d.info.function = m_scope->index;
    if (i.guarded()) {
        const RegisterRow* r = registerOf(i.guard);
        if (!r || r->type != Type::Pred) {
            error(i, say::GuardUndeclared);
            return;
        }
        d.inst.guard = Guard(r->row, i.guardNegated);
        d.info.reads.push_back(r->row);
    }
    if (const ptx::Support s = ptx::support(i); s.kind != ptx::Support::Kind::Runs) {
        error(i, s.why.message());
        return;
    }
    if (!countFits(i)) {
        error(i, say::OperandCount);
        return;
    }
    if (!family(d, position) || !d.inst.run) {
        error(i, d.error ? std::move(*d.error) : Message(say::NotKnownToEmulator));
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
    m_labels = ptx::LabelMap(f);
    auto flow = ptx::controlFlow(f, m_labels);
    if (!flow) {
        m_errors.push_back(say::OnLineOfItsOwn(flow.error().line, flow.error().message));
        return;
    }
    m_flow = &*flow;
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
        const bool together = is.sync || is.warp || ptx::row(is.opcode).family == ptx::Family::Matrix; // said or not
        if (is.opcode == ptx::Opcode::Brx || c == OpClass::Call || together)
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
    code.frameBytes = std::uint32_t(m_scope->frame.bytes());
    m_flow = nullptr;
    if (m_scope->frame.bytes() > mostFrameBytes && m_frames)
        m_frames = Error{say::FrameTooLarge(f.name, memoryWords(m_scope->frame.bytes()), memoryWords(mostFrameBytes)),
                         m_module.name, f.line, 0, say::UseSmaller};
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
    for (const ptx::BranchMeets& known : m_meets)
        for (const FunctionCode& f : m_program.functions)
            if (known.yields && f.source->name == known.function && known.branch < f.source->body.size())
                m_program.pieces[m_program.code[f.first + known.branch].piece].yields = true;
    for (const std::uint32_t position : m_program.meets)
        m_program.pieces[m_program.code[position].piece].meets = true;
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
    findForeign();
    for (const FunctionCode& f : m_program.functions)
        if (auto ok = validateLocals(*f.source, m_module.name); !ok)
            return ok;
    layoutShared();
    layoutConstants();
    std::size_t instructions = 0;
    for (const FunctionCode& f : m_program.functions)
        instructions += f.source->body.size() + 1;
    m_program.code.reserve(instructions);
    m_program.info.reserve(instructions);
    askForLargePages(m_program.code.data(), instructions * sizeof(Inst));
    askForLargePages(m_program.info.data(), instructions * sizeof(InstInfo));
    for (std::uint32_t f = 0; f < m_program.functions.size(); ++f)
        layoutFunction(f);
    for (std::uint32_t f = 0; f < m_program.functions.size(); ++f)
        decodeFunction(f);
    if (!m_frames)
        return m_frames;
    if (!m_errors.empty()) {
        const bool lacksCode = m_undefined == m_errors.size();
        const std::size_t n = m_errors.size();
        Message all = n == 1 ? (lacksCode ? say::UndefinedCall : say::UnknownInstruction)(std::move(m_errors))
                             : (lacksCode ? say::UndefinedCalls : say::UnknownInstructions)(n, std::move(m_errors));
        return Error{std::move(all), m_module.name, m_firstErrorLine, 0, lacksCode ? say::DefineInFile : say::RunOnGpu};
    }
    makeRuns();
    makeSites(kernel);
    for (const ProgramCheck& check : programChecks)
        check.begin(m_program);
    return {};
}

Result<Program> decode(const ptx::Module& module, std::uint32_t entry, const Symbols& symbols, std::uint32_t kernel,
                       std::span<const ptx::BranchMeets> meets) {
    Program program;
    Decoder decoder(module, symbols, meets, program);
    if (auto ok = decoder.run(entry, kernel); !ok)
        return ok.error();
    return program;
}

} // namespace warpglass::emulator
