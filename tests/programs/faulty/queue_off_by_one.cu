// SPDX-License-Identifier: GPL-3.0-or-later
// A queue of a block with a fixed array; the check of its length is off by one.
#include <cstdio>
template <int N> struct Queue {
    int item[N]; int size; int dropped;
#ifdef FIXED
    __device__ void push(int v) { if (size < N) item[size++] = v; else dropped++; }
#else
    __device__ void push(int v) { if (size <= N) item[size++] = v; else dropped++; }
#endif
};
__global__ void collect(const int *in, int *out, int n) {
    __shared__ Queue<16> q;
    if (threadIdx.x == 0) {
        q.size = q.dropped = 0;
        for (int i = 0; i < n; i++) if (in[i] % 2) q.push(in[i]);
        for (int i = 0; i < 16; i++) out[i] = i < q.size ? q.item[i] : -1;
        out[16] = q.dropped;
    }
}
int main() {
    int h[64], *a, *b; for (int i = 0; i < 64; i++) h[i] = i;
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, 68); cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    collect<<<1, 32>>>(a, b, 64);
    cudaMemcpy(h, b, 68, cudaMemcpyDeviceToHost); printf("%d %d\n", h[0], h[16]);
}
