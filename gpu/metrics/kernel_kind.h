// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch is like, by the instructions that it executed: the class of launches whose error is quoted beside its time.
#pragma once

#include "gpu/base/enum_words.h"
#include "gpu/base/message.h"
#include "gpu/trace/trace.h"

namespace warpglass {

// A launch is of the first kind that it has the instructions of.
enum class KernelKind : std::uint8_t {
    DeviceLaunches,   // it launches others
    TensorMemory,     // tcgen05
    AttentionWgmma,   // wgmma and exponentials
    ProductsWgmma,    // wgmma
    ProductsWmma,     // wmma
    AttentionMma,     // mma.sync and exponentials
    ProductsMma,      // mma.sync
    Clusters,         // what only clusters have
    BulkCopies,       // cp.async.bulk
    Textures,         // textures and surfaces
    Matching,         // match.sync
    ExponentialSums,  // exponentials and shuffles: softmax
    Norms,            // roots and shuffles
    WarpSums,         // shuffles and redux: sums, scans
    Atomics,          // of shared or global memory
    Doubles,          // arithmetic on fp64
    SpecialFunctions, // exponentials, logarithms, sines, roots
    SharedMemory,     // with barriers
    GlobalMemory,     // nothing of all this
};
template <>
inline constexpr auto enumWords<KernelKind> =
    EnumWords("kind of kernel",
              {"device-launches", "tensor-memory", "attention-wgmma", "products-wgmma", "products-wmma",
               "attention-mma", "products-mma", "clusters", "bulk-copies", "textures", "matching", "exponential-sums",
               "norms", "warp-sums", "atomics", "doubles", "special-functions", "shared-memory", "global-memory"});

// By the lines that are counted; where none is, by all lines of the kernel's text.
KernelKind kindOf(const Trace& trace, std::uint32_t launch = 0);
MessageForm<0> wordsOf(KernelKind kind); // "products by wgmma"

} // namespace warpglass
