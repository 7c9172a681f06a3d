// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
__global__ void child(int depth, double x, char c) { printf("%d %f %d\n", depth, x, c); }
__global__ void parent(int depth) {
    if (threadIdx.x == 0) child<<<dim3(2, depth), 32, 128>>>(depth, 1.5, 'x');
    if (threadIdx.x == 1) child<<<1, 8, 0, cudaStreamTailLaunch>>>(depth + 1, 2.5, 'y');
    if (threadIdx.x == 2) child<<<1, 8, 0, cudaStreamFireAndForget>>>(depth + 2, 3.5, 'z');
    if (depth > 0) parent<<<1, blockDim.x / 2>>>(depth - 1);
}
