// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void scaleVector(float* out, const float* in, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = 2.0f * in[i];
}
