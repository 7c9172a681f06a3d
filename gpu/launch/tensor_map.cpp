// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/tensor_map.h"

#include "gpu/base/messages/launch.h"
#include "gpu/base/quantity.h"
#include "gpu/launch/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace warpglass {

namespace {

std::optional<std::uint64_t> number(std::string_view text) {
    return parseUnsigned(text);
}

Result<std::vector<std::uint64_t>> numbers(std::string_view spec, std::string_view text) {
    std::vector<std::uint64_t> all;
    for (;;) {
        const std::size_t end = text.find(';');
        const auto n = number(text.substr(0, end));
        if (!n)
            return wrongArgument(spec, say::NoNumberText(text.substr(0, end)));
        all.push_back(*n);
        if (end == std::string_view::npos)
            return all;
        text.remove_prefix(end + 1);
    }
}

Result<std::array<std::int32_t, 3>> corner(std::string_view spec, std::string_view text) {
    std::array<std::int32_t, 3> all{};
    for (std::int32_t& one : all) {
        const std::size_t end = text.find(';');
        const auto n = parseElement(text.substr(0, end), ElementType::I32);
        if (!n)
            return wrongArgument(spec, say::NoNumberText(text.substr(0, end)));
        one = std::int32_t(*n);
        if (end == std::string_view::npos)
            return all;
        text.remove_prefix(end + 1);
    }
    return wrongArgument(spec, say::CornerNumbers);
}

Result<void> checkIm2col(const TensorMap& map) {
    const Im2col& box = *map.im2col;
    if (map.rank < 3)
        return Error{say::Im2colRank};
    if (box.channels < 1 || box.channels > 256)
        return Error{say::Im2colChannels(box.channels)};
    if (box.pixels < 1 || box.pixels > 1024)
        return Error{say::Im2colPixels(box.pixels)};
    if (box.along > Im2col::Along::Width128)
        return Error{say::Im2colKind(int(box.along))};
    const bool wide = box.along != Im2col::Along::All; // its box is one high and one deep
    if (wide && map.atom == 64)
        return Error{say::Im2colSwizzle};
    const std::int32_t most = wide || map.rank == 3 ? 32768 : map.rank == 4 ? 128 : 16;
    for (std::size_t k = 0; k + 2 < (wide ? 3 : map.rank); ++k)
        for (const std::int32_t corner : {box.lower[k], box.upper[k]})
            if (corner < -most || corner >= most)
                return Error{say::CornerAt(std::to_string(corner), std::to_string(-most), std::to_string(most - 1))};
    for (std::size_t k = 0; k + 2 < (wide ? 3 : map.rank); ++k)
        if (std::int64_t(map.dims[k + 1]) + box.upper[k] <= box.lower[k])
            return Error{say::CornersEmpty(std::to_string(box.lower[k]), std::to_string(box.upper[k]), k + 1)};
    return {};
}

// Elements between the strides are left out.
std::uint64_t boxElements(const TensorMap& map) {
    std::uint64_t all = 1;
    for (std::size_t k = 0; k < map.rank; ++k)
        all *= (map.box[k] + map.elementStrides[k] - 1) / map.elementStrides[k]; // 2^40 at most
    return all;
}

} // namespace

TensorUnit unitOf(TensorType type) {
    switch (type) {
    case TensorType::U8:
        return {1, 1, 1};
    case TensorType::U16:
    case TensorType::F16:
    case TensorType::BF16:
        return {1, 2, 2};
    case TensorType::U64:
    case TensorType::S64:
    case TensorType::F64:
        return {1, 8, 8};
    case TensorType::B4x16:
        return {16, 8, 8};
    case TensorType::B4x16P64:
        return {16, 8, 16};
    case TensorType::B6x16P32:
        return {16, 12, 16};
    default:
        return {1, 4, 4};
    }
}

Result<TensorMap> parseTensorMap(std::string_view spec, std::string_view text) {
    if (!text.starts_with('{') || !text.ends_with('}'))
        return wrongArgument(spec, say::TensorMapForm);
    text = text.substr(1, text.size() - 2);
    TensorMap map;
    bool strides = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size()), equals = text.find('=');
        if (equals == std::string_view::npos || equals > end)
            return wrongArgument(spec, say::NoEquals(text.substr(0, end)));
        const std::string_view name = text.substr(0, equals), value = text.substr(equals + 1, end - equals - 1);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (name == "base") {
            const std::size_t plus = value.find('+');
            map.buffer = value.substr(0, plus);
            if (plus != std::string_view::npos) {
                const auto offset = number(value.substr(plus + 1));
                if (!offset)
                    return wrongArgument(spec, say::NoByteNumber(value.substr(plus + 1)));
                map.offset = *offset;
            }
            continue;
        }
        if (name == "type") {
            const auto type = parseEnum<TensorType>(value);
            if (!type)
                return wrongArgument(spec, say::NoTensorType(value));
            map.type = *type;
            continue;
        }
        if (name == "fill") {
            if (value != "zero" && value != "nan")
                return wrongArgument(spec, say::FillForm);
            map.fillNan = value == "nan";
            continue;
        }
        if (name == "lower" || name == "upper" || name == "channels" || name == "pixels" || name == "wide")
            if (!map.im2col)
                map.im2col.emplace();
        if (name == "lower" || name == "upper") {
            const auto found = corner(spec, value);
            if (!found)
                return found.error();
            (name == "lower" ? map.im2col->lower : map.im2col->upper) = *found;
            continue;
        }
        if (name == "wide") {
            if (value != "w" && value != "w128")
                return wrongArgument(spec, say::WideForm);
            map.im2col->along = value == "w" ? Im2col::Along::Width : Im2col::Along::Width128;
            if (value == "w128")
                map.im2col->pixels = 128;
            continue;
        }
        const auto all = numbers(spec, value);
        if (!all)
            return all.error();
        const auto list = [&](auto& into) {
            for (std::size_t k = 0; k < std::min(into.size(), all->size()); ++k)
                into[k] = std::decay_t<decltype(into[0])>((*all)[k]);
            return all->size() <= into.size();
        };
        bool fits = all->size() == 1;
        if (name == "dims") {
            fits = list(map.dims);
            map.rank = std::uint32_t(all->size());
        } else if (name == "strides") {
            fits = strides = list(map.strides);
        } else if (name == "box") {
            fits = list(map.box);
        } else if (name == "elementstrides") {
            fits = list(map.elementStrides);
        } else if (name == "interleave") {
            map.interleave = std::uint32_t(all->front());
        } else if (name == "swizzle") {
            map.swizzle = std::uint32_t(all->front());
        } else if (name == "atom") {
            map.atom = std::uint32_t(all->front());
        } else if (name == "flip") {
            map.flip = all->front() == 8;
            fits = fits && (map.flip || all->front() == 0);
        } else if (name == "l2") {
            map.l2 = std::uint32_t(all->front());
        } else if (name == "channels") {
            map.im2col->channels = std::uint32_t(all->front());
        } else if (name == "pixels") {
            map.im2col->pixels = std::uint32_t(all->front());
        } else {
            return wrongArgument(spec, say::NoTensorKey(name));
        }
        if (!fits)
            return wrongArgument(spec, say::TooManyNumbers(name));
    }
    if (!strides) {
        const TensorUnit unit = unitOf(map.type);
        std::uint64_t bytes = unit.bytes;
        for (std::size_t k = 0; k + 1 < map.rank && k < 4; ++k)
            map.strides[k] = bytes *= k == 0 ? map.dims[0] / unit.elements : map.dims[k];
    }
    if (auto ok = checkTensorMap(map); !ok)
        return wrongArgument(spec, ok.error().message.message());
    return map;
}

Result<void> checkTensorMap(const TensorMap& map) {
    if (map.buffer.empty())
        return Error{say::TensorNeedsBase};
    return checkTensorFields(map);
}

Result<void> checkTensorFields(const TensorMap& map) {
    if (map.rank < 1 || map.rank > 5)
        return Error{say::TensorRank};
    if (map.type > TensorType::B6x16P32)
        return Error{say::TensorTypeNone(int(map.type))};
    const TensorUnit unit = unitOf(map.type);
    for (std::size_t k = 0; k < map.rank; ++k) {
        if (map.dims[k] < 1 || map.dims[k] > std::uint64_t(1) << 32)
            return Error{say::DimensionElements(k, map.dims[k])};
        if (!map.im2col && (map.box[k] < 1 || map.box[k] > 256))
            return Error{say::BoxElements(map.box[k], k)};
        if (map.elementStrides[k] < 1 || map.elementStrides[k] > 8)
            return Error{say::ElementStride(k, map.elementStrides[k])};
        if (k > 0 && (map.strides[k - 1] % 16 != 0 || map.strides[k - 1] >= std::uint64_t(1) << 40))
            return Error{say::StrideOf(k, map.strides[k - 1])};
    }
    if (map.im2col)
        if (auto ok = checkIm2col(map); !ok)
            return ok;
    const std::uint32_t length = map.im2col ? map.im2col->channels : map.box[0];
    if (length % unit.elements != 0 || map.dims[0] % unit.elements != 0)
        return Error{say::TravelBy(map.dims[0], length, unit.elements)};
    const std::uint32_t row = length / unit.elements * unit.room;
    if (row % 16 != 0)
        return Error{say::RowOfBox(row)};
    // The driver of an H200 takes 196,608 bytes and refuses 258,048.
    constexpr std::uint64_t most = 227 * 1024; // shared memory of a block
    if (const std::uint64_t all = boxElements(map) / unit.elements * unit.bytes; !map.im2col && all > most)
        return Error{say::BoxBytes(all, most)};
    if (map.interleave != 0)
        return Error{say::Interleaved};
    if (map.swizzle != 0 && map.swizzle != 32 && map.swizzle != 64 && map.swizzle != 128)
        return Error{say::SwizzleBytes(map.swizzle)};
    if (map.swizzle != 0 && row > map.swizzle)
        return Error{say::RowOverSwizzle(row, map.swizzle)};
    if (map.atom != 16 && (map.swizzle != 128 || (map.atom != 32 && map.atom != 64)))
        return Error{say::AtomBytes(map.atom)};
    if (map.flip && (map.atom != 32 || unit.bytes > 8))
        return Error{say::FlipBytes};
    if (map.l2 != 0 && map.l2 != 64 && map.l2 != 128 && map.l2 != 256)
        return Error{say::L2Fetch(map.l2)};
    if (map.fillNan && (map.type < TensorType::F16))
        return Error{say::OnlyFloatsNan};
    return {};
}

} // namespace warpglass
