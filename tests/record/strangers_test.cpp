// SPDX-License-Identifier: GPL-3.0-or-later
// What was made to break the emulator, as a user would run it: a sentence and a status each, within the limit of memory.
// What each must say stands in tests/emulator/strangers_test.cpp.
#include "program.h"

#include "gpu/launch/backend.h"
#include "gpu/trace/file.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include <sys/resource.h>

namespace {

const std::filesystem::path folder = WARPGLASS_SOURCE_DIR "/tests/emulator/data/strangers";

struct Launch {
    const char* words = "";
    int status = 2; // refused
    int threads = 32, instructions = 1'000'000;
};

// tma1: a map whose mark a kernel has stored, with a row of 240,000 bytes behind a swizzle of 32.
constexpr const char* forgedMap =
    "--arg "
    "m:u8[128]=hex:574754454e534f52020100002010000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000ffffff000000000000000000000000000000000000000060ea01000100010001000100010001000100 --arg "
    "o:i32[70000]=iota";

const std::map<std::string, Launch> launches{
    {"copy3d", {"--arg o:i32[512]=0", 0, 1}},
    {"ds2", {"--arg p0:i32[8192]=iota --arg p1:i32[8192]=iota --timing", 0}},
    {"m1", {"--kernel k", 1}},
    {"m2", {"--kernel k", 1, 32, 100'000}},
    {"m3", {"--kernel k --arg o:i32[64]=0", 1}},
    {"paramhalf", {}},
    {"rec", {"", 1}},
    {"rets", {}},
    {"s1a", {}},
    {"s1b", {}},
    {"st8", {"--arg o:i32[512]=0 --arg q:i32[512]=0", 0}},
    {"st8l", {"--arg o:i32[32]=0", 0}},
    {"sured", {"--surface s=1d:1:u8 --arg s:ptr=s", 1, 1}},
    {"surf", {"--surface s=1d:1:u8 --arg s:ptr=s", 1, 1}},
    {"tc2", {"--arg o:i32[32]=0"}},
    {"texparam", {"--arg t:u32=5", 2, 1}},
    {"tma1", {forgedMap, 1}},
    {"tma2", {forgedMap, 1}},
    {"tma3", {forgedMap, 1}},
    {"tmared", {forgedMap, 1}},
    {"tmarep1", {"--arg o:i32[64]=0 --arg i:i32[64]=iota --arg n:u32=64", 1}},
    {"tmarep2", {"--arg o:i32[70000]=0 --arg i:i32[70000]=iota --arg n:u32=64", 1}},
};

// Of the largest process that has ended.
double gigabytesOfChildren() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    return double(used.ru_maxrss) / (1 << 20);
}

} // namespace

TEST(Strangers, EachFileEndsInASentence) {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().stem().string();
        const auto known = launches.find(name);
        ASSERT_NE(known, launches.end()) << name << " has no launch here";
        ++files;
        const Launch& launch = known->second;
        const Answer answer =
            record("run " + quoted(entry.path()) + launch.words + " --grid 1 --block " +
                       std::to_string(launch.threads) + " --max-instructions " + std::to_string(launch.instructions),
                   "WARPGLASS_MEMORY=1G timeout 120");
        EXPECT_EQ(answer.err.find("the emulator itself broke"), std::string::npos) << name << ": " << answer.err;
        EXPECT_EQ(answer.status, launch.status) << name << ": " << answer.err;
        if (launch.status != 0) {
            EXPECT_FALSE(answer.err.empty()) << name;
        }
#ifndef __SANITIZE_ADDRESS__
        EXPECT_LT(gigabytesOfChildren(), 2.0) << name;
#endif
    }
    EXPECT_EQ(files, launches.size());
}

// 128 MB of .param in a body, that are read, or written, at offsets that the text chooses: as a kernel of one's own, as a hand-in,
// and in a recording, which is run again and asked why.
TEST(Strangers, ParametersOfABodyAreNoWayToOurMemory) {
    const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n",
                      reads = "ld.param.b32 %r1, [q+128];\nst.global.u32 [%rd1], %r1;\n",
                      writes = "mov.b32 %r1, 0x41424344;\nst.param.b32 [q+1200], %r1;\n";
    for (const std::string& does : {reads, writes}) {
        const std::string body = " {\n.param .b8 q[134217728];\n.reg .b32 %r<3>;\n.reg .b64 %rd<3>;\n"
                                 "ld.param.u64 %rd1, [o];\n" +
                                 does + "ret;\n}\n";
        writeFile(scratch("own.ptx"), head + ".visible .entry k(.param .u64 o)" + body);
        const Answer run = record("run " + quoted(scratch("own.ptx")) + "--grid 1 --block 32 --arg o:i32[64]=0");
        EXPECT_EQ(run.status, 2);
        EXPECT_NE(run.err.find("134217728 bytes; what a call hands over has 32764 at most"), std::string::npos)
            << run.err;

        writeFile(scratch("hand-in.ptx"),
                  head + ".visible .entry triple(.param .u64 o, .param .u64 i, .param .u32 n)" + body);
        const Answer grade = record("grade " + quoted(scratch("hand-in.ptx")) + "--exercise first-kernel");
        EXPECT_EQ(grade.status, 1) << grade.err;
        EXPECT_NE(grade.out.find("32764 at most"), std::string::npos) << grade.out;

        writeFile(scratch("fine.ptx"), head + ".visible .entry k(.param .u64 o) { ret; }\n");
        ASSERT_EQ(record("run " + quoted(scratch("fine.ptx")) + "--grid 1 --block 32 --arg o:i32[64]=0 --timing -o " +
                         quoted(scratch("fine.wgt")))
                      .status,
                  0);
        warpglass::Progress nobody;
        auto trace = warpglass::readTrace(scratch("fine.wgt").string(), nobody);
        ASSERT_TRUE(trace) << trace.error().text();
        auto forged = std::make_shared<warpglass::Trace>(**trace);
        forged->kernels.at(0).ptx = readFile(scratch("own.ptx"));
        ASSERT_TRUE(warpglass::writeTrace(*forged, scratch("forged.wgt").string(), nobody));
        for (const char* asks : {"run ", "why "}) {
            const Answer answer = record(asks + quoted(scratch("forged.wgt")));
            EXPECT_EQ(answer.status, 2) << asks << answer.err;
            EXPECT_NE(answer.err.find("32764 at most"), std::string::npos) << asks << answer.err;
        }
    }
}
