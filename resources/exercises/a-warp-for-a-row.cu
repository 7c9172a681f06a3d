// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void rowSums(int* sums, const int* in, int rows, int width) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    int sum = 0;
    for (int column = 0; column < width; ++column)
        sum += in[row * width + column];
    sums[row] = sum;
}
