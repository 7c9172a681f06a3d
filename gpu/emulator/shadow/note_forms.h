// SPDX-License-Identifier: GPL-3.0-or-later
// What notes of shared memory (shadow_memory.h) say when they are asked one by one, and how the words of an access lie that
// are asked together.
#pragma once

#include "gpu/emulator/shadow/note_passes.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpglass::emulator {

// A note in so many words. Of notes that are not of this epoch, `at` and `sync` are lost.
enum class Noted : std::uint8_t { Never, Before, Now }; // in this block, in this epoch
struct WriteNote {
    Noted when = Noted::Never;
    std::uint32_t at = 0;     // position in the program
    std::uint16_t thread = 0; // linear in the block
    std::uint16_t sync = 0;   // low bits of the warp's syncEpoch then
    bool atomic = false, strong = false;
};
struct ReadNote {
    bool now = false; // in this epoch; of older ones nothing is known
    std::uint32_t at = 0;
    std::uint16_t thread = 0; // the last one of the first warp
    Note note = 0;
    bool several = false; // other lanes of its warp, too
    bool others = false;  // other warps, too
};

// Segments that an access lies in: from the first to the last, whether it touches those between or not.
struct SegmentSpan {
    std::size_t first = 0, last = 0;
};
// Elements that lie scattered, one a lane, of one, two or four words and aligned to their size.
struct ScatteredWords {
    SegmentSpan span;
    std::uint32_t each = 1;
    // If these are known to stay for longer: how far each lane lies from an offset, bytes.
    const LaneOffsets* distance = nullptr;
    std::uint64_t first = 0;
};

// The places whose words are known to have been written in this block, which they stay: loops come back to them.
class WrittenPlaces {
public:
    static constexpr std::uint64_t mostBytes = 1 << 20; // of a block's shared memory
    bool has(std::uint32_t offset, std::uint64_t life) const { return place(offset) == key(offset, life); }
    void keep(std::uint32_t offset, std::uint64_t life) { place(offset) = key(offset, life); }
    void clear() { m_places.fill(0); }

private:
    static std::uint64_t key(std::uint32_t offset, std::uint64_t life) { return life * mostBytes | offset; }
    static std::size_t at(std::uint32_t offset) { return (offset / 4 * 0x9e3779b1u) >> 27; }
    std::uint64_t place(std::uint32_t offset) const { return m_places[at(offset)]; }
    std::uint64_t& place(std::uint32_t offset) { return m_places[at(offset)]; }
    std::array<std::uint64_t, 32> m_places{}; // 0: none
};
// A whole warp's elements of one, two or four words within the memory, aligned to their size, which stay known for longer.
struct WordColumn {
    const LanesAbove* above = nullptr;
    const LaneOffsets* distance = nullptr; // from lane 0
    std::uint32_t lowest = 0, span = 0;    // offset; bytes from there to the last one's end
    std::uint32_t first = 0;               // offset of lane 0
    std::uint32_t each = 1;                // words
    WrittenPlaces* written = nullptr;
};

// What a store of a column is to put: lane 0's note, from the column's lowest cell on.
struct StoreNotes {
    const NotePasses* passes = nullptr; // nullptr: nothing
    Note* cells = nullptr;
    Note by = 0;
};

} // namespace warpglass::emulator
