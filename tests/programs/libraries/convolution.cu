// SPDX-License-Identifier: GPL-3.0-or-later
// A filter by two transforms, a product in a kernel and a transform back, held against the sum that it stands for.
#include "fourier.h"

__global__ void multiply(cufftComplex* a, const cufftComplex* b, int n, float scale) {
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
        const cufftComplex x = a[k], y = b[k];
        a[k] = {(x.x * y.x - x.y * y.y) * scale, (x.x * y.y + x.y * y.x) * scale};
    }
}

int main() {
    constexpr int n = 60; // 2 * 2 * 3 * 5
    std::vector<cufftComplex> signal(n), filter(n);
    for (int k = 0; k < 50; ++k)
        signal[k].x = float(k * 37 % 17) / 17;
    for (int k = 0; k < 11; ++k)
        filter[k].x = float(k * 5 % 7) / 7;
    cufftComplex *a = nullptr, *b = nullptr;
    CHECK(cudaMalloc(&a, n * sizeof *a));
    CHECK(cudaMalloc(&b, n * sizeof *b));
    CHECK(cudaMemcpy(a, signal.data(), n * sizeof *a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, filter.data(), n * sizeof *b, cudaMemcpyHostToDevice));
    cufftHandle plan = 0;
    FFT(cufftPlan1d(&plan, n, CUFFT_C2C, 1));
    FFT(cufftExecC2C(plan, a, a, CUFFT_FORWARD));
    FFT(cufftExecC2C(plan, b, b, CUFFT_FORWARD));
    multiply<<<2, 32>>>(a, b, n, 1.0F / n);
    CHECK(cudaGetLastError());
    FFT(cufftExecC2C(plan, a, a, CUFFT_INVERSE));
    std::vector<cufftComplex> is(n);
    CHECK(cudaMemcpy(is.data(), a, n * sizeof *a, cudaMemcpyDeviceToHost));
    for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = 0; k < n; ++k)
            sum += double(signal[k].x) * filter[(j - k + n) % n].x;
        expectNear({is[j].x, is[j].y}, sum, 1e-5, "filtered");
    }
    FFT(cufftDestroy(plan));
    if (cufftDestroy(plan) != CUFFT_INVALID_PLAN)
        return 1;
    std::printf("passed\n");
}
