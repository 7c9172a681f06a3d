// SPDX-License-Identifier: GPL-3.0-or-later
// A prefix over the whole grid with grid.sync(): as many blocks as the data ask for, whatever the device holds.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void relax(float *u, float *v, int n, int rounds) {
    auto grid = cg::this_grid();
    for (int r = 0; r < rounds; r++) {
        for (unsigned i = grid.thread_rank() + 1; i + 1 < n; i += grid.size()) v[i] = 0.5f * (u[i - 1] + u[i + 1]);
        grid.sync();
        float *t = u; u = v; v = t;
    }
}
int main() {
    int n = 1 << 21, rounds = 2; float *u, *v;
    cudaMalloc(&u, n * 4); cudaMalloc(&v, n * 4); cudaMemset(u, 0, n * 4); cudaMemset(v, 0, n * 4);
    void *args[] = {&u, &v, &n, &rounds};
#ifdef FIXED
    int sms, per; cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, relax, 512, 0);
    cudaLaunchCooperativeKernel((void *)relax, dim3(sms * per > 64 ? 64 : sms * per), dim3(512), args, 0, 0);
#else
    cudaLaunchCooperativeKernel((void *)relax, dim3(n / 512), dim3(512), args, 0, 0);
#endif
    float r; cudaMemcpy(&r, v + 1, 4, cudaMemcpyDeviceToHost);
    printf("%g\n", r);
}
