// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors as the host tells the unit for bulk copies of them. What a program gets in its 128 bytes is the emulator's own
// form; a program hands them on unread, as a parameter, in constant or in global memory.
#include "gpu/virtual/driver/driver.h"

#include "gpu/emulator/async/tensor_map.h"

#include <cstdio>
#include <cstring>

using namespace warpglass::virtual_device;
using warpglass::TensorMap;
using warpglass::TensorType;

namespace {

// CUtensorMapDataType, CUtensorMapSwizzle and CUtensorMapL2promotion count from 0 in these orders.
constexpr TensorType types[] = {TensorType::U8,     TensorType::U16,  TensorType::U32,    TensorType::S32,
                                TensorType::U64,    TensorType::S64,  TensorType::F16,    TensorType::F32,
                                TensorType::F64,    TensorType::BF16, TensorType::F32Ftz, TensorType::TF32,
                                TensorType::TF32Ftz};
constexpr std::uint32_t swizzles[] = {0, 32, 64, 128}, promotions[] = {0, 64, 128, 256};

// The driver's answer is a number; the reason is worth a line.
Status refuse(const std::string& why) {
    std::fprintf(stderr, "warpglass: cuTensorMapEncodeTiled: %s\n", why.c_str());
    return invalidValue;
}

void pack(void* to, const TensorMap& map, std::uint64_t base) {
    const auto bytes = warpglass::emulator::packTensorMap(map, base);
    std::memcpy(to, bytes.data(), bytes.size());
}

} // namespace

WG_API int cuTensorMapEncodeTiled(void* result, int type, std::uint32_t rank, void* base, const std::uint64_t* dims,
                                  const std::uint64_t* strides, const std::uint32_t* box,
                                  const std::uint32_t* elementStrides, int interleave, int swizzle, int promotion,
                                  int fill) {
    const auto address = reinterpret_cast<std::uint64_t>(base);
    if (!result || reinterpret_cast<std::uint64_t>(result) % 64 != 0)
        return refuse("the 128 bytes of a tensor map lie at a multiple of 64");
    if (address == 0 || address % 16 != 0)
        return refuse("a tensor lies at a multiple of 16");
    if (rank < 1 || rank > 5 || !dims || !box || !elementStrides || (rank > 1 && !strides))
        return refuse("a tensor has 1 to 5 dimensions");
    if (type < 0 || std::size_t(type) >= std::size(types))
        return refuse("elements of 4 and 6 bits are not known");
    if (swizzle < 0 || std::size_t(swizzle) >= std::size(swizzles))
        return refuse("a swizzle of pieces of 32 or 64 bytes is not known");
    if (promotion < 0 || std::size_t(promotion) >= std::size(promotions) || fill < 0 || fill > 1)
        return invalidValue;
    TensorMap map;
    map.buffer = "memory";
    map.type = types[type];
    map.rank = rank;
    for (std::uint32_t k = 0; k < rank; ++k) {
        map.dims[k] = dims[k];
        map.box[k] = box[k];
        map.elementStrides[k] = elementStrides[k];
        if (k > 0)
            map.strides[k - 1] = strides[k - 1];
    }
    map.interleave = interleave == 0 ? 0 : interleave == 1 ? 16 : 32;
    map.swizzle = swizzles[swizzle];
    map.l2 = promotions[promotion];
    map.fillNan = fill == 1;
    if (const auto fine = warpglass::checkTensorMap(map); !fine)
        return refuse(fine.error().message);
    pack(result, map, address);
    return success;
}

WG_API int cuTensorMapReplaceAddress(void* map, void* base) {
    const auto address = reinterpret_cast<std::uint64_t>(base);
    if (!map || address == 0 || address % 16 != 0)
        return invalidValue;
    const auto old = warpglass::emulator::unpackTensorMap(std::span<const std::byte, warpglass::tensorMapBytes>(
        static_cast<const std::byte*>(map), warpglass::tensorMapBytes));
    if (!old)
        return invalidValue;
    pack(map, old->map, address);
    return success;
}
