// SPDX-License-Identifier: GPL-3.0-or-later; first-kernel passes
__global__ void triple(int* out, const int* in, int n) {
    for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] + in[i] + in[i] + 1;
}
