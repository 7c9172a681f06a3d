// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/message.h"

#include <cstdint>
#include <optional>
#include <string>

namespace warpglass::virtual_device {

// Where in the program a call of CUDA came from: its return address, and that of the function that made it, as far as that keeps
// a frame pointer: of a wrapper in CUDA's own headers. 0: it is not known.
struct CallPlace {
    std::uint64_t code = 0, outer = 0;
};
inline thread_local CallPlace calledFrom; // of the call that runs now

// Inlined into the function that the program has called. A frame that is taken for one lies close above its own.
[[gnu::always_inline]] inline CallPlace placeOfCall() {
    const auto* const frame = static_cast<const std::uint64_t*>(__builtin_frame_address(0));
    constexpr std::uint64_t near = 1 << 16;
    const std::uint64_t own = reinterpret_cast<std::uint64_t>(frame), above = frame[0];
    const bool isFrame = above > own && above - own < near && above % 16 == 0;
    return {std::uint64_t(__builtin_return_address(0)), isFrame ? reinterpret_cast<const std::uint64_t*>(above)[1] : 0};
}

// While one runs that a stream has the host call, of which CUDA takes no calls.
inline thread_local bool inHostFunction = false;

struct HostLine {
    std::string file; // without its folder
    int line = 0;
};
// Nothing: the program has no debug information, or it is the code of a library.
std::optional<HostLine> hostLine(const CallPlace& place);

// "the host (line 12 of app.cu)", by the program's own debug information, as far as libbacktrace was there when this was
// built; else the function, if its name is exported, or the file.
Message hostPlace(std::uint64_t code);

} // namespace warpglass::virtual_device
