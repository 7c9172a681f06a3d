// SPDX-License-Identifier: GPL-3.0-or-later
// Textures and surfaces on a GPU and on the emulator: a table of shapes, modes and coordinates (inside, on edges, half a
// texel beyond, far beyond), compared bit by bit. Point fetches and surfaces are equal; a linear filter's result may
// differ by what the texture unit rounds on its way, and how many do is printed.
#include "gpu/emulator/emulator.h"
#include "gpu/launch/texture_words.h"
#include "tests/cuda/on_gpu.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace warpglass {
namespace {

// Of an axis, in texels: 0.25 beyond each texel's middle, middles, edges, beyond both ends.
std::vector<float> positions(float size) {
    std::vector<float> all;
    for (float x = -2.5f * size; x <= 3.5f * size; x += 0.25f)
        all.push_back(x);
    for (const float x : {0.001f, 0.499f, 0.501f, size - 0.001f, size - 0.499f, size - 0.501f, size + 0.001f, -0.001f})
        all.push_back(x);
    return all;
}

struct Shape {
    const char *geometry, *spec;
    int axes; // coordinates; a layer comes before them if it is layered
    bool layered;
    std::array<float, 3> sizes;
};

std::string kernel(const Shape& shape, const char* result) {
    const char* vectors[] = {"{%x}", "{%x, %y}", "{%x, %y, %z, %z}"};
    const char* layered[] = {"{%l, %x}", "{%l, %x, %y, %y}", "{%l, %x, %y, %z}"};
    return fmt::format(R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 t, .param .u64 x, .param .u64 y, .param .u64 z, .param .u64 l, .param .u64 out)
{{
    .reg .b32 %i<4>;
    .reg .b32 %l;
    .reg .f32 %x, %y, %z;
    .reg .{1} %r<5>;
    .reg .b64 %a<9>;
    mov.u32 %i1, %ctaid.x;
    mov.u32 %i2, %tid.x;
    mad.lo.u32 %i1, %i1, 64, %i2;
    mul.wide.u32 %a1, %i1, 4;
    ld.param.u64 %a2, [t];
    ld.param.u64 %a3, [x];
    add.u64 %a3, %a3, %a1;
    ld.global.f32 %x, [%a3];
    ld.param.u64 %a3, [y];
    add.u64 %a3, %a3, %a1;
    ld.global.f32 %y, [%a3];
    ld.param.u64 %a3, [z];
    add.u64 %a3, %a3, %a1;
    ld.global.f32 %z, [%a3];
    ld.param.u64 %a3, [l];
    add.u64 %a3, %a3, %a1;
    ld.global.u32 %l, [%a3];
    tex.{0}.v4.{1}.f32 {{%r1, %r2, %r3, %r4}}, [%a2, {2}];
    ld.param.u64 %a3, [out];
    mul.wide.u32 %a1, %i1, 16;
    add.u64 %a3, %a3, %a1;
    st.global.v4.{1} [%a3], {{%r1, %r2, %r3, %r4}};
    ret;
}}
)",
                       shape.geometry, result, (shape.layered ? layered : vectors)[shape.axes - 1]);
}

template <typename T>
Argument filled(const char* name, std::vector<T> values) {
    Argument a{.name = name, .isBuffer = true, .type = ElementType::U32, .count = values.size()};
    a.fill = [values = std::move(values)](std::span<std::byte> to) {
        std::memcpy(to.data(), values.data(), to.size());
    };
    return a;
}

LaunchPlan planOf(const Shape& shape, const std::string& format, const std::string& options, const char* result) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "k";
    plan.moduleName = "texture.ptx";
    plan.ptx = kernel(shape, result);
    const std::vector<float> along = positions(shape.sizes[0]);
    const bool normalized = options.find("normalized") != std::string::npos;
    const bool isDirection = std::string(shape.geometry).find("cube") != std::string::npos;
    std::array<std::vector<float>, 3> at;
    std::vector<std::uint32_t> layers;
    for (std::size_t n = 0; n < along.size() * 8; ++n) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto own = positions(shape.sizes[axis]);
            const float texel = own[(n * (axis == 0 ? 1 : axis == 1 ? 7 : 11) + axis * 5) % own.size()];
            at[axis].push_back(isDirection  ? texel / shape.sizes[0] - 0.37f
                               : normalized ? texel / shape.sizes[axis]
                                            : texel);
        }
        layers.push_back(std::uint32_t(n % 4)); // the last is beyond an array of three
    }
    while (at[0].size() % 64 != 0) {
        for (auto& column : at)
            column.push_back(0.5f);
        layers.push_back(0);
    }
    const auto count = std::uint32_t(at[0].size());
    plan.grid = {count / 64};
    plan.block = {64};
    Argument t{.name = "t", .type = ElementType::Ptr};
    t.scalar.resize(8);
    t.pointers.push_back({.offset = 0, .buffer = "img"});
    plan.arguments = {t,
                      filled("x", at[0]),
                      filled("y", at[1]),
                      filled("z", at[2]),
                      filled("l", layers),
                      {.name = "out", .isBuffer = true, .type = ElementType::U32, .count = std::uint64_t(count) * 4}};
    const std::string initial = format[0] == 'f'              ? "random(-1,1)"
                                : format.substr(0, 2) == "s8" ? "random(-128,127)"
                                : format.substr(0, 2) == "u8" ? "random(0,255)"
                                                              : "random(0,30000)";
    const auto ok = addTexture(plan, fmt::format("img={}:{}:{}:{}", shape.spec, format, options, initial));
    EXPECT_TRUE(ok) << ok.error().text();
    return plan;
}

constexpr Shape shapes[] = {
    {"1d", "1d:8", 1, false, {8, 1, 1}},          {"2d", "2d:8x5", 2, false, {8, 5, 1}},
    {"2d", "pitch:8x5", 2, false, {8, 5, 1}},     {"3d", "3d:8x5x3", 3, false, {8, 5, 3}},
    {"a1d", "1dlayered:8x3", 1, true, {8, 1, 1}}, {"a2d", "2dlayered:8x5x3", 2, true, {8, 5, 1}},
    {"cube", "cube:8x8", 3, false, {8, 8, 8}},    {"acube", "cubelayered:8x8x3", 3, true, {8, 8, 8}}};

class TexturesOnGpu : public OnGpu {
protected:
    // Words that differ, of how many, and the largest difference of floats.
    void compare(const Shape& shape, const std::string& format, const std::string& options, const char* result) {
        const LaunchPlan plan = planOf(shape, format, options, result);
        RunOptions how;
        how.counters = false;
        how.detail.kind = Detail::Kind::None;
        how.maxEvents = 0;
        const auto gpu = run(plan, how);
        const auto host = makeEmulator()->run(plan, {}, progress);
        const std::string what = fmt::format("tex.{} {} {} {}", shape.geometry, shape.spec, format, options);
        ASSERT_TRUE(gpu) << what << ": " << gpu.error().text();
        ASSERT_TRUE(host) << what << ": " << host.error().text();
        ASSERT_FALSE(gpu->fault) << what << ": " << gpu->fault->text();
        ASSERT_FALSE(host->fault) << what << ": " << host->fault->text();
        const auto &a = gpu->buffers[5], &b = host->buffers[5];
        ASSERT_EQ(a.size(), b.size());
        const std::size_t times = format.find('x');
        const std::size_t channels = times == std::string::npos ? 1 : std::size_t(format[times + 1] - '0');
        std::size_t differ = 0, first = a.size(), elsewhere = 0;
        double most = 0;
        for (std::size_t n = 0; n < a.size(); n += 4) {
            float x = 0, y = 0;
            std::memcpy(&x, &a[n], 4);
            std::memcpy(&y, &b[n], 4);
            if (std::memcmp(&a[n], &b[n], 4) == 0)
                continue;
            if (n / 4 % 4 >= channels) { // what stands there is said nowhere
                ++elsewhere;
                continue;
            }
            ++differ;
            first = std::min(first, n / 4);
            most = std::max(most, std::fabs(double(x) - double(y)));
        }
        const bool linear = options.find("linear") != std::string::npos;
        fmt::print("{:60} {:6} of {:6} words differ{}\n", what, differ, a.size() / 16 * channels,
                   differ && linear ? fmt::format(", by at most {:.3g}", most) : "");
        if (elsewhere)
            fmt::print("    {} words of channels that the format lacks differ: {:#010x} on the GPU\n", elsewhere,
                       wordOf(a, channels));
        if (differ)
            fmt::print("    first: word {} ({}) at x {} y {} z {}\n", first, first % 4, coordinate(plan, 1, first / 4),
                       coordinate(plan, 2, first / 4), coordinate(plan, 3, first / 4));
        if (linear) // the same weights; what bytes and shorts become before they are weighed is the card's own
            EXPECT_LE(most, format == "f32"                             ? 1e-6
                            : options.find("srgb") != std::string::npos ? 1.0 / 256
                                                                        : 1e-4)
                << what;
        else
            EXPECT_EQ(differ, 0u) << what;
    }
    static std::uint32_t wordOf(const std::vector<std::byte>& bytes, std::size_t n) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data() + 4 * n, 4);
        return word;
    }
    static float coordinate(const LaunchPlan& plan, std::size_t argument, std::size_t thread) {
        std::vector<float> values(plan.arguments[argument].count);
        plan.arguments[argument].fill(std::as_writable_bytes(std::span(values)));
        return values[thread];
    }
};

TEST_F(TexturesOnGpu, FetchPointsAndFilterLikeTheEmulator) {
    for (const Shape& shape : shapes)
        for (const char* filter : {"point", "linear"})
            for (const char* mode :
                 {"clamp", "border", "clamp,normalized", "border,normalized", "wrap,normalized", "mirror,normalized"}) {
                const bool isCube = std::string(shape.geometry).find("cube") != std::string::npos;
                const bool isPitch = std::string(shape.spec).starts_with("pitch");
                if ((isCube && std::string(mode) != "clamp,normalized") ||
                    (isPitch && (std::string(mode).starts_with("wrap") || std::string(mode).starts_with("mirror"))))
                    continue;
                compare(shape, "f32", fmt::format("{},{}", filter, mode), "f32");
            }
}

TEST_F(TexturesOnGpu, ReadEveryFormatLikeTheEmulator) {
    for (const char* format :
         {"u8", "u8x4", "s8x2", "u16x2", "s16", "u32", "s32x4", "f16", "f16x4", "f32x2", "f32x4"}) {
        const bool isFloat = format[0] == 'f';
        compare(shapes[1], format, "point,clamp", isFloat ? "f32" : format[0] == 's' ? "s32" : "u32");
        if (!isFloat && std::string(format).find("32") == std::string::npos) {
            compare(shapes[1], format, "point,clamp,float", "f32");
            compare(shapes[1], format, "linear,clamp,float", "f32");
        }
    }
    compare(shapes[1], "u8x4", "linear,clamp,float,srgb", "f32");
    compare(shapes[1], "f32x4", "point,border,border=0.25;0.5;0.75;1", "f32");
}

// References of the module, objects and surfaces, in a clean run and under probes.
TEST_F(TexturesOnGpu, BindsReferencesAndWritesSurfacesUnderProbes) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "k";
    plan.moduleName = "references.ptx";
    plan.ptx = R"(.version 7.0
.target sm_75
.address_size 64
.global .texref image;
.global .surfref board;
.visible .entry k(.param .u64 table, .param .u64 sheet, .param .u64 out)
{
    .reg .b32 %r<4>;
    .reg .f32 %f<9>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [table];
    ld.param.u64 %rd2, [sheet];
    ld.param.u64 %rd3, [out];
    mov.u32 %r1, %tid.x;
    tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r1}];
    cvt.rn.f32.u32 %f5, %r1;
    tex.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f5, %f5}];
    add.f32 %f1, %f1, %f5;
    mul.wide.u32 %rd4, %r1, 4;
    add.u64 %rd4, %rd3, %rd4;
    st.global.f32 [%rd4], %f1;
    shl.b32 %r2, %r1, 2;
    sust.b.1d.b32.trap [board, {%r2}], %r1;
    suld.b.2d.b32.zero %r3, [%rd2, {%r2, 1}];
    add.u32 %r3, %r3, 1;
    sust.b.2d.b32.zero [%rd2, {%r2, 1}], %r3;
    ret;
}
)";
    plan.grid = {1};
    plan.block = {32};
    for (const char* name : {"table", "sheet"}) {
        Argument a{.name = name, .type = ElementType::Ptr};
        a.scalar.resize(8);
        a.pointers.push_back({.offset = 0, .buffer = name});
        plan.arguments.push_back(a);
    }
    plan.arguments.push_back({.name = "out", .isBuffer = true, .type = ElementType::F32, .count = 32});
    ASSERT_TRUE(addTexture(plan, "image=linear:20:f32:point:iota"));
    ASSERT_TRUE(addTexture(plan, "table=2d:8x8:f32:linear,clamp:iota"));
    ASSERT_TRUE(addSurface(plan, "sheet=2d:16x2:u32:iota"));
    ASSERT_TRUE(addSurface(plan, "board=1d:32:u32"));
    const auto host = makeEmulator()->run(plan, {}, progress);
    ASSERT_TRUE(host) << host.error().text();
    RunOptions probed;
    probed.detail.kind = Detail::Kind::All;
    probed.detail.accesses = true;
    const auto gpu = run(plan, probed);
    ASSERT_TRUE(gpu) << gpu.error().text();
    ASSERT_FALSE(gpu->fault) << gpu->fault->text();
    ASSERT_EQ(gpu->buffers.size(), host->buffers.size());
    for (std::size_t n = 2; n < host->buffers.size(); ++n)
        EXPECT_EQ(gpu->buffers[n], host->buffers[n]) << n;
    for (const Diagnostic& d : gpu->trace->diagnostics)
        EXPECT_EQ(d.message.find("differ"), std::string::npos) << d.message;
}

} // namespace
} // namespace warpglass
