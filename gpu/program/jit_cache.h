// SPDX-License-Identifier: GPL-3.0-or-later
// The PTX of machine code that a compiler made a moment ago and kept beside it: Triton's cache, PyTorch's (Inductor) too.
// A driver gets such code without its PTX; the same bytes in a cache say where that lies.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpglass::program {

struct CachedPtx {
    std::string text;
    std::string ttgir; // that it was made from, with how its tiles lie (gpu/ttgir); empty: the cache has none
    std::string maker; // "Triton 3.6.0, 4 warps, 3 stages"; empty: it says nothing of itself
    std::filesystem::file_time_type made;
};

// Folders with a folder for each kernel: $TRITON_CACHE_DIR, below $TRITON_HOME or the user's home, and Inductor's.
std::vector<std::filesystem::path> jitCaches();

// The kernel whose machine code these bytes are, all of them; nullopt if no cache has it. A file ENTRY.cubin names it and
// ENTRY.ptx and ENTRY.json beside it tell the rest.
std::optional<CachedPtx> findCachedPtx(const std::vector<std::filesystem::path>& caches, const std::string& entry,
                                       std::span<const std::byte> machineCode);

} // namespace warpglass::program
