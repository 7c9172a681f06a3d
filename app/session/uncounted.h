// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to move data, or to wait for others, that stand in none of the counts that goals ask for: a hand-in could do by them
// what it is to be judged by, and reach goals of which it does nothing.
#pragma once

#include "gpu/ptx/module.h"

#include <optional>
#include <string>

namespace warpglass::session {

struct Uncounted {
    std::string what; // "cp.async.bulk", "cudaMemcpyAsync"
    std::uint32_t sourceLine = 0;
    int ptxLine = 0;
};

// The first in the module. Launches are none: they have rows of their own.
// asynchronous: copies, barriers in shared memory and products that go on beside the threads are none, either.
std::optional<Uncounted> firstUncounted(const ptx::Module& module, bool asynchronous);

} // namespace warpglass::session
