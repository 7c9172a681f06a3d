// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs whose kernels decide what runs next: once or not at all, again and again, one of several.
#include "check.h"

__global__ void decide(cudaGraphConditionalHandle handle, const int* from) {
    cudaGraphSetConditional(handle, unsigned(*from));
}

__global__ void add(int* to, int value) {
    *to += value;
}

// Counts down, and stops the loop at zero.
__global__ void countDown(int* left, int* rounds, cudaGraphConditionalHandle handle) {
    ++*rounds;
    cudaGraphSetConditional(handle, --*left > 0);
}

static cudaGraphNode_t condition(cudaGraph_t graph, const cudaGraphNode_t* before, cudaGraphConditionalHandle handle,
                                 cudaGraphConditionalNodeType type, unsigned size, cudaGraph_t* bodies) {
    cudaGraphNodeParams words = {};
    words.type = cudaGraphNodeTypeConditional;
    words.conditional.handle = handle, words.conditional.type = type, words.conditional.size = size;
    cudaGraphNode_t node;
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddNode(&node, graph, before, nullptr, before ? 1 : 0, &words));
#else
    CHECK(cudaGraphAddNode(&node, graph, before, before ? 1 : 0, &words));
#endif
    for (unsigned n = 0; n < size; ++n)
        bodies[n] = words.conditional.phGraph_out[n];
    return node;
}

static cudaGraphNode_t kernel(cudaGraph_t graph, const cudaGraphNode_t* before, void* function, void** arguments) {
    cudaKernelNodeParams words = {};
    words.func = function, words.gridDim = dim3(1), words.blockDim = dim3(1), words.kernelParams = arguments;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddKernelNode(&node, graph, before, before ? 1 : 0, &words));
    return node;
}

int main() {
    int *choice, *sum, *left, *rounds, host = 0;
    for (int** p : {&choice, &sum, &left, &rounds}) {
        CHECK(cudaMalloc(p, sizeof(int)));
        CHECK(cudaMemset(*p, 0, sizeof(int)));
    }
    const auto set = [](int* p, int value) { CHECK(cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice)); };
    const auto get = [&](const int* p) {
        CHECK(cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost));
        return host;
    };
    cudaGraph_t graph, bodies[3];
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle which, loop;
    CHECK(cudaGraphConditionalHandleCreate(&which, graph, 0, 0));
    CHECK(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
    void* decideArguments[] = {&which, &choice};
    const cudaGraphNode_t first = kernel(graph, nullptr, (void*)decide, decideArguments);
    // One of three: 10, 100 or 1000 is added; none for other values.
    const cudaGraphNode_t chosen = condition(graph, &first, which, cudaGraphCondTypeSwitch, 3, bodies);
    for (int n = 0, value = 10; n < 3; ++n, value *= 10) {
        void* arguments[] = {&sum, &value};
        kernel(bodies[n], nullptr, (void*)add, arguments);
    }
    // Then so many rounds as `left` says; its handle begins with 1 each time.
    condition(graph, &chosen, loop, cudaGraphCondTypeWhile, 1, bodies);
    void* loopArguments[] = {&left, &rounds, &loop};
    kernel(bodies[0], nullptr, (void*)countDown, loopArguments);
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(chosen, &type));
    WANT(type == cudaGraphNodeTypeConditional);
    cudaGraphExec_t run;
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    int wantedSum = 0, wantedRounds = 0;
    for (int n = 0; n < 4; ++n) {
        set(choice, n);
        set(left, 2 + n);
        CHECK(cudaGraphLaunch(run, nullptr));
        wantedSum += n == 0 ? 10 : n == 1 ? 100 : n == 2 ? 1000 : 0;
        wantedRounds += 2 + n;
        WANT(get(sum) == wantedSum && get(rounds) == wantedRounds && get(left) == 0);
    }

    // If, with and without what else to do.
    cudaGraph_t branch;
    CHECK(cudaGraphCreate(&branch, 0));
    cudaGraphConditionalHandle holds;
    CHECK(cudaGraphConditionalHandleCreate(&holds, branch, 0, 0));
    decideArguments[0] = &holds;
    const cudaGraphNode_t asked = kernel(branch, nullptr, (void*)decide, decideArguments);
    condition(branch, &asked, holds, cudaGraphCondTypeIf, 2, bodies);
    int yes = 7, no = -50000;
    void* yesArguments[] = {&sum, &yes};
    kernel(bodies[0], nullptr, (void*)add, yesArguments);
    // What a stream does can become a body, too.
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCaptureToGraph(stream, bodies[1], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, stream>>>(sum, no);
    CHECK(cudaStreamEndCapture(stream, nullptr));
    cudaGraphExec_t runBranch;
    CHECK(cudaGraphInstantiate(&runBranch, branch, 0));
    set(choice, 1);
    CHECK(cudaGraphLaunch(runBranch, nullptr));
    WANT(get(sum) == 1117);
    set(choice, 0);
    CHECK(cudaGraphLaunch(runBranch, nullptr));
    WANT(get(sum) == 1117 - 50000);
    CHECK(cudaGraphExecDestroy(runBranch));
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaGraphDestroy(branch));
    CHECK(cudaGraphDestroy(graph));
    return passed();
}
