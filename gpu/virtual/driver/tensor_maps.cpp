// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors as the host tells the unit for bulk copies of them. What a program gets in its 128 bytes is the emulator's own
// form; a program hands them on unread, as a parameter, in constant or in global memory.
#include "gpu/base/messages/launch.h"
#include "gpu/base/messages/program.h"
#include "gpu/virtual/driver/driver.h"

#include "gpu/emulator/async/tensor_map.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace warpglass::virtual_device;
using warpglass::Said;
using warpglass::TensorMap;
using warpglass::TensorType;
namespace say = warpglass::say;

namespace {

// CUtensorMapDataType, CUtensorMapSwizzle and CUtensorMapL2promotion count from 0 in these orders.
constexpr TensorType types[] = {TensorType::U8,      TensorType::U16,   TensorType::U32,      TensorType::S32,
                                TensorType::U64,     TensorType::S64,   TensorType::F16,      TensorType::F32,
                                TensorType::F64,     TensorType::BF16,  TensorType::F32Ftz,   TensorType::TF32,
                                TensorType::TF32Ftz, TensorType::B4x16, TensorType::B4x16P64, TensorType::B6x16P32};
// Behind those of 16 bytes that are moved together come 128 bytes by 32, by 32 with a flip of 8, and by 64.
constexpr std::uint32_t swizzles[] = {0, 32, 64, 128, 128, 128, 128}, atoms[] = {16, 16, 16, 16, 32, 32, 64},
                        promotions[] = {0, 64, 128, 256};
constexpr int swizzle128By32 = 4, swizzle128By32Flip8 = 5; // CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B and _FLIP_8B

// The driver's answer is a number; the reason is worth a line.
Status refuse(const char* function, const Said& why) {
    std::fprintf(stderr, "warpglass: %s: %s\n", function, why.c_str());
    return invalidValue;
}

void pack(void* to, const TensorMap& map, std::uint64_t base) {
    const auto bytes = warpglass::emulator::packTensorMap(map, base);
    std::memcpy(to, bytes.data(), bytes.size());
}

// What both functions take: the words of the tensor, and how it is moved.
struct Given {
    int type = 0;
    std::uint32_t rank = 0;
    void* base = nullptr;
    const std::uint64_t *dims = nullptr, *strides = nullptr;
    const std::uint32_t* elementStrides = nullptr;
    int interleave = 0, swizzle = 0, promotion = 0, fill = 0;
};

// box: gives the map its box.
int encode(const char* function, void* result, const Given& given, auto box) {
    const auto address = reinterpret_cast<std::uint64_t>(given.base);
    if (!result || reinterpret_cast<std::uint64_t>(result) % 64 != 0)
        return refuse(function, say::MapAligned);
    if (address % 16 != 0) // a program may give the address later, by tensormap.replace
        return refuse(function, say::TensorAligned);
    if (given.rank < 1 || given.rank > 5 || !given.dims || !given.elementStrides || (given.rank > 1 && !given.strides))
        return refuse(function, say::TensorRank);
    if (given.type < 0 || std::size_t(given.type) >= std::size(types))
        return refuse(function, say::NoSuchType);
    if (given.swizzle < 0 || std::size_t(given.swizzle) >= std::size(swizzles))
        return refuse(function, say::NoSuchSwizzle);
    const bool newer = types[given.type] >= TensorType::B4x16 || given.swizzle >= swizzle128By32;
    if (newer && device().spec.ccMajor < 10) // the driver of an H200 refuses them, too
        return refuse(function, say::NewerElements);
    if (given.promotion < 0 || std::size_t(given.promotion) >= std::size(promotions) || given.fill < 0 ||
        given.fill > 1)
        return invalidValue;
    TensorMap map;
    map.buffer = "memory";
    map.type = types[given.type];
    map.rank = given.rank;
    for (std::uint32_t k = 0; k < given.rank; ++k) {
        map.dims[k] = given.dims[k];
        map.elementStrides[k] = given.elementStrides[k];
        if (k > 0)
            map.strides[k - 1] = given.strides[k - 1];
    }
    map.interleave = given.interleave == 0 ? 0 : given.interleave == 1 ? 16 : 32;
    map.swizzle = swizzles[given.swizzle];
    map.atom = atoms[given.swizzle];
    map.flip = given.swizzle == swizzle128By32Flip8;
    map.l2 = promotions[given.promotion];
    map.fillNan = given.fill == 1;
    box(map);
    if (const auto fine = warpglass::checkTensorMap(map); !fine)
        return refuse(function, fine.error().message);
    pack(result, map, address);
    return success;
}

} // namespace

WG_API int cuTensorMapEncodeTiled(void* result, int type, std::uint32_t rank, void* base, const std::uint64_t* dims,
                                  const std::uint64_t* strides, const std::uint32_t* box,
                                  const std::uint32_t* elementStrides, int interleave, int swizzle, int promotion,
                                  int fill) {
    if (!box)
        return refuse("cuTensorMapEncodeTiled", say::MapHasBox);
    const Given given{type, rank, base, dims, strides, elementStrides, interleave, swizzle, promotion, fill};
    return encode("cuTensorMapEncodeTiled", result, given,
                  [&](TensorMap& map) { std::copy_n(box, rank, map.box.begin()); });
}

WG_API int cuTensorMapEncodeIm2col(void* result, int type, std::uint32_t rank, void* base, const std::uint64_t* dims,
                                   const std::uint64_t* strides, const int* lower, const int* upper,
                                   std::uint32_t channels, std::uint32_t pixels, const std::uint32_t* elementStrides,
                                   int interleave, int swizzle, int promotion, int fill) {
    if (!lower || !upper || rank < 3)
        return refuse("cuTensorMapEncodeIm2col", say::Im2colDimensions);
    const Given given{type, rank, base, dims, strides, elementStrides, interleave, swizzle, promotion, fill};
    return encode("cuTensorMapEncodeIm2col", result, given, [&](TensorMap& map) {
        map.im2col.emplace();
        map.im2col->channels = channels;
        map.im2col->pixels = pixels;
        std::copy_n(lower, rank - 2, map.im2col->lower.begin());
        std::copy_n(upper, rank - 2, map.im2col->upper.begin());
    });
}

WG_API int cuTensorMapEncodeIm2colWide(void* result, int type, std::uint32_t rank, void* base,
                                       const std::uint64_t* dims, const std::uint64_t* strides, int lower, int upper,
                                       std::uint32_t channels, std::uint32_t pixels,
                                       const std::uint32_t* elementStrides, int interleave, int mode, int swizzle,
                                       int promotion, int fill) {
    if (rank < 3 || mode < 0 || mode > 1 || pixels < 1 || pixels > 1024) // also where the mode says how many
        return refuse("cuTensorMapEncodeIm2colWide", say::Im2colWide);
    const Given given{type, rank, base, dims, strides, elementStrides, interleave, swizzle, promotion, fill};
    return encode("cuTensorMapEncodeIm2colWide", result, given, [&](TensorMap& map) {
        map.im2col.emplace();
        map.im2col->along = mode == 0 ? warpglass::Im2col::Along::Width : warpglass::Im2col::Along::Width128;
        map.im2col->channels = channels;
        map.im2col->pixels = mode == 0 ? pixels : 128;
        map.im2col->lower[0] = lower;
        map.im2col->upper[0] = upper;
    });
}

WG_API int cuTensorMapReplaceAddress(void* map, void* base) {
    const auto address = reinterpret_cast<std::uint64_t>(base);
    if (!map || address == 0 || address % 16 != 0)
        return invalidValue;
    const auto old = warpglass::emulator::unpackTensorMap(std::span<const std::byte, warpglass::tensorMapBytes>(
        static_cast<const std::byte*>(map), warpglass::tensorMapBytes));
    if (!old)
        return invalidValue;
    pack(map, old->map(), address);
    return success;
}
