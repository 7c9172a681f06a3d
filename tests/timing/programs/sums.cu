// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of columns and rows by few blocks, a thread each, behind what a program does before them. nvcc -arch=sm_90 -O3 -I. -lcupti.
#include "tests/timing/programs/activity.h"
#include <algorithm>
#include <cstring>
#include <map>
__global__ void warm_up(float* p, long n) {
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x)
        p[i] = p[i] * 0.5f + 1;
}
__global__ void write_all(float* p, long n) {
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x)
        p[i] = float(i & 15);
}

extern "C" {
__global__ void down_sum(float* a, float* b, float* x, float* y, int n) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[(size_t)k * n + c];
    y[c] = s;
}
__global__ void down_sum_one(float* a, float* b, float* x, float* y, int n) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
#pragma unroll 1
    for (int k = 0; k < n; k++)
        s += a[(size_t)k * n + c];
    y[c] = s;
}
__global__ void down_dot(float* a, float* b, float* x, float* y, int n) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[(size_t)k * n + c] * x[k];
    y[c] = s;
}
__global__ void down_add(float* a, float* b, float* x, float* y, int n) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++)
        y[c] += a[k * n + c] * x[k];
}
__global__ void down_two(float* a, float* b, float* x, float* y, int n) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++) {
        y[c] += a[k * n + c] * x[k];
        y[c + n] += b[k * n + c] * x[k];
    }
}
__global__ void along_dot(float* a, float* b, float* x, float* y, int n) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[(size_t)r * n + k] * x[k];
    y[r] = s;
}
__global__ void along_add(float* a, float* b, float* x, float* y, int n) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++)
        y[r] += a[r * n + k] * x[k];
}
__global__ void along_two(float* a, float* b, float* x, float* y, int n) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++) {
        y[r] += a[r * n + k] * x[k];
        y[r + n] += b[r * n + k] * x[k];
    }
}
}
typedef void (*Kernel)(float*, float*, float*, float*, int);
struct Kind {
    const char* name;
    Kernel k;
    bool two;
};
static const Kind kinds[] = {{"down_sum", down_sum, 0},   {"down_sum_one", down_sum_one, 0},
                             {"down_dot", down_dot, 0},   {"down_add", down_add, 0},
                             {"down_two", down_two, 1},   {"along_dot", along_dot, 0},
                             {"along_add", along_add, 0}, {"along_two", along_two, 1}};
int main() {
    beginActivity();
    float *flush, *out;
    CHECK(cudaMalloc(&flush, 1l << 30));
    CHECK(cudaMalloc(&out, 4096));
    CHECK(cudaMemset(flush, 0, 1l << 30));
    float* host = (float*)malloc(8192l * 8192 * 4);
    for (long i = 0; i < 8192l * 8192; i++)
        host[i] = float(i & 7);
    for (int i = 0; i < 200; i++)
        warm_up<<<1056, 256>>>(flush, 1l << 26);
    for (auto& k : kinds)
        k.k<<<1, 32>>>(flush, flush + (1 << 20), flush + (2 << 20), flush + (3 << 20), 64);
    flushActivity();
    ran.clear();
    std::vector<std::string> order;
    for (int n : {1024, 2048, 4096, 8192}) {
        float *a, *b, *x, *y;
        size_t bytes = (size_t)n * n * 4;
        CHECK(cudaMalloc(&a, bytes));
        CHECK(cudaMalloc(&b, bytes));
        CHECK(cudaMalloc(&x, n * 4));
        CHECK(cudaMalloc(&y, 2 * n * 4));
        CHECK(cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice));
        for (auto& kind : kinds)
            for (int shape = 0; shape < 4; shape++) {
                int threads = shape == 0 ? 32 : shape == 1 ? 256 : shape == 2 ? 512 : 256;
                int blocks = shape == 3 ? 2 : n / threads;
                if (n == 8192 && (shape == 0 || shape == 2))
                    continue;
                for (const char* before : {"cold", "copied", "copied_xyab", "written", "read", "again"})
                    for (int rep = 0; rep < (strncmp(before, "copied", 6) ? 3 : n > 4096 ? 1 : 2); rep++) {
                        auto flushing = [&] { read_all<<<1056, 256>>>((float4*)flush, 1l << 26, out); };
                        flushing();
                        if (!strcmp(before, "copied")) {
                            CHECK(cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice));
                            if (kind.two)
                                CHECK(cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice));
                            CHECK(cudaMemcpy(x, host, n * 4, cudaMemcpyHostToDevice));
                            CHECK(cudaMemcpy(y, host, 2 * n * 4, cudaMemcpyHostToDevice));
                        }
                        if (!strcmp(before, "copied_xyab")) {
                            CHECK(cudaMemcpy(x, host, n * 4, cudaMemcpyHostToDevice));
                            CHECK(cudaMemcpy(y, host, 2 * n * 4, cudaMemcpyHostToDevice));
                            if (kind.two)
                                CHECK(cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice));
                            CHECK(cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice));
                        }
                        if (!strcmp(before, "written")) {
                            if (kind.two)
                                write_all<<<1056, 256>>>(b, (long)n * n);
                            write_all<<<1056, 256>>>(a, (long)n * n);
                        }
                        if (!strcmp(before, "read")) {
                            if (kind.two)
                                read_all<<<1056, 256>>>((float4*)b, (long)n * n / 4, out);
                            read_all<<<1056, 256>>>((float4*)a, (long)n * n / 4, out);
                        }
                        if (!strcmp(before, "again"))
                            kind.k<<<blocks, threads>>>(a, b, x, y, n);
                        CHECK(cudaDeviceSynchronize());
                        kind.k<<<blocks, threads>>>(a, b, x, y, n);
                        CHECK(cudaGetLastError());
                        flushActivity();
                        char name[200];
                        snprintf(name, sizeof name, "%s/N:%d/blocks:%d/threads:%d/%s", kind.name, n, blocks, threads,
                                 before);
                        printf("%s,%.0f\n", name, ran.empty() ? -1 : ran.back().ns);
                        ran.clear();
                    }
            }
        cudaFree(a);
        cudaFree(b);
        cudaFree(x);
        cudaFree(y);
    }
}
