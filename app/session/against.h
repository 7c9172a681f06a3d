// SPDX-License-Identifier: GPL-3.0-or-later
// Where a launch first does something else than a reference: the same launch recorded with another version of the kernel, in
// double precision, or on a GPU.
//
// With the same PTX each warp's accesses are compared one after the other, loads and shuffles too. With another text what is
// stored in global memory is: for each element, the values that it was given, in order. Elements are counted in stretches of
// addresses with gaps of 64 KiB and more between, so that other addresses, and elements of another size, are the same ones.
#pragma once

#include "gpu/trace/trace.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace warpglass::session {

struct Difference {
    std::uint32_t block = 0, thread = 0;       // linear
    std::uint32_t ptxLine = 0, sourceLine = 0; // 0: unknown
    std::uint32_t otherPtxLine = 0, otherSourceLine = 0;
    AccessKind kind = AccessKind::Store;
    MemorySpace space = MemorySpace::Global;
    bool shuffle = false;
    std::uint32_t stretch = 0; // of addresses, from 0; of global memory
    std::uint64_t element = 0; // in it
    bool isFloat = false;
    double value = 0, other = 0;
};

struct Comparison {
    bool sameCode = false;
    std::uint64_t compared = 0;  // values
    std::uint64_t differing = 0; // of them
    std::optional<Difference> first;
};

// tolerance: of floating-point numbers, relative to the larger one; 0: to the bit. Both need addresses and values of the blocks
// that are compared; the others are left out.
Comparison compareWith(const Trace& trace, const Trace& reference, double tolerance);
nlohmann::ordered_json comparisonJson(const Comparison& comparison);
std::string comparisonText(const Comparison& comparison, const Trace& trace, const Trace& reference,
                           const std::string& name);

} // namespace warpglass::session
