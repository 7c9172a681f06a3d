// SPDX-License-Identifier: GPL-3.0-or-later
// Generators of pseudorandom numbers by the papers that describe them. How a seed becomes a state is our own, since cuRAND's is
// not published; a seed of 0 is the paper's own state.
#pragma once

#include <cstdint>
#include <memory>

namespace warpglass::virtual_device {

class Generator {
public:
    virtual ~Generator() = default;
    virtual std::uint32_t next() = 0;
    virtual double unit();     // from 0 (never it) to 1
    virtual double fineUnit(); // the same with 53 bits
    virtual void skip(std::uint64_t count);
};

enum class GeneratorKind : int { Xorwow = 101, Mrg32k3a = 121, Mt19937 = 142, Philox4x32 = 161 };
// Null: no generator of that number is here.
std::unique_ptr<Generator> makeGenerator(GeneratorKind kind, std::uint64_t seed);

} // namespace warpglass::virtual_device
