// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/shared_checks.h"
#include "gpu/emulator/async/copies.h"
#include "gpu/emulator/run/bounds.h"
#include "gpu/emulator/run/diagnostics.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <string>
#include <string_view>

namespace warpglass::emulator {

namespace {

std::uint16_t threadOf(const Exec& x, int lane) {
    return std::uint16_t(x.warp->number * 32 + std::uint32_t(lane));
}

// The other party, and what it did where; values as the type of the access at hand has them.
struct Other {
    std::uint16_t thread = 0;
    std::uint32_t position = 0;
    const char* did = "";
    const std::byte* value = nullptr;
};

std::string valueText(const Exec& x, const Inst& in, const std::byte* value) {
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

void race(Exec& x, const Inst& in, int lane, std::uint64_t offset, const Other& other, const char* did,
          const std::byte* value) {
    const bool sameWarp = other.thread / 32u == x.warp->number;
    if (sameWarp && !x.computeSeven)
        return;
    const DiagnosticKind kind = sameWarp ? DiagnosticKind::MissingSyncwarp : DiagnosticKind::SharedRace;
    if (x.diagnostics->repeated(x, kind, in.index))
        return;
    const std::string thread = x.launch->block.at(other.thread).indexText(),
                      place = placeText(*x.program, other.position);
    if (sameWarp)
        x.diagnostics->add(
            x, kind, in.index, lane, sharedWindow + offset,
            fmt::format("A thread {} a word of shared memory (byte {}) that lane {} of the same warp {} at {} with no "
                        "__syncwarp() in between; this is only right while the lanes run in lock-step, which "
                        "compute capability 7.0 and later do not promise",
                        did, offset, other.thread % 32u, other.did, place));
    else
        x.diagnostics->add(
            x, kind, in.index, lane, sharedWindow + offset,
            fmt::format("Two threads race: this one {} {} {} a word of shared memory (byte {}) that thread {} of "
                        "another warp {} ({}) at {} with no __syncthreads() in between, so the result depends on which "
                        "warp comes first",
                        did, valueText(x, in, value), std::string_view(did) == "reads" ? "from" : "to", offset, thread,
                        other.did, valueText(x, in, other.value), place));
}

// Calls f(cell, offset of the cell) for each cell an access covers.
template <class F>
void eachCell(Exec& x, std::uint64_t offset, std::uint32_t bytes, F f) {
    const std::uint64_t grain = x.program->fineShared ? 1 : 4;
    for (std::uint64_t c = offset / grain; c <= (offset + bytes - 1) / grain && c < x.block->cells.size(); ++c)
        if (!f(x.block->cells[c], c * grain))
            return;
}

// Strong accesses do not race with each other.
bool isStrong(const Exec& x, std::uint32_t position) {
    const InstInfo& info = x.program->info[position];
    return info.opClass == OpClass::Atomic || info.is.semantics != ptx::Semantics::Default;
}

// A word that another warp has raised for this one to see.
bool isFlag(const Exec& x, const SharedCell& cell, bool strong) {
    return strong && (cell.strong || cell.atomic) && cell.writeEpoch == x.block->epoch &&
           cell.writer / 32u != x.warp->number;
}

// The element of an access at `offset` that holds byte `at`, as it is in shared memory.
const std::byte* element(const Exec& x, const Inst& in, std::uint64_t offset, std::uint64_t at) {
    const std::uint64_t number = at > offset ? (at - offset) / in.memory.bytes : 0;
    return x.block->shared.data() + offset + number * in.memory.bytes;
}

bool ordered(const Exec& x, std::uint16_t other, std::uint16_t sync) {
    return other / 32u == x.warp->number && sync != std::uint16_t(x.warp->syncEpoch);
}

} // namespace

void checkSharedLoad(Exec& x, const Inst& in, std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                     std::uint32_t bytes) {
    const std::uint32_t epoch = x.block->epoch;
    const bool word = bytes == 4 && !x.program->fineShared, strong = in.memory.isStrong;
    bool orders = false;
    for (; lanes; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const std::uint16_t me = threadOf(x, lane);
        if (word && !strong) { // nothing to say: the common case, kept short
            SharedCell& cell = x.block->cells[offsets[std::size_t(lane)] / 4];
            if (cell.writeEpoch >= x.block->firstEpoch &&
                (cell.writeEpoch != epoch || cell.writer == me || cell.atomic)) {
                cell.readEpoch = epoch;
                cell.reader = me;
                cell.readAt = in.index;
                continue;
            }
        }
        eachCell(x, offsets[std::size_t(lane)], bytes, [&](SharedCell& cell, std::uint64_t at) {
            if (cell.writeEpoch < x.block->firstEpoch) {
                if (const PendingCopy* copy = copyInto(*x.block, at)) {
                    tellEarlyRead(x, in, lane, at, *copy);
                    return false;
                }
                hintUninitialised(x, in, lane, sharedWindow + at, MemorySpace::Shared, "shared memory");
                return false;
            }
            if (isFlag(x, cell, strong)) { // what was done before it was raised is done
                orders = true;
            } else if (cell.writeEpoch == epoch && cell.writer != me && !cell.atomic &&
                       !ordered(x, cell.writer, cell.writeSync)) {
                const std::byte* value = element(x, in, offsets[std::size_t(lane)], at);
                race(x, in, lane, at, {cell.writer, cell.writtenAt, "wrote", value}, "reads", value);
            }
            cell.readEpoch = epoch;
            cell.reader = me;
            cell.readAt = in.index;
            return true;
        });
    }
    if (orders)
        ++x.block->epoch;
}

void checkSharedStore(Exec& x, const Inst& in, std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                      std::uint32_t bytes) {
    const std::uint32_t epoch = x.block->epoch;
    const std::uint32_t* rows = in.memory.elements == 1 ? &in.dst : x.program->vectors[in.memory.vector].data();
    const bool word = bytes == 4 && !x.program->fineShared, strong = in.memory.isStrong;
    for (; lanes; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const std::uint16_t me = threadOf(x, lane);
        if (word) {
            SharedCell& cell = x.block->cells[offsets[std::size_t(lane)] / 4];
            if ((cell.writeEpoch != epoch || cell.writer == me) &&
                (cell.readEpoch != epoch || cell.reader / 32u == x.warp->number)) {
                cell.writeEpoch = epoch;
                cell.writer = me;
                cell.writeSync = std::uint16_t(x.warp->syncEpoch);
                cell.writtenAt = in.index;
                cell.atomic = false;
                cell.strong = strong;
                continue;
            }
        }
        const std::uint64_t offset = offsets[std::size_t(lane)];
        eachCell(x, offset, bytes, [&](SharedCell& cell, std::uint64_t at) {
            const std::uint64_t number = at > offset ? (at - offset) / in.memory.bytes : 0;
            const std::byte* value = x.rows + rows[number] + std::size_t(lane) * in.memory.rowBytes;
            const std::byte* old = element(x, in, offset, at);
            if (cell.writeEpoch == epoch && cell.writer != me && !cell.atomic &&
                !ordered(x, cell.writer, cell.writeSync)) {
                const bool sameWarp = cell.writer / 32u == x.warp->number;
                // Equal values do no harm, and code that raises a flag does it all the time.
                const bool flags = strong && cell.strong;
                if (!sameWarp && !flags && std::memcmp(value, old, in.memory.bytes) != 0)
                    race(x, in, lane, at, {cell.writer, cell.writtenAt, "also wrote", old}, "writes", value);
            }
            // Lock-step reads come before the write, as the program says; only another warp's reads are unordered.
            if (cell.readEpoch == epoch && cell.reader != me && cell.reader / 32u != x.warp->number &&
                !(strong && isStrong(x, cell.readAt)))
                race(x, in, lane, at, {cell.reader, cell.readAt, "read", old}, "writes", value);
            cell.writtenAt = in.index;
            cell.writeEpoch = epoch;
            cell.writer = me;
            cell.writeSync = std::uint16_t(x.warp->syncEpoch);
            cell.atomic = false;
            cell.strong = strong;
            return true;
        });
    }
}

void markSharedAtomic(Exec& x, const Inst& in, std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                      std::uint32_t bytes) {
    bool orders = false; // a lock that another warp has had
    for (; lanes; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        eachCell(x, offsets[std::size_t(lane)], bytes, [&](SharedCell& cell, std::uint64_t) {
            orders |= in.memory.hasResult && isFlag(x, cell, true);
            cell.writeEpoch = x.block->epoch;
            cell.writer = threadOf(x, lane);
            cell.writeSync = std::uint16_t(x.warp->syncEpoch);
            cell.writtenAt = in.index;
            cell.atomic = true;
            return true;
        });
    }
    if (orders)
        ++x.block->epoch;
    if (in.memory.hasResult)
        ++x.warp->syncEpoch; // lanes of this warp take locks from each other, too
}

void checkVolatileGlobal(Exec& x, const Inst& in, std::uint32_t lanes, bool isStore) {
    if (!x.computeSeven)
        return;
    auto& stores = x.warp->volatileStores;
    if (isStore) {
        if (stores.size() > bounds.volatileStores) // no warp-synchronous tail: a polling loop
            stores.clear();
        for (; lanes; lanes &= lanes - 1) {
            const int lane = std::countr_zero(lanes);
            stores[x.address[std::size_t(lane)]] = {std::uint32_t(lane)};
        }
        return;
    }
    if (stores.empty() || x.diagnostics->repeated(x, DiagnosticKind::MissingSyncwarp, in.index))
        return;
    for (; lanes; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const auto s = stores.find(x.address[std::size_t(lane)]);
        if (s == stores.end() || s->second.lane == std::uint32_t(lane))
            continue;
        x.diagnostics->add(x, DiagnosticKind::MissingSyncwarp, in.index, lane, s->first,
                           fmt::format("A thread reads through a volatile pointer what lane {} of the same warp wrote, "
                                       "with no __syncwarp() in between; this is only right while the lanes run in "
                                       "lock-step, which compute capability 7.0 and later do not promise",
                                       s->second.lane));
        return;
    }
}

} // namespace warpglass::emulator
