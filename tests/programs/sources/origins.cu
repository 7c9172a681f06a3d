// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that is freed, half written or no device's, and settings that CUDA ignores or refuses; which, is the program's word.
#include "check.h"

#include <cooperative_groups.h>

#include <cstdio>
#include <cstring>

constexpr int count = 600;
__constant__ float weights[8];

__global__ void twice(const float* from, float* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = 2 * from[i];
}
__global__ void meet(float* to) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x; // a place for each: behind the meeting, too, nobody else's
    to[i] = 1;
    cooperative_groups::this_grid().sync();
    to[i] += 1;
}
__global__ void look(cudaTextureObject_t texture, float* to, float scale, int first) {
    to[threadIdx.x] = tex1D<float>(texture, scale * (float(first + int(threadIdx.x)) + 0.5f));
}

int main(int, char** words) {
    const char* const what = words[1];
    const bool right = std::strstr(what, "-right") != nullptr;
    static float host[count];
    float *a, *b; // operations 0 and 1
    CHECK(cudaMalloc(&a, sizeof host));
    CHECK(cudaMalloc(&b, sizeof host));
    CHECK(cudaMemset(a, 0, sizeof host)); // 2
    if (std::strncmp(what, "tail", 4) == 0) { // 600 / 128 is 4: 88 numbers are left out
        twice<<<right ? (count + 127) / 128 : count / 128, 128>>>(a, b, count);
        CHECK(cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost));
    } else if (std::strncmp(what, "short", 5) == 0) { // of b, what is read
        CHECK(cudaMemcpy(b, host, right ? sizeof host : count, cudaMemcpyHostToDevice));
        twice<<<(count + 127) / 128, 128>>>(b, a, count);
        CHECK(cudaDeviceSynchronize());
    } else if (std::strncmp(what, "freed", 5) == 0) {
        if (!right)
            CHECK(cudaFree(b));
        twice<<<1, 128>>>(a, b, count);
        return cudaDeviceSynchronize() != cudaSuccess;
    } else if (std::strcmp(what, "again") == 0) {
        CHECK(cudaFree(b));
        return cudaFree(b) != cudaSuccess;
    } else if (std::strncmp(what, "shadow", 6) == 0) {
        float* address = weights;
        if (right)
            CHECK(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), weights));
        twice<<<1, 8>>>(address, b, 8);
        return cudaDeviceSynchronize() != cudaSuccess;
    } else if (std::strncmp(what, "grid", 4) == 0) {
        void* arguments[] = {&b};
        if (right)
            CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(meet), dim3(2), dim3(32), arguments, 0, nullptr));
        else
            meet<<<2, 32>>>(b);
        return cudaDeviceSynchronize() != cudaSuccess;
    } else if (std::strncmp(what, "wrap", 4) == 0) {
        cudaArray_t array;
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
        CHECK(cudaMallocArray(&array, &format, 32));
        CHECK(cudaMemcpy2DToArray(array, 0, 0, host, 128, 128, 1, cudaMemcpyHostToDevice));
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc texture = {};
        texture.addressMode[0] = cudaAddressModeWrap;
        texture.normalizedCoords = right;
        cudaTextureObject_t object;
        CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
        look<<<1, 32>>>(object, b, right ? 1.0f / 32 : 1.0f, 16); // 16 of the 32 lie behind the end
        CHECK(cudaDeviceSynchronize());
        look<<<1, 16>>>(object, b, right ? 1.0f / 32 : 1.0f, 0); // none does
        CHECK(cudaDeviceSynchronize());
    }
    return 0;
}
