// SPDX-License-Identifier: GPL-3.0-or-later
// Which sectors L2 has when this SM asks for them: what its own blocks have had, what other blocks have (TouchTable), and what
// lay there when the launch began, as long as nothing else has come in its place.
#pragma once

#include "gpu/emulator/timing/memory_units.h"

namespace warpglass::emulator {

class L2Holdings {
public:
    explicit L2Holdings(const MemorySurroundings& around);

    enum class From { Own, Others, Copied, Dram }; // in L2 because of this SM, of others, or of the host
    struct Found {
        From where;
        // From DRAM: SMs that want it at once, which it comes to but once, and blocks that have begun since it was asked for.
        double sms = 1, blocks = 0;
    };
    // Where a sector that an instruction of a block wants comes from. From now on this SM has had it.
    // before: what the block has asked for by copies until then (ResidentBlock::copied).
    Found from(std::uint64_t sector, std::uint32_t block, std::uint32_t position, std::uint64_t before = 0);
    // DRAM gives 64 bytes: whether the other half, wanted or not, is new to L2. It is there from now on.
    bool bringsNeighbour(std::uint64_t sector, std::uint32_t block);
    void comes(double sectors); // into L2, where each SM has as many
    bool has(std::uint64_t sector) const { return m_own.contains(sector); }
    // It is there by a store or an atomic.
    void add(std::uint64_t sector) { m_own.add(sector); }
    void tell(std::uint64_t sector); // the SMs that are timed at the same time
    // The cycle in which the sector will have come, for those; and that, or 0.
    void comesAt(std::uint64_t sector, double cycle);
    double comesAt(std::uint64_t sector) const;
    // A sector is stored as a whole: whether for the first time.
    bool writes(std::uint64_t sector);
    // The same, of which this SM had none before: it takes its place in L2.
    void takesPlace(std::uint64_t sector);
    bool firstPart(std::uint64_t sector,
                   std::uint32_t block); // stored in part; whether by this block as the first of all
    // Of what lies there, the part that has to be written out before anything comes in its place.
    double unwritten() const { return m_come < m_room[0] ? m_unwritten : 0; }
    double writtenByAll() const { return 32.0 * double(m_written.size()) * m_around.sms(); } // bytes, as a whole
    const SectorSet& own() const { return m_own; }

private:
    struct Share { // of one instruction: the lines that it was the SM's first to want, and those of them from DRAM
        std::uint32_t lines = 0, dram = 0;
        double owed = 0;
        std::uint64_t line = ~std::uint64_t(0); // the last one
        bool lineFromDram = false;
    };
    // Of a sector that no earlier wave has had: whether it is on its way for others of its wave, and to how many it comes.
    Found together(std::uint64_t sector, std::uint32_t block, std::uint32_t other) const;
    bool cameBefore(std::uint64_t sector, std::uint32_t block, std::uint64_t before) const;
    const L2Piece* warm(std::uint64_t sector); // of what L2 had when the launch began and still has; nullptr: not there

    const MemorySurroundings& m_around;
    std::vector<Share> m_shares;        // [position]
    double m_come = 0;                  // bytes that have come into L2 since the launch began
    std::array<double, 2> m_room;       // bytes after which nothing is left of what had been touched, and copied
    double m_unwritten = 0;             // when the launch began
    const L2Piece* m_piece = nullptr;   // the last one that was asked about
    SectorSet m_own, m_part, m_written; // m_part: written in part; m_written: as a whole
};

} // namespace warpglass::emulator
