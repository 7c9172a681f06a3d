// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/launch/backend.h"

#include <gtest/gtest.h>
#include <string>

namespace warpglass::testing {

// What is told of a launch that hangs, with who waits for whom; where it does not hang a failure, and two waits that say nothing.
inline Diagnostic hangIn(const Recording& r) {
    for (const Diagnostic& d : r.trace->diagnostics)
        if (!d.waits.empty())
            return d;
    ADD_FAILURE() << "it does not hang";
    Diagnostic none;
    none.waits.resize(2);
    return none;
}

inline void expectIn(const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

} // namespace warpglass::testing
