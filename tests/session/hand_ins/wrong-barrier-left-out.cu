// SPDX-License-Identifier: GPL-3.0-or-later; half-the-barriers misses clean: shared
__global__ void scan(int* out, const int* in) {
    __shared__ int cell[128];
    int t = threadIdx.x;
    cell[t] = in[t];
    __syncthreads();
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        int value = cell[t];
        if (t >= distance)
            value += cell[t - distance];
        cell[t] = value;
        __syncthreads();
    }
    out[t] = cell[t];
}
