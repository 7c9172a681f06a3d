// SPDX-License-Identifier: GPL-3.0-or-later
// A cubin as a recording keeps it: an ELF file still, with the sections that readCubin() reads and the bytes of no other.
// The PTX text in it goes, which is most of it and is in the recording; so do debug sections, which hold paths.
#pragma once

#include "gpu/machine/elf.h"

#include <set>
#include <string>

namespace warpglass::machine {

// kernels: whose code stays, by their names in the code; empty: all. Functions that kernels call stay. Error: as readElf, or
// sections lie over each other.
Result<std::vector<std::uint8_t>> compact(Bytes cubin, const std::set<std::string, std::less<>>& kernels);

} // namespace warpglass::machine
