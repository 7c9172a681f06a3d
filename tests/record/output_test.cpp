// SPDX-License-Identifier: GPL-3.0-or-later
// What commands write: never over what they read, and over nothing else before it is whole, wherever the writing ends:
// the process killed, the disk full, the folder read-only, the memory short.
#include "program.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

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

// Every command that writes, with a file of some size.
struct Writer {
    const char *words, *file;
};
constexpr Writer writers[] = {
    {"run mathKernel1 --size 1024 --accesses -o", "new.wgt"},
    {"run mathKernel1 --size 4096 --dump c=", "new.bin"},
    {"cut INPUT --from 0 --to 5 -o", "new-cut.wgt"},
    {"export INPUT --format perfetto -o", "new.perfetto"},
    {"export INPUT --format json -o", "new.json"},
    {"export INPUT --format csv -o", "new.csv"},
    {"sweep mathKernel1 --size 64,128,256,512,1024,2048,4096,8192 --csv", "new-table.csv"},
};
std::string commandOf(const Writer& writer, const fs::path& input, const fs::path& output) {
    std::string words = writer.words;
    if (const auto at = words.find("INPUT"); at != std::string::npos)
        words.replace(at, 5, input.string());
    return words + (words.ends_with("=") ? "" : " ") + output.string();
}

// The system refuses what is written past a file's largest size, in the midst of that write: so the writing ends at the byte
// that is asked for, and at every step from nothing to the whole file.
TEST_F(Output, isTheOldFileOrTheNewOneWhereverItsWritingEnds) {
    for (const Writer& writer : writers) {
        const fs::path whole = scratch(writer.file), output = scratch(std::string("killed-") + writer.file);
        const Answer made = record(commandOf(writer, m_file, whole));
        ASSERT_EQ(made.status, 0) << writer.words << made.err;
        const std::string wanted = readFile(whole);
        constexpr std::size_t unit = 512, steps = 8; // bytes of `ulimit -f`
        ASSERT_GT(wanted.size(), 2 * unit) << writer.words;
        const std::size_t units = wanted.size() / unit, step = std::max<std::size_t>(1, units / steps);
        writeFile(output, "the old text");
        std::size_t old = 0, ended = 0;
        for (std::size_t most = 0; most < units; most += step) {
            const Answer answer =
                record(commandOf(writer, m_file, output), "ulimit -c 0; ulimit -f " + std::to_string(most) + ";");
            ended += answer.status == 1 && answer.err.find("warpglass-record: ") != std::string::npos;
            const std::string is = readFile(output);
            ASSERT_TRUE(is == "the old text" || is == wanted)
                << writer.words << " at " << most << ": " << is.size() << " bytes of " << wanted.size() << answer.err;
            old += is == "the old text";
        }
        EXPECT_GT(2 * ended, units / step) << writer.words;
        EXPECT_GT(old, units / step / 2) << writer.words;
        ASSERT_EQ(record(commandOf(writer, m_file, output)).status, 0) << writer.words;
        EXPECT_EQ(readFile(output), wanted) << writer.words << ": what was left lying does no harm";
        for (const auto& entry : fs::directory_iterator(output.parent_path()))
            EXPECT_FALSE(entry.path().filename().string().starts_with("." + output.filename().string()))
                << writer.words << ": " << entry.path() << " is still there";
    }
}

TEST_F(Output, thatDoesNotFitEndsInASentenceAndStatus1) {
    for (const Writer& writer : writers) {
        const fs::path output = scratch(std::string("full-") + writer.file);
        writeFile(output, "the old text");
        const Answer answer = record(commandOf(writer, m_file, output), "trap '' XFSZ; ulimit -f 1;");
        EXPECT_EQ(answer.status, 1) << writer.words << answer.err;
        EXPECT_NE(answer.err.find(output.string()), std::string::npos) << writer.words << answer.err;
        EXPECT_EQ(readFile(output), "the old text") << writer.words;
    }
}

// Root may write anywhere, unless that right is taken away.
// A limit of 10 KB a file (ulimit counts blocks of 512 bytes in sh), which the kernel tells by SIGXFSZ unless that is ignored.
TEST_F(Output, beyondTheLimitOfAFileEndsInASentenceAndLeavesNothing) {
    const fs::path file = scratch("limited/x.wgt");
    fs::create_directories(file.parent_path());
    const Answer answer = record("run mathKernel1 -o " + file.string(), "ulimit -f 20; ");
    EXPECT_EQ(answer.status, 1) << answer.err;
    EXPECT_NE(answer.err.find("warpglass-record: "), std::string::npos);
    EXPECT_TRUE(fs::is_empty(file.parent_path()));
}

// As a grade of it does, whose limits begin behind the reading; the time is bounded by a program of the system's.
TEST(Input, thatIsAPipeIsRefusedBeforeItIsWaitedFor) {
    const fs::path pipe = scratch("pipe.ptx"), recording = scratch("pipe.wgt");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    ASSERT_EQ(mkfifo(recording.c_str(), 0600), 0);
    for (const std::string& command :
         {"grade " + pipe.string() + " --exercise first-kernel", "run " + pipe.string() + " --kernel k",
          "run " + recording.string(), "metrics " + recording.string(), "why " + recording.string()}) {
        const Answer answer = record(command, "timeout 20 ");
        EXPECT_EQ(answer.status, 2) << command << ": " << answer.err;
        EXPECT_NE(answer.err.find("warpglass-record: "), std::string::npos) << command;
    }
}

TEST(PrintedWords, ofAFileOfAFileObeysNothing) {
    const fs::path file = scratch("es\x1b[31mc\xe2\x80\xae.wgt"); // U+202E
    const Answer answer = record("metrics " + quoted(file));
    EXPECT_NE(answer.err.find("es\\x1b[31mc\\u202e.wgt"), std::string::npos) << answer.err;
    EXPECT_EQ(answer.err.find('\x1b'), std::string::npos);
}

TEST(TemporaryFolder, thatIsMissingIsNamed) {
    const fs::path source = scratch("mine.cu");
    writeFile(source, "__global__ void k() {}\n");
    const Answer answer = record("run " + source.string() + " --kernel k", "TMPDIR=/nonexistent ");
    EXPECT_NE(answer.status, 0);
    EXPECT_EQ(answer.err.find("--threads"), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find("/nonexistent"), std::string::npos) << answer.err;
}

TEST_F(Output, inAReadOnlyFolderEndsInASentenceAndStatus1) {
    std::string asUser;
    if (geteuid() == 0) {
        asUser = "setpriv --bounding-set -dac_override,-dac_read_search";
        if (std::system((asUser + " true > /dev/null 2>&1").c_str()) != 0)
            GTEST_SKIP() << "root cannot give up its rights here";
    }
    const fs::path folder = scratch("read-only");
    fs::create_directory(folder);
    fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
    for (const Writer& writer : writers) {
        const fs::path output = folder / writer.file;
        const Answer answer = record(commandOf(writer, m_file, output), asUser);
        EXPECT_EQ(answer.status, 1) << writer.words << answer.err;
        EXPECT_NE(answer.err.find("warpglass-record: " + output.string() + ": "), std::string::npos)
            << writer.words << ": " << answer.err;
        EXPECT_EQ(answer.err.find("No such file"), std::string::npos) << writer.words << ": " << answer.err;
    }
    for (const char* words : {"sweep mathKernel1 --size 64 --keep ", "sweep mathKernel1 --size 64 --part 1/1 -o "}) {
        const Answer answer = record(words + (folder / "kept").string(), asUser);
        EXPECT_EQ(answer.status, 1) << words << answer.err;
        EXPECT_NE(answer.err.find("Permission denied"), std::string::npos) << words << answer.err;
    }
    EXPECT_TRUE(fs::is_empty(folder));
    fs::permissions(folder, fs::perms::owner_all);
}

// Under any limit of memory that lets the program start: an answer, or a sentence; never a library's word, never a crash.
TEST(OutOfMemory, isASentence) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers take terabytes of address space for themselves";
#endif
    int least = 8 << 10; // KB
    while (least < (512 << 10) && record("--version", "ulimit -v " + std::to_string(least) + ";").status != 0)
        least += 4 << 10;
    int refused = 0;
    for (int more = 0; more <= 48 << 10; more += 1 << 10) {
        const Answer answer = record("run reduceInterleaved --size 65536 --timing --accesses --detail all --threads 2",
                                     "ulimit -c 0; ulimit -v " + std::to_string(least + more) + ";");
        if (answer.status == 0)
            continue;
        ++refused;
        EXPECT_TRUE(answer.status == 1 || answer.status == 2) << more << ": " << answer.status << answer.err;
        EXPECT_TRUE(answer.err.starts_with("warpglass-record: ")) << answer.err;
        EXPECT_EQ(answer.err.find("bad_alloc"), std::string::npos) << answer.err;
        EXPECT_NE(answer.err.find(". "), std::string::npos) << "no remedy: " << answer.err;
    }
    EXPECT_GT(refused, 0);
}
