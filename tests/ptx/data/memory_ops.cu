// SPDX-License-Identifier: GPL-3.0-or-later
struct Pair { float a; double b; short c; char d; };
__constant__ float weights[3][4] = {{1, 2}, {3.5f, -4}, {}};
__device__ Pair pairs[2] = {{1.5f, 2.5, 3, 4}, {5, 6, 7, 8}};
__device__ int counter = 7;
__device__ int* where[3] = {&counter, nullptr, &counter + 1};
__device__ unsigned char bytes[] = {1, 2, 3, 255};
struct Named { char tag; int* p; };
__device__ Named named[2] = {{'a', &counter}, {'b', nullptr}};
extern __shared__ float dynamic[];
__global__ void atomics(int* out, unsigned long long* wide, float* f, unsigned* u) {
    __shared__ int bins[32];
    bins[threadIdx.x & 31] = 0;
    __syncthreads();
    atomicAdd(&bins[threadIdx.x & 7], 1);
    atomicMax(out, int(threadIdx.x)); atomicMin(out + 1, int(threadIdx.x));
    atomicAnd(u, 3u); atomicOr(u + 1, 4u); atomicXor(u + 2, 5u); atomicInc(u + 3, 9u); atomicDec(u + 4, 9u);
    out[2] = atomicCAS(out + 3, 1, 2) + atomicExch(out + 4, 8);
    wide[1] = atomicAdd(wide, 5ull);
    f[1] = atomicAdd(f, 1.5f);
    __syncthreads();
    out[8 + threadIdx.x] = bins[threadIdx.x & 31] + counter + bytes[threadIdx.x & 3];
}
__global__ void vectors(float4* out, const float4* __restrict__ in, const int2* idx, short* s, char* c) {
    float4 v = in[idx[threadIdx.x].y];
    v.x += weights[threadIdx.x % 3][threadIdx.x & 3] + pairs[threadIdx.x & 1].a + float(pairs[threadIdx.x & 1].b);
    dynamic[threadIdx.x] = v.y;
    __syncthreads();
    v.z = dynamic[threadIdx.x ^ 1];
    out[threadIdx.x] = v;
    s[threadIdx.x] = short(s[threadIdx.x] + 1);
    c[threadIdx.x] = char(c[threadIdx.x] * 3);
    if (named[threadIdx.x & 1].p) *named[threadIdx.x & 1].p += named[threadIdx.x & 1].tag + *where[threadIdx.x % 3];
}
__global__ void localArrays(int* out, int n) {
    int a[16];
    for (int i = 0; i < 16; ++i) a[i] = i * n;
    int s = 0;
    for (int i = 0; i < n; ++i) s += a[(i * 7 + out[i]) & 15];
    out[threadIdx.x] = s;
}
__global__ void volatileTail(int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) {
        volatile int* v = s;
        v[threadIdx.x] += v[threadIdx.x + 32];
        v[threadIdx.x] += v[threadIdx.x + 16];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__global__ void spin(int* lock, int* out) {
    while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20);
    *out += 1;
    __threadfence();
    atomicExch(lock, 0);
}
