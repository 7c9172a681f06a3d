// SPDX-License-Identifier: GPL-3.0-or-later
// A library under the name of one of CUDA's own. It has nothing but that name and its version: what programs call is in
// the one library behind all of them.
extern "C" void warpglassVirtualRuntime(int major);

namespace {
const struct Told {
    Told() {
        if (WARPGLASS_RUNTIME_MAJOR > 0)
            warpglassVirtualRuntime(WARPGLASS_RUNTIME_MAJOR);
    }
} told;
} // namespace
