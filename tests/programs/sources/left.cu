// SPDX-License-Identifier: GPL-3.0-or-later
// The same sum of columns of 16 MB behind a copy from the host, behind itself, and behind a fill.
#include "check.h"

#include <vector>

__global__ void sum(const float* a, float* y, int n) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < n; ++k)
        s += a[size_t(k) * n + c];
    y[c] = s;
}

int main() {
    constexpr int n = 2048;
    std::vector<float> host(n * n, 1), sums(n);
    float *a = nullptr, *y = nullptr;
    CHECK(cudaMalloc(&a, host.size() * 4));
    CHECK(cudaMalloc(&y, n * 4));
    CHECK(cudaMemcpy(a, host.data(), host.size() * 4, cudaMemcpyHostToDevice));
    sum<<<n / 256, 256>>>(a, y, n);
    sum<<<n / 256, 256>>>(a, y, n);
    CHECK(cudaMemcpy(a, host.data(), host.size() * 4, cudaMemcpyHostToDevice));
    sum<<<n / 256, 256>>>(a, y, n);
    CHECK(cudaMemset(a, 0, host.size() * 4));
    sum<<<n / 256, 256>>>(a, y, n);
    CHECK(cudaMemcpy(sums.data(), y, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaGetLastError());
    for (const float s : sums)
        if (s != 0)
            return 1;
    puts("passed");
    return 0;
}
