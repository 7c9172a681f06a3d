// SPDX-License-Identifier: GPL-3.0-or-later
// Another order that CUDA allows gives another result where something is missing, and the same where nothing is.
#include "run_program.h"

#include <gtest/gtest.h>

#include <string>

namespace {

struct AdverseCase {
    const char* word;
    const char* usual;   // what the program prints
    const char* adverse; // and in the other order
};

} // namespace

// w[7] is 3 * 7 + 1 = 22, or, if v is not there yet, 0 + 1; pinned[7] is 21, or what it was before.
TEST(AdverseProgram, FindsWhatItHasNotWaitedFor) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    const std::string program = built("adverse.cu", "").string();
    for (const AdverseCase& c : {AdverseCase{"streams", "22\n", "1\n"}, AdverseCase{"streams-ordered", "22\n", "22\n"},
                                 AdverseCase{"host", "21\n", "0\n"}, AdverseCase{"host-ordered", "21\n", "21\n"},
                                 AdverseCase{"graph", "22\n", "1\n"}, AdverseCase{"graph-ordered", "22\n", "22\n"},
                                 AdverseCase{"print", "said\n", ""}, AdverseCase{"print-ordered", "said\n", "said\n"}})
        for (const bool adverse : {false, true}) {
            const std::string name = std::string("adverse-") + c.word;
            const ProgramAnswer answer = recorder("program " + std::string(adverse ? "--schedule adverse " : "") +
                                                  "-o '" + at(name).string() + "' -- '" + program + "' " + c.word);
            EXPECT_EQ(answer.out, adverse ? c.adverse : c.usual) << c.word << answer.err;
        }
}

// A block that comes before the one that it waits for by plain loads, and then finds data as it was; a host that looks at pinned memory; and what ends for
// nobody, after 2^27 instructions, or as many as are asked for.
TEST(AdverseProgram, EndsWhereSomebodyWaitsByLooking) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    const std::string program = built("waits.cu", "").string();
    for (const AdverseCase& c : {AdverseCase{"block", "1\n", "0\n"}, AdverseCase{"host", "7\n", "7\n"},
                                 AdverseCase{"never", "cudaErrorLaunchTimeout\n", "cudaErrorLaunchTimeout\n"}})
        for (const bool adverse : {false, true}) {
            const ProgramAnswer answer = recorder(
                "program " + std::string(adverse ? "--schedule adverse " : "") + "--max-instructions 1048576 -o '" +
                at(std::string("waits-") + c.word).string() + "' -- '" + program + "' " + c.word);
            EXPECT_EQ(answer.out, adverse ? c.adverse : c.usual) << c.word << answer.err;
        }
}

// Operations 0 to 2 allocate, 3 and 4 fill, 5 waits; 6 makes v and 7 uses it: 4 * 4096 bytes.
TEST(AdverseProgram, IsToldWhichEdgeAGraphLacks) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    for (const bool ordered : {false, true}) {
        const std::string name = ordered ? "edge-there" : "edge-missing";
        const ProgramAnswer answer =
            recorder("program -o '" + at(name).string() + "' -- '" + built("adverse.cu", "").string() +
                     (ordered ? "' graph-ordered" : "' graph"));
        EXPECT_EQ(answer.status, ordered ? 0 : 1) << answer.err;
        const auto messages = listing(name)["messages"];
        ASSERT_EQ(messages.size(), ordered ? 0u : 1u) << messages;
        if (!ordered) {
            EXPECT_NE(
                messages[0]["text"].get<std::string>().find(
                    "operation 7 (use) reads 16384 bytes, the first of them byte 0 of the 16384 bytes that operation 0 "
                    "allocated, that operation 6 (make) writes, and no edge of their graph leads from one to the "
                    "other"),
                std::string::npos)
                << messages[0];
        }
    }
}

TEST(AdverseProgram, IsAskedForByWordAndSeed) {
    for (const char* wrong : {"late", "adverse:", "adverse:x", "adverse7"})
        EXPECT_EQ(
            recorder("program --schedule " + std::string(wrong) + " -o '" + at("none").string() + "' -- /bin/true")
                .status,
            2)
            << wrong;
}
