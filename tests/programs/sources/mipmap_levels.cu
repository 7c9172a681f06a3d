// SPDX-License-Identifier: GPL-3.0-or-later
// Levels of mipmapped arrays as arrays: surfaces by which a kernel makes each from the one before, copies in all directions,
// views that show some levels and layers; what the runtime answers about objects, and what it refuses.
#include "check.h"

#include <algorithm>
#include <vector>

constexpr int width = 32, height = 16, levels = 6;

// Each texel of a level is the mean of four of the level before; whole numbers of floats, so exactly.
__global__ void halve(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int rowsBefore) {
    const int x = int(threadIdx.x), y = int(blockIdx.x), last = rowsBefore - 1;
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
        float value;
        surf2Dread(&value, from, (2 * x + k % 2) * int(sizeof value), min(2 * y + k / 2, last));
        sum += value;
    }
    surf2Dwrite(sum / 4, to, x * int(sizeof sum), y);
}

// One texel of each level, of layers that are counted on.
__global__ void look(cudaTextureObject_t texture, float x, float y, float* out) {
    out[threadIdx.x] = tex2DLod<float>(texture, x, y, float(threadIdx.x));
}
__global__ void lookLayered(cudaTextureObject_t texture, float* out) {
    out[threadIdx.x] = tex2DLayeredLod<float>(texture, 0.5f, 0.5f, int(threadIdx.x) / 4, float(threadIdx.x % 4));
}
__global__ void lookWhole(cudaTextureObject_t texture, unsigned* out) {
    const uchar4 v = tex2DLod<uchar4>(texture, 0.5f, 0.5f, float(threadIdx.x));
    out[threadIdx.x] = v.x | v.y << 8 | v.z << 16 | unsigned(v.w) << 24;
}
__global__ void lookNormalized(cudaTextureObject_t texture, float4* out) {
    out[threadIdx.x] = tex2DLod<float4>(texture, 0.5f, 0.5f, float(threadIdx.x));
}

static cudaArray_t levelOf(cudaMipmappedArray_t array, unsigned number) {
    cudaArray_t level;
    CHECK(cudaGetMipmappedArrayLevel(&level, array, number));
    return level;
}
static cudaSurfaceObject_t surfaceOf(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    return surface;
}
static cudaResourceDesc over(cudaMipmappedArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = array;
    return resource;
}
static cudaTextureDesc plainWords() {
    cudaTextureDesc how = {};
    for (auto& axis : how.addressMode)
        axis = cudaAddressModeClamp;
    how.normalizedCoords = 1;
    how.maxMipmapLevelClamp = 16;
    return how;
}
static std::vector<float> back(cudaArray_t array, int columns, int rows) {
    std::vector<float> host(columns * rows);
    CHECK(cudaMemcpy2DFromArray(host.data(), columns * sizeof(float), array, 0, 0, columns * sizeof(float), rows,
                                cudaMemcpyDeviceToHost));
    return host;
}
static bool refused(cudaError_t status) {
    (void)cudaGetLastError();
    return status != cudaSuccess;
}

static void makesLevels() {
    const auto format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t array;
    CHECK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(width, height, 0), levels,
                                   cudaArraySurfaceLoadStore));
    std::vector<float> host(width * height);
    for (int i = 0; i < width * height; ++i)
        host[i] = float(1024 * ((i * 37) % 101));
    CHECK(cudaMemcpy2DToArray(levelOf(array, 0), 0, 0, host.data(), width * sizeof(float), width * sizeof(float), height,
                              cudaMemcpyHostToDevice));
    int columns = width, rows = height;
    std::vector<float> centre{host[height / 2 * width + width / 2]};
    for (int n = 1; n < levels; ++n) {
        const cudaSurfaceObject_t from = surfaceOf(levelOf(array, n - 1)), to = surfaceOf(levelOf(array, n));
        const int rowsBefore = rows;
        columns /= 2, rows = std::max(1, rows / 2);
        halve<<<rows, columns>>>(from, to, rowsBefore);
        std::vector<float> next(columns * rows);
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < columns; ++x)
                for (int k = 0; k < 4; ++k)
                    next[y * columns + x] +=
                        host[std::min(2 * y + k / 2, rowsBefore - 1) * 2 * columns + 2 * x + k % 2] / 4;
        host = next;
        WANT(back(levelOf(array, n), columns, rows) == host);
        centre.push_back(host[rows / 2 * columns + columns / 2]);
        CHECK(cudaDestroySurfaceObject(from));
        CHECK(cudaDestroySurfaceObject(to));
    }

    // As a texture, at once behind the middle.
    const cudaResourceDesc resource = over(array);
    const cudaTextureDesc how = plainWords();
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    float *out, got[8];
    CHECK(cudaMalloc(&out, sizeof got));
    look<<<1, 8>>>(texture, 0.5f + 1.0f / 128, 0.5f + 1.0f / 128, out);
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int n = 0; n < 8; ++n) // the last level, from there on
        WANT(got[n] == centre[std::min(n, levels - 1)]);

    // What is asked about it is what it was made of.
    cudaResourceDesc known;
    cudaTextureDesc words;
    cudaResourceViewDesc view;
    CHECK(cudaGetTextureObjectResourceDesc(&known, texture));
    WANT(known.resType == cudaResourceTypeMipmappedArray && known.res.mipmap.mipmap == array);
    CHECK(cudaGetTextureObjectTextureDesc(&words, texture));
    WANT(words.normalizedCoords && words.filterMode == cudaFilterModePoint && words.maxMipmapLevelClamp == 16);
    CHECK(cudaGetTextureObjectResourceViewDesc(&view, texture));
    CHECK(cudaDestroyTextureObject(texture));

    // A mipmap wants coordinates from 0 to 1. Where it may be left unsaid they are no others, and what repeats is clamped.
    cudaTextureDesc unsaid = {};
    unsaid.maxMipmapLevelClamp = 16;
    if (!refused(cudaCreateTextureObject(&texture, &resource, &unsaid, nullptr))) {
        look<<<1, 8>>>(texture, 1.5f, -0.5f, out);
        CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
        WANT(got[0] == back(levelOf(array, 0), width, height)[width - 1]);
        WANT(got[1] == back(levelOf(array, 1), width / 2, height / 2)[width / 2 - 1]);
        CHECK(cudaDestroyTextureObject(texture));
    }

    // Levels 2 to 4, of which the first one is now level 0.
    view = {};
    view.format = cudaResViewFormatFloat1;
    view.width = width, view.height = height;
    view.firstMipmapLevel = 2, view.lastMipmapLevel = 4;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, &view));
    look<<<1, 8>>>(texture, 0.5f + 1.0f / 128, 0.5f + 1.0f / 128, out);
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int n = 0; n < 8; ++n)
        WANT(got[n] == centre[2 + std::min(n, 2)]);
    cudaResourceViewDesc asked;
    CHECK(cudaGetTextureObjectResourceViewDesc(&asked, texture));
    WANT(asked.firstMipmapLevel == 2 && asked.lastMipmapLevel == 4 && asked.format == cudaResViewFormatFloat1);
    CHECK(cudaDestroyTextureObject(texture));
    view.firstMipmapLevel = 5;
    WANT(refused(cudaCreateTextureObject(&texture, &resource, &how, &view)));

    // A part of one level into another one, row by row and as a box.
    const std::vector<float> first = back(levelOf(array, 0), width, height);
    CHECK(cudaMemcpy2DArrayToArray(levelOf(array, 1), 3 * sizeof(float), 2, levelOf(array, 0), 20 * sizeof(float), 9,
                                   5 * sizeof(float), 4, cudaMemcpyDeviceToDevice));
    cudaMemcpy3DParms box = {};
    box.srcArray = levelOf(array, 0), box.srcPos = make_cudaPos(1, 1, 0);
    box.dstArray = levelOf(array, 2), box.dstPos = make_cudaPos(4, 1, 0);
    box.extent = make_cudaExtent(4, 3, 1), box.kind = cudaMemcpyDeviceToDevice;
    CHECK(cudaMemcpy3D(&box));
    const std::vector<float> one = back(levelOf(array, 1), width / 2, height / 2);
    const std::vector<float> two = back(levelOf(array, 2), width / 4, height / 4);
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 5; ++x)
            WANT(one[(y + 2) * width / 2 + x + 3] == first[(y + 9) * width + x + 20]);
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 4; ++x)
            WANT(two[(y + 1) * width / 4 + x + 4] == first[(y + 1) * width + x + 1]);

    // Beyond a level's edges there is another level, which stays.
    box.extent = make_cudaExtent(5, 3, 1);
    WANT(refused(cudaMemcpy3D(&box)));
    box.extent = make_cudaExtent(4, 4, 1);
    WANT(refused(cudaMemcpy3D(&box)));
    WANT(refused(cudaMemcpy2DToArray(levelOf(array, 3), 0, 0, host.data(), 5 * sizeof(float), 5 * sizeof(float), 1,
                                     cudaMemcpyHostToDevice)));

    // A level may be given back by itself, and asked for again.
    const cudaArray_t once = levelOf(array, 0);
    CHECK(cudaFreeArray(once));
    WANT(back(levelOf(array, 0), width, height) == first);
    CHECK(cudaFree(out));
    CHECK(cudaFreeMipmappedArray(array));
}

// Layer z of level n is 10 z + n everywhere.
static void showsLayers() {
    constexpr int layers = 6;
    const auto format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t array;
    CHECK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(8, 4, layers), 4, cudaArrayLayered));
    for (int n = 0; n < 4; ++n) {
        const int columns = 8 >> n, rows = std::max(1, 4 >> n);
        std::vector<float> host;
        for (int i = 0; i < columns * rows * layers; ++i)
            host.push_back(float(i / (columns * rows) * 10 + n));
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(host.data(), columns * sizeof(float), columns, rows);
        copy.dstArray = levelOf(array, n), copy.kind = cudaMemcpyHostToDevice;
        copy.extent = make_cudaExtent(columns, rows, layers);
        CHECK(cudaMemcpy3D(&copy));
    }
    const cudaResourceDesc resource = over(array);
    const cudaTextureDesc how = plainWords();
    cudaResourceViewDesc view = {};
    view.format = cudaResViewFormatFloat1;
    view.width = 8, view.height = 4, view.depth = layers;
    view.firstMipmapLevel = 1, view.lastMipmapLevel = 2, view.firstLayer = 2, view.lastLayer = 4;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, &view));
    float *out, got[12];
    CHECK(cudaMalloc(&out, sizeof got));
    lookLayered<<<1, 12>>>(texture, out);
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 12; ++i)
        WANT(got[i] == float(10 * (2 + i / 4) + 1 + std::min(i % 4, 1)));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(out));
    CHECK(cudaFreeMipmappedArray(array));
}

// Four bytes a texel, as whole numbers and as numbers up to 1.
static void readsBytes() {
    const auto format = cudaCreateChannelDesc<uchar4>();
    cudaMipmappedArray_t array;
    CHECK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(4, 4, 0), 3, 0));
    for (unsigned n = 0; n < 3; ++n) {
        const int side = 4 >> n;
        std::vector<unsigned> host(side * side, 0xff000000u | 0x110a05u * (n + 1));
        CHECK(cudaMemcpy2DToArray(levelOf(array, n), 0, 0, host.data(), side * 4, side * 4, side, cudaMemcpyHostToDevice));
    }
    const cudaResourceDesc resource = over(array);
    cudaTextureDesc how = plainWords();
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    float4* out;
    CHECK(cudaMalloc(&out, 3 * sizeof *out));
    unsigned whole[3];
    lookWhole<<<1, 3>>>(texture, reinterpret_cast<unsigned*>(out));
    CHECK(cudaMemcpy(whole, out, sizeof whole, cudaMemcpyDeviceToHost));
    for (unsigned n = 0; n < 3; ++n)
        WANT(whole[n] == (0xff000000u | 0x110a05u * (n + 1)));
    CHECK(cudaDestroyTextureObject(texture));
    how.readMode = cudaReadModeNormalizedFloat;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    float4 got[3];
    lookNormalized<<<1, 3>>>(texture, out);
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    const auto near = [](float a, float b) { return a - b < 1e-6f && b - a < 1e-6f; };
    for (unsigned n = 0; n < 3; ++n)
        WANT(near(got[n].x, 5 * (n + 1) / 255.0f) && near(got[n].y, 10 * (n + 1) / 255.0f) &&
             near(got[n].z, 17 * (n + 1) / 255.0f) && got[n].w == 1);
    CHECK(cudaFreeMipmappedArray(array));
    CHECK(cudaDestroyTextureObject(texture)); // also after the array
    CHECK(cudaFree(out));
}

static void refuses() {
    const auto format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t array;
    cudaArray_t level;
    WANT(refused(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(0, 0, 0), 1, 0)));
    WANT(refused(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(16, 8, 6), 1, cudaArrayCubemap)));
    CHECK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(16, 8, 0), 0, 0)); // has one
    CHECK(cudaGetMipmappedArrayLevel(&level, array, 0));
    WANT(cudaGetMipmappedArrayLevel(&level, array, 1) == cudaErrorInvalidValue);
    CHECK(cudaFreeMipmappedArray(array));
    CHECK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(16, 8, 0), 99, 0)); // 16, 8, 4, 2, 1
    CHECK(cudaGetMipmappedArrayLevel(&level, array, 4));
    WANT(cudaGetMipmappedArrayLevel(&level, array, 5) == cudaErrorInvalidValue);
    WANT(cudaGetMipmappedArrayLevel(&level, nullptr, 0) == cudaErrorInvalidResourceHandle);
    (void)cudaGetLastError();

    const cudaResourceDesc resource = over(array);
    cudaSurfaceObject_t surface;
    WANT(refused(cudaCreateSurfaceObject(&surface, &resource))); // is of one level
    CHECK(cudaFreeMipmappedArray(array));
    CHECK(cudaFreeMipmappedArray(nullptr));
}

int main() {
    makesLevels();
    showsLayers();
    readsBytes();
    refuses();
    return passed();
}
