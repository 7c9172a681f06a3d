// SPDX-License-Identifier: GPL-3.0-or-later
// What a graph's nodes do, asked for and changed: in the graph before it is made executable, and in the executable.
#include "check.h"

__device__ int symbol[4];

__global__ void add(int* to, int what) {
    to[threadIdx.x] += what;
}
__global__ void scale(int* to, int what) {
    to[threadIdx.x] *= what;
}
void CUDART_CB note(void* data) {
    ++*static_cast<int*>(data);
}
void CUDART_CB noteTen(void* data) {
    *static_cast<int*>(data) += 10;
}

int destroyed = 0;
void CUDART_CB destroy(void* data) {
    destroyed += *static_cast<int*>(data);
}

int main() {
    int *a, *b, host[32], seen = 0, seenToo = 0;
    CHECK(cudaMalloc(&a, sizeof host));
    CHECK(cudaMalloc(&b, sizeof host));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));

    // Fill with 3 (or 5), add 4 (scale by 2), copy to b, tell the host.
    cudaMemsetParams fill{};
    fill.dst = a, fill.elementSize = 4, fill.value = 3, fill.width = 32, fill.height = 1;
    cudaGraphNode_t fills, kernels, copies, tells;
    CHECK(cudaGraphAddMemsetNode(&fills, graph, nullptr, 0, &fill));
    int what = 4;
    void* arguments[] = {&a, &what};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(add), kernel.gridDim = 1, kernel.blockDim = 32, kernel.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&kernels, graph, &fills, 1, &kernel));
    CHECK(cudaGraphAddMemcpyNode1D(&copies, graph, &kernels, 1, b, a, sizeof host, cudaMemcpyDeviceToDevice));
    cudaHostNodeParams call{note, &seen};
    CHECK(cudaGraphAddHostNode(&tells, graph, &copies, 1, &call));

    cudaMemsetParams fillIs{};
    CHECK(cudaGraphMemsetNodeGetParams(fills, &fillIs));
    WANT(fillIs.dst == a && fillIs.elementSize == 4 && fillIs.value == 3 && fillIs.width == 32 && fillIs.height == 1);
    cudaKernelNodeParams kernelIs{};
    CHECK(cudaGraphKernelNodeGetParams(kernels, &kernelIs));
    WANT(kernelIs.func == reinterpret_cast<void*>(add) && kernelIs.blockDim.x == 32 && kernelIs.gridDim.y == 1);
    WANT(*static_cast<int**>(kernelIs.kernelParams[0]) == a && *static_cast<int*>(kernelIs.kernelParams[1]) == 4);
    cudaHostNodeParams callIs{};
    CHECK(cudaGraphHostNodeGetParams(tells, &callIs));
    WANT(callIs.fn == note && callIs.userData == &seen);
    cudaMemcpy3DParms copyIs{};
    CHECK(cudaGraphMemcpyNodeGetParams(copies, &copyIs));
    WANT(copyIs.srcPtr.ptr == a && copyIs.dstPtr.ptr == b && copyIs.extent.width == sizeof host);
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(copies, &type));
    WANT(type == cudaGraphNodeTypeMemcpy);

    // Arguments were taken when the node was made.
    what = 1000;
    cudaGraphExec_t run;
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    unsigned long long flags = 1;
    CHECK(cudaGraphExecGetFlags(run, &flags));
    WANT(flags == 0);
    CHECK(cudaGraphUpload(run, stream));
    const auto launch = [&](cudaGraphExec_t which, const int* from, int expected) {
        CHECK(cudaMemset(b, 0, sizeof host));
        CHECK(cudaGraphLaunch(which, stream));
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaMemcpy(host, from, sizeof host, cudaMemcpyDeviceToHost));
        for (const int value : host)
            WANT(value == expected);
    };
    launch(run, b, 3 + 4);
    WANT(seen == 1);

    // Changes of the graph do not touch what was made of it.
    fill.value = 5;
    CHECK(cudaGraphMemsetNodeSetParams(fills, &fill));
    what = 2;
    kernel.func = reinterpret_cast<void*>(scale);
    CHECK(cudaGraphKernelNodeSetParams(kernels, &kernel));
    call = {noteTen, &seenToo};
    CHECK(cudaGraphHostNodeSetParams(tells, &call));
    launch(run, b, 3 + 4);
    WANT(seen == 2 && seenToo == 0);
    cudaGraphExec_t second;
    CHECK(cudaGraphInstantiateWithFlags(&second, graph, 0));
    launch(second, b, 5 * 2);
    WANT(seen == 2 && seenToo == 10);

    // Changes of the executable.
    fill.value = 7;
    CHECK(cudaGraphExecMemsetNodeSetParams(second, fills, &fill));
    what = -1;
    CHECK(cudaGraphExecKernelNodeSetParams(second, kernels, &kernel));
    call = {note, &seenToo};
    CHECK(cudaGraphExecHostNodeSetParams(second, tells, &call));
    launch(second, b, -7);
    WANT(seenToo == 11);
    CHECK(cudaGraphExecMemcpyNodeSetParams1D(second, copies, a, b, sizeof host, cudaMemcpyDeviceToDevice));
    launch(second, a, 0); // b, which launch() has cleared
    CHECK(cudaGraphExecMemcpyNodeSetParams1D(second, copies, b, a, sizeof host, cudaMemcpyDeviceToDevice));

    // A node that is switched off passes its turn on.
    CHECK(cudaGraphNodeSetEnabled(second, kernels, 0));
    unsigned enabled = 1;
    CHECK(cudaGraphNodeGetEnabled(second, kernels, &enabled));
    WANT(enabled == 0);
    launch(second, b, 7);
    CHECK(cudaGraphNodeSetEnabled(second, kernels, 1));
    launch(second, b, -7);

    // From and to a symbol, the second element on.
    cudaGraph_t symbols;
    CHECK(cudaGraphCreate(&symbols, 0));
    int source[3] = {11, 12, 13}, sink[3] = {};
    cudaGraphNode_t to, from;
    CHECK(cudaGraphAddMemcpyNodeToSymbol(&to, symbols, nullptr, 0, symbol, source, 8, 4, cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddMemcpyNodeFromSymbol(&from, symbols, &to, 1, sink, symbol, 8, 4, cudaMemcpyDeviceToHost));
    cudaGraphExec_t symbolsRun;
    CHECK(cudaGraphInstantiate(&symbolsRun, symbols, 0));
    CHECK(cudaGraphLaunch(symbolsRun, stream));
    CHECK(cudaStreamSynchronize(stream));
    WANT(sink[0] == 11 && sink[1] == 12 && sink[2] == 0);
    CHECK(cudaGraphExecMemcpyNodeSetParamsToSymbol(symbolsRun, to, symbol, source + 1, 8, 4, cudaMemcpyHostToDevice));
    CHECK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(symbolsRun, from, sink + 1, symbol, 8, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphLaunch(symbolsRun, stream));
    CHECK(cudaStreamSynchronize(stream));
    WANT(sink[0] == 11 && sink[1] == 12 && sink[2] == 13);
    CHECK(cudaGraphMemcpyNodeSetParamsToSymbol(to, symbol, source, 4, 12, cudaMemcpyHostToDevice));
    CHECK(cudaGraphMemcpyNodeSetParamsFromSymbol(from, sink, symbol, 16, 0, cudaMemcpyDeviceToHost));
    WANT(cudaGraphMemcpyNodeSetParamsToSymbol(to, symbol, source, 8, 12, cudaMemcpyHostToDevice) ==
         cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK(cudaGraphMemcpyNodeSetParams1D(from, host, a, 4, cudaMemcpyDeviceToHost));

    // Events that a graph records and waits for.
    cudaGraph_t events;
    CHECK(cudaGraphCreate(&events, 0));
    cudaEvent_t first, other, is;
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&other));
    cudaGraphNode_t records, waits;
    CHECK(cudaGraphAddEventRecordNode(&records, events, nullptr, 0, first));
    CHECK(cudaGraphAddEventWaitNode(&waits, events, &records, 1, first));
    CHECK(cudaGraphEventRecordNodeGetEvent(records, &is));
    WANT(is == first);
    CHECK(cudaGraphEventWaitNodeSetEvent(waits, other));
    CHECK(cudaGraphEventWaitNodeGetEvent(waits, &is));
    WANT(is == other);
    CHECK(cudaGraphEventRecordNodeSetEvent(records, other));
    cudaGraphExec_t eventsRun;
    CHECK(cudaGraphInstantiate(&eventsRun, events, 0));
    CHECK(cudaGraphExecEventRecordNodeSetEvent(eventsRun, records, first));
    CHECK(cudaGraphExecEventWaitNodeSetEvent(eventsRun, waits, first));
    CHECK(cudaGraphLaunch(eventsRun, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaEventQuery(first));
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, first, first));
    WANT(ms == 0);
    WANT(cudaEventElapsedTime(&ms, first, other) == cudaErrorInvalidResourceHandle); // never recorded
    cudaGetLastError();

    // A graph in a graph; the inner one is a copy, and is changed in the executable by one of the same shape.
    cudaGraph_t inner, outer, changed;
    CHECK(cudaGraphCreate(&inner, 0));
    CHECK(cudaGraphCreate(&outer, 0));
    cudaGraphNode_t innerFill, child;
    fill.dst = b, fill.value = 21;
    CHECK(cudaGraphAddMemsetNode(&innerFill, inner, nullptr, 0, &fill));
    CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, inner));
    CHECK(cudaGraphClone(&changed, inner));
    cudaGraphNode_t twin;
    CHECK(cudaGraphNodeFindInClone(&twin, innerFill, changed));
    fill.value = 22;
    CHECK(cudaGraphMemsetNodeSetParams(twin, &fill));
    cudaGraphExec_t outerRun;
    CHECK(cudaGraphInstantiate(&outerRun, outer, 0));
    launch(outerRun, b, 21);
    CHECK(cudaGraphExecChildGraphNodeSetParams(outerRun, child, changed));
    launch(outerRun, b, 22);

    // Edges: three nodes in a row, of which the middle one goes.
    size_t count = 0;
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    WANT(count == 3);
    cudaGraphNode_t beside[4];
    count = 4;
    CHECK(cudaGraphNodeGetDependencies(copies, beside, nullptr, &count));
    WANT(count == 1 && beside[0] == kernels);
    count = 4;
    CHECK(cudaGraphNodeGetDependentNodes(fills, beside, nullptr, &count));
    WANT(count == 1 && beside[0] == kernels);
    CHECK(cudaGraphDestroyNode(kernels));
    CHECK(cudaGraphAddDependencies(graph, &fills, &copies, nullptr, 1));
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    WANT(count == 2);
    CHECK(cudaGraphRemoveDependencies(graph, &fills, &copies, nullptr, 1));
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &count));
    WANT(count == 2);
    WANT(cudaGraphAddDependencies(graph, &tells, &tells, nullptr, 1) == cudaErrorInvalidValue);
    cudaGetLastError();

    // What a graph holds on to is given back with it.
    int one = 1;
    cudaUserObject_t object;
    CHECK(cudaUserObjectCreate(&object, &one, destroy, 2, cudaUserObjectNoDestructorSync));
    CHECK(cudaGraphRetainUserObject(inner, object, 1, cudaGraphUserObjectMove));
    CHECK(cudaUserObjectRelease(object, 1));
    WANT(destroyed == 0);
    CHECK(cudaGraphDestroy(inner));
    CHECK(cudaDeviceSynchronize());
    for (const cudaGraphExec_t each : {run, second, symbolsRun, eventsRun, outerRun})
        CHECK(cudaGraphExecDestroy(each));
    for (const cudaGraph_t each : {graph, symbols, events, outer, changed})
        CHECK(cudaGraphDestroy(each));
    for (int wait = 0; wait < 100000000 && destroyed == 0; ++wait)
        asm volatile("" ::: "memory");
    WANT(destroyed == 1);
    return passed();
}
