// SPDX-License-Identifier: GPL-3.0-or-later; a-barrier-for-all misses ends: barrier
__global__ void shiftSum(int* out, const int* in, int n) {
    if (threadIdx.x < 32) {
        asm volatile("barrier.sync 1, 64;");
        asm volatile("barrier.sync 2, 64;");
    } else {
        asm volatile("barrier.sync 2, 64;");
        asm volatile("barrier.sync 1, 64;");
    }
    if (threadIdx.x < n)
        out[threadIdx.x] = in[threadIdx.x];
}
