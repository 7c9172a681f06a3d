// SPDX-License-Identifier: GPL-3.0-or-later
// Launches beside themselves in fp64: tests/emulator/twin_test.cpp. twin.ptx is made from this file:
//   nvcc -arch=compute_80 -O3 -lineinfo -ptx twin.cu -o twin.ptx   (the paths in .file cut down to the names)
#include <cuda_fp16.h>

extern "C" __global__ void variance(const float* in, float* out, int n) {
    float sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
        sum += in[i];
        squares += in[i] * in[i];
    }
    float mean = sum / n;
    out[threadIdx.x] = squares / n - mean * mean;
}

extern "C" __global__ void plainSum(const float* in, float* out, int n) {
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += in[i & 31];
    out[threadIdx.x] = sum;
}

extern "C" __global__ void kahanSum(const float* in, float* out, float* rest, int n) {
    float sum = 0, c = 0;
    for (int i = 0; i < n; ++i) {
        float y = in[i & 31] - c;
        float t = sum + y;
        c = (t - sum) - y;
        sum = t;
    }
    out[threadIdx.x] = sum;
    rest[threadIdx.x] = c;
}

extern "C" __global__ void oneLess(const float* x, float* out) {
    out[threadIdx.x] = __fsub_rn(1.0f, __fmul_rn(x[threadIdx.x], x[threadIdx.x]));
}

extern "C" __global__ void halves(const __half* in, __half* out, int n) {
    __half sum = __float2half(0.0f);
    for (int i = 0; i < n; ++i)
        sum = __hadd(sum, in[threadIdx.x]);
    out[threadIdx.x] = sum;
}

extern "C" __global__ void pairs(const __half2* in, __half* out, int n) {
    __half2 sum = in[threadIdx.x];
    for (int i = 1; i < n; ++i)
        sum = __hadd2(sum, in[threadIdx.x]);
    out[threadIdx.x] = __low2half(sum);
    out[threadIdx.x + 32] = __high2half(sum);
}

// Through a register of another lane, shared, local and global memory; a double; an atomic.
extern "C" __global__ void ways(const float* in, float* out, float* notes, int at, int from) {
    __shared__ float row[32];
    float mine[4] = {1, 2, 3, 4};
    const float lost = in[threadIdx.x] + 100000000.0f - 100000000.0f;
    mine[at] = lost;
    row[threadIdx.x ^ 1] = mine[from];
    __syncwarp();
    notes[threadIdx.x] = __shfl_xor_sync(~0u, row[threadIdx.x], 1);
    __syncwarp();
    out[threadIdx.x] = float(double(notes[threadIdx.x]) * 2.0);
    atomicAdd(&out[32], lost);
}

extern "C" __global__ void decides(const float* in, int* out, float limit) {
    const float sum = in[threadIdx.x] + 100000000.0f - 100000000.0f;
    out[threadIdx.x] = sum > limit ? 1 : 0;
}

extern "C" __global__ void functions(const float* in, float* out) {
    const int i = threadIdx.x, n = blockDim.x;
    const float v = in[i];
    out[i] = expf(v), out[n + i] = logf(v), out[2 * n + i] = sinf(100 * v), out[3 * n + i] = powf(v, 2.7f);
    out[4 * n + i] = tanhf(v), out[5 * n + i] = erff(v), out[6 * n + i] = expm1f(v), out[7 * n + i] = log1pf(v);
    out[8 * n + i] = fmodf(v, 0.1f), out[9 * n + i] = tgammaf(v + 1), out[10 * n + i] = exp2f(10 * v);
    out[11 * n + i] = atan2f(v, 0.3f), out[12 * n + i] = cbrtf(v), out[13 * n + i] = __expf(v) / v;
    out[14 * n + i] = roundf(v * 10), out[15 * n + i] = float(exp(double(v))), out[16 * n + i] = sinhf(v);
}
