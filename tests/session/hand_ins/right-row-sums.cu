// SPDX-License-Identifier: GPL-3.0-or-later; a-warp-for-a-row passes
__global__ void rowSums(int* sums, const int* in, int rows, int width) {
    __shared__ int part[128];
    int t = threadIdx.x, lane = t % 32;
    for (int row = blockIdx.x * (blockDim.x / 32) + t / 32; row < rows; row += gridDim.x * (blockDim.x / 32)) {
        part[t] = 0;
        for (int column = lane; column < width; column += 32)
            part[t] += in[row * width + column];
        for (int d = 16; d > 0; d /= 2) {
            __syncwarp();
            int other = lane < d ? part[t + d] : 0;
            __syncwarp();
            part[t] += other;
        }
        if (lane == 0)
            sums[row] = part[t];
        __syncwarp();
    }
}
