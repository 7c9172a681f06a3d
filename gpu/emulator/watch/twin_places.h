// SPDX-License-Identifier: GPL-3.0-or-later
// Where numbers lie in words, and what they are: for the files of TwinWatch.
#pragma once

#include "gpu/emulator/watch/twin_numbers.h"
#include "gpu/launch/half.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace warpglass::emulator {

template <class T>
T twinValueAt(const std::byte* from) {
    T v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
inline std::size_t numbersIn(ptx::Type type) {
    return type == ptx::Type::F16x2 || type == ptx::Type::BF16x2 || type == ptx::Type::F32x2 ? 2 : 1;
}
// Where a lane's number lies from the row's beginning on, and of what type it is by itself.
struct NumberPlace {
    std::uint32_t byte = 0;
    ptx::Type type = ptx::Type::F32;
};
inline NumberPlace placeIn(ptx::Type type, int lane, std::size_t which) {
    const auto n = std::uint32_t(lane), k = std::uint32_t(which);
    switch (type) {
    case ptx::Type::F64:
        return {8 * n, ptx::Type::F64};
    case ptx::Type::F32x2:
        return {8 * n + 4 * k, ptx::Type::F32};
    case ptx::Type::F16:
    case ptx::Type::F16x2:
        return {4 * n + 2 * k, ptx::Type::F16};
    case ptx::Type::BF16:
    case ptx::Type::BF16x2:
        return {4 * n + 2 * k, ptx::Type::BF16};
    default:
        return {4 * n, ptx::Type::F32};
    }
}
inline double realOf(const std::byte* from, ptx::Type type) {
    switch (type) {
    case ptx::Type::F64:
        return twinValueAt<double>(from);
    case ptx::Type::F16:
        return valueOf(twinValueAt<std::uint16_t>(from), binary16);
    case ptx::Type::BF16:
        return valueOf(twinValueAt<std::uint16_t>(from), bfloat16);
    default:
        return double(twinValueAt<float>(from));
    }
}
inline TwinNumber anew(double real, ptx::Type type) {
    TwinNumber n;
    n.twin = real;
    n.scale = float(std::fmin(std::fabs(real), double(std::numeric_limits<float>::max())));
    n.type = type;
    return n;
}
inline std::uint32_t byteOf(Row row) {
    return std::uint32_t(std::hash<Row>()(row));
}

} // namespace warpglass::emulator
