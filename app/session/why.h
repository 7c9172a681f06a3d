// SPDX-License-Identifier: GPL-3.0-or-later
// Why a launch takes as long as it does: the timing model asked again, each time without one limit of the machine
// (gpu/device/limit.h). What is saved is what the limit costs; savings overlap, since a warp waits for the slowest of
// several things, and so they do not add up to the whole.
//
// Where a limit belongs to single instructions (coalescing, conflicts, misses, atomics), it is then taken away from one
// source line at a time. For the others a line's share is counted: of the branches that went both ways, of the cycles
// that warps waited at barriers or for memory, of the issue slots.
#pragma once

#include "app/session/session.h"
#include "gpu/device/limit.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>

namespace warpglass::session {

struct WhyLine {
    std::uint32_t line = 0;              // of the kernel's source; of the PTX text if the compiler named none
    std::optional<AccessKind> access;    // where a limit is about accesses: of this kind alone
    std::vector<std::uint32_t> ptxLines; // ascending
    // Nanoseconds that the launch would take less if the limit were taken away there alone; else nothing is known of that,
    // and share says how much of the limit's whole is found at this line, 0 to 1.
    std::optional<double> savedNs;
    double share = 0;
    // What was counted there, a warp's request or branch on average: sectors, passes or branches that went both ways, and
    // the least there could be.
    double found = 0, least = 0;
};

struct WhyLimit {
    Limit limit = Limit::Divergence;
    double ns = 0;              // the launch without it
    std::vector<WhyLine> lines; // those that pay most first; empty where the limit is none of a line's
};

struct Why {
    TracePtr trace;               // the launch as it is, with its warps' states
    bool fromSource = false;      // WhyLine::line is of the source
    double ns = 0;                // as it is, modelled
    double floorNs = 0;           // without all limits
    double modelError = 0;        // mean |modelled / measured - 1| on an H200; 0: nothing was measured on such a device
    std::vector<WhyLimit> limits; // all, the one that saves most first
    struct Pair {
        Limit first = Limit::Divergence, second = Limit::Divergence;
        double ns = 0;
    };
    std::optional<Pair> pair; // of two that save something the two that save most together

    double saved(double nsWithout) const { return ns > 0 ? 1 - nsWithout / ns : 0; } // of the launch, 0 to 1
};

// What does not save so much is not worth a word: the model can't tell it from nothing.
inline constexpr double worthSaving = 0.03;

// Runs the request some thirty times. step(done, runs): before each. A fault of the kernel is an Error here, as is a
// cancelled progress.
Result<Why> why(const RunRequest& request, const LaunchPlan& plan, Progress& progress,
                const std::function<void(int, int)>& step);

std::string sentence(const Why& why, const WhyLimit& limit); // "" if it is not worth one
std::string remains(const Why& why);                         // where much of the time is due to no limit; else ""
std::string sentence(const Why& why, const WhyLimit& limit, const WhyLine& line);
nlohmann::ordered_json whyJson(const Why& why);
std::string whyText(const Why& why);

} // namespace warpglass::session
