// SPDX-License-Identifier: GPL-3.0-or-later
// Prints what comes of work that is ordered, or is not; which one is the program's word. v is zeros, then 3 * i; w is v + 1.
#include "check.h"

#include <cstdio>
#include <cstring>

constexpr int count = 4096;

__global__ void make(int* to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = 3 * i;
}
__global__ void use(const int* from, int* to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i] + 1;
}
__global__ void say() {
    printf("said\n");
}

int main(int, char** words) {
    const char* const what = words[1];
    const bool ordered = std::strstr(what, "-ordered") != nullptr;
    const auto is = [what](const char* word) { return std::strncmp(what, word, std::strlen(word)) == 0; };
    cudaStream_t a, b;
    cudaEvent_t done;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&done));
    int *v, *w, *pinned;
    CHECK(cudaMalloc(&v, count * sizeof(int)));
    CHECK(cudaMalloc(&w, count * sizeof(int)));
    CHECK(cudaMallocHost(&pinned, count * sizeof(int)));
    CHECK(cudaMemset(v, 0, count * sizeof(int)));
    CHECK(cudaMemset(w, 0, count * sizeof(int)));
    std::memset(pinned, 0, count * sizeof(int));
    CHECK(cudaDeviceSynchronize());
    if (is("streams")) {
        make<<<count / 256, 256, 0, a>>>(v);
        CHECK(cudaEventRecord(done, a));
        if (ordered)
            CHECK(cudaStreamWaitEvent(b, done, 0));
        use<<<count / 256, 256, 0, b>>>(v, w);
    } else if (is("host")) {
        make<<<count / 256, 256, 0, a>>>(v);
        CHECK(cudaMemcpyAsync(pinned, v, count * sizeof(int), cudaMemcpyDeviceToHost, a));
        if (ordered)
            CHECK(cudaStreamSynchronize(a));
        std::printf("%d\n", pinned[7]);
        return 0;
    } else if (is("graph")) {
        cudaGraph_t graph;
        cudaGraphExec_t made;
        cudaGraphNode_t first, second;
        void *firstWords[] = {&v}, *secondWords[] = {&v, &w};
        cudaKernelNodeParams node{};
        node.gridDim = dim3(count / 256);
        node.blockDim = dim3(256);
        CHECK(cudaGraphCreate(&graph, 0));
        node.func = (void*)make;
        node.kernelParams = firstWords;
        CHECK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &node));
        node.func = (void*)use;
        node.kernelParams = secondWords;
        CHECK(cudaGraphAddKernelNode(&second, graph, &first, ordered ? 1 : 0, &node));
        CHECK(cudaGraphInstantiate(&made, graph, 0));
        CHECK(cudaGraphLaunch(made, a));
        CHECK(cudaStreamSynchronize(a));
    } else if (is("print")) {
        say<<<1, 1>>>();
        if (ordered)
            CHECK(cudaDeviceSynchronize());
        return 0;
    }
    CHECK(cudaDeviceSynchronize());
    int host[count];
    CHECK(cudaMemcpy(host, w, sizeof host, cudaMemcpyDeviceToHost));
    std::printf("%d\n", host[7]);
    return 0;
}
