// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/records.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace warpglass::probe {

std::string clockKernel() {
    return R"(.version 7.0
.target sm_75
.address_size 64

.visible .entry wgp_clocks(.param .u64 rows)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [rows];
	cvta.to.global.u64 %rd1, %rd1;
	mov.u32 %r1, %tid.x;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra DONE;
	mov.u32 %r2, %ctaid.x;
	mad.wide.u32 %rd2, %r2, 24, %rd1;
	mov.u32 %r3, %smid;
	mov.u64 %rd3, %clock64;
	mov.u64 %rd4, %globaltimer;
	st.global.u64 [%rd2], %rd3;
	st.global.u64 [%rd2+8], %rd4;
	st.global.u32 [%rd2+16], %r3;
DONE:
	ret;
}
)";
}

std::vector<ClockPair> readClockRows(std::span<const std::byte> rows) {
    std::vector<ClockPair> pairs;
    for (std::size_t at = 0; at + 24 <= rows.size(); at += 24) {
        ClockPair p;
        std::memcpy(&p.clock, rows.data() + at, 8);
        std::memcpy(&p.timer, rows.data() + at + 8, 8);
        std::memcpy(&p.sm, rows.data() + at + 16, 4);
        if (p.timer != 0)
            pairs.push_back(p);
    }
    return pairs;
}

SmClock alignClock(std::uint32_t sm, std::span<const ClockPair> pairs, std::uint64_t timerZero,
                   double cyclesPerNsIfUnknown) {
    SmClock line;
    line.sm = sm;
    line.cyclesPerNs = cyclesPerNsIfUnknown;
    if (pairs.empty())
        return line;
    // Everything about the first pair: counters are far too large for a double to keep their last digits.
    const std::uint64_t clock0 = pairs[0].clock, timer0 = pairs[0].timer;
    const auto x = [&](const ClockPair& p) { return double(std::int64_t(p.timer - timer0)); };
    const auto y = [&](const ClockPair& p) { return double(std::int64_t(p.clock - clock0)); };
    double mx = 0, my = 0, low = x(pairs[0]), high = low;
    for (const ClockPair& p : pairs) {
        mx += x(p) / double(pairs.size());
        my += y(p) / double(pairs.size());
        low = std::min(low, x(p));
        high = std::max(high, x(p));
    }
    if (high - low >= 10000) {
        double xx = 0, xy = 0;
        for (const ClockPair& p : pairs) {
            xx += (x(p) - mx) * (x(p) - mx);
            xy += (x(p) - mx) * (y(p) - my);
        }
        if (xy > 0)
            line.cyclesPerNs = xy / xx;
    }
    for (const ClockPair& p : pairs)
        line.residualNs = std::max(line.residualNs, std::abs((y(p) - my) / line.cyclesPerNs - (x(p) - mx)));
    // At timerZero: the mean pair, moved along the line.
    line.offset = double(clock0) + my + line.cyclesPerNs * (double(std::int64_t(timerZero - timer0)) - mx);
    return line;
}

} // namespace warpglass::probe
