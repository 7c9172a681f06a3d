// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that launch kernels. Each greeting is also counted by depth, so that the host can tell whether all grids ran.

// Thread 0 of every block launches one block with half as many threads.
extern "C" __global__ void nestedHelloWorld(int size, int depth, int* threadsAtDepth) {
    int tid = threadIdx.x;
    printf("Recursion=%d: Hello World from thread %d block %d\n", depth, tid, blockIdx.x);
    atomicAdd(&threadsAtDepth[depth], 1);
    if (size == 1) {
        return;
    }
    int threads = size >> 1;
    if (tid == 0 && threads > 0) {
        nestedHelloWorld<<<1, threads>>>(threads, ++depth, threadsAtDepth);
        printf("-------> nested execution depth: %d\n", depth);
    }
}

// The same with other words, as another document prints them.
extern "C" __global__ void nesthelloworld(int size, int depth, int* threadsAtDepth) {
    unsigned int tid = threadIdx.x;
    printf("depth : %d blockIdx: %d, threadIdx: %d\n", depth, blockIdx.x, threadIdx.x);
    atomicAdd(&threadsAtDepth[depth], 1);
    if (size == 1) {
        return;
    }
    int threads = size >> 1;
    if (tid == 0 && threads > 0) {
        nesthelloworld<<<1, threads>>>(threads, ++depth, threadsAtDepth);
        printf("-----------> nested execution depth: %d\n", depth);
    }
}

// One child for the whole grid: the blocks keep their length and their number is halved.
extern "C" __global__ void nestedHelloWorldOneChild(int size, int minSize, int depth, int* threadsAtDepth) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    printf("Recursion=%d: Hello World from thread %d block %d\n", depth, tid, blockIdx.x);
    atomicAdd(&threadsAtDepth[depth], 1);
    if (size == minSize) {
        return;
    }
    int threads = size >> 1;
    if (tid == 0 && threads > 0) {
        int blocks = (threads + blockDim.x - 1) / blockDim.x;
        nestedHelloWorldOneChild<<<blocks, blockDim.x>>>(threads, minSize, ++depth, threadsAtDepth);
        printf("-------> nested execution depth: %d\n", depth);
    }
}

// No deeper than maxDepth.
extern "C" __global__ void nestedHelloWorldLimited(int size, int depth, int maxDepth, int* threadsAtDepth) {
    int tid = threadIdx.x;
    printf("Recursion=%d: Hello World from thread %d block %d\n", depth, tid, blockIdx.x);
    atomicAdd(&threadsAtDepth[depth], 1);
    if (size == 1 || depth >= maxDepth) {
        return;
    }
    int threads = size >> 1;
    if (tid == 0 && threads > 0) {
        nestedHelloWorldLimited<<<1, threads>>>(threads, ++depth, maxDepth, threadsAtDepth);
        printf("-------> nested execution depth: %d\n", depth);
    }
}

// A sum in which each block hands its half to a child. The child is a tail launch: it starts when its parent grid is done,
// and so sees all of the parent's additions. (A kernel can no longer wait for its children.)
extern "C" __global__ void gpuRecursiveReduce(int* g_idata, int* g_odata, unsigned int size) {
    unsigned int tid = threadIdx.x;
    int* idata = g_idata + blockIdx.x * blockDim.x;
    int* odata = &g_odata[blockIdx.x];
    if (size == 2 && tid == 0) {
        g_odata[blockIdx.x] = idata[0] + idata[1];
        return;
    }
    int stride = size >> 1;
    if (stride > 1 && tid < stride) {
        idata[tid] += idata[tid + stride];
    }
    __syncthreads();
    if (tid == 0) {
        gpuRecursiveReduce<<<1, stride, 0, cudaStreamTailLaunch>>>(idata, odata, stride);
    }
    __syncthreads();
}

// Without the barriers: the tail launch waits for the whole parent anyway.
extern "C" __global__ void gpuRecursiveReduceNosync(int* g_idata, int* g_odata, unsigned int size) {
    unsigned int tid = threadIdx.x;
    int* idata = g_idata + blockIdx.x * blockDim.x;
    int* odata = &g_odata[blockIdx.x];
    if (size == 2 && tid == 0) {
        g_odata[blockIdx.x] = idata[0] + idata[1];
        return;
    }
    int stride = size >> 1;
    if (stride > 1 && tid < stride) {
        idata[tid] += idata[tid + stride];
        if (tid == 0) {
            gpuRecursiveReduceNosync<<<1, stride, 0, cudaStreamTailLaunch>>>(idata, odata, stride);
        }
    }
}

// One child for the whole grid, with as many blocks and half the threads: no thread is ever idle. dim is the length of a
// tile; the first launch has half as many threads.
extern "C" __global__ void gpuRecursiveReduce2(int* g_idata, int* g_odata, int stride, int dim) {
    int* idata = g_idata + blockIdx.x * dim;
    if (stride == 1 && threadIdx.x == 0) {
        g_odata[blockIdx.x] = idata[0] + idata[1];
        return;
    }
    idata[threadIdx.x] += idata[threadIdx.x + stride];
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        gpuRecursiveReduce2<<<gridDim.x, stride / 2, 0, cudaStreamTailLaunch>>>(g_idata, g_odata, stride / 2, dim);
    }
}
