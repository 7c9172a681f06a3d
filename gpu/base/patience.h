// SPDX-License-Identifier: GPL-3.0-or-later
// Work that gets no further for a minute (or for as long as WARPGLASS_PATIENCE says: "300" seconds, "10m", "0" for ever)
// may never end: whoever watches it asks the person who waits. What there is to ask depends on who watches: the window
// has a button, a terminal an answer, and where nobody can answer the variable itself decides (app/record/interrupt.h).
#pragma once

#include <chrono>

namespace warpglass {

std::chrono::seconds patience(); // 0: without end
bool patienceIsSet();            // by the variable

class Standstill {
public:
    using Clock = std::chrono::steady_clock;
    explicit Standstill(std::chrono::seconds most = patience()) : m_most(most) {}
    // fraction: how far the work is now. Whether it has been there for so long, or for as long again since this was said.
    bool is(double fraction, Clock::time_point now = Clock::now());
    bool moved() const { return m_moved; } // between the last two times that somebody looked

private:
    std::chrono::seconds m_most;
    double m_at = -1;
    Clock::time_point m_since;
    bool m_moved = true;
};

} // namespace warpglass
