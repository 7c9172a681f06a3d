// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/messages/emulator.h"

#include <cstdint>

namespace warpglass::emulator {

// How far an access lies past the end of what it belongs to: its first byte, or, if that lies within, its last.
constexpr std::uint64_t bytesPastEnd(std::uint64_t address, std::uint64_t bytes, std::uint64_t end) {
    return address < end ? address + bytes - end : address - end;
}

template <class Name>
Message pastEnd(std::uint64_t bytes, const Name& of, std::uint64_t size) {
    return bytes == 0 ? say::AtTheEnd(of, size) : say::PastEnd(bytes, of, size);
}

} // namespace warpglass::emulator
