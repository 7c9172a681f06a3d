// SPDX-License-Identifier: GPL-3.0-or-later
// Every thread stores 512 times, to one of so many words of its own in turn, with a load of what lies in L1 before each store or
// none: what L2 takes of lines that are written again and again. nvcc -arch=sm_90 -O3 -I.; ns of a launch by events, of five.
#include "tests/timing/kernels/on_chip.cu"
#include <cstdio>
__global__ void rewriteAlone(float* c, const float* a, int n, int words) {
    rewriteWords<0>(c, a, n, words);
}
int main() {
    float *a, *c;
    cudaMalloc(&a, 1 << 20);
    cudaMalloc(&c, 256 << 20);
    cudaMemset(a, 0, 1 << 20);
    for (int loads : {0, 1})
        for (int blocks : {132, 528, 1056})
            for (int words : {1, 2, 4, 8, 32, 128}) {
                const auto kernel = loads ? rewrite : rewriteAlone;
                kernel<<<blocks, 256>>>(c, a, 512, words);
                cudaDeviceSynchronize();
                cudaEvent_t begin, end;
                cudaEventCreate(&begin);
                cudaEventCreate(&end);
                cudaEventRecord(begin);
                for (int r = 0; r < 5; ++r)
                    kernel<<<blocks, 256>>>(c, a, 512, words);
                cudaEventRecord(end);
                cudaEventSynchronize(end);
                float ms;
                cudaEventElapsedTime(&ms, begin, end);
                printf("rewrite/blocks:%d/words:%d/loads:%d,%.0f,ns\n", blocks, words, loads, double(ms) * 2e5);
            }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
