// SPDX-License-Identifier: GPL-3.0-or-later
// Floats on processors without AVX2: the handlers for them must give the bits of those for AVX2, which the conformance
// files check. Both are run here on the same rows.
#include "gpu/emulator/lanes/alu.h"
#include "gpu/emulator/ops/scalar_ops.h"
#include "gpu/emulator/state/exec.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <memory>
#include <random>

namespace warpglass::emulator {
namespace {

#if defined(__x86_64__)

using ptx::Type;

constexpr std::uint32_t rowBytes = 256, sources = 5; // dst behind them

struct Registers {
    alignas(64) std::array<std::byte, rowBytes*(sources + 1)> bytes;
};

Row rowOf(std::uint32_t number) {
    FrameLayout layout;
    layout.rows(number * (rowBytes / 128));
    return layout.row(rowBytes / 32);
}

// Corners of halves and of f32, and drawn bits.
void fill(Registers& r, std::uint32_t seed) {
    std::mt19937 random(seed);
    constexpr std::uint32_t corners[] = {
        0,        0x8000,     1,          0x8001,     0x3ff,      0x400,      0x7bff,     0x7c00,
        0xfc00,   0x7c01,     0x7e00,     0xffff,     0x7f80,     0x7f7f,     0x7f81,     0x3c00,
        0x3f80,   0x7ff7,     0x007f,     0x0080,     0x80ff,     0x3f803c00, 0x477fefff, 0x477ff000,
        1u << 31, 0x33000000, 0x33000001, 0x38800000, 0x387fffff, 0x7f7fffff, 0xff800000};
    for (std::size_t at = 0; at < r.bytes.size(); at += 4) {
        std::uint32_t v = std::uint32_t(random());
        if (v % 3 == 0)
            v = corners[v / 3 % std::size(corners)] | corners[v / 211 % std::size(corners)] << 16;
        else if (v % 3 == 1)
            v = corners[v / 3 % std::size(corners)];
        std::memcpy(&r.bytes[at], &v, 4);
    }
}

// Halves of every fraction, near one: of 64 results none is below the normal ones, and often none is halfway between two.
void fillNearOne(Registers& r, std::uint32_t seed) {
    std::mt19937 random(seed);
    for (std::size_t at = 0; at < r.bytes.size(); at += 2) {
        const auto v = std::uint16_t(0x3400 + random() % 0x0c00 + random() % 2 * 0x8000);
        std::memcpy(&r.bytes[at], &v, 2);
    }
}

// Second operands that are neither 0 nor -1, with any width; every fourth time all of them are small.
void fillDivisors(Registers& r, std::uint32_t seed) {
    fill(r, seed);
    for (std::size_t at = rowBytes; at < 2 * rowBytes; at += 4) {
        std::uint32_t v = 0;
        std::memcpy(&v, &r.bytes[at], 4);
        if (seed % 4 == 0)
            v &= 0x000f000fu;
        const auto low = std::uint16_t(v);
        v = low == 0 || low == 0xffff ? v ^ 5 : v;
        std::memcpy(&r.bytes[at], &v, 4);
    }
}

void compare(Handler plain, Handler fast, Inst in, const std::string& what,
             void (*draw)(Registers&, std::uint32_t) = &fill) {
    ASSERT_NE(plain, nullptr) << what;
    ASSERT_NE(fast, nullptr) << what;
    in.a = rowOf(0);
    in.b = rowOf(1);
    in.c = rowOf(2);
    in.dst = rowOf(sources);
    for (std::uint32_t round = 0; round < 40; ++round) {
        auto x = std::make_unique<Exec>();
        x->mask = round % 2 == 0 ? ~0u : std::rotl(0x5a5a00ffu, int(round));
        Registers a, b;
        draw(a, round);
        b = a;
        x->rows = a.bytes.data();
        plain(*x, in);
        x->rows = b.bytes.data();
        fast(*x, in);
        for (std::size_t at = 0; at < a.bytes.size(); at += 4) {
            std::uint32_t got = 0, expected = 0;
            std::memcpy(&got, &a.bytes[at], 4);
            std::memcpy(&expected, &b.bytes[at], 4);
            ASSERT_EQ(got, expected) << what << ", round " << round << ", byte " << at;
        }
    }
}

bool fastHere() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("f16c");
}

TEST(InstructionSets, AgreeOnHalves) {
    if (!fastHere())
        GTEST_SKIP() << "a processor without AVX2";
    using enum HalfOp;
    for (const Type type : {Type::F16, Type::F16x2, Type::BF16, Type::BF16x2})
        for (const HalfOp op : {Add, Sub, Mul, Fma, Min, Max, Neg, Abs, Ex2, Tanh})
            for (std::uint32_t flags = 0; flags < 32; ++flags) {
                Inst in;
                in.half = {op,
                           type,
                           (flags & 1) != 0,
                           (flags & 2) != 0,
                           (flags & 4) != 0,
                           (flags & 8) != 0,
                           (flags & 16) != 0,
                           (flags & 8) != 0,
                           ptx::bytesOf(type) == 4};
                compare(baseline::halfHandler(in.half), avx2::halfHandler(in.half), in,
                        std::string(ptx::name(type)) + " operation " + std::to_string(int(op)) + " flags " +
                            std::to_string(flags));
            }
}

TEST(InstructionSets, AgreeOnHalvesThatNeedNoCare) {
    if (!fastHere())
        GTEST_SKIP() << "a processor without AVX2";
    for (const Type type : {Type::F16x2, Type::BF16x2}) {
        Inst in;
        in.half = {HalfOp::Fma, type};
        in.half.pair = true;
        compare(baseline::halfHandler(in.half), avx2::halfHandler(in.half), in, ptx::name(type), &fillNearOne);
    }
}

TEST(InstructionSets, AgreeOnEveryRounding) {
    if (!fastHere())
        GTEST_SKIP() << "a processor without AVX2";
    using enum FloatOp;
    for (const Type type : {Type::F32, Type::F32x2, Type::F16, Type::BF16})
        for (const FloatOp op : {Add, Sub, Mul, Fma, Div, Rcp, Sqrt})
            for (const auto round :
                 {ptx::Rounding::Nearest, ptx::Rounding::Zero, ptx::Rounding::Down, ptx::Rounding::Up}) {
                if (!baseline::roundedHandler(op, type))
                    continue;
                Inst in;
                in.real = {op, false, round == ptx::Rounding::Up, round == ptx::Rounding::Down, round};
                compare(baseline::roundedHandler(op, type), avx2::roundedHandler(op, type), in,
                        std::string(ptx::name(type)) + " operation " + std::to_string(int(op)));
            }
}

TEST(InstructionSets, AgreeOnConversions) {
    if (!fastHere())
        GTEST_SKIP() << "a processor without AVX2";
    for (const Type from : {Type::F16, Type::BF16, Type::F32, Type::S32, Type::U16})
        for (const Type to : {Type::F16, Type::BF16, Type::F32, Type::S32, Type::U32, Type::S16, Type::U8})
            for (const auto round :
                 {ptx::Rounding::Nearest, ptx::Rounding::Zero, ptx::Rounding::Down, ptx::Rounding::Up}) {
                Inst in;
                in.convert = {.to = to, .from = from, .round = round, .dstIs32 = true};
                compare(baseline::realConvertHandler(to, from), avx2::realConvertHandler(to, from), in,
                        std::string(ptx::name(to)) + " of " + ptx::name(from));
            }
    const auto packed = [](Type to, Type from, ptx::Rounding round) {
        Inst in;
        in.convert = {
            .to = to, .from = from, .round = round, .satfinite = true, .fourth = rowOf(3), .random = rowOf(4)};
        compare(baseline::packedConvertHandler(in.convert), avx2::packedConvertHandler(in.convert), in,
                std::string(ptx::name(to)) + " of " + ptx::name(from));
    };
    using ptx::Rounding;
    for (const Type to : {Type::F16x2, Type::BF16x2})
        for (const auto round : {Rounding::Nearest, Rounding::Zero, Rounding::Stochastic})
            packed(to, Type::F32, round);
    for (const Type small : {Type::E4M3x2, Type::E5M2x2, Type::E2M3x2, Type::E3M2x2, Type::E2M1x2}) {
        for (const Type from : {Type::F32, Type::F16x2, Type::BF16x2})
            packed(small, from, Rounding::Nearest);
        packed(Type::F16x2, small, Rounding::Nearest);
    }
    for (const Type small : {Type::E4M3x4, Type::E5M2x4, Type::E2M3x4, Type::E3M2x4, Type::E2M1x4})
        packed(small, Type::F32, Rounding::Stochastic);
    for (const auto round : {Rounding::Zero, Rounding::Up})
        packed(Type::UE8M0x2, Type::F32, round);
    for (const auto round : {Rounding::NearestAway, Rounding::Nearest, Rounding::Zero})
        packed(Type::TF32, Type::F32, round);
}

TEST(InstructionSets, AgreeOnDivisions) {
    if (!fastHere())
        GTEST_SKIP() << "a processor without AVX2";
    for (const Type type : {Type::U16, Type::S16, Type::U32, Type::S32})
        for (const bool remainder : {false, true}) {
            const Handler plain = divideHandler(type, remainder); // lane by lane
            compare(plain, baseline::divisionHandler(type, remainder), {}, "plain", &fillDivisors);
            compare(plain, avx2::divisionHandler(type, remainder), {}, "AVX2", &fillDivisors);
        }
}

// What an H200 takes the sine and the cosine of: x / 2 pi as f32, cut to f32 and then to 2^-25 of a turn.
double angleOnHardware(double x) {
    const int before = std::fegetround();
    std::fesetround(FE_TOWARDZERO);
    volatile float turns = float(x);
    turns = turns * 0.15915493667125701904f;
    std::fesetround(before);
    const double cut = std::trunc(double(turns) * 0x1p25) * 0x1p-25;
    return std::remainder(cut, 1.0) * (2 * 3.14159265358979323846);
}

// Both ways give the same bits, and no more than the last of them differs from the library's, worked out in f64 (near a
// zero of the sine, which no f64 angle meets, that may be more).
TEST(InstructionSets, AgreeOnApproximations) {
    if (!fastHere())
        GTEST_SKIP() << "a processor without AVX2";
    struct Function {
        FloatOp op;
        double (*f)(double);
    };
    const Function functions[] = {{FloatOp::Sin, [](double v) { return std::sin(angleOnHardware(v)); }},
                                  {FloatOp::Cos, [](double v) { return std::cos(angleOnHardware(v)); }},
                                  {FloatOp::Ex2, [](double v) { return std::exp2(v); }},
                                  {FloatOp::Lg2, [](double v) { return std::log2(v); }},
                                  {FloatOp::Tanh, [](double v) { return std::tanh(v); }},
                                  {FloatOp::Rsqrt, [](double v) { return 1 / std::sqrt(v); }}};
    constexpr float corners[] = {0.0f,        -0.0f,       1.0f,        -1.0f,     0.5f,      2.0f,
                                 1e-40f,      -1e-40f,     0x1p-126f,   3.0e38f,   -3.0e38f,  HUGE_VALF,
                                 -HUGE_VALF,  127.99999f,  128.0f,      -126.5f,   -149.0f,   -150.0f,
                                 -151.0f,     3.14159274f, 1.57079637f, 524287.0f, 524288.0f, 1e20f,
                                 0.99999994f, 1.00000012f, 0.70710677f, 9.0f,      10.0f,     __builtin_nanf("")};
    std::mt19937 random(5);
    for (const Function& function : functions)
        for (std::uint32_t round = 0; round < 200; ++round) {
            Registers plain;
            std::array<float, 32> v;
            for (std::size_t i = 0; i < 32; ++i) {
                const float part = float(random()) / 4294967296.0f;
                v[i] = round == 0 && i < std::size(corners) ? corners[i]
                       : round % 2                          ? (part - 0.5f) * std::ldexp(1.0f, int(random() % 24) - 8)
                                                            : std::bit_cast<float>(std::uint32_t(random()));
            }
            std::memcpy(plain.bytes.data(), v.data(), sizeof v);
            Registers fast = plain;
            Inst in;
            in.real.op = function.op;
            in.dst = rowOf(1);
            auto x = std::make_unique<Exec>();
            x->mask = ~0u;
            x->rows = plain.bytes.data();
            baseline::approximateHandler(function.op)(*x, in);
            x->rows = fast.bytes.data();
            avx2::approximateHandler(function.op)(*x, in);
            if (hasAvx512()) {
                Registers widest = plain;
                x->rows = widest.bytes.data();
                avx512::approximateHandler(function.op)(*x, in);
                ASSERT_EQ(widest.bytes, plain.bytes) << "operation " << int(function.op);
            }
            for (std::size_t i = 0; i < 32; ++i) {
                std::uint32_t a = 0, b = 0;
                std::memcpy(&a, &plain.bytes[rowBytes + 4 * i], 4);
                std::memcpy(&b, &fast.bytes[rowBytes + 4 * i], 4);
                ASSERT_EQ(a, b) << "operation " << int(function.op) << " of " << v[i];
                const float r = std::bit_cast<float>(a), expected = float(function.f(double(v[i])));
                if (expected != expected)
                    ASSERT_EQ(a, 0x7fffffffu) << "operation " << int(function.op) << " of " << v[i];
                else if (expected == 0 || std::isinf(expected))
                    ASSERT_EQ(a, std::bit_cast<std::uint32_t>(expected)) << int(function.op) << " of " << v[i];
                else
                    ASSERT_TRUE(r == expected || r == std::nextafter(expected, HUGE_VALF) ||
                                r == std::nextafter(expected, -HUGE_VALF) ||
                                (std::abs(expected) < 0x1p-40f && std::abs(r - expected) < 0x1p-60f &&
                                 (function.op == FloatOp::Sin || function.op == FloatOp::Cos)))
                        << "operation " << int(function.op) << " of " << v[i] << ": " << r << ", not " << expected;
            }
        }
}

TEST(InstructionSets, FindLanesWithTheSameByte) {
    if (!fastHere())
        GTEST_SKIP() << "a processor without AVX2";
    std::mt19937 random(3);
    for (std::uint32_t range : {1u, 3u, 40u, 256u}) {
        std::array<std::uint8_t, 32> bytes;
        for (auto& b : bytes)
            b = std::uint8_t(random() % range);
        std::array<std::uint32_t, 32> plain, fast;
        plain.fill(0xfff0ffffu);
        fast = plain;
        baseline::keepEqual(bytes.data(), plain.data());
        avx2::keepEqual(bytes.data(), fast.data());
        for (std::size_t i = 0; i < 32; ++i) {
            std::uint32_t expected = 0;
            for (std::size_t k = 0; k < 32; ++k)
                expected |= std::uint32_t(bytes[k] == bytes[i] && (k < 16 || k > 19)) << k;
            ASSERT_EQ(plain[i], expected) << i;
            ASSERT_EQ(fast[i], expected) << i;
        }
    }
}

#endif

} // namespace
} // namespace warpglass::emulator
