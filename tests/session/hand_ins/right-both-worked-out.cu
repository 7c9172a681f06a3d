// SPDX-License-Identifier: GPL-3.0-or-later; no-divided-warp passes
// Each thread works out both, and takes one: no branch.
__global__ void alternate(int* out, const int* in, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0, most = in[i];
    for (int k = 0; k < rounds; ++k) {
        int v = in[(i + k) % n];
        sum += v;
        most = max(most, v);
    }
    out[i] = i % 2 ? most : sum;
}
