// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/reduce.h"
#include "gpu/emulator/lanes/half.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace warpglass::emulator {

using ptx::Operation;
using ptx::Type;

namespace {

template <class T, class F>
bool with(std::byte* at, const std::byte* value, F f) {
    T old, v;
    std::memcpy(&old, at, sizeof v);
    std::memcpy(&v, value, sizeof v);
    const T result = f(old, v);
    std::memcpy(at, &result, sizeof v);
    return true;
}

template <class T>
bool whole(std::byte* at, const std::byte* value, Operation op) {
    using U = std::make_unsigned_t<T>;
    switch (op) {
    case Operation::Add:
        return with<T>(at, value, [](T a, T b) { return T(U(a) + U(b)); });
    case Operation::Min:
        return with<T>(at, value, [](T a, T b) { return std::min(a, b); });
    case Operation::Max:
        return with<T>(at, value, [](T a, T b) { return std::max(a, b); });
    case Operation::And:
        return with<T>(at, value, [](T a, T b) { return T(a & b); });
    case Operation::Or:
        return with<T>(at, value, [](T a, T b) { return T(a | b); });
    case Operation::Xor:
        return with<T>(at, value, [](T a, T b) { return T(a ^ b); });
    case Operation::Inc:
        return with<T>(at, value, [](T a, T b) { return U(a) >= U(b) ? T(0) : T(a + 1); });
    case Operation::Dec:
        return with<T>(at, value, [](T a, T b) { return a == 0 || U(a) > U(b) ? b : T(a - 1); });
    default:
        return false;
    }
}

template <class T>
bool real(std::byte* at, const std::byte* value, Operation op) {
    return op == Operation::Add && with<T>(at, value, [](T a, T b) { return a + b; });
}

// Halves: sums are rounded once, since a float holds the sum of two of them with room to spare for that.
template <class Read, class Write>
bool half(std::byte* at, const std::byte* value, Operation op, Read read, Write write) {
    const auto number = [&](float (*f)(float, float)) {
        return with<std::uint16_t>(at, value,
                                   [&](std::uint16_t a, std::uint16_t b) { return write(f(read(a), read(b))); });
    };
    switch (op) {
    case Operation::Add:
        return number([](float a, float b) { return a + b; });
    case Operation::Min:
        return number([](float a, float b) { return std::fmin(a, b); });
    case Operation::Max:
        return number([](float a, float b) { return std::fmax(a, b); });
    default:
        return false;
    }
}

} // namespace

bool reduceElement(std::byte* at, const std::byte* value, Operation op, Type type) {
    switch (type) {
    case Type::B32:
    case Type::U32:
        return whole<std::uint32_t>(at, value, op);
    case Type::S32:
        return whole<std::int32_t>(at, value, op);
    case Type::B64:
    case Type::U64:
        return whole<std::uint64_t>(at, value, op);
    case Type::S64:
        return whole<std::int64_t>(at, value, op);
    case Type::F32:
        return real<float>(at, value, op);
    case Type::F64:
        return real<double>(at, value, op);
    case Type::F16:
        return half(at, value, op, &halfToFloat, [](float f) { return floatToHalf(f); });
    case Type::BF16:
        return half(
            at, value, op, [](std::uint16_t b) { return std::bit_cast<float>(std::uint32_t(b) << 16); },
            [](float f) { return floatToBf16(f); });
    default:
        return false;
    }
}

} // namespace warpglass::emulator
