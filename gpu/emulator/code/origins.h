// SPDX-License-Identifier: GPL-3.0-or-later
// Which declared variable of shared, local or constant memory an access means: the one that its address was made of, as the
// code says it. An address that was loaded, handed over by a call, or made of several variables is of none that is known.
#pragma once

#include "gpu/emulator/code/program.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpglass::emulator {

class Origins {
public:
    explicit Origins(const Program& program);
    // Of each instruction of a function, from its first one on: an index into Program::objects, or noIndex.
    std::vector<std::uint32_t> of(std::uint32_t function) const;
    // How many there are of shared or of constant memory, and of a function's own.
    std::size_t count(ptx::StateSpace space) const;
    std::size_t locals(std::uint32_t function) const { return m_locals[function].size(); }

private:
    const Program& m_program;
    std::unordered_map<std::string_view, std::uint32_t> m_named; // of no function's own
    std::vector<std::vector<std::uint32_t>> m_locals;            // [function]
};

} // namespace warpglass::emulator
