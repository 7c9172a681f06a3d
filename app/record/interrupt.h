// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/progress.h"

#include <functional>
#include <stop_token>
#include <string>
#include <thread>

namespace warpglass::record {

// While it lives, Ctrl-C (and a polite kill) cancels the work; a second one ends the program at once, and so does the first
// where the work has not ended within a second (a file has its name only when it is whole, gpu/base/new_file.h). On a
// terminal it also writes how far the work is, after the first second: the percentage, or what `far` says. Work that stands
// still (gpu/base/patience.h) is asked about there; where nobody can answer that is said, and the work is cancelled if
// WARPGLASS_PATIENCE was set. Make it before any other thread: those inherit the blocked signals.
class Interrupt {
public:
    explicit Interrupt(Progress& progress, std::function<std::string()> far = {}); // far: called by another thread
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

private:
    std::jthread m_watcher;
};

} // namespace warpglass::record
