// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences that fill a space evenly, and MTGP32.
#include "random.h"

#include <algorithm>
#include <curand_mtgp32dc_p_11213.h>

namespace {

curandGenerator_t made(curandRngType_t kind, unsigned dimensions, unsigned long long offset = 0) {
    curandGenerator_t generator = nullptr;
    RANDOM(curandCreateGenerator(&generator, kind));
    RANDOM(curandSetQuasiRandomGeneratorDimensions(generator, dimensions));
    RANDOM(curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT));
    RANDOM(curandSetGeneratorOffset(generator, offset));
    return generator;
}
template <class T, class F>
std::vector<T> filled(std::size_t count, F fill) {
    T* at = nullptr;
    std::vector<T> all(count);
    CHECK(cudaMalloc(&at, count * sizeof(T)));
    RANDOM(fill(at, count));
    CHECK(cudaMemcpy(all.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(at));
    return all;
}
std::vector<unsigned> words(curandGenerator_t g, std::size_t count) {
    return filled<unsigned>(count, [&](unsigned* at, std::size_t n) { return curandGenerate(g, at, n); });
}

// Sixteen points of a dimension, as numbers from 0 to 15: each once.
bool fillsEvenly(const unsigned* points) {
    unsigned seen = 0;
    for (int k = 0; k < 16; ++k)
        seen |= 1u << (points[k] >> 28);
    return seen == 0xffff;
}

void sobol() {
    // The first eight points that Joe and Kuo's program prints for three dimensions, times eight.
    const std::vector<unsigned> wanted{0, 4, 6, 2, 3, 7, 5, 1, 0, 4, 2, 6, 3, 7, 1, 5, 0, 4, 2, 6, 5, 1, 7, 3};
    const curandGenerator_t three = made(CURAND_RNG_QUASI_SOBOL32, 3);
    std::vector<unsigned> is = words(three, 24);
    for (unsigned& v : is)
        v >>= 29;
    WANT(is == wanted);
    // What is asked for next goes on; an offset begins there.
    const std::vector<unsigned> next = words(three, 24);
    WANT(next == words(made(CURAND_RNG_QUASI_SOBOL32, 3, 8), 24));
    unsigned word = 0;
    WANT(curandGenerate(three, &word, 25) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    WANT(curandSetPseudoRandomGeneratorSeed(three, 1) == CURAND_STATUS_TYPE_ERROR);
    WANT(curandSetQuasiRandomGeneratorDimensions(three, 20001) == CURAND_STATUS_OUT_OF_RANGE);

    // Joe and Kuo's line of dimension 53: degree 8, coefficients 122 = 1111010b; and all dimensions fill evenly.
    curandDirectionVectors32_t* directions = nullptr;
    RANDOM(curandGetDirectionVectors32(&directions, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    unsigned m[32] = {1, 1, 3, 5, 11, 43, 53, 133};
    for (int k = 0; k < 32; ++k) {
        if (k >= 8) // x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1
            m[k] =
                2 * m[k - 1] ^ 4 * m[k - 2] ^ 8 * m[k - 3] ^ 16 * m[k - 4] ^ 64 * m[k - 6] ^ 256 * m[k - 8] ^ m[k - 8];
        WANT(directions[52][k] == m[k] << (31 - k));
    }
    const std::vector<unsigned> all = words(made(CURAND_RNG_QUASI_SOBOL32, 20000), 20000 * 16);
    for (int d = 0; d < 20000; ++d)
        WANT(fillsEvenly(all.data() + d * 16));
    // The first two dimensions together: one point in each of 4 by 4 squares.
    unsigned squares = 0;
    for (int k = 0; k < 16; ++k)
        squares |= 1u << (all[k] >> 30 << 2 | all[16 + k] >> 30);
    WANT(squares == 0xffff);
}

void wide() {
    const auto longs = [](curandGenerator_t g, std::size_t count) {
        return filled<unsigned long long>(
            count, [&](unsigned long long* at, std::size_t n) { return curandGenerateLongLong(g, at, n); });
    };
    const std::vector<unsigned long long> all = longs(made(CURAND_RNG_QUASI_SOBOL64, 60), 60 * 32);
    const std::vector<unsigned> narrow = words(made(CURAND_RNG_QUASI_SOBOL32, 60), 60 * 32);
    for (std::size_t k = 0; k < all.size(); ++k)
        WANT(all[k] >> 32 == narrow[k]); // the same directions
    unsigned word = 0;
    WANT(curandGenerate(made(CURAND_RNG_QUASI_SOBOL64, 1), &word, 1) == CURAND_STATUS_TYPE_ERROR);
    // Scrambled: a shift without carries by the dimension's constant.
    unsigned* constants = nullptr;
    RANDOM(curandGetScrambleConstants32(&constants));
    const std::vector<unsigned> scrambled = words(made(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, 60), 60 * 32);
    for (std::size_t k = 0; k < scrambled.size(); ++k)
        WANT(scrambled[k] == (narrow[k] ^ constants[k / 32]));
    WANT(constants[0] != 0 && constants[0] != constants[1]);
}

// Evenly distributed numbers give even counts: of 4,096 points as many below a bound as its probability says, but for a few.
void distributions() {
    constexpr int n = 4096;
    const auto normals = filled<double>(n, [](double* at, std::size_t count) {
        return curandGenerateNormalDouble(made(CURAND_RNG_QUASI_SOBOL32, 1), at, count, 10, 3);
    });
    for (const double bound : {-2.0, -1.0, 0.0, 0.5, 2.5}) {
        const auto below = std::count_if(normals.begin(), normals.end(), [&](double v) { return v < 10 + 3 * bound; });
        WANT(std::fabs(double(below) - n * 0.5 * std::erfc(-bound / std::sqrt(2.0))) <= 1);
    }
    const auto odd = filled<float>(5, [](float* at, std::size_t count) {
        return curandGenerateNormal(made(CURAND_RNG_QUASI_SOBOL32, 1, 1), at, count, 0, 1);
    });
    WANT(std::fabs(odd[0]) < 1e-6 && std::fabs(odd[1] - 0.67449) < 1e-5); // of 1/2 and 3/4: no pairs
    const auto counts = filled<unsigned>(n, [](unsigned* at, std::size_t count) {
        return curandGeneratePoisson(made(CURAND_RNG_QUASI_SOBOL64, 1), at, count, 4.5);
    });
    double probability = std::exp(-4.5);
    for (unsigned k = 0; k < 12; ++k, probability *= 4.5 / k) {
        WANT(std::fabs(double(std::count(counts.begin(), counts.end(), k)) - n * probability) <= 2);
    }
}

// By the parameters of the toolkit's own header, word by word.
void mtgp32() {
    const mtgp32_params_fast_t& p = mtgp32dc_params_fast_11213[0];
    std::vector<unsigned> x(351);
    const unsigned hidden = p.tbl[4] ^ p.tbl[8] << 16;
    unsigned fill = hidden + (hidden >> 16);
    fill += fill >> 8;
    std::fill(x.begin(), x.end(), (fill & 255) * 0x01010101u);
    x[0] = 42, x[1] = hidden;
    for (unsigned k = 1; k < 351; ++k)
        x[k] ^= 1812433253u * (x[k - 1] ^ x[k - 1] >> 30) + k;
    curandGenerator_t generator = nullptr;
    RANDOM(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MTGP32));
    RANDOM(curandSetPseudoRandomGeneratorSeed(generator, 42));
    const std::vector<unsigned> is = words(generator, 1000);
    for (std::size_t n = 0; n < is.size(); ++n) {
        unsigned y = (x[n] & p.mask) ^ x[n + 1], t = x[n + p.pos - 1];
        y ^= y << p.sh1;
        y ^= x[n + p.pos] >> p.sh2;
        x.push_back(y ^ p.tbl[y & 15]);
        t ^= t >> 16;
        t ^= t >> 8;
        WANT(is[n] == (x.back() ^ p.tmp_tbl[t & 15]));
    }
}

} // namespace

int main() {
    sobol();
    wide();
    distributions();
    mtgp32();
    return passed();
}
