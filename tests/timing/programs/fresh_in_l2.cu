// SPDX-License-Identifier: GPL-3.0-or-later
// What copies leave in L2 of a process that has run no kernel yet, and behind kernels that touched little: a process for each
// case, whose words say what is done. One thread times single loads of every 13th line; below 480 cycles are all lines in the
// near half of L2 and some in the far one (53 % of copied data that lie there as a whole, 77 % of what kernels touched).
//   c0:16 copy 16 MB from the host into array 0, p0:16 from pinned memory, d0:16 to the host, m0:16 fill, r0:16 read by a kernel,
//   w0:16 written by one, ?0:16 look at it
// nvcc -arch=sm_90 -O3 -std=c++17.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <algorithm>
__global__ void probe(const char* d, size_t lines, int step, unsigned short* out) {
    size_t k = 0;
    for (size_t i = 0; i < lines; i += step, ++k) {
        unsigned v; long long a = clock64();
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(d + i * 128) : "memory");
        asm volatile("" :: "r"(v) : "memory");
        if (v == 12345) out[0] = 1;
        long long b = clock64();
        out[k] = (unsigned short)(b - a < 65535 ? b - a : 65535);
    }
}
__global__ void reads(const float* x, size_t n, float* o) { float s = 0; for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) s += x[i]; if (s == 1.2345f) *o = s; }
__global__ void writes(float* x, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) x[i] = 1; }
int main(int argc, char** argv) {
    std::vector<char*> slot(10, nullptr); 
    char* page = (char*)malloc(128 << 20); memset(page, 1, 128 << 20); char* pin = nullptr;
    unsigned short* out; cudaMalloc(&out, 4 << 20); cudaMemset(out, 0, 4 << 20);
    for (int i = 1; i < argc; ++i) { std::string w = argv[i]; int s = w[1] - '0'; if (!slot[s]) cudaMalloc(&slot[s], 128 << 20); if (w[0] == 'p' && !pin) { cudaMallocHost(&pin, 128 << 20); memset(pin, 1, 128 << 20); } }
    cudaDeviceSynchronize();
    printf("%-44s", [&] { std::string t; for (int i = 1; i < argc; ++i) t += std::string(argv[i]) + " "; return t; }().c_str());
    for (int i = 1; i < argc; ++i) {
        std::string w = argv[i]; int s = w[1] - '0'; size_t mb = atof(w.c_str() + 3) * 1048576;
        if (w[0] == 'c') cudaMemcpy(slot[s], page, mb, cudaMemcpyHostToDevice);
        if (w[0] == 'p') cudaMemcpy(slot[s], pin, mb, cudaMemcpyHostToDevice);
        if (w[0] == 'd') cudaMemcpy(page, slot[s], mb, cudaMemcpyDeviceToHost);
        if (w[0] == 'm') cudaMemset(slot[s], 0, mb);
        if (w[0] == 'r') reads<<<528, 256>>>((float*)slot[s], mb / 4, (float*)out);
        if (w[0] == 'w') writes<<<528, 256>>>((float*)slot[s], mb / 4);
        if (w[0] == '?') {
            cudaDeviceSynchronize(); const size_t lines = mb / 128; const int step = 13; const size_t n = (lines + step - 1) / step;
            probe<<<1, 1>>>(slot[s], lines, step, out); std::vector<unsigned short> h(n); cudaMemcpy(h.data(), out, n * 2, cudaMemcpyDeviceToHost);
            size_t hit = 0; for (auto v : h) hit += v < 480; printf("| slot %d %4.0f MB: hits %5.1f %% by eighths", s, mb / 1048576.0, 100.0 * hit / n);
            for (int e = 0; e < 8; ++e) { size_t c = 0, a = n * e / 8, b = n * (e + 1) / 8; for (size_t k = a; k < b; ++k) c += h[k] < 480; printf(" %3.0f", 100.0 * c / (b - a)); }
            std::sort(h.begin(), h.end()); printf(" q10 %d q50 %d q90 %d ", h[n / 10], h[n / 2], h[n * 9 / 10]);
        }
    }
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
