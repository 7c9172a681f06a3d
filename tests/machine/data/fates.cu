// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of lines: nvcc -ptx -arch=compute_90 -lineinfo, its .file made "fates.cu", then ptxas -arch=sm_90 --generate-line-info (13.0.88).
extern "C" __global__ void choose(int* out, const int* in) {
    const int v = in[threadIdx.x];
    int r = v;
    if (v > 10)
        r = v * 3;
    out[threadIdx.x] = r;
}
extern "C" __global__ void guarded(int* out, const int* in, int n) {
    if (threadIdx.x < n)
        out[threadIdx.x] = in[threadIdx.x];
}
extern "C" __global__ void part(float* out, const float* in) {
    float v = in[threadIdx.x];
    if (v > 1.0f) {
        for (int i = 0; i < int(v); ++i)
            v += in[i] * v;
    } else {
        v = sqrtf(v) / 3.0f;
    }
    out[threadIdx.x] = v;
}
extern "C" __global__ void together(float* out, const float* in, int stride) {
    __shared__ __align__(16) float s[256 * 4];
    for (int i = 0; i < 4; ++i)
        s[threadIdx.x * 4 + i] = in[threadIdx.x * stride + i];
    __syncthreads();
    const int o = (threadIdx.x ^ 1) * 4;
    out[threadIdx.x] = s[o] + s[o + 1] * s[o + 2] - s[o + 3];
}
extern "C" __global__ void __launch_bounds__(1024, 2) spilled(float* out, const float* in) {
    float v[40];
#pragma unroll
    for (int i = 0; i < 40; ++i)
        v[i] = static_cast<const volatile float*>(in)[threadIdx.x + i * 1024];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 40; ++i)
        out[threadIdx.x + i * 1024] = v[i] - 3 * v[39 - i];
}
extern "C" __global__ void sum(float* out, const float* in, int n) {
    float s = 0;
    const float scale = sqrtf(in[0]);
    for (int i = 0; i < n; ++i)
        s += in[threadIdx.x + i * 32] * scale;
    out[threadIdx.x] = s;
}
