// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/part.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpglass {
namespace {

namespace fs = std::filesystem;

class PartTest : public testing::Test {
protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() / fmt::format("warpglass_part_{}", getpid());
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }

    fs::path partOf(const char* name, pid_t process) const {
        return m_folder / fmt::format(".{}.{}.part", name, process);
    }
    static void put(const fs::path& path, const char* text = "half") { std::ofstream(path) << text; }
    static std::string textOf(const fs::path& path) {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void write(const char* name) const { EXPECT_FALSE(Part(m_folder / name).problem()); }

    // A process that has begun to write, and waits.
    pid_t writer(const char* name) const {
        std::array<int, 2> begun{};
        if (pipe(begun.data()) != 0)
            return -1;
        const pid_t child = fork();
        if (child == 0) {
            const Part part(m_folder / name);
            put(part.path());
            [[maybe_unused]] const auto told = ::write(begun[1], "x", 1);
            for (;;)
                pause();
        }
        char told = 0;
        EXPECT_EQ(read(begun[0], &told, 1), 1);
        close(begun[0]);
        close(begun[1]);
        return child;
    }
    static void end(pid_t child) {
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
    // A number that no process has any more.
    static pid_t gone() {
        const pid_t child = fork();
        if (child == 0)
            _exit(0);
        waitpid(child, nullptr, 0);
        return child;
    }

    fs::path m_folder;
};

TEST_F(PartTest, OfAKilledProcessGoesWithTheNextWriterOfThatName) {
    const pid_t child = writer("one.wgt");
    const fs::path left = partOf("one.wgt", child);
    ASSERT_EQ(textOf(left), "half");
    write("one.wgt");
    EXPECT_EQ(textOf(left), "half") << "its writer lives";
    end(child);
    ASSERT_EQ(textOf(left), "half");
    write("two.wgt");
    write("one");
    EXPECT_TRUE(fs::exists(left)) << "that is another file's business";
    write("one.wgt");
    EXPECT_FALSE(fs::exists(left));
}

TEST_F(PartTest, ThatSomebodyHoldsStaysWhereverItsProcessIs) { // in another container, say
    const fs::path left = partOf("one.wgt", gone());
    put(left);
    const int file = open(left.c_str(), O_RDWR);
    ASSERT_EQ(flock(file, LOCK_EX), 0);
    write("one.wgt");
    EXPECT_TRUE(fs::exists(left));
    flock(file, LOCK_UN);
    write("one.wgt");
    EXPECT_FALSE(fs::exists(left));
    close(file);
}

TEST_F(PartTest, ThatIsADayOldGoesWhateverItsNumber) {
    const fs::path young = partOf("one.wgt", getppid()), old = partOf("two.wgt", getppid());
    put(young);
    put(old);
    const auto now = fs::file_time_type::clock::now();
    fs::last_write_time(young, now - std::chrono::hours(23));
    fs::last_write_time(old, now - std::chrono::hours(25));
    write("one.wgt");
    write("two.wgt");
    EXPECT_TRUE(fs::exists(young));
    EXPECT_FALSE(fs::exists(old));
}

TEST_F(PartTest, TakesThePlaceOfNoPipeAndNoDevice) {
    const fs::path pipe = m_folder / "pipe", link = m_folder / "link";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    fs::create_symlink(pipe, link);
    for (const fs::path& path : {pipe, link}) {
        Part part(path);
        EXPECT_EQ(part.problem().message(), "this is no plain file") << path;
        EXPECT_TRUE(part.finish()) << path;
    }
    EXPECT_TRUE(fs::is_fifo(pipe));
    EXPECT_TRUE(fs::is_symlink(link));
}

TEST_F(PartTest, IsTakenForOneOnlyIfItIsOurFile) {
    const pid_t process = gone();
    std::vector<fs::path> others;
    for (const std::string& name :
         {fmt::format(".one.wgt.{}x.part", process), fmt::format(".one.wgt.-{}.part", process),
          std::string(".one.wgt..part"), std::string(".one.wgt.part"), fmt::format(".one.wgt.{}.part.mp4", process),
          fmt::format("one.wgt.{}.part", process)}) {
        others.push_back(m_folder / name);
        put(others.back());
    }
    const fs::path target = m_folder / "target";
    put(target);
    others.push_back(partOf("one.wgt", gone()));
    fs::create_hard_link(target, others.back());
    others.push_back(partOf("one.wgt", gone()));
    fs::create_symlink(target, others.back());
    others.push_back(partOf("one.wgt", gone()));
    fs::create_directory(others.back());
    if (geteuid() == 0) {
        others.push_back(partOf("one.wgt", gone()));
        put(others.back());
        constexpr uid_t nobody = 65534;
        ASSERT_EQ(chown(others.back().c_str(), nobody, nobody), 0);
    }
    write("one.wgt");
    for (const fs::path& other : others)
        EXPECT_TRUE(fs::exists(fs::symlink_status(other))) << other;
    const fs::path film = m_folder / fmt::format(".one.wgt.{}.part.mp4", process);
    EXPECT_FALSE(Part(m_folder / "one.wgt", ".mp4").problem());
    EXPECT_FALSE(fs::exists(film)) << "with its ending it is one";
}

TEST_F(PartTest, IsNeverWrittenThroughALink) {
    const fs::path theirs = m_folder / "theirs";
    put(theirs, "precious");
    fs::create_symlink(theirs, partOf("one.wgt", getpid()));
    Part part(m_folder / "one.wgt");
    ASSERT_FALSE(part.problem()) << part.problem().message();
    put(part.path(), "ours");
    ASSERT_FALSE(part.finish());
    EXPECT_EQ(textOf(theirs), "precious");
    EXPECT_EQ(textOf(m_folder / "one.wgt"), "ours");
}

} // namespace
} // namespace warpglass
