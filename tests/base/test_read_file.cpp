// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/memory_limit.h"
#include "gpu/base/patience.h"
#include "gpu/base/read_file.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
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

TEST(ReadFile, WaitsForNoPipeAndBeginsNoDevice) {
    const auto pipe = std::filesystem::temp_directory_path() / fmt::format("warpglass_pipe_{}", getpid());
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    for (const std::filesystem::path& path : {std::filesystem::path("/dev/zero"), pipe}) {
        const auto endless = readFile(path);
        ASSERT_FALSE(endless);
        EXPECT_NE(endless.error().text().find("which may never end"), std::string::npos) << endless.error().text();
    }
    std::filesystem::remove(pipe);
}

TEST(Patience, IsAMinuteOrWhatTheVariableSays) {
    unsetenv("WARPGLASS_PATIENCE");
    EXPECT_EQ(patience(), std::chrono::seconds(60));
    EXPECT_FALSE(patienceIsSet());
    const std::pair<const char*, int> words[] = {{"5", 5}, {"5s", 5}, {"10m", 600}, {"2h", 7200}, {"0", 0}};
    for (const auto& [said, seconds] : words) {
        setenv("WARPGLASS_PATIENCE", said, 1);
        EXPECT_EQ(patience(), std::chrono::seconds(seconds)) << said;
        EXPECT_TRUE(patienceIsSet()) << said;
    }
    for (const char* said : {"", "soon", "-1", "5x", "99999999999999999999"}) {
        setenv("WARPGLASS_PATIENCE", said, 1);
        EXPECT_EQ(patience(), std::chrono::seconds(60)) << said;
        EXPECT_FALSE(patienceIsSet()) << said;
    }
    unsetenv("WARPGLASS_PATIENCE");
}

TEST(Standstill, IsSaidOnceUntilItHasMovedOrAsLongHasPassedAgain) {
    using std::chrono::seconds;
    const Standstill::Clock::time_point start{};
    Standstill still(seconds(60));
    EXPECT_FALSE(still.is(0.1, start));
    EXPECT_FALSE(still.is(0.1, start + seconds(59)));
    EXPECT_TRUE(still.is(0.1, start + seconds(60)));
    EXPECT_FALSE(still.moved());
    EXPECT_FALSE(still.is(0.1, start + seconds(100)));
    EXPECT_TRUE(still.is(0.1, start + seconds(120)));
    EXPECT_FALSE(still.is(0.2, start + seconds(200)));
    EXPECT_TRUE(still.moved());
    EXPECT_FALSE(still.is(0.2, start + seconds(259)));
    EXPECT_TRUE(still.is(0.2, start + seconds(260)));
    Standstill never(seconds(0));
    EXPECT_FALSE(never.is(0.1, start));
    EXPECT_FALSE(never.is(0.1, start + seconds(1'000'000)));
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
