// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes that leave a loop's body by several ways: where they meet is the compiler's choice.
#include <cstdio>
#include <vector>

extern "C" __global__ void ways(const unsigned* in, unsigned* out, unsigned seed) {
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = in[t & 127] ^ seed, b = in[(t + 7) & 127] >> 4, c = t, acc = a;
    acc += (a >> 3) * 21u;
    for (unsigned i1 = 0; i1 < ((b >> 5) & 7) + 0u; ++i1) {
        if ((((acc >> 2) & 4) != 2 && threadIdx.x >= 9)) {
            b = b * 5u + a;
            a ^= acc >> 3;
            acc ^= in[(acc + 5u) & 127];
            acc += (b >> 5) * 16u;
        } else {
            if (c & 8) continue;
            if (t % 4 != 1) break;
            if ((c & 31) > 5u) {
                if (((b & 15) > 22u || acc & 8)) {
                    if (((a >> 3) & 2) != 1) continue;
                }
            }
        }
        b = b * 5u + a;
        out[t * 8 + 3] = acc;
        acc += (acc >> 2) * 49u;
    }
    c += acc & 255;
    acc += (acc >> 2) * 96u;
    out[t * 8 + 7] = acc + a + b + c;
}

int main() {
    std::vector<unsigned> in(128);
    unsigned x = 12345;
    for (unsigned& v : in) {
        x = x * 1664525u + 1013904223u;
        v = x >> 6;
    }
    unsigned *from = nullptr, *out = nullptr;
    cudaMalloc(&from, 512);
    cudaMalloc(&out, 8192);
    cudaMemcpy(from, in.data(), 512, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, 8192);
    ways<<<2, 64>>>(from, out, 145u);
    std::puts(cudaDeviceSynchronize() == cudaSuccess ? "passed" : "failed");
}
