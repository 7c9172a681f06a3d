// SPDX-License-Identifier: GPL-3.0-or-later
// What a link between two devices takes: copies by size, direction and access, both ways at once, loads, stores and atomics of the
// other's memory, events that the other waits for. nvcc -arch=sm_90a -O3. ns by the device's events and CUPTI-free host clocks.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("error %s line %d\n", cudaGetErrorString(e), __LINE__); std::exit(1); } } while (0)
static double median(std::vector<double> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; }

__global__ void chase(const unsigned long long* p, int steps, unsigned* out) {
    const unsigned long long* at = p;
    for (int k = 0; k < 64; ++k)
        at = (const unsigned long long*)__ldcg(at);
    const long long t0 = clock64();
    for (int k = 0; k < steps; ++k)
        at = (const unsigned long long*)__ldcg(at);
    const long long t1 = clock64();
    out[0] = unsigned((t1 - t0) / steps);
    if (!at) out[1] = 1;
}
__global__ void atomics(unsigned* p, int steps, unsigned* out) {
    unsigned v = 0;
    const long long t0 = clock64();
    for (int k = 0; k < steps; ++k)
        v = atomicAdd(p + (v & 1), 2);
    const long long t1 = clock64();
    out[0] = unsigned((t1 - t0) / steps) + (v == 1);
}
__global__ void fences(unsigned* p, int steps, unsigned* out) {
    const long long t0 = clock64();
    for (int k = 0; k < steps; ++k) {
        *(volatile unsigned*)(p + k) = k;
        __threadfence_system();
    }
    const long long t1 = clock64();
    out[0] = unsigned((t1 - t0) / steps);
}
__global__ void readAll(const float4* p, size_t n, float* out) {
    float s = 0;
    for (size_t k = blockIdx.x * size_t(blockDim.x) + threadIdx.x; k < n; k += size_t(gridDim.x) * blockDim.x) {
        const float4 v = __ldcg(p + k);
        s += v.x + v.y + v.z + v.w;
    }
    if (s == 1.5f) *out = s;
}
__global__ void writeAll(float4* p, size_t n) {
    for (size_t k = blockIdx.x * size_t(blockDim.x) + threadIdx.x; k < n; k += size_t(gridDim.x) * blockDim.x)
        p[k] = make_float4(1, 2, 3, 4);
}
__global__ void addAll(float* p, size_t n) {
    for (size_t k = blockIdx.x * size_t(blockDim.x) + threadIdx.x; k < n; k += size_t(gridDim.x) * blockDim.x)
        atomicAdd(p + k, 1.0f);
}
__global__ void spin(long long cycles) {
    const long long t0 = clock64();
    while (clock64() - t0 < cycles) {}
}
__global__ void stamp(unsigned long long* out) { asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(*out)); }

int main() {
    int devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    std::printf("devices,%d\n", devices);
    if (devices < 2) return 1;
    const size_t most = 512ull << 20;
    char* mem[2], *other[2];
    cudaStream_t st[2], s2[2];
    unsigned* out[2];
    for (int d = 0; d < 2; ++d) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaMalloc(&mem[d], most));
        CHECK(cudaMalloc(&other[d], most));
        CHECK(cudaMemset(mem[d], 0, most));
        CHECK(cudaMemset(other[d], 0, most));
        CHECK(cudaMalloc(&out[d], 4096));
        CHECK(cudaStreamCreateWithFlags(&st[d], cudaStreamNonBlocking));
        CHECK(cudaStreamCreateWithFlags(&s2[d], cudaStreamNonBlocking));
        CHECK(cudaDeviceSynchronize());
    }
    int can = 0;
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
    std::printf("can_access,%d\n", can);
    char* host;
    CHECK(cudaMallocHost(&host, 64 << 20));
    const std::vector<size_t> sizes = {4, 256, 4096, 16384, 65536, 262144, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20};
    for (int access : {0, 1}) {
        if (access)
            for (int d = 0; d < 2; ++d) {
                CHECK(cudaSetDevice(d));
                CHECK(cudaDeviceEnablePeerAccess(1 - d, 0));
            }
        for (int by : {0, 1}) // whose stream
            for (int to : {0, 1})
                for (size_t bytes : sizes) {
                    CHECK(cudaSetDevice(by));
                    cudaEvent_t a, b;
                    CHECK(cudaEventCreate(&a)); CHECK(cudaEventCreate(&b));
                    const int many = bytes > (16 << 20) ? 3 : 10;
                    std::vector<double> one, all, hostTime;
                    for (int run = 0; run < 7; ++run) {
                        float ms;
                        spin<<<1, 1, 0, st[by]>>>(40000);
                        CHECK(cudaEventRecord(a, st[by]));
                        CHECK(cudaMemcpyPeerAsync(mem[to], to, other[1 - to], 1 - to, bytes, st[by]));
                        CHECK(cudaEventRecord(b, st[by]));
                        CHECK(cudaStreamSynchronize(st[by]));
                        CHECK(cudaEventElapsedTime(&ms, a, b));
                        one.push_back(ms * 1e6);
                        spin<<<1, 1, 0, st[by]>>>(200000);
                        CHECK(cudaEventRecord(a, st[by]));
                        const auto t0 = std::chrono::steady_clock::now();
                        for (int k = 0; k < many; ++k)
                            CHECK(cudaMemcpyPeerAsync(mem[to], to, other[1 - to], 1 - to, bytes, st[by]));
                        const auto t1 = std::chrono::steady_clock::now();
                        CHECK(cudaEventRecord(b, st[by]));
                        CHECK(cudaStreamSynchronize(st[by]));
                        CHECK(cudaEventElapsedTime(&ms, a, b));
                        all.push_back(ms * 1e6 / many);
                        hostTime.push_back(std::chrono::duration<double, std::nano>(t1 - t0).count() / many);
                    }
                    std::printf("peer_copy/access:%d/stream:%d/to:%d/bytes:%zu,%.0f,%.0f,%.0f\n", access, by, to, bytes, median(one), median(all), median(hostTime));
                }
        // both ways
        for (size_t bytes : {size_t(1) << 20, size_t(16) << 20, size_t(256) << 20}) {
            std::vector<double> t;
            for (int run = 0; run < 7; ++run) {
                cudaEvent_t a[2], b[2];
                for (int d = 0; d < 2; ++d) {
                    CHECK(cudaSetDevice(d));
                    CHECK(cudaEventCreate(&a[d])); CHECK(cudaEventCreate(&b[d]));
                    spin<<<1, 1, 0, st[d]>>>(200000);
                    CHECK(cudaEventRecord(a[d], st[d]));
                    for (int k = 0; k < 4; ++k)
                        CHECK(cudaMemcpyPeerAsync(mem[1 - d], 1 - d, other[d], d, bytes, st[d]));
                    CHECK(cudaEventRecord(b[d], st[d]));
                }
                float ms = 0, worst = 0;
                for (int d = 0; d < 2; ++d) {
                    CHECK(cudaSetDevice(d));
                    CHECK(cudaStreamSynchronize(st[d]));
                    CHECK(cudaEventElapsedTime(&ms, a[d], b[d]));
                    worst = std::max(worst, ms);
                }
                t.push_back(worst * 1e6 / 4);
            }
            std::printf("peer_both/access:%d/bytes:%zu,%.0f\n", access, bytes, median(t));
        }
        // two streams one way; with a copy from the host beside it
        for (int beside : {0, 1, 2}) {
            const size_t bytes = 64 << 20;
            std::vector<double> t;
            for (int run = 0; run < 5; ++run) {
                CHECK(cudaSetDevice(0));
                cudaEvent_t a, b;
                CHECK(cudaEventCreate(&a)); CHECK(cudaEventCreate(&b));
                spin<<<1, 1, 0, st[0]>>>(400000);
                spin<<<1, 1, 0, s2[0]>>>(400000);
                CHECK(cudaEventRecord(a, st[0]));
                for (int k = 0; k < 4; ++k) {
                    CHECK(cudaMemcpyPeerAsync(mem[1], 1, other[0], 0, bytes, st[0]));
                    if (beside == 1) CHECK(cudaMemcpyPeerAsync(mem[1] + (128 << 20), 1, other[0] + (128 << 20), 0, bytes, s2[0]));
                    if (beside == 2) CHECK(cudaMemcpyAsync(mem[0], host, bytes, cudaMemcpyHostToDevice, s2[0]));
                }
                CHECK(cudaEventRecord(b, st[0]));
                CHECK(cudaDeviceSynchronize());
                float ms;
                CHECK(cudaEventElapsedTime(&ms, a, b));
                t.push_back(ms * 1e6 / 4);
            }
            std::printf("peer_beside/access:%d/what:%d/bytes:%zu,%.0f\n", access, beside, bytes, median(t));
        }
    }
    // loads, stores and atomics: of the own memory and of the other's
    for (int where : {0, 1}) {
        for (size_t span : {size_t(1) << 20, size_t(256) << 20}) {
            const size_t step = span > (1 << 20) ? 1 << 16 : 4096, n = span / step;
            std::vector<unsigned long long> h(span / 8);
            for (size_t k = 0; k < n; ++k)
                h[k * step / 8] = (unsigned long long)(mem[where] + (k * 7 + 7) % n * step);
            CHECK(cudaSetDevice(where));
            CHECK(cudaMemcpy(mem[where], h.data(), span, cudaMemcpyHostToDevice));
            CHECK(cudaSetDevice(0));
            unsigned r[2];
            for (int run = 0; run < 2; ++run) {
                chase<<<1, 1>>>((unsigned long long*)mem[where], 1000, out[0]);
                CHECK(cudaMemcpy(r, out[0], 8, cudaMemcpyDeviceToHost));
            }
            std::printf("peer_chase/of:%s/span:%zu,%u\n", where ? "other" : "own", span >> 20, r[0]);
        }
        unsigned r;
        CHECK(cudaSetDevice(where));
        CHECK(cudaMemset(mem[where], 0, most));
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaSetDevice(0));
        for (int run = 0; run < 2; ++run) {
            atomics<<<1, 1>>>((unsigned*)mem[where], 200, out[0]);
            CHECK(cudaMemcpy(&r, out[0], 4, cudaMemcpyDeviceToHost));
        }
        std::printf("peer_atomic/of:%s,%u\n", where ? "other" : "own", r);
        for (int run = 0; run < 2; ++run) {
            fences<<<1, 1>>>((unsigned*)mem[where], 200, out[0]);
            CHECK(cudaMemcpy(&r, out[0], 4, cudaMemcpyDeviceToHost));
        }
        std::printf("peer_store_fence_system/of:%s,%u\n", where ? "other" : "own", r);
        for (size_t bytes : {size_t(1) << 20, size_t(16) << 20, size_t(256) << 20})
            for (int kind : {0, 1, 2})
                for (int blocks : {16, 132, 528}) {
                    cudaEvent_t a, b;
                    CHECK(cudaEventCreate(&a)); CHECK(cudaEventCreate(&b));
                    std::vector<double> t;
                    for (int run = 0; run < 5; ++run) {
                        spin<<<1, 1>>>(40000);
                        CHECK(cudaEventRecord(a));
                        if (kind == 0) readAll<<<blocks, 512>>>((float4*)mem[where], bytes / 16, (float*)out[0]);
                        else if (kind == 1) writeAll<<<blocks, 512>>>((float4*)mem[where], bytes / 16);
                        else addAll<<<blocks, 512>>>((float*)mem[where], bytes / 16);
                        CHECK(cudaEventRecord(b));
                        CHECK(cudaDeviceSynchronize());
                        float ms;
                        CHECK(cudaEventElapsedTime(&ms, a, b));
                        t.push_back(ms * 1e6);
                    }
                    std::printf("peer_%s/of:%s/bytes:%zu/blocks:%d,%.0f\n", kind == 0 ? "read" : kind == 1 ? "write" : "add", where ? "other" : "own", kind == 2 ? bytes / 4 : bytes, blocks, median(t));
                }
    }
    // an event of device 0 that device 1 waits for, there and back (global timers are not compared: there and back on device 0)
    {
        unsigned long long* ts;
        CHECK(cudaSetDevice(0));
        CHECK(cudaMallocHost(&ts, 64));
        std::vector<double> d;
        for (int run = 0; run < 20; ++run) {
            cudaEvent_t a, b;
            CHECK(cudaSetDevice(0));
            CHECK(cudaEventCreateWithFlags(&a, cudaEventDisableTiming));
            spin<<<1, 1, 0, st[0]>>>(400000);
            stamp<<<1, 1, 0, st[0]>>>(ts);
            CHECK(cudaEventRecord(a, st[0]));
            CHECK(cudaSetDevice(1));
            CHECK(cudaEventCreateWithFlags(&b, cudaEventDisableTiming));
            CHECK(cudaStreamWaitEvent(st[1], a, 0));
            spin<<<1, 1, 0, st[1]>>>(10);
            CHECK(cudaEventRecord(b, st[1]));
            CHECK(cudaSetDevice(0));
            CHECK(cudaStreamWaitEvent(st[0], b, 0));
            stamp<<<1, 1, 0, st[0]>>>(ts + 1);
            CHECK(cudaDeviceSynchronize());
            d.push_back(double(ts[1] - ts[0]));
        }
        std::printf("peer_event_there_and_back,%.0f\n", median(d));
        d.clear();
        for (int run = 0; run < 20; ++run) {
            cudaEvent_t a, b;
            CHECK(cudaEventCreateWithFlags(&a, cudaEventDisableTiming));
            CHECK(cudaEventCreateWithFlags(&b, cudaEventDisableTiming));
            spin<<<1, 1, 0, st[0]>>>(400000);
            stamp<<<1, 1, 0, st[0]>>>(ts);
            CHECK(cudaEventRecord(a, st[0]));
            CHECK(cudaStreamWaitEvent(s2[0], a, 0));
            spin<<<1, 1, 0, s2[0]>>>(10);
            CHECK(cudaEventRecord(b, s2[0]));
            CHECK(cudaStreamWaitEvent(st[0], b, 0));
            stamp<<<1, 1, 0, st[0]>>>(ts + 1);
            CHECK(cudaDeviceSynchronize());
            d.push_back(double(ts[1] - ts[0]));
        }
        std::printf("own_event_there_and_back,%.0f\n", median(d));
    }
    std::puts("done");
}
