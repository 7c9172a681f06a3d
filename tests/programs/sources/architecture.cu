// SPDX-License-Identifier: GPL-3.0-or-later
// Says whether the kernel was compiled for what only compute capability 9.0 has.
#include <cstdio>

__global__ void says() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    printf("with wgmma\n");
#else
    printf("without wgmma\n");
#endif
}

int main() {
    says<<<1, 1>>>();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
