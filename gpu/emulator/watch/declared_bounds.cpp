// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses that leave the variable which their address is of, and stay within the memory: `tile[32]` of 32 elements is
// another variable's. A GPU says nothing of them, nor do the memory's bounds. Where nobody knows which variable is meant, an
// access may still not begin in one and end in the next.
//
// Only accesses that can do so are looked at: not those at a place that the code names and that lies within, nor those of a
// program (of local memory, a kernel) whose only variable is all there is, which the memory's own bounds hold.
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/code/origins.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/past_end.h"
#include "gpu/emulator/watch/program_checks.h"
#include "gpu/launch/kernel_text.h"

#include <algorithm>
#include <bit>
#include <string>

namespace warpglass::emulator {

namespace {

std::uint32_t sizeOf(const Inst& in) {
    return std::uint32_t(in.memory.bytes) * in.memory.elements;
}
std::uint32_t lanesOf(const Exec& x, const Inst& in) {
    return !in.guard ? x.mask : guardMask(x, in);
}
// Without the offset.
std::uint64_t addressOf(Exec& x, const Inst& in, int lane) {
    return in.memory.noBase        ? 0
           : in.memory.wideAddress ? rowAt<const std::uint64_t>(x, in.a)[lane]
                                   : rowAt<const std::uint32_t>(x, in.a)[lane];
}
MessageForm<0> doing(const Exec& x, const Inst& in) {
    const AccessKind kind = x.program->info[in.index].access;
    return kind == AccessKind::Load ? say::Reads : kind == AccessKind::Store ? say::Writes : say::Changes;
}
bool isShared(const DeclaredObject& o) {
    return o.space == ptx::StateSpace::Shared;
}
std::uint64_t endOf(const Exec& x, const DeclaredObject& o) {
    return o.bytes ? o.begin + o.bytes : std::max<std::uint64_t>(o.begin, x.block->shared.size());
}

// "_ZZ4kernPfE4tile" -> "tile".
std::string nameOf(const DeclaredObject& o) {
    std::string name = demangled(o.source->name);
    if (name.empty())
        return o.source->name;
    const std::size_t last = name.rfind("::");
    return last == std::string::npos ? name : name.substr(last + 2);
}

// The element of whatever variable lies there, in the block's memory or that function's frame, counted in so many bytes each.
Message elementAt(const Program& program, std::uint32_t function, std::uint64_t at, std::uint64_t bytes) {
    for (const DeclaredObject& o : program.objects)
        if (o.function == function && at >= o.begin && (o.bytes == 0 || at - o.begin < o.bytes))
            return say::ElementOf(nameOf(o), (at - o.begin) / bytes);
    return say::NoObjectThere;
}

void tellOutside(Exec& x, const Inst& in, int lane, std::uint64_t at, const DeclaredObject& o) {
    const std::uint64_t end = endOf(x, o), each = in.memory.bytes;
    const std::uint32_t size = sizeOf(in);
    const bool before = std::int64_t(at - o.begin) < 0;
    const auto add = [&](const Message& what) {
        x.diagnostics->add(x, DiagnosticKind::OutsideObject, in.index, lane,
                           at + (isShared(o) ? sharedWindow : localWindow), what);
    };
    if (o.source->name.starts_with("__local_depot")) { // the compiler's, of all variables of a function
        const Message all = say::LocalsOf(plainName(x.program->functions[o.function].source->name));
        add(say::OutsideLocals(doing(x, in), size,
                               before ? say::BeforeBegin(o.begin - at, all, o.bytes)
                                      : say::PastEnd(bytesPastEnd(at, size, end), all, o.bytes)));
        return;
    }
    // The first of the elements that lies outside.
    const std::uint64_t elements = (end - o.begin) / each,
                        index = before ? (o.begin - at + each - 1) / each : std::max((at - o.begin) / each, elements),
                        there = before ? o.begin - index * each : o.begin + index * each;
    add(say::OutsideObject(doing(x, in), nameOf(o), (before ? "-" : "") + std::to_string(index), elements, each,
                           elementAt(*x.program, o.function, there, each)));
}

// Whether the memory's own bounds hold it; else it is a fault, which is told by itself.
bool isInMemory(const Exec& x, const DeclaredObject& o, std::uint64_t at, std::uint64_t size) {
    const std::uint64_t place = isShared(o) ? at : at + x.frame->localBase,
                        bytes = isShared(o) ? x.block->shared.size() : x.warp->local.bytes();
    return place <= bytes && bytes - place >= size;
}

// Lanes at work whose access does not lie in the object.
void look(Exec& x, const Inst& in, std::uint32_t lanes, const BoundedAccess& b, std::uint64_t from) {
    const DeclaredObject& o = x.program->objects[b.object];
    const std::uint64_t end = endOf(x, o), size = sizeOf(in),
                        shift = o.begin - from; // from an address to the object's memory
    for (; lanes; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        std::uint64_t at = addressOf(x, in, lane) + shift; // as the memory numbers it, without the frame
        if (!in.memory.wideAddress)
            at = std::uint64_t(std::int64_t(std::int32_t(at)));
        if ((at - o.begin <= end - o.begin && end - at >= size) || !isInMemory(x, o, at, size))
            continue;
        if (!x.diagnostics->repeated(x, DiagnosticKind::OutsideObject, in.index))
            tellOutside(x, in, lane, at, o);
        return;
    }
}

// Whether none of the 32 lies more than `most` behind `from`; those below it lie far behind, as numbers go around.
[[gnu::always_inline]] inline bool allWithin(const std::uint32_t* row, std::uint32_t from, std::uint32_t most) {
    std::uint32_t furthest = 0;
    for (std::size_t lane = 0; lane < 32; ++lane)
        furthest = std::max(furthest, row[lane] - from);
    return furthest <= most;
}
[[gnu::always_inline]] inline bool allWithin(const std::uint64_t* row, std::uint64_t from, std::uint64_t most) {
    std::uint64_t outside = 0; // vector code has no greatest of such
    for (std::size_t lane = 0; lane < 32; ++lane) {
        const std::uint64_t behind = row[lane] - from;
        outside |= behind | (most - behind);
    }
    return outside >> 63 == 0;
}

bool bounded(Exec& x, const Inst& in) {
    const BoundedAccess& b = x.program->bounded[in.memory.site];
    if (x.checkMemory) {
        const std::uint64_t from = b.from + (b.ofFrame ? x.frame->localBase : 0), most = std::uint64_t(b.most);
        const bool within =
            !in.memory.noBase && b.most >= 0 &&
            (in.memory.wideAddress ? allWithin(rowAt<const std::uint64_t>(x, in.a), from, most)
                                   : allWithin(rowAt<const std::uint32_t>(x, in.a), std::uint32_t(from),
                                               std::uint32_t(std::min<std::uint64_t>(most, 0x7fffffff))));
        if (!within) [[unlikely]]
            look(x, in, lanesOf(x, in), b, from);
    }
    return b.run(x, in);
}

// Whether it begins in a variable of shared memory and ends behind it.
bool leavesOne(const Program& program, std::uint64_t at, std::uint32_t size) {
    const auto& all = program.objects; // those of shared memory come first
    const auto end = std::partition_point(all.begin(), all.end(), [](const auto& o) { return o.function == noIndex; });
    const auto next =
        std::upper_bound(all.begin(), end, at, [](std::uint64_t a, const auto& o) { return a < o.begin; });
    if (next == all.begin())
        return false;
    const DeclaredObject& o = *(next - 1);
    return at - o.begin < o.bytes && o.bytes - (at - o.begin) < size;
}

bool whole(Exec& x, const Inst& in) {
    const BoundedAccess& b = x.program->bounded[in.memory.site];
    for (std::uint32_t m = x.checkMemory ? lanesOf(x, in) : 0; m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        const std::uint64_t at = addressOf(x, in, lane) + std::uint64_t(in.memory.offset);
        const std::uint32_t size = sizeOf(in), each = in.memory.bytes;
        if (!leavesOne(*x.program, at, size))
            continue;
        if (!x.diagnostics->repeated(x, DiagnosticKind::OutsideObject, in.index))
            x.diagnostics->add(x, DiagnosticKind::OutsideObject, in.index, lane, sharedWindow + at,
                               say::AcrossObjects(doing(x, in), size, elementAt(*x.program, noIndex, at, each),
                                                  elementAt(*x.program, noIndex, at + size - 1, each)));
        break;
    }
    return b.run(x, in);
}

void put(Program& program, Inst& in, Handler check, BoundedAccess b) {
    b.run = in.run;
    in.memory.site = std::uint32_t(program.bounded.size());
    program.bounded.push_back(b);
    in.run = check;
}

// An access whose address is of this object.
void bound(Program& program, Inst& in, std::uint32_t object) {
    const DeclaredObject& o = program.objects[object];
    const InstInfo& info = program.info[in.index];
    const bool shared = isShared(o);
    if (!info.genericSpace && info.space != (shared ? MemorySpace::Shared : MemorySpace::Local))
        return; // another memory's address, which is told where it is used
    BoundedAccess b;
    b.object = object;
    b.ofFrame = !shared;
    const std::uint64_t window = !info.genericSpace ? 0 : shared ? sharedWindow : localWindow, size = sizeOf(in);
    b.from = o.begin + window - std::uint64_t(in.memory.offset);
    b.most = o.bytes == 0 ? std::int64_t(1) << 30 : std::int64_t(o.bytes) - std::int64_t(size);
    if (in.memory.noBase) { // the address is the offset alone; of a variable of the frame's, without its base
        const std::uint64_t at = std::uint64_t(in.memory.offset) - (info.role == Role::LocalDirect ? 0 : window);
        if (at - o.begin <= std::uint64_t(b.most) && b.most >= 0)
            return;
        if (info.role == Role::LocalDirect)
            b.from = o.begin - std::uint64_t(in.memory.offset);
        b.ofFrame = false;
    }
    put(program, in, &bounded, b);
}

bool isPlainAccess(const InstInfo& info) {
    const ptx::Family family = ptx::row(info.is.opcode).family;
    return info.source && info.isMemory && !info.isAsync &&
           (family == ptx::Family::Load || family == ptx::Family::Store || family == ptx::Family::Atomic) &&
           (info.genericSpace || info.space == MemorySpace::Shared || info.space == MemorySpace::Local);
}

} // namespace

void boundDeclared(Program& program) {
    const Origins origins(program);
    // Of accesses of each size: whether a variable may end in the middle of one that is aligned.
    std::uint64_t ends = 0;
    for (const DeclaredObject& o : program.objects)
        if (isShared(o) && o.bytes != 0)
            ends |= o.begin + o.bytes;
    for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
        const bool looksAtShared = origins.shared() > 1, looksAtLocals = origins.locals(f) > (f == 0 ? 1 : 0);
        if (!looksAtShared && !looksAtLocals)
            continue;
        const FunctionCode& function = program.functions[f];
        const std::vector<std::uint32_t> ofCode = origins.of(f);
        for (std::uint32_t at = function.first; at < function.end; ++at) {
            Inst& in = program.code[at];
            const InstInfo& info = program.info[at];
            if (!isPlainAccess(info))
                continue;
            if (const std::uint32_t object = ofCode[at - function.first]; object != noIndex) {
                if (isShared(program.objects[object]) ? looksAtShared : looksAtLocals)
                    bound(program, in, object);
            } else if (looksAtShared && info.space == MemorySpace::Shared && !info.genericSpace &&
                       (ends & (sizeOf(in) - 1)) != 0) {
                put(program, in, &whole, {});
            }
        }
    }
}

} // namespace warpglass::emulator
