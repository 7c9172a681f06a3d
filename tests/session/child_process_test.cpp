// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/child_process.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

using namespace warpglass::session;

namespace {

std::filesystem::path output() { // of this process: tests run beside each other
    return std::filesystem::path(testing::TempDir()) / ("warpglass_child_" + std::to_string(getpid()) + ".txt");
}

const struct Removed {
    ~Removed() { std::filesystem::remove(output()); }
} removed;

std::string said() {
    std::ifstream in(output());
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

TEST(ChildProcess, passesWordsOnWithoutAShell) {
    const ChildEnd end = runChild({"/bin/echo", "$(touch x)", "`id`", "a b"}, output());
    EXPECT_EQ(end.how, ChildEnd::How::Exited);
    EXPECT_EQ(end.status, 0);
    EXPECT_EQ(said(), "$(touch x) `id` a b\n");
}

TEST(ChildProcess, tellsItsStatus) {
    EXPECT_EQ(runChild({"/bin/sh", "-c", "exit 3"}, output()).status, 3);
    EXPECT_EQ(runChild({"/nowhere/at/all"}, output()).how, ChildEnd::How::NotStarted);
}

TEST(ChildProcess, stopsOneThatComputesForEver) {
    const ChildEnd end = runChild({"/bin/sh", "-c", "while :; do :; done"}, output(), {.cpuSeconds = 1});
    EXPECT_EQ(end.how, ChildEnd::How::OutOfTime);
}

TEST(ChildProcess, stopsOneThatWaitsForEver) {
    const ChildEnd end = runChild({"/bin/sleep", "1000"}, output(), {.wallSeconds = 1});
    EXPECT_EQ(end.how, ChildEnd::How::OutOfTime);
}

TEST(ChildProcess, endsAtOnceWhenItIsCancelled) {
    std::atomic<bool> cancelled = false;
    std::thread later([&] {
        usleep(100'000);
        cancelled = true;
    });
    const ChildEnd end =
        runChild({"/bin/sleep", "1000"}, {.output = output(), .errors = {}, .folder = {}, .cancelled = &cancelled},
                 {.wallSeconds = 60});
    later.join();
    EXPECT_EQ(end.how, ChildEnd::How::Cancelled);
}

TEST(ChildProcess, startsInAFolderAndKeepsErrorsApart) {
    const std::filesystem::path errors = output().string() + ".errors";
    const ChildEnd end =
        runChild({"/bin/sh", "-c", "pwd; echo wrong >&2"}, {.output = output(), .errors = errors, .folder = "/usr"});
    EXPECT_EQ(end.status, 0);
    EXPECT_EQ(said(), "/usr\n");
    std::ifstream in(errors);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "wrong\n");
    EXPECT_TRUE(std::filesystem::remove(errors));
}

// As a compiler does, whose parts are programs of their own: one of them writes a file again and again.
TEST(ChildProcess, stopsWhatItHasStartedToo) {
    const std::filesystem::path written = output().string() + ".written";
    const ChildEnd end = runChild({"/bin/sh", "-c", "(while :; do (: > \"$0\") & wait; done) & wait", written},
                                  output(), {.wallSeconds = 1});
    EXPECT_EQ(end.how, ChildEnd::How::OutOfTime);
    EXPECT_TRUE(std::filesystem::remove(written));
    usleep(300'000);
    EXPECT_FALSE(std::filesystem::remove(written));
}

// head reads a line of /dev/zero, which has no end, into memory.
TEST(ChildProcess, stopsOneThatEatsMemory) {
    const ChildEnd end = runChild({"/bin/sh", "-c", "exec tail -n 1 /dev/zero"}, output(),
                                  {.memoryBytes = std::uint64_t(256) << 20, .wallSeconds = 60});
    EXPECT_TRUE(end.how != ChildEnd::How::Exited || end.status != 0);
    EXPECT_NE(end.how, ChildEnd::How::OutOfTime);
}
