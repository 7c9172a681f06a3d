// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of own_matrix.cu. Their elements are small whole numbers, so every sum is exact, whatever the order.
#include "gpu/launch/arguments.h"
#include "gpu/launch/half.h"
#include "launches.h"

namespace warpglass::own_kernels {
namespace {

using Halves = std::vector<std::uint16_t>;

Halves halves(const Ints& data) {
    Halves h;
    for (const int v : data)
        h.push_back(bitsOf(float(v), binary16));
    return h;
}

TEST(OwnKernels, MatrixPipeline) {
    constexpr int m = 64, n = 128, k = 160; // five tiles through three places
    const Ints a = randoms<int>(m * k, -9, 9, 51), b = randoms<int>(k * n, -9, 9, 52);
    Floats c(m * n);
    for (int p = 0; p < k; ++p)
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j)
                c[std::size_t(i * n + j)] += float(a[std::size_t(i * k + p)] * b[std::size_t(p * n + j)]);
    equals({.entry = "matrixPipeline",
            .grid = {2, 1},
            .block = {128},
            .arguments = {in("a", halves(a)), in("b", halves(b)), out<float>("c", c.size()), value(n), value(k)},
            .file = "own_matrix",
            .targets = {"80", "90a"}},
           2, c);
}

TEST(OwnKernels, MatrixByWarpgroup) {
    constexpr int m = 128, n = 64, k = 320; // five boxes through two places
    const Ints a = randoms<int>(m * k, -9, 9, 53), b = randoms<int>(n * k, -9, 9, 54);
    Floats c(m * n);
    for (int p = 0; p < k; ++p)
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j)
                c[std::size_t(i * n + j)] += float(a[std::size_t(i * k + p)] * b[std::size_t(j * k + p)]);
    equals({.entry = "matrixByWarpgroup",
            .grid = {1, 2},
            .block = {160},
            .arguments = {*parseArgument("mapA:tensormap={base=a,type=f16,dims=320;128,box=64;64,swizzle=128}"),
                          *parseArgument("mapB:tensormap={base=b,type=f16,dims=320;64,box=64;64,swizzle=128}"),
                          out<float>("c", c.size()), value(n), value(k)},
            .others = {in("a", halves(a)), in("b", halves(b))},
            .file = "own_matrix",
            .targets = {"90a"}},
           2, c);
}

} // namespace
} // namespace warpglass::own_kernels
