// SPDX-License-Identifier: GPL-3.0-or-later
// A program of the driver's interface. Its word says how it comes by the driver's functions: linked with them, by dlsym,
// or by asking cuGetProcAddress as CUDA's runtime does.
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
int cuInit(unsigned);
int cuMemAlloc_v2(std::uint64_t*, std::size_t);
int cuMemFree_v2(std::uint64_t);
int cuMemcpyHtoD_v2(std::uint64_t, const void*, std::size_t);
int cuMemcpyDtoH_v2(void*, std::uint64_t, std::size_t);
int cuMemsetD32_v2(std::uint64_t, unsigned, std::size_t);
int cuStreamCreate(void**, unsigned);
int cuStreamDestroy_v2(void*);
int cuStreamSynchronize(void*);
int cuCtxSynchronize();
int cuStreamBeginCapture_v2(void*, int);
int cuStreamEndCapture(void*, void**);
int cuModuleLoadData(void**, const void*);
int cuModuleGetFunction(void**, void*, const char*);
int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
std::uint64_t standInLaunches();
}

namespace {

std::string way;
void* library = nullptr;

// asked: the name without its version, which is 12000.
template <class F>
F* the(F* linked, const char* name, const char* asked) {
    if (way == "dlsym")
        return reinterpret_cast<F*>(dlsym(library, name));
    if (way != "asked")
        return linked;
    using Ask = int (*)(const char*, void**, int, std::uint64_t, int*);
    const auto ask = reinterpret_cast<Ask>(dlsym(library, "cuGetProcAddress_v2"));
    void* found = nullptr;
    int status = -1;
    return ask(asked, &found, 12000, 0, &status) == 0 ? reinterpret_cast<F*>(found) : nullptr;
}
#define THE(name, asked) the(&name, #name, #asked)

int want(bool holds, const char* what) {
    if (!holds)
        std::printf("%s does not hold\n", what);
    return holds ? 0 : 1;
}
#define WANT(x) failed += want(x, #x)

} // namespace

int main(int count, char** words) {
    way = count > 1 ? words[1] : "linked";
    library = dlopen("libcuda.so.1", RTLD_NOW);
    int failed = 0;
    void *module = nullptr, *kernel = nullptr, *stream = nullptr;
    cuInit(0);
    static const char ptx[] = "// made by hand\n.version 8.0\n.target sm_90\n.address_size 64\n"
                              ".visible .entry _Z5scalePfif(.param .u64 a, .param .u32 b, .param .f32 c) {\n ret;\n}\n";
    std::ifstream file("kernel.cubin", std::ios::binary); // where there is one, in memory of its own, as Python has it
    std::vector<char> code((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (way == "nvrtc") {
        code.resize(64);
        const auto get = reinterpret_cast<int (*)(void*, char*)>(dlsym(library, "nvrtcGetCUBIN"));
        WANT(get && get(nullptr, code.data()) == 0);
    }
    WANT(THE(cuModuleLoadData, cuModuleLoadData)(&module, code.empty() ? ptx : code.data()) == 0);
    WANT(cuModuleGetFunction(&kernel, module, "_Z5scalePfif") == 0);
    std::uint64_t memory = 0;
    WANT(THE(cuMemAlloc_v2, cuMemAlloc)(&memory, 256) == 0);
    float values[4] = {1, 2, 3, 4}, back[4] = {};
    WANT(THE(cuMemcpyHtoD_v2, cuMemcpyHtoD)(memory, values, sizeof values) == 0);
    WANT(THE(cuStreamCreate, cuStreamCreate)(&stream, 1) == 0);
    std::uint64_t inside = memory + 16;
    int n = -7;
    float by = 2.5f;
    void* each[] = {&inside, &n, &by};
    const auto launch = THE(cuLaunchKernel, cuLaunchKernel);
    WANT(launch(kernel, 4, 2, 1, 64, 1, 1, 128, stream, each, nullptr) == 0);
    // The same as one buffer.
    unsigned char bytes[16];
    std::memcpy(bytes, &inside, 8);
    std::memcpy(bytes + 8, &n, 4);
    std::memcpy(bytes + 12, &by, 4);
    std::size_t size = sizeof bytes;
    void* extra[] = {reinterpret_cast<void*>(1), bytes, reinterpret_cast<void*>(2), &size, nullptr};
    WANT(launch(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra) == 0);
    WANT(launch(kernel, 1, 1, 1, 2048, 1, 1, 0, nullptr, each, nullptr) == 1); // refused
    WANT(standInLaunches() == 2);
    if (way == "capture") {
        void* graph = nullptr;
        WANT(cuStreamBeginCapture_v2(stream, 0) == 0);
        WANT(launch(kernel, 7, 1, 1, 32, 1, 1, 0, stream, each, nullptr) == 0);  // into the graph
        WANT(launch(kernel, 8, 1, 1, 32, 1, 1, 0, nullptr, each, nullptr) == 0); // beside it
        WANT(cuStreamEndCapture(nullptr, &graph) != 0);                          // ends nothing
        WANT(cuStreamEndCapture(stream, &graph) == 0);
        WANT(launch(kernel, 9, 1, 1, 32, 1, 1, 0, stream, each, nullptr) == 0);
    }
    if (way == "kill")
        raise(SIGKILL);
    if (way == "fork") {
        if (fork() == 0) {
            launch(kernel, 9, 1, 1, 32, 1, 1, 0, nullptr, each, nullptr);
            std::fflush(stdout);
            _exit(0);
        }
        int status = 0;
        wait(&status);
    }
    WANT(THE(cuMemsetD32_v2, cuMemsetD32)(memory, 0x40400000, 2) == 0); // 3.0f
    WANT(THE(cuStreamSynchronize, cuStreamSynchronize)(stream) == 0);
    WANT(THE(cuMemcpyDtoH_v2, cuMemcpyDtoH)(back, memory, sizeof back) == 0);
    WANT(back[0] == 3 && back[1] == 3 && back[2] == 3 && back[3] == 4);
    WANT(THE(cuStreamDestroy_v2, cuStreamDestroy)(stream) == 0);
    WANT(THE(cuMemFree_v2, cuMemFree)(memory) == 0);
    std::printf("%s\n", failed ? "failed" : "passed");
    return failed;
}
