// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace warpglass {

// Threads to use when somebody asks for `asked` (0 = all there are).
inline int threadsFor(int asked) {
    return asked > 0 ? asked : std::max(1, int(std::thread::hardware_concurrency()));
}

// Calls work(i) once for each i below n, in any order, on up to `threads` threads; returns when all are done. What work
// writes must be its own. A thread that the system does not give is done without. What work throws (a library's, such
// as that memory is short) is thrown here when all threads have ended; what had not begun by then is not done.
template <typename Work>
void parallelFor(std::size_t n, int threads, Work&& work) {
    const std::size_t helpers = std::min(n, std::size_t(threadsFor(threads)));
    if (helpers <= 1) {
        for (std::size_t i = 0; i < n; ++i)
            work(i);
        return;
    }
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr thrown;
    const auto loop = [&] {
        try {
            for (std::size_t i = next++; i < n; i = next++)
                work(i);
        } catch (...) {
            next = n;
            const std::lock_guard lock(mutex);
            thrown = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    try {
        others.reserve(helpers - 1);
        for (std::size_t t = 1; t < helpers; ++t)
            others.emplace_back(loop);
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
    loop();
    for (std::thread& t : others)
        t.join();
    if (thrown)
        std::rethrow_exception(thrown);
}

} // namespace warpglass
