// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and values are carved from one piece of dynamic shared memory; only the keys were counted.
#include <cstdio>
extern __shared__ unsigned char pool[];
__global__ void sortPairs(const int *k, const double *v, double *out, int n) {
    int *key = reinterpret_cast<int *>(pool);
    double *val = reinterpret_cast<double *>(pool + n * sizeof(int));
    int t = threadIdx.x;
    key[t] = k[t]; val[t] = v[t];
    __syncthreads();
    out[key[t]] = val[t];
}
int main() {
    const int n = 256; int hk[n], *k; double hv[n], *v, *o;
    for (int i = 0; i < n; i++) hk[i] = n - 1 - i, hv[i] = i;
    cudaMalloc(&k, sizeof hk); cudaMalloc(&v, sizeof hv); cudaMalloc(&o, sizeof hv);
    cudaMemcpy(k, hk, sizeof hk, cudaMemcpyHostToDevice); cudaMemcpy(v, hv, sizeof hv, cudaMemcpyHostToDevice);
#ifdef FIXED
    sortPairs<<<1, n, n * (sizeof(int) + sizeof(double))>>>(k, v, o, n);
#else
    sortPairs<<<1, n, n * sizeof(double)>>>(k, v, o, n);
#endif
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
