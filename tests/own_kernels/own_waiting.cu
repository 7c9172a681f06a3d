// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose threads and blocks wait for each other without a barrier. waiting_test.cpp launches each and judges what
// comes out. own_waiting_75.ptx and own_waiting_90.ptx are made from this file:
//   nvcc -arch=compute_75 -O3 -lineinfo -ptx own_waiting.cu -o own_waiting_75.ptx
// and likewise for 90 (the paths in .file cut down to the names).

extern "C" {

// Each thread puts its own number at the front of the list of its key, under the list's lock. Lanes of one warp want the
// same lock: whoever gets it lets go of it before the loop comes together again.
__global__ void lockedLists(const unsigned* keys, int n, int* lock, int* head, int* next) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned list = keys[i] % 16;
    for (bool done = false; !done;)
        if (atomicCAS(&lock[list], 0, 1) == 0) {
            __threadfence();
            next[i] = head[list];
            head[list] = i;
            __threadfence();
            atomicExch(&lock[list], 0);
            done = true;
        }
}

// Blocks are served in the order of their tickets; each appends its lines to a log that only the one being served may touch.
__global__ void ticketLock(unsigned* tickets, unsigned* serving, unsigned* length, unsigned* log) {
    __shared__ unsigned mine;
    if (threadIdx.x == 0) {
        mine = atomicAdd(tickets, 1);
        while (*(volatile unsigned*)serving != mine)
            ;
        __threadfence();
    }
    __syncthreads();
    const unsigned at = *length;
    log[at + threadIdx.x] = mine * 1000 + threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        *length = at + blockDim.x;
        __threadfence();
        atomicExch(serving, mine + 1);
    }
}

// Inclusive scan over blocks in one pass. A tile first tells the sum of its own 256 elements (1 in the upper half of its
// word), then looks back, 32 tiles at once, until one tells the sum of all up to itself (2).
__global__ void lookBackScan(const int* in, int* out, int n, unsigned* tiles, unsigned long long* words) {
    __shared__ int sums[8], before;
    __shared__ unsigned taken;
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    if (t == 0)
        taken = atomicAdd(tiles, 1);
    __syncthreads();
    const int tile = taken, i = tile * 256 + t;
    int v = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(~0u, v, d);
        v += lane >= d ? other : 0;
    }
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    int all = 0;
    for (int w = 0; w < 8; ++w) {
        v += w < warp ? sums[w] : 0;
        all += sums[w];
    }
    if (warp == 0) {
        if (lane == 0)
            atomicExch(&words[tile], (tile == 0 ? 2ull : 1ull) << 32 | (unsigned)all);
        int sum = 0;
        for (int first = tile - 1; first >= 0; first -= 32) {
            unsigned long long word;
            do
                word = first >= lane ? *(volatile unsigned long long*)&words[first - lane] : 2ull << 32;
            while (__any_sync(~0u, word >> 32 == 0));
            const unsigned whole = __ballot_sync(~0u, word >> 32 == 2);
            int share = whole == 0 || lane < __ffs(whole) ? (int)(unsigned)word : 0;
            for (int d = 16; d > 0; d /= 2)
                share += __shfl_xor_sync(~0u, share, d);
            sum += share;
            if (whole)
                break;
        }
        if (lane == 0) {
            if (tile > 0)
                atomicExch(&words[tile], 2ull << 32 | (unsigned)(sum + all));
            before = sum;
        }
    }
    __syncthreads();
    if (i < n)
        out[i] = before + v;
}
}
