// SPDX-License-Identifier: GPL-3.0-or-later
// Locks of pages of global memory, each kept by a host thread while it updates words of the page for a whole warp, and
// no longer. Who finds one taken stays away for as long as some dozen warps need: two threads that hammer the same words
// are quicker one after the other, in runs, than if they pull the cache lines to and fro with each instruction.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace warpglass::emulator {

class alignas(64) PageLock {
public:
    static constexpr std::uint64_t pageBytes = 1024; // a few rows of a warp

    bool tryLock() { return !m_taken.exchange(true, std::memory_order_acquire); }
    void lock() {
        while (m_taken.exchange(true, std::memory_order_acquire))
            wait();
    }
    void unlock() { m_taken.store(false, std::memory_order_release); }

private:
    void wait() const {
        constexpr int looks = 16, pauses = 64;
        for (int look = 0; look < looks; ++look) {
            for (int i = 0; i < pauses; ++i)
#if defined(__SSE2__)
                _mm_pause();
#else
                std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
            if (!m_taken.load(std::memory_order_relaxed))
                return;
        }
        std::this_thread::yield(); // its owner may not be running
    }
    std::atomic<bool> m_taken{false};
};

// The lock of the page of this address. There are few, shared by all pages and all runs: between instructions a lock
// says nothing, so that runs side by side do not notice each other.
inline PageLock& pageLock(std::uint64_t address) {
    static std::array<PageLock, 64> locks;
    return locks[(address / PageLock::pageBytes * 0x9e3779b97f4a7c15ull) >> 58];
}

} // namespace warpglass::emulator
