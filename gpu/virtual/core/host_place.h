// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/message.h"

#include <cstdint>

namespace warpglass::virtual_device {

// "the host (line 12 of app.cu)", by the program's own debug information, as far as libbacktrace was there when this was
// built; else the function, if its name is exported, or the file.
Message hostPlace(std::uint64_t code);

} // namespace warpglass::virtual_device
