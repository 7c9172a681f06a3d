// SPDX-License-Identifier: GPL-3.0-or-later
// The device seen from inside a kernel.

// Each block writes three numbers: lanes of a warp, SMs of the device, and the SM that carries this block.
extern "C" __global__ void simpleDeviceQuery(int* facts) {
    if (threadIdx.x == 0) {
        int smCount, sm;
        asm volatile("mov.u32 %0, %%nsmid;" : "=r"(smCount));
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        facts[3 * blockIdx.x] = warpSize;
        facts[3 * blockIdx.x + 1] = smCount;
        facts[3 * blockIdx.x + 2] = sm;
    }
}
