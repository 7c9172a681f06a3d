// SPDX-License-Identifier: GPL-3.0-or-later
// A graph put together node by node, asked about, run, and changed.
#include "check.h"
#include <vector>

__device__ int weight;
__constant__ int offset[2];

__global__ void scale(int* p, int by) {
    p[threadIdx.x] = p[threadIdx.x] * by + offset[1];
}

__global__ void sum(const int* a, const int* b, int* out) {
    atomicAdd(out, (a[threadIdx.x] + b[threadIdx.x]) * weight);
}

static void count(void* calls) {
    ++*static_cast<int*>(calls);
}

int main() {
    int host[32], result = -1, calls = 0, seven = 7, hundred = 100, read = 0;
    for (int i = 0; i < 32; ++i)
        host[i] = i;
    int *a, *b, *out;
    CHECK(cudaMalloc(&a, sizeof host));
    CHECK(cudaMalloc(&b, sizeof host));
    CHECK(cudaMalloc(&out, sizeof result));

    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t copyIn, fillB, fillOut, setWeight, setOffset, scaleA, sumUp, copyOut, callHost, readBack, meet;

    cudaMemcpy3DParms in = {};
    in.srcPtr = make_cudaPitchedPtr(host, sizeof host, 32, 1), in.dstPtr = make_cudaPitchedPtr(a, sizeof host, 32, 1);
    in.extent = make_cudaExtent(sizeof host, 1, 1), in.kind = cudaMemcpyHostToDevice;
    CHECK(cudaGraphAddMemcpyNode(&copyIn, graph, nullptr, 0, &in));
    cudaMemsetParams two = {};
    two.dst = b, two.value = 2, two.elementSize = 4, two.width = 32, two.height = 1;
    CHECK(cudaGraphAddMemsetNode(&fillB, graph, nullptr, 0, &two));
    cudaMemsetParams zero = two;
    zero.dst = out, zero.value = 0, zero.width = 1;
    CHECK(cudaGraphAddMemsetNode(&fillOut, graph, nullptr, 0, &zero));
    CHECK(cudaGraphAddMemcpyNodeToSymbol(&setWeight, graph, nullptr, 0, weight, &seven, 4, 0, cudaMemcpyHostToDevice));
    CHECK(
        cudaGraphAddMemcpyNodeToSymbol(&setOffset, graph, nullptr, 0, offset, &hundred, 4, 4, cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddEmptyNode(&meet, graph, nullptr, 0));

    int by = 3;
    void* scaleArguments[] = {&a, &by};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void*)scale, kernel.gridDim = dim3(1), kernel.blockDim = dim3(32);
    kernel.kernelParams = scaleArguments;
    // Made before what it waits for is linked: the edges alone say the order.
    CHECK(cudaGraphAddKernelNode(&scaleA, graph, nullptr, 0, &kernel));
    void* sumArguments[] = {&a, &b, &out};
    cudaKernelNodeParams last = kernel;
    last.func = (void*)sum, last.kernelParams = sumArguments;
    CHECK(cudaGraphAddKernelNode(&sumUp, graph, &meet, 1, &last));
    const cudaGraphNode_t from[] = {copyIn, setOffset, scaleA, fillB, fillOut, setWeight},
                          to[] = {scaleA, scaleA, meet, meet, meet, meet};
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddDependencies(graph, from, to, nullptr, 6));
#else
    CHECK(cudaGraphAddDependencies(graph, from, to, 6));
#endif
    CHECK(cudaGraphAddMemcpyNode1D(&copyOut, graph, &sumUp, 1, &result, out, 4, cudaMemcpyDeviceToHost));
    cudaHostNodeParams call = {count, &calls};
    CHECK(cudaGraphAddHostNode(&callHost, graph, &copyOut, 1, &call));
    CHECK(
        cudaGraphAddMemcpyNodeFromSymbol(&readBack, graph, &callHost, 1, &read, weight, 4, 0, cudaMemcpyDeviceToHost));

    std::size_t nodes = 0, roots = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    WANT(nodes == 11 && roots == 5);
    std::vector<cudaGraphNode_t> list(nodes), starts(11), ends(11);
    CHECK(cudaGraphGetNodes(graph, list.data(), &nodes));
    WANT(list[0] == copyIn && list[10] == readBack);
    std::size_t edges = 11, before = 8;
    cudaGraphNode_t around[8];
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphGetEdges(graph, starts.data(), ends.data(), nullptr, &edges));
    CHECK(cudaGraphNodeGetDependencies(meet, around, nullptr, &before));
#else
    CHECK(cudaGraphGetEdges(graph, starts.data(), ends.data(), &edges));
    CHECK(cudaGraphNodeGetDependencies(meet, around, &before));
#endif
    WANT(edges == 10 && before == 4);
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(callHost, &type));
    WANT(type == cudaGraphNodeTypeHost);
    cudaKernelNodeParams asked = {};
    CHECK(cudaGraphKernelNodeGetParams(scaleA, &asked));
    WANT(asked.func == (void*)scale && asked.blockDim.x == 32 && *static_cast<int*>(asked.kernelParams[1]) == 3);

    cudaGraphExec_t run;
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    WANT(result == -1); // nothing has run
    CHECK(cudaGraphLaunch(run, stream));
    CHECK(cudaStreamSynchronize(stream));
    // a[i] = 3 i + 100, b[i] = 2: 7 * (3 * 496 + 32 * 102)
    WANT(result == 7 * (3 * 496 + 32 * 102) && calls == 1 && read == 7);

    // The executable graph alone gets another factor; the copy that is cloned from the graph keeps the old one.
    by = 5;
    CHECK(cudaGraphExecKernelNodeSetParams(run, scaleA, &kernel));
    two.value = 4;
    CHECK(cudaGraphExecMemsetNodeSetParams(run, fillB, &two));
    CHECK(cudaGraphLaunch(run, stream));
    CHECK(cudaStreamSynchronize(stream));
    WANT(result == 7 * (5 * 496 + 32 * 104) && calls == 2);
    CHECK(cudaGraphNodeSetEnabled(run, fillOut, 0)); // now the sums add up
    CHECK(cudaGraphLaunch(run, stream));
    CHECK(cudaStreamSynchronize(stream));
    WANT(result == 14 * (5 * 496 + 32 * 104));

    cudaGraph_t clone;
    CHECK(cudaGraphClone(&clone, graph));
    cudaGraphNode_t twin;
    CHECK(cudaGraphNodeFindInClone(&twin, scaleA, clone));
    CHECK(cudaGraphKernelNodeGetParams(twin, &asked));
    WANT(twin != scaleA && *static_cast<int*>(asked.kernelParams[1]) == 3);
    CHECK(cudaGraphDestroyNode(callHost)); // of the graph, not of the clone
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    WANT(nodes == 10);
    CHECK(cudaGraphGetNodes(clone, nullptr, &nodes));
    WANT(nodes == 11);

    // Nodes that wait for each other cannot run; nor can a launch that no device takes become a node.
    cudaGraph_t circle;
    cudaGraphNode_t first, second;
    CHECK(cudaGraphCreate(&circle, 0));
    CHECK(cudaGraphAddEmptyNode(&first, circle, nullptr, 0));
    CHECK(cudaGraphAddEmptyNode(&second, circle, &first, 1));
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddDependencies(circle, &second, &first, nullptr, 1));
#else
    CHECK(cudaGraphAddDependencies(circle, &second, &first, 1));
#endif
    cudaGraphExec_t never;
    WANT(cudaGraphInstantiate(&never, circle, 0) != cudaSuccess);
    kernel.blockDim = dim3(2048);
    WANT(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &kernel) != cudaSuccess);
    WANT(cudaGraphAddEmptyNode(&second, graph, &first, 1) == cudaErrorInvalidValue); // a node of another graph
    (void)cudaGetLastError();
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaGraphDestroy(circle));
    CHECK(cudaGraphDestroy(clone));
    CHECK(cudaGraphDestroy(graph));
    return passed();
}
