// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of many transforms: batches, columns of a matrix by their strides, three dimensions, real ones; on a stream of their own.
#include "fourier.h"

namespace {

template <class T>
std::vector<T> some(int n) {
    std::vector<T> all(n);
    for (int k = 0; k < n; ++k)
        all[k] = {double(k * 29 % 31) - 15, double(k * 17 % 23) - 11};
    return all;
}
template <class T>
T* copied(const std::vector<T>& from) {
    T* to = nullptr;
    CHECK(cudaMalloc(&to, from.size() * sizeof(T)));
    CHECK(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    return to;
}
template <class T>
std::vector<T> back(const T* from, int n) {
    std::vector<T> to(n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(to.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
}
Complex of(cufftDoubleComplex v) {
    return {v.x, v.y};
}

} // namespace

int main() {
    constexpr int n = 7, count = 6; // a prime, too
    const auto x = some<cufftDoubleComplex>(n * count);
    cufftDoubleComplex *in = copied(x), *out = copied(x);
    cudaStream_t stream = nullptr;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    cufftHandle rows = 0, columns = 0;
    FFT(cufftCreate(&rows));
    FFT(cufftSetAutoAllocation(rows, 0));
    std::size_t work = 1;
    FFT(cufftMakePlan1d(rows, n, CUFFT_Z2Z, count, &work));
    FFT(cufftSetStream(rows, stream));
    FFT(cufftExecZ2Z(rows, in, out, CUFFT_INVERSE));
    auto is = back(out, n * count);
    for (int each = 0; each < count; ++each) {
        std::vector<Complex> row;
        for (int k = 0; k < n; ++k)
            row.push_back(of(x[each * n + k]));
        const auto wanted = transformed(row, 1);
        for (int k = 0; k < n; ++k)
            expectNear(of(is[each * n + k]), wanted[k], 1e-11, "a batch");
    }

    int size = n, embed = n; // the columns of n by count: elements `count` apart, transforms 1
    FFT(cufftPlanMany(&columns, 1, &size, &embed, count, 1, &embed, count, 1, CUFFT_Z2Z, count));
    FFT(cufftSetStream(columns, stream));
    FFT(cufftExecZ2Z(columns, in, out, CUFFT_FORWARD));
    is = back(out, n * count);
    for (int each = 0; each < count; ++each) {
        std::vector<Complex> column;
        for (int k = 0; k < n; ++k)
            column.push_back(of(x[k * count + each]));
        const auto wanted = transformed(column, -1);
        for (int k = 0; k < n; ++k)
            expectNear(of(is[k * count + each]), wanted[k], 1e-11, "columns");
    }

    // Real numbers in float, three transforms of 8; what is transformed stays, and comes back 8 times as large.
    std::vector<float> real(24);
    for (int k = 0; k < 24; ++k)
        real[k] = float(k * 11 % 13);
    float *r = copied(real), *again = copied(std::vector<float>(24));
    cufftComplex* c = nullptr;
    CHECK(cudaMalloc(&c, 15 * sizeof *c)); // 3 times 5
    cufftHandle there = 0, hence = 0;
    FFT(cufftPlan1d(&there, 8, CUFFT_R2C, 3));
    FFT(cufftPlan1d(&hence, 8, CUFFT_C2R, 3));
    FFT(cufftExecR2C(there, r, c));
    const auto frequencies = back(c, 15);
    for (int each = 0; each < 3; ++each) {
        std::vector<Complex> row(real.begin() + each * 8, real.begin() + each * 8 + 8);
        const auto wanted = transformed(row, -1);
        for (int k = 0; k < 5; ++k)
            expectNear({frequencies[each * 5 + k].x, frequencies[each * 5 + k].y}, wanted[k], 1e-4, "real");
    }
    FFT(cufftExecC2R(hence, c, again));
    const auto eight = back(again, 24);
    for (int k = 0; k < 24; ++k)
        expectNear(eight[k], 8 * real[k], 1e-4, "and back");
    const auto kept = back(c, 15);
    for (int k = 0; k < 15; ++k)
        expectNear({kept[k].x, kept[k].y}, {frequencies[k].x, frequencies[k].y}, 0, "kept");

    // One wave in three dimensions is one frequency.
    constexpr int a = 4, b = 6, d = 5;
    std::vector<cufftDoubleComplex> wave(a * b * d);
    const double turn = 2 * std::acos(-1.0);
    for (int i = 0; i < a; ++i)
        for (int j = 0; j < b; ++j)
            for (int k = 0; k < d; ++k) {
                const double at = turn * (1.0 * i / a + 2.0 * j / b + 3.0 * k / d);
                wave[(i * b + j) * d + k] = {std::cos(at), std::sin(at)};
            }
    cufftDoubleComplex* w = copied(wave);
    cufftHandle solid = 0;
    FFT(cufftPlan3d(&solid, a, b, d, CUFFT_Z2Z));
    FFT(cufftExecZ2Z(solid, w, w, CUFFT_FORWARD));
    const auto one = back(w, a * b * d);
    for (int k = 0; k < a * b * d; ++k)
        expectNear(of(one[k]), k == (1 * b + 2) * d + 3 ? a * b * d : 0, 1e-11, "a wave");
    if (cufftExecC2C(solid, nullptr, nullptr, CUFFT_FORWARD) == CUFFT_SUCCESS) // of another type
        return 1;
    std::printf("passed\n");
}
