// SPDX-License-Identifier: GPL-3.0-or-later
// Recording more of a program: what is asked of the recorder, and that a recording is never the worse for it. That more
// launches arrive is tested in the window, with a real program.
#include "app/session/rerun.h"
#include "gpu/program/program_file.h"
#include "gpu/program/settings.h"
#include "tests/sample_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include <unistd.h>

using namespace warpglass;
namespace fs = std::filesystem;

namespace {

struct Folder {
    fs::path path = fs::path(testing::TempDir()) / ("warpglass-rerun-" + std::to_string(getpid()));
    fs::path data = path.string() + "-data"; // the user's, with the key of seals
    Folder() {
        fs::create_directories(path);
        setenv("XDG_DATA_HOME", data.c_str(), 1);
    }
    ~Folder() {
        fs::remove_all(path);
        fs::remove_all(data);
        unsetenv("XDG_DATA_HOME");
    }
};

std::string bytesOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// A recording of a program that is started by these words.
fs::path recordingOf(const Folder& folder, std::vector<std::string> words) {
    program::ProgramTrace p = samples::handProgram();
    p.recordings.clear();
    p.operations[2].recording = noIndex;
    p.info.origin.folder = folder.path.string();
    p.info.origin.words = std::move(words);
    p.info.origin.seal = session::sealOf(p.info);
    const fs::path file = folder.path / "program.wgt";
    EXPECT_TRUE(program::writeProgram(p, file));
    return file;
}

bool has(const std::vector<std::string>& words, const std::string& option, const std::string& value) {
    for (std::size_t n = 0; n + 1 < words.size(); ++n)
        if (words[n] == option && words[n + 1] == value)
            return true;
    return false;
}

} // namespace

TEST(Rerun, asksForTheSameProgramWithOtherLaunches) {
    program::ProgramInfo info;
    info.origin.sources = {"a.cu", "b c.cu"};
    info.origin.words = {"--size", "7"};
    info.origin.options = {"-I", "include", "--mode", "as-written"};
    program::Settings asked;
    asked.detail = "blocks";
    asked.blocks = {0, 7};
    asked.device = "a100";
    asked.timing = true;
    asked.launches = {{0, 0}};
    asked.kernels = "scale";
    info.origin.settings = program::settingsText(asked);
    const auto words = session::rerunWords(info, {12, 3, 10, 11, 3}, "out");
    EXPECT_EQ(words[0], "program");
    EXPECT_EQ(words[1], "a.cu");
    EXPECT_EQ(words[2], "b c.cu");
    EXPECT_TRUE(has(words, "-I", "include"));
    EXPECT_TRUE(has(words, "--mode", "as-written"));
    EXPECT_TRUE(has(words, "--launches", "3,10-12"));
    EXPECT_TRUE(has(words, "--detail", "block:0,7"));
    EXPECT_TRUE(has(words, "--device", "a100"));
    EXPECT_TRUE(has(words, "--backend", "emulator"));
    EXPECT_TRUE(has(words, "-o", "out"));
    EXPECT_NE(std::find(words.begin(), words.end(), "--timing"), words.end());
    EXPECT_EQ(std::find(words.begin(), words.end(), "--accesses"), words.end());
    EXPECT_EQ(std::find(words.begin(), words.end(), "--kernel"), words.end()); // the launches are named already
    const std::vector<std::string> behind(words.end() - 3, words.end());
    EXPECT_EQ(behind, (std::vector<std::string>{"--", "--size", "7"}));
}

// What was recorded on a GPU is recorded there again, by the same clock; no emulated device is named.
TEST(Rerun, ofAGpuAsksTheGpuAgain) {
    program::ProgramInfo info;
    info.backend = BackendKind::Cuda;
    info.origin.words = {"./app"};
    program::Settings asked;
    asked.times = "host";
    asked.device = "a100";
    info.origin.settings = program::settingsText(asked);
    const auto words = session::rerunWords(info, {4}, "out");
    EXPECT_TRUE(has(words, "--backend", "cuda"));
    EXPECT_TRUE(has(words, "--times", "host"));
    EXPECT_TRUE(has(words, "--launches", "4"));
    EXPECT_EQ(std::find(words.begin(), words.end(), "--device"), words.end());
    EXPECT_EQ(std::find(words.begin(), words.end(), "--devices"), words.end());
}

TEST(Rerun, needsToKnowHowTheProgramWasStarted) {
    const Folder folder;
    const fs::path file = recordingOf(folder, {});
    Progress progress;
    const auto more = session::recordMore(file, {1}, progress);
    ASSERT_FALSE(more);
    EXPECT_NE(more.error().message.find("does not say how the program was started"), std::string::npos);
}

TEST(Rerun, aProgramThatIsGoneLeavesTheRecording) {
    const Folder folder;
    const fs::path file = recordingOf(folder, {"./not-there-any-more"});
    const std::string before = bytesOf(file);
    Progress progress;
    const auto more = session::recordMore(file, {1}, progress);
    ASSERT_FALSE(more);
    EXPECT_NE(more.error().message.find("could not be run again"), std::string::npos) << more.error().text();
    EXPECT_EQ(bytesOf(file), before);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()), 1);
}

// A recording that somebody else has made says what is to be run, and it is not.
TEST(Rerun, startsNothingThatAStrangersFileNames) {
    const Folder folder;
    const fs::path sign = folder.path / "was-here", script = folder.path / "program.sh";
    std::ofstream(script) << "#!/bin/sh\ntouch '" << sign.string() << "'\n";
    fs::permissions(script, fs::perms::owner_all);
    const fs::path file = recordingOf(folder, {"./program.sh"});
    Progress progress;
    EXPECT_FALSE(session::recordMore(file, {1}, progress)); // it never uses the device
    EXPECT_TRUE(fs::remove(sign)) << "one's own is run";
    const auto refused = [&] {
        const auto more = session::recordMore(file, {1}, progress);
        return !more && more.error().message.find("not made by you") != std::string::npos;
    };
    fs::rename(folder.data, folder.data.string() + "-other"); // another user
    EXPECT_TRUE(refused());
    fs::remove_all(folder.data);
    fs::rename(folder.data.string() + "-other", folder.data);
    auto changed = program::readProgram(file);
    ASSERT_TRUE(changed);
    EXPECT_TRUE(session::canRerun(changed->info));
    changed->info.origin.words.push_back("--and-more");
    ASSERT_TRUE(program::writeProgram(*changed, file));
    EXPECT_TRUE(refused());
    EXPECT_FALSE(fs::exists(sign));
}

TEST(Rerun, cancellingEndsTheProgramAndLeavesTheRecording) {
    const Folder folder;
    const fs::path sign = folder.path / "alive";
    const fs::path script = folder.path / "slow.sh";
    std::ofstream(script) << "#!/bin/sh\nwhile true; do echo >> '" << sign.string() << "'; sleep 0.05; done\n";
    fs::permissions(script, fs::perms::owner_all);
    const fs::path file = recordingOf(folder, {"./slow.sh"});
    const std::string before = bytesOf(file);
    Progress progress;
    const auto began = std::chrono::steady_clock::now();
    std::thread person([&] {
        for (int n = 0; n < 500 && !fs::exists(sign); ++n)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        progress.cancel();
    });
    const auto more = session::recordMore(file, {1}, progress);
    person.join();
    ASSERT_FALSE(more);
    EXPECT_TRUE(fs::exists(sign)) << more.error().text();
    EXPECT_NE(more.error().message.find("stopped"), std::string::npos) << more.error().text();
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(8));
    EXPECT_EQ(bytesOf(file), before);
    const std::string then = bytesOf(sign);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_EQ(bytesOf(sign), then); // it really ended
}
