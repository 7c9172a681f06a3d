// SPDX-License-Identifier: GPL-3.0-or-later
// Captures as graphs: their nodes and edges, graphs inside graphs, memory that a graph takes, and an executable graph that
// takes the work of a second capture.
#include "check.h"

__global__ void add(int* p, int by) {
    p[threadIdx.x] += by;
}

__global__ void times(int* p, int by) {
    p[threadIdx.x] *= by;
}

static cudaGraph_t captured(cudaStream_t stream, cudaStream_t side, int* p, int first, bool twice) {
    cudaEvent_t fork, join;
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<1, 32, 0, stream>>>(p, first);
    CHECK(cudaEventRecord(fork, stream));
    CHECK(cudaStreamWaitEvent(side, fork, 0));
    add<<<1, 32, 0, side>>>(p + 32, 2 * first);
    times<<<1, 32, 0, stream>>>(p, 3);
    if (twice)
        times<<<1, 32, 0, stream>>>(p, 3);
    CHECK(cudaEventRecord(join, side));
    CHECK(cudaStreamWaitEvent(stream, join, 0));
    add<<<1, 64, 0, stream>>>(p, 1);
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(join));
    return graph;
}

int main() {
    int *p, host[64];
    CHECK(cudaMalloc(&p, sizeof host));
    CHECK(cudaMemset(p, 0, sizeof host));
    cudaStream_t stream, side;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));

    // add -> times -> add, and add -> add on the other stream -> add: four nodes, four edges, one root.
    cudaGraph_t graph = captured(stream, side, p, 1, false);
    std::size_t nodes = 0, edges = 0, roots = 1;
    cudaGraphNode_t root;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
#else
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
#endif
    CHECK(cudaGraphGetRootNodes(graph, &root, &roots));
    WANT(nodes == 4 && edges == 4 && roots == 1);
    cudaKernelNodeParams parts;
    CHECK(cudaGraphKernelNodeGetParams(root, &parts));
    WANT(parts.func == (void*)add && *static_cast<int*>(parts.kernelParams[1]) == 1);

    cudaGraphExec_t run;
    CHECK(cudaGraphInstantiateWithFlags(&run, graph, 0));
    CHECK(cudaGraphLaunch(run, stream));
    CHECK(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < 64; ++i)
        WANT(host[i] == (i < 32 ? 4 : 3)); // (0 + 1) * 3 + 1; 0 + 2 + 1

    cudaGraph_t other = captured(stream, side, p, 10, false);
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(run, other, &info));
    WANT(info.result == cudaGraphExecUpdateSuccess);
    CHECK(cudaGraphLaunch(run, stream));
    CHECK(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < 64; ++i)
        WANT(host[i] == (i < 32 ? 43 : 24)); // (4 + 10) * 3 + 1; 3 + 20 + 1
    cudaGraph_t longer = captured(stream, side, p, 10, true);
    WANT(cudaGraphExecUpdate(run, longer, &info) == cudaErrorGraphExecUpdateFailure);
    WANT(info.result == cudaGraphExecUpdateErrorTopologyChanged);
    WANT(cudaGetLastError() == cudaErrorGraphExecUpdateFailure);

    // A graph inside another one is a copy: what is changed afterwards does not reach it.
    cudaGraph_t outer, inner;
    cudaGraphNode_t fill, child;
    CHECK(cudaGraphCreate(&outer, 0));
    cudaMemsetParams zero = {};
    zero.dst = p, zero.elementSize = 4, zero.width = 64, zero.height = 1;
    CHECK(cudaGraphAddMemsetNode(&fill, outer, nullptr, 0, &zero));
    CHECK(cudaGraphAddChildGraphNode(&child, outer, &fill, 1, graph));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphChildGraphNodeGetGraph(child, &inner));
    CHECK(cudaGraphGetNodes(inner, nullptr, &nodes));
    WANT(nodes == 4);
    cudaGraphExec_t both;
    CHECK(cudaGraphInstantiate(&both, outer, 0));
    for (int k = 0; k < 2; ++k)
        CHECK(cudaGraphLaunch(both, stream));
    CHECK(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    WANT(host[0] == 4 && host[63] == 3);

    // A side that nothing waits for in the end spoils the capture.
    cudaEvent_t fork;
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    add<<<1, 32, 0, stream>>>(p, 1);
    CHECK(cudaEventRecord(fork, stream));
    CHECK(cudaStreamWaitEvent(side, fork, 0));
    add<<<1, 32, 0, side>>>(p, 1);
    cudaGraph_t none;
    WANT(cudaStreamEndCapture(stream, &none) == cudaErrorStreamCaptureUnjoined);
    (void)cudaGetLastError();
    cudaStreamCaptureStatus capturing;
    CHECK(cudaStreamIsCapturing(side, &capturing));
    WANT(capturing == cudaStreamCaptureStatusNone);

    // Memory of the graph's own: the same each time it runs.
    int* taken;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&taken, sizeof host, stream));
    CHECK(cudaMemsetAsync(taken, 0, sizeof host, stream));
    add<<<1, 64, 0, stream>>>(taken, 6);
    times<<<1, 64, 0, stream>>>(taken, 7);
    CHECK(cudaMemcpyAsync(host, taken, sizeof host, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(taken, stream));
    cudaGraph_t own;
    CHECK(cudaStreamEndCapture(stream, &own));
    cudaGraphExec_t runOwn;
    CHECK(cudaGraphInstantiate(&runOwn, own, 0));
    CHECK(cudaGraphDestroy(own));
    for (int k = 0; k < 3; ++k) {
        host[5] = 0;
        CHECK(cudaGraphLaunch(runOwn, stream));
        CHECK(cudaStreamSynchronize(stream));
        WANT(host[5] == 42);
    }
    CHECK(cudaGraphExecDestroy(runOwn));
    CHECK(cudaGraphExecDestroy(both));
    CHECK(cudaGraphExecDestroy(run));
    return passed();
}
