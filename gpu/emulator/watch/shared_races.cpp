// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/shared_races.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/code/dead_loads.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/object_text.h"
#include "gpu/emulator/watch/discarded_loads.h"
#include "gpu/emulator/watch/early_reads.h"
#include "gpu/emulator/watch/stages.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpglass::emulator {

namespace {

std::uint16_t threadOf(const Exec& x, int lane) {
    return std::uint16_t(x.warp->number * 32 + std::uint32_t(lane));
}

// The other party, and what it did where; values as the type of the access at hand has them.
struct Other {
    std::uint16_t thread = 0;
    std::uint32_t position = 0;
    MessageForm<0> did = say::DidWrite;
    const std::byte* value = nullptr;
};

std::string valueText(const Exec& x, const Inst& in, const std::byte* value) {
    if (in.memory.bytes == 16) {
        std::uint64_t halves[2];
        std::memcpy(halves, value, sizeof halves);
        return fmt::format("0x{:016x}{:016x}", halves[1], halves[0]);
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, value, in.memory.bytes);
    switch (x.program->info[in.index].is.type()) {
    case ptx::Type::F32:
        return fmt::format("{}", std::bit_cast<float>(std::uint32_t(bits)));
    case ptx::Type::F64:
        return fmt::format("{}", std::bit_cast<double>(bits));
    default: {
        const int shift = 64 - 8 * in.memory.bytes;
        return fmt::format("{}", std::int64_t(bits << shift) >> shift);
    }
    }
}

void race(Exec& x, const Inst& in, int lane, std::uint64_t offset, const Other& other, MessageForm<0> does,
          const std::byte* value) {
    const bool sameWarp = other.thread / 32u == x.warp->number;
    if (sameWarp && !x.computeSeven)
        return;
    const DiagnosticKind kind = sameWarp ? DiagnosticKind::MissingSyncwarp : DiagnosticKind::SharedRace;
    if (x.diagnostics->repeated(x, kind, in.index))
        return;
    const std::string thread = x.launch->block.at(other.thread).indexText();
    const Message place = placeText(*x.program, other.position),
                  word = sharedElementAt(*x.program, offset, in.memory.bytes);
    if (sameWarp)
        x.diagnostics->add(
            x, kind, in.index, lane, sharedWindow + offset,
            say::NoSyncwarp(does, word,
                            other.thread == threadOf(x, lane) ? say::AnotherLane : say::Lane(other.thread % 32u),
                            other.did, place));
    else {
        const std::string before = valueText(x, in, other.value);
        x.diagnostics->add( // an atomic has no value that is its own to tell
            x, kind, in.index, lane, sharedWindow + offset,
            does.id == say::Changes.id ? say::RaceChanges(word, thread, other.did, before, place)
                                       : (does.id == say::Reads.id ? say::RaceReads : say::RaceWrites)(
                                             valueText(x, in, value), word, thread, other.did, before, place));
    }
}

// With a reader of whom no more is known than that it is of another warp.
void raceWithReader(Exec& x, const Inst& in, int lane, std::uint64_t offset, const std::byte* value) {
    if (!x.diagnostics->repeated(x, DiagnosticKind::SharedRace, in.index))
        x.diagnostics->add(
            x, DiagnosticKind::SharedRace, in.index, lane, sharedWindow + offset,
            say::RaceWithReader(valueText(x, in, value), sharedElementAt(*x.program, offset, in.memory.bytes)));
}

// Calls f(cell, offset of the cell) for each cell an access covers, until it says no.
template <class F>
void eachCell(const Exec& x, std::uint64_t offset, std::uint32_t bytes, F f) {
    const SharedNotes& notes = x.block->notes;
    const SharedNotes::Range range = notes.range(offset, bytes);
    for (std::size_t cell = range.first; cell < range.end; ++cell)
        if (!f(cell, std::uint64_t(cell) * notes.grain()))
            return;
}

// Strong accesses do not race with each other.
bool isStrong(const Exec& x, std::uint32_t position) {
    const InstInfo& info = x.program->info[position];
    return info.opClass == OpClass::Atomic || info.isGuess || info.is.semantics != ptx::Semantics::Default;
}

// A word that another warp has raised for this one to see.
bool isFlag(const Exec& x, const WriteNote& w, bool strong) {
    return strong && (w.strong || w.atomic) && w.when == Noted::Now && w.thread / 32u != x.warp->number;
}

// The element of an access at `offset`, which lies in shared memory, that holds byte `at`, as it is there.
const std::byte* element(const Exec& x, const Inst& in, std::uint64_t offset, std::uint64_t at) {
    const std::uint64_t number = at > offset ? (at - offset) / in.memory.bytes : 0;
    return x.block->shared.find(offset + number * in.memory.bytes, in.memory.bytes);
}

bool ordered(const Exec& x, const WriteNote& w) {
    return w.thread / 32u == x.warp->number && (w.atomic || w.sync != std::uint16_t(x.warp->syncEpoch));
}

// Of lane 0; each other lane's is so much more. It holds until the next one is made.
Note readBy(const Exec& x, const Inst& in) {
    return x.block->notes.readNote(in.index, x.warp->number);
}
Note writtenBy(const Exec& x, const Inst& in, bool atomic, bool strong) {
    const auto sync = std::uint16_t(atomic ? 0 : x.warp->syncEpoch); // nobody asks it of atomics, which move it on
    return x.block->notes.note(in.index, x.warp->number * 32, sync, atomic, strong);
}

// Where lane after lane takes cell after cell, or all take one lane's: the first cell, cells in all, and two to the
// power of shift a lane.
struct NotedRow {
    std::size_t first = 0, cells = 0;
    std::uint32_t shift = 0;
};
NotedRow rowOf(const Exec& x, std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes) {
    const std::uint32_t grain = x.block->notes.grainShift(), each = bytes >> grain;
    return {offsets[std::size_t(std::countr_zero(lanes))] >> grain, each * std::uint32_t(std::popcount(lanes)),
            std::uint32_t(std::countr_zero(each))};
}
// The lanes behind those whose cells are done.
std::uint32_t lanesLeft(std::uint32_t lanes, const NotedRow& row, std::size_t done) {
    if (done == row.cells)
        return 0;
    for (std::size_t n = done >> row.shift; n; --n)
        lanes &= lanes - 1;
    return lanes;
}

// Whether elements of so many bytes are words with a note each.
bool isWords(const Exec& x, std::uint32_t bytes) {
    return x.block->notes.grain() == 4 && (bytes == 4 || bytes == 8 || bytes == 16);
}
ScatteredWords wordsOf(std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes,
                       const ScatteredWords* known) {
    return known ? *known : SharedNotes::scattered(lanes, offsets, bytes);
}

// Lanes of whom there may be something to say. Not inline: most reads do not come here.
[[gnu::noinline]] void readOneByOne(Exec& x, const Inst& in, std::uint32_t lanes, const LaneOffsets& offsets,
                                    std::uint32_t bytes, Note by) {
    SharedNotes& notes = x.block->notes;
    const bool strong = in.memory.isStrong;
    bool orders = false;
    for (; lanes; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const Note own = by + std::uint32_t(lane);
        eachCell(x, offsets[std::size_t(lane)], bytes, [&](std::size_t cell, std::uint64_t at) {
            const WriteNote w = notes.written(cell);
            if (w.when == Noted::Never) {
                if (const auto copy = copyInto(*x.block, at)) {
                    tellEarlyRead(x, in, lane, at, *copy);
                    return false;
                }
                if (!usesAny(x, in, offsets[std::size_t(lane)], at, notes.grain()) || throwsAway(x, in, lane))
                    return true;
                hintUninitialised(x, in, lane, sharedWindow + at, MemorySpace::Shared);
                return false;
            }
            if (isFlag(x, w, strong)) { // what was done before it was raised is done
                orders = true;
            } else if (w.when == Noted::Now && w.thread != threadOf(x, lane) && !ordered(x, w) &&
                       !(w.atomic && x.program->info[in.index].isGuess)) {
                const std::byte* value = element(x, in, offsets[std::size_t(lane)], at);
                race(x, in, lane, at, {w.thread, w.at, w.atomic ? say::DidChange : say::DidWrite, value}, say::Reads,
                     value);
            }
            notes.read(cell, own);
            return true;
        });
    }
    if (orders) {
        ++x.block->epoch;
        meetForStages(*x.block);
    }
}

} // namespace

void judging::lanesRead(Exec& x, const Inst& in, std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes,
                        Lanes order, const ScatteredWords* words) {
    SharedNotes& notes = x.block->notes;
    notes.enter(x.block->epoch);
    const Note by = readBy(x, in);
    const bool strong = in.memory.isStrong;
    if (order != Lanes::Scattered && !strong) {
        const NotedRow row = rowOf(x, lanes, offsets, bytes);
        if (order == Lanes::AtOne) {
            const auto last = std::uint32_t(31 - std::countl_zero(lanes));
            const Note several = (lanes & (lanes - 1)) != 0 ? NoteBits::several : 0;
            if (notes.quietBroadcast(row.first, bytes >> notes.grainShift(), (by + last) | several))
                return;
        } else {
            const Note first = by + std::uint32_t(std::countr_zero(lanes));
            if (notes.quietWholeReads(row.first, row.cells, row.shift, first)) [[likely]]
                return;
            lanes = lanesLeft(lanes, row, notes.quietReads(row.first, row.cells, row.shift, first));
        }
    } else if (order == Lanes::InOrder) {
        const NotedRow row = rowOf(x, lanes, offsets, bytes);
        lanes = lanesLeft(
            lanes, row,
            notes.quietReads(row.first, row.cells, row.shift, by + std::uint32_t(std::countr_zero(lanes)), true));
    }
    if (order == Lanes::Scattered && !strong && isWords(x, bytes))
        lanes = notes.quietScatteredReads(lanes, offsets, wordsOf(lanes, offsets, bytes, words), by);
    if (lanes) [[unlikely]]
        readOneByOne(x, in, lanes, offsets, bytes, by);
}

void judging::lanesWrite(Exec& x, const Inst& in, std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes,
                         Lanes order, const ScatteredWords* words) {
    SharedNotes& notes = x.block->notes;
    notes.enter(x.block->epoch);
    const bool strong = in.memory.isStrong;
    const Note by = writtenBy(x, in, false, strong);
    if (order == Lanes::InOrder) {
        const NotedRow row = rowOf(x, lanes, offsets, bytes);
        const Note first = by + std::uint32_t(std::countr_zero(lanes));
        if (notes.quietWholeWrites(row.first, row.cells, row.shift, first)) [[likely]]
            return;
        lanes = lanesLeft(lanes, row, notes.quietWrites(row.first, row.cells, row.shift, first));
    }
    if (order != Lanes::InOrder && isWords(x, bytes))
        lanes = notes.quietScatteredWrites(lanes, offsets, wordsOf(lanes, offsets, bytes, words), by);
    const Row* rows = in.memory.elements == 1 ? &in.dst : x.program->vectors[in.memory.vector].data();
    for (; lanes; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const Note own = by + std::uint32_t(lane);
        const std::uint64_t offset = offsets[std::size_t(lane)];
        eachCell(x, offset, bytes, [&](std::size_t cell, std::uint64_t at) {
            const std::uint64_t number = at > offset ? (at - offset) / in.memory.bytes : 0;
            if (rows[number] == noRow) // it is not written
                return true;
            const std::byte* value = x.rows + rows[number] + std::size_t(lane) * in.memory.rowBytes;
            const std::byte* old = element(x, in, offset, at);
            const WriteNote w = notes.written(cell);
            if (w.when == Noted::Now && w.thread != threadOf(x, lane) && !w.atomic && !ordered(x, w)) {
                const bool sameWarp = w.thread / 32u == x.warp->number;
                // Equal values do no harm, and code that raises a flag does it all the time.
                const bool flags = strong && w.strong;
                if (!sameWarp && !flags && std::memcmp(value, old, in.memory.bytes) != 0)
                    race(x, in, lane, at, {w.thread, w.at, say::DidAlsoWrite, old}, say::Writes, value);
            }
            // In lock-step reads come before the write, as the program says; lanes that drift apart may read later,
            // until they meet. Who finds the same value either way has no harm of it.
            const ReadNote r = notes.read(cell);
            const bool byOwnWarp = r.thread / 32u == x.warp->number;
            const bool unordered = byOwnWarp ? r.note >= notes.unmet(x.warp->number) &&
                                                   (r.several || r.thread != threadOf(x, lane)) &&
                                                   std::memcmp(value, old, in.memory.bytes) != 0
                                             : !(strong && isStrong(x, r.at));
            if (r.now && unordered)
                race(x, in, lane, at, {r.thread, r.at, say::DidRead, old}, say::Writes, value);
            if (r.now && r.others && byOwnWarp && !strong)
                raceWithReader(x, in, lane, at, value);
            notes.write(cell, own);
            return true;
        });
    }
}

bool judging::columnRead(Exec& x, const Inst& in, const WordColumn& column) {
    SharedNotes& notes = x.block->notes;
    if (notes.grain() != 4 || in.memory.isStrong)
        return false;
    notes.enter(x.block->epoch);
    return notes.columnRead(column, readBy(x, in));
}
bool judging::columnWritten(Exec& x, const Inst& in, const WordColumn& column, StoreNotes& toPut) {
    SharedNotes& notes = x.block->notes;
    if (notes.grain() != 4)
        return false;
    notes.enter(x.block->epoch);
    return notes.columnStored(column, writtenBy(x, in, false, in.memory.isStrong), toPut);
}
bool judging::row(Exec& x, const Inst& in, std::uint32_t offset, std::uint32_t bytes, bool isStore) {
    SharedNotes& notes = x.block->notes;
    const std::uint32_t shift = notes.grainShift(), each = bytes >> shift;
    if (!isStore && in.memory.isStrong)
        return false;
    notes.enter(x.block->epoch);
    const auto every = std::uint32_t(std::countr_zero(each));
    return isStore
               ? notes.quietWholeWrites(offset >> shift, 32 * each, every, writtenBy(x, in, false, in.memory.isStrong))
               : notes.quietWholeReads(offset >> shift, 32 * each, every, readBy(x, in));
}
bool judging::part(Exec& x, const Inst& in, std::uint32_t offset, std::uint32_t lanes, bool isStore) {
    SharedNotes& notes = x.block->notes;
    if (notes.grain() != 4 || in.memory.isStrong)
        return false;
    notes.enter(x.block->epoch);
    return isStore ? notes.quietPartWrites(offset / 4, x.laneBits.data(), writtenBy(x, in, false, false))
                   : notes.quietPartReads(offset / 4, lanes, x.laneBits.data(), readBy(x, in));
}

namespace {

using Stored = std::vector<std::pair<std::size_t, WriteNote>>; // by cell

// An atomic takes what is there, as a load does, and stores, as a store does; only other atomics it does not race with.
// Gives what the warp itself stored there: other warps race with that.
Stored lookAtAtomic(Exec& x, const Inst& in, std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes) {
    SharedNotes& notes = x.block->notes;
    Stored own;
    const bool takes = x.program->info[in.index].is.operation != ptx::Operation::Exch ||
                       (in.memory.hasResult && !x.diagnostics->ask(&isUnused, *x.program, in));
    for (; lanes; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const std::uint64_t offset = offsets[std::size_t(lane)];
        if (!x.block->shared.find(offset, bytes))
            continue; // told elsewhere, or another block's
        eachCell(x, offset, bytes, [&](std::size_t cell, std::uint64_t at) {
            const std::byte* value = element(x, in, offset, at);
            const WriteNote w = notes.written(cell);
            if (w.when == Noted::Never && takes) {
                hintUninitialised(x, in, lane, sharedWindow + at, MemorySpace::Shared);
                return false;
            }
            if (w.when == Noted::Now && !w.atomic && !w.strong) {
                if (w.thread / 32u == x.warp->number)
                    own.emplace_back(cell, w);
                else
                    race(x, in, lane, at, {w.thread, w.at, say::DidWrite, value}, say::Changes, value);
            }
            const ReadNote r = notes.read(cell);
            if (r.now && r.thread / 32u != x.warp->number && !isStrong(x, r.at))
                race(x, in, lane, at, {r.thread, r.at, say::DidRead, value}, say::Changes, value);
            return true;
        });
    }
    return own;
}
// After its own notes are made. The next atomics of the warp are looked at, too.
void putBack(Exec& x, const Stored& own, Note by) {
    if (!own.empty())
        x.block->notes.forgetAtomics(x.warp->number, by); // by is good until the next note is made
    for (const auto& [cell, note] : own)
        x.block->notes.write(cell, note);
}

// Whether all of this was stored by the warp itself in this epoch, plainly, and read by no other: nothing is to be told,
// and the notes are to stay.
bool allOwn(const Exec& x, std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes) {
    SharedNotes& notes = x.block->notes;
    bool all = true;
    for (; all && lanes; lanes &= lanes - 1) {
        const std::uint64_t offset = offsets[std::size_t(std::countr_zero(lanes))];
        if (!x.block->shared.find(offset, bytes))
            return false;
        eachCell(x, offset, bytes, [&](std::size_t cell, std::uint64_t) {
            const WriteNote w = notes.written(cell);
            const ReadNote r = notes.read(cell);
            all = all && w.when == Noted::Now && !w.atomic && !w.strong && w.thread / 32u == x.warp->number &&
                  (!r.now || (r.thread / 32u == x.warp->number && !r.others));
            return all;
        });
    }
    return all;
}

} // namespace

// Of atomics whose old value nobody wants.
bool judging::columnUpdated(Exec& x, const Inst& in, const WordColumn& column) {
    SharedNotes& notes = x.block->notes;
    if (notes.grain() != 4 || in.memory.hasResult)
        return false;
    notes.enter(x.block->epoch);
    const Note by = writtenBy(x, in, true, false);
    const std::uint32_t warp = x.warp->number;
    const SharedNotes::Places places{column.lowest, reinterpret_cast<std::uintptr_t>(column.above)};
    if (notes.areOwn(warp, places))
        return true;
    if (!notes.isNews(warp, by))
        return notes.columnUpdated(column, by);
    LaneOffsets offsets;
    for (std::size_t lane = 0; lane < offsets.size(); ++lane)
        offsets[lane] = column.lowest + (*column.above)[lane];
    if (notes.quietAtomics(~0u, offsets, 4 * column.each, by)) {
        notes.keepAtomics(warp, by);
        return notes.columnUpdated(column, by);
    }
    const bool own = allOwn(x, ~0u, offsets, 4 * column.each);
    if (own)
        notes.keepOwn(warp, places);
    return own;
}

void judging::lanesUpdate(Exec& x, const Inst& in, std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes,
                          Lanes order, bool within, const ScatteredWords* words) {
    SharedNotes& notes = x.block->notes;
    notes.enter(x.block->epoch);
    const Note by = writtenBy(x, in, true, false);
    const std::uint32_t warp = x.warp->number, looked = order == Lanes::AtOne ? lanes & (~lanes + 1) : lanes;
    Stored own;
    if (notes.isNews(warp, by)) {
        const SharedNotes::Places places{offsets[std::size_t(std::countr_zero(lanes))],
                                         lanes | std::uint64_t(order == Lanes::AtOne) << 32};
        const bool known = order != Lanes::Scattered && notes.areOwn(warp, places);
        if (!known && within && isWords(x, bytes) && notes.quietAtomics(looked, offsets, bytes, by)) {
            notes.keepAtomics(warp, by);
        } else if (known || (order != Lanes::Scattered && allOwn(x, looked, offsets, bytes))) {
            notes.keepOwn(warp, places);
            if (in.memory.hasResult)
                lanesMeet(x);
            return;
        } else {
            own = lookAtAtomic(x, in, looked, offsets, bytes);
            notes.keepAtomics(warp, by);
        }
    }
    bool flags = false; // a lock that another warp has had
    if (order == Lanes::InOrder) {
        const int first = std::countr_zero(lanes);
        const SharedNotes::Range range = // not yet known to lie within the memory
            notes.range(offsets[std::size_t(first)], std::uint64_t(bytes) * std::uint32_t(std::popcount(lanes)));
        flags = notes.atomics(range.first, range.end - range.first, rowOf(x, lanes, offsets, bytes).shift,
                              by + std::uint32_t(first));
    } else if (order == Lanes::Scattered && within && isWords(x, bytes)) {
        const ScatteredWords all = wordsOf(lanes, offsets, bytes, words);
        if (in.memory.hasResult)
            flags = notes.scatteredAtomics(lanes, offsets, all, by);
        else
            notes.scatteredUpdates(lanes, offsets, all, by);
    } else {
        if (order == Lanes::AtOne)
            lanes = std::bit_floor(lanes); // the last one's note stays
        for (; lanes; lanes &= lanes - 1) {
            const int lane = std::countr_zero(lanes);
            const SharedNotes::Range range = notes.range(offsets[std::size_t(lane)], bytes);
            flags |= notes.atomics(range.first, range.end - range.first, 5, by + std::uint32_t(lane));
        }
    }
    putBack(x, own, by);
    if (in.memory.hasResult) {
        if (flags) {
            ++x.block->epoch;
            meetForStages(*x.block);
        }
        lanesMeet(x); // lanes of this warp take locks from each other, too
    }
}

void lanesMeet(Exec& x) {
    ++x.warp->syncEpoch;
    whatLanesReadIsRead(x);
}

} // namespace warpglass::emulator
