// SPDX-License-Identifier: GPL-3.0-or-later
// Sum of two matrices: the same work in two orders of memory.

// Neighbouring threads take neighbouring columns of a matrix kept column by column: their elements lie num_x apart.
extern "C" __global__ void sumMatrix2D(float* MatA, float* MatB, float* MatC, int num_x, int num_y) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int idx = col * num_x + row;
    if (row < num_x && col < num_y) {
        MatC[idx] = MatA[idx] + MatB[idx];
    }
}

// Neighbouring threads take neighbouring elements of a row.
extern "C" __global__ void sumMatrixOnGPU2D(float* A, float* B, float* C, int NX, int NY) {
    unsigned int ix = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int iy = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned int idx = iy * NX + ix;
    if (ix < NX && iy < NY) {
        C[idx] = A[idx] + B[idx];
    }
}
