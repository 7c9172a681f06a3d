// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace warpglass::virtual_device {

// From now on it is said, on standard error, where the host follows a pointer into these addresses, which are the
// device's: what comes of it is the same crash as with a GPU, that says nothing. Not where the program looks after such
// faults itself.
void tellHostFaults(std::uint64_t begin, std::uint64_t end);

} // namespace warpglass::virtual_device
