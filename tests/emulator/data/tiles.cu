// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles of shared memory that a warp writes one way and reads another, as they are (how 0), with longer rows (1), and with addresses
// that are combined with the row (2). tiles.ptx is made from this file:
//   nvcc -arch=compute_80 -lineinfo -ptx tiles.cu -o tiles.ptx   (the path in .file cut down to the name)

extern "C" {

// 32 x 32 floats, written by rows and read by columns.
__global__ void floats(const float* in, float* out, int how) {
    __shared__ float tile[32 * 33];
    const int lane = threadIdx.x;
    const auto at = [&](int row, int column) {
        return row * (how == 1 ? 33 : 32) + (how == 2 ? column ^ row : column);
    };
#pragma unroll 1
    for (int row = 0; row < 32; ++row)
        tile[at(row, lane)] = in[row * 32 + lane];
    __syncwarp();
#pragma unroll 1
    for (int column = 0; column < 32; ++column)
        out[column * 32 + lane] = tile[at(lane, column)];
}

// 64 x 64 halves, of which a lane takes eight of a row at once: written by rows, read down columns of eight.
__global__ void eights(const uint4* in, uint4* out, int how) {
    __shared__ uint4 tile[64 * 9];
    const int lane = threadIdx.x;
    const auto at = [&](int row, int piece) { return row * (how == 1 ? 9 : 8) + (how == 2 ? piece ^ row % 8 : piece); };
#pragma unroll 1
    for (int n = lane; n < 64 * 8; n += 32)
        tile[at(n / 8, n % 8)] = in[n];
    __syncwarp();
#pragma unroll 1
    for (int n = lane; n < 64 * 8; n += 32)
        out[n] = tile[at(n % 64, n / 64)];
}

// 16 x 16 doubles, written by rows and read by columns.
__global__ void doubles(const double* in, double* out, int how) {
    __shared__ double tile[16 * 17];
    const int lane = threadIdx.x;
    const auto at = [&](int row, int column) {
        return row * (how == 1 ? 17 : 16) + (how == 2 ? column ^ row : column);
    };
#pragma unroll 1
    for (int n = lane; n < 16 * 16; n += 32)
        tile[at(n / 16, n % 16)] = in[n];
    __syncwarp();
#pragma unroll 1
    for (int n = lane; n < 16 * 16; n += 32)
        out[n] = tile[at(n % 16, n / 16)];
}

}
