// SPDX-License-Identifier: GPL-3.0-or-later
// What the kernels of tests/model/kernels compute, worked out on the host: a launch that goes wrong says nothing about
// time. Host sums are in double and in another order, hence the tolerances.
#pragma once

#include "gpu/launch/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpglass::testing {

// A launch that has run: what its buffers held before and hold now.
struct Ran {
    LaunchPlan plan;
    Buffers buffers;

    template <typename T>
    static std::vector<T> as(const std::vector<std::byte>& bytes) {
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
        return values;
    }
    std::size_t index(const std::string& name) const {
        for (std::size_t k = 0; k < plan.arguments.size(); ++k)
            if (plan.arguments[k].name == name)
                return k;
        throw std::out_of_range(name);
    }
    template <typename T = float>
    std::vector<T> before(const std::string& name) const {
        const Argument& a = plan.arguments[index(name)];
        std::vector<std::byte> bytes(a.count * std::uint64_t(bytesOf(a.type)));
        if (a.fill)
            a.fill(bytes);
        return as<T>(bytes);
    }
    template <typename T = float>
    std::vector<T> after(const std::string& name) const {
        return as<T>(buffers[index(name)]);
    }
    template <typename T = int>
    T value(const std::string& name) const {
        return as<T>(plan.arguments[index(name)].scalar).at(0);
    }
};

// Index of the first value that is further from the host's than allowed, and both.
inline void expectNear(const std::vector<float>& got, std::size_t count, const std::function<double(std::size_t)>& host,
                       double tolerance) {
    for (std::size_t k = 0; k < count; ++k) {
        const double wanted = host(k);
        ASSERT_NEAR(got.at(k), wanted, tolerance * std::max(1.0, std::abs(wanted))) << "element " << k;
    }
}
template <typename T>
void expectEqual(const std::vector<T>& got, const std::vector<T>& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    const auto [g, w] = std::mismatch(got.begin(), got.end(), wanted.begin());
    if (g != got.end()) {
        FAIL() << "element " << g - got.begin() << " is " << +*g << ", the host computes " << +*w;
    }
}

using HostCheck = std::function<void(const Ran&)>;   // expects of the results what the host computes
using HostChecks = std::map<std::string, HostCheck>; // [kernel]
HostChecks matrixChecks();
HostChecks neighbourChecks();
HostChecks orderChecks();
HostChecks arithmeticChecks();
HostChecks laterChecks();

} // namespace warpglass::testing
