// SPDX-License-Identifier: GPL-3.0-or-later
// What a CUDA source names in quotes: a person's own headers, which declare the structs that the source uses.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpglass::cuda_text {

// The texts of those files, and of the ones that they name, one after the other: what is included stands before who includes it.
// Each is looked for beside the file that names it, and then in the folders. As far as they are there: 32 files of at most 1 MiB.
std::string includedTexts(const std::string& text, const std::filesystem::path& folder,
                          const std::vector<std::string>& folders = {});

} // namespace warpglass::cuda_text
