// SPDX-License-Identifier: GPL-3.0-or-later
// float4 loads from a row whose length is no multiple of four.
#include <cstdio>
__global__ void rows(const float *in, float *out, int pitch) {
    const float4 v = *(const float4 *)(in + blockIdx.x * pitch + threadIdx.x * 4);
    out[blockIdx.x * blockDim.x + threadIdx.x] = v.x + v.y + v.z + v.w;
}
int main() {
#ifdef FIXED
    const int pitch = 132;
#else
    const int pitch = 130;
#endif
    float *a, *b;
    static float h[4 * 132], r[128];
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, sizeof r);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    rows<<<4, 32>>>(a, b, pitch);
    cudaError_t e = cudaMemcpy(r, b, sizeof r, cudaMemcpyDeviceToHost);
    printf("%s\n", cudaGetErrorString(e));
    cudaFree(a); cudaFree(b);
    return e != 0;
}
