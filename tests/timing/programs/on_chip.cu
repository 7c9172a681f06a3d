// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of tests/timing/kernels/on_chip.cu, the median of five launches behind one of the same. With CUPTI
// (nvcc -arch=sm_90 -O3 -I. -DMEASURE -lcupti) it prints what each took; without, it launches each once, to be recorded.
#include "tests/timing/kernels/on_chip.cu"
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>
#ifdef MEASURE
#include "tests/timing/programs/activity.h"
#endif

template <class... P, class... A>
void measure(const std::string& name, void (*kernel)(P...), dim3 grid, dim3 block, A... args) {
#ifdef MEASURE
    std::vector<double> ns;
    for (int k = 0; k < 6; ++k) {
        kernel<<<grid, block>>>(args...);
        flushActivity();
        if (k > 0)
            ns.push_back(ran.back().ns);
    }
    std::sort(ns.begin(), ns.end());
    printf("on_chip_%s/grid:%u/block:%u,%.0f\n", name.c_str(), grid.x * grid.y, block.x * block.y, ns[2]);
    fflush(stdout);
#else
    kernel<<<grid, block>>>(args...);
    cudaDeviceSynchronize();
    printf("on_chip_%s/grid:%u/block:%u\n", name.c_str(), grid.x * grid.y, block.x * block.y);
#endif
}

int main() {
#ifdef MEASURE
    beginActivity();
#endif
    float *a, *b, *c;
    cudaMalloc(&a, 4 << 20);
    cudaMalloc(&b, 4 << 20);
    cudaMalloc(&c, 4 << 20);
    cudaMemset(a, 0, 4 << 20);
    cudaMemset(b, 0, 4 << 20);
    for (int n : {256, 512, 1024}) {
        const std::string by = "/n:" + std::to_string(n);
        measure("tile_product16" + by, tile_product16, dim3(n / 16, n / 16), dim3(16, 16), a, b, c, n);
        measure("tile_product32" + by, tile_product32, dim3(n / 32, n / 32), dim3(32, 32), a, b, c, n);
        measure("register_product2" + by, register_product2, dim3(n / 32, n / 32), dim3(16, 16), a, b, c, n);
        measure("register_product4" + by, register_product4, dim3(n / 64, n / 64), dim3(16, 16), a, b, c, n);
    }
    for (int threads : {32, 128, 256, 1024}) {
        measure("wide_shared", wide_shared, 132, threads, c, 500);
        measure("wide_shared_one", wide_shared_one, 132, threads, c, 500);
        measure("wide_global_one", wide_global_one, 132, threads, (const float4*)a, c, 500);
        measure("scan_doubling", scan_doubling_turns, 132, threads, c, 50);
        measure("sum_shuffle", sum_shuffle_turns, 132, threads, c, 100);
        measure("chains64_1", chains64_1, 132, threads, (double*)c, 1000, 0.75);
        measure("chains64_4", chains64_4, 132, threads, (double*)c, 1000, 0.75);
    }
    measure("scan_doubling", scan_doubling_turns, 528, 256, c, 50);
    measure("sum_shuffle", sum_shuffle_turns, 528, 256, c, 100);
    for (int n : {256, 1024, 4096})
        for (int threads : {128, 256, 1024})
            measure("softmax_row/n:" + std::to_string(n), softmax_row, (1 << 20) / n, threads, a, c, n);
    for (int r : {1, 4, 8, 32})
        measure("weighted_neighbours/r:" + std::to_string(r), weighted_neighbours, 4096, 256, a, c, 1 << 20, r);
}
