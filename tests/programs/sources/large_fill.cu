// SPDX-License-Identifier: GPL-3.0-or-later
// A program that clears far more memory than it uses: it costs what is used.
#include "check.h"

#include <sys/resource.h>

__global__ void adds(unsigned* p, std::size_t words, std::size_t step) {
    for (std::size_t k = threadIdx.x * step; k < words; k += blockDim.x * step)
        p[k] += unsigned(k / step) + 1;
}

int main() {
    const std::size_t bytes = std::size_t(6) << 30, words = bytes / 4, step = words / 64;
    unsigned* p;
    CHECK(cudaMalloc(&p, bytes));
    const auto at = [&](std::size_t word) {
        unsigned value;
        CHECK(cudaMemcpy(&value, p + word, 4, cudaMemcpyDeviceToHost));
        return value;
    };
    CHECK(cudaMemset(p, 0, bytes));
    adds<<<1, 32>>>(p, words, step);
    for (std::size_t k = 0; k < 64; ++k)
        WANT(at(k * step) == k + 1 && at(k * step + 1) == 0);
    // What was written is gone, up to both ends of a piece that begins and ends within a page, and not beyond them.
    CHECK(cudaMemset(p, 1, 4096));
    CHECK(cudaMemset(p + words - 1024, 1, 4096));
    CHECK(cudaMemset(p + 100, 0, bytes - 200 * 4));
    WANT(at(99) == 0x01010101 && at(100) == 0 && at(1024) == 0);
    WANT(at(words - 100) == 0x01010101 && at(words - 101) == 0);
    for (std::size_t k = 1; k < 64; ++k)
        WANT(at(k * step) == 0);
    adds<<<1, 32>>>(p, words, step);
    WANT(at(step) == 2 && at(63 * step) == 64);
    CHECK(cudaFree(p));
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    WANT(used.ru_maxrss < 2 << 20); // KiB
    return passed();
}
