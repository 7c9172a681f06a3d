// SPDX-License-Identifier: GPL-3.0-or-later
// Textures and surfaces over memory that other work writes, with what orders it and without; which one is the program's word.
#include "check.h"

#include <cstdio>
#include <cstring>

constexpr int width = 64, height = 32, count = width * height;

__global__ void fetchAll(cudaTextureObject_t from, float* to) {
    const int x = threadIdx.x, y = blockIdx.x;
    to[y * width + x] = tex2D<float>(from, x + 0.5f, y + 0.5f);
}
__global__ void fetchRow(cudaTextureObject_t from, float* to) {
    to[threadIdx.x] = tex1Dfetch<float>(from, threadIdx.x);
}
__global__ void fill(float* to, float value) {
    to[blockIdx.x * width + threadIdx.x] = value;
}
__global__ void store(cudaSurfaceObject_t to) {
    surf2Dwrite(float(threadIdx.x), to, threadIdx.x * int(sizeof(float)), blockIdx.x);
}

int main(int, char** words) {
    const char* const what = words[1];
    const bool ordered = std::strstr(what, "-ordered") != nullptr;
    cudaStream_t a, b;
    cudaEvent_t done;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&done));
    float *rows, *out, *pinned;
    CHECK(cudaMalloc(&rows, count * sizeof(float)));
    CHECK(cudaMalloc(&out, count * sizeof(float)));
    CHECK(cudaMallocHost(&pinned, count * sizeof(float)));
    CHECK(cudaMemset(rows, 0, count * sizeof(float)));
    for (int i = 0; i < count; ++i)
        pinned[i] = float(i);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
    cudaResourceDesc ofArray{}, ofRows{};
    ofArray.resType = cudaResourceTypeArray;
    ofArray.res.array.array = array;
    ofRows.resType = cudaResourceTypeLinear;
    ofRows.res.linear.devPtr = rows;
    ofRows.res.linear.desc = format;
    ofRows.res.linear.sizeInBytes = count * sizeof(float);
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t plane, line;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateTextureObject(&plane, &ofArray, &how, nullptr));
    CHECK(cudaCreateTextureObject(&line, &ofRows, &how, nullptr));
    CHECK(cudaCreateSurfaceObject(&surface, &ofArray));
    CHECK(cudaDeviceSynchronize());
    const auto order = [&] {
        CHECK(cudaEventRecord(done, a));
        if (ordered)
            CHECK(cudaStreamWaitEvent(b, done, 0));
    };
    const std::size_t rowBytes = width * sizeof(float);
    if (std::strncmp(what, "copied", 6) == 0) {
        CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, pinned, rowBytes, rowBytes, height, cudaMemcpyHostToDevice, a));
        order();
        fetchAll<<<height, width, 0, b>>>(plane, out);
    } else if (std::strncmp(what, "refilled", 8) == 0) { // while the texture is read
        fetchAll<<<height, width, 0, a>>>(plane, out);
        order();
        CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, pinned, rowBytes, rowBytes, height, cudaMemcpyHostToDevice, b));
    } else if (std::strncmp(what, "linear", 6) == 0) {
        fill<<<height, width, 0, a>>>(rows, 1);
        order();
        fetchRow<<<1, width, 0, b>>>(line, out);
    } else if (std::strncmp(what, "surface", 7) == 0) {
        store<<<height, width, 0, a>>>(surface);
        order();
        fetchAll<<<height, width, 0, b>>>(plane, out);
    } else if (std::strcmp(what, "apart") == 0) { // the row that is read is not one of those that are written
        fill<<<height - 1, width, 0, a>>>(rows + width, 1);
        fetchRow<<<1, width, 0, b>>>(line, out);
    } else if (std::strcmp(what, "both-read") == 0) {
        fetchAll<<<height, width, 0, a>>>(plane, out);
        fetchRow<<<1, width, 0, b>>>(line, pinned);
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaDestroyTextureObject(plane));
    CHECK(cudaDestroyTextureObject(line));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(rows));
    CHECK(cudaFree(out));
    CHECK(cudaFreeHost(pinned));
    return 0;
}
