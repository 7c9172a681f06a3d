// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch's time is spent on, as numbers: what it would take without each limit of the machine (gpu/device/limit.h),
// and which lines pay for it. app/session/why asks the timing model, why_words.h says the numbers in words, views/why
// draws them.
#pragma once

#include "gpu/base/message.h"
#include "gpu/base/result.h"
#include "gpu/device/limit.h"
#include "gpu/metrics/tile_layout.h"
#include "gpu/trace/trace.h"

#include <memory>
#include <optional>
#include <vector>

namespace warpglass {

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
    // The queue or unit that warps wait at for more than half of that time, if there is one.
    std::optional<WarpState> mostly;
    // Of bank conflicts: the layout of what the line touches of shared memory that costs a block the fewest passes, and what
    // the present one costs; nothing where none is known that costs less.
    std::optional<RankedLayout> layout;
    std::uint64_t passes = 0;
};

struct WhyLimit {
    Limit limit = Limit::Divergence;
    double ns = 0;              // the launch without it
    std::vector<WhyLine> lines; // those that pay most first; empty where the limit is none of a line's
    TracePtr trace;             // of the launch without it; null unless it was asked for and is worth a word
};

struct WhyPair {
    Limit first = Limit::Divergence, second = Limit::Divergence;
    double ns = 0; // the launch without both
};

struct Why {
    TracePtr trace;          // the launch as it is, with its warps' states
    bool fromSource = false; // WhyLine::line is of the source
    double ns = 0;           // as it is, modelled
    double floorNs = 0;      // without all limits
    double modelError = 0;   // mean |modelled / measured - 1| of launches of its kind; 0: nothing like it was measured
    bool warmL2 = false;     // L2 held the launch's data when it began, as far as there is room
    bool whole = true;       // false: limits of which nobody has asked yet, lines, pair and floor are still to come
    std::vector<WhyLimit> limits; // all, the one that saves most first
    std::vector<Said> compiler;   // what ptxas makes of the kernel that costs time
    std::optional<WhyPair> pair;  // of two that save something the two that save most together

    double saved(double nsWithout) const { return ns > 0 ? 1 - nsWithout / ns : 0; } // of the launch, 0 to 1
    bool worth(const WhyLimit& limit) const;
};

// What does not save so much is not worth a word: the model can't tell it from nothing.
inline constexpr double worthSaving = 0.03;
inline bool Why::worth(const WhyLimit& limit) const {
    return saved(limit.ns) >= worthSaving;
}

// What was answered, or why there is no answer.
using WhyAnswer = std::shared_ptr<const Result<Why>>;

} // namespace warpglass
