// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged text gives an error or another module, never a crash (run under the sanitizers in CI), and never takes long.
#include "gpu/ptx/control_flow.h"
#include "gpu/ptx/parse.h"
#include "gpu/ptx/write.h"
#include "tests/ptx/files.h"

#include <gtest/gtest.h>

#include <random>

namespace warpglass::ptx {
namespace {

// What everybody does with a module that could be read.
void use(const Result<Module>& module) {
    if (!module) {
        EXPECT_FALSE(module.error().message.empty());
        EXPECT_GE(module.error().line, 1);
        return;
    }
    for (const Function& f : module->functions)
        EXPECT_TRUE(controlFlow(f).ok());
    EXPECT_FALSE(write(*module).empty());
}

// Small enough to try every prefix of, and holds a bit of everything.
std::string sample() {
    return test::readFile(WARPGLASS_SOURCE_DIR "/tests/ptx/data/nested_launch.optimised.ptx");
}

TEST(Robustness, EveryPrefixIsReadOrRefused) {
    const std::string text = sample();
    for (std::size_t length = 0; length < text.size(); ++length)
        use(parse(text.substr(0, length), "prefix"));
}

TEST(Robustness, MutatedTextIsReadOrRefused) {
    std::mt19937 random(20240607); // the same damage every time
    for (const auto& path : test::corpus()) {
        const std::string original = test::readFile(path).substr(0, 20000);
        for (int round = 0; round < 60; ++round) {
            std::string text = original;
            for (int edit = 0; edit < 1 + round % 8; ++edit) {
                const std::size_t at = random() % text.size(), other = random() % text.size();
                switch (random() % 5) {
                case 0:
                    text[at] = char(random() % 256);
                    break;
                case 1:
                    text.erase(at, random() % 40);
                    break;
                case 2:
                    text.insert(at, text.substr(other, random() % 60));
                    break;
                case 3:
                    text[at] = "{}[]()<>;:,.@%|!+-"[random() % 18];
                    break;
                default:
                    std::swap(text[at], text[other]);
                }
            }
            use(parse(std::move(text), "mutated"));
        }
    }
}

TEST(Robustness, HostileSizesAreRefusedQuickly) {
    const std::string head = ".version 9.0\n.target sm_75\n.address_size 64\n";
    for (const std::string& text :
         {head + ".entry k() { .reg .b32 %r<4000000000>; }",
          head + ".entry k() { .reg .b32 %r<1000000>, %q<1000000>; }",
          head + ".global .b8 x[4294967296][4294967296][4294967296] = {{{1}}};",
          head + ".global .b8 x[] = " + std::string(100000, '{'),
          head + ".entry k() { .reg .b32 %r<2>; mov.b32 " + std::string(100000, '{') + "%r1;}",
          head + ".entry k() " + std::string(100000, '{') + std::string(100000, '}')})
        use(parse(text, "hostile"));
}

// Few words that would fill gigabytes, each by itself allowed: 60 times 64 MB of zeros, 65,536 variables, a million
// registers.
TEST(Robustness, FewWordsTakeNoGigabytes) {
    const std::string head = ".version 9.0\n.target sm_75\n.address_size 64\n";
    const auto sixty = [&](const std::string& before, const std::string& behind) {
        std::string text = head;
        for (int n = 0; n < 60; ++n)
            text += before + std::to_string(n) + behind;
        return parse(text, "hostile");
    };
    const auto bytes = sixty(".global .b8 x", "[67108864] = {1};\n"),
               variables = sixty(".global .b32 x", "_<65536>;\n"),
               registers = sixty(".func f", "() { .reg .b32 %r<1000000>; ret; }\n");
    EXPECT_EQ(bytes ? "" : bytes.error().message, "there are more initialised bytes than can be read");
    EXPECT_EQ(variables ? "" : variables.error().message, "these are more variables than can be read");
    EXPECT_EQ(registers ? "" : registers.error().message, "the functions have more registers than can be read");
}

} // namespace
} // namespace warpglass::ptx
