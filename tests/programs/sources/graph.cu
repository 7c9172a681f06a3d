// SPDX-License-Identifier: GPL-3.0-or-later
// Work that is captured from two streams and run again and again.
#include "check.h"

__global__ void step(int* p, int by) {
    p[threadIdx.x] += by;
}

int main() {
    int *p, host[32], before = 0;
    CHECK(cudaMalloc(&p, sizeof host));
    CHECK(cudaMemset(p, 0, sizeof host));
    cudaStream_t main, side;
    cudaEvent_t fork, join;
    CHECK(cudaStreamCreate(&main));
    CHECK(cudaStreamCreate(&side));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    CHECK(cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal));
    step<<<1, 32, 0, main>>>(p, 1);
    CHECK(cudaEventRecord(fork, main));
    CHECK(cudaStreamWaitEvent(side, fork, 0));
    step<<<1, 16, 0, side>>>(p, 10);
    CHECK(cudaEventRecord(join, side));
    CHECK(cudaStreamWaitEvent(main, join, 0));
    CHECK(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, main));
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(main, &graph));
    CHECK(cudaMemcpy(&before, p, sizeof before, cudaMemcpyDeviceToHost));
    WANT(before == 0); // nothing has run yet
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    for (int k = 1; k <= 3; ++k) {
        CHECK(cudaGraphLaunch(executable, main));
        CHECK(cudaStreamSynchronize(main));
        for (int i = 0; i < 32; ++i)
            WANT(host[i] == k * (i < 16 ? 11 : 1));
    }
    CHECK(cudaGraphExecDestroy(executable));
    return passed();
}
