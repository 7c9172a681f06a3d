// SPDX-License-Identifier: GPL-3.0-or-later
// Short launches behind what a program does before them: nothing, a copy, a launch. nvcc -arch=sm_90 -O3 -I. -lcupti.
#include "tests/timing/programs/activity.h"
#include <algorithm>
#include <unistd.h>
template <int I>
__global__ void empty_() {}
template <int I>
__global__ void empty_args(float* a, float* b, int n, float f) {}
template <int I>
__global__ void add_(const float* a, float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[i] + float(I);
}
template <int I>
__global__ void reduce_(const float* a, float* b, int n) {
    __shared__ float s[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    s[threadIdx.x] = a[i] * float(I);
    __syncthreads();
    for (int d = 128; d; d >>= 1) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (!threadIdx.x)
        b[blockIdx.x] = s[0];
}
template <int I>
__global__ void chain_(const float* a, float* b, int n) {
    float x = a[threadIdx.x];
#pragma unroll 1
    for (int i = 0; i < n; i++)
        x = x * 1.0001f + float(I);
    b[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
template <int I>
__global__ void sfu_(const float* a, float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i];
    b[i] = sinf(x) * expf(x) + sqrtf(x + float(I)) / (x + 3.0f) + powf(x, 1.3f);
}
__global__ void busy(float* p, long n) {
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x)
        p[i] = p[i] * 0.5f + 1;
}
__global__ void other(float* p) {
    p[threadIdx.x + blockIdx.x * blockDim.x] = 1;
}
float *a, *b, *big, *host, *pinned;
cudaStream_t st;
typedef void (*L)();
#define SHAPE(name, call)                                                                                              \
    template <int I>                                                                                                   \
    void name() {                                                                                                      \
        call;                                                                                                          \
    }
SHAPE(l_empty, (empty_<I><<<1, 32, 0, st>>>()))
SHAPE(l_empty132, (empty_<I><<<132, 256, 0, st>>>()))
SHAPE(l_args, (empty_args<I><<<1, 32, 0, st>>>(a, b, 3, 1.0f)))
SHAPE(l_add1, (add_<I><<<1, 128, 0, st>>>(a, b, 128)))
SHAPE(l_add16, (add_<I><<<16, 256, 0, st>>>(a, b, 4096)))
SHAPE(l_add256, (add_<I><<<256, 256, 0, st>>>(a, b, 65536)))
SHAPE(l_add1024, (add_<I><<<1024, 256, 0, st>>>(a, b, 262144)))
SHAPE(l_reduce16, (reduce_<I><<<16, 256, 0, st>>>(a, b, 4096)))
SHAPE(l_reduce256, (reduce_<I><<<256, 256, 0, st>>>(a, b, 65536)))
SHAPE(l_chain1, (chain_<I><<<1, 32, 0, st>>>(a, b, 500)))
SHAPE(l_chain64, (chain_<I><<<64, 128, 0, st>>>(a, b, 500)))
SHAPE(l_sfu64, (sfu_<I><<<64, 128, 0, st>>>(a, b, 1)))
struct Case {
    const char* name;
    L first[8];
};
#define EIGHT(f)                                                                                                       \
    { f<0>, f<1>, f<2>, f<3>, f<4>, f<5>, f<6>, f<7> }
static const Case cases[] = {
    {"empty/grid:1/block:32", EIGHT(l_empty)},         {"empty/grid:132/block:256", EIGHT(l_empty132)},
    {"parameters/grid:1/block:32", EIGHT(l_args)},     {"add/grid:1/block:128", EIGHT(l_add1)},
    {"add/grid:16/block:256", EIGHT(l_add16)},         {"add/grid:256/block:256", EIGHT(l_add256)},
    {"add/grid:1024/block:256", EIGHT(l_add1024)},     {"reduce/grid:16/block:256", EIGHT(l_reduce16)},
    {"reduce/grid:256/block:256", EIGHT(l_reduce256)}, {"chain500/grid:1/block:32", EIGHT(l_chain1)},
    {"chain500/grid:64/block:128", EIGHT(l_chain64)},  {"special/grid:64/block:128", EIGHT(l_sfu64)}};
void tell(const char* name, const char* before, std::vector<double> v) {
    if (v.empty()) {
        printf("%s/%s,none\n", name, before);
        return;
    }
    printf("%s/%s,", name, before);
    std::vector<double> s = v;
    std::sort(s.begin(), s.end());
    printf("%.0f,least %.0f most %.0f of %zu\n", s[s.size() / 2], s.front(), s.back(), s.size());
}
int main(int argc, char** argv) {
    beginActivity();
    CHECK(cudaMalloc(&a, 1 << 22));
    CHECK(cudaMalloc(&b, 1 << 22));
    CHECK(cudaMalloc(&big, 1l << 29));
    host = (float*)calloc(1 << 20, 4);
    CHECK(cudaMallocHost(&pinned, 1 << 22));
    CHECK(cudaMemset(big, 0, 1l << 29));
    CHECK(cudaMemset(a, 0, 1 << 22));
    for (int i = 0; i < 300; i++)
        busy<<<1056, 256>>>(big, 1l << 27);
    other<<<1, 32>>>(b);
    flushActivity();
    auto lasts = [&](const char* want, bool lastOnly) {
        std::vector<double> v;
        for (auto& r : ran)
            if (r.name.find("5other") == std::string::npos && r.name.find("4busy") == std::string::npos)
                v.push_back(r.ns);
        if (lastOnly && v.size() > 1)
            v = {v.back()};
        ran.clear();
        return v;
    };
    for (auto& c : cases) {
        std::vector<double> v, w;
        ran.clear();
        for (int i = 0; i < 8; i++) {
            busy<<<1056, 256>>>(big, 1l << 24);
            CHECK(cudaDeviceSynchronize());
            c.first[i]();
            flushActivity();
            auto r = lasts("", 1);
            v.insert(v.end(), r.begin(), r.end());
        }
        tell(c.name, "first_of_a_kernel", v);
        v.clear();
        for (int i = 0; i < 8; i++) {
            busy<<<1056, 256>>>(big, 1l << 24);
            CHECK(cudaMemcpy(a, host, 1 << 22, cudaMemcpyHostToDevice));
            c.first[i]();
            flushActivity();
            auto r = lasts("", 1);
            v.insert(v.end(), r.begin(), r.end());
        }
        tell(c.name, "copied_4M_sync", v);
        L l = c.first[0];
        auto run = [&](const char* before, int n, auto prepare, bool each) {
            l();
            flushActivity();
            ran.clear();
            v.clear();
            for (int i = 0; i < n; i++) {
                prepare();
                l();
                if (each) {
                    flushActivity();
                    auto r = lasts("", 1);
                    v.insert(v.end(), r.begin(), r.end());
                }
            }
            if (!each) {
                flushActivity();
                v = lasts("", 0);
                if (v.size() > 3)
                    v.erase(v.begin(), v.begin() + 3);
            }
            tell(c.name, before, v);
        };
        run(
            "behind_itself", 40, [] {}, false);
        run(
            "behind_another", 40, [] { other<<<4, 64, 0, st>>>(b); }, false);
        run(
            "behind_a_busy_one", 20, [] { busy<<<1056, 256, 0, st>>>(big, 1l << 24); }, false);
        run(
            "synchronised", 24, [] { cudaDeviceSynchronize(); }, false);
        run(
            "synchronised_100us", 12,
            [] {
                cudaDeviceSynchronize();
                usleep(100);
            },
            false);
        run(
            "synchronised_2ms", 8,
            [] {
                cudaDeviceSynchronize();
                usleep(2000);
            },
            false);
        run(
            "synchronised_20ms", 5,
            [] {
                cudaDeviceSynchronize();
                usleep(20000);
            },
            false);
        run(
            "copied_in_4K", 16, [] { cudaMemcpy(a, host, 4096, cudaMemcpyHostToDevice); }, false);
        run(
            "copied_in_1M", 12, [] { cudaMemcpy(a, host, 1 << 20, cudaMemcpyHostToDevice); }, false);
        run(
            "copied_in_pinned_async_64K", 12, [] { cudaMemcpyAsync(a, pinned, 1 << 16, cudaMemcpyHostToDevice, st); },
            false);
        run(
            "copied_out_4K", 16, [] { cudaMemcpy(host, b, 4096, cudaMemcpyDeviceToHost); }, false);
        run(
            "copied_out_1M", 12, [] { cudaMemcpy(host, b, 1 << 20, cudaMemcpyDeviceToHost); }, false);
        run(
            "set_4K", 16, [] { cudaMemsetAsync(b, 0, 4096, st); }, false);
        run(
            "set_4M", 16, [] { cudaMemsetAsync(b, 0, 1 << 22, st); }, false);
        run(
            "copied_on_device_1M", 16, [] { cudaMemcpyAsync(b, big, 1 << 20, cudaMemcpyDeviceToDevice, st); }, false);
        run(
            "events", 16,
            [] {
                cudaEvent_t e;
                cudaEventCreate(&e);
                cudaEventRecord(e, st);
            },
            false);
        run(
            "events_sync", 16,
            [] {
                cudaEvent_t e;
                cudaEventCreate(&e);
                cudaEventRecord(e, st);
                cudaEventSynchronize(e);
            },
            false);
        run(
            "cold_data_sync", 10,
            [] {
                busy<<<1056, 256, 0, st>>>(big, 1l << 26);
                cudaDeviceSynchronize();
            },
            false);
        run(
            "cold_data_behind", 10, [] { busy<<<1056, 256, 0, st>>>(big, 1l << 26); }, false);
        fflush(stdout);
    }
}
