// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void triple(int* out, const int* in, int n) {
    int i = threadIdx.x;
    out[i] = 3 * in[i] + 1;
}
