// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that go wrong: what was recorded stays, the exit status is the program's, its output is left alone.
#include "run_program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

namespace {

struct Fault {
    const char* word;
    int status;          // CUDA's number of the error, modulo 256; or what ended the process
    const char* name;    // as the runtime calls it; "" if the program does not come to say it
    const char* message; // part of what is told
    std::size_t launches;
};
std::ostream& operator<<(std::ostream& out, const Fault& f) {
    return out << f.word;
}

class ProgramFaults : public testing::TestWithParam<Fault> {
protected:
    void SetUp() override {
        if (!hasCompiler())
            GTEST_SKIP() << "no nvcc here";
    }
};

} // namespace

TEST_P(ProgramFaults, keepWhatWasRecorded) {
    const Fault& f = GetParam();
    const std::string name = std::string("fault-") + f.word;
    const ProgramAnswer answer = recorder("program --max-instructions 1000000 -o '" + at(name).string() + "' -- '" +
                                          built("faults.cu").string() + "' " + f.word);
    EXPECT_EQ(answer.status, f.status) << answer.err;
    EXPECT_EQ(answer.out, "before\n" + (*f.name ? std::string(f.name) + "\n" : ""));
    EXPECT_NE(answer.err.find(f.message), std::string::npos) << answer.err;
    const auto list = listing(name);
    EXPECT_EQ(list["exit_status"], f.status);
    std::vector<nlohmann::json> launches;
    for (const auto& o : list["operations"])
        if (o["kind"] == "launch")
            launches.push_back(o);
    ASSERT_EQ(launches.size(), f.launches);
    EXPECT_EQ(launches[0]["kernel"], "good");
    EXPECT_TRUE(std::filesystem::exists(at(name) / launches[0]["trace"].get<std::string>()));
    if (f.launches > 1) {
        EXPECT_EQ(launches[1]["error"].get<int>() & 255, f.status);
        EXPECT_EQ(launches[2]["error"], launches[1]["error"]); // what follows is listed as not run
        EXPECT_NE(answer.err.find("good was not run: operation " + launches[1]["operation"].dump() + " had failed"),
                  std::string::npos)
            << answer.err;
    }
}

INSTANTIATE_TEST_SUITE_P(
    , ProgramFaults,
    testing::Values(Fault{"exit", 42, "", "", 1}, Fault{"kill", 128 + 9, "", "", 1},
                    Fault{"crash", 128 + 11, "", "the host follows a pointer to the device's memory (address 0x", 1},
                    Fault{"wild", 700 & 255, "cudaErrorIllegalAddress", "past the end", 3},
                    Fault{"misaligned", 716 & 255, "cudaErrorMisalignedAddress", "multiple of 4", 3},
                    Fault{"assert", 710 & 255, "cudaErrorAssert", "Assertion `p[0] == 1` failed.", 3},
                    Fault{"trap", 719 & 255, "cudaErrorLaunchFailure", "trap", 3},
                    Fault{"endless", 702 & 255, "cudaErrorLaunchTimeout", "does not end", 3}),
    [](const auto& test) { return std::string(test.param.word); });

// However a launch is asked for, one that is refused since another has failed is listed, with the reason. The program asks
// for no error that it does not expect, and ends with 0.
TEST(ProgramFaultsRefuse, LaunchesOfTheDriverAndOfGraphs) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    const ProgramAnswer answer = recorder("program -o '" + at("refused-launches").string() + "' -- '" +
                                          built("refused.cpp", "-lcuda").string() + "'");
    EXPECT_EQ(answer.out, "passed\n") << answer.err;
    EXPECT_EQ(answer.status, 0) << answer.err;
    const auto list = listing("refused-launches");
    EXPECT_EQ(list["exit_status"], 0);
    std::vector<nlohmann::json> launches;
    for (const auto& o : list["operations"])
        if (o["kind"] == "launch")
            launches.push_back(o);
    ASSERT_EQ(launches.size(), 11u); // 4 of the graph, 3 by themselves, 4 of the graph once more
    for (std::size_t n = 0; n < launches.size(); ++n)
        EXPECT_EQ(launches[n]["error"], n == 0 ? 0 : 700) << n;
    std::vector<nlohmann::json> notRun;
    for (const auto& m : list["messages"])
        if (m["kind"] == "not-run")
            notRun.push_back(m);
    ASSERT_EQ(notRun.size(), 9u);
    for (std::size_t n = 0; n < notRun.size(); ++n) {
        EXPECT_EQ(notRun[n]["operation"], launches[n + 2]["operation"]);
        EXPECT_EQ(notRun[n]["text"], "put was not run: operation " + launches[1]["operation"].dump() + " had failed");
    }
    EXPECT_EQ(list["messages"][0]["id"], "fault-beside");
    EXPECT_NE(answer.err.find("and 6 more launches that were not run in the recording"), std::string::npos)
        << answer.err;
}

// What CUDA answers with a number at most is told in words.
TEST(ProgramMistakes, areToldInWords) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    struct Mistake {
        const char* word;
        const char* told;
    };
    const auto program = built("mistakes.cu").string();
    for (const Mistake& m :
         {Mistake{"block", "lab::fill was not launched: a block of (2048, 1) has 2048 threads; NVIDIA H200"},
          Mistake{"grid", "lab::fill was not launched: a grid of (0, 1) has no blocks"},
          Mistake{"shared", "shared was not launched: 65536 bytes of dynamic shared memory"},
          Mistake{"none", "; the kernel takes dynamic shared memory, and the launch gives it none (--shared, or the "
                          "third value in <<<"},
          Mistake{"freed", "in memory that was already freed (byte 12 of the memory of operation "},
          Mistake{"freed-and-taken", ""}, Mistake{"host", " lies in the host's own memory, which no kernel reaches"},
          // 64 floats are 256 bytes
          Mistake{"free-twice", "(256 bytes) is freed a second time"},
          Mistake{"free-within", "cannot be freed: it lies 16 bytes behind the beginning of the 256 bytes that were"},
          Mistake{"free-host", "cannot be freed: it is the host's own memory"},
          Mistake{"copy-past", "A copy reads 276 bytes at 0x"},
          Mistake{"copy-past", ": 20 bytes past the end of the memory of operation 0 (256 bytes)"},
          Mistake{"copy-past-to", "A copy writes 8 bytes at 0x"},
          Mistake{"copy-past-to", ": 4 bytes past the end of the memory of operation "},
          Mistake{"copy-freed", "A copy reads 4 bytes at 0x"},
          Mistake{"copy-swapped", "A copy of 256 bytes is asked for as cudaMemcpyDeviceToHost, and where it reads, 0x"},
          Mistake{"copy-direction", "is asked for as cudaMemcpyHostToDevice, and where it writes, 0x"},
          Mistake{"fill-past", ": 1 byte past the end of the memory of operation "},
          Mistake{"fill-host", ", in the host's own memory, which only the host may fill"},
          Mistake{"stream-gone", " was used after cudaStreamDestroy"},
          Mistake{"event-gone", " was used after cudaEventDestroy"},
          Mistake{"stack-limit", "A stack of 523265 bytes a thread is asked for (cudaLimitStackSize), and a thread may "
                                 "have 523264 at most"},
          Mistake{"heap-late", "The heap of the kernels' malloc is to get another size (cudaLimitMallocHeapSize)"},
          Mistake{"event-not-recorded", "cudaEventElapsedTime was given an event that was never recorded"}}) {
        const ProgramAnswer answer =
            recorder("program -o '" + at("mistaken").string() + "' -- '" + program + "' " + m.word);
        const std::size_t told = answer.err.find(m.told);
        EXPECT_NE(told, std::string::npos) << m.word << answer.err;
        EXPECT_TRUE(!*m.told || answer.err.find(m.told, told + 1) == std::string::npos) << answer.err;
        EXPECT_EQ(answer.err.find("already freed") != std::string::npos,
                  !std::strcmp(m.word, "freed") || !std::strcmp(m.word, "copy-freed"))
            << answer.err;
        EXPECT_EQ(answer.err.find("--on-fault"), std::string::npos) << answer.err;
    }
}

// As on a GPU whose memory goes on behind the allocation: the program ends well, and what it did is told.
TEST(ProgramFaultsReported, goOnIfAsked) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    const std::string words = " -o '" + at("reported").string() + "' -- '" + built("faults.cu").string() + "' wild";
    const ProgramAnswer stopped = recorder("program" + words);
    EXPECT_EQ(stopped.status, 700 & 255);
    EXPECT_NE(stopped.err.find("--on-fault report"), std::string::npos) << stopped.err;
    for (const char* detail : {"", " --detail none"}) {
        const ProgramAnswer answer = recorder(std::string("program --on-fault report") + detail + words);
        EXPECT_EQ(answer.status, 1) << answer.err; // the program's own is 0
        EXPECT_EQ(answer.out, "before\ncudaSuccess\n");
        EXPECT_NE(answer.err.find("races in global memory were not looked for: --check race"), std::string::npos);
        EXPECT_NE(answer.err.find("past the end"), std::string::npos) << answer.err;
        EXPECT_EQ(answer.err.find("--on-fault"), std::string::npos) << answer.err;
    }
    EXPECT_EQ(recorder("program --on-fault hope" + words).status, 2);
}

// Lanes that take turns may still all wait for what nobody writes.
TEST(ProgramHangs, areToldWhereLanesTakeTurns) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    for (const char* which : {"never", "any"}) { // one word each, or three by turns
        const ProgramAnswer answer =
            recorder("program -o '" + at("never").string() + "' -- '" + built("lanes_wait.cu").string() + "' " + which);
        EXPECT_EQ(answer.out, "passed\n") << answer.err;
        EXPECT_NE(answer.err.find("waits for what is never written"), std::string::npos) << answer.err;
        EXPECT_EQ(answer.err.find("note:"), std::string::npos) << answer.err; // the kernels before it do nothing wrong
    }
}

// What the kernels' malloc gave and nobody freed is told for each line that asked for it, where the device's use ends: three
// of 64 pieces of 40 bytes, and one of 24 that nothing points to.
TEST(ProgramLeaks, areToldWhenTheProgramEnds) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    const auto program = built("heap_left.cu", "-lineinfo");
    const auto told = [&](const char* word) {
        const ProgramAnswer answer =
            recorder("program -o '" + at("left").string() + "' -- '" + program.string() + "' " + word);
        EXPECT_EQ(answer.out, "passed\n") << word << answer.err;
        return answer.err;
    };
    const std::string left = told("left");
    EXPECT_NE(left.find("40 bytes that malloc gave a thread are never freed: take, block (0), thread (61), line 10"),
              std::string::npos)
        << left;
    EXPECT_NE(left.find("In all 3 pieces of this line, 120 bytes,"), std::string::npos) << left;
    EXPECT_NE(left.find("24 bytes that malloc gave a thread are never freed: lose"), std::string::npos) << left;
    const auto messages = listing("left")["messages"];
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0]["operation"], 4294967295u); // of the program as a whole
    EXPECT_NE(told("reset").find("In all 64 pieces of this line, 2560 bytes,"), std::string::npos);
    EXPECT_EQ(listing("left")["messages"].size(), 1u);
    EXPECT_EQ(told("freed").find("never freed"), std::string::npos);
    EXPECT_EQ(told("failed").find("never freed"), std::string::npos); // the fault is what counts
}

// What nobody wrote is told where it is read, of launches that are not recorded, too; once for each place in the code.
TEST(ProgramFirstUse, IsToldOfAllLaunchesAndOfNothingThatWasWritten) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    const auto program = built("first_use.cu", "-lineinfo -lcuda");
    const auto told = [&](const std::string& options, const char* word) {
        const ProgramAnswer answer =
            recorder("program " + options + " -o '" + at("used").string() + "' -- '" + program.string() + "' " + word);
        EXPECT_EQ(answer.out, "passed\n") << word << answer.err;
        EXPECT_EQ(answer.status, 0);
        return answer.err;
    };
    // The third launch reads words 32 to 63, of which the first is at byte 128.
    for (const char* options : {"", "--detail none"}) {
        const std::string half = told(options, "half");
        EXPECT_NE(half.find("A thread reads byte 128 of the memory of operation "), std::string::npos) << half;
        EXPECT_NE(half.find("(256 bytes) before anything was written there"), std::string::npos) << half;
        EXPECT_NE(half.find("sum, block (0), thread (0), line 14 of first_use.cu"), std::string::npos) << half;
        EXPECT_NE(half.find(" (32 times)"), std::string::npos) << half;
        EXPECT_EQ(listing("used")["messages"].size(), 1u);
    }
    const std::string copy = told("", "copy");
    EXPECT_NE(copy.find("A thread reads byte 0 of the memory of operation "), std::string::npos) << copy;
    EXPECT_EQ(listing("used")["messages"].size(), 1u);
    EXPECT_EQ(told("", "right").find("note"), std::string::npos);
    EXPECT_EQ(listing("used")["messages"].size(), 0u) << listing("used")["messages"].dump(1);
}

// The first launch of the kernel is of one warp, and right.
TEST(ProgramChecks, AreMadeIfAsked) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    const auto program = built("first_use.cu", "-lineinfo -lcuda");
    const auto told = [&](const std::string& options, const char* word) {
        return recorder("program " + options + " -o '" + at("checked").string() + "' -- '" + program.string() + "' " +
                        word)
            .err;
    };
    EXPECT_NE(told("--check race", "race").find("races, block (0)"), std::string::npos);
    EXPECT_EQ(listing("checked")["messages"].size(), 1u);
    EXPECT_EQ(told("", "race").find("races, block"), std::string::npos);
    EXPECT_EQ(told("--check race --launches 0", "race").find("races, block"), std::string::npos);

    const std::string leak = told("--check leak", "leak");
    EXPECT_NE(leak.find("3 allocations of 4000 bytes of device memory each, 12000 bytes in all, are never freed: "
                        "operations 0, 1, 2."),
              std::string::npos)
        << leak;
    EXPECT_NE(leak.find("500 bytes of managed memory are never freed: allocated by operation 3."), std::string::npos)
        << leak;
    EXPECT_EQ(listing("checked")["messages"].size(), 2u);
    EXPECT_EQ(told("", "leak").find("never freed"), std::string::npos);
    const std::string both = told("--check race,leak", "race");
    EXPECT_NE(both.find("races, block (0)"), std::string::npos) << both;
    EXPECT_NE(told("--check race,leak", "leak").find("never freed"), std::string::npos);

    EXPECT_EQ(recorder("program --check hope -o x -- true").status, 2);
    EXPECT_EQ(recorder("program --check race --backend cuda -o x -- true").status, 2);
}

// Nobody would ever stop a program whose recorder was killed outright.
TEST(ProgramFaultsOfTheRecorder, endItsProgram) {
    const std::string folder = at("orphan").string();
    std::filesystem::create_directories(folder);
    const std::string script =
        "cd '" + folder +
        "' && ('" WARPGLASS_BINARY_DIR
        "/bin/warpglass-record' program -o recorded -- /bin/sh -c 'echo $$ >pid; exec sleep 300' & "
        "echo $! >recorder; wait) 2>/dev/null & "
        "cd '" +
        folder +
        "'; for n in $(seq 200); do [ -s pid ] && break; sleep 0.05; done; "
        "kill -9 $(cat recorder); "
        // Where nobody waits for it, its number stays: as a zombie's.
        "for n in $(seq 200); do s=$(cut -d' ' -f3 /proc/$(cat pid)/stat 2>/dev/null); "
        "case \"$s\" in ''|Z) exit 0;; esac; sleep 0.05; done; kill -9 $(cat pid); exit 1";
    EXPECT_EQ(std::system(script.c_str()), 0);
}

TEST(ProgramRefusals, nameWhatIsWrong) {
    EXPECT_EQ(recorder("program -o x").status, 2);
    EXPECT_EQ(recorder("program -o x -- /no/such/program").status, 2);
    EXPECT_EQ(recorder("program -o x --backend none -- true").status, 2);
    EXPECT_EQ(recorder("program -- true").status, 2);
    EXPECT_EQ(recorder("launches /no/such/file.wgt").status, 2);
}

TEST(ProgramRefusals, tellTheCompilersErrorsWithLineAndCaret) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    const auto source = at("wrong.cu");
    {
        std::ofstream out(source);
        out << "int main() {\n    missing();\n}\n";
    }
    const ProgramAnswer answer = recorder("program '" + source.string() + "' -o '" + at("x").string() + "'");
    EXPECT_EQ(answer.status, 2);
    EXPECT_NE(answer.err.find("wrong.cu:2"), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find('^'), std::string::npos) << answer.err;
}

// nvcc hands names to a shell.
TEST(ProgramBuild, neverRunsWhatANameSays) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    const std::filesystem::path folder = at("$(cd .. && touch made_by_a_folder)");
    std::filesystem::create_directories(folder);
    const std::filesystem::path source = folder / "$(touch made_by_a_name)`touch made_by_a_name`.cu";
    std::ofstream(folder / "beside.h") << "#define BESIDE 40\n";
    std::ofstream(source) << "#include \"beside.h\"\n#include <cstdio>\n"
                             "__global__ void k(int* a) { *a = BESIDE + MORE; }\n"
                             "int main() { int* a; cudaMallocManaged(&a, 4); k<<<1, 1>>>(a); cudaDeviceSynchronize();\n"
                             "printf(\"%d\\n\", *a); }\n";
    const ProgramAnswer answer =
        recorder("program '" + source.string() + "' -D MORE=2 -o '" + at("named").string() + "'");
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(answer.out, "42\n");
    EXPECT_NE(answer.err.find("1 launch of 1 kernel, 1 recorded"), std::string::npos) << answer.err;
    for (const std::filesystem::path& where : {at("made_by_a_folder").parent_path(), std::filesystem::current_path()})
        for (const char* mark : {"made_by_a_folder", "made_by_a_name"})
            EXPECT_FALSE(std::filesystem::exists(where / mark) || std::filesystem::exists(where.parent_path() / mark));
}

TEST(ProgramRefusals, sayThatTheStaticRuntimeIsNone) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    // Linked by itself, with the runtime that nvcc takes if nobody says otherwise.
    const ProgramAnswer answer = recorder("program '" WARPGLASS_SOURCE_DIR "/tests/programs/sources/vector_add.cu' "
                                          "--nvcc -cudart --nvcc static -o '" +
                                          at("static").string() + "'");
    EXPECT_EQ(answer.status, 2);
    EXPECT_NE(answer.err.find("-cudart shared"), std::string::npos) << answer.err;
    EXPECT_FALSE(std::filesystem::exists(at("static/program.wgt")));
}

// sticky.cu checks how its fault is told; its last launch is refused, and is listed as not run.
TEST(ProgramErrors, stayWithTheDeviceAndAreToldAsTheRuntimeTellsThem) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    const ProgramAnswer answer = runSources("sticky.cu", "sticky");
    EXPECT_EQ(answer.status, 0) << answer.out << answer.err;
    EXPECT_TRUE(answer.out.ends_with("passed\n")) << answer.out;
    std::vector<int> errors;
    const auto list = listing("sticky");
    for (const auto& o : list["operations"])
        if (o["kind"] == "launch")
            errors.push_back(o["error"]);
    EXPECT_EQ(errors, (std::vector<int>{0, 700, 700}));
    EXPECT_NE(list["messages"].dump().find("was not run: operation"), std::string::npos) << list["messages"];
}
