// SPDX-License-Identifier: GPL-3.0-or-later
// Product of two matrices: the same sums with ever more of the data kept near.

// C (M x N) = A (M x K) B (K x N).
extern "C" __global__ void matmul(float* A, float* B, float* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < K; k++) {
            sum += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = sum;
    }
}

extern "C" __global__ void matmul_naive(float* A, float* B, float* C, int N) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; k++) {
            sum += A[row * N + k] * B[k * N + col];
        }
        C[row * N + col] = sum;
    }
}

// A block fetches a tile of A and of B once and shares it; where a tile hangs over the edge it holds zeros.
extern "C" __global__ void matmul_tiled(float* A, float* B, float* C, int N) {
    const int tile = 16;
    __shared__ float As[tile][tile];
    __shared__ float Bs[tile][tile];
    int row = blockIdx.y * tile + threadIdx.y;
    int col = blockIdx.x * tile + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < (N + tile - 1) / tile; t++) {
        int k = t * tile;
        As[threadIdx.y][threadIdx.x] = (row < N && k + threadIdx.x < N) ? A[row * N + k + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (k + threadIdx.y < N && col < N) ? B[(k + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < tile; i++) {
            sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < N && col < N) {
        C[row * N + col] = sum;
    }
}

// Four elements from column on of a row of M, as one load of 16 bytes where the row allows it.
__device__ float4 loadFour(const float* M, int row, int column, int N) {
    float4 four = {0.0f, 0.0f, 0.0f, 0.0f};
    if (row < N) {
        const float* p = M + row * N + column;
        if (column + 3 < N && N % 4 == 0) {
            four = *(const float4*)p;
        } else {
            if (column < N) four.x = p[0];
            if (column + 1 < N) four.y = p[1];
            if (column + 2 < N) four.z = p[2];
            if (column + 3 < N) four.w = p[3];
        }
    }
    return four;
}

// Tiles of 32 x 32, each row one word longer so that a column touches every bank once. A tile is 256 loads of four floats:
// the first 256 threads fetch that of A, the next 256 that of B.
extern "C" __global__ void matmul_optimized(float* A, float* B, float* C, int N) {
    const int tile = 32;
    __shared__ float As[tile][tile + 1];
    __shared__ float Bs[tile][tile + 1];
    int row = blockIdx.y * tile + threadIdx.y;
    int col = blockIdx.x * tile + threadIdx.x;
    int thread = threadIdx.y * tile + threadIdx.x;
    int r = thread % 256 / 8;
    int c = thread % 8 * 4;
    float sum = 0.0f;
    for (int t = 0; t < (N + tile - 1) / tile; t++) {
        if (thread < 256) {
            float4 a = loadFour(A, blockIdx.y * tile + r, t * tile + c, N);
            As[r][c] = a.x;
            As[r][c + 1] = a.y;
            As[r][c + 2] = a.z;
            As[r][c + 3] = a.w;
        } else if (thread < 512) {
            float4 b = loadFour(B, t * tile + r, blockIdx.x * tile + c, N);
            Bs[r][c] = b.x;
            Bs[r][c + 1] = b.y;
            Bs[r][c + 2] = b.z;
            Bs[r][c + 3] = b.w;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < tile; k++) {
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < N && col < N) {
        C[row * N + col] = sum;
    }
}
