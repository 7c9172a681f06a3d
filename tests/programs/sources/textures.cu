// SPDX-License-Identifier: GPL-3.0-or-later
// Textures over an array, rows with a pitch and plain memory; a surface that is written and read back as a texture.
#include "check.h"
#include <vector>

__global__ void fetch(cudaTextureObject_t t, float* out, int width, float shift, float scale) {
    const int x = int(threadIdx.x), y = int(blockIdx.x);
    out[y * width + x] = tex2D<float>(t, (float(x) + shift) * scale, float(y) + 0.5f);
}

__global__ void fetchPlain(cudaTextureObject_t t, int* out, int n) {
    out[threadIdx.x] = tex1Dfetch<int>(t, n - 1 - int(threadIdx.x));
}

__global__ void fetchRow(cudaTextureObject_t t, float* out) {
    out[threadIdx.x] = tex1D<float>(t, float(threadIdx.x) + 0.5f);
}

__global__ void layers(cudaTextureObject_t t, unsigned char* out) {
    out[threadIdx.x] = tex2DLayered<uchar4>(t, 0.5f, 0.5f, int(threadIdx.x)).z;
}

__global__ void paint(cudaSurfaceObject_t s) {
    const int x = int(threadIdx.x), y = int(blockIdx.x);
    surf2Dwrite(float(100 * y + x), s, x * int(sizeof(float)), y);
}

static cudaTextureObject_t make(const cudaResourceDesc& resource, cudaTextureFilterMode filter) {
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = filter;
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t object = 0;
    CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
    return object;
}

int main() {
    const int width = 16, height = 8;
    std::vector<float> in(width * height), out(width * height);
    for (int i = 0; i < width * height; ++i)
        in[i] = float(i * 4);
    float* device;
    CHECK(cudaMalloc(&device, in.size() * sizeof(float)));
    const auto format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, in.data(), width * sizeof(float), width * sizeof(float), height,
                              cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    const cudaTextureObject_t point = make(resource, cudaFilterModePoint), linear = make(resource, cudaFilterModeLinear);
    fetch<<<height, width>>>(point, device, width, 0.5f, 1.0f);
    CHECK(cudaMemcpy(out.data(), device, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
    WANT(out == in);
    fetch<<<height, width>>>(linear, device, width, 1.0f, 1.0f); // half-way between x and x + 1; the edge is clamped
    CHECK(cudaMemcpy(out.data(), device, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < width * height; ++i)
        WANT(out[i] == in[i] + (i % width == width - 1 ? 0.0f : 2.0f));
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    paint<<<height, width>>>(surface);
    fetch<<<height, width>>>(point, device, width, 0.5f, 1.0f);
    CHECK(cudaMemcpy(out.data(), device, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < width * height; ++i)
        WANT(out[i] == float(100 * (i / width) + i % width));
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaDestroyTextureObject(point));
    CHECK(cudaDestroyTextureObject(linear));
    CHECK(cudaFreeArray(array));

    float* rows;
    std::size_t pitch = 0;
    CHECK(cudaMallocPitch(&rows, &pitch, width * sizeof(float), height));
    CHECK(cudaMemcpy2D(rows, pitch, in.data(), width * sizeof(float), width * sizeof(float), height,
                       cudaMemcpyHostToDevice));
    resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {rows, format, width, height, pitch};
    fetch<<<height, width>>>(make(resource, cudaFilterModePoint), device, width, 0.5f, 1.0f);
    CHECK(cudaMemcpy(out.data(), device, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
    WANT(out == in);

    int numbers[32], *plain, *turned;
    for (int i = 0; i < 32; ++i)
        numbers[i] = i * i;
    CHECK(cudaMalloc(&plain, sizeof numbers));
    CHECK(cudaMalloc(&turned, sizeof numbers));
    CHECK(cudaMemcpy(plain, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {plain, cudaCreateChannelDesc<int>(), sizeof numbers};
    fetchPlain<<<1, 32>>>(make(resource, cudaFilterModePoint), turned, 32);
    CHECK(cudaMemcpy(numbers, turned, sizeof numbers, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; ++i)
        WANT(numbers[i] == (31 - i) * (31 - i));

    // A plane of one row is a row, too.
    CHECK(cudaMallocArray(&array, &format, width, 1));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, in.data(), width * sizeof(float), width * sizeof(float), 1,
                              cudaMemcpyHostToDevice));
    resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    fetchRow<<<1, width>>>(make(resource, cudaFilterModePoint), device);
    CHECK(cudaMemcpy(out.data(), device, width * sizeof(float), cudaMemcpyDeviceToHost));
    for (int x = 0; x < width; ++x)
        WANT(out[x] == in[x]);
    CHECK(cudaFreeArray(array));

    // Three layers of one texel of four bytes.
    unsigned char texels[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, third[3], *thirdOnDevice;
    const auto four = cudaCreateChannelDesc<uchar4>();
    CHECK(cudaMalloc3DArray(&array, &four, make_cudaExtent(1, 1, 3), cudaArrayLayered));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels, 4, 1, 1);
    copy.dstArray = array, copy.extent = make_cudaExtent(1, 1, 3), copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    CHECK(cudaMalloc(&thirdOnDevice, 3));
    layers<<<1, 3>>>(make(resource, cudaFilterModePoint), thirdOnDevice);
    CHECK(cudaMemcpy(third, thirdOnDevice, 3, cudaMemcpyDeviceToHost));
    WANT(third[0] == 3 && third[1] == 7 && third[2] == 11);
    return passed();
}
