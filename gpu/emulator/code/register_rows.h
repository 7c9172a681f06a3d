// SPDX-License-Identifier: GPL-3.0-or-later
// Where the registers of a function lie in its frame: for who decodes it, and for who looks at one by its name.
#pragma once

#include "gpu/emulator/code/row.h"
#include "gpu/ptx/module.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace warpglass::emulator {

// What a lane of a register of this type takes in its row.
inline std::uint32_t rowBytes(ptx::Type type) {
    const int bytes = ptx::bytesOf(type);
    return bytes > 4 ? std::uint32_t(bytes) : 4;
}

struct RegisterRow {
    Row row;
    ptx::Type type = ptx::Type::B32;
    std::uint32_t bytes() const { return rowBytes(type); }
};
using RegisterRows = std::unordered_map<std::string_view, RegisterRow>; // by names of the function's
// Where its registers lie in its frame: the first rows of it, always the same.
RegisterRows layoutRegisters(const ptx::Function& function, FrameLayout& frame);

} // namespace warpglass::emulator
