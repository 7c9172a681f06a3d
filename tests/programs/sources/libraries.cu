// SPDX-License-Identifier: GPL-3.0-or-later
// A library of kernels that the program loads from PTX: by the runtime and by the driver, its kernels by name and one
// after the other, where their parameters lie, a variable of it.
#include "check.h"

#include <cuda.h>

#include <cstddef>
#include <cstring>

static const char* const text = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 base = 40;
.visible .entry addBase(.param .u64 out, .param .u8 by) {
    .reg .b32 %r<4>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
    ld.param.u8 %r1, [by];
    ld.global.u32 %r2, [base];
    add.u32 %r3, %r1, %r2;
    st.global.u32 [%rd1], %r3;
    ret;
}
.visible .entry nothing() {
    ret;
}
)";

int main() {
    cudaLibrary_t library;
    CHECK(cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
    unsigned count = 0;
    CHECK(cudaLibraryGetKernelCount(&count, library));
    WANT(count == 2);
    cudaKernel_t all[2] = {}, addBase = nullptr, missing = nullptr;
    CHECK(cudaLibraryEnumerateKernels(all, 2, library));
    CHECK(cudaLibraryGetKernel(&addBase, library, "addBase"));
    WANT(all[0] && all[1] && all[0] != all[1] && (all[0] == addBase || all[1] == addBase));
    WANT(cudaLibraryGetKernel(&missing, library, "subtractBase") == cudaErrorSymbolNotFound);
    WANT(cudaGetLastError() == cudaErrorSymbolNotFound);

    void* base = nullptr;
    std::size_t bytes = 0;
    CHECK(cudaLibraryGetGlobal(&base, &bytes, library, "base"));
    WANT(base && bytes == 4);
    unsigned host = 1000, *out;
    CHECK(cudaMalloc(&out, 4));
    unsigned char by = 7;
    void* arguments[] = {&out, &by};
    CHECK(cudaLaunchKernel(reinterpret_cast<void*>(addBase), dim3(1), dim3(1), arguments, 0, nullptr));
    CHECK(cudaMemcpy(&host, out, 4, cudaMemcpyDeviceToHost));
    WANT(host == 47);
    const unsigned other = 500;
    CHECK(cudaMemcpy(base, &other, 4, cudaMemcpyHostToDevice));
    const cudaKernel_t rest = all[0] == addBase ? all[1] : all[0];
    CHECK(cudaLaunchKernel(reinterpret_cast<void*>(rest), dim3(1), dim3(1), nullptr, 0, nullptr));
    CHECK(cudaKernelSetAttributeForDevice(addBase, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024, 0));

    // The same handles are the driver's.
    const auto kernel = reinterpret_cast<CUkernel>(addBase);
    std::size_t offset = 77, size = 77;
    WANT(cuKernelGetParamInfo(kernel, 1, &offset, &size) == CUDA_SUCCESS && offset == 8 && size == 1);
    WANT(cuKernelGetParamInfo(kernel, 2, &offset, &size) == CUDA_ERROR_INVALID_VALUE);
    CUlibrary of = nullptr;
    WANT(cuKernelGetLibrary(&of, kernel) == CUDA_SUCCESS && of == reinterpret_cast<CUlibrary>(library));
    CUmodule module;
    CUfunction function, functions[2] = {};
    WANT(cuModuleLoadData(&module, text) == CUDA_SUCCESS);
    WANT(cuModuleGetFunctionCount(&count, module) == CUDA_SUCCESS && count == 2);
    WANT(cuModuleEnumerateFunctions(functions, 2, module) == CUDA_SUCCESS);
    WANT(cuModuleGetFunction(&function, module, "nothing") == CUDA_SUCCESS);
    WANT(function == functions[0] || function == functions[1]);
    CUfunctionLoadingState state;
    WANT(cuFuncIsLoaded(&state, function) == CUDA_SUCCESS && state == CU_FUNCTION_LOADING_STATE_LOADED);
    CHECK(cudaLibraryUnload(library));
    return passed();
}
