// SPDX-License-Identifier: GPL-3.0-or-later; neighbours-side-by-side misses goal 1 at line 5: sectors
__global__ void doubleRows(float* out, const float* in, int width, int height) {
    if (blockIdx.x == 0 && threadIdx.x == 0)
        for (int i = 0; i < width * height; ++i)
            out[i] = 2.0f * in[i];
}
