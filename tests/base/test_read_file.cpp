// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/memory_limit.h"
#include "gpu/base/read_file.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace warpglass {
namespace {

TEST(ReadFile, GivesTheWholeFileOrASentence) {
    const auto path = std::filesystem::temp_directory_path() / fmt::format("warpglass_read_{}", getpid());
    const std::string text(3 << 20, 'x'); // three pieces, and nothing of a fourth
    std::ofstream(path) << text << "end";
    const auto whole = readFile(path);
    ASSERT_TRUE(whole) << whole.error().text();
    EXPECT_EQ(*whole, text + "end");
    EXPECT_TRUE(readFile(path, text.size() + 3));
    EXPECT_FALSE(readFile(path, text.size() + 2));
    std::filesystem::remove(path);
    EXPECT_NE(readFile(path).error().text().find("No such file"), std::string::npos) << readFile(path).error().text();
    EXPECT_NE(readFile("/").error().text().find("it is a folder"), std::string::npos);
}

TEST(ReadFile, EndsWhereTheFileDoesNot) {
    const auto endless = readFile("/dev/zero");
    ASSERT_FALSE(endless);
    EXPECT_NE(endless.error().text().find("more than 64 MB"), std::string::npos) << endless.error().text();
}

TEST(MemoryLimit, IsWhatTheVariableSaysElseAPartOfTheMachine) {
    const std::uint64_t half = memoryLimit();
    EXPECT_GT(half, std::uint64_t(64) << 20);
    EXPECT_LE(half, std::uint64_t(sysconf(_SC_PHYS_PAGES)) * std::uint64_t(sysconf(_SC_PAGESIZE)) / 2);
    for (const auto& [said, bytes] : {std::pair<const char*, std::uint64_t>{"4096", 4096},
                                      {"5M", 5 << 20},
                                      {"3G", std::uint64_t(3) << 30},
                                      {"no number", half},
                                      {"0", half},
                                      {"99999999999T", half}}) {
        setenv("WARPGLASS_MEMORY", said, 1);
        EXPECT_EQ(memoryLimit(), bytes) << said;
    }
    unsetenv("WARPGLASS_MEMORY");
    EXPECT_EQ(memoryWords(3 << 20), "3 MB");
    EXPECT_EQ(memoryWords((std::uint64_t(3) << 30) / 2), "1.5 GB");
}

} // namespace
} // namespace warpglass
