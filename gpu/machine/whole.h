// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel and the functions that it calls as one piece of code, one behind the other: what a reader scrolls through.
#pragma once

#include "gpu/machine/fate.h"

#include <map>
#include <string>
#include <vector>

namespace warpglass::machine {

struct Whole {
    struct Part {
        std::size_t function = 0;        // of the cubin
        std::size_t first = 0, size = 0; // of Whole::code, without what fills up its end
        std::uint32_t firstLine = 0,
                      end = 0; // its lines of PTX: from the first up to `end`; 0, 0: it is not in the text
    };
    // The kernel's facts; places and targets count from its beginning. Rows of its lines stop where code of the compiler's
    // own begins (Function::helpers()).
    Function code;
    Fates fates;
    std::vector<Part> parts;                  // the kernel first, then what it calls, as PTX names it
    std::map<std::size_t, std::string> names; // of functions that begin at an instruction, but the kernel

    const Part& partOf(std::size_t instruction) const;
    // As awaited() of a single function; what a function's caller has set is not known.
    std::vector<std::uint32_t> awaited(const Cubin& cubin, std::size_t instruction) const;
};

// kernel: by its name in the code, which is in the cubin.
Whole wholeOf(const Cubin& cubin, const std::string& kernel, const ptx::Module& module);

} // namespace warpglass::machine
