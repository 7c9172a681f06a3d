// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes of TTGIR as layouts, by Triton's own rules (lib/Dialect/TritonGPU/IR/LinearLayoutConversions.cpp, 3.4 to 3.6).
#pragma once

#include "gpu/ttgir/tile_layout.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace warpglass::ttgir {

// "#name = #ttg.blocked<{...}>": the text behind the equals sign, by "#name".
using Aliases = std::map<std::string, std::string, std::less<>>;

// encoding: "#blocked", or written out: "#ttg.slice<{dim = 1, parent = #blocked}>". Nothing: the layout is not known, or the shape is no
// power of two.
std::optional<TileLayout> tileLayout(std::string_view encoding, const Place& shape, const Aliases& aliases);
// elementBits: of the tensor.
std::optional<SharedLayout> sharedLayout(std::string_view encoding, const Place& shape, std::uint32_t elementBits,
                                         const Aliases& aliases);

// The alias in full: "#ttg.blocked<{...}>"; what it is given where it is none.
std::string writtenOut(std::string_view encoding, const Aliases& aliases);

} // namespace warpglass::ttgir
