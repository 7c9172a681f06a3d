// SPDX-License-Identifier: GPL-3.0-or-later
// Attention, forward, as the third FlashAttention does it: a warp asks for tiles by tensor copies, one or two
// warpgroups make products by wgmma, with the weights from registers. Ahead: the next keys are multiplied while the
// weights of the last ones are; ByTurns: one warpgroup makes products while the other one makes weights.
#include "hopper.h"

#include "attention.h"

__device__ inline unsigned halves(float x, float y) {
    const __half2 both = __floats2half2_rn(x, y);
    return reinterpret_cast<const unsigned&>(both);
}

template <int Deep_, int Groups_, int Keys_, int Stages_, bool Causal_, bool Ahead_, bool ByTurns_ = false>
struct Form {
    static constexpr int Deep = Deep_, Groups = Groups_, Keys = Keys_, Stages = Stages_;
    static constexpr bool Causal = Causal_, Ahead = Ahead_, ByTurns = ByTurns_;
    static constexpr int queries = 64 * Groups, own = queries * Deep * 2, tile = Keys * Deep * 2;
    static constexpr int shared = 1024 + own + 2 * tile * Stages + 24 + 32 * Stages, threads = 128 * (Groups + 1);
};

template <class F>
__global__ void __launch_bounds__(F::threads, 1)
    attention(const __grid_constant__ CUtensorMap q, const __grid_constant__ CUtensorMap k,
              const __grid_constant__ CUtensorMap v, __half* out, int length, float scale) {
    extern __shared__ char raw[];
    constexpr int Deep = F::Deep, Keys = F::Keys, Stages = F::Stages;
    const unsigned own = (sharedAddress(raw) + 1023) & ~1023u, keys = own + F::own, values = keys + Stages * F::tile;
    const unsigned asked = values + Stages * F::tile, keysFull = asked + 8, keysEmpty = keysFull + 8 * Stages;
    const unsigned valuesFull = keysEmpty + 8 * Stages, valuesEmpty = valuesFull + 8 * Stages;
    const unsigned turns = valuesEmpty + 8 * Stages;
    const int group = int(threadIdx.x) / 128 - 1, lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32 % 4;
    const int first = int(gridDim.x - 1 - blockIdx.x) * F::queries, head = int(blockIdx.y) * length;
    const int rounds = F::Causal ? (first + F::queries + Keys - 1) / Keys : length / Keys;
    if (threadIdx.x == 0) {
        initBarrier(asked, 1);
        initBarrier(turns, 4);
        initBarrier(turns + 8, 4);
        for (int s = 0; s < Stages; ++s) {
            initBarrier(keysFull + 8 * s, 1);
            initBarrier(valuesFull + 8 * s, 1);
            initBarrier(keysEmpty + 8 * s, 4 * F::Groups);
            initBarrier(valuesEmpty + 8 * s, 4 * F::Groups);
        }
        fenceBarriers();
    }
    __syncthreads();
    if (group < 0) {
        if constexpr (F::Groups == 2)
            giveRegisters<40>();
        if (threadIdx.x == 0) {
            expectBytes(asked, F::own);
            for (int d = 0; d < Deep / 64; ++d)
                copyTile(own + d * F::queries * 128, q, 64 * d, head + first, asked);
            for (int n = 0; n < rounds; ++n) {
                const int s = n % Stages, parity = (n / Stages & 1) ^ 1;
                waitFor(keysEmpty + 8 * s, parity);
                expectBytes(keysFull + 8 * s, F::tile);
                for (int d = 0; d < Deep / 64; ++d)
                    copyTile(keys + s * F::tile + d * Keys * 128, k, 64 * d, head + n * Keys, keysFull + 8 * s);
                waitFor(valuesEmpty + 8 * s, parity);
                expectBytes(valuesFull + 8 * s, F::tile);
                for (int d = 0; d < Deep / 64; ++d)
                    copyTile(values + s * F::tile + d * Keys * 128, v, 64 * d, head + n * Keys, valuesFull + 8 * s);
            }
        }
        return;
    }
    if constexpr (F::Groups == 2)
        takeRegisters<232>();
    float s[Keys / 2], result[Deep / 2], most[2] = {-INFINITY, -INFINITY}, sum[2] = {0, 0};
    unsigned weights[Keys / 16][4];
    const int row = first + 64 * group + 16 * warp + lane / 4;
    const auto multiplyKeys = [&](int n) {
        waitFor(keysFull + 8 * (n % Stages), n / Stages & 1);
        beginProducts();
#pragma unroll
        for (int d = 0; d < Deep / 16; ++d)
            multiplyTiles<Of::F16, Keys>(s, tileAt(own + d / 4 * F::queries * 128 + group * 64 * 128 + d % 4 * 32),
                                         tileAt(keys + n % Stages * F::tile + d / 4 * Keys * 128 + d % 4 * 32), d > 0);
        commitProducts();
    };
    const auto multiplyValues = [&](int n) {
        waitFor(valuesFull + 8 * (n % Stages), n / Stages & 1);
        beginProducts();
#pragma unroll
        for (int j = 0; j < Keys / 16; ++j)
            multiplyRegisters<Deep>(result, weights[j],
                                    turnedTileAt(values + n % Stages * F::tile + j * 2048, Keys * 128), n > 0 || j > 0);
        commitProducts();
    };
    const auto release = [&](unsigned barriers, int n) {
        if (lane == 0)
            arrive(barriers + 8 * (n % Stages));
    };
    float down[2];
    const auto weigh = [&](int n) {
        if (F::Causal && n * Keys + Keys > first + 64 * group)
#pragma unroll
            for (int e = 0; e < Keys / 2; ++e)
                if (n * Keys + e / 4 * 8 + lane % 4 * 2 + e % 2 > row + e / 2 % 2 * 8)
                    s[e] = -INFINITY;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float high = most[half];
#pragma unroll
            for (int j = 0; j < Keys / 8; ++j)
                high = fmaxf(high, fmaxf(s[4 * j + 2 * half], s[4 * j + 2 * half + 1]));
            high = fmaxf(high, __shfl_xor_sync(~0u, high, 1));
            high = fmaxf(high, __shfl_xor_sync(~0u, high, 2));
            down[half] = exp2f((most[half] - high) * scale);
            most[half] = high;
            float more = 0;
#pragma unroll
            for (int j = 0; j < Keys / 8; ++j)
#pragma unroll
                for (int e = 4 * j + 2 * half; e < 4 * j + 2 * half + 2; ++e) {
                    s[e] = exp2f(s[e] * scale - high * scale);
                    more += s[e];
                }
            sum[half] = sum[half] * down[half] + more;
        }
    };
    const auto keep = [&] {
#pragma unroll
        for (int j = 0; j < Keys / 16; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                weights[j][e] = halves(s[8 * j + 2 * e], s[8 * j + 2 * e + 1]);
    };
    const auto shrink = [&] {
#pragma unroll
        for (int d = 0; d < Deep / 2; ++d)
            result[d] *= down[d / 2 % 2];
    };
    waitFor(asked, 0);
    if constexpr (F::Ahead) {
        multiplyKeys(0);
        waitForProducts<0>();
        release(keysEmpty, 0);
        weigh(0);
        keep();
        for (int n = 1; n < rounds; ++n) {
            multiplyKeys(n);
            multiplyValues(n - 1);
            waitForProducts<1>();
            release(keysEmpty, n);
            weigh(n);
            waitForProducts<0>();
            release(valuesEmpty, n - 1);
            shrink();
            keep();
        }
        multiplyValues(rounds - 1);
        waitForProducts<0>();
    } else {
        for (int n = 0; n < rounds; ++n) {
            if (F::ByTurns) // the other one has multiplied its keys
                waitFor(turns + 8 * group, (n & 1) ^ (group == 0));
            multiplyKeys(n);
            waitForProducts<0>();
            release(keysEmpty, n);
            if (F::ByTurns && lane == 0)
                arrive(turns + 8 * (1 - group));
            weigh(n);
            keep();
            if (n > 0)
                shrink();
            multiplyValues(n);
            waitForProducts<0>();
            release(valuesEmpty, n);
        }
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        sum[half] += __shfl_xor_sync(~0u, sum[half], 1);
        sum[half] += __shfl_xor_sync(~0u, sum[half], 2);
        __half* to = out + long(head + row + 8 * half) * Deep + lane % 4 * 2;
#pragma unroll
        for (int d = 0; d < Deep / 8; ++d)
            *reinterpret_cast<__half2*>(to + 8 * d) =
                __floats2half2_rn(result[4 * d + 2 * half] / sum[half], result[4 * d + 2 * half + 1] / sum[half]);
    }
}

template <class F>
void measure(const char* name, int heads, int length) {
    attend(name, heads, length, F::Deep, F::Causal,
           [=](const __half* q, const __half* k, const __half* v, __half* out, float scale) {
               CHECK(cudaFuncSetAttribute(attention<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, F::shared));
               const int rows = heads * length;
               attention<F><<<dim3(unsigned(length / F::queries), unsigned(heads)), F::threads, F::shared>>>(
                   mapOf<Of::F16>(q, rows, F::Deep, F::queries), mapOf<Of::F16>(k, rows, F::Deep, F::Keys),
                   mapOf<Of::F16>(v, rows, F::Deep, F::Keys), out, length, scale);
           });
}

int main(int argc, char** argv) {
    begin(argc, argv);
    measure<Form<64, 2, 128, 2, false, false>>("attention_wgmma_64", 16, 1024);
    measure<Form<64, 2, 128, 2, false, true>>("attention_wgmma_64_ahead", 16, 1024);
    measure<Form<64, 2, 128, 2, true, true>>("attention_wgmma_64_causal", 16, 1024);
    measure<Form<64, 2, 64, 4, false, false, true>>("attention_wgmma_64_turns", 16, 1024);
    measure<Form<64, 1, 64, 3, false, false>>("attention_wgmma_64_one_group", 16, 512);
    measure<Form<128, 2, 128, 2, false, true>>("attention_wgmma_128_ahead", 8, 1024);
    measure<Form<128, 2, 64, 2, true, false>>("attention_wgmma_128_causal", 12, 1024);
    measure<Form<128, 1, 64, 2, true, true>>("attention_wgmma_128_one_group", 16, 512);
    return end();
}
