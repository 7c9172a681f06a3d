// SPDX-License-Identifier: GPL-3.0-or-later
// How the tests of this folder launch a kernel: made for each of its targets, on the emulator in both policies, with all
// checks on and without a word of blame, and on the GPU where there is one that the target is made for.
#pragma once

#include "gpu/launch/backend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace warpglass::own_kernels {

using Ints = std::vector<int>;
using Floats = std::vector<float>;

template <class T>
Argument in(std::string name, std::vector<T> data) {
    Argument a;
    a.name = std::move(name);
    a.isBuffer = true;
    a.type = sizeof(T) == 1   ? ElementType::U8
             : sizeof(T) == 2 ? ElementType::U16
             : sizeof(T) == 8 ? ElementType::U64
                              : ElementType::I32; // bytes are all that matters
    a.count = data.size() * sizeof(T) / std::size_t(bytesOf(a.type));
    a.fill = [data](std::span<std::byte> to) { std::memcpy(to.data(), data.data(), to.size()); };
    return a;
}
template <class T>
Argument out(std::string name, std::size_t count) {
    return in(std::move(name), std::vector<T>(count));
}
Argument value(int v);

template <class T>
std::vector<T> result(const Recording& r, std::size_t argument) {
    std::vector<T> v(r.buffers.at(argument).size() / sizeof(T));
    std::memcpy(v.data(), r.buffers[argument].data(), v.size() * sizeof(T));
    return v;
}

struct Launch {
    std::string entry;
    Dim3 grid, block;
    std::vector<Argument> arguments;
    std::vector<Argument> others = {}; // buffers that no parameter points to
    std::string file = "own_kernels";
    std::vector<std::string> targets = {"75", "90"};
};

// judge: looks at a recording's buffers.
void everywhere(const Launch& launch, const std::function<void(const Recording&)>& judge);

template <class T>
void equals(const Launch& launch, std::size_t argument, const std::vector<T>& expected) {
    everywhere(launch, [&](const Recording& r) { EXPECT_EQ(result<T>(r, argument), expected); });
}
template <class T>
void near(const Launch& launch, std::size_t argument, const std::vector<double>& expected, double tolerance) {
    everywhere(launch, [&](const Recording& r) {
        const auto got = result<T>(r, argument);
        ASSERT_EQ(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i)
            ASSERT_NEAR(double(got[i]), expected[i], tolerance * std::max(1.0, std::abs(expected[i]))) << i;
    });
}

template <class T>
std::vector<T> randoms(std::size_t n, int low, int high, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> of(low, high);
    std::vector<T> v(n);
    std::generate(v.begin(), v.end(), [&] { return T(of(random)); });
    return v;
}
Floats fractions(std::size_t n, unsigned seed); // -1 to 1

} // namespace warpglass::own_kernels
