// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void alternate(int* out, const int* in, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0) {
        int sum = 0;
        for (int k = 0; k < rounds; ++k)
            sum += in[(i + k) % n];
        out[i] = sum;
    } else {
        int most = in[i];
        for (int k = 1; k < rounds; ++k)
            most = max(most, in[(i + k) % n]);
        out[i] = most;
    }
}
