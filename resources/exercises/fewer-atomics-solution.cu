// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void addUp(int* total, const int* in, int n) {
    __shared__ int cell[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    cell[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            cell[t] += cell[t + stride];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(total, cell[0]);
}
