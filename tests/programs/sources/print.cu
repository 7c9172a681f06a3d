// SPDX-License-Identifier: GPL-3.0-or-later
// printf of a kernel comes out when the host waits.
#include "check.h"

__global__ void say(int x) {
    printf("device %d of %d\n", int(threadIdx.x), x);
}

int main() {
    std::printf("host before\n");
    say<<<1, 2>>>(5);
    CHECK(cudaDeviceSynchronize());
    std::printf("host after\n");
    return passed();
}
