// SPDX-License-Identifier: GPL-3.0-or-later; neighbours-side-by-side misses ends at line 4: out
__global__ void doubleRows(float* out, const float* in, int width, int height) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= width * height; i += gridDim.x * blockDim.x)
        out[i] = 2.0f;
}
