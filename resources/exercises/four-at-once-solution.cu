// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void scaleVector(float* out, const float* in, int n) {
    const float4* from = reinterpret_cast<const float4*>(in);
    float4* to = reinterpret_cast<float4*>(out);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        float4 v = from[i];
        to[i] = make_float4(2.0f * v.x, 2.0f * v.y, 2.0f * v.z, 2.0f * v.w);
    }
}
