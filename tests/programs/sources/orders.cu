// SPDX-License-Identifier: GPL-3.0-or-later
// Work that touches the same memory, with what orders it and without; which one is the program's word.
#include "check.h"

#include <cstdio>
#include <cstring>

constexpr int count = 4096;

__global__ void make(int* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = 3 * i;
}
__global__ void use(const int* from, int* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i] + 1;
}
__global__ void bytes(unsigned char* to, int n) {
    if (int(threadIdx.x) < n)
        to[threadIdx.x] = (unsigned char)threadIdx.x;
}
__global__ void tally(int* sum) {
    atomicAdd(sum, 1);
}
__global__ void raise(int* data, volatile int* flag) {
    data[0] = 42;
    __threadfence_system();
    *flag = 1;
}
__global__ void say() {
    printf("said\n");
}

static bool is(const char* word, const char* one) {
    return std::strcmp(word, one) == 0;
}

int main(int, char** words) {
    const char* const what = words[1];
    cudaStream_t a, b;
    cudaEvent_t done;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&done));
    int *v, *w, *pinned, *managed, host[count];
    CHECK(cudaMalloc(&v, sizeof host));
    CHECK(cudaMalloc(&w, sizeof host));
    CHECK(cudaMallocHost(&pinned, sizeof host));
    CHECK(cudaMallocManaged(&managed, sizeof host));
    const bool ordered = std::strstr(what, "-ordered") != nullptr;
    int seen = 0;
    if (std::strncmp(what, "streams", 7) == 0) {
        make<<<count / 256, 256, 0, a>>>(v, count);
        CHECK(cudaEventRecord(done, a));
        if (ordered)
            CHECK(cudaStreamWaitEvent(b, done, 0));
        use<<<count / 256, 256, 0, b>>>(v, w, count);
    } else if (std::strncmp(what, "writes", 6) == 0) { // and reads behind them in another stream
        CHECK(cudaMemsetAsync(v, 0, sizeof host, a));
        use<<<count / 256, 256, 0, a>>>(v, w, count);
        if (ordered)
            CHECK(cudaStreamSynchronize(a));
        make<<<count / 256, 256, 0, b>>>(v, count);
    } else if (is(what, "halves")) { // even a byte beside the other: 100 is in the middle of no word, 101 is
        bytes<<<1, 256, 0, a>>>(reinterpret_cast<unsigned char*>(v), 101);
        bytes<<<1, 256, 0, b>>>(reinterpret_cast<unsigned char*>(v) + 101, 100);
    } else if (is(what, "atomics")) {
        CHECK(cudaMemset(v, 0, sizeof host));
        CHECK(cudaDeviceSynchronize());
        tally<<<4, 32, 0, a>>>(v);
        tally<<<4, 32, 0, b>>>(v);
    } else if (std::strncmp(what, "default", 7) == 0) { // those of cudaStreamCreate wait for it
        cudaStream_t blocking;
        CHECK(cudaStreamCreate(&blocking));
        CHECK(cudaMemsetAsync(v, 0, sizeof host));
        use<<<count / 256, 256, 0, ordered ? blocking : a>>>(v, w, count);
    } else if (std::strncmp(what, "transitive", 10) == 0) { // a, then the host's stream, then b
        make<<<count / 256, 256, 0, a>>>(v, count);
        CHECK(cudaEventRecord(done, a));
        CHECK(cudaEventSynchronize(done));
        use<<<count / 256, 256, 0, b>>>(v, w, count);
    } else if (std::strncmp(what, "asked", 5) == 0) {
        make<<<count / 256, 256, 0, a>>>(v, count);
        while (cudaStreamQuery(a) == cudaErrorNotReady) {
        }
        use<<<count / 256, 256, 0, b>>>(v, w, count);
    } else if (std::strncmp(what, "pool", 4) == 0) {
        int* scratch;
        CHECK(cudaMallocAsync(&scratch, sizeof host, a));
        make<<<count / 256, 256, 0, a>>>(scratch, count);
        CHECK(cudaEventRecord(done, a));
        CHECK(cudaStreamWaitEvent(b, done, 0));
        use<<<count / 256, 256, 0, b>>>(scratch, w, count);
        if (ordered) {
            CHECK(cudaEventRecord(done, b));
            CHECK(cudaStreamWaitEvent(a, done, 0));
        }
        CHECK(cudaFreeAsync(scratch, a));
    } else if (std::strncmp(what, "taken", 5) == 0) {
        int* scratch;
        CHECK(cudaMallocAsync(&scratch, sizeof host, a));
        if (ordered)
            CHECK(cudaStreamSynchronize(a));
        make<<<count / 256, 256, 0, b>>>(scratch, count);
        CHECK(cudaStreamSynchronize(b));
        CHECK(cudaFreeAsync(scratch, a));
    } else if (std::strncmp(what, "pinned", 6) == 0) {
        make<<<count / 256, 256, 0, a>>>(v, count);
        CHECK(cudaMemcpyAsync(pinned, v, sizeof host, cudaMemcpyDeviceToHost, a));
        if (ordered)
            CHECK(cudaStreamSynchronize(a));
        seen = pinned[7];
    } else if (std::strncmp(what, "source", 6) == 0) { // what is copied is changed too soon
        for (int i = 0; i < count; ++i)
            pinned[i] = i;
        CHECK(cudaMemcpyAsync(v, pinned, sizeof host, cudaMemcpyHostToDevice, a));
        seen = pinned[7]; // both may read
        if (ordered)
            CHECK(cudaStreamSynchronize(a));
        pinned[8] = 5;
    } else if (std::strncmp(what, "pageable", 8) == 0) { // such copies are done when the call returns
        make<<<count / 256, 256, 0, a>>>(v, count);
        CHECK(cudaMemcpyAsync(host, v, sizeof host, cudaMemcpyDeviceToHost, a));
        seen = host[7];
    } else if (std::strncmp(what, "managed", 7) == 0) {
        make<<<count / 256, 256>>>(managed, count / 2);
        managed[count / 2] = 1; // 8 KiB behind the beginning: nobody else's
        if (ordered)
            CHECK(cudaDeviceSynchronize());
        seen = managed[7];
    } else if (is(what, "flag")) { // the host waits for what the kernel writes
        volatile int* const flag = pinned;
        *flag = 0;
        raise<<<1, 1, 0, a>>>(managed, pinned);
        while (*flag == 0) {
        }
        seen = managed[0];
    } else if (std::strncmp(what, "print", 5) == 0) {
        say<<<1, 1>>>();
        if (!ordered)
            return 0;
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaDeviceSynchronize());
    std::printf("%d\n", seen);
    CHECK(cudaFree(v));
    CHECK(cudaFree(w));
    CHECK(cudaFree(managed));
    CHECK(cudaFreeHost(pinned));
    return 0;
}
