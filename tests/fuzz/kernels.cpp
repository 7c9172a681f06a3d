// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/generated.h"
#include "tests/fuzz/targets.h"

namespace warpglass::fuzz {

void kernels(std::string_view bytes) {
    if (bytes.size() <= mostGeneratedBytes)
        runOften(generated(bytes));
}

} // namespace warpglass::fuzz
