// SPDX-License-Identifier: GPL-3.0-or-later
// Pi by points in a square: uniform numbers of the library, counted by a kernel.
#include "random.h"

__global__ void count(const float* points, int n, unsigned* inside) {
    __shared__ unsigned sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
        const float x = points[2 * k], y = points[2 * k + 1];
        if (x * x + y * y <= 1)
            atomicAdd(&sum, 1u);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(inside, sum);
}

int main() {
    constexpr int n = 100000;
    float* points = nullptr;
    unsigned *inside = nullptr, found = 0;
    CHECK(cudaMalloc(&points, 2 * n * sizeof(float)));
    CHECK(cudaMalloc(&inside, sizeof(unsigned)));
    for (const curandRngType_t kind : {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_PHILOX4_32_10,
                                       CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MT19937}) {
        curandGenerator_t generator = nullptr;
        RANDOM(curandCreateGenerator(&generator, kind));
        RANDOM(curandSetPseudoRandomGeneratorSeed(generator, 1234));
        RANDOM(curandGenerateUniform(generator, points, 2 * n));
        CHECK(cudaMemset(inside, 0, sizeof(unsigned)));
        count<<<8, 128>>>(points, n, inside);
        CHECK(cudaMemcpy(&found, inside, sizeof found, cudaMemcpyDeviceToHost));
        // The deviation of 4 inside / n is 4 sqrt(p (1 - p) / n) = 0.0052, with p = pi / 4; four of them.
        const double pi = 4.0 * found / n;
        if (std::fabs(pi - std::acos(-1.0)) > 0.0208) {
            std::printf("%d: %g\n", int(kind), pi);
            return 1;
        }
        RANDOM(curandDestroyGenerator(generator));
    }
    std::printf("passed\n");
}
