// SPDX-License-Identifier: GPL-3.0-or-later
// What commands write: never over what they read, and over nothing else before it is whole.
#include "program.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace {

namespace fs = std::filesystem;

class Output : public testing::Test {
protected:
    void SetUp() override {
        m_file = scratch("own.wgt");
        const Answer made = record("run mathKernel1 --size 1024 -o " + m_file.string());
        ASSERT_EQ(made.status, 0) << made.err;
        m_bytes = readFile(m_file);
    }
    // The command is refused, in a sentence, and the file is as it was.
    void refuses(const std::string& arguments) const {
        const Answer answer = record(arguments);
        EXPECT_EQ(answer.status, 2) << arguments;
        EXPECT_NE(answer.err.find("the file to write is the one that is read"), std::string::npos)
            << arguments << ": " << answer.err;
        EXPECT_EQ(readFile(m_file), m_bytes) << arguments;
    }

    fs::path m_file;
    std::string m_bytes;
};

} // namespace

TEST_F(Output, isNeverTheInput) {
    const std::string file = m_file.string();
    const fs::path link = scratch("link.wgt");
    fs::create_symlink(m_file, link);
    refuses("cut " + file + " --from 0 --to 5 -o " + file);
    refuses("cut " + file + " --from 0 --to 5 -o " + link.string());
    for (const char* format : {"perfetto", "csv", "json"})
        refuses("export " + file + " --format " + format + " -o " + file);
}

TEST_F(Output, ofARunIsNotItsKernel) {
    const fs::path kernel = scratch("own.ptx");
    writeFile(kernel, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) { ret; }\n");
    const std::string text = readFile(kernel), run = "run " + kernel.string() + " --arg p:i32[4]=0 ";
    for (const std::string& output : {"-o " + kernel.string(), "--dump p=" + kernel.string()}) {
        const Answer answer = record(run + output);
        EXPECT_EQ(answer.status, 2) << output;
        EXPECT_NE(answer.err.find("the one that is read"), std::string::npos) << answer.err;
        EXPECT_EQ(readFile(kernel), text);
    }
}

// A limit on the size of files does to a write what a full disk does.
TEST_F(Output, thatDoesNotFitLeavesTheOldFileAndNothingElse) {
    const fs::path old = scratch("old.json");
    const auto entries = [&] {
        return std::distance(fs::directory_iterator(old.parent_path()), fs::directory_iterator());
    };
    for (const char* format : {"json", "perfetto", "csv"}) {
        const fs::path output = std::string(format) == "csv" ? scratch("old.csv") : old;
        writeFile(output, "the old text");
        const auto before = entries();
        const Answer answer = record("export " + m_file.string() + " --format " + format + " -o " + output.string(),
                                     "trap '' XFSZ; ulimit -f 1;");
        EXPECT_EQ(answer.status, 1) << format << answer.err;
        EXPECT_EQ(readFile(output), "the old text") << format;
        EXPECT_EQ(entries(), before) << format;
    }
}
