// SPDX-License-Identifier: GPL-3.0-or-later; half-the-barriers misses goal 1 at line 9: barriers
__global__ void scan(int* out, const int* in) {
    __shared__ int cell[128];
    int t = threadIdx.x;
    cell[t] = in[t];
    asm volatile("barrier.sync 3;");
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        int value = cell[t] + (t >= distance ? cell[t - distance] : 0);
        asm volatile("bar.sync 5;");
        cell[t] = value;
        asm volatile("barrier.sync.aligned 3;");
    }
    out[t] = cell[t];
}
