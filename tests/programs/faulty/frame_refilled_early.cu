// SPDX-License-Identifier: GPL-3.0-or-later
// Frames are prepared in two pinned buffers; the wait begins one frame late.
#include <cstdio>
#include <cuda_runtime.h>
constexpr int frames = 6, pixels = 4096;
__global__ void gamma(const unsigned char *in, float *out) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i] / 255.f; }
int main() {
    unsigned char *stage[2], *dev[2]; float *out[frames];
    cudaEvent_t copied[2]; cudaStream_t s; cudaStreamCreate(&s);
    for (int k = 0; k < 2; k++) { cudaHostAlloc((void **)&stage[k], pixels, cudaHostAllocDefault); cudaMalloc(&dev[k], pixels); cudaEventCreate(&copied[k]); }
    for (auto &o : out) cudaMalloc(&o, pixels * sizeof(float));
    for (int f = 0; f < frames; f++) {
        int b = f % 2;
#ifdef FIXED
        if (f >= 2) cudaEventSynchronize(copied[b]);
#else
        if (f > 2) cudaEventSynchronize(copied[b]);
#endif
        for (int p = 0; p < pixels; p++) stage[b][p] = (unsigned char)(f * 16 + p);
        cudaMemcpyAsync(dev[b], stage[b], pixels, cudaMemcpyHostToDevice, s);
        cudaEventRecord(copied[b], s);
        gamma<<<pixels / 256, 256, 0, s>>>(dev[b], out[f]);
    }
    cudaStreamSynchronize(s);
    float r; cudaMemcpy(&r, out[0], 4, cudaMemcpyDeviceToHost); printf("%g\n", r);
}
