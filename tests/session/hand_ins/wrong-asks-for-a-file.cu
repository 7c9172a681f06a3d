// SPDX-License-Identifier: GPL-3.0-or-later; first-kernel misses compiles at line 2: is not allowed in a hand-in
#pragma GCC dependency "/etc/passwd"
__global__ void triple(int* out, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 3 * in[i] + 1;
}
