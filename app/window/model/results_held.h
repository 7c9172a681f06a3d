// SPDX-License-Identifier: GPL-3.0-or-later
// Whether two runs left the same in memory, and else where they part first.
#pragma once

#include "app/window/model/run.h"

#include <QString>

#include <optional>

namespace warpglass {

struct ResultsHeld {
    std::uint64_t elements = 0, differing = 0; // floating-point numbers that rounding parts are not among these
    double worstRounding = 0;                  // the largest of the relative differences that are taken for rounding
    QString first, a, b;                       // "out[5]", and what both have there; empty: nothing differs
    bool same() const { return differing == 0; }
};

// Nothing: it cannot be told, since they began with other memory, were of other sizes, or nobody kept what they left.
std::optional<ResultsHeld> compareResults(const Run& a, const Run& b);

} // namespace warpglass
