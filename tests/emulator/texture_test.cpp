// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels with textures and surfaces against the host. The host follows the formulas of the CUDA C++ Programming Guide
// ("Texture Fetching") with real weights; a texture unit keeps 8 bits of a weight behind the point, which is the tolerance.
#include "gpu/emulator/texture/sampling.h"
#include "gpu/launch/texture_words.h"
#include "tests/emulator/run_kernel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace warpglass::testing {
namespace {

// A pattern without symmetry, from 0 up to 1, in binary fractions that a spec's decimals say exactly.
float pixel(int n) {
    return float(n * 37 % 64) / 64;
}

std::string pixels(int count) {
    std::string text;
    for (int n = 0; n < count; ++n)
        text += (n ? "," : "") + std::to_string(pixel(n));
    return text;
}

Argument object(const std::string& name) {
    Argument a{.name = name, .type = ElementType::Ptr};
    a.scalar.resize(8);
    a.pointers.push_back({.offset = 0, .buffer = name});
    return a;
}

struct TextureKernel : Kernel {
    TextureKernel(const std::string& entry, std::uint32_t threads, std::vector<Argument> arguments)
        : Kernel(entry, {(threads + 31) / 32}, {32}, std::move(arguments), "textures.ptx") {}
    TextureKernel& texture(const std::string& spec) {
        if (auto ok = addTexture(plan, spec); !ok)
            throw std::runtime_error(ok.error().text());
        return *this;
    }
    TextureKernel& surface(const std::string& spec) {
        if (auto ok = addSurface(plan, spec); !ok)
            throw std::runtime_error(ok.error().text());
        return *this;
    }
};

std::vector<float> floats(const std::vector<std::byte>& bytes) {
    std::vector<float> values(bytes.size() / 4);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

int clamped(int i, int size) {
    return std::clamp(i, 0, size - 1);
}

// One axis of a linear filter: the lower texel and the share of the next.
struct Between {
    int low;
    double share;
    explicit Between(double x) : low(int(std::floor(x - 0.5))), share(x - 0.5 - std::floor(x - 0.5)) {}
};

double linear2d(double x, double y, int width, int height, const std::function<double(int, int)>& texel) {
    const Between u(x), v(y);
    const auto at = [&](int i, int j) { return texel(clamped(i, width), clamped(j, height)); };
    return (1 - u.share) * (1 - v.share) * at(u.low, v.low) + u.share * (1 - v.share) * at(u.low + 1, v.low) +
           (1 - u.share) * v.share * at(u.low, v.low + 1) + u.share * v.share * at(u.low + 1, v.low + 1);
}

constexpr double filterStep = 1.0 / 256; // of values from 0 to 1: two axes, each half a step of 1/256 wrong

TEST(Texture, RotatesAnImage) {
    constexpr int width = 20, height = 12;
    const float cosine = 0.8f, sine = 0.6f;
    auto k = TextureKernel("rotate", width * height,
                           {buffer(std::vector<float>(width * height), "out"), object("image"), value(width),
                            value(height), value(cosine), value(sine)});
    k.texture("image=2d:20x12:f32:linear,clamp,normalized:" + pixels(width * height));
    const auto r = k.run();
    ASSERT_FALSE(r.fault);
    const auto out = floats(r.buffers[0]);
    for (int n = 0; n < width * height; ++n) {
        const double u = (n % width + 0.5) / width - 0.5, v = (n / width + 0.5) / height - 0.5;
        const double x = (u * double(cosine) - v * double(sine) + 0.5) * width;
        const double y = (u * double(sine) + v * double(cosine) + 0.5) * height;
        const double expected =
            linear2d(x, y, width, height, [](int i, int j) { return double(pixel(j * width + i)); });
        EXPECT_NEAR(double(out[std::size_t(n)]), expected, filterStep) << n;
    }
}

TEST(Texture, InterpolatesBySplines) {
    constexpr int width = 16, height = 9;
    const float dx = 0.3f, dy = 0.6f;
    auto k = TextureKernel("bicubic", width * height,
                           {buffer(std::vector<float>(width * height), "out"), object("image"), value(width),
                            value(height), value(dx), value(dy)});
    k.texture("image=2d:16x9:f32:point,clamp:" + pixels(width * height));
    const auto out = floats(k.run().buffers[0]);
    const auto spline = [](double t, int i) { // the four pieces of the uniform cubic B-spline
        const double w[4] = {std::pow(1 - t, 3) / 6, (3 * t * t * t - 6 * t * t + 4) / 6,
                             (-3 * t * t * t + 3 * t * t + 3 * t + 1) / 6, t * t * t / 6};
        return w[i];
    };
    for (int n = 0; n < width * height; ++n) {
        const double tx = double(float(n % width) + dx) - n % width, ty = double(float(n / width) + dy) - n / width;
        double sum = 0;
        for (int b = 0; b < 4; ++b)
            for (int a = 0; a < 4; ++a)
                sum += spline(tx, a) * spline(ty, b) *
                       double(pixel(clamped(n / width + b - 1, height) * width + clamped(n % width + a - 1, width)));
        EXPECT_NEAR(double(out[std::size_t(n)]), sum, 1e-5) << n;
    }
}

TEST(Texture, SlicesAVolume) {
    constexpr int side = 10, w = 6, h = 5, d = 4;
    auto k = TextureKernel("slice", side * side,
                           {buffer(std::vector<float>(side * side), "out"), object("volume"), value(side)});
    k.texture("volume=3d:6x5x4:f32:linear,clamp,normalized:" + pixels(w * h * d));
    const auto out = floats(k.run().buffers[0]);
    for (int n = 0; n < side * side; ++n) {
        const double x = (n % side + 0.5) / side, y = (n / side + 0.5) / side, z = 0.25 + (x + y) / 4;
        const Between depth(z * d);
        const auto plane = [&](int slice) {
            return linear2d(x * w, y * h, w, h,
                            [&](int i, int j) { return double(pixel((clamped(slice, d) * h + j) * w + i)); });
        };
        const double expected = plane(depth.low) * (1 - depth.share) + plane(depth.low + 1) * depth.share;
        EXPECT_NEAR(double(out[std::size_t(n)]), expected, 2 * filterStep) << n;
    }
}

TEST(Texture, KeepsLayersApart) {
    constexpr int w = 5, h = 4, layers = 3;
    auto k = TextureKernel(
        "layers", w * h * layers,
        {buffer(std::vector<float>(w * h * layers), "out"), object("images"), value(w), value(h), value(layers)});
    k.texture("images=2dlayered:5x4x3:f32:linear,clamp:" + pixels(w * h * layers));
    const auto out = floats(k.run().buffers[0]);
    for (int n = 0; n < w * h * layers; ++n) {
        const int layer = n / (w * h), at = n % (w * h);
        const double expected = layer + linear2d(at % w + 0.25, at / w + 0.75, w, h, [&](int i, int j) {
                                    return double(pixel(layer * w * h + j * w + i));
                                });
        EXPECT_NEAR(double(out[std::size_t(n)]), expected, filterStep) << n;
    }
}

// Each face of the cube has one value: 10, 20, ... for +x, -x, +y, -y, +z, -z.
TEST(Texture, LooksUpTheFaceOfACube) {
    const std::vector<float> directions{1,   .2f, -.3f, -1,  .2f, -.3f, .2f, 1, .3f, .2f, -1, .3f,
                                        .1f, .2f, 1,    .1f, .2f, -1,   -2,  1, 1,   1,   1,  3};
    constexpr int count = 8;
    auto k = TextureKernel(
        "sky", count,
        {buffer(std::vector<float>(count * 4), "out"), object("cube"), buffer(directions, "directions"), value(count)});
    std::string faces;
    for (int face = 0; face < 6; ++face)
        for (int n = 0; n < 4; ++n)
            for (int channel = 0; channel < 4; ++channel)
                faces += (faces.empty() ? "" : ",") + std::to_string(channel == 3 ? 1 : 10 * (face + 1) + channel);
    k.texture("cube=cube:2x2:f32x4:linear,clamp,normalized:" + faces);
    const auto out = floats(k.run().buffers[0]);
    const std::array<float, count> expected{10, 20, 30, 40, 50, 60, 20, 50};
    for (std::size_t n = 0; n < count; ++n) {
        EXPECT_EQ(out[4 * n], expected[n]) << n;
        EXPECT_EQ(out[4 * n + 2], expected[n] + 2) << n;
        EXPECT_EQ(out[4 * n + 3], 1) << n;
    }
}

// An H200's answers about the edges of texels, where the width is no power of two and a float no exact share of it: element
// n is n, height 1. Of 65,868 that were measured, those in which all bits of the coordinate would give something else, and
// some of their neighbours.
TEST(Texture, KeepsTwentyOneBitsOfANormalisedCoordinate) {
    struct Measured {
        bool linear, wrap;
        std::uint32_t width;
        float at, value;
    };
    constexpr Measured measured[] = {
        {false, false, 3, 0x1.555556p-2f, 0.0f},         {false, false, 3, 0x1.555558p-2f, 0.0f},
        {false, false, 3, 0x1.55555ap-2f, 0.0f},         {false, false, 3, 0x1.555554p-1f, 1.0f},
        {false, false, 3, 0x1.555552p-1f, 1.0f},         {false, false, 5, 0x1.99999ap-3f, 0.0f},
        {false, false, 5, 0x1.99999cp-3f, 0.0f},         {false, false, 5, 0x1.99999ep-3f, 0.0f},
        {false, false, 5, 0x1.333332p-1f, 2.0f},         {false, false, 5, 0x1.33333p-1f, 2.0f},
        {false, false, 7, 0x1.24924ap-3f, 0.0f},         {false, false, 7, 0x1.24924cp-3f, 0.0f},
        {false, false, 7, 0x1.24924ep-3f, 0.0f},         {false, false, 7, 0x1.249252p-1f, 4.0f},
        {false, false, 7, 0x1.249242p-1f, 3.0f},         {false, false, 100, 0x1.47ae16p-7f, 0.0f},
        {false, false, 100, 0x1.47ae18p-7f, 0.0f},       {false, false, 100, 0x1.47ae1ap-7f, 0.0f},
        {false, false, 100, -0x1.5c1eb8p-3f, 0.0f},      {false, false, 100, -0x1.5c3334p-3f, 0.0f},
        {false, true, 3, -0x1.555554p-1f, 0.0f},         {false, true, 3, -0x1.555552p-1f, 0.0f},
        {false, true, 3, -0x1.555554p-2f, 1.0f},         {false, true, 3, 0x1.55554ep-1f, 1.0f},
        {false, true, 3, 0x1.56aaaap-1f, 2.0f},          {false, true, 5, -0x1.999998p-1f, 0.0f},
        {false, true, 5, -0x1.999996p-1f, 0.0f},         {false, true, 5, -0x1.999994p-1f, 0.0f},
        {false, true, 5, 0x1.326666p-1f, 2.0f},          {false, true, 5, 0x1.33999ap-1f, 3.0f},
        {false, true, 7, -0x1.b6db6cp-1f, 0.0f},         {false, true, 7, -0x1.b6db6ap-1f, 0.0f},
        {false, true, 7, -0x1.b6db68p-1f, 0.0f},         {false, true, 7, 0x1.249b6ep-1f, 4.0f},
        {false, true, 7, 0x1.248924p-1f, 3.0f},          {false, true, 100, -0x1.fae146p-1f, 0.0f},
        {false, true, 100, -0x1.fae144p-1f, 0.0f},       {false, true, 100, -0x1.fae142p-1f, 0.0f},
        {false, true, 100, -0x1.999eb8p-4f, 89.0f},      {false, true, 100, -0x1.99970ap-4f, 90.0f},
        {true, false, 3, 0x1.555556p-1f, 1.5f},          {true, false, 3, 0x1.555558p-1f, 1.5f},
        {true, false, 5, 0x1.993334p-2f, 1.49609375f},   {true, false, 5, 0x1.333334p-1f, 2.5f},
        {true, false, 5, 0x1.333336p-1f, 2.5f},          {true, false, 7, 0x1.24db6ep-2f, 1.5f},
        {true, false, 7, 0x1.b6924ap-2f, 2.49609375f},   {true, false, 7, 0x1.24b6dcp-1f, 3.5f},
        {true, false, 7, 0x1.b6db4ap-2f, 2.5f},          {true, false, 7, 0x1.24924ap-1f, 3.5f},
        {true, false, 100, 0x1.4851ecp-7f, 0.5f},        {true, false, 100, 0x1.470a3ep-7f, 0.49609375f},
        {true, false, 100, 0x1.eb3334p-6f, 2.49609375f}, {true, false, 100, -0x1.c28f86p-4f, 0.0f},
        {true, false, 100, -0x1.c28f48p-4f, 0.0f},       {true, true, 3, -0x1.ffaaaap-1f, 1.0f},
        {true, true, 3, -0x1.002aaap+0f, 1.0078125f},    {true, true, 3, -0x1.55aaaap-1f, 0.49609375f},
        {true, true, 3, 0x1.555558p-1f, 1.5f},           {true, true, 3, 0x1.555554p-1f, 1.5f},
        {true, true, 5, -0x1.ffccccp-1f, 2.0f},          {true, true, 5, -0x1.996666p-1f, 0.5f},
        {true, true, 5, -0x1.99ccccp-1f, 0.49609375f},   {true, true, 5, 0x1.333332p-1f, 2.5f},
        {true, true, 5, 0x1.333338p-1f, 2.5f},           {true, true, 7, -0x1.246db6p-1f, 2.5f},
        {true, true, 7, -0x1.b72492p-2f, 3.49609375f},   {true, true, 7, -0x1.244924p-2f, 4.5f},
        {true, true, 7, 0x1.b6db92p-2f, 2.5f},           {true, true, 7, 0x1.b6db4ap-2f, 2.5f},
        {true, true, 100, -0x1.fadeb8p-1f, 0.5f},        {true, true, 100, -0x1.f5c51ep-1f, 1.49609375f},
        {true, true, 100, -0x1.f0a666p-1f, 2.49609375f}, {true, true, 100, -0x1.99999p-4f, 89.5f},
        {true, true, 100, -0x1.9999a4p-4f, 89.5f},
    };
    for (const Measured& m : measured) {
        std::vector<float> texels(m.width);
        std::iota(texels.begin(), texels.end(), 0.0f);
        emulator::BoundArray array;
        array.array.extent = {m.width, 1, 1};
        array.data = reinterpret_cast<std::byte*>(texels.data());
        array.levelOffset = {0};
        Sampler sampler;
        sampler.linear = m.linear;
        sampler.normalized = true;
        sampler.address[0] = m.wrap ? AddressMode::Wrap : AddressMode::Clamp;
        emulator::Fetch fetch;
        fetch.at = {m.at, 0.5f, 0};
        const float got = std::bit_cast<float>(emulator::sample(array, sampler, fetch).bits[0]);
        EXPECT_NEAR(got, m.value, 1e-6f * m.width)
            << m.width << (m.linear ? ", filtered, at " : ", nearest, at ") << fmt::format("{:a}", m.at);
    }
}

// Weights that an H200 gives its corners, in 256ths: a texture of 8x8 (x4) texels holds 1 where x, y and z have the
// parities in question and 0 elsewhere, so that what is fetched is one corner's weight. Some of 9,000 and 6,000; in the
// first of each a share is exactly a half. The corners are (0,0), (1,0), (0,1), (1,1) by parity of x and y, z even, and
// in volumes (1,0) with z odd.
TEST(Texture, SharesOutWeightsAsTheHardwareDoes) {
    struct Measured {
        float x, y, z;
        std::array<int, 5> weight;
    };
    constexpr Measured planes[] = {
        {0x1.9f9p+0f, 0x1.41p+2f, 0.0f, {15, 109, 17, 115}},    {0x1.35cp+2f, 0x1.800cp+2f, 0.0f, {84, 44, 85, 43}},
        {0x1.001p+1f, 0x1.424p+2f, 0.0f, {59, 60, 69, 68}},     {0x1.9fe8p+1f, 0x1.4498p+2f, 0.0f, {28, 82, 36, 110}},
        {0x1.9498p+2f, 0x1.1004p+2f, 0.0f, {158, 34, 52, 12}},  {0x1.e818p+1f, 0x1.b3e8p+1f, 0.0f, {7, 17, 73, 159}},
        {0x1.28c8p+2f, 0x1p+2f, 0.0f, {110, 18, 111, 17}},      {0x1.3ffcp+2f, 0x1.382cp+2f, 0.0f, {80, 79, 48, 49}},
        {0x1.3714p+2f, 0x1.472cp+2f, 0.0f, {63, 36, 101, 56}},  {0x1.6a2cp+2f, 0x1.6824p+2f, 0.0f, {5, 28, 36, 187}},
        {0x1.a8p+0f, 0x1.404cp+2f, 0.0f, {20, 107, 20, 109}},   {0x1.3b98p+1f, 0x1.14fp+2f, 0.0f, {205, 7, 42, 2}},
        {0x1.7e78p+1f, 0x1.18d8p+2f, 0.0f, {116, 111, 15, 14}}, {0x1.046p+2f, 0x1.9cf4p+2f, 0.0f, {139, 105, 7, 5}},
        {0x1.887p+0f, 0x1.b3cp+1f, 0.0f, {1, 23, 7, 225}},      {0x1.6f28p+1f, 0x1.4ee8p+2f, 0.0f, {43, 25, 119, 69}},
    };
    constexpr Measured volumes[] = {
        {0x1.b168p+1f, 0x1.fbc8p+1f, 0x1.eed99ap+0f, {6, 46, 7, 52, 60}},
        {0x1.42b8p+2f, 0x1.6518p+2f, 0x1.5158p+0f, {2, 2, 19, 24, 9}},
        {0x1.466p+1f, 0x1.d4ep+1f, 0x1.49e99ap+0f, {8, 0, 43, 3, 2}},
        {0x1.7b8p+1f, 0x1.247cp+2f, 0x1.ed7p-1f, {68, 59, 5, 5, 51}},
        {0x1.88a4p+2f, 0x1.94p+0f, 0x1.599268p+1f, {10, 6, 121, 68, 1}},
        {0x1.35cp+2f, 0x1.800cp+2f, 0x1.14a99ap-1f, {81, 42, 81, 42, 2}},
        {0x1.391cp+2f, 0x1.97cp+0f, 0x1.98a59ap+1f, {4, 3, 44, 28, 6}},
        {0x1.1d98p+1f, 0x1.a3f8p+1f, 0x1.233268p+1f, {32, 12, 113, 41, 4}},
        {0x1.3714p+2f, 0x1.472cp+2f, 0x1.ea519ap+0f, {26, 15, 42, 23, 21}},
        {0x1.6a2cp+2f, 0x1.6824p+2f, 0x1.506b34p+1f, {5, 24, 31, 163, 4}},
        {0x1.a8p+0f, 0x1.404cp+2f, 0x1.6be0cep+1f, {13, 70, 13, 72, 37}},
        {0x1.3b98p+1f, 0x1.14fp+2f, 0x1.aac59ap+1f, {34, 1, 7, 0, 7}},
        {0x1.7e78p+1f, 0x1.18d8p+2f, 0x1.453cccp-1f, {100, 96, 13, 12, 15}},
        {0x1.046p+2f, 0x1.9cf4p+2f, 0x1.7c0268p+1f, {74, 55, 4, 3, 50}},
        {0x1.887p+0f, 0x1.b3cp+1f, 0x1.5dbd9ap+1f, {1, 18, 5, 173, 5}},
        {0x1.6f28p+1f, 0x1.4ee8p+2f, 0x1.2db59ap+1f, {37, 21, 102, 59, 4}},
    };
    const auto hold = [](const Measured& m, bool volume) {
        for (std::size_t n = 0; n < (volume ? 5u : 4u); ++n) {
            const std::uint32_t px = n == 4 ? 1 : n & 1, py = n == 4 ? 0 : n >> 1, pz = n == 4;
            std::vector<float> texels(256);
            for (std::uint32_t t = 0; t < 256; ++t)
                texels[t] = t % 2 == px && t / 8 % 2 == py && (!volume || t / 64 % 2 == pz) ? 1.0f : 0.0f;
            emulator::BoundArray array;
            array.array.shape = volume ? ArrayShape::D3 : ArrayShape::D2;
            array.array.extent = {8, 8, volume ? 4u : 1u};
            array.data = reinterpret_cast<std::byte*>(texels.data());
            array.levelOffset = {0};
            Sampler sampler;
            sampler.linear = true;
            emulator::Fetch fetch;
            fetch.geometry = volume ? emulator::Geometry::D3 : emulator::Geometry::D2;
            fetch.at = {m.x, m.y, m.z};
            EXPECT_EQ(std::bit_cast<float>(emulator::sample(array, sampler, fetch).bits[0]) * 256, float(m.weight[n]))
                << "corner " << n << " at " << m.x << ", " << m.y << ", " << m.z;
        }
    };
    for (const Measured& m : planes)
        hold(m, false);
    for (const Measured& m : volumes)
        hold(m, true);
}

// An H200's answers for directions on the edges and corners of the cube; (1, 0, -1) and (1, 0, 1) by a program of their own.
TEST(Texture, GivesTheEdgesOfACubeToTheFaceTheHardwareDoes) {
    const auto face = [](float x, float y, float z) { return emulator::cubePlace(x, y, z).face; };
    EXPECT_EQ(face(1, 0, -1), 5u);
    EXPECT_EQ(face(3, 0, 3), 4u);
    EXPECT_EQ(face(-1.33875f, 1.72375f, 1.72375f), 4u);
    EXPECT_EQ(face(1, 1, 0), 2u);
    EXPECT_EQ(face(1, -1, 0.5f), 3u);
    EXPECT_EQ(face(-1, -1, -1), 5u);
    EXPECT_EQ(face(-1, 0.5f, 0.5f), 1u);
}

TEST(Surface, TakesWhatAKernelWrites) {
    constexpr int width = 9, height = 5;
    std::string bytes;
    for (int n = 0; n < width * height * 4; ++n)
        bytes += (n ? "," : "") + std::to_string(n * 53 % 256);
    auto k = TextureKernel("negative", width * height, {object("image"), object("out"), value(width), value(height)});
    k.texture("image=2d:9x5:u8x4::" + bytes).surface("out=2d:9x5:u8x4");
    const auto r = k.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    ASSERT_EQ(r.buffers.size(), 6u); // four arguments, two arrays
    for (int n = 0; n < width * height * 4; ++n) {
        const int before = n * 53 % 256;
        EXPECT_EQ(int(r.buffers[5][std::size_t(n)]), n % 4 == 3 ? before : 255 - before) << n;
        EXPECT_EQ(int(r.buffers[4][std::size_t(n)]), before) << "the texture stays as it was";
    }
}

TEST(Surface, NamesLaneCoordinatesAndSizeBeyondItsEnd) {
    auto k = TextureKernel("beyond", 32, {object("out"), value(0), value(1)});
    k.surface("out=2d:16x4:f32");
    const auto r = k.run(); // lanes 0 to 15 fit, lane 16 is one too far
    ASSERT_TRUE(r.fault);
    const std::string text = r.fault->text();
    for (const char* part : {"Lane 16", "writes 4 bytes", "x = 64 bytes, y = 1", "\"out\"", "16x4", "rows of 64 bytes"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

TEST(Texture, CountsRequestsAndTellsNoSectors) {
    constexpr int width = 8, height = 8;
    auto k = TextureKernel("negative", width * height, {object("image"), object("out"), value(width), value(height)});
    k.texture("image=2d:8x8:u8x4").surface("out=2d:8x8:u8x4");
    k.options.detail.kind = Detail::Kind::All;
    k.options.detail.accesses = true;
    const auto r = k.run();
    std::uint64_t fetches = 0, stores = 0;
    for (const InstructionCount& c : r.trace->counts) {
        if (!c.isMemory || c.space != MemorySpace::Texture)
            continue;
        (c.access == AccessKind::Load ? fetches : stores) += c.requests;
        EXPECT_EQ(c.sectors, 0u);
        EXPECT_EQ(c.bytesRequested, 64u * 4); // 64 lanes, one texel of 4 bytes each
    }
    EXPECT_EQ(fetches, 2u); // two warps
    EXPECT_EQ(stores, 2u);
    const auto recorded = std::count_if(r.trace->accesses.begin(), r.trace->accesses.end(),
                                        [](const AccessRow& a) { return a.space == MemorySpace::Texture; });
    EXPECT_EQ(recorded, 4);
}

// A kernel that takes its texture by a reference of the module.
const char* const byReference = R"(.version 7.0
.target sm_75
.address_size 64
.global .texref image;
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .f32 %f<5>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r1}];
    st.global.f32 [%rd3], %f1;
    ret;
}
)";

Kernel referenceKernel() {
    Kernel k("k", {1}, {32}, {buffer(std::vector<float>(32, -1.0f), "out")});
    k.plan.ptx = byReference;
    return k;
}

TEST(Texture, BindsAReferenceByName) {
    Kernel k = referenceKernel();
    ASSERT_TRUE(addTexture(k.plan, "image=linear:20:f32:point:iota"));
    const auto out = floats(k.run().buffers[0]);
    for (std::size_t n = 0; n < 32; ++n)
        EXPECT_EQ(out[n], n < 20 ? float(n) : 0) << n; // beyond linear memory: 0
}

TEST(Texture, RefusesAReferenceWithoutATexture) {
    Kernel k = referenceKernel();
    Progress progress;
    const auto r = makeEmulator()->run(k.plan, k.options, progress);
    ASSERT_FALSE(r);
    EXPECT_NE(r.error().message.find("\"image\""), std::string::npos);
    EXPECT_NE(r.error().remedy.find("--texture image="), std::string::npos);
}

TEST(Texture, FaultsOnWhatIsNoTexture) {
    auto k = TextureKernel("rotate", 32,
                           {buffer(std::vector<float>(32), "out"), value(std::int64_t(0x1234)), value(8), value(4),
                            value(1.0f), value(0.0f)});
    const auto r = k.run();
    ASSERT_TRUE(r.fault);
    EXPECT_NE(r.fault->message.find("0x1234"), std::string::npos) << r.fault->message;
    auto other = TextureKernel(
        "rotate", 32,
        {buffer(std::vector<float>(32), "out"), object("volume"), value(8), value(4), value(1.0f), value(0.0f)});
    other.texture("volume=3d:4x4x4:f32:linear:iota");
    const auto wrong = other.run();
    ASSERT_TRUE(wrong.fault);
    EXPECT_NE(wrong.fault->message.find("3d of 4x4x4 texels of f32"), std::string::npos) << wrong.fault->message;
}

} // namespace
} // namespace warpglass::testing
