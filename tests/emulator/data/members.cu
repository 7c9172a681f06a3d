// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of a warp's lanes: member masks that differ from lane to lane, and __syncwarp() in both sides of a branch.
// members.ptx: nvcc -ptx -O3 -arch=compute_90

// Lanes 0 to 15 and 16 to 31 vote, match and reduce among themselves.
extern "C" __global__ void halves(unsigned* out) {
    const unsigned lane = threadIdx.x, members = lane < 16 ? 0xffffu : 0xffff0000u;
    out[lane] = __any_sync(members, lane == 20);
    out[32 + lane] = __all_sync(members, lane >= 16);
    out[64 + lane] = __ballot_sync(members, lane % 4 == 0);
    out[96 + lane] = __match_any_sync(members, lane % 2);
    out[128 + lane] = __reduce_add_sync(members, lane);
    int agree = 0;
    out[160 + lane] = __match_all_sync(members, lane < 20, &agree);
    out[192 + lane] = agree;
}

// Lane l < 16 writes, lane l + 16 reads it and answers, lane l reads the answer. The sides of the branch meet at two
// __syncwarp() each, which stand at different places.
extern "C" __global__ void acrossABranch(int* out) {
    __shared__ int cell[32];
    const int lane = threadIdx.x;
    if (lane < 16) {
        cell[lane] = lane;
        __syncwarp();
        __syncwarp();
        out[lane] = cell[lane + 16];
    } else {
        __syncwarp();
        cell[lane] = cell[lane - 16] * 2 + 1;
        __syncwarp();
        out[lane] = 7;
    }
}

// Tiles of 8 lanes; the even ones run one side, the odd ones the other, and each tile waits for itself alone.
extern "C" __global__ void tilesInBranches(int* out) {
    __shared__ int cell[32];
    const int lane = threadIdx.x, tile = lane / 8;
    const unsigned members = 0xffu << (tile * 8);
    if (tile % 2) {
        cell[lane] = lane * 3;
        __syncwarp(members);
        out[lane] = cell[lane ^ 1];
    } else {
        cell[lane] = lane * 5;
        __syncwarp(members);
        out[lane] = cell[lane ^ 7];
    }
}

// Lanes 16 to 31 never come to the first __syncwarp(): the others wait until they have ended.
extern "C" __global__ void syncWithTheEnded(int* out) {
    const int lane = threadIdx.x;
    if (lane >= 16) {
        out[lane] = 1;
        return;
    }
    __syncwarp();
    out[lane] = 2;
}

// Clusters of 2 x 2 blocks: each block tells its rank, its cluster, and how many there are.
extern "C" __global__ void __cluster_dims__(2, 2, 1) inClusters(unsigned* out) {
    unsigned rank, count, clusterX, clusterY;
    asm volatile("mov.u32 %0, %%cluster_ctarank; mov.u32 %1, %%cluster_nctarank; mov.u32 %2, %%clusterid.x;"
                 "mov.u32 %3, %%clusterid.y;"
                 : "=r"(rank), "=r"(count), "=r"(clusterX), "=r"(clusterY));
    if (threadIdx.x == 0)
        out[blockIdx.y * gridDim.x + blockIdx.x] = rank + 10 * clusterX + 100 * clusterY + 1000 * count;
}
