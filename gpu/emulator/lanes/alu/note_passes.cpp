// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/shadow/note_passes.h"
#include "gpu/emulator/lanes/alu/lanes.h"
#include "gpu/emulator/lanes/alu/moves.h"
#include "gpu/emulator/lanes/turned.h"

#include <bit>

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

// A vector of notes: of four lanes, or of sixteen. To fetch words one by one is as fast as to gather them.
#if defined(__AVX512F__)
constexpr std::size_t width = 16;
#else
constexpr std::size_t width = 4;
#endif
using Notes = u32 __attribute__((vector_size(4 * width)));

// The notes of the word at an offset and of those behind it: notes and words have the same size.
template <class T>
[[gnu::always_inline]] inline T under(const Note* cells, u64 offset) {
    T v;
    std::memcpy(&v, reinterpret_cast<const std::byte*>(cells) + offset, sizeof v);
    return v;
}

template <std::size_t... i>
[[gnu::always_inline]] inline Notes singles(const Note* cells, const auto* offsets, std::index_sequence<i...>) {
    return Notes{under<u32>(cells, offsets[i])...};
}
template <std::size_t... i>
[[gnu::always_inline]] inline Notes pairs(const Note* cells, const auto* offsets, std::index_sequence<i...>) {
    using Longs = u64 __attribute__((vector_size(4 * width)));
    return reinterpret_cast<Notes>(Longs{under<u64>(cells, offsets[i])...});
}
[[gnu::always_inline]] inline Notes fours(const Note* cells, const auto* offsets) {
#if defined(__AVX512F__)
    const auto at = [&](std::size_t lane) { return under<__m128i>(cells, offsets[lane]); };
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(at(0)), at(1), 1),
                  high = _mm256_inserti128_si256(_mm256_castsi128_si256(at(2)), at(3), 1);
    return reinterpret_cast<Notes>(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
#else
    return under<Notes>(cells, offsets[0]);
#endif
}
// Of width / each lanes from one on.
template <std::size_t each>
[[gnu::always_inline]] inline Notes notesOf(const Note* cells, const auto* offsets) {
    if constexpr (each == 1)
        return singles(cells, offsets, std::make_index_sequence<width>{});
    else if constexpr (each == 2)
        return pairs(cells, offsets, std::make_index_sequence<width / 2>{});
    else
        return fours(cells, offsets);
}

[[gnu::always_inline]] inline bool anyHighest(Notes found) {
#if defined(__AVX512F__)
    return _mm512_movepi32_mask(reinterpret_cast<__m512i>(found)) != 0;
#elif defined(__SSE2__)
    return _mm_movemask_ps(reinterpret_cast<__m128>(found)) != 0;
#else
    u32 all = 0;
    for (std::size_t i = 0; i < width; ++i)
        all |= found[i];
    return all >> 31 != 0;
#endif
}

template <NoteTest test, std::size_t each>
bool none(const Note* cells, u32 lanes, const LaneOffsets& offsets, Note by, Bad bad) {
    if (lanes != ~0u) {
        Note found = 0;
        for (; lanes; lanes &= lanes - 1) {
            const auto lane = u32(std::countr_zero(lanes));
            for (std::size_t k = 0; k < each; ++k)
                found |= bad.answer<test>(cells[offsets[lane] / 4 + k], by + lane);
        }
        return found >> 31 == 0;
    }
    constexpr u32 together = width / each;
    Notes found = {}, own;
    for (u32 i = 0; i < width; ++i)
        own[i] = by + i / each;
#pragma GCC unroll 2
    for (std::size_t lane = 0; lane < 32; lane += together, own += together)
        found |= bad.answer<test>(notesOf<each>(cells, offsets.data() + lane), own);
    return !anyHighest(found);
}

template <std::size_t each>
[[gnu::always_inline]] inline void putOne(Note* cells, u64 offset, Note own) {
    auto* const to = reinterpret_cast<std::byte*>(cells) + offset;
    if constexpr (each == 4) {
        const FourWords notes = FourWords{} + own;
        std::memcpy(to, &notes, sizeof notes);
    } else if constexpr (each == 2) {
        const u64 notes = own | u64(own) << 32;
        std::memcpy(to, &notes, sizeof notes);
    } else {
        std::memcpy(to, &own, sizeof own);
    }
}
template <std::size_t each>
[[gnu::always_inline]] inline void putAll(Note* cells, const auto& offsets, Note by) {
#pragma GCC unroll 8
    for (std::size_t lane = 0; lane < 32; ++lane)
        putOne<each>(cells, offsets[lane], by + u32(lane));
}
template <std::size_t each>
void put(Note* cells, u32 lanes, const LaneOffsets& offsets, Note by) {
    if (lanes == ~0u)
        putAll<each>(cells, offsets, by);
    else
        for (; lanes; lanes &= lanes - 1) {
            const auto lane = std::size_t(std::countr_zero(lanes));
            putOne<each>(cells, offsets[lane], by + u32(lane));
        }
}

// readAfter of each of the notes.
template <class V>
[[gnu::always_inline]] inline V readAfterEach(V old, V own, Note epoch) {
    const auto now = V(old >= epoch), ofAnother = now & V(((old ^ own) & NoteBits::warp) != 0);
    return (ofAnother & (old | NoteBits::others)) | (~ofAnother & (own | (now & old & NoteBits::others)));
}
template <std::size_t each>
[[gnu::always_inline]] inline void putRead(Note* cells, u64 offset, Note own, Note epoch) {
    if constexpr (each == 4) {
        const FourWords v = readAfterEach(under<FourWords>(cells, offset), FourWords{} + own, epoch);
        std::memcpy(reinterpret_cast<std::byte*>(cells) + offset, &v, sizeof v);
    } else {
        for (Note* cell = cells + offset / 4; cell != cells + offset / 4 + each; ++cell)
            *cell = readAfter(*cell, own, epoch);
    }
}
template <std::size_t each>
void putReads(Note* cells, u32 lanes, const LaneOffsets& offsets, Note by, Note epoch) {
    if (lanes == ~0u) {
#pragma GCC unroll 8
        for (std::size_t lane = 0; lane < 32; ++lane)
            putRead<each>(cells, offsets[lane], by + u32(lane), epoch);
        return;
    }
    for (; lanes; lanes &= lanes - 1) {
        const auto lane = std::size_t(std::countr_zero(lanes));
        putRead<each>(cells, offsets[lane], by + u32(lane), epoch);
    }
}

[[gnu::always_inline]] inline Notes ownNotes(Note by) {
    Notes own;
    for (u32 i = 0; i < width; ++i)
        own[i] = by + i;
    return own;
}
template <NoteTest test>
bool noneOfPart(const Note* cells, const u32* bits, Note by, Bad bad) {
    Notes found = {}, own = ownNotes(by);
    for (std::size_t lane = 0; lane < 32; lane += width, own += u32(width))
        found |= bad.answer<test>(under<Notes>(cells + lane, 0), own) & under<Notes>(bits + lane, 0);
    return !anyHighest(found);
}
void putPart(Note* cells, const u32* bits, Note by) {
    Notes own = ownNotes(by);
    for (std::size_t lane = 0; lane < 32; lane += width, own += u32(width)) {
        const Notes k = under<Notes>(bits + lane, 0), v = (own & k) | (under<Notes>(cells + lane, 0) & ~k);
        std::memcpy(cells + lane, &v, sizeof v);
    }
}

void putReadsOfPart(Note* cells, const u32* bits, Note by, Note epoch) {
    Notes own = ownNotes(by);
    for (std::size_t lane = 0; lane < 32; lane += width, own += u32(width)) {
        const Notes k = under<Notes>(bits + lane, 0), old = under<Notes>(cells + lane, 0),
                    v = (readAfterEach(old, own, epoch) & k) | (old & ~k);
        std::memcpy(cells + lane, &v, sizeof v);
    }
}

template <std::size_t each>
bool allWritten(const Note* writes, const LanesAbove& above, Bad bad) {
    Notes found = {};
#pragma GCC unroll 2
    for (std::size_t lane = 0; lane < 32; lane += width / each)
        found |= bad.never(notesOf<each>(writes, above.data() + lane));
    return !anyHighest(found);
}
template <std::size_t each>
bool noneStored(const Note* writes, const Note* reads, const LanesAbove& above, Note by, Bad bad) {
    Notes found = {};
    const auto look = [&](auto test, const Note* cells) {
        Notes own;
        for (u32 i = 0; i < width; ++i)
            own[i] = by + i / each;
#pragma GCC unroll 2
        for (std::size_t lane = 0; lane < 32; lane += width / each, own += u32(width / each))
            found |= bad.answer<test()>(notesOf<each>(cells, above.data() + lane), own);
    };
    look(std::integral_constant<NoteTest, NoteTest::Written>{}, writes);
    if (reads)
        look(std::integral_constant<NoteTest, NoteTest::ReadByOthers>{}, reads);
    return !anyHighest(found);
}
bool apart(const WarpReaches& reaches, u32 warp, u32 from, u32 to) {
    u32 meet = 0;
    for (u32 i = 0; i < 32; ++i) // by vectors; all are far below 2^31
        meet |= u32(i32(reaches.from[i]) < i32(to)) & u32(i32(reaches.to[i]) > i32(from)) & u32(i != warp);
    return meet == 0;
}
template <std::size_t each>
void putAbove(Note* writes, const LanesAbove& above, Note by) {
    if constexpr (each == 4) { // one sum a lane instead of one to be spread over a vector
        FourWords notes = FourWords{} + by;
#pragma GCC unroll 8
        for (std::size_t lane = 0; lane < 32; ++lane, notes += 1u)
            std::memcpy(reinterpret_cast<std::byte*>(writes) + above[lane], &notes, sizeof notes);
    } else {
        putAll<each>(writes, above, by);
    }
}
void storeWords(Note* writes, const LanesAbove& above, Note by, std::byte* to, const u32* row) {
#pragma GCC unroll 8
    for (std::size_t lane = 0; lane < 32; ++lane) {
        const std::size_t at = above[lane];
        std::memcpy(to + at, row + lane, 4);
        putOne<1>(writes, at, by + u32(lane));
    }
}
void storeFours(Note* writes, const LanesAbove& above, Note by, std::byte* to, const u32* const (&rows)[4]) {
    storeFoursAbove(to, above, rows);
    putAbove<4>(writes, above, by);
}

} // namespace

const NotePasses notePasses = {
    {{&none<NoteTest::Never, 1>, &none<NoteTest::Never, 2>, &none<NoteTest::Never, 4>},
     {&none<NoteTest::NotBefore, 1>, &none<NoteTest::NotBefore, 2>, &none<NoteTest::NotBefore, 4>},
     {&none<NoteTest::Read, 1>, &none<NoteTest::Read, 2>, &none<NoteTest::Read, 4>},
     {&none<NoteTest::Written, 1>, &none<NoteTest::Written, 2>, &none<NoteTest::Written, 4>},
     {&none<NoteTest::ReadByOthers, 1>, &none<NoteTest::ReadByOthers, 2>, &none<NoteTest::ReadByOthers, 4>},
     {&none<NoteTest::Raised, 1>, &none<NoteTest::Raised, 2>, &none<NoteTest::Raised, 4>},
     {&none<NoteTest::Stored, 1>, &none<NoteTest::Stored, 2>, &none<NoteTest::Stored, 4>}},
    {&put<1>, &put<2>, &put<4>},
    {&putReads<1>, &putReads<2>, &putReads<4>},
    {&noneOfPart<NoteTest::Never>, &noneOfPart<NoteTest::NotBefore>, &noneOfPart<NoteTest::Read>,
     &noneOfPart<NoteTest::Written>, &noneOfPart<NoteTest::ReadByOthers>, &noneOfPart<NoteTest::Raised>,
     &noneOfPart<NoteTest::Stored>},
    &putPart,
    &putReadsOfPart,
    {&allWritten<1>, &allWritten<2>, &allWritten<4>},
    {&noneStored<1>, &noneStored<2>, &noneStored<4>},
    &apart,
    {&putAbove<1>, &putAbove<2>, &putAbove<4>},
    &storeWords,
    &storeFours};

} // namespace warpglass::emulator::WARPGLASS_ALU
