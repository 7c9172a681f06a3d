// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void rowSums(int* sums, const int* in, int rows, int width) {
    int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
        int sum = 0;
        for (int column = lane; column < width; column += 32)
            sum += in[row * width + column];
        for (int distance = 16; distance > 0; distance /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, distance);
        if (lane == 0)
            sums[row] = sum;
    }
}
