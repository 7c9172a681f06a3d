// SPDX-License-Identifier: GPL-3.0-or-later
// The notes of shared memory's words (shadow_memory.h), and the passes over those of a warp's scattered elements, which
// are compiled once an instruction set in ops/alu.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpglass::emulator {

using Note = std::uint32_t; // 0: none
struct NoteBits {
    static constexpr Note thread = 0x3ff, warp = 0x3e0; // linear in the block
    static constexpr Note atomic = 0x400;
    static constexpr Note several =
        atomic;                           // of reads: other lanes of the warp have read there, too, since they last met
    static constexpr Note strong = 0x800; // by a volatile, relaxed or releasing store, as flags are
    static constexpr Note others = strong; // of reads: other warps have read there, too, in this epoch
    static constexpr std::uint32_t shift = 12,
                                   numbers = 1u << 19; // the highest bit stays clear: notes compare as signed
};

using LaneOffsets = std::array<std::uint64_t, 32>; // bytes
using LanesAbove = std::array<std::uint32_t, 32>;  // bytes from the lowest one's, as lanes/alu.h has it

// Between which bytes the columns lie that each warp stored in an epoch.
struct WarpReaches {
    std::array<std::uint32_t, 32> from, to; // to <= from: none
};

enum class NoteTest : std::uint8_t { Never, NotBefore, Read, Written, ReadByOthers, Raised, Stored };
inline constexpr std::size_t noteTests = 7;

// What is not quiet, as the highest bit, of notes alone or of vectors of them. The differences of notes are small enough
// for that. Inline always: no function of it is left that could be compiled for one processor and run on another.
struct Bad {
    Note block = 0, epoch = 0; // the first notes of each
    // Likewise of reads since the lanes of the warp last met: until they do, one may still be about to read.
    Note unmet = ~Note(0) >> 1; // nobody asks
    template <class V>
    [[gnu::always_inline]] static V differ(V a, V b, Note in) {
        return V{} - ((a ^ b) & in);
    }
    template <class V>
    [[gnu::always_inline]] V never(V w) const { // written in this block
        return w - block;
    }
    template <class V>
    [[gnu::always_inline]] V notBefore(V w) const { // written, and not in this epoch
        return (w - block) | (epoch - 1 - w);
    }
    template <class V>
    [[gnu::always_inline]] V read(V w, V by) const {
        // What atomics wrote lanes of the same warp may read.
        return (w - block) |
               (~(w - epoch) & (differ(w, by, NoteBits::warp) | (differ(w, by, NoteBits::thread) & ~(w << 21))));
    }
    template <class V>
    [[gnu::always_inline]] V written(V w, V by) const { // by another thread
        return ~(w - epoch) & differ(w, by, NoteBits::thread);
    }
    template <class V>
    [[gnu::always_inline]] V ofOtherWarps(V n, V by) const {
        return ~(n - epoch) & differ(n, by, NoteBits::warp);
    }
    template <class V>
    [[gnu::always_inline]] V readByOthers(V r, V by) const {
        return ofOtherWarps(r, by) | (~(r - epoch) & r << 20) |                             // others
               (~(r - epoch) & ~(r - unmet) & (differ(r, by, NoteBits::thread) | r << 21)); // several
    }
    template <class V>
    [[gnu::always_inline]] V raised(V w, V by) const {
        return ofOtherWarps(w, by) & differ(w, V{}, NoteBits::atomic | NoteBits::strong);
    }
    template <class V>
    [[gnu::always_inline]] V stored(V w) const { // never, or in this epoch and not by an atomic
        return (w - block) | (~(w - epoch) & ~(w << 21));
    }
    template <NoteTest test, class V>
    [[gnu::always_inline]] V answer(V note, V own) const {
        switch (test) {
        case NoteTest::Never:
            return never(note);
        case NoteTest::NotBefore:
            return notBefore(note);
        case NoteTest::Read:
            return read(note, own);
        case NoteTest::Written:
            return written(note, own);
        case NoteTest::ReadByOthers:
            return readByOthers(note, own);
        case NoteTest::Raised:
            return raised(note, own);
        case NoteTest::Stored:
            return stored(note);
        }
    }
};
static_assert(NoteBits::atomic << 21 == 1u << 31 && NoteBits::others << 20 == 1u << 31);

// What is known of a cell whose readers of this epoch, until now, `old` tells, when another comes. The warp that was first
// stays: what it read a later one may be about to write, having read it itself, as sums in place do.
[[gnu::always_inline]] constexpr Note readAfter(Note old, Note own, Note epoch) {
    const Note now = Note(old >= epoch), ofAnother = now & Note(((old ^ own) & NoteBits::warp) != 0);
    return ofAnother != 0 ? old | NoteBits::others : own | (now != 0 ? old & NoteBits::others : 0);
}

// Elements of one, two or four words (the second index: 0, 1, 2), one for each lane of `lanes` at its offset; lane 0's
// own note is `by`, each other lane's so much more.
struct NotePasses {
    // Whether the test holds for none of the words.
    bool (*none[noteTests][3])(const Note* cells, std::uint32_t lanes, const LaneOffsets& offsets, Note by, Bad bad);
    // Where lanes have the same words the last one's stays.
    void (*put[3])(Note* cells, std::uint32_t lanes, const LaneOffsets& offsets, Note by);
    // The same of reads, where other warps have read since the epoch began.
    void (*putReads[3])(Note* cells, std::uint32_t lanes, const LaneOffsets& offsets, Note by, Note epoch);

    // Neighbouring words, one for each lane; of those whose bits are set.
    bool (*noneOfPart[noteTests])(const Note* cells, const std::uint32_t* bits, Note by, Bad bad);
    void (*putPart)(Note* cells, const std::uint32_t* bits, Note by);
    void (*putReadsOfPart)(Note* cells, const std::uint32_t* bits, Note by, Note epoch);

    // The same for all 32 lanes, so many bytes above the words' first note.
    bool (*allWritten[3])(const Note* writes, const LanesAbove& above, Bad bad); // in this block
    // Whether another thread wrote or another warp read there. reads: nullptr, nobody did.
    bool (*noneStored[3])(const Note* writes, const Note* reads, const LanesAbove& above, Note by, Bad bad);
    // Whether bytes [from, to) meet none of those of other warps.
    bool (*apart)(const WarpReaches& reaches, std::uint32_t warp, std::uint32_t from, std::uint32_t to);
    void (*putAbove[3])(Note* writes, const LanesAbove& above, Note by);
    // The same for a store of a row's words, or of four, which goes on beside it: both lie alike.
    void (*storeWords)(Note* writes, const LanesAbove& above, Note by, std::byte* to, const std::uint32_t* row);
    void (*storeFours)(Note* writes, const LanesAbove& above, Note by, std::byte* to,
                       const std::uint32_t* const (&rows)[4]);
};
const NotePasses& notePasses(); // what this processor can run

} // namespace warpglass::emulator
