// SPDX-License-Identifier: GPL-3.0-or-later
// Module -> Program. Everything that is not understood is found here, before anything runs, and listed with its line.
#pragma once

#include "gpu/emulator/code/program.h"

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

namespace warpglass::emulator {

// Where module-scope variables lie: addresses in their own space (full addresses for global memory).
struct Symbols {
    struct Place {
        ptx::StateSpace space = ptx::StateSpace::Global;
        std::uint64_t address = 0;
    };
    std::unordered_map<std::string, Place> variables;
    std::unordered_map<std::string, std::uint32_t>
        functions; // index in Module::functions; address codeWindow + 16 * index
};

// entry: index in module.functions. kernel: row of the trace's kernel table, for the sites. The error lists every
// instruction that the emulator does not know. meets: where lanes meet, if it is known better than by the text.
Result<Program> decode(const ptx::Module& module, std::uint32_t entry, const Symbols& symbols, std::uint32_t kernel,
                       std::span<const ptx::BranchMeets> meets = {});

// A symbol as a generic address: the window of its space added.
std::uint64_t genericAddress(const Symbols::Place& place);

} // namespace warpglass::emulator
