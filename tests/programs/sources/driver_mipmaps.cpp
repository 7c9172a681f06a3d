// SPDX-License-Identifier: GPL-3.0-or-later
// Mipmapped arrays by the driver's calls: levels filled by copies of rows, read by a kernel in PTX level by level, mixed
// between levels, and through a view; and what the driver answers about the objects.
#include "check_driver.h"

// out[x] = texture in the middle at level [levels + x], x = tid.x
static const char* const text = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry middle(.param .u64 texture, .param .u64 levels, .param .u64 out) {
    .reg .b32 %r<2>;
    .reg .f32 %f<7>;
    .reg .b64 %rd<7>;
    ld.param.u64 %rd1, [texture];
    ld.param.u64 %rd2, [levels];
    ld.param.u64 %rd3, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd4, %r1, 4;
    add.s64 %rd5, %rd2, %rd4;
    add.s64 %rd6, %rd3, %rd4;
    ld.global.f32 %f1, [%rd5];
    mov.f32 %f2, 0f3F000000;
    tex.level.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f2, %f2}], %f1;
    st.global.f32 [%rd6], %f4;
    ret;
}
)";

constexpr unsigned side = 16, levels = 4, points = 9;

// Of level n all texels are (1, 100 n).
static void fill(CUmipmappedArray array, unsigned n) {
    CUarray level;
    CHECK(cuMipmappedArrayGetLevel(&level, array, n));
    CUDA_ARRAY3D_DESCRIPTOR words;
    CHECK(cuArray3DGetDescriptor(&words, level));
    const unsigned edge = side >> n;
    WANT(words.Width == edge && words.Height == edge && words.Depth == 0 && words.NumChannels == 2);
    float host[side * side][2];
    for (unsigned i = 0; i < edge * edge; ++i)
        host[i][0] = 1, host[i][1] = 100 * float(n);
    CUDA_MEMCPY2D in = {};
    in.srcMemoryType = CU_MEMORYTYPE_HOST, in.srcHost = host, in.srcPitch = edge * sizeof host[0];
    in.dstMemoryType = CU_MEMORYTYPE_ARRAY, in.dstArray = level;
    in.WidthInBytes = edge * sizeof host[0], in.Height = edge;
    CHECK(cuMemcpy2D(&in));
    in.Height = edge + 1;
    WANT(cuMemcpy2D(&in) == CUDA_ERROR_INVALID_VALUE); // where the next level is
}

int main() {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction middle;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, text));
    CHECK(cuModuleGetFunction(&middle, module, "middle"));

    CUDA_ARRAY3D_DESCRIPTOR words = {};
    words.Width = words.Height = side, words.Format = CU_AD_FORMAT_FLOAT, words.NumChannels = 2;
    CUmipmappedArray array;
    CUarray level;
    CHECK(cuMipmappedArrayCreate(&array, &words, levels));
    WANT(cuMipmappedArrayGetLevel(&level, array, levels) == CUDA_ERROR_INVALID_VALUE);
    for (unsigned n = 0; n < levels; ++n)
        fill(array, n);

    const float asked[points] = {-1, 0, 0.25f, 0.75f, 1, 1.25f, 2.5f, 3, 7};
    float got[points];
    CUdeviceptr in, out;
    CHECK(cuMemAlloc(&in, sizeof asked));
    CHECK(cuMemAlloc(&out, sizeof got));
    CHECK(cuMemcpyHtoD(in, asked, sizeof asked));
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    resource.res.mipmap.hMipmappedArray = array;
    CUDA_TEXTURE_DESC how = {};
    for (auto& mode : how.addressMode)
        mode = CU_TR_ADDRESS_MODE_CLAMP;
    how.filterMode = CU_TR_FILTER_MODE_POINT;
    how.flags = CU_TRSF_NORMALIZED_COORDINATES;
    how.maxMipmapLevelClamp = 10;
    const auto run = [&](CUtexObject texture) {
        void* arguments[] = {&texture, const_cast<CUdeviceptr*>(&in), const_cast<CUdeviceptr*>(&out)};
        CHECK(cuLaunchKernel(middle, 1, 1, 1, points, 1, 1, 0, nullptr, arguments, nullptr));
        CHECK(cuMemcpyDtoH(got, out, sizeof got));
    };

    CUtexObject texture;
    CHECK(cuTexObjectCreate(&texture, &resource, &how, nullptr));
    run(texture);
    const float nearest[points] = {0, 0, 0, 100, 100, 100, 0, 300, 300};
    for (unsigned i = 0; i < points; ++i)
        WANT(asked[i] == 2.5f || got[i] == nearest[i]); // half-way it may be either
    CUDA_RESOURCE_DESC known;
    CUDA_TEXTURE_DESC knownHow;
    CUDA_RESOURCE_VIEW_DESC view = {};
    CHECK(cuTexObjectGetResourceDesc(&known, texture));
    WANT(known.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY && known.res.mipmap.hMipmappedArray == array);
    CHECK(cuTexObjectGetTextureDesc(&knownHow, texture));
    WANT(knownHow.flags & CU_TRSF_NORMALIZED_COORDINATES && knownHow.maxMipmapLevelClamp == 10);
    CHECK(cuTexObjectGetResourceViewDesc(&view, texture));
    CHECK(cuTexObjectDestroy(texture));

    // Mixed, half a level further down, not beyond level 2.
    how.mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR;
    how.mipmapLevelBias = 0.5f, how.maxMipmapLevelClamp = 2;
    CHECK(cuTexObjectCreate(&texture, &resource, &how, nullptr));
    run(texture);
    const float mixed[points] = {0, 50, 75, 125, 150, 175, 200, 200, 200};
    for (unsigned i = 0; i < points; ++i)
        WANT(got[i] - mixed[i] <= 1 && mixed[i] - got[i] <= 1); // 1/256 of what lies between
    CHECK(cuTexObjectDestroy(texture));

    // Of levels 1 and 2 alone; what it is held between counts from there.
    how.mipmapLevelBias = 0, how.maxMipmapLevelClamp = 10;
    view.format = CU_RES_VIEW_FORMAT_FLOAT_2X32;
    view.width = view.height = side;
    view.firstMipmapLevel = 1, view.lastMipmapLevel = 2;
    CHECK(cuTexObjectCreate(&texture, &resource, &how, &view));
    run(texture);
    const float viewed[points] = {100, 100, 125, 175, 200, 200, 200, 200, 200};
    for (unsigned i = 0; i < points; ++i)
        WANT(got[i] - viewed[i] <= 1 && viewed[i] - got[i] <= 1);
    CUDA_RESOURCE_VIEW_DESC knownView;
    CHECK(cuTexObjectGetResourceViewDesc(&knownView, texture));
    WANT(knownView.firstMipmapLevel == 1 && knownView.lastMipmapLevel == 2 && knownView.width == side);
    CHECK(cuTexObjectDestroy(texture));

    CHECK(cuMipmappedArrayDestroy(array));
    CHECK(cuMemFree(in));
    CHECK(cuMemFree(out));
    std::printf("passed\n");
    return 0;
}
