// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep in parts: whatever happens to the parts' processes, the table is that of the sweep made at once.
#include "program.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

namespace fs = std::filesystem;

// 2 kernels x 3 blocks, one of which (2048 threads) no device launches: 6 rows, so parts of 4 have 2, 2, 1 and 1.
const std::string sweep =
    "sweep reduceNeighbored,reduceInterleaved --size 1024 --block 64,128,2048 --timing --threads 1 ";

std::string whole() { // the table of the sweep made at once
    static const std::string text = [] {
        const fs::path file = scratch("whole.csv");
        const Answer answer = record(sweep + "--csv " + quoted(file));
        EXPECT_EQ(answer.status, 0) << answer.err;
        return readFile(file);
    }();
    return text;
}

struct SweepPart : testing::Test {
    void SetUp() override {
        const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
        for (int part = 1; part <= 4; ++part)
            parts.push_back(scratch(name + std::to_string(part)));
    }
    Answer run(int part) const {
        return record(sweep + "--part " + std::to_string(part) + "/4 -o " + quoted(parts[std::size_t(part - 1)]));
    }
    void runAll() const {
        for (int part = 1; part <= 4; ++part) {
            const Answer answer = run(part);
            ASSERT_EQ(answer.status, 0) << answer.err;
        }
    }
    Answer merge(const std::vector<fs::path>& files, const fs::path& csv) const {
        std::string words = "sweep --csv " + quoted(csv) + "--merge ";
        for (const fs::path& file : files)
            words += quoted(file);
        return record(words);
    }
    void expectWholeTable() const {
        const fs::path csv = scratch("merged.csv");
        const Answer answer = merge({parts[2], parts[0], parts[3], parts[1]}, csv); // in any order
        ASSERT_EQ(answer.status, 0) << answer.err;
        EXPECT_EQ(readFile(csv), whole());
    }
    fs::path unfinished(int part) const { return parts[std::size_t(part - 1)].string() + ".unfinished"; }

    std::vector<fs::path> parts;
};

TEST_F(SweepPart, togetherTheyMakeTheWholeTable) {
    runAll();
    ASSERT_NE(whole().find("reduceInterleaved"), std::string::npos);
    expectWholeTable();
    EXPECT_FALSE(fs::exists(unfinished(1)));
}

// Killed at any byte: within the first line, between two launches, within a launch's line.
TEST_F(SweepPart, thatWasKilledGoesOnWhereItWas) {
    runAll();
    const std::string text = readFile(parts[0]); // a head and the launches 0 and 4
    const std::size_t head = text.find('\n') + 1, second = text.find('\n', head) + 1;
    const struct {
        std::size_t bytes;
        const char* says;
    } kills[] = {{0, "0 of them run before"},          {head / 2, "0 of them run before"},
                 {head, "0 of them run before"},       {head + 40, "0 of them run before"},
                 {second, "1 of them run before"},     {second + 1, "1 of them run before"},
                 {text.size(), "2 of them run before"}};
    for (const auto& kill : kills) {
        fs::remove(parts[0]);
        writeFile(unfinished(1), text.substr(0, kill.bytes));
        const Answer answer = run(1);
        ASSERT_EQ(answer.status, 0) << kill.bytes << answer.err;
        EXPECT_NE(answer.out.find(kill.says), std::string::npos) << kill.bytes << answer.out;
        expectWholeTable();
    }
}

TEST_F(SweepPart, thatIsWholeIsNotRunAgain) {
    ASSERT_EQ(run(2).status, 0);
    const auto written = fs::last_write_time(parts[1]);
    const Answer answer = run(2);
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_NE(answer.out.find("2 launches, 2 of them run before"), std::string::npos) << answer.out;
    EXPECT_EQ(fs::last_write_time(parts[1]), written);
}

TEST_F(SweepPart, ofAnotherSweepIsNotWrittenOver) {
    ASSERT_EQ(run(1).status, 0);
    const std::string before = readFile(parts[0]);
    for (const char* other :
         {"sweep reduceNeighbored --block 64 --part 1/4 -o ",
          "sweep reduceNeighbored,reduceInterleaved --size 1024 --block 64,128,2048 --timing --part 1/3 -o ",
          "sweep reduceNeighbored,reduceInterleaved --size 2048 --block 64,128,2048 --timing --part 1/4 -o "}) {
        const Answer answer = record(other + quoted(parts[0]));
        EXPECT_EQ(answer.status, 2) << other;
        EXPECT_NE(answer.err.find("a part of another sweep"), std::string::npos) << answer.err;
    }
    EXPECT_EQ(readFile(parts[0]), before);
}

TEST_F(SweepPart, thatAreMissingTwiceThereOrStrangeAreNamed) {
    runAll();
    const fs::path csv = scratch("none.csv");
    const auto says = [&](const std::vector<fs::path>& files, const char* what) {
        const Answer answer = merge(files, csv);
        EXPECT_EQ(answer.status, 2);
        EXPECT_NE(answer.err.find(what), std::string::npos) << answer.err;
        EXPECT_FALSE(fs::exists(csv));
    };
    says({parts[0], parts[2]}, "of the 4 parts these are missing: 2, 4");
    says({parts[0], parts[1], parts[0]}, "this is part 1 of 4, as ");
    const fs::path other = scratch("other"), text = scratch("text"), cut = scratch("cut");
    ASSERT_EQ(record("sweep reduceNeighbored --size 1024 --block 64 --part 1/1 -o " + quoted(other)).status, 0);
    says({parts[0], other}, "a part of another sweep than ");
    writeFile(text, "kernel,grid\nmine,1\n");
    says({parts[0], text}, "no part of a sweep");
    const std::string whole = readFile(parts[0]);
    writeFile(cut, whole.substr(0, whole.size() - 10));
    says({cut, parts[1], parts[2], parts[3]}, "part 1 of 4 is unfinished: 1 of its 2 launches are there");
}

TEST_F(SweepPart, isRefusedWhereTheWordsDoNotFit) {
    const auto refused = [&](const std::string& words, const char* what) {
        const Answer answer = record(words);
        EXPECT_EQ(answer.status, 2) << words;
        EXPECT_NE(answer.err.find(what), std::string::npos) << answer.err;
    };
    const std::string file = quoted(parts[0]);
    refused(sweep + "--part 1/4", "belong together");
    refused(sweep + "-o " + file, "belong together");
    refused(sweep + "--part 1/4 --csv x.csv -o " + file, "no table yet");
    for (const char* part : {"0/4", "5/4", "1", "1/0", "-1/4", "1/4x", "a/b", "1/9999999999"})
        refused(sweep + "--part " + part + " -o " + file, "is no part");
    refused("sweep reduceNeighbored --merge " + file, "runs nothing");
    EXPECT_FALSE(fs::exists(parts[0]));
}

} // namespace
