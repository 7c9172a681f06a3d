// SPDX-License-Identifier: GPL-3.0-or-later
// The same programs on a GPU, with the seat before the driver: their output and exit status are what they are without it,
// every launch is listed, and the warps that were recorded took the branches that they take on the emulator. Skipped
// without a GPU.
#include "run_program.h"

#include "app/session/asked.h"
#include "gpu/cuda/cuda_backend.h"
#include "gpu/program/program_file.h"
#include "gpu/trace/file.h"
#include "tests/cuda/same_branches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

using namespace warpglass;
namespace fs = std::filesystem;

namespace {

struct SeatCase {
    const char *sources, *words; // for nvcc
    std::size_t launches, recorded;
    const char* emulated = ""; // words for the emulator's; nullptr: branches are not compared
};
std::ostream& operator<<(std::ostream& out, const SeatCase& c) {
    return out << c.sources;
}

std::string stem(const std::string& sources) {
    return sources.substr(0, sources.find('.'));
}

std::string whyNot() {
    static const std::string why = [] {
        const auto devices = cudaDevices();
        return !devices ? devices.error().text() : !hasCompiler() ? std::string("no nvcc here") : std::string();
    }();
    return why;
}

std::string quotedPath(const fs::path& path) {
    return "'" + path.string() + "'";
}

ProgramAnswer seated(const fs::path& program, const std::string& name, const std::string& options = {},
                     const std::string& words = {}) {
    return recorder("program --backend cuda -o " + quotedPath(at(name)) + " " + options + " -- " + quotedPath(program) +
                    " " + words);
}

program::ProgramTrace opened(const std::string& name) {
    auto p = program::readProgram(at(name) / "program.wgt");
    EXPECT_TRUE(p) << p.error().text();
    return p ? std::move(*p) : program::ProgramTrace();
}

std::size_t countOf(const program::ProgramTrace& p, program::OperationKind kind) {
    return std::size_t(
        std::count_if(p.operations.begin(), p.operations.end(), [kind](const auto& o) { return o.kind == kind; }));
}

TracePtr traceOf(const std::string& name, const program::ProgramTrace& p, std::uint32_t recording) {
    Progress progress;
    auto trace = readTrace(at(name) / p.recordings[recording].file, progress);
    EXPECT_TRUE(trace) << trace.error().text();
    return trace ? *trace : std::make_shared<const Trace>();
}

std::string memoryWord(const Trace& trace) {
    for (const AskedWord& word : trace.asked)
        if (word.option == "memory")
            return word.value;
    return {};
}

// The launch made again on the emulator, from the recording alone, takes the branches that it took on the GPU.
std::size_t expectTheSameAgain(const Trace& onGpu) {
    if (memoryWord(onGpu) != name(Keeping::Kept))
        return 0;
    const auto request = session::requestOf(onGpu);
    EXPECT_TRUE(request) << request.error().text();
    if (!request)
        return 0;
    Progress progress;
    const auto again = session::runRequest(*request, progress);
    EXPECT_TRUE(again) << again.error().text();
    if (!again)
        return 0;
    EXPECT_FALSE(again->fault) << again->fault->text();
    std::string first;
    EXPECT_EQ(differingWarps(onGpu, *again->trace, first), 0u) << onGpu.kernels[0].name << " " << first;
    return 1;
}

class Seat : public testing::Test {
protected:
    void SetUp() override {
        if (!whyNot().empty())
            GTEST_SKIP() << whyNot();
    }
};
class SeatPrograms : public testing::TestWithParam<SeatCase> {
protected:
    void SetUp() override {
        if (!whyNot().empty())
            GTEST_SKIP() << whyNot();
    }
};

} // namespace

TEST_P(SeatPrograms, runUnchangedAndBranchAsOnTheEmulator) {
    const SeatCase& c = GetParam();
    const fs::path program = built(c.sources, c.words, false);
    const ProgramAnswer plain = plainly(program);
    const std::string name = "seat-" + stem(c.sources);
    const ProgramAnswer answer = seated(program, name, "--in-place"); // for textures, and memory that kernels got
    EXPECT_EQ(answer.status, plain.status);
    EXPECT_EQ(answer.out, plain.out);
    EXPECT_TRUE(plain.out.ends_with("passed\n")) << plain.out;
    const program::ProgramTrace p = opened(name);
    EXPECT_EQ(p.info.backend, BackendKind::Cuda);
    std::size_t launches = 0; // those that the driver refused are listed, too
    for (const program::Operation& o : p.operations)
        launches += o.kind == program::OperationKind::Launch && o.error == 0;
    EXPECT_EQ(launches, c.launches);
    std::string told;
    for (const auto& m : p.messages)
        told += m.text + "\n";
    ASSERT_EQ(p.recordings.size(), c.recorded) << told;
    if (!c.emulated || c.recorded == 0)
        return;
    const std::string emulatedName = "seat-emulated-" + stem(c.sources);
    ASSERT_EQ(runSources(c.sources, emulatedName, c.emulated).status, 0);
    const program::ProgramTrace e = opened(emulatedName);
    ASSERT_EQ(e.recordings.size(), p.recordings.size());
    std::size_t compared = 0, again = 0;
    const auto nameOf = [](const program::ProgramTrace& q, std::uint32_t r) {
        return q.kernels.at(q.operations.at(q.recordings[r].operation).kernel).entry;
    };
    for (std::uint32_t r = 0; r < p.recordings.size(); ++r) {
        std::uint32_t same = 0; // of a graph, nodes that do not depend on each other may run in any order
        while (same < e.recordings.size() && nameOf(e, same) != nameOf(p, r))
            ++same;
        ASSERT_LT(same, e.recordings.size()) << nameOf(p, r);
        const TracePtr onGpu = traceOf(name, p, r), emulated = traceOf(emulatedName, e, same);
        ASSERT_FALSE(onGpu->launches.empty() || emulated->launches.empty());
        std::string first;
        EXPECT_EQ(differingWarps(*onGpu, *emulated, first, &compared), 0u) << first;
        if (stem(c.sources) != "heap") // what the kernels' malloc gave lies in memory that the driver does not show
            again += expectTheSameAgain(*onGpu);
    }
    EXPECT_GT(compared, 0u);
    std::cout << stem(c.sources) << ": " << again << " of " << p.recordings.size() << " made again\n";
}

INSTANTIATE_TEST_SUITE_P(
    , SeatPrograms,
    testing::Values(
        SeatCase{"vector_add.cu", "", 1, 1}, SeatCase{"streams.cu", "", 2, 1}, SeatCase{"symbols.cu", "", 1, 1},
        SeatCase{"driver.cpp", "-lcuda", 2, 1, "--nvcc -lcuda"}, SeatCase{"linked_a.cu linked_b.cu", "-rdc=true", 2, 2},
        // How often a warp looks at a barrier of the grid or of a cluster differs.
        SeatCase{"cooperative.cu", "", 1, 1, nullptr}, SeatCase{"device_launch.cu", "-rdc=true -lcudadevrt", 1, 1},
        SeatCase{"managed.cu", "", 4, 1}, SeatCase{"pitch.cu", "", 1, 1}, SeatCase{"errors.cu", "", 1, 1},
        SeatCase{"properties.cu", "", 0, 0}, SeatCase{"launch_ex.cu", "", 2, 2}, SeatCase{"graph.cu", "", 6, 1},
        SeatCase{"graph_nodes.cu", "", 6, 2}, SeatCase{"graph_update.cu", "", 22, 2},
        SeatCase{"graph_driver.cpp", "-lcuda", 4, 1, "--nvcc -lcuda"}, SeatCase{"print.cu", "", 1, 1},
        SeatCase{"threads.cu", "", 200, 1}, SeatCase{"many.cu", "", 5000, 1}, SeatCase{"textures.cu", "", 8, 5},
        SeatCase{"heap.cu", "", 44, 2}, SeatCase{"arrays.cu", "", 2, 2}, SeatCase{"cluster.cu", "", 3, 3, nullptr},
        SeatCase{"shared_places.cu", "-gencode arch=compute_90a,code=sm_90a -gencode arch=compute_90a,code=compute_90a",
                 6, 5, nullptr},
        SeatCase{"driver_textures.cpp", "-lcuda", 2, 2, "--nvcc -lcuda"}, SeatCase{"mipmaps.cu", "", 69, 9},
        SeatCase{"mipmap_levels.cu", "", 11, 5}, SeatCase{"cube_edges.cu", "", 2, 1},
        SeatCase{"driver_mipmaps.cpp", "-lcuda", 3, 1, "--nvcc -lcuda"}),
    [](const auto& test) { return stem(test.param.sources); });

// GPU and host keep one time: nothing is done before it was asked for, work of a stream is done in its order, and a
// kernel's name has stayed with its own times.
TEST_F(Seat, PutsHostAndGpuOnOneClock) {
    ASSERT_EQ(seated(built("streams.cu", "", false), "seat-clock", "--detail none").status, 0);
    const program::ProgramTrace p = opened("seat-clock");
    constexpr std::int64_t tolerance = 20'000; // ns: how closely two clocks of different machines are read
    std::vector<std::int64_t> last(p.streams.size(), 0);
    std::size_t done = 0;
    for (const program::Operation& o : p.operations) {
        EXPECT_LE(o.called, o.returned);
        EXPECT_LE(o.start, o.end);
        EXPECT_GE(o.start, o.called - tolerance);
        if (o.kind != program::OperationKind::Launch && o.kind != program::OperationKind::Copy)
            continue;
        EXPECT_GE(o.start, last[o.stream]);
        last[o.stream] = o.end;
        done += o.start != o.called || o.end != o.returned; // the GPU said when
    }
    EXPECT_EQ(done, 4u); // two copies, two launches
}

TEST_F(Seat, RecordsTheLaunchesThatAreAskedFor) {
    const fs::path program = built("many.cu", "", false);
    const auto recorded = [&](const std::string& options) {
        EXPECT_EQ(seated(program, "seat-chosen", options).status, 0);
        std::vector<std::size_t> numbers;
        std::size_t n = 0;
        for (const auto& o : opened("seat-chosen").operations)
            if (o.kind == program::OperationKind::Launch) {
                if (o.recording != noIndex)
                    numbers.push_back(n);
                ++n;
            }
        return numbers;
    };
    EXPECT_EQ(recorded("--launches 1,7-9"), (std::vector<std::size_t>{1, 7, 8, 9}));
    EXPECT_EQ(recorded("--kernel nothing"), std::vector<std::size_t>{});
    EXPECT_EQ(recorded("--detail none --times host"), std::vector<std::size_t>{});
}

TEST_F(Seat, KeepsWhatALaunchBeganWith) {
    const fs::path program = built("symbols.cu", "", false);
    ASSERT_EQ(seated(program, "seat-kept").status, 0);
    const TracePtr kept = traceOf("seat-kept", opened("seat-kept"), 0);
    EXPECT_EQ(memoryWord(*kept), "kept");
    std::size_t variables = 0, constants = 0, parameters = 0;
    for (const KeptArea& area : kept->kept.areas) {
        variables += area.role == KeptRole::Variable;
        constants += area.role == KeptRole::Constant;
        parameters += area.role == KeptRole::Parameters;
    }
    EXPECT_GT(variables, 0u);
    EXPECT_GT(constants, 0u);
    EXPECT_EQ(parameters, 1u);
    EXPECT_EQ(expectTheSameAgain(*kept), 1u);
    const ProgramAnswer why = recorder("why " + quotedPath(at("seat-kept")) + " --json");
    EXPECT_EQ(why.status, 0) << why.err;
    EXPECT_NE(why.out.find("\"limits\""), std::string::npos) << why.out;

    ASSERT_EQ(seated(program, "seat-kept-not", "--keep-memory 0").status, 0);
    const TracePtr none = traceOf("seat-kept-not", opened("seat-kept-not"), 0);
    EXPECT_EQ(memoryWord(*none), "size");
    EXPECT_TRUE(none->kept.empty());
}

// The kernel with probes has its shared memory where the program's has it: the kernel writes its addresses down, as the
// program runs it; the recording has those of its stores, as the probes saw them.
TEST_F(Seat, keepsThePlacesOfSharedMemory) {
    const fs::path program = built(
        "shared_places.cu", "-gencode arch=compute_90a,code=sm_90a -gencode arch=compute_90a,code=compute_90a", false);
    const ProgramAnswer answer = seated(program, "seat-places", "--kernel aligned --accesses --detail all");
    ASSERT_EQ(answer.status, 0) << answer.out << answer.err;
    std::istringstream words(answer.out.substr(answer.out.find("places ") + 7));
    const program::ProgramTrace p = opened("seat-places");
    ASSERT_EQ(p.recordings.size(), 1u) << answer.err;
    const TracePtr trace = traceOf("seat-places", p, 0);
    std::set<std::uint64_t> stored;
    for (const AccessRow& row : trace->accesses)
        if (row.kind == AccessKind::Store && row.space == MemorySpace::Shared)
            stored.insert(trace->accessAddresses[row.firstLane]);
    std::uint64_t place = 0;
    int places = 0;
    for (; words >> place; ++places)
        EXPECT_TRUE(stored.contains(place)) << place;
    EXPECT_EQ(places, 4);
}

// Another device's memory and another process's: every launch is recorded, with its masks, or it is said why not.
TEST_F(Seat, recordsBesideOtherDevicesAndProcesses) {
    const fs::path program = built("peers.cu", "", false);
    const ProgramAnswer plain = plainly(program);
    ASSERT_EQ(plain.out, "passed\n");
    for (const char* options : {"--detail all", "--detail all --in-place"}) {
        SCOPED_TRACE(options);
        const ProgramAnswer answer = seated(program, "seat-peers", std::string("--launches 0-9 ") + options);
        EXPECT_EQ(answer.status, plain.status) << answer.err;
        EXPECT_EQ(answer.out, plain.out);
        const program::ProgramTrace p = opened("seat-peers");
        const std::size_t launches = countOf(p, program::OperationKind::Launch); // the child's are in its own file
        EXPECT_TRUE(launches == 3 || launches == 4) << launches;                 // with pageable memory
        EXPECT_TRUE(p.recordings.size() == launches || !p.messages.empty());
        std::cout << "recorded " << p.recordings.size() << " of " << launches << "\n" << answer.err;
        for (std::uint32_t r = 0; r < p.recordings.size(); ++r) {
            const TracePtr trace = traceOf("seat-peers", p, r);
            ASSERT_FALSE(trace->launches.empty());
            expectTheSameAgain(*trace);
        }
    }
}

// Recordings made before, of any program on any GPU: WARPGLASS_RECORDED names their folder. Needs no GPU.
TEST(Recorded, IsMadeAgain) {
    const char* folder = std::getenv("WARPGLASS_RECORDED");
    if (!folder)
        GTEST_SKIP() << "WARPGLASS_RECORDED is not set";
    std::size_t recorded = 0, again = 0;
    for (const auto& file : fs::directory_iterator(folder)) {
        if (!file.path().filename().string().starts_with("launch-"))
            continue;
        SCOPED_TRACE(file.path().filename());
        Progress progress;
        const auto trace = readTrace(file.path(), progress);
        ASSERT_TRUE(trace) << trace.error().text();
        ++recorded;
        const std::size_t one = expectTheSameAgain(**trace);
        again += one;
        std::cout << (*trace)->kernels[0].name << ": " << memoryWord(**trace) << (one ? ", made again" : "")
                  << std::endl;
    }
    std::cout << again << " of " << recorded << " made again\n";
}

// The same recordings against the timing model: a line a launch with what the GPU took and what the model says.
TEST(Recorded, IsTimedAsMeasured) {
    const char* folder = std::getenv("WARPGLASS_RECORDED");
    if (!folder)
        GTEST_SKIP() << "WARPGLASS_RECORDED is not set";
    double error = 0;
    std::size_t timed = 0;
    for (const auto& file : fs::directory_iterator(folder)) {
        const std::string name = file.path().filename().string();
        if (name.find("launch-") == std::string::npos || file.path().extension() != ".wgt")
            continue;
        SCOPED_TRACE(name);
        Progress progress;
        const auto trace = readTrace(file.path(), progress);
        ASSERT_TRUE(trace) << trace.error().text();
        const double measured = (*trace)->kernels.empty() ? 0 : (*trace)->kernels[0].cleanDurationNs;
        if (memoryWord(**trace) != warpglass::name(Keeping::Kept) || measured <= 0)
            continue;
        auto request = session::requestOf(**trace);
        ASSERT_TRUE(request) << request.error().text();
        request->options.timing = true;
        request->options.detail.kind = Detail::Kind::None;
        const auto again = session::runRequest(*request, progress);
        ASSERT_TRUE(again) << again.error().text();
        ASSERT_FALSE(again->trace->timings.empty());
        const double modelled = again->trace->timings[0].durationNs;
        std::cout << "timed " << name << " " << (*trace)->kernels[0].name << " " << measured << " " << modelled << " "
                  << modelled / measured << std::endl;
        error += std::abs(modelled / measured - 1);
        ++timed;
    }
    if (timed > 0) {
        EXPECT_LT(error / double(timed), 0.3);
    }
}

// A program without PTX is listed and timed, and says why it has no warps.
TEST_F(Seat, SaysWhyAKernelHasNoWarps) {
    const fs::path program = at("only-machine-code");
    ASSERT_EQ(plainly("nvcc", "-gencode arch=compute_90,code=sm_90 -o " + quotedPath(program) + " " +
                                  quotedPath(fs::path(WARPGLASS_SOURCE_DIR) / "tests/programs/sources/vector_add.cu"))
                  .status,
              0);
    ASSERT_EQ(seated(program, "seat-without").status, 0);
    const program::ProgramTrace p = opened("seat-without");
    ASSERT_EQ(p.kernels.size(), 1u);
    EXPECT_NE(p.kernels[0].unrecorded.find("no PTX"), std::string::npos) << p.kernels[0].unrecorded;
    EXPECT_EQ(p.kernels[0].parameters.size(), 4u); // the driver knows them
    EXPECT_EQ(countOf(p, program::OperationKind::Launch), 1u);
    EXPECT_EQ(program::launchesWithWarps(p), 0u);
    ASSERT_EQ(p.recordings.size(), 1u); // of its machine code, timed by the GPU
    Progress progress;
    const auto code = readTrace(at("seat-without") / p.recordings[0].file, progress);
    ASSERT_TRUE(code) << code.error().text();
    EXPECT_EQ((*code)->codes.all.size(), 1u);
    EXPECT_TRUE((*code)->kernels[0].ptx.empty());
    EXPECT_GT((*code)->launches[0].end.value, 0);
}

// What goes wrong in a program goes wrong as without the seat, and what was recorded before stays.
TEST_F(Seat, LeavesFaultsAsTheyAre) {
    const fs::path program = built("faults.cu", "", false);
    for (const char* word : {"exit", "kill", "crash", "wild", "misaligned", "assert", "trap"}) {
        SCOPED_TRACE(word);
        const ProgramAnswer plain = plainly(program, word);
        const std::string name = std::string("seat-fault-") + word;
        const ProgramAnswer answer = seated(program, name, "", word);
        EXPECT_EQ(answer.out, plain.out);
        if (plain.status < 128) {
            EXPECT_EQ(answer.status, plain.status);
        }
        const program::ProgramTrace p = opened(name);
        EXPECT_GE(countOf(p, program::OperationKind::Launch), 1u);
        EXPECT_FALSE(p.recordings.empty());
    }
}
