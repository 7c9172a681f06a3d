// SPDX-License-Identifier: GPL-3.0-or-later
// What one warp's access asks of the memory: which 32-byte sectors and 128-byte lines of global memory it touches, or
// in how many passes the 32 banks of shared memory serve it. Read from recorded addresses, one access at a time, for
// the picture; the emulator counts the same things for whole launches with code of its own, and a test holds the two
// together.
#pragma once

#include "gpu/trace/trace.h"

#include <cstdint>
#include <vector>

namespace warpglass {

struct SectorUse {
    std::uint64_t address = 0; // multiple of 32
    std::uint32_t bytes = 0;   // bit b: byte address + b is touched by some lane
    LaneMask lanes;            // who touches it
};

struct GlobalAccess {
    std::vector<SectorUse> sectors;   // ascending address
    std::uint32_t lines = 0;          // distinct 128-byte lines
    std::uint32_t bytesRequested = 0; // lanes x bytes a lane
    std::uint32_t bytesDistinct = 0;
    // Percent of the moved bytes that some lane asked for: distinct bytes / (32 x sectors), as the hardware counts
    // (smsp__sass_average_data_bytes_per_sector). 0 without sectors.
    double efficiency() const {
        return sectors.empty() ? 0.0 : 100.0 * bytesDistinct / (32.0 * double(sectors.size()));
    }
};

// One word of shared memory that is fetched in a pass.
struct BankWord {
    int bank = 0;              // 0 to 31: word address modulo 32
    int pass = 0;              // 0-based
    std::uint64_t address = 0; // of the word, multiple of 4
    LaneMask lanes;            // served by it: a broadcast serves several
};

struct SharedAccess {
    std::vector<BankWord> words; // by pass, then bank
    int passes = 0;
    int idealPasses = 0;  // parts of the warp, of which each is served by itself
    LaneMask conflicting; // lanes that share a bank, but not the word, with another lane of their group
};

// active: lanes that access, lowest first in addresses. bytes: a lane, 1 to 16.
GlobalAccess analyseGlobal(LaneMask active, std::span<const std::uint64_t> addresses, unsigned bytes);
// The whole warp together, or in the parts that gpu/trace/served_together.h names.
SharedAccess analyseShared(LaneMask active, std::span<const std::uint64_t> addresses, unsigned bytes, AccessKind kind);

// The most lanes whose addresses lie in one word of four bytes: those of an atomic are served one after the other.
int lanesAtOneWord(std::span<const std::uint64_t> addresses);

} // namespace warpglass
