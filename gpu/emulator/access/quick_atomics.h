// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics of a whole warp that lie as most do, made without asking lane by lane. Each answers false where something is
// otherwise, and has done nothing then.
#pragma once

#include "gpu/emulator/access/access.h"
#include "gpu/emulator/access/atomic_rows.h"
#include "gpu/emulator/access/atomic_values.h"
#include "gpu/emulator/lanes/products.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/state/warp.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warpglass::emulator {

// The rows of one element of the operands.
struct AtomicRows {
    Row result = noRow, b, c;
};
// In line: twelve bytes would come back in pieces that have to wait for each other.
[[gnu::always_inline]] inline AtomicRows rowsOf(const Exec& x, const Inst& in, std::uint32_t element) {
    if (in.memory.elements == 1)
        return {in.memory.hasResult ? in.dst : noRow, in.b, in.c};
    const auto& vectors = x.program->vectors; // the operand's, then the result's
    return {
        in.memory.hasResult ? vectors[in.memory.vector + 1][element] : noRow, vectors[in.memory.vector][element], {}};
}

template <class T>
constexpr bool isPlain = std::is_arithmetic_v<T> && sizeof(T) >= 4;
template <class T, Operation op>
constexpr bool addsHalves = std::is_same_v<T, Halves<false, std::uint32_t>>&& op == Operation::Add;
// Sums of floats in global memory flush subnormal numbers.
template <class T, Operation op>
constexpr bool flushesGlobal = std::is_same_v<T, float>&& op == Operation::Add;

// All lanes' words, one behind the other.
template <class T, Operation op, bool flush>
void updateWords(const Exec& x, T* at, const T* b, const T* c, T* before) {
    if constexpr (flush)
        x.passes->addFlushed(at, b, before);
    else if constexpr (addsHalves<T, op>)
        products().addHalves(reinterpret_cast<std::uint16_t*>(at), reinterpret_cast<const std::uint16_t*>(b),
                             reinterpret_cast<std::uint16_t*>(before));
    else if (op == Operation::Exch && before)
        x.passes->exchange(at, b, before, 32 * sizeof(T));
    else if constexpr (op == Operation::Cas && std::is_same_v<T, std::uint32_t>)
        x.passes->swapWords(at, b, c, before);
    else if constexpr (op == Operation::Cas && std::is_same_v<T, std::uint64_t>)
        x.passes->swapLongs(at, b, c, before);
    else
        updateRow<T, op>(at, b, c, before);
}

// Words of shared memory whose old values nobody wants, which lie as they did the time before.
template <class T, Operation op>
bool updateColumn(Exec& x, const Inst& in) {
    if constexpr (!isPlain<T> || op == Operation::Cas) {
        return false;
    } else {
        if (in.memory.space != AddressSpace::Shared || in.memory.hasResult || in.memory.elements != 1 || x.observed)
            return false;
        const SharedColumn column = x.shapes->columnOf(x, in);
        if (!column)
            return false;
        if (const WordColumn words = column.words();
            !judge(x, in, {.lie = SharedAccess::Lie::Column, .kind = AccessKind::Atomic, .column = &words}))
            return false;
        const AccessShape* const shape = column.shape;
        std::byte* const at = column.host;
        const T* const b = rowAt<const T>(x, in.b);
#pragma GCC unroll 4
        for (std::size_t lane = 0; lane < 32; ++lane) { // lanes may have the same word
            T* const own = reinterpret_cast<T*>(at + shape->above[lane]);
            *own = next<T, op, false>(*own, b[lane], b[lane]);
        }
        countOf(x, in, MemorySpace::Shared).add(shape->count);
        return true;
    }
}

// Where all lanes' words lie, one behind the other or all at one place.
struct QuietWords {
    Reach reach;               // nowhere: somewhere else, or somebody is to be told
    std::uint64_t address = 0; // of the first
    Lanes order = Lanes::InOrder;
};
// In line: it would come back in pieces that have to wait for each other.
[[gnu::always_inline]] inline QuietWords quietGlobal(Exec& x, const Inst& in, std::uint32_t size) {
    if (!in.memory.wideAddress || x.concurrent || (in.memory.hasResult && !x.warp->volatiles.empty()))
        return {};
    const auto* const row = rowAt<const std::uint64_t>(x, in.a);
    const std::uint64_t first = row[0] + std::uint64_t(in.memory.offset), step = row[1] - row[0];
    if (!isAligned(first, size) || (step != size && step != 0) || !x.passes->isRow(row, std::uint32_t(step)))
        return {};
    const std::uint32_t bytes = step == 0 ? size : 32 * size;
    const Found area = x.global->find(first, bytes, x.hint);
    if (!area || (area->written && first + bytes > area->writtenTo)) // first use is watched, and not yet settled
        return {};
    return {area.reach(), first, step == 0 ? Lanes::AtOne : Lanes::InOrder};
}
[[gnu::always_inline]] inline QuietWords quietShared(Exec& x, const Inst& in, std::uint32_t size) {
    static constexpr LanesAbove none{};
    if (in.memory.wideAddress)
        return {};
    const auto* const row = rowAt<const std::uint32_t>(x, in.a);
    const std::uint64_t first = std::uint32_t(row[0] + std::uint32_t(in.memory.offset));
    const std::uint32_t step = row[1] - row[0], bytes = step == 0 ? size : 32 * size;
    const Reach reach = x.block->shared.numbered().among(first, bytes);
    if (!isAligned(first, size) || (step != size && step != 0) || !reach || !staysInShared(x, in, first, bytes) ||
        !x.passes->liesAbove(row, row[0], step == 0 ? none : elementSteps[size / 8]))
        return {};
    return {reach, first, step == 0 ? Lanes::AtOne : Lanes::InOrder};
}

// Vectors of four words one behind the other: no two lanes have a word in common.
template <class T, Operation op, bool flush>
bool updateFours(Exec& x, const Inst& in, Reach memory) {
    if constexpr (!isPlain<T> || sizeof(T) != 4) {
        return false;
    } else {
        if (in.memory.elements != 4)
            return false;
        alignas(64) std::array<std::array<std::uint32_t, 32>, 4> words;
        std::uint32_t* const to[4] = {words[0].data(), words[1].data(), words[2].data(), words[3].data()};
        x.passes->loadFours(x, memory, to);
        for (std::uint32_t k = 0; k < 4; ++k) {
            const AtomicRows rows = rowsOf(x, in, k);
            const auto* const b = rowAt<const T>(x, rows.b);
            updateWords<T, op, flush>(x, reinterpret_cast<T*>(to[k]), b, b,
                                      rows.result == noRow ? nullptr : rowAt<T>(x, rows.result));
        }
        x.passes->storeFours(x, memory, {to[0], to[1], to[2], to[3]});
        return true;
    }
}

} // namespace warpglass::emulator
