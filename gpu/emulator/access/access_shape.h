// SPDX-License-Identifier: GPL-3.0-or-later
// What the addresses of an access came to when the same instruction had them last: kernels walk columns, stencils and
// structures, so that an instruction's lanes nearly always lie as far from each other as they did the time before.
//
// A shape is the distance of each lane from the first one. What is counted follows from it and from where the first lane
// stands in its line (global memory) or word (shared memory, where 4 bytes more turn all banks by one). To compare 32
// distances is one pass without a branch; to find sectors or banks anew takes ten times as long. An instruction whose
// lanes lie otherwise each time is asked less and less often.
#pragma once

#include "gpu/emulator/lanes/alu.h"
#include "gpu/emulator/shadow/shadow_memory.h"
#include "gpu/emulator/state/exec.h"
#include "gpu/emulator/watch/declared_bounds.h"

#include <array>
#include <memory>

namespace warpglass::emulator {

// Of lanes that take elements one behind the other, of 4, 8 and 16 bytes.
inline constexpr auto elementSteps = [] {
    std::array<LanesAbove, 3> all{};
    for (std::uint32_t k = 0; k < 3; ++k)
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            all[k][lane] = lane * (4u << k);
    return all;
}();

struct AccessShape {
    alignas(64) std::array<std::uint64_t, 32> distance{}; // from the first active lane; 0 of inactive ones
    std::uint32_t lanes = 0, bytes = 0;                   // lanes 0: nothing is known
    std::uint32_t phase = 0;
    std::uint32_t index = 0; // of the instruction
    bool shared = false;
    std::uint32_t misses = 0;           // in a row
    std::uint64_t lowest = 0, span = 0; // distance of the lowest address; bytes from there to the last one's end
    std::uint64_t bits = 0;             // set in any distance
    MemoryCount count;                  // of one access
    std::uint32_t bytesDistinct = 0, sectors = 0, lines = 0, passes = 0, idealPasses = 0, turns = 0;

    // Of a whole warp's words in shared memory, aligned to their elements' size, once they have come again (isColumn).
    bool isColumn = false;
    alignas(64) LanesAbove above{};
    WrittenPlaces written;

    // Where all lanes lie, aligned to their size, if the first one is at `first` and all are in that memory.
    Reach reach(std::uint64_t first, const Addressed& memory) const {
        return ((first | bits) & (bytes - 1)) == 0 ? memory.among(first + lowest, span) : Reach();
    }
    // The same for those that lie within shared memory, as its notes ask.
    ScatteredWords words(std::uint64_t first) const {
        constexpr std::uint64_t bytesOfSegment = 4 * NoteTable::segmentCells;
        const std::uint64_t from = first + lowest;
        return {{from / bytesOfSegment, (from + span - 1) / bytesOfSegment}, bytes / 4, &distance, first};
    }
    // Whether all lie between two multiples of so many bytes, a power of two, that follow each other.
    bool withinOne(std::uint64_t unit, std::uint64_t first) const {
        const std::uint64_t from = first + lowest;
        return (from ^ (from + span - 1)) < unit;
    }
    void tell(AccessSummary& s) const {
        s.bytesDistinct = bytesDistinct;
        s.sectors = sectors;
        s.lines = lines;
        s.passes = passes;
        s.idealPasses = idealPasses;
        s.turns = turns;
    }
};

// A column in shared memory, which lies there as a whole.
struct SharedColumn {
    AccessShape* shape = nullptr; // nullptr: there is none
    std::byte* host = nullptr;    // of its lowest byte
    std::uint32_t lowest = 0;     // the same as an offset
    explicit operator bool() const { return shape != nullptr; }
    WordColumn words() const {
        AccessShape& s = *shape;
        return {&s.above, &s.distance, lowest, std::uint32_t(s.span), lowest + s.above[0], s.bytes / 4, &s.written};
    }
};

class AccessShapes {
public:
    // The shape of x.address, if it is known; nullptr if not. bytes: a lane, a power of two.
    const AccessShape* find(Exec& x, const Inst& in, std::uint32_t m, std::uint32_t bytes, bool shared) {
        AccessShape& s = of(in);
        const std::uint64_t first = x.address[std::size_t(std::countr_zero(m))];
        if (s.lanes != m || s.bytes != bytes || s.phase != phaseOf(first, shared) || s.shared != shared ||
            s.index != in.index)
            return miss(s);
        if (!x.passes->liesAs(x, m, s.distance.data()))
            return miss(s);
        s.misses = 0;
        return &s;
    }
    // The column that the instruction took before, if its row of 32-bit addresses lies so again, all of it in the block's
    // memory. Cheaper than to ask how the addresses lie.
    SharedColumn columnOf(Exec& x, const Inst& in) {
        AccessShape& s = of(in);
        if (s.index != in.index || !s.isColumn || in.memory.wideAddress || in.memory.noBase ||
            s.bytes != std::uint32_t(in.memory.bytes) * in.memory.elements)
            return {};
        const auto* row = reinterpret_cast<const std::uint32_t*>(x.rows + in.a);
        const std::uint32_t from = row[0] - s.above[0], lowest = from + std::uint32_t(in.memory.offset);
        std::byte* const host = x.block->shared.find(lowest, s.span);
        if ((lowest & (s.bytes - 1)) != 0 || !host || !staysInShared(x, in, lowest, s.span) ||
            !x.passes->liesAbove(row, from, s.above))
            return {};
        return {&s, host, lowest};
    }
    // What x.access has been found to be, with x.address, in case it comes again.
    void keep(Exec& x, const Inst& in, bool shared) {
        if (AccessShape& s = of(in); s.misses <= patience || s.misses % seldom == 0)
            note(x, in, s, shared);
    }

private:
    static constexpr std::uint32_t patience = 4, seldom = 16;
    static std::uint32_t phaseOf(std::uint64_t first, bool shared) { return std::uint32_t(first & (shared ? 3 : 127)); }
    static const AccessShape* miss(AccessShape& s) {
        ++s.misses;
        return nullptr;
    }
    AccessShape& of(const Inst& in) {
        auto& shape = m_shapes[in.index % m_shapes.size()];
        if (!shape) [[unlikely]]
            shape = std::make_unique<AccessShape>();
        return *shape;
    }
    void note(Exec& x, const Inst& in, AccessShape& s, bool shared);

    // By the position of the instruction. An unrolled loop has its own for each of its loads.
    std::array<std::unique_ptr<AccessShape>, 256> m_shapes;
};

// What x.access costs, whose lanes lie as nobody knows: found lane by lane, and kept.
void accountScattered(Exec& x, const Inst& in);

} // namespace warpglass::emulator
