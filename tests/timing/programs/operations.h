// SPDX-License-Identifier: GPL-3.0-or-later
// The cycles that operations take (operation_text.h), on a card. A driver
// takes half a second for each; `PROGRAM --text` writes all texts down instead, for ptxas -arch=sm_90a to make
// operation-NNNN.cubin of, and these are taken where they lie in the current folder.
#pragma once
#include "operation_text.h"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <string>
#include <vector>

#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (const CUresult e_ = (x); e_ != CUDA_SUCCESS) {                                                             \
            const char* t_ = "?";                                                                                      \
            cuGetErrorName(e_, &t_);                                                                                   \
            fprintf(stderr, "%s:%d %s: %s\n", __FILE__, __LINE__, #x, t_);                                             \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

struct Shape {
    int warps = 1, grid = 1, cluster = 1;
    unsigned shared = 0;
    const CUtensorMap* map = nullptr;
    bool cold = false;  // L2 holds none of it
    bool first = false; // only the first block counts
    int times = 3;
};

inline CUdeviceptr results, memory;
inline size_t memoryBytes;
inline const char* only = nullptr; // of rows, what their names begin with
inline bool writeText = false;     // write PTX down, launch nothing

inline void begin(int argc, char** argv, size_t bytes) {
    for (int k = 1; k < argc; ++k)
        if (!strcmp(argv[k], "--text"))
            writeText = true;
        else
            only = argv[k];
    if (writeText)
        return;
    CUdevice d;
    CUcontext c;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&d, 0));
    CHECK(cuDevicePrimaryCtxRetain(&c, d));
    CHECK(cuCtxSetCurrent(c));
    CHECK(cuMemAlloc(&results, 1 << 20));
    memoryBytes = bytes;
    CHECK(cuMemAlloc(&memory, bytes));
    CHECK(cuMemsetD8(memory, 0, bytes));
}

// 256 MB at the end of memory are read, which puts all else out of L2.
inline void readThrough() {
    static CUfunction reader = nullptr;
    constexpr size_t bytes = 256 << 20;
    if (!reader) {
        CUmodule module;
        CHECK(cuModuleLoadData(
            &module,
            ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry reader(.param .u64 from) {\n"
            ".reg .b64 a<3>;\n.reg .b32 x<8>;\n.reg .pred p;\nld.param.u64 a0, [from];\nmov.u32 x0, %ctaid.x;\nmov.u32 "
            "x1, %ntid.x;\n"
            "mov.u32 x2, %tid.x;\nmad.lo.u32 x0, x0, x1, x2;\nmul.wide.u32 a1, x0, 16;\nadd.u64 a0, a0, a1;\n"
            "ld.global.v4.u32 {x3, x4, x5, x6}, [a0];\nsetp.eq.u32 p, x3, 77;\n@p st.global.u32 [a0], x4;\nret;\n}\n"));
        CHECK(cuModuleGetFunction(&reader, module, "reader"));
    }
    CUdeviceptr from = memory + memoryBytes - bytes;
    void* arguments[] = {&from};
    CHECK(cuLaunchKernel(reader, bytes / 16 / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuCtxSynchronize());
}

// Cycles from the first warp's begin to the last one's end, of a block, in the mean of all; the least of some launches.
inline double cyclesOf(const Text& text, const Shape& shape) {
    const std::string ptx = ptxOf(text);
    static int number = 0;
    const std::string name = say("operation-%04d", number++);
    if (writeText) {
        FILE* file = fopen((name + ".ptx").c_str(), "w");
        fputs(ptx.c_str(), file);
        fclose(file);
        return 0;
    }
    CUmodule module;
    CUfunction function;
    char log[4096] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    const CUresult assembled = cuModuleLoad(&module, (name + ".cubin").c_str());
    if (assembled != CUDA_SUCCESS && cuModuleLoadDataEx(&module, ptx.c_str(), 2, options, values) != CUDA_SUCCESS) {
        fprintf(stderr, "%s\n%s\n", ptx.c_str(), log);
        exit(1);
    }
    CHECK(cuModuleGetFunction(&function, module, "k"));
    CHECK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, int(shape.shared)));
    if (shape.cluster > 8)
        CHECK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    CUlaunchAttribute attribute{};
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim = {unsigned(shape.cluster), 1, 1};
    CUlaunchConfig config{};
    config.gridDimX = unsigned(shape.grid), config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = unsigned(shape.warps) * 32, config.blockDimY = config.blockDimZ = 1;
    config.sharedMemBytes = shape.shared;
    config.attrs = &attribute, config.numAttrs = 1;
    double least = 1e18;
    for (int time = 0; time < shape.times; ++time) {
        if (shape.cold)
            readThrough();
        CUtensorMap map{};
        if (shape.map)
            map = *shape.map;
        void* arguments[] = {&results, &memory, &map};
        CHECK(cuLaunchKernelEx(&config, function, arguments, nullptr));
        CHECK(cuCtxSynchronize());
        std::vector<uint64_t> back(size_t(shape.grid) * 64);
        CHECK(cuMemcpyDtoH(back.data(), results, back.size() * 8));
        double sum = 0;
        for (int block = 0; block < shape.grid; ++block) {
            uint64_t from = ~0ull, until = 0;
            for (int w = 0; w < shape.warps; ++w) {
                from = std::min(from, back[size_t(block) * 64 + size_t(w) * 2]);
                until = std::max(until, back[size_t(block) * 64 + size_t(w) * 2 + 1]);
            }
            sum = shape.first ? double(until - from) : sum + double(until - from);
            if (shape.first)
                break;
        }
        least = std::min(least, shape.first ? sum : sum / shape.grid);
    }
    CHECK(cuModuleUnload(module));
    return least;
}
// One row: cycles for each copy of `each`.
inline void row(const std::string& name, const Text& text, const Shape& shape, double share = 1) {
    if (only && name.rfind(only, 0) != 0)
        return;
    printf("%s,%.6g,cycles\n", name.c_str(), cyclesOf(text, shape) / text.copies / text.rounds * share);
    fflush(stdout);
}
