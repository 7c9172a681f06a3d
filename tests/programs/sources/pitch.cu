// SPDX-License-Identifier: GPL-3.0-or-later
// Copies and fills of rows and boxes.
#include "check.h"
#include <vector>

__global__ void transpose(const int* in, std::size_t pitch, int* out, int width, int height) {
    const int x = int(threadIdx.x), y = int(blockIdx.x);
    if (x < width && y < height)
        out[x * height + y] = *(const int*)((const char*)in + y * pitch + x * sizeof(int));
}

int main() {
    const int width = 20, height = 9;
    std::vector<int> in(width * height), out(width * height);
    for (int i = 0; i < width * height; ++i)
        in[i] = i * i;
    int *rows, *turned;
    std::size_t pitch = 0;
    CHECK(cudaMallocPitch(&rows, &pitch, width * sizeof(int), height));
    WANT(pitch >= width * sizeof(int) && pitch % 32 == 0);
    CHECK(cudaMalloc(&turned, in.size() * sizeof(int)));
    CHECK(cudaMemcpy2D(rows, pitch, in.data(), width * sizeof(int), width * sizeof(int), height,
                       cudaMemcpyHostToDevice));
    transpose<<<height, 32>>>(rows, pitch, turned, width, height);
    CHECK(cudaMemcpy(out.data(), turned, out.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            WANT(out[x * height + y] == in[y * width + x]);
    CHECK(cudaMemset2D(rows, pitch, 1, 8, 3)); // two elements of three rows
    CHECK(cudaMemcpy2D(out.data(), width * sizeof(int), rows, pitch, width * sizeof(int), height,
                       cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            WANT(out[y * width + x] == (x < 2 && y < 3 ? 0x01010101 : in[y * width + x]));
    // A box of 4 x 3 x 2 bytes out of a host's 8 x 5 x 3.
    unsigned char host[8 * 5 * 3], back[8 * 5 * 3] = {};
    for (int i = 0; i < 8 * 5 * 3; ++i)
        host[i] = (unsigned char)(i + 1);
    cudaPitchedPtr box;
    CHECK(cudaMalloc3D(&box, make_cudaExtent(8, 5, 3)));
    CHECK(cudaMemset3D(box, 0, make_cudaExtent(8, 5, 3)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host, 8, 8, 5), copy.dstPtr = box;
    copy.srcPos = make_cudaPos(2, 1, 1), copy.dstPos = make_cudaPos(1, 1, 0);
    copy.extent = make_cudaExtent(4, 3, 2), copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    cudaMemcpy3DParms all = {};
    all.srcPtr = box, all.dstPtr = make_cudaPitchedPtr(back, 8, 8, 5);
    all.extent = make_cudaExtent(8, 5, 3), all.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&all));
    for (int z = 0; z < 3; ++z)
        for (int y = 0; y < 5; ++y)
            for (int x = 0; x < 8; ++x) {
                const bool inside = x >= 1 && x < 5 && y >= 1 && y < 4 && z < 2;
                WANT(back[(z * 5 + y) * 8 + x] == (inside ? host[((z + 1) * 5 + y) * 8 + x + 1] : 0));
            }
    return passed();
}
