// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace warpglass {

// Handed to every long piece of work. Workers call report() and stop soon after cancelled() turns true; the caller
// reads fraction() from any thread. A plain Progress is a valid "nobody is watching".
class Progress {
public:
    void report(double fraction) { m_fraction.store(fraction, std::memory_order_relaxed); } // 0 to 1
    double fraction() const { return m_fraction.load(std::memory_order_relaxed); }
    void cancel() { m_cancelled.store(true, std::memory_order_relaxed); }
    bool cancelled() const { return m_cancelled.load(std::memory_order_relaxed); }

private:
    std::atomic<double> m_fraction{0.0};
    std::atomic<bool> m_cancelled{false};
};

} // namespace warpglass
