// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/emulator.h"

#include "tests/fuzz/generated.h"
#include "tests/fuzz/targets.h"

#include <cstdlib>

namespace warpglass::fuzz {

void kernels(std::string_view bytes) {
    constexpr std::size_t most = 1 << 12;
    if (bytes.size() > most)
        return;
    static const int limited = setenv("WARPGLASS_MEMORY", "512M", 1);
    (void)limited;
    static const auto emulator = makeEmulator();
    generated(bytes).run(*emulator);
}

} // namespace warpglass::fuzz
