// SPDX-License-Identifier: GPL-3.0-or-later
#include "check.h"
#include <vector>

__global__ void add(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main() {
    const int n = 1000;
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; ++i)
        a[i] = float(i), b[i] = float(2 * i);
    float* d[3];
    for (float*& p : d)
        CHECK(cudaMalloc(&p, n * sizeof(float)));
    CHECK(cudaMemcpy(d[0], a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d[1], b.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    add<<<(n + 127) / 128, 128>>>(d[0], d[1], d[2], n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    WANT(ms > 0);
    CHECK(cudaMemcpy(c.data(), d[2], n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
        WANT(c[i] == 3.0f * float(i));
    for (float* p : d)
        CHECK(cudaFree(p));
    return passed();
}
