// SPDX-License-Identifier: GPL-3.0-or-later
// A barrier of the whole grid: each round every block reads what all others have written in the one before.
#include "check.h"
#include <cooperative_groups.h>

__global__ void rounds(int* values, int n, int count) {
    auto grid = cooperative_groups::this_grid();
    const int i = int(grid.thread_rank());
    for (int k = 0; k < count; ++k) {
        const int next = values[(i + 128) % n];
        grid.sync();
        values[i] = next + 1;
        grid.sync();
    }
}

int main() {
    const int n = 512;
    int *values, host[n], count = 3, size = n;
    for (int i = 0; i < n; ++i)
        host[i] = i;
    CHECK(cudaMalloc(&values, sizeof host));
    CHECK(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
    void* arguments[] = {&values, &size, &count};
    CHECK(cudaLaunchCooperativeKernel((const void*)rounds, dim3(4), dim3(128), arguments));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
        WANT(host[i] == (i + 3 * 128) % n + 3);
    // More blocks than can live at the same time.
    WANT(cudaLaunchCooperativeKernel((const void*)rounds, dim3(1 << 20), dim3(128), arguments) ==
         cudaErrorCooperativeLaunchTooLarge);
    return passed();
}
