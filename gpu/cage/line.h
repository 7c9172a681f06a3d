// SPDX-License-Identifier: GPL-3.0-or-later
// The line between the two processes, as the one sees it that started the other: a pair of connected sockets without a
// name. What comes is copied by the system into memory that only this side has: nothing that has been looked at can be
// changed, made shorter, or be more than this side takes. No file comes along (it is never asked for one).
#pragma once

#include "gpu/base/progress.h"

#include <cstddef>
#include <functional>
#include <span>

namespace warpglass::cage {

class Line {
public:
    // far: how far the other side is, which is reported while it is waited for.
    Line(Progress& progress, std::function<double()> far);
    ~Line();
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;
    int otherEnd() const { return m_ends[1]; } // -1: there are none
    void giveOtherEnd();                       // it is the other process's alone

    bool send(std::span<const std::byte> bytes);  // false: it is over, or cancelled
    std::size_t take(std::span<std::byte> bytes); // some of them; 0: it is over, or cancelled
    void endSending();                            // which tells the other side that all of its answer is there
    bool isOver() const { return m_over; }        // the other side has closed its end

private:
    void wait(short what); // a little
    Progress& m_progress;
    std::function<double()> m_far;
    int m_ends[2] = {-1, -1};
    bool m_over = false;
};

} // namespace warpglass::cage
