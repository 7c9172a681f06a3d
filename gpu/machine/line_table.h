// SPDX-License-Identifier: GPL-3.0-or-later
// Line tables of machine code: .debug_line, from instructions to lines of the source, and .nv_debug_line_sass, from
// instructions to lines of PTX. Both are line number programs of DWARF 2 (DWARF Debugging Information Format 2.0.0,
// section 6.2) with two further operations of NVIDIA's, as LLVM's documentation of DWARF for NVPTX names them: 0x90 says into
// which row what follows was inlined, and which function was; 0x91 names the function of what follows.
#pragma once

#include "gpu/machine/elf.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass::machine {

// The file of line marks that lead to lines of the PTX itself; its extension is left out, which no source does.
inline constexpr std::string_view ptxMarksFile = "ptx";

inline constexpr std::uint32_t noRow = 0xffffffffU;

struct LineRow {
    std::uint64_t address = 0;       // bytes from the beginning of the function
    std::uint32_t file = 0;          // LineTable::files
    std::uint32_t line = 0;          // from 1; 0: none
    std::uint32_t inlinedAt = noRow; // LineTable::rows: the call that this was inlined for
};
// Of one function. Rows in the order of their addresses, each up to the next.
struct LineTable {
    std::shared_ptr<const std::vector<std::string>> files; // nullptr: there are no rows
    std::vector<LineRow> rows;
    std::uint64_t end = 0; // address behind the last row

    // The row of an instruction; nullptr if none covers it.
    const LineRow* at(std::uint64_t address) const;
};

// By the number of the section that has a function's code. What comes behind bytes that make no sense is left out.
std::map<std::uint16_t, LineTable> lineTablesOf(const Elf& elf, std::string_view table);

} // namespace warpglass::machine
