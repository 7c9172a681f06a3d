// SPDX-License-Identifier: GPL-3.0-or-later
// A barrier of all blocks. grid_barrier.ptx: nvcc -arch=compute_90 -lineinfo -ptx grid_barrier.cu
//   (paths in .file cut down to the names)
#include <cooperative_groups.h>

// Each block leaves when its turn has come.
extern "C" __global__ void steps(float* a, int rounds, int ofLast) {
    const auto grid = cooperative_groups::this_grid();
    const int own = blockIdx.x + 1 == gridDim.x ? ofLast : rounds;
    for (int r = 0; r < own; ++r) {
        a[blockIdx.x * blockDim.x + threadIdx.x] += 1;
        grid.sync();
    }
}
