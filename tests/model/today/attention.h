// SPDX-License-Identifier: GPL-3.0-or-later
// What attention needs beside its kernels: heads of queries, keys and values, and the host's results of some rows.
#pragma once

#include "today.h"

inline std::vector<__half> draws(std::size_t count, std::uint32_t seed) {
    std::vector<__half> values(count);
    Random draw{seed};
    for (__half& h : values)
        h = __float2half(draw.unit() * 2 - 1);
    return values;
}
// `launch` gets the scale of powers of two.
template <class Launch>
void attend(const char* name, int heads, int length, int deep, bool causal, Launch launch) {
    if (!chosen(name))
        return;
    const std::size_t count = std::size_t(heads) * length * deep;
    const auto q = draws(count, 1), k = draws(count, 2), v = draws(count, 3);
    Memory memory;
    const auto *dq = memory.holding(q), *dk = memory.holding(k), *dv = memory.holding(v);
    auto* out = memory.of<__half>(count);
    const double scale = 1 / std::sqrt(double(deep));
    twice([&] { launch(dq, dk, dv, out, float(scale / std::log(2.0))); });
    const auto got = back(out, count);
    bool right = true;
    Random draw{4};
    for (int sample = 0; sample < 40 && right; ++sample) {
        const int head = draw.within(0, heads - 1), row = sample == 0 ? length - 1 : draw.within(0, length - 1);
        const std::size_t at = std::size_t(head) * length * deep;
        std::vector<double> weights;
        double sum = 0;
        for (int j = 0; j < (causal ? row + 1 : length); ++j) {
            double dot = 0;
            for (int d = 0; d < deep; ++d)
                dot += double(__half2float(q[at + std::size_t(row) * deep + d])) *
                       double(__half2float(k[at + std::size_t(j) * deep + d]));
            weights.push_back(std::exp(dot * scale));
            sum += weights.back();
        }
        for (int d = 0; d < deep; ++d) {
            double want = 0;
            for (std::size_t j = 0; j < weights.size(); ++j)
                want += weights[j] * double(__half2float(v[at + j * deep + d]));
            const double is = double(__half2float(got[at + std::size_t(row) * deep + d]));
            if (!(std::abs(is - want / sum) < 4e-3)) {
                std::printf("head %d, row %d, %d: %g for %g\n", head, row, d, is, want / sum);
                right = false;
                break;
            }
        }
    }
    say(name, right);
}
