// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/program_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

using namespace warpglass::program;

// Else a launch that is asked for again would move the user's own file, which the recording names, into the recording.
TEST(ProgramFile, HasItsTracesInOnePlace) {
    const auto file =
        std::filesystem::path(testing::TempDir()) / ("warpglass-traces-" + std::to_string(getpid()) + ".wgt");
    const auto reads = [&](std::vector<ProgramRecording> recordings) {
        ProgramTrace program;
        program.recordings = std::move(recordings);
        EXPECT_TRUE(writeProgram(program, file, {}));
        return bool(readProgram(file));
    };
    EXPECT_TRUE(reads({{0, ""}, {1, ""}}));
    EXPECT_TRUE(reads({{0, "a.wgt"}, {1, "/elsewhere/b.wgt"}}));
    EXPECT_FALSE(reads({{0, ""}, {1, "a.wgt"}}));
    EXPECT_FALSE(reads({{0, "a.wgt"}, {1, ""}}));
    EXPECT_FALSE(reads({{0, "a.wgt"}, {1, ".."}}));
    EXPECT_FALSE(reads({{0, "folder/"}}));
    std::filesystem::remove(file);
}
