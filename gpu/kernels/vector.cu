// SPDX-License-Identifier: GPL-3.0-or-later
// One thread, one element.

extern "C" __global__ void vectorAdd(float* A, float* B, float* C, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        C[i] = A[i] + B[i];
    }
}
