// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/program_file.h"
#include "gpu/program/program_traces.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

using namespace warpglass::program;
namespace files = std::filesystem;

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

namespace {

std::string bytesOfFile(const files::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Traces of launches of kernels, in a folder that goes away, and a program's file with the first of them inside.
class TracesInside : public testing::Test {
protected:
    void SetUp() override { files::create_directories(m_folder); }
    void TearDown() override { files::remove_all(m_folder); }

    // Of a kernel whose PTX hardly packs: 400,000 characters of four bits each.
    void record(const std::string& name, unsigned seed) {
        std::mt19937 random(seed);
        warpglass::Trace trace;
        trace.kernels.push_back({.name = name});
        for (int n = 0; n < 50'000; ++n)
            trace.kernels[0].ptx += fmt::format("{:08x}", random());
        trace.launches.emplace_back();
        warpglass::Progress progress;
        m_program.recordings.push_back({std::uint32_t(m_program.recordings.size()), name + ".wgt"});
        m_program.operations.emplace_back();
        const auto ok = warpglass::writeTrace(trace, m_folder / (name + ".wgt"), progress);
        ASSERT_TRUE(ok) << ok.error().text();
    }
    files::path written() {
        EXPECT_TRUE(writeProgram(m_program, m_folder / "program.wgt", m_folder));
        return m_folder / "program.wgt";
    }
    void change(const std::string& sql) {
        auto database = warpglass::Database::create(m_folder / "program.wgt");
        ASSERT_TRUE(database);
        const auto ok = database->run(sql);
        ASSERT_TRUE(ok) << ok.error().text();
    }
    // Of the recording's .wgt as the file gives it; empty: it does not.
    std::string inside(std::uint32_t recording) {
        const auto read = readProgram(m_folder / "program.wgt");
        EXPECT_TRUE(read);
        const auto file = recordingFile(m_folder / "program.wgt", *read, recording, m_folder);
        return file ? bytesOfFile(*file) : std::string();
    }

    ProgramTrace m_program;
    files::path m_folder = files::path(testing::TempDir()) / ("warpglass-traces-inside-" + std::to_string(getpid()));
};

} // namespace

// Hexadecimal digits pack to half at best, so a text takes 200,000 bytes; that of `first` and `second` is there once.
TEST_F(TracesInside, HaveATextOnce) {
    record("first", 1);
    const auto alone = files::file_size(written());
    EXPECT_GT(alone, 200'000u);
    record("second", 1);
    EXPECT_LT(files::file_size(written()), alone + 20'000);
    record("other", 2);
    EXPECT_GT(files::file_size(written()), alone + 200'000);
    for (std::uint32_t n = 0; n < 3; ++n)
        EXPECT_EQ(inside(n), bytesOfFile(m_folder / m_program.recordings[n].file)) << n;
}

TEST_F(TracesInside, AreFoundInOlderFiles) {
    record("first", 1);
    record("second", 1);
    written();
    const std::string file = bytesOfFile(m_folder / "second.wgt");
    change("DROP TABLE traces");
    change(std::string(plainTracesSchema) + "; PRAGMA user_version = 5");
    {
        auto database = warpglass::Database::create(m_folder / "program.wgt");
        auto insert = database->prepare("INSERT INTO traces VALUES (1, ?)");
        insert->bind(0, std::as_bytes(std::span(file)));
        ASSERT_TRUE(insert->run());
    }
    EXPECT_EQ(inside(1), file);
    EXPECT_EQ(inside(0), "");
}

TEST_F(TracesInside, AreNotFoundWhereTheFileIsDamaged) {
    record("first", 1);
    record("second", 1);
    for (const char* sql :
         {"UPDATE traces SET base = 1 WHERE recording = 1", // itself
          "UPDATE traces SET base = 7 WHERE recording = 1", // nobody
          "UPDATE traces SET base = 4294967295 WHERE recording = 1",
          "UPDATE traces SET data = x'00' WHERE recording = 1", "DELETE FROM traces WHERE recording = 0"}) {
        written();
        change(sql);
        EXPECT_EQ(inside(1), "") << sql;
    }
}
