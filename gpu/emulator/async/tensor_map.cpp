// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/tensor_map.h"

#include <cstring>

namespace warpglass::emulator {

namespace {

struct Packed {
    char mark[8] = {'W', 'G', 'T', 'E', 'N', 'S', 'O', 'R'};
    std::uint64_t base = 0;
    std::uint64_t strides[4]{};
    std::uint32_t last[5]{}; // the highest index of each dimension: 2^32 elements fit
    std::uint16_t box[5]{};
    std::uint16_t elementStrides[5]{};
    std::uint8_t type = 0, rank = 0, interleave = 0, swizzle = 0, fillNan = 0;
};
static_assert(sizeof(Packed) <= tensorMapBytes);

} // namespace

TensorMapBytes packTensorMap(const TensorMap& map, std::uint64_t base) {
    Packed p;
    p.base = base;
    for (std::size_t k = 0; k < 5; ++k) {
        p.last[k] = map.dims[k] ? std::uint32_t(map.dims[k] - 1) : 0;
        p.box[k] = std::uint16_t(map.box[k]);
        p.elementStrides[k] = std::uint16_t(map.elementStrides[k]);
    }
    std::copy(map.strides.begin(), map.strides.end(), p.strides);
    p.type = std::uint8_t(map.type);
    p.rank = std::uint8_t(map.rank);
    p.interleave = std::uint8_t(map.interleave);
    p.swizzle = std::uint8_t(map.swizzle);
    p.fillNan = map.fillNan;
    TensorMapBytes bytes{};
    std::memcpy(bytes.data(), &p, sizeof p);
    return bytes;
}

std::optional<UnpackedMap> unpackTensorMap(std::span<const std::byte, tensorMapBytes> bytes) {
    Packed p;
    const Packed like;
    std::memcpy(static_cast<void*>(&p), bytes.data(), sizeof p);
    if (std::memcmp(p.mark, like.mark, sizeof p.mark) != 0)
        return std::nullopt;
    UnpackedMap out;
    out.base = p.base;
    out.map.type = TensorType(p.type);
    out.map.rank = p.rank;
    for (std::size_t k = 0; k < 5; ++k) {
        out.map.dims[k] = std::uint64_t(p.last[k]) + 1;
        out.map.box[k] = p.box[k];
        out.map.elementStrides[k] = p.elementStrides[k];
    }
    std::copy(std::begin(p.strides), std::end(p.strides), out.map.strides.begin());
    out.map.interleave = p.interleave;
    out.map.swizzle = p.swizzle;
    out.map.fillNan = p.fillNan != 0;
    return out;
}

// The number of the 16-byte piece in its row of 128 bytes is changed by the number of the row: by 3, 2 or 1 bits of it.
std::uint64_t swizzled(std::uint64_t offset, std::uint32_t swizzle) {
    const std::uint64_t mask = swizzle == 128 ? 7 : swizzle == 64 ? 3 : swizzle == 32 ? 1 : 0;
    return offset ^ (offset >> 7 & mask) << 4;
}

namespace {
// Elements that the box has along a dimension: those between the strides are left out, but not along the fastest.
std::uint32_t along(const TensorMap& map, std::size_t k) {
    if (k == 0)
        return map.box[0];
    return (map.box[k] + map.elementStrides[k] - 1) / map.elementStrides[k];
}
} // namespace

std::uint32_t boxBytes(const TensorMap& map) {
    std::uint32_t elements = 1;
    for (std::size_t k = 0; k < map.rank; ++k)
        elements *= along(map, k);
    return elements * bytesOf(map.type);
}

std::vector<BoxPart> boxParts(const UnpackedMap& u, const std::array<std::int32_t, 5>& at, std::uint64_t shared) {
    const TensorMap& map = u.map;
    const std::uint32_t width = bytesOf(map.type);
    std::vector<BoxPart> parts;
    std::array<std::uint32_t, 5> index{};
    std::uint64_t offset = shared;
    for (;;) {
        bool rowInside = true;
        std::uint64_t row = u.base;
        for (std::size_t k = 1; k < map.rank; ++k) {
            const std::int64_t c = std::int64_t(at[k]) + std::int64_t(index[k]) * map.elementStrides[k];
            rowInside = rowInside && c >= 0 && std::uint64_t(c) < map.dims[k];
            row += std::uint64_t(c) * map.strides[k - 1];
        }
        // A run ends where the tensor does, and, with a swizzle, after 16 bytes.
        for (std::uint32_t i = 0; i < map.box[0];) {
            const std::int64_t c = std::int64_t(at[0]) + i;
            const bool inside = rowInside && c >= 0 && std::uint64_t(c) < map.dims[0];
            std::uint32_t n = 1;
            const auto goesOn = [&] {
                const std::int64_t next = c + n;
                const bool nextInside = rowInside && next >= 0 && std::uint64_t(next) < map.dims[0];
                return i + n < map.box[0] && nextInside == inside &&
                       (map.swizzle == 0 || (offset + std::uint64_t(i + n) * width) % 16 != 0);
            };
            while (goesOn())
                ++n;
            parts.push_back({row + std::uint64_t(c) * width, swizzled(offset + std::uint64_t(i) * width, map.swizzle),
                             n * width, inside});
            i += n;
        }
        offset += std::uint64_t(map.box[0]) * width;
        std::size_t k = 1;
        for (; k < map.rank; ++k) {
            if (++index[k] < along(map, k))
                break;
            index[k] = 0;
        }
        if (k >= map.rank)
            return parts;
    }
}

ptx::Type elementType(TensorType type) {
    using ptx::Type;
    constexpr Type types[] = {Type::U8,  Type::U16, Type::U32, Type::S32,  Type::U64, Type::S64, Type::F16,
                              Type::F32, Type::F32, Type::F64, Type::BF16, Type::F32, Type::F32};
    return types[std::size_t(type)];
}

std::uint64_t fillPattern(const TensorMap& map) {
    if (!map.fillNan)
        return 0;
    switch (bytesOf(map.type)) {
    case 8:
        return 0x7fffffffffffffffull;
    case 4:
        return 0x7fffffffull;
    default:
        return 0x7fff;
    }
}

} // namespace warpglass::emulator
