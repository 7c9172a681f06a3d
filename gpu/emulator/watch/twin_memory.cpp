// SPDX-License-Identifier: GPL-3.0-or-later
// Twins of what lies in memory: loads, stores, atomics that add.
#include "gpu/emulator/state/cluster.h"
#include "gpu/emulator/watch/twin_places.h"
#include "gpu/emulator/watch/twin_watch.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpglass::emulator {

using ptx::Type;

namespace {

// The half of a word that begins at that byte, as a number of its own; and put there.
TwinWord halfOf(const TwinWord& word, std::uint64_t byte) {
    TwinWord half;
    half.bits = byte % 4 ? word.bits >> 16 : word.bits & 0xffff;
    half.low = byte % 4 ? word.high : word.low;
    if (half.low.type != Type::F16 && half.low.type != Type::BF16)
        half.low.type = Type::None;
    return half;
}

} // namespace

TwinWatch::Place TwinWatch::placeOf(Exec& x, const Inst& in, int lane, std::uint64_t bytes) {
    const MemoryPart& part = in.memory;
    const auto n = std::size_t(lane);
    std::uint64_t at = std::uint64_t(part.offset);
    if (!part.noBase)
        at = part.wideAddress ? rowAt<const std::uint64_t>(x, in.a)[n] + at
                              : std::uint32_t(rowAt<const std::uint32_t>(x, in.a)[n] + std::uint32_t(at));
    const InstInfo& info = x.program->info[in.index];
    MemorySpace space = info.space;
    if (info.genericSpace) {
        const Window window = windowOf(at);
        space = window == Window::Global   ? MemorySpace::Global
                : window == Window::Shared ? MemorySpace::Shared
                : window == Window::Local  ? MemorySpace::Local
                                           : MemorySpace::Constant;
        at -= window == Window::Shared ? sharedWindow : window == Window::Local ? localWindow : 0;
    } else if (space == MemorySpace::Local && part.noBase) {
        at += x.frame->localBase;
    }
    Place place;
    place.at = at;
    const Owner owner{nullptr, x.program, 0, x.launch->launch, x.warp->number, x.block->index};
    switch (space) {
    case MemorySpace::Global:
        place.bytes = x.global->find(at, bytes, x.hint).bytes();
        place.room = place.bytes ? &m_global : nullptr;
        break;
    case MemorySpace::Shared: {
        if (at >> clusterRankShift) // another block's
            break;
        place.bytes = x.block->shared.find(at, bytes);
        Owner shared = owner;
        shared.what = x.block;
        shared.warp = 0;
        place.room = place.bytes ? &roomOf(m_shared, shared) : nullptr;
        break;
    }
    case MemorySpace::Local: {
        Owner local = owner;
        local.what = x.warp;
        place.room = &roomOf(m_local, local);
        place.lane = std::uint32_t(lane);
        place.lanes = 32;
        break;
    }
    default:
        break;
    }
    return place;
}

bool TwinWatch::access(Exec& x, const Inst& in, const Step& s, std::uint32_t m) {
    const bool isStore = x.program->info[in.index].access == AccessKind::Store;
    const std::uint64_t bytes = in.memory.bytes, all = bytes * in.memory.elements;
    std::array<Place, 32> places;
    eachLane(m, [&](int lane) { places[std::size_t(lane)] = placeOf(x, in, lane, all); });
    if (!s.run(x, in))
        return false;
    forget(x, s, m);
    const Row* const rows = dataRows(x, in);
    const auto load = [&](const Place& place, int lane, const Part& part, std::uint64_t byte) {
        if (const TwinWord* const word = place.room->find(place.wordOf(byte)))
            give(x, part, lane, bytes == 2 ? 2 : 4, bytes == 2 ? halfOf(*word, place.at + byte) : *word);
    };
    const auto store = [&](const Place& place, int lane, const Part& part, std::uint64_t byte, std::uint32_t by) {
        const TwinWord own = take(x, part, lane, bytes == 2 ? 2 : 4);
        TwinWord* word = place.room->find(place.wordOf(byte));
        if (!word && own.isEmpty())
            return;
        if (!word)
            word = &place.room->at(place.wordOf(byte));
        if (bytes != 2) {
            *word = own;
        } else {
            const int shift = (place.at + byte) % 4 ? 16 : 0;
            if (word->low.type == Type::F32 || word->low.type == Type::F64)
                word->clear();
            (shift ? word->high : word->low) = own.low;
            word->bits = (word->bits & (0xffff0000u >> shift)) | own.bits << shift;
            if (place.bytes) // the other half is whoever's
                std::memcpy(shift ? reinterpret_cast<std::byte*>(&word->bits)
                                  : reinterpret_cast<std::byte*>(&word->bits) + 2,
                            place.bytes + byte + (shift ? -2 : 2), 2);
        }
        word->by = by;
    };
    eachLane(m, [&](int lane) {
        const Place& place = places[std::size_t(lane)];
        if (!place.room || place.at % (bytes == 8 ? 4 : bytes) != 0)
            return;
        for (std::uint32_t e = 0; e < in.memory.elements; ++e) {
            if (rows[e] == noRow)
                continue;
            for (std::uint64_t k = 0; k < bytes; k += 4) {
                const Part part{byteOf(rows[e]), in.memory.rowBytes, std::uint8_t(k)};
                if (isStore)
                    store(place, lane, part, e * bytes + k, numberOf(in) * 8 + e);
                else
                    load(place, lane, part, e * bytes + k);
            }
        }
    });
    return true;
}

// An atomic that adds: all lanes' numbers to what was there, in whatever order.
bool TwinWatch::add(Exec& x, const Inst& in, const Step& s, std::uint32_t m) {
    const Type type = s.result.type;
    const std::size_t numbers = numbersIn(type);
    struct Target {
        Place place;
        std::uint32_t lanes = 0;
        std::array<Value, 2> before;
    };
    std::vector<Target> targets;
    std::array<std::array<Value, 2>, 32> added;
    eachLane(m, [&](int lane) {
        for (std::size_t k = 0; k < numbers; ++k)
            added[std::size_t(lane)][k] = numberAt(x, {in.b, type}, lane, k);
        const Place place = placeOf(x, in, lane, in.memory.bytes);
        if (!place.room || place.at % in.memory.bytes != 0)
            return;
        const auto same = std::ranges::find_if(
            targets, [&](const Target& t) { return t.place.room == place.room && t.place.at == place.at; });
        if (same != targets.end()) {
            same->lanes |= 1u << lane;
            return;
        }
        Target& target = targets.emplace_back();
        target.place = place;
        target.lanes = 1u << lane;
        const std::uint64_t odd = place.at % 4;
        const TwinWord* word = place.room->find(place.wordOf(0));
        if (word && (odd || in.memory.bytes == 2 || word->bits != twinValueAt<std::uint32_t>(place.bytes)))
            word = nullptr;
        for (std::size_t k = 0; k < numbers; ++k) {
            const NumberPlace at = placeIn(type, 0, k);
            Value& before = target.before[k];
            before.real = realOf(place.bytes + at.byte, at.type);
            if (word)
                before.number = at.byte ? word->high : word->low;
            if (before.number.type != at.type)
                before.number = anew(before.real, at.type);
        }
    });
    if (!s.run(x, in))
        return false;
    forget(x, s, m);
    for (const Target& target : targets) {
        const Place& place = target.place;
        TwinWord& word = place.room->at(place.wordOf(0));
        word.clear();
        if (in.memory.bytes != 4)
            continue;
        word.bits = twinValueAt<std::uint32_t>(place.bytes);
        word.by = numberOf(in) * 8;
        const int first = std::countr_zero(target.lanes);
        for (std::size_t k = 0; k < numbers; ++k) {
            const NumberPlace at = placeIn(type, 0, k);
            const Value& before = target.before[k];
            Value result{realOf(place.bytes + at.byte, at.type), before.number};
            TwinNumber& n = result.number;
            n.rounded = n.lost = noIndex;
            n.digits = std::min(twinDigits(type), twinError(before.real, n.twin) == 0 ? twinDigits(type) : n.digits);
            double ideal = before.real, worst = twinError(before.real, before.number.twin);
            const TwinNumber* from = worst > 0 ? &before.number : nullptr;
            eachLane(target.lanes, [&](int lane) {
                const Value& one = added[std::size_t(lane)][k];
                ideal += one.real;
                n.twin += one.number.twin;
                n.scale = std::max(n.scale, one.number.scale);
                const double error = twinError(one.real, one.number.twin);
                if (error > 0)
                    n.digits = std::min(n.digits, one.number.digits);
                if (error > worst) {
                    worst = error;
                    from = &one.number;
                }
            });
            n.scale = std::max(n.scale, float(std::fabs(n.twin)));
            settle(x, in, first, result, ideal, worst, from, {{before, added[std::size_t(first)][k]}, 2});
            (at.byte ? word.high : word.low) = n;
        }
    }
    return true;
}

} // namespace warpglass::emulator
