// SPDX-License-Identifier: GPL-3.0-or-later
// The same kernel several times behind a fill of 96 MB: how long each run takes, by megabytes that it reads (and writes):
// again of h200-micro.csv. nvcc -arch=sm_90a -O3 -I. -lcupti.
#include "tests/timing/programs/activity.h"
#include <algorithm>
__global__ void sums(const float4* p, long n, float* out) {
    float s = 0;
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x) { float4 v = p[i]; s += v.x + v.y + v.z + v.w; }
    if (s == 1.234f) *out = s;
}
__global__ void each(const float4* p, float4* q) { // one float4 a thread
    const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    float4 v = p[i]; v.x += 1; v.y += 1; v.z += 1; v.w += 1; q[i] = v;
}
__global__ void one(const float* p, float* q) { // one float a thread
    const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    q[i] = p[i] + 1;
}
__global__ void loads(const float4* p, float* out) {
    const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    float4 v = p[i]; if (v.x + v.y + v.z + v.w == 1.234f) *out = 1;
}
__global__ void loads1(const float* p, float* out) {
    const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (p[i] == 1.234f) *out = 1;
}
int main() {
    beginActivity();
    char *a, *b, *other; float* o;
    CHECK(cudaMalloc(&a, 64 << 20)); CHECK(cudaMalloc(&b, 64 << 20)); CHECK(cudaMalloc(&other, 96 << 20)); CHECK(cudaMalloc(&o, 4));
    CHECK(cudaMemset(a, 0, 64 << 20)); CHECK(cudaMemset(b, 0, 64 << 20));
    const int runs = 6;
    for (int mb : {2, 4, 8, 12, 16, 24, 32}) {
        const long bytes = (long)mb << 20;
        for (int kind = 0; kind < 7; ++kind) for (int rep = 0; rep < 3; ++rep) {
            CHECK(cudaMemset(other, rep, 96 << 20));
            ran.clear(); CHECK(cudaDeviceSynchronize()); flushActivity(); ran.clear();
            for (int r = 0; r < runs; ++r) {
                switch (kind) {
                case 0: sums<<<528, 256>>>((float4*)a, bytes / 16, o); break;
                case 1: sums<<<132, 512>>>((float4*)a, bytes / 16, o); break;
                case 2: each<<<bytes / 16 / 256, 256>>>((float4*)a, (float4*)b); break;
                case 3: one<<<bytes / 4 / 256, 256>>>((float*)a, (float*)b); break;
                case 4: loads<<<bytes / 16 / 256, 256>>>((float4*)a, o); break;
                case 5: loads1<<<bytes / 4 / 256, 256>>>((float*)a, o); break;
                case 6: each<<<bytes / 16 / 1024, 1024>>>((float4*)a, (float4*)a); break;
                }
            }
            CHECK(cudaDeviceSynchronize()); flushActivity();
            const char* names[] = {"sums528x256", "sums132x512", "each256", "one256", "loads256", "loads1_256", "inplace1024"};
            int r = 0;
            for (auto& k : ran) { if (k.name.find("emset") != std::string::npos) continue; printf("again/%s/MB:%d/rep:%d/run:%d,%.0f,ns\n", names[kind], mb, rep, r++, k.ns); }
        }
    }
}
