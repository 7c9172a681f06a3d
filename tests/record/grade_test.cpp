// SPDX-License-Identifier: GPL-3.0-or-later
// `grade` as a teacher's script uses it: exit status, JSON and sentences.
#include "program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include <sys/wait.h>

namespace {

std::string handIn(const std::string& name) {
    const auto folder = std::filesystem::path(WARPGLASS_SOURCE_DIR) / "tests/session/hand_ins";
    return "'" + (folder / name).string() + "'";
}

nlohmann::json goal(const nlohmann::json& all, const std::string& name) {
    for (const auto& g : all["goals"])
        if (g["goal"] == name)
            return g;
    return {};
}

} // namespace

TEST(Grade, TheStatusIsTheVerdict) {
    const Answer right = record("grade " + handIn("right-reduce.ptx") + " --exercise reduce-with-whole-warps --json");
    EXPECT_EQ(right.status, 0) << right.err << right.out;
    EXPECT_EQ(right.json()["passed"], true);
    EXPECT_EQ(right.json()["reached"], right.json()["of"]);
    EXPECT_EQ(right.json()["file"], "right-reduce.ptx");

    const Answer wrong = record("grade " + handIn("wrong-hard-coded-answer.ptx") + " --exercise first-kernel --json");
    EXPECT_EQ(wrong.status, 1) << wrong.err << wrong.out;
    EXPECT_EQ(wrong.json()["passed"], false);
    const nlohmann::json result = goal(wrong.json(), "result");
    EXPECT_EQ(result["state"], "missed");
    EXPECT_EQ(result["launch"], 2);
    EXPECT_NE(result["help"].get<std::string>().find("Count on no number of the example"), std::string::npos) << result;

    const Answer chinese = record("grade " + handIn("wrong-name.ptx") + " --exercise first-kernel --lang zh_CN");
    EXPECT_EQ(chinese.status, 1);
    EXPECT_NE(chinese.out.find("没有核函数 triple"), std::string::npos) << chinese.out;
}

TEST(Grade, WhatNeedsNoCompilerToBeRefused) {
    writeFile(scratch("empty.cu"), "\n");
    const Answer empty = record("grade '" + scratch("empty.cu").string() + "' --exercise first-kernel");
    EXPECT_EQ(empty.status, 1);
    EXPECT_NE(empty.out.find("the file is empty"), std::string::npos) << empty.out;

    writeFile(scratch("thief.cu"),
              "__global__ void triple(int* out, const int* in, int n) {}\n#include \"/etc/passwd\"\n");
    const Answer thief = record("grade '" + scratch("thief.cu").string() + "' --exercise first-kernel");
    EXPECT_EQ(thief.status, 1);
    EXPECT_NE(thief.out.find("thief.cu:2: \"#include \"/etc/passwd\"\" is not allowed"), std::string::npos)
        << thief.out;
    EXPECT_EQ(thief.out.find("root:"), std::string::npos);

    writeFile(scratch("noise.ptx"), std::string("\x7f"
                                                "ELF\0\1\2",
                                                7));
    EXPECT_EQ(record("grade '" + scratch("noise.ptx").string() + "' --exercise first-kernel").status, 1);
}

TEST(Grade, AnEndlessLoopEnds) {
    const Answer endless = record("grade " + handIn("wrong-endless.ptx") + " --exercise any-size-any-grid --json");
    EXPECT_EQ(endless.status, 1) << endless.err;
    EXPECT_EQ(goal(endless.json(), "ends")["state"], "missed") << endless.out;
    EXPECT_EQ(goal(endless.json(), "result")["state"], "not_judged");
}

TEST(Grade, AGreedyKernelEnds) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer itself takes more addresses than any limit would leave";
#endif
    // 8 GB of a variable, of which a launch may have 64 MB.
    writeFile(scratch("greedy.ptx"), R"(.version 8.0
.target sm_75
.address_size 64
.global .align 8 .b8 room[8589934592];
.visible .entry addOne(.param .u64 data, .param .u32 n) {
    .reg .b64 %rd<2>;
    mov.u64 %rd1, room;
    st.global.u32 [%rd1], 0;
    ret;
}
)");
    const Answer greedy =
        record("grade '" + scratch("greedy.ptx").string() + "' --exercise any-size-any-grid --memory 64");
    EXPECT_EQ(greedy.status, 1) << greedy.err;
    EXPECT_NE(greedy.out.find("memory"), std::string::npos) << greedy.out;
}

TEST(Grade, AWrongCommandLineIsNoVerdict) {
    for (const std::string& words :
         {handIn("right-reduce.ptx"), handIn("right-reduce.ptx") + " --exercise nothing-like-this",
          std::string("nowhere.cu --exercise first-kernel"),
          handIn("right-reduce.ptx") + " --exercise first-kernel --time 0", std::string("--exercise first-kernel"),
          "'" + std::string(WARPGLASS_SOURCE_DIR "/README.md") + "' --exercise first-kernel"}) {
        const Answer answer = record("grade " + words);
        EXPECT_EQ(answer.status, 2) << words << "\n" << answer.out;
        EXPECT_FALSE(answer.err.empty()) << words;
    }
    const Answer unknown = record("grade a.cu --exercise nothing-like-this");
    EXPECT_NE(unknown.err.find("first-kernel"), std::string::npos) << unknown.err; // says which there are
}

TEST(Grade, ListsAndHandsOutAndChecks) {
    const Answer list = record("grade --list --json");
    EXPECT_EQ(list.status, 0);
    EXPECT_GE(list.json()["exercises"].size(), 12u);
    EXPECT_EQ(list.json()["exercises"][0]["name"], "first-kernel");

    const std::string file = scratch("starter.cu").string();
    EXPECT_EQ(record("grade --exercise first-kernel --starter -o '" + file + "'").status, 0);
    EXPECT_NE(readFile(file).find("__global__ void triple"), std::string::npos);
    writeFile(file, "mine");
    EXPECT_EQ(record("grade --exercise first-kernel --starter -o '" + file + "'").status, 2);
    EXPECT_EQ(readFile(file), "mine");

    EXPECT_EQ(record("grade --exercise mend-the-race --check").status, 0);
    writeFile(scratch("damaged.json"), "{\n\"format\": 1,\n\"name\": 7}\n");
    const Answer damaged = record("grade --check --exercise '" + scratch("damaged.json").string() + "'");
    EXPECT_EQ(damaged.status, 2);
    EXPECT_NE(damaged.err.find("damaged.json"), std::string::npos) << damaged.err;
}

TEST(Grade, WritesWhatTheCompilerSays) {
    if (std::system("command -v nvcc >/dev/null || test -x \"$CUDA_HOME/bin/nvcc\"") != 0)
        GTEST_SKIP() << "nvcc is not on PATH";
    const Answer right = record("grade " + handIn("right-atomics.cu") + " --exercise fewer-atomics");
    EXPECT_EQ(right.status, 0) << right.out << right.err;
    writeFile(scratch("broken.cu"), "__global__ void triple(int* out, const int* in, int n) { out[0] = in[nn]; }\n");
    const Answer broken = record("grade '" + scratch("broken.cu").string() + "' --exercise first-kernel");
    EXPECT_EQ(broken.status, 1);
    EXPECT_NE(broken.out.find("broken.cu:1: identifier \"nn\" is undefined"), std::string::npos) << broken.out;
    const Answer mischief = record("grade " + handIn("wrong-asm.cu") + " --exercise first-kernel");
    EXPECT_EQ(mischief.status, 1) << mischief.err;
    EXPECT_NE(mischief.out.find(".exec"), std::string::npos) << mischief.out; // nvcc's ptxas says so, or the emulator
}

// A copy of the program beside which another cage lies, as one that breaks on a hand-in.
TEST(Grade, AHandInThatBreaksTheEmulatorHasNoGrade) {
    namespace fs = std::filesystem;
    const fs::path folder = scratch("broken"), program = folder / "warpglass-record", cage = folder / "warpglass-cage";
    fs::create_directories(folder);
    fs::copy_file(WARPGLASS_BINARY_DIR "/bin/warpglass-record", program, fs::copy_options::overwrite_existing);
    const auto run = [&](const std::string& does) {
        writeFile(cage, "#!/bin/sh\n" + does + "\n");
        fs::permissions(cage, fs::perms::owner_all);
        const std::string command = quoted(program) + "grade " + handIn("right-first-kernel.ptx") +
                                    " --exercise first-kernel > " + quoted(scratch("said.txt")) + "2>&1";
        const int status = std::system(command.c_str());
        return std::pair(WIFEXITED(status) ? WEXITSTATUS(status) : -1, readFile(scratch("said.txt")));
    };
    const auto [broke, words] = run("kill -SEGV $$");
    EXPECT_EQ(broke, 2) << words;
    EXPECT_NE(words.find("right-first-kernel.ptx: it could not be graded: the emulator itself broke here (signal 11)"),
              std::string::npos)
        << words;
    EXPECT_NE(words.find("Please report it"), std::string::npos);
    EXPECT_EQ(words.find("memory"), std::string::npos) << words;
    const auto [empty, none] = run("exit 0");
    EXPECT_EQ(empty, 2) << none;
    const auto [status, memory] = run("exit 9"); // its limit of memory
    EXPECT_EQ(status, 1) << memory;
    EXPECT_NE(memory.find("not enough memory"), std::string::npos) << memory;
    EXPECT_NE(memory.find("of 6 goals"), std::string::npos) << memory;
}
