// SPDX-License-Identifier: GPL-3.0-or-later
// What nvcc and the host's compiler print, as an error with its place.
#include "app/session/compiler.h"

#include <gtest/gtest.h>

namespace warpglass::session {

TEST(CompilerError, HasLineAndColumnOfEitherCompiler) {
    const Error device =
        compilerError("k.cu", "/x/k.cu(7): error: identifier \"b\" is undefined\n    a = b;\n        ^\n\n"
                              "/x/k.cu(9): error: expected a \";\"\n");
    EXPECT_EQ(device.file, "/x/k.cu");
    EXPECT_EQ(device.line, 7);
    EXPECT_NE(device.message.find("\n/x/k.cu:9: expected a \";\""), std::string::npos) << device.message;
    const Error host = compilerError("k.cu", "/x/k.cu:1:10: fatal error: nothere.h: No such file or directory\n");
    EXPECT_EQ(host.file, "/x/k.cu");
    EXPECT_EQ(host.line, 1);
    EXPECT_EQ(host.column, 10);
    EXPECT_EQ(host.message, "nothere.h: No such file or directory");
    const Error plain = compilerError("k.cu", "/x/k.cu:3: error: no column\n");
    EXPECT_EQ(plain.line, 3);
    EXPECT_EQ(plain.column, 0);
}

// Half a source would be another source; and a compiler whose own files find no room says nothing.
TEST(CompilerError, SaysThatThereIsNoRoom) {
    const auto full = writeAll("/dev/full", "__global__ void k() {}");
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().message, "the disk is full");
    EXPECT_EQ(full.error().file, "/dev");
    EXPECT_EQ(silentFailure("k.cu", "/proc").message, "the disk is full") << "a file system without any room";
    EXPECT_EQ(silentFailure("k.cu", "/nowhere").message, "nvcc failed without a word");
}

// ptxas 13.0 on wgmma.fence in a file that was compiled for sm_90; an older card's file is told as it was.
TEST(CompilerError, NamesTheOptionForWhatOneArchitectureHas) {
    const Error error = compilerError("k.cu", "ptxas /tmp/x.ptx, line 25; error   : Instruction 'wgmma.fence' not "
                                              "supported on .target 'sm_90'\n");
    EXPECT_NE(error.remedy.find("--arch sm_90a"), std::string::npos) << error.remedy;
    EXPECT_EQ(compilerError("k.cu", "ptxas /tmp/x.ptx, line 2; error   : Instruction 'redux' not supported on .target "
                                    "'sm_70'\n")
                  .remedy,
              "");
}

} // namespace warpglass::session
