// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/tensor_map.h"

#include "gpu/base/messages/emulator.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>

namespace warpglass::emulator {

namespace {

// Programs do change these bytes: CUTLASS clears bit 21 of the second 64 bits of what the driver gives it, for drivers
// that set it wrongly. There fillNan has its bit 5, which is 0.
struct Packed {
    char mark[8] = {'W', 'G', 'T', 'E', 'N', 'S', 'O', 'R'};
    std::uint8_t type = 0, rank = 0, fillNan = 0, interleave = 0, swizzle = 0, atom = 0;
    std::uint64_t base = 0;
    std::uint64_t strides[4]{};
    std::uint32_t last[5]{}; // the highest index of each dimension: 2^32 elements fit
    std::uint16_t box[5]{};
    std::uint16_t elementStrides[5]{};
    std::int16_t lower[3]{}, upper[3]{};
    std::uint16_t channels = 0, pixels = 0; // 0: it is none for im2col
    std::uint8_t along = 0, flip = 0;
};
// What is too large for its field stays too large for a map.
template <class T>
T narrow(std::uint64_t v) {
    return T(std::min<std::uint64_t>(v, std::numeric_limits<T>::max()));
}
static_assert(sizeof(Packed) <= tensorMapBytes && offsetof(Packed, fillNan) == 10);

} // namespace

TensorMapBytes packTensorMap(const TensorMap& map, std::uint64_t base) {
    Packed p;
    p.base = base;
    for (std::size_t k = 0; k < 5; ++k) {
        p.last[k] = map.dims[k] ? narrow<std::uint32_t>(map.dims[k] - 1) : 0;
        p.box[k] = narrow<std::uint16_t>(map.box[k]);
        p.elementStrides[k] = narrow<std::uint16_t>(map.elementStrides[k]);
    }
    std::copy(map.strides.begin(), map.strides.end(), p.strides);
    p.type = std::uint8_t(map.type);
    p.rank = narrow<std::uint8_t>(map.rank);
    p.interleave = narrow<std::uint8_t>(map.interleave);
    p.swizzle = narrow<std::uint8_t>(map.swizzle);
    p.atom = narrow<std::uint8_t>(map.atom);
    p.flip = map.flip;
    if (map.im2col) {
        std::copy(map.im2col->lower.begin(), map.im2col->lower.end(), p.lower);
        std::copy(map.im2col->upper.begin(), map.im2col->upper.end(), p.upper);
        p.channels = std::uint16_t(map.im2col->channels);
        p.pixels = std::uint16_t(map.im2col->pixels);
        p.along = std::uint8_t(map.im2col->along);
    }
    p.fillNan = map.fillNan;
    TensorMapBytes bytes{};
    std::memcpy(bytes.data(), &p, sizeof p);
    return bytes;
}

std::optional<UnpackedMap> tensorFields(std::span<const std::byte, tensorMapBytes> bytes) {
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
    out.map.atom = p.atom;
    out.map.flip = p.flip != 0;
    if (p.pixels) {
        Im2col& im2col = out.map.im2col.emplace();
        std::copy(std::begin(p.lower), std::end(p.lower), im2col.lower.begin());
        std::copy(std::begin(p.upper), std::end(p.upper), im2col.upper.begin());
        im2col.channels = p.channels;
        im2col.pixels = p.pixels;
        im2col.along = Im2col::Along(p.along);
    }
    out.map.fillNan = p.fillNan != 0;
    return out;
}

Result<CheckedMap> unpackTensorMap(std::span<const std::byte, tensorMapBytes> bytes) {
    const auto fields = tensorFields(bytes);
    if (!fields)
        return Error{say::MapNotDescribed};
    if (auto ok = checkTensorFields(fields->map); !ok)
        return ok.error();
    return CheckedMap(*fields);
}

// The number of the 16-byte piece in its row of 128 bytes is changed by the number of the row: by 3, 2 or 1 bits of it.
// Larger pieces have shorter numbers, which fewer bits of the row's change.
std::uint64_t swizzled(std::uint64_t offset, const TensorMap& map) {
    const std::uint64_t row = offset >> 7;
    if (map.atom == 32)
        return offset ^ (row & 3) << 5 ^ (map.flip ? (row & 1) << 3 : 0);
    if (map.atom == 64)
        return offset ^ (row & 1) << 6;
    const std::uint64_t mask = map.swizzle == 128 ? 7 : map.swizzle == 64 ? 3 : map.swizzle == 32 ? 1 : 0;
    return offset ^ (row & mask) << 4;
}

namespace {

using Place = std::array<std::int64_t, 5>;

// Elements that the box has along a dimension: those between the strides are left out, but not along the fastest.
std::uint32_t along(const TensorMap& map, std::size_t k) {
    if (k == 0)
        return map.im2col ? map.im2col->channels : map.box[0];
    return (map.box[k] + map.elementStrides[k] - 1) / map.elementStrides[k];
}

// f(Place) of each row of a box.
void eachRow(const TensorMap& map, const BoxPlace& box, auto f) {
    const std::array<std::int32_t, 5>& at = box.at;
    if (box.fourRows) {
        for (std::size_t k = 1; k < at.size(); ++k)
            f(Place{at[0], at[k]});
        return;
    }
    std::array<std::uint32_t, 5> index{};
    for (;;) {
        Place row{at[0]};
        for (std::size_t k = 1; k < map.rank; ++k)
            row[k] = std::int64_t(at[k]) + std::int64_t(index[k]) * map.elementStrides[k];
        f(row);
        std::size_t k = 1;
        for (; k < map.rank; ++k) {
            if (++index[k] < along(map, k))
                break;
            index[k] = 0;
        }
        if (k >= map.rank)
            return;
    }
}

// The same of each pixel: one behind the other within the corners, along the fastest dimension first, then image by image.
// What is read lies `offsets` further.
void eachPixel(const TensorMap& map, const BoxPlace& place, auto f) {
    const Im2col& box = *map.im2col;
    const bool wide = box.along != Im2col::Along::All; // from the end of a row to the next image
    Place base{};
    std::copy(place.at.begin(), place.at.end(), base.begin());
    for (std::uint32_t n = 0; n < box.pixels; ++n) {
        Place pixel = base;
        for (std::size_t k = 1; k + 1 < map.rank; ++k)
            pixel[k] += place.offsets[k - 1];
        f(pixel);
        for (std::size_t k = 1; k < map.rank; ++k) {
            if (wide && k == 2)
                k = map.rank - 1;
            if (k + 1 == map.rank) {
                ++base[k];
                break;
            }
            base[k] += map.elementStrides[k];
            if (base[k] < std::int64_t(map.dims[k]) + box.upper[k - 1])
                break;
            base[k] = box.lower[k - 1];
        }
    }
}

} // namespace

namespace {

std::uint32_t rowBytes(const TensorMap& map) {
    const TensorUnit unit = unitOf(map.type);
    return along(map, 0) / unit.elements * unit.room;
}
// From row to row in shared memory: as far as a swizzle goes, however short the rows are (so the H200 has it).
std::uint32_t pitchOf(const TensorMap& map) {
    return map.swizzle ? map.swizzle : rowBytes(map);
}
std::uint64_t rowsOf(const TensorMap& map) {
    if (map.im2col)
        return map.im2col->pixels;
    std::uint64_t rows = 1;
    for (std::size_t k = 1; k < map.rank; ++k)
        rows *= along(map, k);
    return rows;
}

} // namespace

std::uint64_t boxBytes(const CheckedMap& checked, bool fourRows) {
    const TensorMap& map = checked.map();
    const TensorUnit unit = unitOf(map.type); // what stays empty behind an element is not counted
    return (fourRows ? 4 : rowsOf(map)) * (along(map, 0) / unit.elements) * unit.bytes;
}
std::uint64_t boxRoom(const CheckedMap& map, bool fourRows) {
    return (fourRows ? 4 : rowsOf(map.map())) * pitchOf(map.map());
}

std::vector<BoxPart> boxParts(const CheckedMap& checked, const BoxPlace& box, std::uint64_t shared) {
    const TensorMap& map = checked.map();
    const TensorUnit unit = unitOf(map.type);
    const std::uint32_t length =
        along(map, 0) / unit.elements; // in units, as everything along the fastest dimension here
    const std::uint64_t dim = map.dims[0] / unit.elements;
    const std::uint64_t together = map.flip ? 8 : 16; // bytes that a swizzle leaves side by side
    std::vector<BoxPart> parts;
    std::uint64_t offset = shared;
    const auto addRow = [&](const Place& place) {
        bool rowInside = true;
        std::uint64_t row = checked.base();
        for (std::size_t k = 1; k < map.rank; ++k) {
            rowInside = rowInside && place[k] >= 0 && std::uint64_t(place[k]) < map.dims[k];
            row += std::uint64_t(place[k]) * map.strides[k - 1];
        }
        // A run ends where the tensor does, with a swizzle after as many bytes as it leaves together, and
        // before room that is left.
        for (std::uint32_t i = 0; i < length;) {
            const std::int64_t c = place[0] / unit.elements + i;
            const bool inside = rowInside && c >= 0 && std::uint64_t(c) < dim;
            const std::uint64_t to = offset + std::uint64_t(i) * unit.room;
            std::uint64_t most = unit.bytes == unit.room ? length - i : 1;
            if (map.swizzle != 0)
                most = std::min(most, std::max<std::uint64_t>(1, (together - to % together) / unit.room));
            if (rowInside && c < 0)
                most = std::min(most, std::uint64_t(-c));
            else if (inside)
                most = std::min(most, dim - std::uint64_t(c));
            const auto n = std::uint32_t(most);
            parts.push_back({row + std::uint64_t(c) * unit.bytes, swizzled(to, map), n * unit.bytes, inside});
            i += n;
        }
        offset += pitchOf(map);
    };
    if (map.im2col)
        eachPixel(map, box, addRow);
    else
        eachRow(map, box, addRow);
    return parts;
}

ptx::Type elementType(TensorType type) {
    using ptx::Type;
    constexpr Type types[] = {Type::U8,  Type::U16, Type::U32,  Type::S32, Type::U64, Type::S64, Type::F16, Type::F32,
                              Type::F32, Type::F64, Type::BF16, Type::F32, Type::F32, Type::U8,  Type::U8,  Type::U8};
    return types[std::size_t(type)];
}

// The NaN that the H200 writes outside of a tensor, which the PTX ISA leaves open.
std::uint64_t fillPattern(const TensorMap& map) {
    return map.fillNan ? 0x7ff77ff77ff77ff7ull : 0;
}

} // namespace warpglass::emulator
