// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces come from an explicit memory pool; one kernel takes its neighbour's length.
#include <cstdio>
__global__ void fill(double *p, int n, double v) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = v; }
int main() {
    cudaMemPoolProps props = {}; props.allocType = cudaMemAllocationTypePinned; props.location = {cudaMemLocationTypeDevice, 0};
    cudaMemPool_t pool; cudaMemPoolCreate(&pool, &props);
    cudaStream_t s; cudaStreamCreate(&s);
    double *small, *large; const int ns = 600, nl = 1000;
    cudaMallocFromPoolAsync((void **)&small, ns * 8, pool, s);
    cudaMallocFromPoolAsync((void **)&large, nl * 8, pool, s);
#ifdef FIXED
    fill<<<(nl + 127) / 128, 128, 0, s>>>(small, ns, 1.0);
#else
    fill<<<(nl + 127) / 128, 128, 0, s>>>(small, nl, 1.0);
#endif
    fill<<<(nl + 127) / 128, 128, 0, s>>>(large, nl, 2.0);
    cudaStreamSynchronize(s);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFreeAsync(small, s); cudaFreeAsync(large, s); cudaStreamSynchronize(s); cudaMemPoolDestroy(pool);
}
