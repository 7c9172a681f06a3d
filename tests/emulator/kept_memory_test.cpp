// SPDX-License-Identifier: GPL-3.0-or-later
// Which memory a launch can come to, and the image that is made of it.
#include "gpu/emulator/emulator.h"
#include "gpu/emulator/launch/kept_memory.h"
#include "gpu/ptx/parse.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

using namespace warpglass;
using namespace warpglass::emulator;

namespace {

ptx::Module module(const std::string& more = {}) {
    auto parsed = ptx::parse(".version 8.5\n.target sm_90\n.address_size 64\n"
                             ".visible .global .align 8 .b64 head;\n"
                             ".visible .global .align 4 .u32 count = 5;\n"
                             ".visible .const .align 4 .b8 table[6] = {1, 2, 3, 4, 5, 6};\n" +
                                 more + ".visible .entry k(.param .u64 p) { ret; }\n",
                             "kept.ptx");
    EXPECT_TRUE(parsed) << parsed.error().text();
    return std::move(*parsed);
}

void write(std::byte* at, std::uint64_t word) {
    std::memcpy(at, &word, sizeof word);
}

// The parameter leads into a, a to b, b to the end of c, the variable to d; nothing leads to e.
struct BeforeALaunch {
    explicit BeforeALaunch(const ptx::Module& m) {
        placeModule(m, image);
        image.params.resize(8);
        write(image.params.data(), a.base + 16);
        write(a.whole().data() + 24, b.base + 8);
        write(b.whole().data() + 32, c.base + c.bytes);
        write(bytesOfVariable(image, "head").data(), d.base);
        write(e.whole().data(), a.base);
        c.whole()[9] = std::byte(99);
        d.whole()[2] = std::byte(7);
    }
    LaunchMemory image;
    Area& a = image.memory.allocate(64, "a");
    Area& b = image.memory.allocate(40, "b");
    Area& c = image.memory.allocate(10, "c");
    Area& d = image.memory.allocate(3, "d");
    Area& e = image.memory.allocate(128, "e");
};

constexpr std::uint64_t reached = 8 + 4 + 64 + 40 + 10 + 3; // head, count, a, b, c, d

} // namespace

TEST(KeptMemory, isWhatTheLaunchCanComeTo) {
    const ptx::Module m = module();
    BeforeALaunch launch(m);
    const auto kept = keepMemory(m, launch.image, reached);
    ASSERT_EQ(kept.keeping, Keeping::Kept);
    std::string found;
    for (const KeptArea& area : kept.memory.areas)
        found += std::string(name(area.role)) + " " + area.name + " " + std::to_string(area.bytes) + "\n";
    // A piece's address is where it lies: a to e were there before the module.
    EXPECT_EQ(found, "parameters parameters 8\nconstant table 6\nmemory a 64\nmemory b 40\nmemory c 10\n"
                     "memory d 3\nvariable head 8\nvariable count 4\n");
    EXPECT_EQ(kept.memory.words.size(), 1u + 1u + 8u + 5u + 2u + 1u + 1u + 1u);

    const auto more = keepMemory(m, launch.image, reached - 1);
    EXPECT_EQ(more.keeping, Keeping::Size);
    EXPECT_TRUE(more.memory.empty());
}

// What a launch has changed is as it was; what it cannot have come to is left alone.
TEST(KeptMemory, isPutBackWhereItLies) {
    const ptx::Module m = module();
    BeforeALaunch launch(m);
    const auto kept = keepMemory(m, launch.image, reached);
    launch.c.whole()[9] = launch.e.whole()[20] = std::byte(1);
    write(launch.a.whole().data(), 77);
    bytesOfVariable(launch.image, "count")[0] = std::byte(6);
    putBack(kept.memory, launch.image);
    EXPECT_EQ(launch.c.whole()[9], std::byte(99));
    EXPECT_EQ(launch.a.whole()[0], std::byte(0));
    EXPECT_EQ(bytesOfVariable(launch.image, "count")[0], std::byte(5));
    EXPECT_EQ(launch.e.whole()[20], std::byte(1));
}

TEST(KeptMemory, liesAgainWhereItLay) {
    const ptx::Module m = module();
    BeforeALaunch launch(m);
    launch.image.constants[5] = std::byte(60);
    const auto kept = keepMemory(m, launch.image, reached);
    launch.c.whole()[9] = std::byte(1); // after the launch
    const auto again = launchMemoryOf(m, kept.memory);
    ASSERT_TRUE(again) << again.error().text();
    LaunchMemory& image = **again;
    EXPECT_EQ(image.params, launch.image.params);
    EXPECT_EQ(image.constants[5], std::byte(60));
    EXPECT_EQ(bytesOfVariable(image, "count")[0], std::byte(5));
    EXPECT_EQ(image.symbols.variables.at("head").address, launch.image.symbols.variables.at("head").address);
    std::uint64_t head = 0;
    std::memcpy(&head, bytesOfVariable(image, "head").data(), 8);
    EXPECT_EQ(head, launch.d.base);
    Area* hint = nullptr;
    const Found c = image.memory.find(launch.c.base, 10, hint);
    ASSERT_TRUE(c);
    EXPECT_EQ(c->whole()[9], std::byte(99));
    EXPECT_EQ(c->bytes, 10u);
    EXPECT_FALSE(image.memory.find(launch.e.base, 1, hint)) << "nothing led there";
    EXPECT_EQ(image.memory.areas().size(), 6u);
    // What the launch takes for itself lies behind all of it.
    EXPECT_GE(image.memory.allocate(8, "more").base, launch.e.base);
}

// A driver may put memory below where ours begins.
TEST(KeptMemory, mayLieBelowOurs) {
    const ptx::Module m = module();
    LaunchMemory image;
    placeModule(m, image);
    image.params.resize(8);
    Area& low = image.memory.place(globalBase - (std::uint64_t(4) << 30), 64, "low");
    write(image.params.data(), low.base + 8);
    low.whole()[9] = std::byte(99);
    const auto kept = keepMemory(m, image, 1000);
    const auto again = launchMemoryOf(m, kept.memory);
    ASSERT_TRUE(again) << again.error().text();
    const Area* there = (*again)->memory.nearest(low.base + 1);
    ASSERT_TRUE(there);
    EXPECT_EQ(there->base, low.base);
    EXPECT_EQ(there->whole()[9], std::byte(99));
    EXPECT_EQ(windowOf(low.base), Window::Global);
}

// A recording may say that two variables lie in one KiB, which is what threads keep sums of; each is another memory here.
TEST(KeptMemory, sumsOfTwoAreasInOnePageStayApart) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "k";
    plan.grid = Dim3{64};
    plan.block = Dim3{64};
    // 100 times: warp 0 of a block adds 1 to a word of a, warp 1 adds 2 to one of b; then each lane adds 1 to either.
    plan.ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .global .align 8 .b32 a[16];
.visible .global .align 8 .b32 b[16];
.visible .entry k()
{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    mov.u32 %r1, %tid.x;
    mov.u64 %rd1, a;
    mov.u64 %rd2, b;
    setp.lt.u32 %p1, %r1, 32;
    selp.b64 %rd3, %rd1, %rd2, %p1;
    selp.b32 %r2, 1, 2, %p1;
    and.b32 %r3, %r1, 15;
    mul.wide.u32 %rd4, %r3, 4;
    add.s64 %rd3, %rd3, %rd4;
    and.b32 %r4, %r1, 1;
    setp.eq.u32 %p1, %r4, 0;
    selp.b64 %rd5, %rd1, %rd2, %p1;
    add.s64 %rd5, %rd5, %rd4;
    mov.u32 %r5, 0;
AGAIN:
    red.global.add.u32 [%rd3], %r2;
    red.global.add.u32 [%rd5], 1;
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p2, %r5, 100;
    @%p2 bra AGAIN;
    ret;
}
)";
    auto kept = std::make_shared<KeptMemory>();
    kept->areas = {{KeptRole::Variable, globalBase, 64, "a"}, {KeptRole::Variable, globalBase + 512, 64, "b"}};
    kept->words = LargeTable<std::uint64_t>(std::vector<std::uint64_t>(16));
    plan.kept = kept;
    plan.dumped = {{"a", 64}, {"b", 64}};
    RunOptions options;
    options.threads = 2;
    Progress progress;
    const auto run = makeEmulator()->run(plan, options, progress);
    ASSERT_TRUE(run) << run.error().text();
    ASSERT_FALSE(run->fault) << run->fault->text();
    ASSERT_EQ(run->buffers.size(), 2u);
    for (std::uint32_t word = 0; word < 16; ++word) {
        const auto at = [&](int of) {
            std::uint32_t value = 0;
            std::memcpy(&value, run->buffers[std::size_t(of)].data() + 4 * word, 4);
            return value;
        };
        // 64 blocks, 100 times, two lanes of a warp (n and n + 16) by 1 or 2; and of either, four lanes of its parity.
        const std::uint32_t turns = 64 * 100;
        EXPECT_EQ(at(0), turns * 2 + (word % 2 == 0 ? turns * 4 : 0)) << word;
        EXPECT_EQ(at(1), turns * 4 + (word % 2 == 1 ? turns * 4 : 0)) << word;
    }
}

// Who writes down a variable writes down as many bytes as the module says.
TEST(KeptMemory, aVariableIsThereAsAWhole) {
    const ptx::Module m = module();
    BeforeALaunch launch(m);
    auto kept = keepMemory(m, launch.image, reached).memory;
    EXPECT_TRUE(launchMemoryOf(m, kept).ok());
    for (KeptArea& area : kept.areas)
        if (area.name == "count")
            area.bytes = 3; // of four
    EXPECT_FALSE(launchMemoryOf(m, kept).ok());
}

TEST(KeptMemory, texturesAreNotKept) {
    const ptx::Module m = module();
    BeforeALaunch launch(m);
    BoundArray array;
    array.array.extent = {4, 1, 1};
    array.data = launch.a.whole().data();
    const std::uint64_t handle = launch.image.textures.add(BoundObject::Kind::Texture, array, {});
    EXPECT_EQ(keepMemory(m, launch.image, reached).keeping, Keeping::Kept) << "nobody has it";
    write(launch.b.whole().data(), handle);
    EXPECT_EQ(keepMemory(m, launch.image, reached).keeping, Keeping::Textures);

    const ptx::Module bound = module(".visible .global .texref image;\n");
    BeforeALaunch other(bound);
    EXPECT_EQ(keepMemory(bound, other.image, reached).keeping, Keeping::Textures);
}
