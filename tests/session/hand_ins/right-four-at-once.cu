// SPDX-License-Identifier: GPL-3.0-or-later; four-at-once passes
__global__ void scaleVector(float* out, const float* in, int n) {
    auto* to = reinterpret_cast<float4*>(out);
    auto* from = reinterpret_cast<const float4*>(in);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n / 4) {
        float4 v = __ldg(&from[i]);
        v.x += v.x;
        v.y += v.y;
        v.z += v.z;
        v.w += v.w;
        to[i] = v;
        i += gridDim.x * blockDim.x;
    }
}
