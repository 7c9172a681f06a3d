// SPDX-License-Identifier: GPL-3.0-or-later
// Textures and surfaces by the driver's calls: a kernel in PTX reads a texture over an array and writes a surface.
#include "check_driver.h"

#include <cstring>

// surface[y][x] = texture at (x, y) + 0.5, x = tid.x, y = ctaid.x; and of whole numbers out[x] = linear texture at x
static const char* const text = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry through(.param .u64 texture, .param .u64 surface) {
    .reg .b32 %r<4>;
    .reg .f32 %f<6>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [texture];
    ld.param.u64 %rd2, [surface];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2}];
    add.f32 %f5, %f1, 0f3F000000;
    shl.b32 %r3, %r1, 2;
    sust.b.2d.b32.trap [%rd2, {%r3, %r2}], {%f5};
    ret;
}
.visible .entry bytes(.param .u64 texture, .param .u64 out) {
    .reg .b32 %r<6>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [texture];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd1, {%r1}];
    add.u32 %r2, %r2, %r3;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd2, %rd3;
    st.global.u32 [%rd4], %r2;
    ret;
}
)";

constexpr unsigned width = 16, height = 6;

static CUarray arrayOf(unsigned flags) {
    CUDA_ARRAY3D_DESCRIPTOR words = {};
    words.Width = width, words.Height = height, words.Format = CU_AD_FORMAT_FLOAT, words.NumChannels = 1;
    words.Flags = flags;
    CUarray array;
    CHECK(cuArray3DCreate(&array, &words));
    return array;
}

int main() {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction through, bytes;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, text));
    CHECK(cuModuleGetFunction(&through, module, "through"));
    CHECK(cuModuleGetFunction(&bytes, module, "bytes"));
    const CUarray from = arrayOf(0), to = arrayOf(CUDA_ARRAY3D_SURFACE_LDST);
    CUDA_ARRAY_DESCRIPTOR asked;
    CHECK(cuArrayGetDescriptor(&asked, to));
    WANT(asked.Width == width && asked.Height == height && asked.NumChannels == 1 &&
         asked.Format == CU_AD_FORMAT_FLOAT);
    float host[height][width], back[height][width];
    for (unsigned y = 0; y < height; ++y)
        for (unsigned x = 0; x < width; ++x)
            host[y][x] = float(100 * y + x);
    CUDA_MEMCPY2D in;
    std::memset(&in, 0, sizeof in);
    in.srcMemoryType = CU_MEMORYTYPE_HOST, in.srcHost = host, in.srcPitch = sizeof host[0];
    in.dstMemoryType = CU_MEMORYTYPE_ARRAY, in.dstArray = from;
    in.WidthInBytes = sizeof host[0], in.Height = height;
    CHECK(cuMemcpy2D(&in));
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = from;
    CUDA_TEXTURE_DESC words = {};
    for (auto& mode : words.addressMode)
        mode = CU_TR_ADDRESS_MODE_CLAMP;
    words.filterMode = CU_TR_FILTER_MODE_POINT;
    CUtexObject texture;
    CHECK(cuTexObjectCreate(&texture, &resource, &words, nullptr));
    resource.res.array.hArray = to;
    CUsurfObject surface;
    CHECK(cuSurfObjectCreate(&surface, &resource));
    void* arguments[] = {&texture, &surface};
    CHECK(cuLaunchKernel(through, height, 1, 1, width, 1, 1, 0, nullptr, arguments, nullptr));
    CUDA_MEMCPY2D out;
    std::memset(&out, 0, sizeof out);
    out.srcMemoryType = CU_MEMORYTYPE_ARRAY, out.srcArray = to;
    out.dstMemoryType = CU_MEMORYTYPE_HOST, out.dstHost = back, out.dstPitch = sizeof back[0];
    out.WidthInBytes = sizeof back[0], out.Height = height;
    CHECK(cuMemcpy2D(&out));
    for (unsigned y = 0; y < height; ++y)
        for (unsigned x = 0; x < width; ++x)
            WANT(back[y][x] == float(100 * y + x) + 0.5f);

    // Pairs of bytes in plain memory, read as whole numbers.
    unsigned char pairs[64];
    for (unsigned i = 0; i < 64; ++i)
        pairs[i] = static_cast<unsigned char>(3 * i);
    CUdeviceptr memory, sums;
    CHECK(cuMemAlloc(&memory, sizeof pairs));
    CHECK(cuMemAlloc(&sums, 32 * 4));
    CHECK(cuMemcpyHtoD(memory, pairs, sizeof pairs));
    CUDA_RESOURCE_DESC linear = {};
    linear.resType = CU_RESOURCE_TYPE_LINEAR;
    linear.res.linear.devPtr = memory, linear.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8;
    linear.res.linear.numChannels = 2, linear.res.linear.sizeInBytes = sizeof pairs;
    words.flags = CU_TRSF_READ_AS_INTEGER;
    CUtexObject plain;
    CHECK(cuTexObjectCreate(&plain, &linear, &words, nullptr));
    arguments[0] = &plain, arguments[1] = &sums;
    CHECK(cuLaunchKernel(bytes, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    unsigned result[32];
    CHECK(cuMemcpyDtoH(result, sums, sizeof result));
    for (unsigned i = 0; i < 32; ++i)
        WANT(result[i] == unsigned(pairs[2 * i]) + pairs[2 * i + 1]);
    CHECK(cuTexObjectDestroy(plain));
    CHECK(cuTexObjectDestroy(texture));
    CHECK(cuSurfObjectDestroy(surface));
    CHECK(cuArrayDestroy(from));
    CHECK(cuArrayDestroy(to));
    std::printf("passed\n");
    return 0;
}
