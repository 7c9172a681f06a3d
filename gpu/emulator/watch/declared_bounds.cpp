// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/declared_bounds.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/code/origins.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/object_text.h"
#include "gpu/emulator/record/past_end.h"
#include "gpu/emulator/watch/program_checks.h"
#include "gpu/launch/kernel_text.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string>

namespace warpglass::emulator {

namespace {

std::uint32_t sizeOf(const Inst& in) {
    return std::uint32_t(in.memory.bytes) * in.memory.elements;
}
MessageForm<0> doing(const Exec& x, const Inst& in) {
    const AccessKind kind = x.program->info[in.index].access;
    return kind == AccessKind::Load ? say::Reads : kind == AccessKind::Store ? say::Writes : say::Changes;
}
bool isShared(const DeclaredObject& o) {
    return o.space == ptx::StateSpace::Shared;
}
// What kind of memory a variable lies in, and where generic addresses of it begin.
struct Kept {
    Bound bound;
    MemorySpace space;
    std::uint64_t window;
};
Kept keptIn(const DeclaredObject& o) {
    switch (o.space) {
    case ptx::StateSpace::Shared:
        return {Bound::Shared, MemorySpace::Shared, sharedWindow};
    case ptx::StateSpace::Const:
        return {Bound::Constant, MemorySpace::Constant, constWindow};
    default:
        return {Bound::Local, MemorySpace::Local, localWindow};
    }
}
std::uint64_t endOf(const Exec& x, const DeclaredObject& o) {
    return o.bytes ? o.begin + o.bytes : std::max<std::uint64_t>(o.begin, x.block->shared.size());
}

// What lies there, in the memory of the object that was meant: of a struct its member, where the source tells.
Message lyingAt(const Exec& x, const DeclaredObject& meant, std::uint64_t at, std::uint64_t each) {
    if (meant.space != ptx::StateSpace::Local && x.launch->plan) {
        const std::uint64_t bytes =
            meant.space == ptx::StateSpace::Const ? x.constants.bytes() : std::uint64_t(x.block->shared.size());
        if (const auto member = membersIn(*x.program, meant.space, *x.launch->plan, bytes).at(at, each))
            return plain(*member);
    }
    return elementAt(*x.program, meant.space, meant.function, at, each);
}

void tellOf(Exec& x, const Inst& in, int lane, std::uint64_t at, const DeclaredObject& o) {
    const std::uint64_t end = endOf(x, o), each = in.memory.bytes;
    const std::uint32_t size = sizeOf(in);
    const bool before = std::int64_t(at - o.begin) < 0;
    const auto add = [&](const Message& what) {
        x.diagnostics->add(x, DiagnosticKind::OutsideObject, in.index, lane, at + keptIn(o).window, what);
    };
    if (o.source->name.starts_with("__local_depot")) { // the compiler's, of all variables of a function
        const Message all = say::LocalsOf(plainName(x.program->functions[o.function].source->name));
        add(say::OutsideLocals(doing(x, in), size,
                               before ? say::BeforeBegin(o.begin - at, all, o.bytes)
                                      : pastEnd(bytesPastEnd(at, size, end), all, o.bytes)));
        return;
    }
    // The first of the elements that lies outside.
    const std::uint64_t elements = (end - o.begin) / each,
                        index = before ? (o.begin - at + each - 1) / each : std::max((at - o.begin) / each, elements),
                        there = before ? o.begin - index * each : o.begin + index * each;
    add(say::OutsideObject(doing(x, in), nameOf(o), (before ? "-" : "") + std::to_string(index), elements, each,
                           lyingAt(x, o, there, each)));
}

// Whether the memory's own bounds hold it; else it is a fault, which is told by itself.
bool isInMemory(const Exec& x, const Inst& in, int lane) {
    const std::uint64_t bytes = in.memory.bound == Bound::Shared     ? x.block->shared.size()
                                : in.memory.bound == Bound::Constant ? x.constants.bytes()
                                                                     : x.warp->local.bytes();
    return Stretch{0, bytes}.holds(x.address[std::size_t(lane)], sizeOf(in));
}

void tellAcross(Exec& x, const Inst& in, int lane, std::uint64_t at) {
    const std::uint32_t size = sizeOf(in), each = in.memory.bytes;
    x.diagnostics->add(
        x, DiagnosticKind::OutsideObject, in.index, lane, sharedWindow + at,
        say::AcrossObjects(doing(x, in), size, elementAt(*x.program, ptx::StateSpace::Shared, noIndex, at, each),
                           elementAt(*x.program, ptx::StateSpace::Shared, noIndex, at + size - 1, each)));
}

void bound(Program& program, Inst& in, Bound by, BoundedAccess b) {
    in.memory.bound = by;
    in.memory.site = std::uint32_t(program.bounded.size());
    program.bounded.push_back(std::move(b));
}

// An access whose address is of this object.
void bound(Program& program, Inst& in, std::uint32_t object) {
    const DeclaredObject& o = program.objects[object];
    const InstInfo& info = program.info[in.index];
    const Kept home = keptIn(o);
    if (!info.genericSpace && info.space != home.space)
        return; // another memory's address, which is told where it is used
    const Stretch own{o.begin, o.bytes ? o.bytes : farBehind};
    if (in.memory.noBase) { // the address is the offset alone; of a variable of the frame's, without its base
        const std::uint64_t window = !info.genericSpace || info.role == Role::LocalDirect ? 0 : home.window;
        if (own.holds(std::uint64_t(in.memory.offset) - window, sizeOf(in)))
            return;
    }
    bound(program, in, home.bound, {object, own, {}});
}

// From where an access of so many bytes, a power of two, which is aligned, begins in one variable of shared memory and ends in
// another.
std::vector<std::uint64_t> placesAcross(const Program& program, std::uint64_t size) {
    std::vector<std::uint64_t> places;
    for (const DeclaredObject& o : program.objects)
        if (const std::uint64_t end = o.begin + o.bytes, at = end & ~(size - 1);
            isShared(o) && o.bytes != 0 && at != end && at >= o.begin)
            places.push_back(at);
    std::sort(places.begin(), places.end());
    return places;
}

bool isPlainAccess(const InstInfo& info) {
    const ptx::Family family = ptx::row(info.is.opcode).family;
    return info.source && info.isMemory && !info.isAsync &&
           (family == ptx::Family::Load || family == ptx::Family::Store || family == ptx::Family::Atomic) &&
           (info.genericSpace || info.space == MemorySpace::Shared || info.space == MemorySpace::Local ||
            info.space == MemorySpace::Constant);
}

} // namespace

Stretch unbroken(const BoundedAccess& b, std::uint64_t at, std::uint32_t size) {
    const auto next = std::upper_bound(b.across->begin(), b.across->end(), at);
    const std::uint64_t begin = next == b.across->begin() ? 0 : *(next - 1) + size;
    return {begin, (next == b.across->end() ? farBehind : *next) - begin};
}

void tellOutside(Exec& x, const Inst& in, std::uint32_t lanes) {
    if (!x.checkMemory)
        return;
    const Program& program = *x.program;
    const BoundedAccess& b = program.bounded[in.memory.site];
    const std::uint64_t frame = in.memory.bound == Bound::Local ? x.frame->localBase : 0, size = sizeOf(in);
    for (; lanes; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const std::uint64_t at = x.address[std::size_t(lane)] - frame;
        const bool leaves =
            b.object != noIndex
                ? !Stretch{b.own.begin, endOf(x, program.objects[b.object]) - b.own.begin}.holds(at, size)
                : std::binary_search(b.across->begin(), b.across->end(), at);
        if (!leaves || !isInMemory(x, in, lane))
            continue;
        if (x.diagnostics->repeated(x, DiagnosticKind::OutsideObject, in.index))
            return;
        return b.object != noIndex ? tellOf(x, in, lane, at, program.objects[b.object]) : tellAcross(x, in, lane, at);
    }
}

void boundDeclared(Program& program) {
    const Origins origins(program);
    const bool looksAtShared = origins.count(ptx::StateSpace::Shared) > 1,
               looksAtConstants = origins.count(ptx::StateSpace::Const) > 1;
    std::map<std::uint32_t, std::shared_ptr<const std::vector<std::uint64_t>>> across; // by the accesses' size
    for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
        const bool looksAtLocals = origins.locals(f) > (f == 0 ? 1 : 0);
        if (!looksAtShared && !looksAtConstants && !looksAtLocals)
            continue;
        const FunctionCode& function = program.functions[f];
        const std::vector<std::uint32_t> ofCode = origins.of(f);
        for (std::uint32_t at = function.first; at < function.end; ++at) {
            Inst& in = program.code[at];
            const InstInfo& info = program.info[at];
            if (!isPlainAccess(info))
                continue;
            if (const std::uint32_t object = ofCode[at - function.first]; object != noIndex) {
                const ptx::StateSpace space = program.objects[object].space;
                if (space == ptx::StateSpace::Shared  ? looksAtShared
                    : space == ptx::StateSpace::Const ? looksAtConstants
                                                      : looksAtLocals)
                    bound(program, in, object);
            } else if (looksAtShared && info.space == MemorySpace::Shared && !info.genericSpace) {
                auto& places = across[sizeOf(in)];
                if (!places)
                    places = std::make_shared<const std::vector<std::uint64_t>>(placesAcross(program, sizeOf(in)));
                if (!places->empty())
                    bound(program, in, Bound::Shared, {noIndex, {}, places});
            }
        }
    }
}

} // namespace warpglass::emulator
