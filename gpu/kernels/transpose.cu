// SPDX-License-Identifier: GPL-3.0-or-later
// Transpose: row y, column x of in goes to row x, column y of out. in has n rows of m elements.

// By index: rows are read side by side, columns are written n elements apart.
extern "C" __global__ void transpose_naive(int* out, int* in, int n, int m) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < m && y < n) {
        out[x * n + y] = in[y * m + x];
    }
}

// Through a tile in shared memory: rows in, rows out. Columns of the tile are read there; without padding all lanes of a
// warp then ask few banks, with one word more in each row every lane asks its own.
template <int TILE, int PAD>
__device__ void transposeTile(int* out, const int* in, int n, int m) {
    __shared__ int smem[TILE * (TILE + PAD)];
    int bx = blockIdx.x * TILE;
    int by = blockIdx.y * TILE;
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    if (bx + tx < m && by + ty < n) {
        smem[ty * (TILE + PAD) + tx] = in[(by + ty) * m + bx + tx];
    }
    __syncthreads();
    if (by + tx < n && bx + ty < m) {
        out[(bx + ty) * n + by + tx] = smem[tx * (TILE + PAD) + ty];
    }
}

extern "C" __global__ void transpose_smem16(int* out, int* in, int n, int m) {
    transposeTile<16, 0>(out, in, n, m);
}

extern "C" __global__ void transpose_smem32(int* out, int* in, int n, int m) {
    transposeTile<32, 0>(out, in, n, m);
}

extern "C" __global__ void transpose_padded16(int* out, int* in, int n, int m) {
    transposeTile<16, 1>(out, in, n, m);
}

extern "C" __global__ void transpose_padded32(int* out, int* in, int n, int m) {
    transposeTile<32, 1>(out, in, n, m);
}
