// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about kernels: attributes and occupancy.
#include "gpu/device/occupancy.h"
#include "gpu/virtual/runtime/call.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace warpglass::virtual_device {

namespace {

// PTX has registers without number. Where the program has no machine code for this device, a kernel without a bound is taken to
// fit a whole block.
constexpr std::uint32_t assumedRegisters = 32;

// 90 of "sm_90a"; 0 of what is none.
int numberOf(std::string_view target) {
    int number = 0;
    target.remove_prefix(std::min(target.size(), target.find('_') + 1));
    std::from_chars(target.data(), target.data() + target.size(), number);
    return number;
}

} // namespace

static std::uint32_t registersOf(const Device& d, LoadedKernel& kernel, const ptx::Function& entry) {
    if (const auto known = d.modules.registersOf(kernel))
        return *known;
    return entry.maxnreg ? std::min(entry.maxnreg, assumedRegisters) : assumedRegisters;
}

CallFunctionAttributes attributesOf(const Device& d, LoadedKernel& kernel, const emulator::Program& program) {
    CallFunctionAttributes a{};
    const ptx::Function& entry = *program.functions[0].source;
    a.sharedBytes = (program.sharedStatic + 15) / 16 * 16; // as ptxas rounds it
    a.constantBytes = kernel.module->code(d.number).constantBytes();
    a.localBytes = program.functions[0].localBytes;
    const std::uint64_t bound =
        std::uint64_t(entry.maxntid[0]) * std::max(1u, entry.maxntid[1]) * std::max(1u, entry.maxntid[2]);
    a.maxThreads = int(bound ? bound : d.mostThreads(kernel));
    a.registers = int(registersOf(d, kernel, entry));
    // What the code was compiled for, which is what CUB and Thrust choose their own by, and what it runs as.
    a.ptxVersion = numberOf(program.module->target);
    a.binaryVersion = d.spec.ccMajor * 10 + d.spec.ccMinor;
    // What a block may have without asking for more is for its static variables, too.
    constexpr std::uint32_t unasked = 48 * 1024;
    a.maxDynamicShared =
        int(kernel.maxDynamicShared == unasked ? unasked - std::min(unasked, std::uint32_t(a.sharedBytes))
                                               : kernel.maxDynamicShared);
    a.carveout = -1;
    const Dim3 cluster{entry.reqnctapercluster[0], entry.reqnctapercluster[1], entry.reqnctapercluster[2]};
    a.clusterMustBeSet = cluster.x > 0;
    a.clusterWidth = int(cluster.x), a.clusterHeight = int(cluster.y), a.clusterDepth = int(cluster.z);
    return a;
}

int blocksPerSm(const Device& d, LoadedKernel& kernel, const emulator::Program& program, int threads,
                std::size_t dynamicShared) {
    OccupancyInput input;
    input.threads = std::uint32_t(std::max(1, threads));
    input.registers = registersOf(d, kernel, *program.functions[0].source);
    input.sharedStatic = program.sharedStatic;
    input.sharedDynamic = std::uint32_t(dynamicShared);
    input.sharedLimit = SharedLimit::OptIn;
    return int(occupancy(d.spec.limits(), input).blocksPerSm);
}

// As if all SMs could serve one cluster; those of a GPU come in groups, and a cluster stays in one.
Status clustersAtOnce(const Device& d, LoadedKernel& kernel, const emulator::Program& program, const CallConfig& config,
                      int& clusters) {
    const auto& fixed = program.functions[0].source->reqnctapercluster;
    std::uint64_t blocks = std::uint64_t(fixed[0]) * fixed[1] * fixed[2];
    for (unsigned n = 0; n < config.attributeCount; ++n)
        if (const CallAttribute& a = config.attributes[n]; a.id == attributeCluster)
            blocks = std::uint64_t(a.value.cluster.x) * a.value.cluster.y * a.value.cluster.z;
    const std::uint64_t threads = std::uint64_t(config.block.x) * config.block.y * config.block.z;
    if (blocks == 0 || threads == 0 || threads > d.spec.limits().threadsPerBlock)
        return invalidValue;
    clusters = int(std::uint64_t(blocksPerSm(d, kernel, program, int(threads), config.sharedBytes)) *
                   std::uint64_t(d.spec.smCount) / blocks);
    return success;
}

// As a GPU answers: without what the system takes of each block, so that often one block less finds room.
std::size_t sharedLeft(const Device& d, const CallFunctionAttributes& of, int blocks) {
    constexpr std::size_t granule = 128;
    const std::size_t each = d.spec.limits().sharedPerSm / std::size_t(std::max(1, blocks)) / granule * granule;
    return each > of.sharedBytes ? std::min<std::size_t>(each - of.sharedBytes, std::size_t(of.maxDynamicShared)) : 0;
}

} // namespace warpglass::virtual_device

using namespace warpglass::virtual_device;

namespace {

template <class F>
int ofFunction(const void* function, F f) {
    return call([&](Device& d) {
        LoadedKernel* kernel = nullptr;
        if (const Status status = d.modules.kernelOf(function, kernel, d.number); status != success)
            return status;
        auto program = kernel->module->code(d.number).kernel(kernel->entry);
        return program ? Status(f(d, *kernel, **program)) : notSupported;
    });
}

} // namespace

WG_API int cudaFuncGetAttributes(CallFunctionAttributes* attributes, const void* function) {
    return ofFunction(function, [&](Device& d, LoadedKernel& kernel, const warpglass::emulator::Program& program) {
        *attributes = attributesOf(d, kernel, program);
        return success;
    });
}

WG_API int cudaFuncSetAttribute(const void* function, int attribute, int value) {
    constexpr int maxDynamicShared = 8;
    return ofFunction(function, [&](Device& d, LoadedKernel& kernel, const warpglass::emulator::Program& program) {
        if (attribute != maxDynamicShared)
            return success; // a hint
        if (value < 0 || std::uint32_t(value) + program.sharedStatic > d.spec.limits().sharedPerBlockOptIn)
            return invalidValue;
        kernel.maxDynamicShared = std::uint32_t(value);
        return success;
    });
}

WG_API int cudaFuncSetCacheConfig(const void*, int) {
    return success;
}
WG_API int cudaFuncSetSharedMemConfig(const void*, int) {
    return success;
}
WG_API int cudaFuncGetName(const char** name, const void* function) {
    return ofFunction(function, [&](Device&, LoadedKernel& kernel, const warpglass::emulator::Program&) {
        *name = kernel.entry.c_str();
        return success;
    });
}
WG_API int cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
    return ofFunction(function, [&](Device&, LoadedKernel& kernel, const warpglass::emulator::Program&) {
        if (index >= kernel.parameters.size())
            return invalidValue;
        *offset = kernel.parameters[index].offset;
        if (bytes)
            *bytes = kernel.parameters[index].bytes;
        return success;
    });
}

WG_API int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                  std::size_t dynamicShared, unsigned) {
    return ofFunction(function, [&](Device& d, LoadedKernel& kernel, const warpglass::emulator::Program& program) {
        if (threads <= 0)
            return invalidValue;
        *blocks = blocksPerSm(d, kernel, program, threads, dynamicShared);
        return success;
    });
}
WG_API int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                         std::size_t dynamicShared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamicShared, 0);
}
WG_API int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks, int) {
    return ofFunction(function, [&](Device& d, LoadedKernel& kernel, const warpglass::emulator::Program& program) {
        *bytes = sharedLeft(d, attributesOf(d, kernel, program), blocks);
        return success;
    });
}
WG_API int cudaOccupancyMaxActiveClusters(int* clusters, const void* function, const CallConfig* config) {
    return ofFunction(function, [&](Device& d, LoadedKernel& kernel, const warpglass::emulator::Program& program) {
        return clusters && config ? clustersAtOnce(d, kernel, program, *config, *clusters) : invalidValue;
    });
}
WG_API int cudaOccupancyMaxPotentialClusterSize(int* size, const void*, const CallConfig*) {
    *size = 8; // what every device with clusters takes
    return success;
}
