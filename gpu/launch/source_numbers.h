// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that sizes are written with in CUDA source: "2 * stages", where the text says what stages is.
#pragma once

#include "gpu/launch/source_tokens.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpglass::cuda_text {

using SourceNumbers = std::map<std::string, std::uint64_t>; // 0: not one number

// "constexpr int stages = 4, rows = 2 * stages;" and "#define STAGES 4".
void addNumbers(const std::string& text, const std::vector<Token>& tokens, SourceNumbers& numbers);
// The tokens [from, to) as a number: literals, constants, sums and products. Nothing: it is more than that.
std::optional<std::uint64_t> valueOf(const std::vector<Token>& tokens, std::size_t from, std::size_t to,
                                     const SourceNumbers& numbers);

} // namespace warpglass::cuda_text
