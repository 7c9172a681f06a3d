// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace warpglass::emulator {

// How far an access lies past the end of what it belongs to: its first byte, or, if that lies within, its last.
constexpr std::uint64_t bytesPastEnd(std::uint64_t address, std::uint64_t bytes, std::uint64_t end) {
    return address < end ? address + bytes - end : address - end;
}

} // namespace warpglass::emulator
