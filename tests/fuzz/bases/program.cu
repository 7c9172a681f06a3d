// SPDX-License-Identifier: GPL-3.0-or-later
// What program.wgt and launch.wgt are recorded of: a launch that begins with memory of every role.
#include <cuda_runtime.h>

struct Node {
    int value;
    Node* next;
};
__constant__ int weights[4];
__device__ Node* list;
__device__ int total;

__global__ void grow() {
    for (int i = 0; i < 2; ++i) {
        Node* node = static_cast<Node*>(malloc(sizeof(Node)));
        node->value = i + 1;
        node->next = list;
        list = node;
    }
}

__global__ void add(const int* in, int* out, int n) {
    __shared__ int part[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] * weights[i % 4] : 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (const Node* node = list; node; node = node->next)
            sum += node->value * part[node->value];
        atomicAdd(&total, sum);
    }
    if (i < n)
        out[i] = part[31 - threadIdx.x];
}

int main() {
    constexpr int n = 40;
    const int w[4] = {1, 2, 3, 4};
    int data[n];
    for (int i = 0; i < n; ++i)
        data[i] = i;
    int *in = nullptr, *out = nullptr;
    cudaMalloc(&in, sizeof data);
    cudaMalloc(&out, sizeof data);
    cudaMemcpy(in, data, sizeof data, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(weights, w, sizeof w);
    grow<<<1, 1>>>();
    add<<<2, 32>>>(in, out, n);
    cudaMemcpy(data, out, sizeof data, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
