// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void scan(int* out, const int* in) {
    __shared__ int cell[2][128];
    int t = threadIdx.x, from = 0;
    cell[0][t] = in[t];
    __syncthreads();
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        int value = cell[from][t];
        if (t >= distance)
            value += cell[from][t - distance];
        cell[1 - from][t] = value;
        from = 1 - from;
        __syncthreads();
    }
    out[t] = cell[from][t];
}
