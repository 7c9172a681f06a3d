// SPDX-License-Identifier: GPL-3.0-or-later
// What goes into the kernels' buffers, and how what comes out is judged.
//
// Every input is a function of the element's number, so that a check can compute it again without keeping a copy; that
// is what makes checking an in-place reduction possible after the kernel has overwritten its input.
#pragma once

#include "gpu/base/messages/launch.h"
#include "gpu/launch/plan.h"

#include <fmt/format.h>

#include <cstring>
#include <functional>
#include <type_traits>

namespace warpglass::kernels {

// A number from 0 to 255 for element i, as good as random: the element's number scrambled by multiplications and
// shifts.
constexpr int byteOf(std::uint64_t i) {
    std::uint32_t x = (std::uint32_t(i) + 1u) * 0x9e3779b9u;
    x = (x ^ (x >> 15)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return int(x >> 24);
}

// The two inputs of a kernel that takes two: the second is the first from another place on.
constexpr float leftInput(std::uint64_t i) {
    return float(byteOf(i));
}
constexpr float rightInput(std::uint64_t i) {
    return float(byteOf(i + 1'000'003));
}

enum class DataKind : std::int64_t { Random, Documents, Index, Ones };
// One element of a reduction's input: a random byte; the documents' 3 1 7 0 4 1 6 3 over and over; i & 0xff; one.
int dataAt(DataKind kind, std::uint64_t i);

template <typename T>
constexpr ElementType elementType() {
    if constexpr (std::is_same_v<T, float>)
        return ElementType::F32;
    else if constexpr (std::is_same_v<T, int>)
        return ElementType::I32;
    else {
        static_assert(std::is_same_v<T, std::uint32_t>);
        return ElementType::U32;
    }
}

// A buffer with value(i) in its first filled elements and zeros after them.
template <typename T, typename Value>
Argument inBuffer(std::string name, std::uint64_t count, std::uint64_t filled, Value value) {
    Argument argument{.name = std::move(name), .isBuffer = true, .type = elementType<T>(), .count = count};
    argument.fill = [filled, value](std::span<std::byte> bytes) {
        for (std::uint64_t i = 0; i < filled; ++i) {
            const T element = value(i);
            std::memcpy(bytes.data() + i * sizeof(T), &element, sizeof(T));
        }
    };
    return argument;
}

template <typename T, typename Value>
Argument inBuffer(std::string name, std::uint64_t count, Value value) {
    return inBuffer<T>(std::move(name), count, count, value);
}

// A buffer that the kernel only writes.
template <typename T>
Argument outBuffer(std::string name, std::uint64_t count) {
    return {.name = std::move(name), .isBuffer = true, .type = elementType<T>(), .count = count, .uninitialised = true};
}

// A buffer of zeros that the kernel adds to.
template <typename T>
Argument counterBuffer(std::string name, std::uint64_t count) {
    return {.name = std::move(name), .isBuffer = true, .type = elementType<T>(), .count = count};
}

template <typename T>
Argument scalar(std::string name, T value) {
    Argument argument{.name = std::move(name), .type = elementType<T>(), .scalar = std::vector<std::byte>(sizeof(T))};
    std::memcpy(argument.scalar.data(), &value, sizeof(T));
    return argument;
}

// The first count elements of a buffer must be expected(i), exactly; data are chosen so that sums are exact in float
// too.
template <typename T, typename Expected>
std::function<CheckResult(const Buffers&)> expect(std::size_t argument, std::string name, std::uint64_t count,
                                                  Expected expected) {
    return [=](const Buffers& buffers) -> CheckResult {
        if (argument >= buffers.size() || buffers[argument].size() < count * sizeof(T))
            return {Check::Wrong, say::NotWhole(name)};
        CheckResult result{Check::Ok, {}, 0, count};
        std::uint64_t first = 0;
        T firstGot{};
        for (std::uint64_t i = 0; i < count; ++i) {
            T got;
            std::memcpy(&got, buffers[argument].data() + i * sizeof(T), sizeof(T));
            if (got == expected(i))
                continue;
            if (result.wrongValues++ == 0) {
                first = i;
                firstGot = got;
            }
        }
        if (result.wrongValues == 0)
            return result;
        result.check = Check::Wrong;
        const std::string got = fmt::format("{}", firstGot), want = fmt::format("{}", T(expected(first)));
        result.why = result.wrongValues > 1 ? say::ElementsWrong(name, first, got, want, result.wrongValues, count)
                                            : say::ElementWrong(name, first, got, want);
        return result;
    };
}

} // namespace warpglass::kernels
