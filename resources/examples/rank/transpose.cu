// SPDX-License-Identifier: GPL-3.0-or-later
// A transpose that somebody has left half done: best_edits.py finds which of ten edits help.
__global__ void transpose(float* out, const float* in, int n) {
    __shared__ float tile[32][32];
    const int left = blockIdx.x * 32, top = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += 8) {
        tile[j][threadIdx.x] = in[(top + j) * n + left + threadIdx.x];
        __syncthreads();
    }
    for (int j = threadIdx.y; j < 32; j += 8)
        out[(left + threadIdx.x) * n + top + j] = tile[j][threadIdx.x];
}
