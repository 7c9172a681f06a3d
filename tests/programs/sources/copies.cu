// SPDX-License-Identifier: GPL-3.0-or-later
// Copies and fills of boxes, arrays and symbols on streams, and between devices that are one.
#include "check.h"

#include <cstring>

__device__ int symbol[8];

int main() {
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    unsigned char host[16 * 8], back[16 * 8];
    for (int i = 0; i < 128; ++i)
        host[i] = static_cast<unsigned char>(i);

    // A box of 5 x 3 out of rows of 16, to place (2, 1).
    unsigned char* pitched;
    size_t pitch;
    CHECK(cudaMallocPitch(reinterpret_cast<void**>(&pitched), &pitch, 16, 8));
    WANT(pitch >= 16 && pitch % 32 == 0);
    CHECK(cudaMemset2DAsync(pitched, pitch, 0xee, 16, 8, stream));
    CHECK(cudaMemcpy2DAsync(pitched + pitch + 2, pitch, host + 16 * 2 + 1, 16, 5, 3, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpy2DAsync(back, 16, pitched, pitch, 16, 8, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 16; ++x)
            WANT(back[y * 16 + x] == (y >= 1 && y < 4 && x >= 2 && x < 7 ? (y + 1) * 16 + x - 1 : 0xee));
    WANT(cudaMemcpy2DAsync(pitched, 4, host, 16, 5, 3, cudaMemcpyHostToDevice, stream) == cudaErrorInvalidPitchValue);
    cudaGetLastError();

    // A volume of 4 x 3 x 2 words, of which a box of 2 x 2 x 1 goes to another place of it.
    cudaPitchedPtr volume;
    const cudaExtent whole = make_cudaExtent(4 * sizeof(int), 3, 2);
    CHECK(cudaMalloc3D(&volume, whole));
    WANT(volume.xsize == 16 && volume.ysize == 3);
    CHECK(cudaMemset3DAsync(volume, 0, whole, stream));
    int words[24], again[24];
    for (int i = 0; i < 24; ++i)
        words[i] = 100 + i;
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(words, 16, 4, 3);
    copy.dstPtr = volume;
    copy.srcPos = make_cudaPos(4, 1, 1); // bytes, rows, slices
    copy.dstPos = make_cudaPos(8, 0, 0);
    copy.extent = make_cudaExtent(8, 2, 1);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3DAsync(&copy, stream));
    cudaMemcpy3DParms all{};
    all.srcPtr = volume;
    all.dstPtr = make_cudaPitchedPtr(again, 16, 4, 3);
    all.extent = whole;
    all.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3DAsync(&all, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 4; ++x) {
                const bool there = z == 0 && y < 2 && x >= 2;
                WANT(again[(z * 3 + y) * 4 + x] == (there ? 100 + (3 + y + 1) * 4 + x - 1 : 0));
            }
    cudaMemcpy3DPeerParms peer{};
    peer.srcPtr = volume;
    peer.srcDevice = peer.dstDevice = 0;
    cudaPitchedPtr second;
    CHECK(cudaMalloc3D(&second, whole));
    peer.dstPtr = second;
    peer.extent = whole;
    CHECK(cudaMemcpy3DPeer(&peer));
    CHECK(cudaMemcpy3DPeerAsync(&peer, stream));
    all.srcPtr = second;
    std::memset(again, 0, sizeof again);
    CHECK(cudaMemcpy3D(&all));
    WANT(again[2] == 100 + 17 && again[7] == 100 + 22);

    // An array of 8 x 4 words.
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    CHECK(cudaMallocArray(&array, &format, 8, 4));
    cudaChannelFormatDesc is;
    CHECK(cudaGetChannelDesc(&is, array));
    WANT(is.x == 32 && is.y == 0 && is.f == cudaChannelFormatKindSigned);
    int table[32], out[32] = {};
    for (int i = 0; i < 32; ++i)
        table[i] = i * i;
    CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, table, 32, 32, 4, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpy2DFromArrayAsync(out, 32, array, 8, 1, 16, 2, cudaMemcpyDeviceToHost, stream)); // from (2, 1)
    CHECK(cudaStreamSynchronize(stream));
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 8; ++x) {
            const int from = (y + 1) * 8 + x + 2;
            WANT(out[y * 8 + x] == (x < 4 ? from * from : 0));
        }
    CHECK(cudaMemcpyToArray(array, 4, 0, table, 8, cudaMemcpyHostToDevice)); // from word 1 on: 0, 1
    CHECK(cudaMemcpyFromArrayAsync(out, array, 0, 0, 16, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    WANT(out[0] == 0 && out[1] == 0 && out[2] == 1 && out[3] == 9);
    WANT(cudaMemcpy2DFromArray(out, 32, array, 8, 1, 32, 2, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    cudaGetLastError();

    // Symbols on a stream, and from one device to itself.
    CHECK(cudaMemcpyToSymbolAsync(symbol, table + 2, 12, 8, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyFromSymbolAsync(out, symbol, 32, 0, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    WANT(out[1] == 0 && out[2] == 4 && out[3] == 9 && out[4] == 16 && out[5] == 0);
    int *one, *two;
    CHECK(cudaMalloc(&one, 64));
    CHECK(cudaMalloc(&two, 64));
    CHECK(cudaMemcpyAsync(one, table, 64, cudaMemcpyDefault, stream));
    CHECK(cudaMemcpyPeerAsync(two, 0, one, 0, 64, stream));
    CHECK(cudaMemcpyAsync(out, two, 64, cudaMemcpyDefault, stream));
    CHECK(cudaStreamSynchronize(stream));
    WANT(out[15] == 225);
    WANT(cudaMemcpy(one, table, 64, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
    cudaGetLastError();
    WANT(cudaMemcpyToSymbol(symbol, table, 8, 28) == cudaErrorInvalidValue);
    cudaGetLastError();
    WANT(cudaFree(reinterpret_cast<void*>(0x1234)) == cudaErrorInvalidValue);
    cudaGetLastError();
    return passed();
}
