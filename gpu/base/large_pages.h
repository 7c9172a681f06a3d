// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that is about to be filled comes in pages of 2 MB, where the system has some: one fault of the processor
// instead of 512, of which a copy of many megabytes is mostly made. A wish; nothing depends on whether it is granted.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace warpglass {

// For bytes from `at` on that nobody has touched. Not for what is touched here and there: each place would cost 2 MB.
inline void askForLargePages([[maybe_unused]] void* at, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t page = std::uintptr_t(2) << 20;
    const std::uintptr_t from = (reinterpret_cast<std::uintptr_t>(at) + page - 1) / page * page,
                         to = (reinterpret_cast<std::uintptr_t>(at) + bytes) / page * page;
    if (to > from)
        madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);
#endif
}

} // namespace warpglass
