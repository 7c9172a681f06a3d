// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that read, write and do both, over so many MB, by CUPTI, behind reads of other memory (cold), a fill of it (dirty) and
// themselves (again). nvcc -arch=sm_90 -O3 -I. -lcupti.
#include "tests/timing/kernels/streams.cu"
#include "tests/timing/programs/activity.h"
#include <algorithm>
#include <cstring>
struct Kind {
    const char* name;
    const void* k;
    int div;
};
int main() {
    beginActivity();
    float *flush, *out, *a, *b, *c;
    const size_t most = 256l << 20;
    CHECK(cudaMalloc(&flush, 1l << 30));
    CHECK(cudaMalloc(&out, 4096));
    CHECK(cudaMalloc(&a, most));
    CHECK(cudaMalloc(&b, most));
    CHECK(cudaMalloc(&c, most));
    CHECK(cudaMemset(flush, 0, 1l << 30));
    CHECK(cudaMemset(a, 0, most));
    CHECK(cudaMemset(b, 0, most));
    CHECK(cudaMemset(c, 0, most));
    for (int i = 0; i < 300; i++)
        read_all<<<1056, 256>>>((float4*)flush, 1l << 26, out);
    flushActivity();
    ran.clear();
    Kind kinds[] = {
        {"get1", (void*)get1, 1},           {"put1", (void*)put1, 1},          {"copy1", (void*)copy1, 1},
        {"add1", (void*)add1, 1},           {"same1", (void*)same1, 1},        {"put4", (void*)put4, 4},
        {"copy4", (void*)copy4, 4},         {"add4", (void*)add4, 4},          {"rows4", (void*)rows4, 16},
        {"getrows4", (void*)getrows4, 16},  {"putrows4", (void*)putrows4, 16}, {"planes9", (void*)planes9, 9},
        {"putplanes", (void*)putplanes, 64}};
    for (auto& k : kinds)
        for (int mb : {1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192})
            for (const char* before : {"cold", "again", "dirty"}) {
                std::vector<double> ns;
                int n = mb << 18, threads = 256, blocks = (n / k.div + threads - 1) / threads;
                for (int rep = 0; rep < 5; rep++) {
                    void* args[] = {&a, &b, &c, &n};
                    if (strcmp(before, "again")) {
                        read_all<<<1056, 256>>>((float4*)flush, 1l << 26, out);
                    }
                    if (!strcmp(before, "dirty"))
                        CHECK(cudaMemset(flush, 0, 64l << 20));
                    CHECK(cudaDeviceSynchronize());
                    CHECK(cudaLaunchKernel(k.k, blocks, threads, args, 0, 0));
                    flushActivity();
                    ns.push_back(ran.back().ns);
                    ran.clear();
                }
                std::sort(ns.begin(), ns.end());
                printf("streams_%s/MB:%d/%s,%.0f\n", k.name, mb, before, ns[2]);
            }
}
