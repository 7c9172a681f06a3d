// SPDX-License-Identifier: GPL-3.0-or-later; four-at-once misses goal 1 at line 4: requests
__global__ void scaleVector(float* out, const float* in, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 2; i += gridDim.x * blockDim.x) {
        float2 v = ((const float2*)in)[i];
        ((float2*)out)[i] = make_float2(2 * v.x, 2 * v.y);
    }
}
