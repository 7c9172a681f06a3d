// SPDX-License-Identifier: GPL-3.0-or-later
// A function that stays one: nvcc -ptx -arch=compute_90 -lineinfo, its .file made "called.cu", then ptxas -arch=sm_90 -lineinfo.
__device__ __noinline__ float turned(const float* in, int n) {
    float s = in[n];
    if (s > 1.0f)
        s = s * in[n + 1];
    return s;
}
extern "C" __global__ void calls(float* out, const float* in, int n) {
    out[threadIdx.x] = turned(in, n) + turned(in, n + 2);
}
