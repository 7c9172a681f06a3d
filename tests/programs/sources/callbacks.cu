// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of the host in streams, between kernels and copies; priorities, attributes and times of streams.
#include "check.h"
#include <cstring>
#include <string>

static std::string order; // what ran, in its order

struct Note {
    const char* word;
    const int* seen;
    int wanted;
};

static void note(void* pointer) {
    const Note* n = static_cast<Note*>(pointer);
    order += n->word;
    if (n->seen && *n->seen != n->wanted)
        order += "!";
}

static void CUDART_CB noteStatus(cudaStream_t, cudaError_t status, void* pointer) {
    note(pointer);
    order += status == cudaSuccess ? "+" : "-";
}

__global__ void doubled(int* p) {
    *p *= 2;
}

int main() {
    int least = 1, greatest = 1, priority = 7, *p, host = 3;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    WANT(greatest < least && least == 0);
    cudaStream_t high, low;
    CHECK(cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, greatest - 100)); // brought into the range
    CHECK(cudaStreamCreateWithPriority(&low, cudaStreamDefault, least));
    CHECK(cudaStreamGetPriority(high, &priority));
    WANT(priority == greatest);
    cudaStreamAttrValue attribute;
    CHECK(cudaStreamGetAttribute(high, cudaLaunchAttributePriority, &attribute));
    WANT(attribute.priority == greatest);
    std::memset(&attribute, 0, sizeof attribute);
    attribute.syncPolicy = cudaSyncPolicyYield;
    CHECK(cudaStreamSetAttribute(low, cudaLaunchAttributeSynchronizationPolicy, &attribute));
    std::memset(&attribute, 0, sizeof attribute);
    CHECK(cudaStreamCopyAttributes(high, low));
    CHECK(cudaStreamGetAttribute(high, cudaLaunchAttributeSynchronizationPolicy, &attribute));
    WANT(attribute.syncPolicy == cudaSyncPolicyYield);
    unsigned long long a = 0, b = 0;
    CHECK(cudaStreamGetId(high, &a));
    CHECK(cudaStreamGetId(low, &b));
    WANT(a != b);

    CHECK(cudaMalloc(&p, sizeof host));
    cudaEvent_t start, middle, end;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&middle));
    CHECK(cudaEventCreate(&end));
    Note before{"a", nullptr, 0}, after{"b", &host, 6}, last{"c", &host, 12};
    CHECK(cudaEventRecord(start, high));
    CHECK(cudaLaunchHostFunc(high, note, &before));
    CHECK(cudaMemcpyAsync(p, &host, sizeof host, cudaMemcpyHostToDevice, high));
    doubled<<<1, 1, 0, high>>>(p);
    CHECK(cudaMemcpyAsync(&host, p, sizeof host, cudaMemcpyDeviceToHost, high));
    CHECK(cudaStreamAddCallback(high, noteStatus, &after, 0));
    CHECK(cudaEventRecord(middle, high));
    CHECK(cudaStreamSynchronize(high));
    WANT(order == "ab+");
    CHECK(cudaStreamWaitEvent(low, middle, 0));
    doubled<<<1, 1, 0, low>>>(p);
    CHECK(cudaMemcpyAsync(&host, p, sizeof host, cudaMemcpyDeviceToHost, low));
    CHECK(cudaLaunchHostFunc(low, note, &last));
    CHECK(cudaEventRecord(end, low));
    CHECK(cudaEventSynchronize(end));
    WANT(order == "ab+c" && host == 12);
    float first = -1, second = -1, both = -1;
    CHECK(cudaEventElapsedTime(&first, start, middle));
    CHECK(cudaEventElapsedTime(&second, middle, end));
    CHECK(cudaEventElapsedTime(&both, start, end));
    WANT(first >= 0 && second >= 0 && both >= first && both - (first + second) < 0.01f);

    // A callback has no place in a graph; a function of the host has.
    CHECK(cudaStreamBeginCapture(high, cudaStreamCaptureModeRelaxed));
    WANT(cudaStreamAddCallback(high, noteStatus, &after, 0) != cudaSuccess);
    (void)cudaGetLastError();
    cudaGraph_t graph = nullptr;
    (void)cudaStreamEndCapture(high, &graph);
    (void)cudaGetLastError();
    CHECK(cudaStreamBeginCapture(high, cudaStreamCaptureModeRelaxed));
    CHECK(cudaLaunchHostFunc(high, note, &before));
    CHECK(cudaStreamEndCapture(high, &graph));
    cudaGraphExec_t run;
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    WANT(order == "ab+c");
    CHECK(cudaGraphLaunch(run, low));
    CHECK(cudaStreamSynchronize(low));
    WANT(order == "ab+ca");
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaStreamDestroy(high));
    WANT(cudaStreamGetPriority(high, &priority) == cudaErrorInvalidResourceHandle);
    return passed();
}
