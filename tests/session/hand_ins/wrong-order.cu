// SPDX-License-Identifier: GPL-3.0-or-later; no-divided-warp misses result: the host computes
__global__ void alternate(int* out, const int* in, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];
    if (threadIdx.x < blockDim.x / 2)
        for (int k = 1; k < rounds; ++k)
            value += in[(i + k) % n];
    else
        for (int k = 1; k < rounds; ++k)
            value = max(value, in[(i + k) % n]);
    out[i] = value;
}
