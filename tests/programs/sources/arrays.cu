// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA arrays: copies in and out in all directions, boxes between an array, pitched memory and the host, surfaces that a
// kernel reads and writes.
#include "check.h"
#include <vector>

constexpr int width = 24, height = 10, depth = 4;

__global__ void shift(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
    const int x = int(threadIdx.x), y = int(blockIdx.x);
    int value = 0;
    surf2Dread(&value, from, x * int(sizeof value), y);
    surf2Dwrite(value + 1000, to, (width - 1 - x) * int(sizeof value), y);
}

__global__ void scale(cudaSurfaceObject_t box) {
    const int x = int(threadIdx.x), y = int(threadIdx.y), z = int(blockIdx.x);
    short2 value;
    surf3Dread(&value, box, x * int(sizeof value), y, z);
    surf3Dwrite(make_short2(short(value.y * 2), value.x), box, x * int(sizeof value), y, z);
}

static cudaSurfaceObject_t surfaceOf(cudaArray_t array) {
    cudaResourceDesc words = {};
    words.resType = cudaResourceTypeArray;
    words.res.array.array = array;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &words));
    return surface;
}

int main() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t a, b;
    CHECK(cudaMallocArray(&a, &format, width, height, cudaArraySurfaceLoadStore));
    CHECK(cudaMallocArray(&b, &format, width, height, cudaArraySurfaceLoadStore));
    cudaExtent extent;
    cudaChannelFormatDesc known;
    unsigned flags = 0;
    CHECK(cudaArrayGetInfo(&known, &extent, &flags, a));
    WANT(known.x == 32 && known.y == 0 && extent.width == width && extent.height == height && extent.depth == 0);
    std::vector<int> host(width * height), back(width * height);
    for (int i = 0; i < width * height; ++i)
        host[i] = 7 * i;
    const std::size_t row = width * sizeof(int);
    CHECK(cudaMemcpy2DToArray(a, 0, 0, host.data(), row, row, height, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2DToArray(b, 0, 0, host.data(), row, row, height, cudaMemcpyHostToDevice));
    const cudaSurfaceObject_t from = surfaceOf(a), to = surfaceOf(b);
    shift<<<height, width>>>(from, to);
    CHECK(cudaMemcpy2DFromArray(back.data(), row, b, 0, 0, row, height, cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            WANT(back[y * width + x] == 7 * (y * width + width - 1 - x) + 1000);

    // Four columns and three rows at (5, 2) of an array to (1, 6) of the other one.
    CHECK(cudaMemcpy2DArrayToArray(b, 1 * sizeof(int), 6, a, 5 * sizeof(int), 2, 4 * sizeof(int), 3));
    std::vector<int> now(width * height);
    CHECK(cudaMemcpy2DFromArray(now.data(), row, b, 0, 0, row, height, cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const bool inside = x >= 1 && x < 5 && y >= 6 && y < 9;
            WANT(now[y * width + x] == (inside ? host[(y - 4) * width + x + 4] : back[y * width + x]));
        }

    // A box of shorts by twos: host -> array -> kernel -> pitched memory -> host, the last from (2, 1, 1) on.
    const cudaChannelFormatDesc pair = cudaCreateChannelDesc<short2>();
    cudaArray_t box;
    CHECK(cudaMalloc3DArray(&box, &pair, make_cudaExtent(width, height, depth), cudaArraySurfaceLoadStore));
    std::vector<short2> cube(width * height * depth);
    for (int i = 0; i < width * height * depth; ++i)
        cube[i] = make_short2(short(i), short(3 * i));
    cudaMemcpy3DParms in = {};
    in.srcPtr = make_cudaPitchedPtr(cube.data(), width * sizeof(short2), width, height);
    in.dstArray = box, in.extent = make_cudaExtent(width, height, depth), in.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&in));
    const cudaSurfaceObject_t whole = surfaceOf(box);
    scale<<<depth, dim3(width, height)>>>(whole);
    cudaPitchedPtr pitched;
    CHECK(cudaMalloc3D(&pitched, make_cudaExtent(width * sizeof(short2), height, depth)));
    CHECK(cudaMemset3D(pitched, 0, make_cudaExtent(width * sizeof(short2), height, depth)));
    cudaMemcpy3DParms part = {};
    part.srcArray = box, part.srcPos = make_cudaPos(2, 1, 1);
    part.dstPtr = pitched, part.dstPos = make_cudaPos(0, 0, 0);
    part.extent = make_cudaExtent(6, 5, 2), part.kind = cudaMemcpyDeviceToDevice;
    CHECK(cudaMemcpy3D(&part));
    std::vector<short2> out(width * height * depth);
    cudaMemcpy3DParms home = {};
    home.srcPtr = pitched, home.dstPtr = make_cudaPitchedPtr(out.data(), width * sizeof(short2), width, height);
    home.extent = make_cudaExtent(width * sizeof(short2), height, depth), home.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&home));
    for (int z = 0; z < depth; ++z)
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const short2 value = out[(z * height + y) * width + x];
                const bool inside = x < 6 && y < 5 && z < 2;
                const short2 source = inside ? cube[((z + 1) * height + y + 1) * width + x + 2] : make_short2(0, 0);
                WANT(value.x == short(source.y * 2) && value.y == source.x);
            }
    CHECK(cudaDestroySurfaceObject(from));
    CHECK(cudaFreeArray(a));
    CHECK(cudaFreeArray(b));
    CHECK(cudaFreeArray(box));
    return passed();
}
