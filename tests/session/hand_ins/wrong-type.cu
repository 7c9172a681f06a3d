// SPDX-License-Identifier: GPL-3.0-or-later; first-kernel misses kernel at line 2: double*
__global__ void triple(double* out, const double* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 3 * in[i] + 1;
}
