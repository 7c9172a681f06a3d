// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void alternate(int* out, const int* in, int n, int rounds) {
    int half = blockDim.x / 2, t = threadIdx.x;
    if (t < half) { // whole warps: half a block is a multiple of 32
        int i = blockIdx.x * blockDim.x + 2 * t;
        int sum = 0;
        for (int k = 0; k < rounds; ++k)
            sum += in[(i + k) % n];
        out[i] = sum;
    } else {
        int i = blockIdx.x * blockDim.x + 2 * (t - half) + 1;
        int most = in[i];
        for (int k = 1; k < rounds; ++k)
            most = max(most, in[(i + k) % n]);
        out[i] = most;
    }
}
