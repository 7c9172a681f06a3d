// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <gtest/gtest.h>

#include <cstring>

namespace {

const std::string scalePtx = "'" WARPGLASS_SOURCE_DIR "/tests/record/scale.ptx'";

double value(const nlohmann::json& answer, const char* metric) {
    return answer["metrics"][metric]["value"].is_number() ? answer["metrics"][metric]["value"].get<double>() : -1;
}

} // namespace

// Hardware, with code compiled as written, counts 10 and 2, 9 and 0, 14 and 4 for 64 threads.
TEST(Run, countsBranchesOfTheMathKernelsAsHardwareDoes) {
    const struct {
        const char* kernel;
        int branches, divergent;
        double efficiency;
    } rows[] = {{"mathKernel1", 10, 2, 80}, {"mathKernel2", 9, 0, 100}, {"mathKernel3", 14, 4, 71.43}};
    for (const auto& row : rows) {
        const Answer answer = record(std::string("run ") + row.kernel + " --mode as-written --json");
        ASSERT_EQ(answer.status, 0) << answer.err;
        const auto json = answer.json();
        EXPECT_EQ(json["check"], "ok");
        EXPECT_EQ(value(json, "branch"), row.branches) << row.kernel;
        EXPECT_EQ(value(json, "divergent_branch"), row.divergent) << row.kernel;
        EXPECT_NEAR(value(json, "branch_efficiency"), row.efficiency, 0.005) << row.kernel;
    }
}

TEST(Run, tellsFaultsAndGoesOnIfAsked) {
    const std::string run = "run '" WARPGLASS_SOURCE_DIR "/tests/emulator/data/faults.ptx' --json ";
    const std::string some = run + "--kernel someLanesOutside --grid 2 --block 8 --arg 'in:i32[8]=iota' "
                                   "--arg 'out:i32[8]=0' ";
    const Answer stopped = record(some);
    EXPECT_EQ(stopped.status, 1);
    EXPECT_EQ(stopped.json()["diagnostics"][0]["fatal"], true);
    const Answer reported = record(some + "--on-fault report");
    EXPECT_EQ(reported.status, 1);
    EXPECT_NE(reported.err.find("8 faulty accesses"), std::string::npos) << reported.err; // four lanes of two blocks
    const auto told = reported.json()["diagnostics"];
    ASSERT_EQ(told.size(), 1u) << told.dump();
    EXPECT_EQ(told[0]["kind"], "out_of_bounds");
    EXPECT_EQ(told[0]["fatal"], false);
    EXPECT_EQ(told[0]["count"], 8);
}

// Warps 2 and 3 leave a ring of buffers early (tests/emulator/hangs_test.cpp works out who stands where).
TEST(Run, tellsWhoWaitsForWhomInAHang) {
    const Answer answer = record("run '" WARPGLASS_SOURCE_DIR
                                 "/tests/emulator/data/hangs.ptx' --json --kernel ring --grid 1 --block 160 --arg "
                                 "'in:f32[1024]=iota' --arg 'out:f32[128]=0' --arg tiles:i32=8 --arg early:i32=5 --arg "
                                 "count:i32=128 --arg bytes:i32=512");
    EXPECT_EQ(answer.status, 1);
    const auto hang = answer.json()["hang"];
    ASSERT_EQ(hang["waits"].size(), 2u) << hang.dump();
    EXPECT_EQ(hang["roots"], nlohmann::json({0}));
    EXPECT_EQ(hang["waits"][0]["kind"], "mbarrier");
    EXPECT_EQ(hang["waits"][0]["warps"], "4");
    EXPECT_EQ(hang["waits"][0]["source_line"], 44);
    EXPECT_EQ(hang["waits"][0]["mbarrier"]["phase"], 2);
    EXPECT_EQ(hang["waits"][0]["arrivals"]["missing"], 64);
    EXPECT_EQ(hang["waits"][1]["on"], nlohmann::json({0}));
}

TEST(Run, looksForRacesInGlobalMemoryIfAsked) {
    const std::string run = "run '" WARPGLASS_SOURCE_DIR "/tests/emulator/data/faults.ptx' --json --kernel plainCount "
                            "--grid 2 --block 32 --arg 'count:i32[1]=0' ";
    EXPECT_TRUE(record(run).json()["diagnostics"].is_null());
    const Answer asked = record(run + "--check race");
    EXPECT_EQ(asked.status, 1) << asked.err; // as `program` has it
    EXPECT_NE(asked.err.find("plainCount depends on who comes first: 1 race in its code"), std::string::npos)
        << asked.err;
    ASSERT_TRUE(asked.json()["diagnostics"].is_array());
    EXPECT_EQ(asked.json()["diagnostics"][0]["kind"], "global_race");
    EXPECT_EQ(record(run + "--check everything").status, 2);
}

TEST(Run, saysThatNoBranchIsLeftInOptimisedCode) {
    const auto json = record("run mathKernel1 --json").json();
    EXPECT_TRUE(json["metrics"]["branch_efficiency"]["value"].is_null());
    EXPECT_NE(json["metrics"]["branch_efficiency"]["why"].get<std::string>().find("no conditional branch is left"),
              std::string::npos);
}

TEST(Run, printsEveryFieldOfTheContractAndNothingElse) {
    const Answer answer = record("run reduceInterleaved --size 65536 --block 512 --json");
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(answer.err, "");
    const auto json = answer.json();
    ASSERT_FALSE(json.is_discarded()) << answer.out;
    EXPECT_EQ(json["kernel"], "reduceInterleaved");
    EXPECT_EQ(json["backend"], "emulator");
    EXPECT_EQ(json["device"], "NVIDIA H200");
    EXPECT_EQ(json["mode"], "optimised");
    EXPECT_EQ(json["launch"]["grid"], nlohmann::json({128, 1, 1}));
    EXPECT_EQ(json["launch"]["block"], nlohmann::json({512, 1, 1}));
    EXPECT_EQ(json["launch"]["shared_bytes"], 0);
    EXPECT_TRUE(json["launch"]["registers"].is_number());
    EXPECT_EQ(json["check"], "ok");
    EXPECT_EQ(json["launches"]["ran"], 1);
    EXPECT_EQ(json["launches"]["dropped"], 0);
    EXPECT_GT(json["warp_instructions"], 128 * 16);
    EXPECT_GE(json["wall_s"], 0);
    // exact properties of the accesses, equal on an H200
    EXPECT_NEAR(value(json, "gld_efficiency"), 96.15, 0.005);
    EXPECT_NEAR(value(json, "gst_efficiency"), 95.52, 0.005);
}

TEST(Run, refusesWhatADeviceCannotLaunchNamingTheLimit) {
    const Answer answer = record("run sumMatrix2D --size 512 --block 256x8 --json");
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_NE(answer.err.find("2048 threads"), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find("at most 1024 threads a block"), std::string::npos) << answer.err;
}

TEST(Run, endsWithStatus2AndASentenceOnAWrongCommandLine) {
    for (const char* arguments :
         {"run", "run noSuchKernel", "run mathKernel1 --block 0", "run mathKernel1 --block 32xx",
          "run mathKernel1 --mode fast", "run mathKernel1 --detail some", "run mathKernel1 --device rtx9999",
          "run mathKernel1 --backend abacus", "run mathKernel1 --size 0", "run mathKernel1 --set x",
          "run mathKernel1 --set noSuchParameter=1", "run mathKernel1 --policy fifo", "run mathKernel1 --frob",
          "run mathKernel1 --detail block:7", "run mathKernel1 --arg n:i32=1", "run missing.ptx", "fly", ""}) {
        const Answer answer = record(arguments);
        EXPECT_EQ(answer.status, 2) << arguments;
        EXPECT_EQ(answer.out, "") << arguments;
        EXPECT_GT(answer.err.size(), 10u) << arguments;
    }
}

TEST(Run, suggestsTheNameThatWasMeant) {
    EXPECT_NE(record("run reduceneighbored").err.find("reduceNeighboredLess"), std::string::npos);
}

TEST(Run, runsAPtxFileAndDumpsItsBuffer) {
    const auto out = scratch("out.bin");
    const Answer answer =
        record("run " + scalePtx +
               " --kernel scale --block 64 --size 100 --arg in:i32[100]=iota --arg out:f32[100]=0 --arg n:u32=100"
               " --arg step:f32=0.5 --json --dump out='" +
               out.string() + "'");
    ASSERT_EQ(answer.status, 0) << answer.err;
    const auto json = answer.json();
    EXPECT_EQ(json["kernel"], "scale");
    EXPECT_EQ(json["check"], "none");
    EXPECT_EQ(json["launch"]["grid"], nlohmann::json({2, 1, 1}));
    const std::string bytes = readFile(out);
    ASSERT_EQ(bytes.size(), 400u);
    for (int i = 0; i < 100; ++i) {
        float element = 0;
        std::memcpy(&element, bytes.data() + 4 * i, 4);
        ASSERT_EQ(element, 0.5f * float(i)) << i;
    }
    // 3 full warps load 128 bytes in 4 sectors each, the last 4 lanes 16 bytes in one: 400 of 13 * 32 bytes.
    EXPECT_EQ(value(json, "gld_transactions"), 13);
    EXPECT_NEAR(value(json, "gld_efficiency"), 100.0 * 400 / (13 * 32), 1e-9);
    // one conditional branch a warp; only that of the last warp of 4 divides its lanes
    EXPECT_EQ(value(json, "divergent_branch"), 1);
}

TEST(Run, tellsAnOutOfBoundsAccessWithItsPlace) {
    const Answer answer = record(
        "run " + scalePtx + " --block 128 --arg in:i32[10]=iota --arg out:f32[100]=0 --arg n:u32=100 --arg step:f32=1");
    EXPECT_EQ(answer.status, 1);
    EXPECT_NE(answer.err.find("\"in\""), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find("thread (10)"), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find("scale.ptx:33"), std::string::npos) << answer.err;
}

TEST(Run, holdsArgumentsAgainstTheParametersOfAFile) {
    const Answer few = record("run " + scalePtx + " --arg in:i32[100]=iota");
    EXPECT_EQ(few.status, 2);
    EXPECT_NE(few.err.find("takes 4 arguments and 1 was given"), std::string::npos) << few.err;
    const Answer wide =
        record("run " + scalePtx + " --arg in:i32[8]=0 --arg out:f32[8]=0 --arg n:u64=8 --arg step:f32=1");
    EXPECT_EQ(wide.status, 2);
    EXPECT_NE(wide.err.find("\"n\" has 8 bytes and the kernel's parameter 2 has 4"), std::string::npos) << wide.err;
    EXPECT_NE(record("run " + scalePtx + " --kernel other").err.find("Its kernels are scale"), std::string::npos);
    const Answer whole =
        record("run " + scalePtx + " --arg in:i32[8]=0 --arg out:f32[8]=0 --arg n:u32=8 --arg step:i32=1");
    EXPECT_EQ(whole.status, 2);
    EXPECT_NE(whole.err.find("\"step\" is of type i32, whose bits are another number"), std::string::npos) << whole.err;
    const Answer loose = record("run " + scalePtx + " --arg in:i32[8]=0 out:f32[8]=0");
    EXPECT_EQ(loose.status, 2);
    EXPECT_NE(loose.err.find("each argument of the kernel needs its own --arg"), std::string::npos) << loose.err;
}

// Of two kernels of one name those two are to choose from, and no others; of the source's types those of its signature.
TEST(Run, namesTheKernelsThatANameMayMean) {
    const auto file = scratch("over.ptx");
    writeFile(file, ".version 7.0\n.target sm_75\n.address_size 64\n"
                    ".visible .entry _Z4overPi(.param .u64 x) { ret; }\n"
                    ".visible .entry _Z4overi(.param .u32 n) { ret; }\n"
                    ".visible .entry _Z5otherPi(.param .u64 x) { ret; }\n");
    const Answer both = record("run '" + file.string() + "' --kernel over");
    EXPECT_EQ(both.status, 2);
    EXPECT_NE(both.err.find("Say which with --kernel: over(int*); over(int).\n"), std::string::npos) << both.err;
    const std::string one = "run '" + file.string() + "' --kernel 'over(int)' --arg n:";
    EXPECT_EQ(record(one + "i32=1").status, 0);
    EXPECT_EQ(record(one + "u32=1").status, 0);
    const Answer real = record(one + "f32=1");
    EXPECT_EQ(real.status, 2);
    EXPECT_NE(real.err.find("In the kernel parameter 0 is int: --arg p0:i32=0."), std::string::npos) << real.err;
}

// Of each type that the source's signature names an argument that is taken.
TEST(Run, showsAnArgumentOfEachType) {
    const auto file = scratch("types.ptx");
    // k(float4, dim3, __half, bool, float**, float (*)[16], __nv_bfloat16*, char, unsigned long)
    writeFile(file, ".version 7.0\n.target sm_75\n.address_size 64\n"
                    ".visible .entry _Z1k6float44dim36__halfbPPfPA16_fP13__nv_bfloat16cm(\n"
                    ".param .align 16 .b8 a[16], .param .align 4 .b8 b[12], .param .align 2 .b8 c[2], .param .u8 d,\n"
                    ".param .u64 e, .param .u64 f, .param .u64 g, .param .u8 h, .param .u64 i) { ret; }\n");
    const Answer none = record("run '" + file.string() + "'");
    EXPECT_EQ(none.status, 2);
    std::string words;
    for (const char* word :
         {"--arg p0:{x:f32=0,y:f32=0,z:f32=0,w:f32=0}", "--arg p1:{x:u32=1,y:u32=1,z:u32=1}", "--arg p2:f16=0",
          "--arg p3:u8=0", "--arg p4:ptr[2]=a,b with --buffer a:f32[1024]=0 --buffer b:f32[1024]=0",
          "--arg p5:f32[1024]=0", "--arg p6:bf16[1024]=0", "--arg p7:i8=0", "--arg p8:u64=0"}) {
        EXPECT_NE(none.err.find(word), std::string::npos) << word << ": " << none.err;
        words += std::string(" ") + word;
    }
    words.erase(words.find(" with"), 5);
    const Answer all = record("run '" + file.string() + "'" + words);
    EXPECT_EQ(all.status, 0) << all.err;
}

TEST(Run, namesAFewOfThousandsOfKernels) {
    const auto file = scratch("many.ptx");
    std::string text = ".version 7.0\n.target sm_75\n.address_size 64\n";
    for (int n = 0; n < 5000; ++n)
        text += ".visible .entry kernel" + std::to_string(n) + "() { ret; }\n";
    writeFile(file, text);
    const Answer answer = record("run '" + file.string() + "'");
    EXPECT_EQ(answer.status, 2);
    EXPECT_NE(answer.err.find("kernel7"), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find(" more."), std::string::npos) << answer.err;
    EXPECT_LT(answer.err.size(), 5000u);
}

// Either would fill the memory long before a warp has run its two million instructions.
TEST(Run, endsALaunchThatPrintsOrLaunchesWithoutEnd) {
    const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n";
    std::string letters; // a format of a thousand letters, and its zero
    for (int n = 0; n < 1000; ++n)
        letters += "120,";
    const auto prints = scratch("prints.ptx"), launches = scratch("launches.ptx");
    writeFile(prints, head +
                          ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                          ".global .align 1 .b8 f[1001] = {" +
                          letters +
                          "0};\n"
                          ".visible .entry k()\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\nmov.u64 %rd1, f;\n"
                          "cvta.global.u64 %rd1, %rd1;\nL:\n{ .param .b64 p; .param .b64 q; .param .b32 r;\n"
                          "st.param.b64 [p], %rd1;\nst.param.b64 [q], 0;\ncall (r), vprintf, (p, q);\n"
                          "ld.param.b32 %r1, [r]; }\nbra L;\n}\n");
    writeFile(
        launches,
        head + ".extern .func (.param .b64 r) cudaGetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12], "
               ".param .align 4 .b8 b[12], .param .b32 s);\n"
               ".visible .entry k()\n{\n.reg .b64 %rd<2>;\nmov.u64 %rd1, k;\nL:\n"
               "{ .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 r;\n"
               "st.param.b64 [f], %rd1;\nst.param.b32 [g], 1;\nst.param.b32 [g+4], 1;\nst.param.b32 [g+8], 1;\n"
               "st.param.b32 [b], 1;\nst.param.b32 [b+4], 1;\nst.param.b32 [b+8], 1;\nst.param.b32 [s], 0;\n"
               "call (r), cudaGetParameterBufferV2, (f, g, b, s);\n}\nbra L;\n}\n");
    for (const auto& file : {prints, launches}) {
        const Answer answer =
            record("run " + quoted(file) + "--grid 1 --block 32 --max-instructions 2000000", "WARPGLASS_MEMORY=100M");
        EXPECT_EQ(answer.status, 1);
        EXPECT_NE((answer.err + answer.out).find("takes more than 100 MB of memory"), std::string::npos)
            << answer.err.substr(0, 1000);
    }
}

TEST(Run, refusesTextThatIsNoPtxWithAPlace) {
    const auto file = scratch("broken.ptx");
    writeFile(file, ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\tadd.s32 %r1, ;\n}\n");
    const Answer answer = record("run '" + file.string() + "'");
    EXPECT_EQ(answer.status, 2);
    EXPECT_NE(answer.err.find("broken.ptx:6"), std::string::npos) << answer.err;
}

TEST(Run, needsACompilerForCudaSourceAndSaysSo) {
    const auto file = scratch("k.cu");
    writeFile(file, "__global__ void k() {}\n");
    const Answer answer = record("run '" + file.string() + "'", "PATH=/nowhere CUDA_HOME=/nowhere CUDA_PATH=/nowhere");
    if (answer.status == 0) // NVRTC is there
        GTEST_SKIP() << "compiled without nvcc";
    EXPECT_EQ(answer.status, 2);
    EXPECT_NE(answer.err.find("nvcc"), std::string::npos) << answer.err;
}

TEST(Run, givesTheSameTraceForAnyNumberOfThreads) {
    std::string first;
    for (const char* threads : {"1", "2", "5"}) {
        const auto file = scratch(std::string("t") + threads + ".wgt"),
                   events = scratch(std::string("t") + threads + ".csv");
        ASSERT_EQ(record(std::string("run reduceNeighbored --size 65536 --block 512 --threads ") + threads + " -o '" +
                         file.string() + "'")
                      .status,
                  0);
        ASSERT_EQ(record("export '" + file.string() + "' --format csv -o '" + events.string() + "'").status, 0);
        const std::string text = readFile(events);
        ASSERT_GT(text.size(), 1000u);
        if (first.empty())
            first = text;
        EXPECT_EQ(text == first, true) << threads;
    }
}

TEST(Run, printsTheNestedGreetingsInTheDocumentsOrder) {
    const Answer answer = record("run nestedHelloWorld --size 8 --block 8 --json");
    ASSERT_EQ(answer.status, 0) << answer.err;
    const auto json = answer.json();
    EXPECT_EQ(json["launches"]["ran"], 4);
    EXPECT_EQ(json["launches"]["depth"], 3);
    std::string expected;
    for (int depth = 0, threads = 8; depth < 4; ++depth, threads /= 2) {
        for (int t = 0; t < threads; ++t)
            expected +=
                "Recursion=" + std::to_string(depth) + ": Hello World from thread " + std::to_string(t) + " block 0\n";
        if (threads > 1)
            expected += "-------> nested execution depth: " + std::to_string(depth + 1) + "\n";
    }
    EXPECT_EQ(json["output"], expected);
}

TEST(Run, saysOneOfWhatThereIsOnce) {
    const Answer block = record("run vectorAdd --size 32 --block 32 --detail block:7");
    EXPECT_EQ(block.status, 2);
    EXPECT_NE(block.err.find("the grid has 1 block. Choose block 0."), std::string::npos) << block.err;
    const Answer values =
        record("run " + scalePtx + " --kernel scale --arg in:i32[1]=1,2 --arg out:f32[1] --arg n:u32=1 --arg s:f32=1");
    EXPECT_NE(values.err.find("2 initial values for 1 element."), std::string::npos) << values.err;
}

TEST(Run, refusesADumpOfABufferThatIsNotThereBeforeItRuns) {
    const Answer answer = record("run vectorAdd --dump nosuch=x.bin --json");
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_NE(answer.err.find("no buffer \"nosuch\""), std::string::npos) << answer.err;
}

TEST(Run, namesTheKernelThatWasMissedByALetter) {
    const Answer answer = record("run reduceNeighbord");
    EXPECT_EQ(answer.status, 2);
    EXPECT_NE(answer.err.find("Perhaps you meant reduceNeighbored"), std::string::npos) << answer.err;
}

TEST(Run, isQuietWhenItsReaderHasSeenEnough) {
    // The list is longer than a pipe holds, so the write ends when the reader does.
    const auto errors = scratch("pipe.txt");
    record("list --json 2> '" + errors.string() + "' | true");
    ASSERT_TRUE(std::filesystem::exists(errors));
    EXPECT_EQ(readFile(errors), "");
}

// A loop that may go on for hours: after as long without getting further as was said it is stopped, and that is said.
TEST(Run, isStoppedWhereNothingMovesForLongerThanWasSaid) {
    const auto file = scratch("still.ptx");
    writeFile(file, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\nL: bra L;\n}\n");
    const Answer answer = record("run " + file.string() + " --grid 1 --block 32 --max-instructions 1000000000000000",
                                 "WARPGLASS_PATIENCE=1");
    EXPECT_EQ(answer.status, 1);
    EXPECT_NE(answer.err.find("nothing has moved for 1 s"), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find("WARPGLASS_PATIENCE"), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find("the run was stopped"), std::string::npos) << answer.err;
}

TEST(Run, callsALoopEndlessAfterTheInstructionsThatItWasGiven) {
    const std::string run = "run " + scalePtx +
                            " --kernel scale --grid 1 --block 32 --arg in:f32[32]=1 --arg out:f32[32]=0"
                            " --arg n:u32=32 --arg step:f32=2";
    const Answer enough = record(run + " --max-instructions 1000"), few = record(run + " --max-instructions 3 --json");
    EXPECT_EQ(enough.status, 0) << enough.err;
    EXPECT_EQ(few.status, 1);
    EXPECT_NE(few.err.find("does not end"), std::string::npos) << few.err;
    EXPECT_FALSE(few.json().is_discarded()) << few.out;
}
