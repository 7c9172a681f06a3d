// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace warpglass {

// Threads to use when somebody asks for `asked` (0 = all there are).
inline int threadsFor(int asked) {
    return asked > 0 ? asked : std::max(1, int(std::thread::hardware_concurrency()));
}

// Calls work(i) once for each i below n, in any order, on up to `threads` threads; returns when all are done. work must
// not throw, and what it writes must be its own.
template <typename Work>
void parallelFor(std::size_t n, int threads, Work&& work) {
    const std::size_t helpers = std::min(n, std::size_t(threadsFor(threads)));
    if (helpers <= 1) {
        for (std::size_t i = 0; i < n; ++i)
            work(i);
        return;
    }
    std::atomic<std::size_t> next{0};
    const auto loop = [&] {
        for (std::size_t i = next++; i < n; i = next++)
            work(i);
    };
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < helpers; ++t)
        others.emplace_back(loop);
    loop();
    for (std::thread& t : others)
        t.join();
}

} // namespace warpglass
