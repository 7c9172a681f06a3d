// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of tests/emulator/data/faults.cu and waiting.cu with the launches of checks_test.cpp and waiting_test.cpp, one
// a run, for NVIDIA's compute-sanitizer: ./kernels NAME; without a name it lists them. ../sanitizer_compare.sh runs them all.
#include "../../emulator/data/faults.cu"
#include "../../emulator/data/waiting.cu"

#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

template <class T>
T* device(std::size_t count, int first = 0, int step = 0) { // first, first + step, ...
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = T(first + int(i) * step);
    T* memory = nullptr;
    cudaMalloc(&memory, count * sizeof(T));
    cudaMemcpy(memory, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    return memory;
}
int* ints(std::size_t count, int first = 0, int step = 0) {
    return device<int>(count, first, step);
}

void together(void* kernel, int grid, int block, std::vector<void*> arguments) {
    cudaLaunchCooperativeKernel(kernel, dim3(grid), dim3(block), arguments.data(), 0, nullptr);
}

struct Case {
    const char* name;
    std::function<void()> launch;
};

const Case cases[] = {
    // faults
    {"readsPastTheEnd", [] { readsPastTheEnd<<<1, 32>>>(ints(64), ints(32), 70); }},
    {"writesBeforeTheBeginning", [] { writesBeforeTheBeginning<<<1, 32>>>(ints(32), ints(32), 200000); }},
    {"someLanesOutside", [] { someLanesOutside<<<2, 8>>>(ints(8, 10, 1), ints(8)); }},
    {"atomicOutside", [] { atomicOutside<<<3, 4>>>(ints(6), 4); }},
    {"misalignedPair", [] { misalignedPair<<<1, 4>>>(ints(32), (int2*)ints(8)); }},
    {"sharedOutside", [] { sharedOutside<<<1, 32>>>(ints(32), 3); }},
    {"localUnwritten", [] { localUnwritten<<<1, 32>>>(ints(32), 1); }},
    {"sharedReadTooEarly", [] { sharedReadTooEarly<<<1, 64>>>(ints(64)); }},
    {"sharedWrittenTwice", [] { sharedWrittenTwice<<<1, 64>>>(ints(64)); }},
    {"sharedOverwritten", [] { sharedOverwritten<<<1, 64>>>(ints(64)); }},
    {"blocksReadTooEarly", [] { blocksReadTooEarly<<<3, 32>>>(ints(3), ints(3)); }},
    {"blocksWriteOneWord", [] { blocksWriteOneWord<<<2, 32>>>(ints(1)); }},
    {"plainCount", [] { plainCount<<<2, 32>>>(ints(1)); }},
    {"stencilInPlace", [] { stencilInPlace<<<2, 32>>>(device<float>(64, 1), 64); }},
    {"warpsReadTooEarly", [] { warpsReadTooEarly<<<1, 64>>>(ints(64), ints(64)); }},
    {"flagWithoutFence", [] { flagWithoutFence<<<2, 32>>>(ints(1), ints(1), ints(1)); }},
    {"flagWithSmallFence", [] { flagWithSmallFence<<<2, 32>>>(ints(1), ints(1), ints(1)); }},
    {"sumReadTooEarly", [] { sumReadTooEarly<<<3, 64>>>(ints(1), ints(1)); }},
    {"loses", [] { loses<<<2, 4>>>(ints(4), 40); }},
    {"freesTwice", [] { freesTwice<<<1, 2>>>(ints(2)); }},
    {"freesForeign", [] { freesForeign<<<1, 4>>>(ints(4)); }},
    {"usesFreed", [] { usesFreed<<<1, 1>>>(ints(1)); }},
    {"clearedWithoutBarrier", [] { clearedWithoutBarrier<<<1, 64>>>(ints(64, 0, 1), ints(64)); }},
    {"neverCleared", [] { neverCleared<<<1, 64>>>(ints(64, 0, 1), ints(64)); }},
    {"countedWhileRead", [] { countedWhileRead<<<1, 64>>>(ints(64, 1), ints(64)); }},
    {"atomicOfOneBlock", [] { atomicOfOneBlock<<<2, 32>>>(ints(2)); }},
    // right ones
    {"chain", [] { chain<<<5, 64>>>(ints(5 * 64), ints(5), ints(5 * 64)); }},
    {"chainByRelease", [] { chainByRelease<<<6, 32>>>(ints(6), ints(6), ints(6)); }},
    {"lastBlockSums",
     [] { lastBlockSums<<<7, 64>>>(ints(7 * 64, 0, 3), ints(7), (unsigned*)ints(1), ints(1)); }},
    {"lookBackScan",
     [] { lookBackScan<<<9, 128>>>(ints(9 * 128, 0, 7), ints(9 * 128), device<unsigned long long>(9), ints(1)); }},
    {"lockOfThreads", [] { lockOfThreads<<<3, 70>>>(ints(1), ints(2)); }},
    {"lockNeedsIndependence", [] { lockNeedsIndependence<<<2, 40>>>(ints(1), ints(1)); }},
    {"ticketsOfWarps",
     [] { ticketsOfWarps<<<4, 96>>>((unsigned*)ints(1), (unsigned*)ints(1), ints(1), ints(12)); }},
    {"ring", [] { ring<<<2, 32>>>(ints(4), ints(1), ints(1), ints(11), 11); }},
    {"gridDoubleBuffer",
     [] {
         int *a = ints(320, 0, 17), *b = ints(320), rounds = 4;
         together((void*)gridDoubleBuffer, 5, 64, {&a, &b, &rounds});
     }},
    {"ownGridBarrier",
     [] {
         int *a = ints(320, 0, 17), *b = ints(320), *count = ints(1), rounds = 4;
         together((void*)ownGridBarrier, 5, 64, {&a, &b, &count, &rounds});
     }},
    {"workQueue", [] { workQueue<<<4, 32>>>(ints(1), ints(13 * 32), 13); }},
    {"sameValueAndBytes", [] { sameValueAndBytes<<<8, 64>>>(ints(1), device<unsigned char>(8)); }},
    {"warpsAndBuffers", [] { warpsAndBuffers<<<2, 64>>>(ints(64)); }},
    {"namedBarriers", [] { namedBarriers<<<1, 64>>>(ints(32), ints(6 * 32), 6); }},
};

} // namespace

int main(int count, char** words) {
    if (count < 2) {
        for (const Case& c : cases)
            std::puts(c.name);
        return 0;
    }
    for (const Case& c : cases)
        if (!std::strcmp(c.name, words[1])) {
            c.launch();
            const cudaError_t launched = cudaGetLastError(), ran = cudaDeviceSynchronize();
            if (launched != cudaSuccess || ran != cudaSuccess)
                std::printf("%s: %s\n", c.name, cudaGetErrorString(launched != cudaSuccess ? launched : ran));
            cudaDeviceReset(); // leaks are told at the end of the context
            return 0;
        }
    std::fprintf(stderr, "there is no kernel %s\n", words[1]);
    return 2;
}
