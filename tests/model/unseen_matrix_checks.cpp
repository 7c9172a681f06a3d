// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/unseen_checks.h"

#include <cstddef>
#include <numeric>

namespace warpglass::testing {
namespace {

void checkRowProducts(const Ran& r) {
    const auto a = r.before("a"), x = r.before("x");
    const auto columns = std::size_t(r.value("columns"));
    expectNear(
        r.after("y"), std::size_t(r.value("rows")),
        [&](std::size_t row) {
            return std::inner_product(x.begin(), x.end(), a.begin() + std::ptrdiff_t(row * columns), 0.0);
        },
        1e-4);
}
void checkColumnProducts(const Ran& r) {
    const auto a = r.before("a"), x = r.before("x");
    const auto columns = std::size_t(r.value("columns"));
    std::vector<double> y(columns);
    for (std::size_t k = 0; k < a.size(); ++k)
        y[k % columns] += double(a[k]) * x[k / columns];
    expectNear(
        r.after("y"), columns, [&](std::size_t c) { return y[c]; }, 1e-4);
}
void checkColumnMoments(const Ran& r) {
    const auto a = r.before("a");
    const auto columns = std::size_t(r.value("columns"));
    const double rows = r.value("rows");
    std::vector<double> sum(columns), squares(columns);
    for (std::size_t k = 0; k < a.size(); ++k) {
        sum[k % columns] += a[k];
        squares[k % columns] += double(a[k]) * a[k];
    }
    expectNear(
        r.after("mean"), columns, [&](std::size_t c) { return sum[c] / rows; }, 1e-4);
    expectNear(
        r.after("deviation"), columns,
        [&](std::size_t c) { return std::sqrt(squares[c] / rows - sum[c] / rows * (sum[c] / rows)); }, 1e-4);
}
void checkRecurrence(const Ran& r) {
    const auto a = r.before("a");
    const auto columns = std::size_t(r.value("columns"));
    // y = sum of (-1/2)^k a[columns - 1 - k]; what lies 60 back no longer counts.
    expectNear(
        r.after("out"), std::size_t(r.value("rows")),
        [&](std::size_t row) {
            double y = 0, weight = 1;
            for (std::size_t k = 0; k < 60; ++k, weight *= -0.5)
                y += weight * a[row * columns + columns - 1 - k];
            return y;
        },
        1e-5);
}
void checkNormalise(const Ran& r) {
    const auto a = r.before("a"), mean = r.before("mean"), variance = r.before("variance");
    expectNear(
        r.after("a"), a.size(),
        [&](std::size_t k) {
            const std::size_t c = k % mean.size();
            return (double(a[k]) - mean[c]) / std::sqrt(double(variance[c]) + 1e-5);
        },
        1e-5);
}
void checkTransposes(const Ran& r) {
    const auto n = std::size_t(r.value("n"));
    for (const char* name : {"a", "b", "c"}) {
        const auto from = r.before(name), to = r.after(std::string("t") + name);
        for (std::size_t k = 0; k < to.size(); ++k)
            ASSERT_EQ(to[k], from[k % n * n + k / n]) << name << " element " << k;
    }
}
void checkProduct(const Ran& r) {
    const auto a = r.before("a"), b = r.before("b");
    const auto n = std::size_t(r.value("n"));
    std::vector<double> c(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j)
                c[i * n + j] += double(a[i * n + k]) * b[k * n + j];
    expectNear(
        r.after("c"), n * n, [&](std::size_t k) { return c[k]; }, 1e-4);
}
void checkSparse(const Ran& r) {
    const auto length = r.before<int>("length"), column = r.before<int>("column");
    const auto value = r.before("value"), x = r.before("x");
    const int shift = r.value("shift");
    std::vector<double> y(length.size());
    for (std::size_t k = 0; k < value.size(); ++k)
        if (const std::size_t row = k >> shift; int(k - (row << shift)) < length[row])
            y[row] += double(value[k]) * x[std::size_t(column[k])];
    expectNear(
        r.after("y"), y.size(), [&](std::size_t k) { return y[k]; }, 1e-4);
}

} // namespace

HostChecks matrixChecks() {
    return {
        {"matvec_thread_row", checkRowProducts},
        {"matvec_warp_row", checkRowProducts},
        {"matvec_thread_column", checkColumnProducts},
        {"column_moments", checkColumnMoments},
        {"row_recurrence", checkRecurrence},
        {"normalise", checkNormalise},
        {"transpose_three", checkTransposes},
        {"gemm_registers", checkProduct},
        {"spmv_thread", checkSparse},
        {"spmv_warp", checkSparse},
    };
}

} // namespace warpglass::testing
