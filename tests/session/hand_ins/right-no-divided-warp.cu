// SPDX-License-Identifier: GPL-3.0-or-later; no-divided-warp passes
// Warps go in pairs: of the 64 elements of a pair, the first takes the even ones.
__global__ void alternate(int* out, const int* in, int n, int rounds) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int i = blockIdx.x * blockDim.x + (warp / 2) * 64 + 2 * lane + warp % 2;
    int value = warp % 2 ? in[i] : 0;
    if (warp % 2) {
        for (int k = 1; k < rounds; ++k) {
            int other = in[(i + k) % n];
            value = other > value ? other : value;
        }
    } else {
        for (int k = 0; k < rounds; ++k)
            value += in[(i + k) % n];
    }
    out[i] = value;
}
