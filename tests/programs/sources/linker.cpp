// SPDX-License-Identifier: GPL-3.0-or-later
// Two PTX texts that become one module by the driver's linker: a kernel calls a function of the other text, whose variable
// it reads; a text with an error is told about.
#include "check_driver.h"

#include <cstring>

// out[i] = squarePlus(i)
static const char* const kernelText = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 result) squarePlus (.param .b32 x);
.visible .entry apply(.param .u64 out) {
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    {
        .param .b32 a;
        .param .b32 b;
        st.param.b32 [a], %r1;
        call.uni (b), squarePlus, (a);
        ld.param.b32 %r2, [b];
    }
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
    ret;
}
)";

// x * x + more
static const char* const functionText = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 more = 9;
.visible .func (.param .b32 result) squarePlus (.param .b32 x) {
    .reg .b32 %r<4>;
    ld.param.b32 %r1, [x];
    ld.global.u32 %r2, [more];
    mad.lo.s32 %r3, %r1, %r1, %r2;
    st.param.b32 [result], %r3;
    ret;
}
)";

int main() {
    CUdevice device;
    CUcontext context;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    char errors[512];
    std::memset(errors, 'x', sizeof errors);
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {errors, reinterpret_cast<void*>(sizeof errors)};
    CUlinkState link;
    CHECK(cuLinkCreate(2, options, values, &link));
    CHECK(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(kernelText), std::strlen(kernelText) + 1, "kernel", 0,
                        nullptr, nullptr));
    CHECK(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(functionText), std::strlen(functionText) + 1,
                        "function", 0, nullptr, nullptr));
    void* image = nullptr;
    std::size_t bytes = 0;
    CHECK(cuLinkComplete(link, &image, &bytes));
    WANT(image && bytes > 0 && errors[0] == 0);
    CUmodule module;
    CUfunction apply;
    CHECK(cuModuleLoadData(&module, image));
    CHECK(cuLinkDestroy(link)); // the module has what it needs
    CHECK(cuModuleGetFunction(&apply, module, "apply"));
    CUdeviceptr out, more;
    unsigned host[32];
    CHECK(cuMemAlloc(&out, sizeof host));
    void* arguments[] = {&out};
    CHECK(cuLaunchKernel(apply, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(host, out, sizeof host));
    for (unsigned i = 0; i < 32; ++i)
        WANT(host[i] == i * i + 9);
    const unsigned thousand = 1000;
    CHECK(cuModuleGetGlobal(&more, &bytes, module, "more"));
    CHECK(cuMemcpyHtoD(more, &thousand, sizeof thousand));
    CHECK(cuLaunchKernel(apply, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(host, out, sizeof host));
    WANT(host[31] == 31 * 31 + 1000);

    // Two definitions of the same things do not link; nor does what is no PTX.
    CHECK(cuLinkCreate(2, options, values, &link));
    for (int k = 0; k < 2; ++k)
        CHECK(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(functionText), std::strlen(functionText) + 1,
                            "function", 0, nullptr, nullptr));
    WANT(cuLinkComplete(link, &image, &bytes) != CUDA_SUCCESS && std::strstr(errors, "more"));
    CHECK(cuLinkDestroy(link));
    CHECK(cuLinkCreate(2, options, values, &link));
    char wrong[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { mov.u32 %r1, 5; }\n";
    WANT(cuLinkAddData(link, CU_JIT_INPUT_PTX, wrong, sizeof wrong, "wrong", 0, nullptr, nullptr) ==
         CUDA_ERROR_INVALID_PTX);
    WANT(errors[0] != 0);
    CHECK(cuLinkDestroy(link));
    std::printf("passed\n");
    return 0;
}
