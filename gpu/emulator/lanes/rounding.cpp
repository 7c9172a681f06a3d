// SPDX-License-Identifier: GPL-3.0-or-later
// One fused multiply and add in another rounding mode, for matrices; whole rows are in alu/rounded.cpp. The host's
// rounding mode is switched for one operation; this file is compiled for that (-frounding-math), and volatile keeps the
// operation between the two switches.
#include "gpu/emulator/lanes/half.h"

#include <cfenv>
#include <cmath>

namespace warpglass::emulator {

namespace {
int hostMode(Round r) {
    switch (r) {
    case Round::Zero:
        return FE_TOWARDZERO;
    case Round::Down:
        return FE_DOWNWARD;
    case Round::Up:
        return FE_UPWARD;
    default:
        return FE_TONEAREST;
    }
}
} // namespace

double roundedFma(Round round, double a, double b, double c) {
    volatile double va = a, vb = b, vc = c, r = 0;
    std::fesetround(hostMode(round));
    r = std::fma(double(va), double(vb), double(vc));
    std::fesetround(FE_TONEAREST);
    return r;
}

} // namespace warpglass::emulator
