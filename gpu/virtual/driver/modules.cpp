// SPDX-License-Identifier: GPL-3.0-or-later
// Modules, libraries and their functions: a CUmodule and a CUlibrary are a Module, a CUfunction and a CUkernel a Kernel.
#include "gpu/virtual/driver/driver.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace warpglass::virtual_device;

namespace {

Status loadFrom(Device& d, void** result, Module* module) {
    const Status status = d.modules.load(*module, d.number);
    if (status != success) {
        std::fprintf(stderr, "warpglass: a module of the program cannot be loaded: %s\n",
                     module->on[d.number].message.c_str());
        d.modules.remove(module);
        return status;
    }
    *result = module;
    return success;
}

// PTX text, or a container, or nvcc's wrapper of one; machine code has none of its first bytes.
int loadData(void** result, const void* image) {
    return drive([&](Device& d) {
        if (!image)
            return invalidValue;
        std::uint32_t magic = 0;
        std::memcpy(&magic, image, sizeof magic);
        constexpr std::uint32_t elf = 0x464c457f;
        if (magic == warpglass::fatbin::wrapperMagic || magic == warpglass::fatbin::containerMagic)
            return loadFrom(d, result, d.modules.add(image));
        if (magic == elf) {
            std::fprintf(stderr, "warpglass: the program loads machine code; the virtual device runs PTX\n");
            return noKernelImage;
        }
        return loadFrom(d, result, d.modules.addText(static_cast<const char*>(image)));
    });
}

int loadFile(void** result, const char* path) {
    return drive([&](Device& d) {
        std::ifstream in(path, std::ios::binary);
        if (!in)
            return fileNotFound;
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        auto container = warpglass::fatbin::readContainer(std::as_bytes(std::span(bytes)));
        if (!container)
            return bytes.starts_with("\x7f"
                                     "ELF")
                       ? noKernelImage
                       : loadFrom(d, result, d.modules.addText(bytes));
        const auto* image = warpglass::fatbin::bestPtx(*container, std::uint32_t(d.spec.ccMajor * 10 + d.spec.ccMinor));
        if (!image)
            return noKernelImage;
        auto text = warpglass::fatbin::ptxText(*image);
        return text ? loadFrom(d, result, d.modules.addText(std::move(*text))) : invalidImage;
    });
}

Status setAttribute(Device& d, LoadedKernel& kernel, int attribute, int value) {
    constexpr int maxDynamicShared = 8;
    if (attribute != maxDynamicShared)
        return success;
    if (value < 0 || std::uint32_t(value) > d.spec.limits().sharedPerBlockOptIn)
        return invalidValue;
    kernel.maxDynamicShared = std::uint32_t(value);
    return success;
}

Status getAttribute(Device& d, LoadedKernel& kernel, int attribute, int* value) {
    auto program = kernel.module->code(d.number).kernel(kernel.entry);
    if (!program)
        return notSupported;
    const CallFunctionAttributes a = attributesOf(d, kernel, **program);
    const int values[] = {a.maxThreads, int(a.sharedBytes), int(a.constantBytes), int(a.localBytes),  a.registers,
                          a.ptxVersion, a.binaryVersion,    a.cacheModeCa,        a.maxDynamicShared, a.carveout};
    if (attribute < 0 || attribute >= int(std::size(values)))
        return invalidValue;
    *value = values[attribute];
    return success;
}

LoadedKernel& kernelAt(void* handle) {
    return *static_cast<LoadedKernel*>(handle);
}

} // namespace

WG_API int cuModuleLoadData(void** module, const void* image) {
    return loadData(module, image);
}
WG_ALIAS(cuModuleLoadFatBinary, cuModuleLoadData);
WG_API int cuModuleLoadDataEx(void** module, const void* image, unsigned, int*, void**) {
    return loadData(module, image);
}
WG_API int cuModuleLoad(void** module, const char* path) {
    return loadFile(module, path);
}
WG_API int cuModuleUnload(void* module) {
    return drive([&](Device& d) {
        d.finishAll();
        d.modules.remove(static_cast<Module*>(module));
        return success;
    });
}
WG_API int cuModuleGetLoadingMode(int* mode) {
    *mode = 2; // lazy
    return success;
}
WG_API int cuModuleGetFunction(void** function, void* module, const char* name) {
    return drive([&](Device& d) {
        LoadedKernel* kernel = nullptr;
        const Status status = d.modules.kernel(*static_cast<Module*>(module), name, kernel, d.number);
        *function = kernel;
        return status;
    });
}
WG_API int cuModuleGetGlobal_v2(std::uint64_t* address, std::size_t* bytes, void* module, const char* name) {
    return drive([&](Device& d) {
        Modules::Variable v;
        const Status status = d.modules.variable(*static_cast<Module*>(module), name, v, d.number);
        if (address)
            *address = v.address;
        if (bytes)
            *bytes = v.bytes;
        return status;
    });
}
WG_ALIAS(cuModuleGetGlobal, cuModuleGetGlobal_v2);

WG_API int cuLibraryLoadData(void** library, const void* image, int*, void**, unsigned, int*, void**, unsigned) {
    return loadData(library, image);
}
WG_API int cuLibraryLoadFromFile(void** library, const char* path, int*, void**, unsigned, int*, void**, unsigned) {
    return loadFile(library, path);
}
WG_API int cuLibraryUnload(void* library) {
    return cuModuleUnload(library);
}
WG_API int cuLibraryGetKernel(void** kernel, void* library, const char* name) {
    return cuModuleGetFunction(kernel, library, name);
}
WG_API int cuLibraryGetModule(void** module, void* library) {
    *module = library;
    return success;
}
WG_API int cuLibraryGetGlobal(std::uint64_t* address, std::size_t* bytes, void* library, const char* name) {
    return cuModuleGetGlobal_v2(address, bytes, library, name);
}
WG_ALIAS(cuLibraryGetManaged, cuLibraryGetGlobal);
WG_API int cuKernelGetFunction(void** function, void* kernel) {
    *function = kernel;
    return success;
}
WG_API int cuKernelGetName(const char** name, void* kernel) {
    *name = kernelAt(kernel).entry.c_str();
    return success;
}
WG_ALIAS(cuFuncGetName, cuKernelGetName);
WG_API int cuFuncGetModule(void** module, void* function) {
    *module = kernelAt(function).module;
    return success;
}
WG_API int cuFuncGetAttribute(int* value, int attribute, void* function) {
    return drive([&](Device& d) { return getAttribute(d, kernelAt(function), attribute, value); });
}
WG_API int cuFuncSetAttribute(void* function, int attribute, int value) {
    return drive([&](Device& d) { return setAttribute(d, kernelAt(function), attribute, value); });
}
WG_API int cuKernelGetAttribute(int* value, int attribute, void* kernel, int) {
    return cuFuncGetAttribute(value, attribute, kernel);
}
WG_API int cuKernelSetAttribute(int attribute, int value, void* kernel, int) {
    return cuFuncSetAttribute(kernel, attribute, value);
}
WG_API int cuFuncSetCacheConfig(void*, int) {
    return success;
}
WG_API int cuFuncSetSharedMemConfig(void*, int) {
    return success;
}
WG_API int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void* function, int threads,
                                                                std::size_t dynamicShared, unsigned) {
    return drive([&](Device& d) {
        auto program = kernelAt(function).module->code(d.number).kernel(kernelAt(function).entry);
        if (!program || threads <= 0)
            return invalidValue;
        *blocks = blocksPerSm(d, kernelAt(function), **program, threads, dynamicShared);
        return success;
    });
}
WG_API int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads,
                                                       std::size_t dynamicShared) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamicShared, 0);
}
WG_API int cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, void* function, int blocks, int) {
    return drive([&](Device& d) {
        auto program = kernelAt(function).module->code(d.number).kernel(kernelAt(function).entry);
        if (!program || blocks <= 0)
            return invalidValue;
        *bytes = sharedLeft(d, attributesOf(d, kernelAt(function), **program), blocks);
        return success;
    });
}
WG_API int cuOccupancyMaxActiveClusters(int* clusters, void* function, const DriverConfig* config) {
    return drive([&](Device& d) {
        auto program = kernelAt(function).module->code(d.number).kernel(kernelAt(function).entry);
        if (!program || !clusters || !config)
            return invalidValue;
        return clustersAtOnce(d, kernelAt(function), **program, runtimeForm(*config), *clusters);
    });
}
WG_API int cuOccupancyMaxPotentialClusterSize(int* size, void*, const DriverConfig*) {
    *size = 8; // what every device with clusters takes
    return success;
}
// The largest block size, a multiple of a warp's, with which most threads are on an SM.
WG_API int cuOccupancyMaxPotentialBlockSize(int* grid, int* block, void* function, std::size_t (*sharedOf)(int),
                                            std::size_t shared, int limit) {
    const Device& d = device();
    int best = 0;
    for (int threads = int(d.spec.limits().threadsPerBlock); threads >= 32; threads -= 32) {
        int blocks = 0;
        if (limit > 0 && threads > limit)
            continue;
        const std::size_t bytes = sharedOf ? sharedOf(threads) : shared;
        if (const int status = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, bytes))
            return status;
        if (blocks * threads > best) {
            best = blocks * threads;
            *block = threads;
            *grid = blocks * d.spec.smCount;
        }
    }
    return success;
}
WG_API int cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, void* function,
                                                     std::size_t (*sharedOf)(int), std::size_t shared, int limit,
                                                     unsigned) {
    return cuOccupancyMaxPotentialBlockSize(grid, block, function, sharedOf, shared, limit);
}
