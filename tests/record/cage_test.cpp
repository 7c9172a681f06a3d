// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands say of the cage: when the emulator breaks in it, and on systems that lack some of its walls.
#include "program.h"

#include "tests/cage/breaking.h"
#include "tests/cage/older_system.h"

#include <gtest/gtest.h>

#include <iostream>

namespace {

std::string kernelFile(const char* name, const std::string& text) {
    const auto file = scratch(name);
    writeFile(file, text);
    return "'" + file.string() + "' ";
}

std::size_t count(const std::string& text, const std::string& words) {
    std::size_t n = 0;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
        ++n;
    return n;
}

const char* const quickKernel = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n";
const char* const shape = "--grid 1 --block 32 ";

} // namespace

TEST(Cage, WhenItBreaksEachCommandSaysWhatToReport) {
    const std::string file = kernelFile("endless.ptx", warpglass::tests::endlessKernel);
    const std::string endless = file + shape + "--max-instructions 1000000000000 ";
    for (const std::string& words : {"run " + endless, "why " + endless, "sweep " + endless}) {
        const warpglass::tests::Breaking breaking;
        const Answer answer = record(words);
        EXPECT_TRUE(breaking.broke()) << words << answer.err;
        EXPECT_EQ(answer.status, 1) << words << answer.err;
        // Sanitizers end the process themselves, with status 1.
        EXPECT_NE(answer.err.find("the emulator itself broke here (s"), std::string::npos) << answer.err;
        EXPECT_NE(answer.err.find("Please report it, with the kernel's file, its launch"), std::string::npos)
            << answer.err;
    }
}

// The words of docs/security.md: what is missing is said, once a command, and the command does its work.
TEST(Cage, WhatItLacksIsSaidOnce) {
    const std::string quick = kernelFile("quick.ptx", quickKernel);
    struct Row {
        warpglass::tests::OlderSystem system;
        const char* said;
    };
    const Row rows[] = {
        {{.landlock = false, .filters = true}, "this system has no Landlock"},
        {{.landlock = true, .filters = false}, "this system has no filter of system calls (seccomp)"},
        {{.landlock = false, .filters = false},
         "this system has neither a filter of system calls (seccomp) nor Landlock"},
    };
    const std::string handIn = "'" WARPGLASS_SOURCE_DIR "/tests/session/hand_ins/right-reduce.ptx' ";
    const std::string commands[] = {"run " + quick + shape, "why " + quick + shape,
                                    "sweep " + quick + "--grid 1 --block 32,64",
                                    "grade " + handIn + "--exercise reduce-with-whole-warps"};
    for (const Row& row : rows)
        for (const std::string& command : commands)
            EXPECT_EXIT(
                {
                    if (!warpglass::tests::becomeOlder(row.system))
                        _exit(3);
                    const Answer answer = record(command);
                    std::cerr << answer.err << answer.out;
                    _exit(answer.status != 0 ? 4 : count(answer.err, row.said) == 1 ? 0 : 5);
                },
                testing::ExitedWithCode(0), "")
                << command << row.said;
    for (const std::string& ours : {std::string("run mathKernel1"), std::string("why mathKernel1")})
        EXPECT_EXIT(
            {
                warpglass::tests::becomeOlder({});
                _exit(int(count(record(ours).err, "this system has")));
            },
            testing::ExitedWithCode(0), "")
            << ours; // a kernel of the gallery is no stranger's
}
