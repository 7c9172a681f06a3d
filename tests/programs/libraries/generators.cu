// SPDX-License-Identifier: GPL-3.0-or-later
// Generators by what their papers and the C++ standard say of their first numbers; and normal numbers by their histogram.
#include "random.h"

#include <algorithm>
#include <random>

__global__ void histogram(const double* values, int n, unsigned* bins) { // 16 of half a deviation each, from -4 on
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        const int bin = int(floor((values[k] - 10) / 3 * 2)) + 8;
        atomicAdd(bins + min(max(bin, 0), 15), 1u);
    }
}

namespace {

constexpr int n = 100000;
unsigned* words = nullptr;

curandGenerator_t made(curandRngType_t kind, unsigned long long seed, unsigned long long offset = 0) {
    curandGenerator_t generator = nullptr;
    RANDOM(curandCreateGenerator(&generator, kind));
    RANDOM(curandSetPseudoRandomGeneratorSeed(generator, seed));
    if (offset)
        RANDOM(curandSetGeneratorOffset(generator, offset));
    return generator;
}
std::vector<unsigned> first(curandGenerator_t generator, int count) {
    std::vector<unsigned> all(count);
    RANDOM(curandGenerate(generator, words, count));
    CHECK(cudaMemcpy(all.data(), words, count * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return all;
}

} // namespace

int main() {
    CHECK(cudaMalloc(&words, 10000 * sizeof(unsigned)));
    // Random123's known answer of Philox4x32-10 for a counter and a key of zeros.
    const std::vector<unsigned> philox{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    if (first(made(CURAND_RNG_PSEUDO_PHILOX4_32_10, 0), 4) != philox)
        return 1;
    if (first(made(CURAND_RNG_PSEUDO_PHILOX4_32_10, 0, 2), 2) != std::vector<unsigned>(philox.begin() + 2, philox.end()))
        return 2;
    // The 10000th of the standard's mt19937 is 4123659995.
    if (first(made(CURAND_RNG_PSEUDO_MT19937, 5489), 10000).back() != 4123659995u)
        return 3;
    // L'Ecuyer's RngStreams begin with 0.127011122046577 for six seeds of 12345.
    if (std::fabs(first(made(CURAND_RNG_PSEUDO_MRG32K3A, 0), 1)[0] / 4294967296.0 - 0.127011122046577) > 1e-9)
        return 4;
    // Xorwow as in section 3.1 of the paper, from its own state.
    unsigned s[6] = {123456789, 362436069, 521288629, 88675123, 5783321, 6615241};
    for (const unsigned is : first(made(CURAND_RNG_PSEUDO_XORWOW, 0), 100)) {
        const unsigned t = s[0] ^ s[0] >> 2;
        std::copy(s + 1, s + 5, s);
        s[4] = s[4] ^ s[4] << 4 ^ (t ^ t << 1);
        s[5] += 362437;
        if (is != s[5] + s[4])
            return 5;
    }
    // Other numbers for another seed, the same for the same, and what comes next is not what came first.
    const curandGenerator_t seventh = made(CURAND_RNG_PSEUDO_DEFAULT, 7);
    const auto one = first(seventh, 10), next = first(seventh, 10);
    if (one == next || one != first(made(CURAND_RNG_PSEUDO_DEFAULT, 7), 10) ||
        one == first(made(CURAND_RNG_PSEUDO_DEFAULT, 8), 10) || next != first(made(CURAND_RNG_PSEUDO_DEFAULT, 7, 10), 10))
        return 6;

    double* values = nullptr;
    unsigned* bins = nullptr;
    CHECK(cudaMalloc(&values, n * sizeof(double)));
    CHECK(cudaMalloc(&bins, 16 * sizeof(unsigned)));
    CHECK(cudaMemset(bins, 0, 16 * sizeof(unsigned)));
    const curandGenerator_t normal = made(CURAND_RNG_PSEUDO_PHILOX4_32_10, 99);
    if (curandGenerateNormalDouble(normal, values, 3, 0, 1) != CURAND_STATUS_LENGTH_NOT_MULTIPLE)
        return 7;
    RANDOM(curandGenerateNormalDouble(normal, values, n, 10, 3));
    histogram<<<1, 256>>>(values, n, bins);
    std::vector<unsigned> found(16);
    CHECK(cudaMemcpy(found.data(), bins, 16 * sizeof(unsigned), cudaMemcpyDeviceToHost));
    double chi = 0;
    for (int k = 0; k < 16; ++k) { // the outermost have all that lies beyond
        const auto below = [](double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); };
        const double from = k == 0 ? 0 : below(k / 2.0 - 4), to = k == 15 ? 1 : below((k + 1) / 2.0 - 4);
        const double wanted = n * (to - from);
        chi += (found[k] - wanted) * (found[k] - wanted) / wanted;
    }
    if (chi > 37.7) { // of 15 degrees of freedom one in a thousand
        std::printf("chi squared is %g\n", chi);
        return 8;
    }
    // Logarithms of the logarithmic ones are normal: their mean is near 1, within four deviations of 0.5 / sqrt(n).
    RANDOM(curandGenerateLogNormalDouble(normal, values, n, 1, 0.5));
    std::vector<double> all(n);
    CHECK(cudaMemcpy(all.data(), values, n * sizeof(double), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (const double v : all)
        sum += std::log(v);
    if (std::fabs(sum / n - 1) > 4 * 0.5 / std::sqrt(double(n)))
        return 9;
    // A generator of the host's fills the host's memory, with the same numbers.
    curandGenerator_t host = nullptr;
    RANDOM(curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_DEFAULT));
    RANDOM(curandSetPseudoRandomGeneratorSeed(host, 7));
    std::vector<unsigned> here(10);
    RANDOM(curandGenerate(host, here.data(), 10));
    if (here != one)
        return 10;
    std::printf("passed\n");
}
