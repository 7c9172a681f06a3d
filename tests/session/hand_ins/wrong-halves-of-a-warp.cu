// SPDX-License-Identifier: GPL-3.0-or-later; no-divided-warp misses goal 1 at line 4: divergent
__global__ void alternate(int* out, const int* in, int n, int rounds) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + (t % 16) * 2 + (t / 16) % 2 + t / 32 * 32; // halves of a warp
    if (i % 2 == 0) {
        int sum = 0;
        for (int k = 0; k < rounds; ++k)
            sum += in[(i + k) % n];
        out[i] = sum;
    } else {
        int most = in[i];
        for (int k = 1; k < rounds; ++k)
            most = max(most, in[(i + k) % n]);
        out[i] = most;
    }
}
