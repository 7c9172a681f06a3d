// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels with one fault each; checks_test.cpp says what must be told of them. faults.ptx is made from this file:
//   nvcc -arch=compute_75 -O3 -lineinfo -ptx faults.cu -o faults.ptx   (the path in .file cut down to the name)
// tests/cuda/sanitizer/kernels_main.cu runs them one by one for NVIDIA's compute-sanitizer.

extern "C" {

__global__ void readsPastTheEnd(const int* in, int* out, int shift) { out[threadIdx.x] = in[threadIdx.x + shift]; }

// The address lies nearer to `in`, which stands before `out` in memory, than to `out` itself.
__global__ void writesBeforeTheBeginning(const int* in, int* out, int shift) {
    out[int(threadIdx.x) - shift] = in[threadIdx.x];
}

// Threads 0 to 3 are right, 4 to 7 are not.
__global__ void someLanesOutside(const int* in, int* out) {
    const int i = threadIdx.x < 4 ? threadIdx.x : threadIdx.x + 100000;
    out[threadIdx.x] = in[i] + 1;
}

__global__ void atomicOutside(int* count, int shift) { atomicAdd(count + threadIdx.x * shift, 1); }

__global__ void misalignedPair(const int* in, int2* out) { out[threadIdx.x] = *(const int2*)(in + 2 * threadIdx.x + 1); }

__global__ void sharedOutside(int* out, int shift) {
    __shared__ int tile[32];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x + shift];
}

__global__ void localUnwritten(int* out, int n) {
    int own[16];
    for (int i = 0; i < n; ++i)
        own[(i * 7) % 16] = i;
    out[threadIdx.x] = own[(threadIdx.x + n) % 16];
}

// Each warp reads what the other writes, with no barrier between.
__global__ void sharedReadTooEarly(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = 2 * threadIdx.x;
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void sharedWrittenTwice(int* out) {
    __shared__ int value;
    if (threadIdx.x % 32 == 5)
        value = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = value;
}

// Each thread overwrites what a thread of the other warp may not have read yet.
__global__ void sharedOverwritten(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    const int other = tile[63 - threadIdx.x];
    tile[threadIdx.x] = other;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

// Block b reads what block b - 1 writes.
__global__ void blocksReadTooEarly(int* cells, int* out) {
    if (threadIdx.x != 0)
        return;
    cells[blockIdx.x] = 10 + blockIdx.x;
    out[blockIdx.x] = blockIdx.x > 0 ? cells[blockIdx.x - 1] : 0;
}

__global__ void blocksWriteOneWord(int* word) {
    if (threadIdx.x == 7)
        *word = blockIdx.x;
}

__global__ void plainCount(int* count) {
    if (threadIdx.x == 0)
        *count += 1;
}

// A stencil in place: the right neighbour may have been written already.
__global__ void stencilInPlace(float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n)
        x[i] = x[i] + x[i + 1];
}

__global__ void warpsReadTooEarly(int* cells, int* out) {
    cells[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = cells[(threadIdx.x + 32) % blockDim.x];
}

// The flag may overtake the data.
__global__ void flagWithoutFence(int* data, volatile int* flag, int* out) {
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        *data = 99;
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        __threadfence();
        *out = *data;
    }
}

// A fence of the block is not enough between blocks.
__global__ void flagWithSmallFence(int* data, volatile int* flag, int* out) {
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        *data = 99;
        __threadfence_block();
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        __threadfence();
        *out = *data;
    }
}

// Adds atomically and reads without asking whether all have added.
__global__ void sumReadTooEarly(int* sum, int* out) {
    if (threadIdx.x == 0) {
        atomicAdd(sum, 1);
        if (blockIdx.x == gridDim.x - 1)
            *out = 0;
    }
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 32)
        *out = *sum;
}

__global__ void loses(int* out, int bytes) {
    char* memory = (char*)malloc(bytes);
    memory[threadIdx.x] = 1;
    out[threadIdx.x] = memory[threadIdx.x] + (threadIdx.x == 2);
    if (threadIdx.x != 2)
        free(memory);
}

__global__ void keeps(char** kept, int* out, int bytes) {
    kept[threadIdx.x] = (char*)malloc(bytes);
    kept[threadIdx.x][0] = 1;
    out[threadIdx.x] = kept[threadIdx.x][0];
}

__global__ void freesTwice(int* out) {
    int* memory = (int*)malloc(64);
    memory[0] = 5;
    out[threadIdx.x] = memory[0];
    free(memory);
    if (threadIdx.x == 1)
        free(memory);
}

__global__ void freesForeign(int* out) {
    if (threadIdx.x == 3)
        free(out);
}

__global__ void usesFreed(int* out) {
    int* volatile memory = (int*)malloc(64);
    memory[2] = 5;
    free(memory);
    out[threadIdx.x] = memory[2];
}

__global__ void racesUnrolled(const int* in, int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i)
        sum += tile[(threadIdx.x + 32 + i) % 64];
    out[threadIdx.x] = sum;
}

// The clearing of thread 0 may come after what the other warp has added.
__global__ void clearedWithoutBarrier(const int* in, int* out) {
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    atomicAdd(&sum, in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = sum;
}

__global__ void neverCleared(const int* in, int* out) {
    __shared__ int bins[16];
    atomicAdd(&bins[in[threadIdx.x] % 16u], 1);
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x % 16];
}

// Each warp looks while the other may still count.
__global__ void countedWhileRead(const int* in, int* out) {
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    if (in[threadIdx.x] > 0)
        atomicAdd(&count, 1);
    out[threadIdx.x] = count;
}

__global__ void countsUnwritten(int* bins) { atomicAdd(&bins[threadIdx.x % 4], 1); }

__global__ void atomicOfOneBlock(int* sum) { atomicAdd_block(sum + threadIdx.x % 2 * blockIdx.x, 1); }

}
