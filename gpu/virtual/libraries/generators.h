// SPDX-License-Identifier: GPL-3.0-or-later
// Generators of pseudorandom numbers by the papers that describe them. How a seed becomes a state is our own, since cuRAND's is
// not published; a seed of 0 is the paper's own state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace warpglass::virtual_device {

class Generator {
public:
    virtual ~Generator() = default;
    virtual std::uint32_t next() = 0;
    virtual std::uint64_t nextWide() { return next() | std::uint64_t(next()) << 32; }
    virtual double unit();     // from 0 (never it) to 1
    virtual double fineUnit(); // the same with 53 bits
    virtual void skip(std::uint64_t count);
    virtual void begin(std::size_t) {}                // so many are asked for at once
    virtual unsigned dimensions() const { return 0; } // 0: it is none that fills a space evenly
    virtual bool isWide() const { return false; }     // its words have 64 bits
};

enum class GeneratorKind : int {
    Xorwow = 101,
    Mrg32k3a = 121,
    Mtgp32 = 141,
    Mt19937 = 142,
    Philox4x32 = 161,
    Sobol32 = 201,
    ScrambledSobol32 = 202,
    Sobol64 = 203,
    ScrambledSobol64 = 204
};
// Null: no pseudorandom generator of that number is here.
std::unique_ptr<Generator> makeGenerator(GeneratorKind kind, std::uint64_t seed);

} // namespace warpglass::virtual_device
