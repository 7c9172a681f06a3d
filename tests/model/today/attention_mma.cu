// SPDX-License-Identifier: GPL-3.0-or-later
// Attention, forward, as the second FlashAttention does it: mma.sync, keys and values by cp.async, a running maximum.
#include "mma_tiles.h"

// Rows of `Deep` elements of 16 bits in boxes of 64 elements, each swizzled as rows of 128 bytes.
template <int Deep, int Count, int Threads>
__device__ inline void loadRows(unsigned to, const __half* from, int there) {
    constexpr int pieces = Deep / 8;
#pragma unroll
    for (int k = int(threadIdx.x); k < Count * pieces; k += Threads) {
        const int row = k / pieces, piece = k % pieces;
        copy16(to + unsigned(piece / 8 * Count * 128) + swizzled<128>(row, piece % 8),
               from + long(row < there ? row : 0) * Deep + piece * 8, row < there);
    }
}
__device__ inline unsigned halves(float x, float y) {
    const __half2 both = __floats2half2_rn(x, y);
    return reinterpret_cast<const unsigned&>(both);
}

// A block has Warps x 16 queries of one head, and goes through the keys by Keys.
template <int Deep, int Warps, int Keys, bool Causal>
__global__ void __launch_bounds__(Warps * 32)
    attention(const __half* q, const __half* k, const __half* v, __half* out, int length, float scale) {
    extern __shared__ __align__(128) char memory[];
    constexpr int threads = Warps * 32, queries = Warps * 16, tile = Keys * Deep * 2;
    const unsigned keys = sharedAddress(memory), values = keys + tile, own = values + tile;
    const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
    const int first = int(gridDim.x - 1 - blockIdx.x) * queries; // the longest first
    const long head = long(blockIdx.y) * length * Deep;
    q += head + long(first) * Deep;
    k += head;
    v += head;
    const int all = Causal ? min(length, first + queries) : length, rounds = (all + Keys - 1) / Keys;
    loadRows<Deep, queries, threads>(own, q, length - first);
    loadRows<Deep, Keys, threads>(keys, k, length);
    commitCopies();
    waitForCopies<0>();
    __syncthreads();
    unsigned asked[Deep / 16][4];
#pragma unroll
    for (int d = 0; d < Deep / 16; ++d)
        loadMatrices(asked[d], own + unsigned(d / 4 * queries * 128) +
                                   swizzled<128>(warp * 16 + lane % 16, d % 4 * 2 + lane / 16));
    float result[Deep / 8][4] = {}, most[2] = {-INFINITY, -INFINITY}, sum[2] = {0, 0};
    for (int n = 0; n < rounds; ++n) {
        loadRows<Deep, Keys, threads>(values, v + long(n) * Keys * Deep, length - n * Keys);
        commitCopies();
        float s[Keys / 8][4] = {};
#pragma unroll
        for (int d = 0; d < Deep / 16; ++d)
#pragma unroll
            for (int j = 0; j < Keys / 16; ++j) {
                unsigned b[4];
                loadMatrices(b, keys + unsigned(d / 4 * Keys * 128) +
                                    swizzled<128>(16 * j + lane % 8 + lane / 16 * 8, d % 4 * 2 + lane / 8 % 2));
                multiply<Of::F16>(s[2 * j], asked[d], b[0], b[1]);
                multiply<Of::F16>(s[2 * j + 1], asked[d], b[2], b[3]);
            }
        __syncthreads(); // all have read the keys
        if (n + 1 < rounds)
            loadRows<Deep, Keys, threads>(keys, k + long(n + 1) * Keys * Deep, length - (n + 1) * Keys);
        commitCopies();
        const int row = first + warp * 16 + lane / 4;
        if (n * Keys + Keys > length || (Causal && n * Keys + Keys > first))
#pragma unroll
            for (int j = 0; j < Keys / 8; ++j)
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    const int key = n * Keys + 8 * j + lane % 4 * 2 + e % 2;
                    if (key >= length || (Causal && key > row + e / 2 * 8))
                        s[j][e] = -INFINITY;
                }
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float high = most[half];
#pragma unroll
            for (int j = 0; j < Keys / 8; ++j)
                high = fmaxf(high, fmaxf(s[j][2 * half], s[j][2 * half + 1]));
            high = fmaxf(high, __shfl_xor_sync(~0u, high, 1));
            high = fmaxf(high, __shfl_xor_sync(~0u, high, 2));
            const float down = exp2f((most[half] - high) * scale);
            float more = 0;
#pragma unroll
            for (int j = 0; j < Keys / 8; ++j)
#pragma unroll
                for (int e = 2 * half; e < 2 * half + 2; ++e) {
                    s[j][e] = exp2f(s[j][e] * scale - high * scale);
                    more += s[j][e];
                }
            most[half] = high;
            sum[half] = sum[half] * down + more;
#pragma unroll
            for (int d = 0; d < Deep / 8; ++d) {
                result[d][2 * half] *= down;
                result[d][2 * half + 1] *= down;
            }
        }
        waitForCopies<1>();
        __syncthreads();
#pragma unroll
        for (int j = 0; j < Keys / 16; ++j) {
            const unsigned p[4] = {halves(s[2 * j][0], s[2 * j][1]), halves(s[2 * j][2], s[2 * j][3]),
                                   halves(s[2 * j + 1][0], s[2 * j + 1][1]), halves(s[2 * j + 1][2], s[2 * j + 1][3])};
#pragma unroll
            for (int d = 0; d < Deep / 16; ++d) {
                unsigned b[4];
                loadMatricesTurned(b, values + unsigned(d / 4 * Keys * 128) +
                                          swizzled<128>(16 * j + lane % 16, d % 4 * 2 + lane / 16));
                multiply<Of::F16>(result[2 * d], p, b[0], b[1]);
                multiply<Of::F16>(result[2 * d + 1], p, b[2], b[3]);
            }
        }
        waitForCopies<0>();
        __syncthreads();
    }
    out += head;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        sum[half] += __shfl_xor_sync(~0u, sum[half], 1);
        sum[half] += __shfl_xor_sync(~0u, sum[half], 2);
        const int row = first + warp * 16 + lane / 4 + 8 * half;
        if (row < length)
#pragma unroll
            for (int d = 0; d < Deep / 8; ++d)
                *reinterpret_cast<__half2*>(out + long(row) * Deep + 8 * d + lane % 4 * 2) =
                    __floats2half2_rn(result[d][2 * half] / sum[half], result[d][2 * half + 1] / sum[half]);
    }
}

#include "attention.h"

template <int Deep, int Warps, int Keys, bool Causal>
void measure(const char* name, int heads, int length) {
    attend(name, heads, length, Deep, Causal,
           [=](const __half* q, const __half* k, const __half* v, __half* out, float scale) {
               constexpr int bytes = (2 * Keys + Warps * 16) * Deep * 2;
               const auto kernel = attention<Deep, Warps, Keys, Causal>;
               CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
               const dim3 grid(unsigned(length + Warps * 16 - 1) / (Warps * 16), unsigned(heads));
               kernel<<<grid, Warps * 32, bytes>>>(q, k, v, out, length, scale);
           });
}

int main(int argc, char** argv) {
    begin(argc, argv);
    measure<64, 4, 64, false>("attention_mma_64", 16, 512);
    measure<64, 4, 64, true>("attention_mma_64_causal", 16, 768);
    measure<64, 8, 64, false>("attention_mma_64_eight_warps", 8, 1024);
    measure<128, 4, 64, false>("attention_mma_128", 8, 512);
    measure<128, 4, 32, true>("attention_mma_128_causal", 16, 500);
    measure<128, 8, 64, true>("attention_mma_128_eight_warps", 4, 1024);
    return end();
}
