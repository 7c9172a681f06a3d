// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for generators that the virtual device does not have.
#include <cstdio>
#include <curand.h>

int main() {
    curandGenerator_t generator = nullptr;
    const bool refused =
        curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_TYPE_ERROR &&
        curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_MTGP32) == CURAND_STATUS_TYPE_ERROR;
    std::printf("%s\n", refused ? "passed" : "failed");
    return refused ? 0 : 1;
}
