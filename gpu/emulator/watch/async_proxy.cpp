// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/async_proxy.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/object_text.h"
#include "gpu/emulator/state/async_state.h"
#include "gpu/emulator/watch/early_reads.h"
#include "gpu/emulator/watch/global_races.h"
#include "gpu/emulator/watch/stages.h"

#include <algorithm>
#include <span>

namespace warpglass::emulator {

namespace {

ProxyFences& fencesOf(BlockState& block) {
    ProxyFences& f = asyncOf(block).fences;
    const SharedNotes& notes = block.notes;
    if (f.lanes.empty()) {
        f.lanes.resize(block.warpCount);
        f.renumberings = notes.renumberings();
    } else if (f.renumberings != notes.renumberings()) { // what was before is let go
        f.all = notes.nextOne();
        f.lanes.assign(f.lanes.size(), {});
        f.renumberings = notes.renumberings();
    }
    return f;
}

bool proxyFence(Exec& x, const Inst& in) {
    const std::uint32_t m = in.guard ? guardMask(x, in) : x.mask;
    if (m == 0)
        return true;
    if (x.races)
        x.races->fence(x, in);
    if (!x.checkMemory || !x.program->readsByProxy)
        return true;
    SharedNotes& notes = x.block->notes;
    notes.enter(x.block->epoch);
    ProxyFences& f = fencesOf(*x.block);
    // What whoever wrote before the last barrier is before this fence, too.
    f.all = std::max(f.all, notes.firstOfEpoch());
    const Note next = notes.nextOne();
    eachLane(m, [&](int lane) { f.lanes[x.warp->number][std::size_t(lane)] = next; });
    notes.beginAnew();
    return true;
}

// The first note of the block that is a thread's own: before it is what came by copies.
Note firstOwn(const SharedNotes& notes) {
    return notes.firstOfBlock() + (Note(1) << NoteBits::shift);
}

std::uint32_t threadOf(Note note) {
    return note & NoteBits::thread;
}

// Lanes of the asking warp may have met behind the writes, and one of them have made the fence for all.
bool isFenced(const Exec& x, const BlockState& block, const ProxyFences& f, Note note) {
    const auto& lanes = f.lanes[threadOf(note) / 32];
    if (note < f.all || note < lanes[threadOf(note) % 32])
        return true;
    return x.block == &block && threadOf(note) / 32 == x.warp->number &&
           note < *std::max_element(lanes.begin(), lanes.end());
}

// A store or an atomic by the generic proxy; nothing: by a copy, or nobody knows.
std::optional<std::uint32_t> storeOf(const Exec& x, const BlockState& block, Note note) {
    const auto position = block.notes.positionOf(note);
    if (!position || *position >= x.program->info.size())
        return std::nullopt;
    const InstInfo& info = x.program->info[*position];
    const bool stores = info.isMemory && !info.isAsync && info.access != AccessKind::Load &&
                        (info.genericSpace || info.space == MemorySpace::Shared);
    return stores ? position : std::nullopt;
}

std::uint64_t elementBytes(const Exec& x, std::uint32_t position) {
    const std::uint32_t bytes = x.program->code[position].memory.bytes;
    return bytes ? bytes : 4;
}
Message textOfWritten(const Exec& x, std::uint64_t offset, std::uint32_t position) {
    return sharedText(x, offset, elementBytes(x, position));
}

// Of bytes [offset, offset + bytes): the first cell that a thread stored to without a fence behind. True: there is one, and
// it is told.
bool lacksFence(Exec& x, const Inst& in, int lane, BlockState& block, const ProxyFences& f, Note least,
                std::uint64_t offset, std::uint64_t bytes, const MessageForm<0>& who) {
    const SharedNotes& notes = block.notes;
    const SharedNotes::Range range = notes.range(offset, bytes);
    for (std::size_t cell = range.first; cell < range.end; ++cell) {
        const Note note = notes.lastWrite(cell);
        if (note < least || isFenced(x, block, f, note))
            continue;
        const auto position = storeOf(x, block, note);
        if (!position)
            continue;
        if (!x.diagnostics->repeated(x, DiagnosticKind::AsyncHazard, in.index))
            x.diagnostics->add(x, DiagnosticKind::AsyncHazard, in.index, lane, sharedWindow + cell * notes.grain(),
                               say::NoProxyFence(who, textOfWritten(x, cell * notes.grain(), *position),
                                                 x.launch->block.at(threadOf(note)).indexText(),
                                                 placeText(*x.program, *position)));
        return true;
    }
    return false;
}

// Notes that may lack a fence, if there are any in these cells.
std::optional<Note> mayLackFence(BlockState& block, SharedNotes::Range range) {
    SharedNotes& notes = block.notes;
    Note least = firstOwn(notes);
    if (!notes.anyWrittenSince(least))
        return std::nullopt;
    least = std::max(least, fencesOf(block).all);
    if (!notes.anyWrittenSince(least) || notes.latestWrite(range.first, range.end).note < least)
        return std::nullopt;
    return least;
}

bool meet(std::uint64_t a, std::uint64_t aEnd, std::uint64_t b, std::uint64_t bEnd) {
    return a < bEnd && b < aEnd;
}

// The first byte of the copy's target that another one, still under way, reads or writes.
struct Met {
    std::uint64_t offset = 0;
    std::uint32_t position = 0;
};
std::optional<Met> copyMet(const BlockState& target, const PendingCopy& copy) {
    const auto meets = [&](const PendingCopy& other, bool source) -> std::optional<Met> {
        for (const CopyPiece& p : copy.pieces)
            for (const CopyPiece& o : other.pieces) {
                const std::uint64_t at = source ? o.from : o.to;
                if (meet(p.to, p.to + p.bytes, at, at + o.bytes))
                    return Met{std::max(p.to, at), other.position};
            }
        return std::nullopt;
    };
    for (const PendingCopy& other : target.async->pending) {
        const bool reads = other.from == MemorySpace::Shared && !other.fromValues && other.source == &target;
        const bool writes = other.to == MemorySpace::Shared && !other.target && other.operation == ptx::Operation::None;
        if (reads && copy.writes.meets(other.reads))
            if (const auto met = meets(other, true))
                return met;
        if (writes && copy.writes.meets(other.writes))
            if (const auto met = meets(other, false))
                return met;
    }
    return std::nullopt;
}

std::optional<Met> productMet(const BlockState& target, const PendingCopy& copy) {
    const std::uint64_t grain = target.notes.grain();
    for (const ProductReads& product : target.async->products)
        for (const SharedNotes::Range& r : product.cells)
            for (const CopyPiece& p : copy.writes.meets(r.first * grain, r.end * grain) ? std::span(copy.pieces)
                                                                                        : std::span<const CopyPiece>())
                if (meet(p.to, p.to + p.bytes, r.first * grain, r.end * grain))
                    return Met{std::max<std::uint64_t>(p.to, r.first * grain), product.position};
    return std::nullopt;
}

// What threads of other warps did since the last barrier where the copy is to go.
void tellCopyRaces(Exec& x, const Inst& in, BlockState& block, const PendingCopy& copy) {
    SharedNotes& notes = block.notes;
    notes.enter(block.epoch);
    const Note epoch = notes.firstOfEpoch();
    const bool written = notes.anyWrittenSince(epoch), read = notes.anyReadSince(epoch);
    if (!written && !read)
        return;
    const auto tell = [&](std::uint64_t offset, std::uint32_t thread, std::uint32_t position,
                          const MessageForm<0>& did) {
        if (!x.diagnostics->repeated(x, DiagnosticKind::AsyncHazard, in.index))
            x.diagnostics->add(
                x, DiagnosticKind::AsyncHazard, in.index, std::countr_zero(x.mask), sharedWindow + offset,
                say::CopyRaces(textOfWritten(x, offset, position), x.launch->block.at(thread).indexText(), did,
                               placeText(*x.program, position)));
    };
    for (const CopyPiece& p : copy.pieces) {
        const SharedNotes::Range range = notes.range(p.to, p.bytes);
        for (std::size_t cell = range.first; cell < range.end; ++cell) {
            const WriteNote w = notes.written(cell);
            if (written && w.when == Noted::Now && !w.atomic && w.thread / 32u != x.warp->number)
                return tell(cell * notes.grain(), w.thread, w.at, say::DidWrite);
            if (!read)
                continue;
            const ReadNote r = notes.read(cell);
            if (r.now && r.thread / 32u != x.warp->number)
                return tell(cell * notes.grain(), r.thread, r.at, say::DidRead);
        }
    }
}

// A product's stretch of memory in cells, unless it is mostly gaps.
SharedNotes::Range cellsOf(const SharedNotes& notes, const MatrixPieces& m, const Hull& hull) {
    constexpr std::uint64_t mostGaps = 4; // of rows of 128 bytes an instruction takes 32
    const SharedNotes::Range range = notes.range(hull.first, hull.end - hull.first);
    return hull.end > hull.first && hull.end - hull.first <= mostGaps * m.bytes() ? range : SharedNotes::Range{};
}

Hull hullOf(const MatrixPieces& m) {
    constexpr std::uint64_t together = 128; // a swizzle exchanges pieces of so many bytes
    Hull hull;
    for (const std::uint64_t at :
         {m.at(0, 0), m.at(m.lines - 1, 0), m.at(0, m.pieces - 1), m.at(m.lines - 1, m.pieces - 1)})
        hull.add(at / together * together, together);
    return hull;
}

// Whether a copy that nobody has waited for is to bring some of this; told then.
bool comesEarly(Exec& x, const Inst& in, std::uint64_t offset) {
    const SharedNotes& notes = x.block->notes;
    const SharedNotes::Range range = notes.range(offset, 16);
    for (std::size_t cell = range.first; cell < range.end; ++cell) {
        const std::uint64_t at = cell * notes.grain();
        const auto copy = notes.lastWrite(cell) < notes.firstOfBlock() ? copyInto(*x.block, at) : std::nullopt;
        if (!copy)
            continue;
        if (!x.diagnostics->repeated(x, DiagnosticKind::AsyncHazard, in.index))
            x.diagnostics->add(x, DiagnosticKind::AsyncHazard, in.index, -1, sharedWindow + at,
                               say::EarlyOperand(sharedText(x, at, 4), copy->warp,
                                                 placeText(*x.program, copy->position),
                                                 copy->tellsBarrier ? say::NeedsMbarrier : say::NeedsGroup));
        return true;
    }
    return false;
}

} // namespace

Handler proxyFenceHandler() {
    return &proxyFence;
}

Message sharedText(const Exec& x, std::uint64_t offset, std::uint64_t bytes) {
    return sharedElementAt(*x.program, offset, bytes);
}

void readByProxy(Exec& x, const Inst& in, int lane, BlockState& block, std::uint64_t offset, std::uint64_t bytes,
                 const MessageForm<0>& who) {
    if (!x.checkMemory || !x.program->readsByProxy)
        return;
    block.notes.enter(block.epoch);
    if (const auto least = mayLackFence(block, block.notes.range(offset, bytes)))
        lacksFence(x, in, lane, block, fencesOf(block), *least, offset, bytes, who);
}

void readByProduct(Exec& x, const Inst& in, std::span<const MatrixPieces> matrices) {
    BlockState& block = *x.block;
    SharedNotes& notes = block.notes;
    notes.enter(block.epoch);
    AsyncState& state = asyncOf(block);
    ProductReads reads{x.warp->number, in.index, state.warps[x.warp->number].products, 0, {}};
    const bool copies = std::any_of(state.pending.begin(), state.pending.end(),
                                    [](const PendingCopy& c) { return c.to == MemorySpace::Shared; });
    for (std::size_t k = 0; k < matrices.size(); ++k) {
        const MatrixPieces& m = matrices[k];
        const Hull hull = hullOf(m);
        readStage(x, in, hull, true);
        const SharedNotes::Range range = notes.range(hull.first, hull.end - hull.first);
        reads.cells[k] = cellsOf(notes, m, hull);
        const auto least = mayLackFence(block, range);
        const bool early = copies && notes.latestWrite(range.first, range.end).someNever;
        bool told = !least && !early;
        for (std::uint32_t piece = 0; piece < m.lines * m.pieces && !told; ++piece) {
            const std::uint64_t at = m.at(piece / m.pieces, piece % m.pieces);
            told = (early && comesEarly(x, in, at)) ||
                   (least && lacksFence(x, in, -1, block, fencesOf(block), *least, at, 16, say::TheProduct));
        }
    }
    if (notes.anyWrittenSince(firstOwn(notes)))
        notes.beginAnew();
    reads.since = notes.nextOne();
    state.products.push_back(reads);
    constexpr std::size_t most = 4096; // that a program leaves unwaited for
    if (state.products.size() > most)
        state.products.pop_front();
}

void commitProducts(Exec& x) {
    ++asyncOf(*x.block).warps[x.warp->number].products;
}

void waitForProducts(Exec& x, std::uint32_t keep) {
    if (!x.block->async || x.block->async->products.empty())
        return;
    SharedNotes& notes = x.block->notes;
    AsyncState& state = *x.block->async;
    const std::uint32_t committed = state.warps[x.warp->number].products;
    std::erase_if(state.products, [&](const ProductReads& product) {
        if (product.warp != x.warp->number || product.group + keep >= committed)
            return false;
        for (const SharedNotes::Range& r : product.cells) {
            if (r.first >= r.end || !notes.anyWrittenSince(product.since) ||
                notes.latestWrite(r.first, r.end).note < product.since)
                continue;
            for (std::size_t cell = r.first; cell < r.end; ++cell) {
                const Note note = notes.lastWrite(cell);
                const auto position = note >= product.since ? storeOf(x, *x.block, note) : std::nullopt;
                if (!position)
                    continue;
                if (!x.diagnostics->repeated(x, DiagnosticKind::AsyncHazard, product.position))
                    x.diagnostics->add(x, DiagnosticKind::AsyncHazard, product.position, -1,
                                       sharedWindow + cell * notes.grain(),
                                       say::ProductOverwritten(textOfWritten(x, cell * notes.grain(), *position),
                                                               x.launch->block.at(threadOf(note)).indexText(),
                                                               placeText(*x.program, *position)));
                return true;
            }
        }
        return true;
    });
}

void writeByProxy(Exec& x, const Inst& in, BlockState& block, const PendingCopy& copy) {
    if (!x.checkMemory || copy.to != MemorySpace::Shared || copy.operation != ptx::Operation::None)
        return;
    const auto tell = [&](const Met& met, const MessageForm<2>& what) {
        if (!x.diagnostics->repeated(x, DiagnosticKind::AsyncHazard, in.index))
            x.diagnostics->add(x, DiagnosticKind::AsyncHazard, in.index, std::countr_zero(x.mask),
                               sharedWindow + met.offset,
                               what(sharedText(x, met.offset, 4), placeText(*x.program, met.position)));
    };
    if (block.async) {
        if (const auto met = copyMet(block, copy))
            return tell(*met, say::CopyUnderCopy);
        if (const auto met = productMet(block, copy))
            return tell(*met, say::CopyUnderProduct);
    }
    if (&block == x.block && !fillStage(x, in, copy)) // others' barriers are not known here
        tellCopyRaces(x, in, block, copy);
}

std::optional<LastWriter> lastWriter(const Exec& x, const BlockState& block, std::uint64_t offset) {
    const SharedNotes::Range range = block.notes.range(offset, 1);
    if (range.first >= range.end)
        return std::nullopt;
    const Note note = block.notes.lastWrite(range.first);
    const auto position = storeOf(x, block, note);
    return position ? std::optional(LastWriter{threadOf(note), *position}) : std::nullopt;
}

} // namespace warpglass::emulator
