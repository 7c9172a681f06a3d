// SPDX-License-Identifier: GPL-3.0-or-later
// A buffer per call, freed only on the path without an error.
#include <cstdio>
__global__ void one(int *p) { *p = 1; }
static int call(bool fail) {
    int *p, r;
    cudaMalloc(&p, 4096);
    one<<<1, 1>>>(p);
    cudaMemcpy(&r, p, 4, cudaMemcpyDeviceToHost);
#ifdef FIXED
    cudaFree(p);
    if (fail) return -1;
#else
    if (fail) return -1;
    cudaFree(p);
#endif
    return r;
}
int main() {
    int s = 0;
    for (int k = 0; k < 4; k++) s += call(k % 2);
    printf("%d\n", s);
    cudaDeviceReset();
    return 0;
}
