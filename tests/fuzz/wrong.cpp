// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/targets.h"

#include <cstdio>
#include <cstdlib>

namespace warpglass::fuzz {

void wrong(const char* what) {
    std::fprintf(stderr, "fuzz: %s\n", what);
    std::abort();
}

} // namespace warpglass::fuzz
