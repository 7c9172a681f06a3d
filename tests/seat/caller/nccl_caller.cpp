// SPDX-License-Identifier: GPL-3.0-or-later
// A program of NCCL's interface, rank 1 of 4; its word says how it comes by the functions: linked with them, or by dlsym.
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>

#include <dlfcn.h>

struct UniqueId {
    char internal[128];
};
extern "C" {
int cuInit(unsigned);
int cuStreamCreate(void**, unsigned);
int cuStreamSynchronize(void*);
int cuModuleLoadData(void**, const void*);
int cuModuleGetFunction(void**, void*, const char*);
int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
int ncclCommInitRank(void**, int, UniqueId, int);
int ncclCommSplit(void*, int, int, void**, void*);
int ncclGroupStart();
int ncclGroupEnd();
int ncclAllReduce(const void*, void*, std::size_t, int, int, void*, void*);
int ncclAllGather(const void*, void*, std::size_t, int, void*, void*);
int ncclSend(const void*, std::size_t, int, int, void*, void*);
int ncclRecv(void*, std::size_t, int, int, void*, void*);
}

int main(int count, char** words) {
    void* library = count > 1 && std::string(words[1]) == "dlsym" ? dlopen("libnccl.so.2", RTLD_NOW) : nullptr;
    const auto the = [library](auto* linked, const char* name) {
        return library ? reinterpret_cast<decltype(linked)>(dlsym(library, name)) : linked;
    };
#define THE(name) the(&name, #name)
    void *module = nullptr, *kernel = nullptr, *stream = nullptr, *comm = nullptr, *pair = nullptr;
    static const char ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry own() {\n ret;\n}\n";
    UniqueId id;
    std::memset(id.internal, 'x', sizeof id.internal);
    int failed = cuInit(0) | cuStreamCreate(&stream, 1) | cuModuleLoadData(&module, ptx) |
                 cuModuleGetFunction(&kernel, module, "own");
    constexpr int f16 = 6, f32 = 7, bf16 = 9, max = 2;
    failed |= THE(ncclCommInitRank)(&comm, 4, id, 1);
    failed |= THE(ncclAllReduce)(nullptr, nullptr, 1024, f32, max, comm, stream);
    failed |= cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr);
    failed |= THE(ncclGroupStart)();
    failed |= THE(ncclSend)(nullptr, 64, f16, 2, comm, stream);
    failed |= cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr);
    failed |= THE(ncclRecv)(nullptr, 64, f16, 3, comm, stream);
    failed |= THE(ncclGroupEnd)();
    failed |= THE(ncclCommSplit)(comm, 5, 0, &pair, nullptr);
    failed |= THE(ncclAllGather)(nullptr, nullptr, 10, bf16, pair, stream);
    failed |= cuStreamSynchronize(stream);
    std::printf("%s\n", failed ? "failed" : "passed");
    return failed;
}
