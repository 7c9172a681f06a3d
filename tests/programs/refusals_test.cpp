// SPDX-License-Identifier: GPL-3.0-or-later
// What CUDA refuses, drops or loses is refused, dropped or told here. What an H200 does was seen there (CUDA 13.0).
#include "run_program.h"

#include <gtest/gtest.h>

#include <string>

namespace {

struct DroppedCase {
    const char* word;
    const char* out;  // the end of what it prints
    const char* told; // part of the only message; "": there is none
};

} // namespace

// heavy takes more than 64 registers a thread. The H200 answered for it: 124 registers, 512 threads, no block of 544, and
// cudaErrorLaunchOutOfResources for more threads, of the runtime 13, too.
TEST(ProgramRefusals, AreOfKernelsThatTakeTooManyRegisters) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    const ProgramAnswer answer = recorder("program -o '" + at("registers").string() + "' -- '" +
                                          built("too_many_registers.cu", "").string() + "'");
    EXPECT_EQ(answer.out, "1 1 0 cudaSuccess cudaErrorLaunchOutOfResources\n") << answer.err;
    const auto messages = listing("registers")["messages"];
    ASSERT_EQ(messages.size(), 1u) << messages;
    EXPECT_EQ(messages[0]["kind"], "refused");
    EXPECT_NE(messages[0]["text"].get<std::string>().find("heavy was not launched: it takes "), std::string::npos);
}

// 256 threads print 200 lines with two numbers: 51,200 of 16 + 2 * 8 bytes are 1,638,400. The H200 printed the last 33,792 of
// 40,960 such lines, and answered 800 (cudaErrorNotPermitted) to each call in a function of the host's.
TEST(ProgramRefusals, AreOfCallsInHostFunctionsAndOfLinesThatFindNoRoom) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    const std::string program = built("dropped.cu", "").string();
    for (const DroppedCase& c :
         {DroppedCase{"callback", "800\n", "has the host run calls CUDA"}, DroppedCase{"callback-right", "0\n", ""},
          DroppedCase{"print", "255 199\n", "to 1638400 bytes (16 a call, 8 an argument), and the buffer has 1048576"},
          DroppedCase{"print-right", "255 199\n", ""}}) {
        const std::string name = std::string("dropped-") + c.word;
        const ProgramAnswer answer = recorder("program -o '" + at(name).string() + "' -- '" + program + "' " + c.word);
        EXPECT_EQ(answer.status, 0) << answer.err;
        EXPECT_TRUE(answer.out.ends_with(c.out)) << c.word;
        const auto messages = listing(name)["messages"];
        ASSERT_EQ(messages.size(), *c.told ? 1u : 0u) << messages;
        if (*c.told) {
            EXPECT_NE(messages[0]["text"].get<std::string>().find(c.told), std::string::npos) << messages;
        }
    }
}
