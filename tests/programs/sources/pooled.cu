// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel that reads 8 MB in the middle of an allocation of 48, behind a fill of 96 MB and then behind itself.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void below(const float4* in, float4* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const float4 v = in[i];
    if (v.x + v.y + v.z + v.w == 1.25f)
        out[i] = v;
}

int main() {
    constexpr size_t MB = 1 << 20;
    char *pool = nullptr, *out = nullptr, *other = nullptr;
    cudaMalloc(&pool, 48 * MB);
    cudaMalloc(&out, 48 * MB);
    cudaMalloc(&other, 96 * MB);
    cudaMemset(pool, 0, 48 * MB);
    cudaMemset(other, 0, 96 * MB);
    for (int k = 0; k < 2; ++k)
        below<<<2048, 256>>>(reinterpret_cast<const float4*>(pool + 16 * MB), reinterpret_cast<float4*>(out),
                             2048 * 256);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    std::puts("passed");
}
