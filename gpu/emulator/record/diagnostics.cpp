// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/record/diagnostics.h"

#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/code/dead_loads.h"
#include "gpu/emulator/record/object_text.h"
#include "gpu/emulator/record/past_end.h"
#include "gpu/emulator/record/pointer_origin.h"
#include "gpu/emulator/state/cluster.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/ptx/source_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>

namespace warpglass::emulator {

namespace {
// Where the user would look: the innermost place in the file of the kernel itself. A library's header that was inlined
// there (atomics, cooperative groups) is nobody's mistake.
const ptx::Place* userPlace(const Program& program, const ptx::Instruction& instruction) {
    if (instruction.place == ptx::noPlace)
        return nullptr;
    const auto& places = program.module->places;
    std::uint32_t at = instruction.place, outer = at;
    while (places[outer].inlinedAt < outer) // a place is always younger than the one it was inlined at
        outer = places[outer].inlinedAt;
    while (places[at].file != places[outer].file)
        at = places[at].inlinedAt;
    return &places[at];
}
const ptx::Module::File* fileOf(const Program& program, const ptx::Place& place) {
    return program.module->findFile(place.file);
}
} // namespace

namespace {
SourcePlace sourceOf(const Program& program, const ptx::Place& place) {
    for (std::size_t i = 0; i < program.module->files.size(); ++i)
        if (program.module->files[i].number == place.file)
            return {std::uint32_t(i), std::uint32_t(place.line), std::uint32_t(place.column)};
    return {};
}
std::uint32_t fileOfKernel(const Program& program) {
    const FunctionCode& entry = program.functions[0];
    for (std::uint32_t at = entry.first; at < entry.end; ++at)
        if (const ptx::Instruction* source = program.info[at].source)
            if (const ptx::Place* place = userPlace(program, *source))
                return std::uint32_t(place->file);
    return noIndex;
}
// Where an instruction of the running lanes is to be looked for. Of code that is not optimised a library's functions are
// not inlined: then it is the innermost call in the kernel's own file.
const ptx::Place* userPlace(const Exec& x, std::uint32_t position) {
    const Program& program = *x.program;
    const auto placeOf = [&](std::uint32_t at) {
        const ptx::Instruction* source = program.info[at].source;
        return source ? userPlace(program, *source) : nullptr;
    };
    const ptx::Place* const own = placeOf(position);
    if (!x.frame || x.frame->function != program.info[position].function)
        return own;
    const std::uint32_t file = fileOfKernel(program);
    const ptx::Place* place = own;
    for (const Frame* f = x.frame; f->parent && !(place && std::uint32_t(place->file) == file); f = f->parent)
        place = placeOf(f->callPosition);
    return place && std::uint32_t(place->file) == file ? place : own;
}

Message placeText(const Program& program, const ptx::Instruction& source, const ptx::Place* place) {
    if (place) {
        const auto* file = fileOf(program, *place);
        if (file && place->line > 0)
            return say::SourceLine(place->line, std::filesystem::path(file->path).filename().string(), source.line);
    }
    return say::PtxLine(source.line, source.text);
}
// As a person called it: what a file keeps to itself is "_INTERNAL_0a1b_5_my_cu_c3d4::(anonymous namespace)::wait".
std::string calledName(const std::string& mangled) {
    std::string name = plainName(mangled);
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    if (const std::size_t at = name.find(unnamed); at != std::string::npos) {
        const std::size_t own = name.rfind("_INTERNAL_", at);
        const std::size_t first = own != std::string::npos ? own : at;
        name.erase(first, at + unnamed.size() - first);
    }
    if (name.starts_with("_INTERNAL_")) // a static function
        name.erase(0, std::min(name.find("::"), name.size() - 2) + 2);
    return name;
}
} // namespace

Message placeText(const Program& program, std::uint32_t position) {
    const ptx::Instruction* source = program.info[position].source;
    if (!source)
        return say::EndOfFunction;
    return placeText(program, *source, userPlace(program, *source));
}

CallerPlace callerPlace(const Program& program, std::uint32_t position, std::uint32_t call) {
    const auto instruction = [&](std::uint32_t at) { return program.info[at].source; };
    const ptx::Instruction* const own = instruction(position);
    const ptx::Instruction* const source = call != noIndex && instruction(call) ? instruction(call) : own;
    if (!source || source->place == ptx::noPlace)
        return {placeText(program, position), {}};
    const auto& places = program.module->places;
    std::uint32_t at = source->place, below = at; // below: what was inlined there
    while (places[at].inlinedAt < at) {
        below = at;
        at = places[at].inlinedAt;
    }
    const ptx::Place& outer = places[at];
    const ptx::Module::File* const file = fileOf(program, outer);
    CallerPlace place{placeText(program, position), sourceOf(program, outer)};
    // Of several helpers, one in the other, the first one: it knows what it was called for. A library's is nobody's mistake.
    const ptx::Place* const inner =
        call == noIndex && places[below].file == outer.file ? &places[below] : userPlace(program, *own);
    if (!file || outer.line <= 0 || !inner || inner->line <= 0 ||
        (inner->file == outer.file && inner->line == outer.line))
        return place;
    const std::string name =
        call != noIndex ? program.functions[program.info[position].function].source->name : places[below].function;
    place.text = say::SourceLineIn(outer.line, std::filesystem::path(file->path).filename().string(),
                                   name.empty() ? "a function" : calledName(name), inner->line, own->line);
    return place;
}

bool Diagnostics::repeated(const Exec&, DiagnosticKind kind, std::uint32_t position) {
    for (Found& f : m_found)
        if (f.position == position && f.diagnostic.kind == kind) {
            ++f.diagnostic.count;
            return true;
        }
    return false;
}

Diagnostics::Walk* Diagnostics::walkOf(DiagnosticKind kind, std::uint32_t position) {
    for (Found& f : m_found)
        if (f.position == position && f.diagnostic.kind == kind)
            return &f.walk;
    return nullptr;
}

void Diagnostics::blame(std::uint32_t cause, Message what) {
    m_found.back().cause = cause;
    m_found.back().blamed = std::move(what);
}

bool Diagnostics::isBlamed(std::uint32_t cause) {
    const auto at = std::ranges::find(m_found, cause, &Found::cause);
    if (at != m_found.end())
        ++at->diagnostic.count;
    return at != m_found.end();
}

std::optional<Diagnostics::Blamed> Diagnostics::takeBlame(std::uint32_t cause) {
    const auto at = std::ranges::find(m_found, cause, &Found::cause);
    if (at == m_found.end())
        return std::nullopt;
    Blamed taken{std::move(at->blamed), at->position};
    m_found.erase(at);
    return taken;
}

Diagnostic Diagnostics::describe(const Exec& x, DiagnosticKind kind, std::uint32_t position, int lane,
                                 std::uint64_t address, const Message& what, bool fatal) {
    Diagnostic d;
    d.kind = kind;
    d.fatal = fatal;
    d.launch = x.launch->launch;
    d.block = std::uint32_t(x.block->index);
    d.address = address;
    if (lane >= 0)
        d.thread = x.warp->number * 32 + std::uint32_t(lane);
    const Program& program = *x.program;
    const ptx::Instruction* source = program.info[position].source;
    const ptx::Place* const place = userPlace(x, position);
    if (source) {
        d.ptxLine = std::uint32_t(source->line);
        if (place)
            d.source = sourceOf(program, *place);
    }
    const std::string block = x.block->blockIdx.indexText();
    const Message where = source ? placeText(program, *source, place) : placeText(program, position);
    d.message = lane >= 0 ? say::OfThread(what, program.name, block, x.launch->block.at(d.thread).indexText(), where)
                          : say::OfBlock(what, program.name, block, where);
    return d;
}

Diagnostic Diagnostics::describe(const Spot& at, const Message& what, DiagnosticKind kind) {
    Diagnostic d;
    d.kind = kind;
    d.launch = at.launch;
    d.block = std::uint32_t(at.block);
    d.thread = at.thread;
    const ptx::Instruction* const source = at.program->info[at.position].source;
    const ptx::Place* const place = at.place ? at.place : source ? userPlace(*at.program, *source) : nullptr;
    if (source)
        d.ptxLine = std::uint32_t(source->line);
    if (place)
        d.source = sourceOf(*at.program, *place);
    d.message = say::OfThread(what, at.program->name, at.gridSize.at(at.block).indexText(),
                              at.blockSize.at(at.thread).indexText(),
                              source ? placeText(*at.program, *source, place) : placeText(*at.program, at.position));
    return d;
}

Diagnostics::Spot Diagnostics::spotOf(const Exec& x, std::uint32_t position, int lane) {
    return {.program = x.program,
            .position = position,
            .launch = x.launch->launch,
            .thread = x.warp->number * 32 + std::uint32_t(lane),
            .block = x.block->index,
            .gridSize = x.launch->grid,
            .blockSize = x.launch->block,
            .place = userPlace(x, position)};
}

Diagnostic& Diagnostics::add(Exec& x, DiagnosticKind kind, std::uint32_t position, int lane, std::uint64_t address,
                             const Message& what, bool fatal) {
    m_found.push_back({describe(x, kind, position, lane, address, what, fatal), position});
    if (fatal)
        x.stop = Stop::Fault;
    return m_found.back().diagnostic;
}

bool Diagnostics::ask(Question question, const Program& program, const Inst& in) {
    const auto [at, isNew] = m_answers.try_emplace({question, &program, in.index}, false);
    if (isNew)
        at->second = question(program, in);
    return at->second;
}

bool Diagnostics::passesOn(const Program& program, const Inst& load) {
    return ask(&onlyPassedOn, program, load);
}

std::vector<Diagnostic> Diagnostics::take() {
    std::vector<Diagnostic> all;
    for (Found& f : m_found)
        if (!f.walk.isOne)
            all.push_back(std::move(f.diagnostic));
    m_found.clear();
    ahead = {};
    return all;
}

Message wordText(const GlobalMemory& memory, std::uint64_t address) {
    const Area* area = memory.nearest(address);
    return area && address - area->base < area->bytes ? say::ByteOf(address - area->base, area->name)
                                                      : say::Address(fmt::format("{:#x}", address));
}

namespace {

constexpr std::uint64_t nearGlobal = std::uint64_t(1) << 30; // below the first buffer: an index below zero

// Where the address lies as seen from the buffer that the thread's pointer belongs to, if that can be told from the
// program; otherwise from the nearest one: there is a gap between any two.
Message outsideText(const Exec& x, const Inst& in, std::uint64_t address, std::uint32_t bytes) {
    const Area* own = pointerOrigin(*x.program, in, *x.launch, *x.global);
    const Area* below = x.global->nearest(address);
    const Area* above = x.global->next(address);
    if (!own && below && address - below->base < below->bytes)
        own = below; // it begins there
    else if (!own && below && above)
        own = above->base - address < address - (below->base + below->bytes) ? above : below;
    else if (!own)
        own = below ? below : above;
    if (!own)
        return say::NoMemoryThere;
    if (address < own->base)
        return say::BeforeBegin(own->base - address, own->name, own->bytes);
    return pastEnd(bytesPastEnd(address, bytes, own->base + own->bytes), own->name, own->bytes);
}

// Where 2^32 elements further there is a buffer, at an index that a number of 32 bits with a sign can't hold: it wrapped.
std::optional<Message> wrappedIndex(const Exec& x, const Inst& in, std::uint64_t address, std::uint32_t bytes) {
    const Area* const own = pointerOrigin(*x.program, in, *x.launch, *x.global);
    for (const std::uint64_t each : {std::uint64_t(in.memory.bytes), std::uint64_t(bytes)}) {
        const std::uint64_t meant = address + (each << 32);
        const Area* const area = own ? own : x.global->nearest(meant);
        if (each != 0 && area && meant >= area->base && meant - area->base < area->bytes &&
            meant - area->base >= each << 31)
            return say::IndexWrapped(each, meant - area->base, area->name);
    }
    return std::nullopt;
}

} // namespace

bool faultAccess(Exec& x, const Inst& in, int lane, std::uint64_t address, std::uint32_t bytes, MemorySpace space,
                 std::uint64_t spaceBytes, AccessKind kind) {
    if (x.reportFaults && x.diagnostics->repeated(x, DiagnosticKind::OutOfBounds, in.index))
        return false;
    const auto does = kind == AccessKind::Load ? say::Reads : kind == AccessKind::Store ? say::Writes : say::Changes;
    const std::string at = fmt::format("{:#x}", address);
    Message what;
    if (space == MemorySpace::Global) {
        const Area* area = x.global->nearest(address);
        if (address < 65536)
            what = say::ThroughNull(does, bytes, at);
        else if (area && area->freedBytes && address - area->base < area->freedBytes)
            what = say::InFreed(does, bytes, at, address - area->base, area->name);
        else if (const auto* freed = x.global->freed(address))
            what = say::InFreed(does, bytes, at, address - freed->base, freed->name);
        else if (const auto wrapped = wrappedIndex(x, in, address, bytes))
            what = say::Outside(does, bytes, at, *wrapped);
        else
            what = say::Outside(does, bytes, at,
                                area || address >= globalBase - nearGlobal ? outsideText(x, in, address, bytes)
                                                                           : say::NoMemoryThere);
    } else {
        const auto name = space == MemorySpace::Shared     ? say::SharedOfBlock
                          : space == MemorySpace::Local    ? say::LocalOfThread
                          : space == MemorySpace::Constant ? say::ConstantMemory
                                                           : say::Parameters;
        what = say::AtOffset(does, bytes, std::to_string(std::int64_t(address)), name, spaceBytes);
        if (space == MemorySpace::Shared && x.program->takesDynamicShared && x.launch->dynamicShared == 0)
            what = say::NoDynamicShared(std::move(what));
        else if (space == MemorySpace::Shared && x.program->takesDynamicShared)
            what = say::DynamicShared(std::move(what), x.launch->dynamicShared);
    }
    x.diagnostics->add(x, DiagnosticKind::OutOfBounds, in.index, lane, address, what, !x.reportFaults);
    return false;
}

bool passNotNamed(Exec& x, const Inst& in, const NotNamed& which, bool constant) {
    if (which.lanes == 0)
        return true;
    const bool fatal = !constant && !x.reportFaults;
    const DiagnosticKind kind = constant ? DiagnosticKind::Other : DiagnosticKind::Trap;
    if (!x.diagnostics || (!fatal && x.diagnostics->repeated(x, kind, in.index)))
        return !fatal;
    const int lane = std::countr_zero(which.lanes);
    x.diagnostics->add(x, kind, in.index, lane, 0,
                       (constant ? say::NotNamedHint : say::NotNamedFault)(fmt::format("{:#x}", which.members), lane),
                       fatal);
    return !fatal;
}

bool faultMisaligned(Exec& x, const Inst& in, int lane, std::uint64_t address, std::uint32_t bytes) {
    if (x.reportFaults && x.diagnostics->repeated(x, DiagnosticKind::Misaligned, in.index))
        return false;
    const std::string at = fmt::format("{:#x}", address);
    const Message where =
        windowOf(address) == Window::Global ? say::AddressWithin(at, wordText(*x.global, address)) : plain(at);
    x.diagnostics->add(x, DiagnosticKind::Misaligned, in.index, lane, address, say::Misaligned(bytes, where, bytes),
                       !x.reportFaults);
    return false;
}

void tellMissing(Exec& x, std::uint32_t position, std::uint32_t members, std::uint32_t missing) {
    if (x.diagnostics && !x.diagnostics->repeated(x, DiagnosticKind::Other, position))
        x.diagnostics->add(x, DiagnosticKind::Other, position, -1, 0,
                           say::MembersMissing(fmt::format("{:#x}", members), fmt::format("{:#x}", missing)));
}

bool usesAny(const Exec& x, const Inst& in, std::uint64_t address, std::uint64_t at, std::uint64_t bytes) {
    const std::uint32_t used = x.program->info[in.index].usedBytes;
    for (std::uint64_t byte = std::max(address, at); used != ~0u && byte < at + bytes; ++byte)
        if (byte - address < 32 && (used >> (byte - address) & 1u))
            return true;
    return used == ~0u;
}

void hintUninitialised(Exec& x, const Inst& in, int lane, std::uint64_t address, MemorySpace space) {
    const bool systems = space == MemorySpace::Shared && x.program->usesReservedShared &&
                         std::uint32_t(address) % (1u << clusterRankShift) >= reservedSharedAt(x.launch->sharedBytes);
    if (systems || x.diagnostics->repeated(x, DiagnosticKind::UninitialisedRead, in.index))
        return; // the system has prepared what it reserves
    const auto does = x.program->info[in.index].access == AccessKind::Atomic ? say::Changes : say::Reads;
    const Area* const area = space == MemorySpace::Global ? x.global->nearest(address) : nullptr;
    const Message element = sharedElementAt(*x.program, address - sharedWindow, in.memory.bytes);
    const Message where = space == MemorySpace::Shared && element.id != say::ByteNumber.id ? element
                          : space == MemorySpace::Shared ? say::ByteOfShared(address - sharedWindow)
                          : space == MemorySpace::Local  ? say::LocalVariable(address)
                          : area && address - area->base < area->bytes
                              ? say::ByteOfSized(address - area->base, area->name, area->bytes)
                              : wordText(*x.global, address);
    x.diagnostics->add(x, DiagnosticKind::UninitialisedRead, in.index, lane, address, say::Uninitialised(does, where));
}

void mergeDiagnostics(std::vector<Diagnostic>& all, std::vector<Diagnostic> more) {
    for (Diagnostic& d : more) {
        const auto same = std::find_if(all.begin(), all.end(), [&](const Diagnostic& o) {
            // Loops that were unrolled have many instructions for what is written once.
            const bool samePlace = d.source.line > 0 && o.source.file == d.source.file &&
                                   o.source.line == d.source.line && o.source.column == d.source.column;
            return o.kind == d.kind && o.fatal == d.fatal && (o.ptxLine == d.ptxLine || samePlace);
        });
        if (same != all.end())
            same->count += d.count;
        else
            all.push_back(std::move(d));
    }
}

} // namespace warpglass::emulator
