// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/tensor_maps.h"
#include "gpu/base/messages/gpu.h"

#include <cstring>
#include <fmt/format.h>

namespace warpglass::cuda {

namespace {

CUtensorMapDataType dataType(TensorType type) {
    constexpr CUtensorMapDataType types[] = {
        CU_TENSOR_MAP_DATA_TYPE_UINT8,         CU_TENSOR_MAP_DATA_TYPE_UINT16,
        CU_TENSOR_MAP_DATA_TYPE_UINT32,        CU_TENSOR_MAP_DATA_TYPE_INT32,
        CU_TENSOR_MAP_DATA_TYPE_UINT64,        CU_TENSOR_MAP_DATA_TYPE_INT64,
        CU_TENSOR_MAP_DATA_TYPE_FLOAT16,       CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,   CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
        CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,      CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
        CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B,
        CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B, CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B};
    return types[std::size_t(type)];
}

} // namespace

Result<std::vector<std::byte>> encodeTensorMap(const Driver& driver, const TensorMap& map, std::uint64_t base) {
    if (map.im2col ? !driver.cuTensorMapEncodeIm2col : !driver.cuTensorMapEncodeTiled)
        return Error{say::NoTensorMapsMade};
    if (map.im2col && map.im2col->along != Im2col::Along::All)
        return Error{say::Im2colW};
    alignas(64) CUtensorMap encoded{};
    const CUtensorMapSwizzle swizzle = map.atom == 64       ? CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
                                       : map.flip           ? CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B
                                       : map.atom == 32     ? CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B
                                       : map.swizzle == 128 ? CU_TENSOR_MAP_SWIZZLE_128B
                                       : map.swizzle == 64  ? CU_TENSOR_MAP_SWIZZLE_64B
                                       : map.swizzle == 32  ? CU_TENSOR_MAP_SWIZZLE_32B
                                                            : CU_TENSOR_MAP_SWIZZLE_NONE;
    const CUtensorMapL2promotion promotion = map.l2 == 256   ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B
                                             : map.l2 == 128 ? CU_TENSOR_MAP_L2_PROMOTION_L2_128B
                                             : map.l2 == 64  ? CU_TENSOR_MAP_L2_PROMOTION_L2_64B
                                                             : CU_TENSOR_MAP_L2_PROMOTION_NONE;
    const CUtensorMapFloatOOBfill fill =
        map.fillNan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    cuuint64_t dims[5], strides[5]{};
    cuuint32_t box[5], elementStrides[5];
    for (std::size_t k = 0; k < 5; ++k) {
        dims[k] = map.dims[k];
        box[k] = map.box[k];
        elementStrides[k] = map.elementStrides[k];
        if (k < map.strides.size())
            strides[k] = map.strides[k];
    }
    void* const address = reinterpret_cast<void*>(std::uintptr_t(base + map.offset));
    const CUresult result =
        map.im2col
            ? driver.cuTensorMapEncodeIm2col(&encoded, dataType(map.type), map.rank, address, dims, strides,
                                             map.im2col->lower.data(), map.im2col->upper.data(), map.im2col->channels,
                                             map.im2col->pixels, elementStrides, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                                             promotion, fill)
            : driver.cuTensorMapEncodeTiled(&encoded, dataType(map.type), map.rank, address, dims, strides, box,
                                            elementStrides, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, promotion, fill);
    if (result != CUDA_SUCCESS)
        return errorOf(driver, result, say::TensorMapRefused(map.buffer));
    std::vector<std::byte> bytes(sizeof encoded);
    std::memcpy(bytes.data(), &encoded, sizeof encoded);
    return bytes;
}

} // namespace warpglass::cuda
