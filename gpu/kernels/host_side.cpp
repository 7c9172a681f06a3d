// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/host_side.h"

#include <cstddef>

namespace warpglass::kernels {

namespace {

template <typename T>
T reduce(std::span<T> data) {
    if (data.size() == 1)
        return data[0];
    const std::size_t stride = data.size() / 2;
    for (std::size_t i = 0; i < stride; ++i)
        data[i] += data[i + stride];
    if (data.size() % 2 == 1)
        data[0] += data[data.size() - 1];
    return reduce(data.first(stride));
}

std::size_t at(int row, int column, int n) {
    return std::size_t(row) * std::size_t(n) + std::size_t(column);
}

} // namespace

int recursiveReduce(std::span<int> data) {
    return reduce(data);
}

float recursiveReduce(std::span<float> data) {
    return reduce(data);
}

long long sumByRows(std::span<const int> matrix, int n) {
    long long sum = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            sum += matrix[at(i, j, n)];
    return sum;
}

long long sumByColumns(std::span<const int> matrix, int n) {
    long long sum = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            sum += matrix[at(j, i, n)];
    return sum;
}

std::vector<int> multiplyIjk(std::span<const int> a, std::span<const int> b, int n) {
    std::vector<int> c(at(n, 0, n), 0);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k)
                c[at(i, j, n)] += a[at(i, k, n)] * b[at(k, j, n)];
    return c;
}

std::vector<int> multiplyIkj(std::span<const int> a, std::span<const int> b, int n) {
    std::vector<int> c(at(n, 0, n), 0);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                c[at(i, j, n)] += a[at(i, k, n)] * b[at(k, j, n)];
    return c;
}

std::vector<int> transposed(std::span<const int> in, int n, int m) {
    std::vector<int> out(in.size());
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < m; ++x)
            out[at(x, y, n)] = in[at(y, x, m)];
    return out;
}

} // namespace warpglass::kernels
