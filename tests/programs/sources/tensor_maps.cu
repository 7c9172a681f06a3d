// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes of a matrix by the unit for bulk copies, as a Hopper program does it: the driver's function found through the
// runtime, the map as a parameter and in constant memory. Also which form of a driver function a version gets, and how
// many clusters fit.
#include "check.h"

#include <cuda.h>
#include <cudaTypedefs.h>

constexpr int wide = 40, high = 6, boxWide = 16, boxHigh = 4;

__constant__ CUtensorMap constantMap;

__device__ void copyBox(const CUtensorMap* map, int x, int y, float* out) {
    __shared__ alignas(128) float box[boxHigh][boxWide];
    __shared__ alignas(8) unsigned long long barrier;
    const auto at = unsigned(__cvta_generic_to_shared(&barrier)), to = unsigned(__cvta_generic_to_shared(box));
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "n"(sizeof box) : "memory");
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
                "r"(to),
            "l"(map), "r"(x), "r"(y), "r"(at)
            : "memory");
    }
    __syncthreads();
    asm volatile(
        "{\n.reg .pred done;\nagain: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n@!done bra again;\n}" ::
            "r"(at)
        : "memory");
    for (int i = int(threadIdx.x); i < boxHigh * boxWide; i += int(blockDim.x))
        out[i] = box[i / boxWide][i % boxWide];
}

__global__ void fromParameter(const __grid_constant__ CUtensorMap map, int x, int y, float* out) {
    copyBox(&map, x, y, out);
}
__global__ void fromConstant(int x, int y, float* out) {
    copyBox(&constantMap, x, y, out);
}

// Eight pixels of four channels by im2col, one image wide each: from `start` of image 1 on, read one further.
constexpr int channels = 4, pixels = 8;
__global__ void byIm2col(const __grid_constant__ CUtensorMap map, int start, float* out) {
    __shared__ alignas(128) float box[pixels][channels];
    __shared__ alignas(8) unsigned long long barrier;
    const auto at = unsigned(__cvta_generic_to_shared(&barrier)), to = unsigned(__cvta_generic_to_shared(box));
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "n"(sizeof box) : "memory");
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], "
                     "[%1, {%2, %3, %4}], [%5], {%6};" ::"r"(to),
                     "l"(&map), "r"(0), "r"(start), "r"(1), "r"(at), "h"(short(1))
                     : "memory");
    }
    __syncthreads();
    asm volatile(
        "{\n.reg .pred done;\nagain: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n@!done bra again;\n}" ::
            "r"(at)
        : "memory");
    out[threadIdx.x] = box[threadIdx.x / channels][threadIdx.x % channels];
}

// What the box must hold: element (x, y) of the matrix is first + 100 y + x, outside of it there are zeros.
void wanted(const float* out, int first, int x, int y) {
    float host[boxHigh * boxWide];
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int j = 0; j < boxHigh; ++j)
        for (int i = 0; i < boxWide; ++i) {
            const bool inside = x + i >= 0 && x + i < wide && y + j >= 0 && y + j < high;
            WANT(host[j * boxWide + i] == (inside ? float(first + 100 * (y + j) + x + i) : 0.0f));
        }
}

int main() {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result));
    WANT(result == cudaDriverEntryPointSuccess);
    const auto encode = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found);
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapReplaceAddress", &found, 12000, cudaEnableDefault, &result));
    const auto replace = reinterpret_cast<PFN_cuTensorMapReplaceAddress_v12000>(found);
    WANT(encode && replace);

    float *matrix, *other, *out, host[high * wide];
    CHECK(cudaMalloc(&matrix, sizeof host));
    CHECK(cudaMalloc(&other, sizeof host));
    CHECK(cudaMalloc(&out, boxHigh * boxWide * sizeof(float)));
    for (float first : {1.0f, 5000.0f}) {
        for (int i = 0; i < high * wide; ++i)
            host[i] = first + float(100 * (i / wide) + i % wide);
        CHECK(cudaMemcpy(first == 1 ? matrix : other, host, sizeof host, cudaMemcpyHostToDevice));
    }
    CUtensorMap map;
    const cuuint64_t dims[] = {wide, high}, strides[] = {wide * sizeof(float)};
    const cuuint32_t box[] = {boxWide, boxHigh}, steps[] = {1, 1};
    const auto make = [&](void* base, cuuint32_t rank, CUtensorMapSwizzle swizzle) {
        return encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rank, base, dims, strides, box, steps,
                      CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    };
    WANT(make(matrix + 1, 2, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE); // at no multiple of 16
    WANT(make(matrix, 6, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);
    WANT(make(matrix, 2, CU_TENSOR_MAP_SWIZZLE_32B) == CUDA_ERROR_INVALID_VALUE); // its rows are of 64 bytes
    WANT(make(matrix, 2, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_SUCCESS);
    fromParameter<<<1, 32>>>(map, 8, 1, out);
    wanted(out, 1, 8, 1);
    fromParameter<<<1, 32>>>(map, 32, 4, out); // half of it beyond the matrix, both ways
    wanted(out, 1, 32, 4);
    fromParameter<<<1, 32>>>(map, -4, -2, out);
    wanted(out, 1, -4, -2);
    WANT(replace(&map, other) == CUDA_SUCCESS);
    CHECK(cudaMemcpyToSymbol(constantMap, &map, sizeof map));
    fromConstant<<<1, 32>>>(20, 2, out);
    wanted(out, 5000, 20, 2);

    // A box of 196,608 bytes and one of 258,048.
    const cuuint64_t volume[] = {64, 13, 8, 38, 24}, far[] = {256, 3328, 26624, 1011712};
    const cuuint32_t fits[] = {64, 8, 4, 6, 4}, large[] = {32, 8, 7, 6, 6}, every[] = {1, 1, 1, 1, 1};
    for (const cuuint32_t* part : {fits, large})
        WANT(encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 5, matrix, volume, far, part, every,
                    CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == (part == fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE));

    // The same matrix as six images of ten pixels. Filters begin at pixels -1 to 8; behind the last one comes the next
    // image.
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", &found, 12000, cudaEnableDefault, &result));
    const auto encodeIm2col = reinterpret_cast<PFN_cuTensorMapEncodeIm2col_v12000>(found);
    const cuuint64_t images[] = {channels, wide / channels, high},
                     apart[] = {channels * sizeof(float), wide * sizeof(float)};
    const cuuint32_t ones[] = {1, 1, 1};
    const int lower[] = {-1};
    int upper[] = {-1};
    const auto makeIm2col = [&](cuuint32_t count) {
        return encodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, matrix, images, apart, lower, upper, channels,
                            count, ones, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                            CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    };
    WANT(makeIm2col(2000) == CUDA_ERROR_INVALID_VALUE);
    upper[0] = -11; // of ten pixels none is left between the corners
    WANT(makeIm2col(pixels) == CUDA_ERROR_INVALID_VALUE);
    upper[0] = -1;
    WANT(makeIm2col(pixels) == CUDA_SUCCESS);
    byIm2col<<<1, 32>>>(map, 7, out);
    const int places[pixels][2] = {{1, 8}, {1, 9}, {2, 0}, {2, 1}, {2, 2}, {2, 3}, {2, 4}, {2, 5}}; // image, pixel
    CHECK(cudaMemcpy(host, out, pixels * channels * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < pixels * channels; ++i)
        WANT(host[i] == float(1 + 100 * places[i / channels][0] + channels * places[i / channels][1] + i % channels));

#if CUDART_VERSION >= 12080
    // For im2col::w, of devices from compute capability 10.0 on, which the driver of others makes, too: a column has 1,024
    // pixels at most.
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2colWide", &found, 12080, cudaEnableDefault, &result));
    const auto encodeWide = reinterpret_cast<PFN_cuTensorMapEncodeIm2colWide_v12080>(found);
    const auto makeWide = [&](CUtensorMapSwizzle swizzle, cuuint32_t count, CUtensorMapIm2ColWideMode mode) {
        return encodeWide(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, matrix, images, apart, -1, -1, channels, count, ones,
                          CU_TENSOR_MAP_INTERLEAVE_NONE, mode, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                          CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    };
    WANT(makeWide(CU_TENSOR_MAP_SWIZZLE_NONE, pixels, CU_TENSOR_MAP_IM2COL_WIDE_MODE_W) == CUDA_SUCCESS);
    WANT(makeWide(CU_TENSOR_MAP_SWIZZLE_64B, 2000, CU_TENSOR_MAP_IM2COL_WIDE_MODE_W) == CUDA_ERROR_INVALID_VALUE);
    WANT(makeWide(CU_TENSOR_MAP_SWIZZLE_64B, pixels, CU_TENSOR_MAP_IM2COL_WIDE_MODE_W) == CUDA_SUCCESS);
    WANT(makeWide(CU_TENSOR_MAP_SWIZZLE_64B, 2000, CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128) == CUDA_ERROR_INVALID_VALUE);
    WANT(makeWide(CU_TENSOR_MAP_SWIZZLE_64B, pixels, CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128) == CUDA_SUCCESS);
#endif

    // One takes nothing, the other, of CUDA 13, a context.
    void *plain, *newer;
    CHECK(cudaGetDriverEntryPointByVersion("cuCtxSynchronize", &plain, 12000, cudaEnableDefault, &result));
    CHECK(cudaGetDriverEntryPointByVersion("cuCtxSynchronize", &newer, 13000, cudaEnableDefault, &result));
    WANT(plain && newer && plain != newer);
    CUcontext context = nullptr;
    CHECK(cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &found, 12000, cudaEnableDefault, &result));
    WANT(reinterpret_cast<PFN_cuCtxGetCurrent_v4000>(found)(&context) == CUDA_SUCCESS && context);
    WANT(reinterpret_cast<CUresult (*)()>(plain)() == CUDA_SUCCESS);
    WANT(reinterpret_cast<CUresult (*)(CUcontext)>(newer)(context) == CUDA_SUCCESS);

    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 4, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(8), config.blockDim = dim3(32), config.attrs = &attribute, config.numAttrs = 1;
    int fours = 0, eights = 0;
    CHECK(cudaOccupancyMaxActiveClusters(&fours, fromConstant, &config));
    attribute.val.clusterDim.x = 8;
    CHECK(cudaOccupancyMaxActiveClusters(&eights, fromConstant, &config));
    WANT(eights > 0 && fours / 2 == eights);
    return passed();
}
