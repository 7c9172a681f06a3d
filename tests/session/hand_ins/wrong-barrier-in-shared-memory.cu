// SPDX-License-Identifier: GPL-3.0-or-later; half-the-barriers misses ends at line 8: mbarrier moves data, or waits
__global__ void scan(int* out, const int* in) {
    __shared__ int cell[128];
    __shared__ unsigned long long barrier;
    int t = threadIdx.x;
    unsigned at = (unsigned)__cvta_generic_to_shared(&barrier), phase = 0;
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x) : "memory");
    cell[t] = in[t];
    __syncthreads();
    auto wait = [&] {
        asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at) : "memory");
        for (unsigned over = 0; !over;)
            asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(over)
                         : "r"(at), "r"(phase)
                         : "memory");
        phase ^= 1;
    };
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        int value = cell[t];
        if (t >= distance)
            value += cell[t - distance];
        wait();
        cell[t] = value;
        wait();
    }
    out[t] = cell[t];
}
