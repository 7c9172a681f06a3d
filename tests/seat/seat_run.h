// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that are recorded before the stand-in driver.
#pragma once

#include "gpu/program/journal.h"
#include "gpu/program/program_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/wait.h>
#include <unistd.h>

namespace warpglass::testing {

struct Answer {
    int status = -1;
    std::string out, err;
};

class SeatRun : public ::testing::Test {
protected:
    void SetUp() override {
#ifdef WARPGLASS_WITHOUT_PROGRAMS
        GTEST_SKIP() << "a sanitizer's library must be the first";
#endif
        std::filesystem::create_directories(folder);
    }
    ~SeatRun() override {
        std::filesystem::remove_all(folder);
    }

    std::string read(const char* name) const {
        std::ifstream in(folder / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    Answer run(const std::string& command) const {
        const int status = std::system(
            ("cd '" + folder.string() + "' && LD_LIBRARY_PATH='" SEAT_DRIVER "' " + command + " > out.txt 2> err.txt")
                .c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read("out.txt"), read("err.txt")};
    }
    Answer recorded(const std::string& word, const std::string& options = "--detail none",
                    const std::string& caller = SEAT_CALLER) const {
        return run("'" WARPGLASS_BINARY_DIR "/bin/warpglass-record' program --backend cuda --times host " + options +
                   " -o rec -- '" + caller + "' " + word);
    }
    program::ProgramTrace opened(const std::string& name = "program.wgt") const {
        auto p = program::readProgram(folder / "rec" / name);
        EXPECT_TRUE(p) << p.error().text();
        return p ? std::move(*p) : program::ProgramTrace();
    }
    const std::filesystem::path folder =
        std::filesystem::path(::testing::TempDir()) / ("warpglass-seat-" + std::to_string(getpid()));
};

} // namespace warpglass::testing
