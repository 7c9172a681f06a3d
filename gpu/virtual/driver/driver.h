// SPDX-License-Identifier: GPL-3.0-or-later
// What the driver's calls share. Contexts are a word: there is one device with one memory, whoever made a context.
#pragma once

#include "gpu/virtual/runtime/call.h"

namespace warpglass::virtual_device {

// f(device), unless a kernel has broken it; the driver has no last error.
template <class F>
Status drive(F f) {
    Device& d = device();
    const std::lock_guard lock(d.lock);
    return d.broken != success ? d.broken : Status(f(d));
}
const char* driverErrorName(int status);

} // namespace warpglass::virtual_device
