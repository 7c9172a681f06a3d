// SPDX-License-Identifier: GPL-3.0-or-later
// Device memory that kernels read before anybody wrote there, and all the ways in which somebody may have; races between
// warps; memory that is never freed.
#include "check.h"

#include <cuda.h>

#include <cstring>
#include <vector>

__global__ void sum(const int* a, int* out, int n) {
    int s = 0;
    for (int i = threadIdx.x; i < n; i += 32)
        s += a[i];
    atomicAdd(out, s);
}

__global__ void number(int* a) {
    a[threadIdx.x] = threadIdx.x;
}

__global__ void addAll(int* a) {
    atomicExch(a + threadIdx.x, 1);
}

__global__ void paint(cudaSurfaceObject_t surface) {
    surf1Dwrite(1, surface, int(threadIdx.x) * 4);
}

struct Gaps {
    char c;
    double d;
    short s;
};
__global__ void members(Gaps* g) {
    g[threadIdx.x].c = 1;
    g[threadIdx.x].d = 2;
    g[threadIdx.x].s = 3;
}
__global__ void structs(const Gaps* from, Gaps* to) {
    to[threadIdx.x] = from[threadIdx.x];
}

__global__ void races(int* a) {
    a[0] = threadIdx.x / 32;
}

constexpr int n = 64, bytes = n * int(sizeof(int));

template <class T = int>
T* taken(std::size_t count = n) {
    T* p = nullptr;
    CHECK(cudaMalloc(&p, count * sizeof(T)));
    return p;
}

// Half of it is the host's; the third launch reads the other half, and the fourth again.
void readHalf() {
    std::vector<int> host(n / 2, 1);
    int *a = taken(), *out = taken(1);
    CHECK(cudaMemset(out, 0, 4));
    CHECK(cudaMemcpy(a, host.data(), bytes / 2, cudaMemcpyHostToDevice));
    for (const int some : {n / 4, n / 2, n, n})
        sum<<<1, 32>>>(a, out, some);
    CHECK(cudaDeviceSynchronize());
}

// A copy within the device takes along that its source was not written.
void readCopy() {
    int *a = taken(), *b = taken(), *out = taken(1);
    CHECK(cudaMemset(out, 0, 4));
    CHECK(cudaMemset(b, 1, bytes));
    CHECK(cudaMemset(taken(), 1, bytes));
    int* c = taken();
    CHECK(cudaMemset(c, 1, bytes - 8)); // the last two words stay
    CHECK(cudaMemcpy(c, a, 8, cudaMemcpyDeviceToDevice));
    sum<<<1, 32>>>(b, out, n);
    sum<<<1, 32>>>(c + 2, out, n - 4);
    CHECK(cudaDeviceSynchronize());
    sum<<<1, 32>>>(c, out, 1);
    CHECK(cudaDeviceSynchronize());
}

void readRight() {
    std::vector<int> host(n, 1);
    int* out = taken(1);
    CHECK(cudaMemset(out, 0, 4));
    std::vector<int*> written;
    const auto next = [&] {
        written.push_back(taken());
        return written.back();
    };
    CHECK(cudaMemcpy(next(), host.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyAsync(next(), written[0], bytes, cudaMemcpyDeviceToDevice, nullptr));
    CHECK(cudaMemcpyPeer(next(), 0, written[0], 0, bytes));
    CHECK(cudaMemcpy2D(next(), 32, host.data(), 32, 32, 8, cudaMemcpyHostToDevice));
    cudaMemcpy3DParms box = {};
    box.srcPtr = make_cudaPitchedPtr(host.data(), 16, 4, 4);
    box.dstPtr = make_cudaPitchedPtr(next(), 16, 4, 4);
    box.extent = make_cudaExtent(16, 4, 4);
    box.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&box));
    CHECK(cudaMemset(next(), 1, bytes));
    CHECK(cudaMemset2D(next(), 32, 1, 32, 8));
    CHECK(cudaMemset3D(make_cudaPitchedPtr(next(), 16, 4, 4), 1, make_cudaExtent(16, 4, 4)));
    WANT(cuMemsetD8(CUdeviceptr(next()), 1, bytes) == CUDA_SUCCESS);
    WANT(cuMemsetD16(CUdeviceptr(next()), 1, bytes / 2) == CUDA_SUCCESS);
    WANT(cuMemsetD32(CUdeviceptr(next()), 1, n) == CUDA_SUCCESS);
    WANT(cuMemsetD2D32(CUdeviceptr(next()), 32, 1, 8, 8) == CUDA_SUCCESS);
    number<<<1, n>>>(next());
    addAll<<<1, n>>>(next());

    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    CHECK(cudaMallocArray(&array, &format, n));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, host.data(), bytes, bytes, 1, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2DFromArray(next(), bytes, array, 0, 0, bytes, 1, cudaMemcpyDeviceToDevice));

    cudaArray_t painted = nullptr;
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaMallocArray(&painted, &format, n, 0, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = painted;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    paint<<<1, n>>>(surface);
    CHECK(cudaMemcpy2DFromArray(next(), bytes, painted, 0, 0, bytes, 1, cudaMemcpyDeviceToDevice));

    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    cudaStream_t stream = nullptr;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(next(), 1, bytes, stream));
    CHECK(cudaMemcpyAsync(next(), written[0], bytes, cudaMemcpyDeviceToDevice, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaGraphLaunch(ready, stream));
    CHECK(cudaStreamSynchronize(stream));

    int *ordered = nullptr, *managed = nullptr, *pinned = nullptr;
    CHECK(cudaMallocAsync(&ordered, bytes, stream));
    CHECK(cudaMemsetAsync(ordered, 1, bytes, stream));
    CHECK(cudaMallocManaged(&managed, bytes));
    CHECK(cudaHostAlloc(&pinned, bytes, cudaHostAllocMapped));
    CHECK(cudaHostRegister(host.data(), bytes, cudaHostRegisterMapped));
    int* registered = nullptr;
    CHECK(cudaHostGetDevicePointer(&registered, host.data(), 0));
    written.insert(written.end(), {ordered, managed, pinned, registered});
    for (const int* a : written)
        sum<<<1, 32>>>(a, out, n);
    CHECK(cudaDeviceSynchronize());

    Gaps *g = taken<Gaps>(), *other = taken<Gaps>();
    members<<<1, n>>>(g);
    structs<<<1, n>>>(g, other);
    CHECK(cudaMemcpy(g, other, n * sizeof(Gaps), cudaMemcpyDeviceToDevice));
    structs<<<1, n>>>(g, other);
    CHECK(cudaDeviceSynchronize());
}

void leave() {
    for (int i = 0; i < 3; ++i)
        taken(1000);
    void* managed = nullptr;
    CHECK(cudaMallocManaged(&managed, 500));
    CHECK(cudaFree(taken()));
}

int main(int, char** words) {
    if (!std::strcmp(words[1], "half"))
        readHalf();
    if (!std::strcmp(words[1], "copy"))
        readCopy();
    if (!std::strcmp(words[1], "right"))
        readRight();
    if (!std::strcmp(words[1], "race")) {
        races<<<1, 32>>>(taken(1));
        races<<<1, 64>>>(taken(1));
        CHECK(cudaDeviceSynchronize());
    }
    if (!std::strcmp(words[1], "leak"))
        leave();
    return passed();
}
