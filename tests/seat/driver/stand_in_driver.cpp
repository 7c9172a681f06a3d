// SPDX-License-Identifier: GPL-3.0-or-later
// A driver for tests, under the name of NVIDIA's: it does nothing with a GPU, keeps device memory on the host, and
// "launches" by counting. With it the seat's way of coming between is tested on any machine.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#define STAND_IN extern "C" __attribute__((visibility("default")))

namespace {

struct Module;
struct Function {
    std::string name;
    Module* module = nullptr;
};
struct Module {
    std::map<std::string, Function> functions;
};
std::uint64_t launched = 0;
int context = 0;
void* captured = nullptr; // the stream that is being captured
constexpr int success = 0, invalidHandle = 400, notFound = 500;

} // namespace

STAND_IN int cuInit(unsigned) {
    return success;
}
STAND_IN int cuCtxGetCurrent(void** c) {
    *c = &context;
    return success;
}
STAND_IN int cuCtxGetDevice(int* device) {
    *device = 0;
    return success;
}
STAND_IN int cuDeviceGetName(char* name, int length, int) {
    std::strncpy(name, "stand-in", std::size_t(length));
    return success;
}
STAND_IN int cuDeviceGetAttribute(int* value, int attribute, int) {
    *value = attribute == 75 ? 9 : 0; // compute capability, major
    return success;
}
STAND_IN int cuMemAlloc_v2(std::uint64_t* p, std::size_t bytes) {
    *p = reinterpret_cast<std::uint64_t>(std::malloc(bytes));
    return success;
}
STAND_IN int cuMemFree_v2(std::uint64_t p) {
    std::free(reinterpret_cast<void*>(p));
    return success;
}
STAND_IN int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return success;
}
STAND_IN int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
    return success;
}
STAND_IN int cuMemsetD32_v2(std::uint64_t to, unsigned value, std::size_t count) {
    for (std::size_t n = 0; n < count; ++n)
        reinterpret_cast<unsigned*>(to)[n] = value;
    return success;
}
STAND_IN int cuStreamCreate(void** stream, unsigned) {
    *stream = std::malloc(16);
    return success;
}
STAND_IN int cuStreamDestroy_v2(void* stream) {
    std::free(stream);
    return success;
}
STAND_IN int cuCtxSynchronize() {
    constexpr int notWhileCapturing = 900;
    return captured ? notWhileCapturing : success;
}
STAND_IN int cuStreamIsCapturing(void* stream, int* status) {
    *status = stream && stream == captured ? 1 : 0;
    return success;
}
STAND_IN int cuStreamBeginCapture_v2(void* stream, int) {
    captured = stream;
    return success;
}
STAND_IN int cuStreamEndCapture(void* stream, void** graph) {
    constexpr int illegalState = 401;
    *graph = nullptr;
    if (stream != captured)
        return illegalState;
    captured = nullptr;
    return success;
}
STAND_IN int cuStreamSynchronize(void*) {
    return success;
}
STAND_IN int cuModuleLoadData(void** module, const void*) {
    *module = new Module;
    return success;
}
STAND_IN int cuModuleUnload(void* module) {
    delete static_cast<Module*>(module);
    return success;
}
STAND_IN int cuModuleGetFunction(void** function, void* module, const char* name) {
    auto* owner = static_cast<Module*>(module);
    *function = &owner->functions.try_emplace(name, Function{name, owner}).first->second;
    return success;
}
STAND_IN int cuFuncGetName(const char** name, void* function) {
    if (!function)
        return invalidHandle;
    *name = static_cast<Function*>(function)->name.c_str();
    return success;
}
STAND_IN int cuFuncGetModule(void** module, void* function) {
    *module = static_cast<Function*>(function)->module;
    return success;
}
STAND_IN int cuFuncGetAttribute(int* value, int attribute, void*) {
    *value = attribute == 0 ? 1024 : 0; // threads a block at most
    return success;
}
// Every kernel takes a pointer, an int and a float.
STAND_IN int cuFuncGetParamInfo(void*, std::size_t n, std::size_t* offset, std::size_t* bytes) {
    constexpr std::size_t offsets[]{0, 8, 12}, sizes[]{8, 4, 4};
    if (n > 2)
        return 1;
    *offset = offsets[n];
    *bytes = sizes[n];
    return success;
}
STAND_IN int cuLaunchKernel(void* function, unsigned, unsigned, unsigned, unsigned blockX, unsigned, unsigned, unsigned,
                            void*, void**, void**) {
    if (!function)
        return invalidHandle;
    if (blockX > 1024)
        return 1;
    ++launched;
    return success;
}
STAND_IN std::uint64_t standInLaunches() {
    return launched;
}
// What a compiler in the program makes: an image of machine code without sections, and its PTX.
constexpr char compiled[128] = {'\x7f', 'E', 'L', 'F', 2, 1};
constexpr char compiledPtx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry _Z5scalePfif(.param .u64 a, .param .u16 b, .param .f32 c) {\n ret;\n}\n";
STAND_IN int nvrtcGetCUBINSize(void*, std::size_t* bytes) {
    *bytes = 64; // the head alone
    return success;
}
STAND_IN int nvrtcGetCUBIN(void*, char* to) {
    std::memcpy(to, compiled, 64);
    return success;
}
STAND_IN int nvrtcGetPTXSize(void*, std::size_t* bytes) {
    *bytes = sizeof compiledPtx;
    return success;
}
STAND_IN int nvrtcGetPTX(void*, char* to) {
    std::memcpy(to, compiledPtx, sizeof compiledPtx);
    return success;
}
STAND_IN int cuGetProcAddress_v2(const char* symbol, void** address, int, std::uint64_t, int* status);

#include <dlfcn.h>
int cuGetProcAddress_v2(const char* symbol, void** address, int version, std::uint64_t, int* status) {
    static void* const self = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    const std::string name(symbol);
    const bool second =
        version >= 3020 && (name == "cuMemAlloc" || name == "cuMemFree" || name == "cuMemcpyHtoD" ||
                            name == "cuMemcpyDtoH" || name == "cuMemsetD32" || name == "cuStreamDestroy");
    *address = dlsym(self, (name + (second ? "_v2" : "")).c_str());
    if (status)
        *status = *address ? 0 : 1;
    return *address ? success : notFound;
}
