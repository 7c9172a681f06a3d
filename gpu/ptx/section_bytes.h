// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes that the text of a module's debug sections stands for, with the places where addresses go.
#pragma once

#include "gpu/ptx/module.h"

#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpglass::ptx {

// ".b8 1,2", ".b32 .debug_loc+62", ".b64 $L__tmp4". Where a label or a symbol of the code stands, the bytes hold what is added
// to it; a section, and a label of one, is put in as its place there.
struct SectionBytes {
    std::vector<std::byte> bytes;
    std::unordered_map<std::uint64_t, std::string> symbols; // [place in bytes] -> label or variable
};
// By name: ".debug_info". One that cannot be read is left out.
std::map<std::string, SectionBytes, std::less<>> sectionBytes(const Module& module);

} // namespace warpglass::ptx
