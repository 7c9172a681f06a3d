// SPDX-License-Identifier: GPL-3.0-or-later
// A parent that goes on with what its child has yet to write; with a word, a tail launch that does so.
#include "check.h"
__global__ void put(int* to) {
    to[threadIdx.x] = 7;
}
__global__ void add(const int* from, int* sum) {
    *sum = from[0] + 1;
}
__global__ void reader(int* v, int* sum) {
    put<<<1, 32>>>(v);
    *sum = v[0] + 1;
}
__global__ void waiter(int* v, int* sum) {
    put<<<1, 32>>>(v);
    add<<<1, 1, 0, cudaStreamTailLaunch>>>(v, sum);
}
int main(int words, char**) {
    int *v, *sum, got = 0;
    CHECK(cudaMalloc(&v, 128));
    CHECK(cudaMalloc(&sum, 4));
    CHECK(cudaMemset(v, 0, 128));
    if (words > 1)
        waiter<<<1, 1>>>(v, sum);
    else
        reader<<<1, 1>>>(v, sum);
    CHECK(cudaMemcpy(&got, sum, 4, cudaMemcpyDeviceToHost));
    return words > 1 && got != 8;
}
