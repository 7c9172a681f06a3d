// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void warpSums(int* out, const int* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 32 == 0) {
        int sum = 0;
        for (int k = 0; k < 32; ++k)
            sum += in[i + k];
        out[i / 32] = sum;
    }
}
