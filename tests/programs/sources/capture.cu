// SPDX-License-Identifier: GPL-3.0-or-later
// Streams that are captured: forks that join, forks that do not, what is asked meanwhile, and what may not be done.
#include "check.h"

#include <vector>

__global__ void add(int* to, int what) {
    to[threadIdx.x] += what;
}

int main() {
    int *a, *b, host[32];
    CHECK(cudaMalloc(&a, sizeof host));
    CHECK(cudaMalloc(&b, sizeof host));
    cudaStream_t main, side;
    CHECK(cudaStreamCreateWithFlags(&main, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithPriority(&side, cudaStreamNonBlocking, -1));
    cudaEvent_t fork, join;
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

    cudaStreamCaptureStatus is;
    CHECK(cudaStreamIsCapturing(main, &is));
    WANT(is == cudaStreamCaptureStatusNone);
    CHECK(cudaStreamBeginCapture(main, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaMemsetAsync(a, 0, sizeof host, main));
    CHECK(cudaEventRecord(fork, main));
    CHECK(cudaStreamWaitEvent(side, fork, 0));
    CHECK(cudaStreamIsCapturing(side, &is));
    WANT(is == cudaStreamCaptureStatusActive);
    add<<<1, 32, 0, main>>>(a, 1);
    CHECK(cudaMemsetAsync(b, 0, sizeof host, side));
    add<<<1, 32, 0, side>>>(b, 10);
    CHECK(cudaEventRecord(join, side));
    unsigned long long id = 0, idOfSide = 1;
    const cudaGraphNode_t* last;
    size_t count = 0;
    cudaGraph_t building;
    CHECK(cudaStreamGetCaptureInfo(main, &is, &id, &building, &last, nullptr, &count));
    WANT(is == cudaStreamCaptureStatusActive && id != 0 && count == 1);
    CHECK(cudaStreamGetCaptureInfo(side, &is, &idOfSide, nullptr, nullptr, nullptr, nullptr));
    WANT(idOfSide == id);
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(building, nullptr, &nodes));
    WANT(nodes == 4); // two fills, two kernels
    // A node by hand in the midst of it.
    cudaGraphNode_t byHand;
    cudaMemsetParams fill{};
    fill.dst = a, fill.elementSize = 4, fill.value = 100, fill.width = 1, fill.height = 1;
    CHECK(cudaGraphAddMemsetNode(&byHand, building, last, count, &fill));
    CHECK(cudaStreamUpdateCaptureDependencies(main, &byHand, nullptr, 1, cudaStreamSetCaptureDependencies));
    CHECK(cudaStreamWaitEvent(main, join, 0));
    CHECK(cudaMemcpyAsync(a + 16, b, 16 * sizeof(int), cudaMemcpyDeviceToDevice, main));
    WANT(cudaStreamQuery(main) == cudaErrorStreamCaptureUnsupported);
    cudaGetLastError();
    cudaGraph_t graph;
    WANT(cudaStreamEndCapture(main, &graph) == cudaErrorStreamCaptureInvalidated); // the question has spoilt it
    WANT(graph == nullptr);
    cudaGetLastError();
    CHECK(cudaStreamIsCapturing(side, &is));
    WANT(is == cudaStreamCaptureStatusNone);

    // The same without the question.
    const auto capture = [&](bool joins) {
        CHECK(cudaStreamBeginCapture(main, cudaStreamCaptureModeRelaxed));
        CHECK(cudaMemsetAsync(a, 0, sizeof host, main));
        CHECK(cudaEventRecord(fork, main));
        CHECK(cudaStreamWaitEvent(side, fork, 0));
        add<<<1, 32, 0, main>>>(a, 1);
        CHECK(cudaMemsetAsync(b, 0, sizeof host, side));
        add<<<1, 32, 0, side>>>(b, 10);
        if (joins) {
            CHECK(cudaEventRecord(join, side));
            CHECK(cudaStreamWaitEvent(main, join, 0));
            CHECK(cudaMemcpyAsync(a + 16, b, 16 * sizeof(int), cudaMemcpyDeviceToDevice, main));
        }
        return cudaStreamEndCapture(main, &graph);
    };
    WANT(capture(false) == cudaErrorStreamCaptureUnjoined);
    cudaGetLastError();
    CHECK(capture(true));
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    WANT(nodes == 5);
    size_t roots = 0, edges = 0;
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    WANT(roots == 1 && edges == 5); // fill a -> add a, fill b; fill b -> add b; both -> copy
    cudaGraphInstantiateParams how{};
    how.uploadStream = main;
    cudaGraphExec_t run;
    CHECK(cudaGraphInstantiateWithParams(&run, graph, &how));
    WANT(how.result_out == cudaGraphInstantiateSuccess);
    for (int round = 0; round < 2; ++round) {
        CHECK(cudaGraphLaunch(run, main));
        CHECK(cudaStreamSynchronize(main));
        CHECK(cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 32; ++i)
            WANT(host[i] == (i < 16 ? 1 : 10));
    }

    // Onto what is there: fill before, copy after.
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphCreate(&graph, 0));
    fill.dst = b, fill.value = 5, fill.width = 32;
    CHECK(cudaGraphAddMemsetNode(&byHand, graph, nullptr, 0, &fill));
    CHECK(cudaStreamBeginCaptureToGraph(main, graph, &byHand, nullptr, 1, cudaStreamCaptureModeGlobal));
    add<<<1, 32, 0, main>>>(b, 2);
    cudaGraph_t same;
    CHECK(cudaStreamEndCapture(main, &same));
    WANT(same == graph);
    cudaGraphExecUpdateResultInfo why{};
    WANT(cudaGraphExecUpdate(run, graph, &why) == cudaErrorGraphExecUpdateFailure); // another shape
    cudaGetLastError();
    WANT(why.result == cudaGraphExecUpdateErrorTopologyChanged);
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    CHECK(cudaGraphLaunch(run, main));
    CHECK(cudaStreamSynchronize(main));
    CHECK(cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost));
    WANT(host[0] == 7 && host[31] == 7);

    // Wrong calls.
    WANT(cudaStreamEndCapture(main, &graph) == cudaErrorIllegalState);
    cudaGetLastError();
    WANT(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
    cudaGetLastError();
    CHECK(cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal));
    WANT(cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal) == cudaErrorIllegalState);
    cudaGetLastError();
    cudaStreamEndCapture(main, &graph);
    cudaGetLastError();
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
    WANT(mode == cudaStreamCaptureModeGlobal);
    CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
    WANT(mode == cudaStreamCaptureModeRelaxed);
    return passed();
}
