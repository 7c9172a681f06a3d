// SPDX-License-Identifier: GPL-3.0-or-later
// How many pieces of the kernels' malloc there are until it answers null, of one size after the other, as an H200 gave
// them out of the 8 MiB that it has at first.
#include "check.h"


__device__ unsigned taken;

__global__ void take(std::size_t bytes) {
    if (malloc(bytes))
        atomicAdd(&taken, 1u);
}

int main() {
    constexpr unsigned threads = 256;
    const struct {
        std::size_t bytes;
        double pieces;
    } sizes[] = {{16, 90670},      {64, 90670},      {65, 8388608 / 185.0},   {128, 8388608 / 185.0},
                 {256, 22667},     {1000, 8388608 / 2220.0}, {2048, 8388608 / 2220.0}, {4096, 8388608 / 4443.0},
                 {16384, 8388608 / 17772.0}};
    for (const auto& size : sizes) {
        const unsigned asked = unsigned(size.pieces * 1.3);
        take<<<(asked + threads - 1) / threads, threads>>>(size.bytes);
        unsigned pieces = 0;
        CHECK(cudaMemcpyFromSymbol(&pieces, taken, sizeof pieces));
        const double difference = pieces / size.pieces - 1;
        if (difference > 0.01 || difference < -0.01)
            std::printf("%zu bytes: %u pieces, not %.0f\n", size.bytes, pieces, size.pieces);
        WANT(difference <= 0.01 && difference >= -0.01);
        CHECK(cudaDeviceReset()); // the heap is laid out anew
    }
    return passed();
}
