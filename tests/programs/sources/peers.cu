// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that others use, too: a kernel reads another device's by peer access (of one device, its own), a child process works
// in memory that this one has shared with it, and kernels count in the host's. Whoever runs one twice is found out.
#include "check.h"

#include <cstring>
#include <string>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

__global__ void plus(int* to, const int* from, int n) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        to[i] += from[i];
}

__global__ void tally(int* all) {
    atomicAdd(all, 1);
}

namespace {

constexpr int n = 1000;

int child(const char* hex) {
    cudaIpcMemHandle_t handle;
    for (std::size_t k = 0; k < sizeof handle; ++k)
        reinterpret_cast<unsigned char*>(&handle)[k] =
            (unsigned char)std::stoi(std::string(hex + 2 * k, 2), nullptr, 16);
    void* shared = nullptr;
    CHECK(cudaIpcOpenMemHandle(&shared, handle, cudaIpcMemLazyEnablePeerAccess));
    plus<<<4, 256>>>(static_cast<int*>(shared), static_cast<int*>(shared), n); // doubles
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaIpcCloseMemHandle(shared));
    return 0;
}

} // namespace

int main(int count, char** words) {
    if (count > 1)
        return child(words[1]);
    int devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    const int other = devices > 1 ? 1 : 0;
    int pageable = 0, *pinned = nullptr, *own = static_cast<int*>(std::calloc(1, sizeof(int)));
    CHECK(cudaHostAlloc(&pinned, sizeof(int), cudaHostAllocDefault));
    *pinned = 0;
    tally<<<4, 256>>>(pinned);
    CHECK(cudaDeviceSynchronize());
    WANT(*pinned == 1024);
    CHECK(cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
    if (pageable) {
        tally<<<4, 256>>>(own);
        CHECK(cudaDeviceSynchronize());
        WANT(*own == 1024);
    }
    int host[n], *here = nullptr, *there = nullptr;
    for (int i = 0; i < n; ++i)
        host[i] = i;
    CHECK(cudaMalloc(&here, sizeof host));
    CHECK(cudaMemcpy(here, host, sizeof host, cudaMemcpyHostToDevice));
    CHECK(cudaSetDevice(other));
    CHECK(cudaMalloc(&there, sizeof host));
    CHECK(cudaMemcpy(there, host, sizeof host, cudaMemcpyHostToDevice));
    CHECK(cudaSetDevice(0));
    if (other)
        CHECK(cudaDeviceEnablePeerAccess(other, 0));
    plus<<<4, 256>>>(here, there, n); // 2 i
    CHECK(cudaDeviceSynchronize());

    cudaIpcMemHandle_t handle;
    CHECK(cudaIpcGetMemHandle(&handle, here));
    std::string hex;
    for (std::size_t k = 0; k < sizeof handle; ++k) {
        char two[3];
        std::snprintf(two, sizeof two, "%02x", reinterpret_cast<unsigned char*>(&handle)[k]);
        hex += two;
    }
    char* arguments[] = {words[0], hex.data(), nullptr};
    pid_t pid = 0;
    int status = -1;
    WANT(posix_spawn(&pid, "/proc/self/exe", nullptr, nullptr, arguments, environ) == 0);
    WANT(waitpid(pid, &status, 0) == pid && status == 0);
    plus<<<4, 256>>>(here, there, n); // the child has made it 4 i
    CHECK(cudaMemcpy(host, here, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
        WANT(host[i] == 5 * i);
    return passed();
}
