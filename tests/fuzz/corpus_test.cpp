// SPDX-License-Identifier: GPL-3.0-or-later
// Every target takes every file of its corpus, and whatever a short, fixed sequence of damage makes of it: what a fuzzer
// has found once stays mended, and the targets themselves go on working.
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace warpglass::fuzz {
namespace {

namespace fs = std::filesystem;

struct Target {
    const char* name;
    void (*run)(std::string_view);
};
void PrintTo(const Target& target, std::ostream* out) {
    *out << target.name;
}

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, IsTakenWholeAndDamaged) {
    const fs::path folder = fs::path(WARPGLASS_SOURCE_DIR) / "tests/fuzz/corpus" / GetParam().name;
    std::mt19937 random(1);
    int files = 0;
    testing::internal::CaptureStderr(); // CLI11 says what is wrong with words
    std::vector<fs::path> paths{fs::directory_iterator(folder), {}};
    std::sort(paths.begin(), paths.end()); // the same damage everywhere
    for (const fs::path& path : paths) {
        std::ifstream file(path, std::ios::binary);
        const std::string whole{std::istreambuf_iterator<char>(file), {}};
        GetParam().run(whole);
        ++files;
        constexpr int damages = 3;
        for (int n = 0; n < damages && !whole.empty(); ++n) {
            std::string damaged = whole;
            damaged[random() % damaged.size()] = char(random());
            if (n == 1)
                damaged.resize(random() % damaged.size());
            GetParam().run(damaged);
        }
    }
    testing::internal::GetCapturedStderr();
    EXPECT_GE(files, 3);
}

constexpr Target targets[] = {
    {"ptx", ptx},       {"kernels", kernels}, {"kept", kept},   {"recording", recording}, {"arguments", arguments},
    {"fatbin", fatbin}, {"report", report},   {"cubin", cubin}, {"exercise", exercise},
#ifndef WARPGLASS_WITHOUT_LESSONS
    {"lesson", lesson},
#endif
    {"words", words}};

INSTANTIATE_TEST_SUITE_P(Targets, Corpus, testing::ValuesIn(targets),
                         [](const auto& each) { return std::string(each.param.name); });

} // namespace
} // namespace warpglass::fuzz
