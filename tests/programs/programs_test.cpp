// SPDX-License-Identifier: GPL-3.0-or-later
// Each program checks its own results and says "passed"; the tests look at that, and at what the recording says of it.
// Skipped without nvcc.
#include "run_program.h"

#include "app/session/asked.h"
#include "gpu/program/placing.h"
#include "gpu/program/program_file.h"
#include "gpu/trace/compare.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace {

struct Case {
    const char *sources, *more;
    std::size_t launches, kernels, recorded; // as the source has them
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << c.sources;
}

class Programs : public testing::TestWithParam<Case> {
protected:
    void SetUp() override {
        if (!hasCompiler())
            GTEST_SKIP() << "no nvcc here";
    }
};

class Program : public testing::Test {
protected:
    void SetUp() override {
        if (!hasCompiler())
            GTEST_SKIP() << "no nvcc here";
    }
};

std::vector<nlohmann::json> of(const nlohmann::json& list, const std::string& kind) {
    std::vector<nlohmann::json> found;
    for (const auto& o : list["operations"])
        if (o["kind"] == kind)
            found.push_back(o);
    return found;
}

// A launch made again from its recording alone does what it did in the program, PTX line by PTX line.
void makeAgain(const std::filesystem::path& file) {
    warpglass::Progress progress;
    const auto trace = warpglass::openTrace(file, progress);
    ASSERT_TRUE(trace) << trace.error().text();
    const auto request = warpglass::session::requestOf(**trace);
    if (!request) {
        EXPECT_NE(request.error().message.find("textures"), std::string::npos) << request.error().text();
        return;
    }
    const auto again = warpglass::session::runRequest(*request, progress);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_FALSE(again->fault) << again->fault->text();
    const auto work = [](const warpglass::Trace& all) {
        warpglass::Trace some;
        some.launches = all.launches;
        some.counts = all.counts;
        some.output = all.output;
        return some;
    };
    EXPECT_EQ(warpglass::firstDifference(work(**trace), work(*again->trace)), std::nullopt);
}

} // namespace

TEST_P(Programs, passAndAreListed) {
    const Case& c = GetParam();
    const std::string name = std::string("case-") + std::string(c.sources).substr(0, std::string(c.sources).find('.'));
    const ProgramAnswer answer = runSources(c.sources, name, c.more);
    ASSERT_EQ(answer.status, 0) << answer.out << answer.err;
    EXPECT_TRUE(answer.out.ends_with("passed\n")) << answer.out;
    EXPECT_EQ(answer.err.find("does not have"), std::string::npos) << answer.err;
    const auto list = listing(name);
    const auto launches = of(list, "launch");
    EXPECT_EQ(launches.size(), c.launches);
    EXPECT_EQ(list["kernels"].size(), c.kernels);
    std::size_t recorded = 0;
    for (const auto& l : launches) {
        EXPECT_EQ(l["error"], 0);
        if (l["recorded"].get<bool>()) {
            ++recorded;
            const std::filesystem::path file = at(name) / l["trace"].get<std::string>();
            EXPECT_TRUE(std::filesystem::exists(file));
            makeAgain(file);
        }
    }
    EXPECT_EQ(recorded, c.recorded);
    EXPECT_EQ(list["exit_status"], 0);
}

INSTANTIATE_TEST_SUITE_P(
    , Programs,
    testing::Values(
        Case{"vector_add.cu", "", 1, 1, 1}, Case{"streams.cu", "", 2, 1, 1}, Case{"symbols.cu", "", 1, 1, 1},
        Case{"constants.cu", "", 3, 3, 3}, Case{"driver.cpp", "--nvcc -lcuda", 2, 1, 1},
        Case{"linked_a.cu linked_b.cu", "", 2, 2, 2}, Case{"cooperative.cu", "", 1, 1, 1},
        Case{"device_launch.cu", "", 1, 1, 1}, Case{"managed.cu", "", 4, 1, 1}, Case{"pitch.cu", "", 1, 1, 1},
        Case{"errors.cu", "", 1, 1, 1}, Case{"properties.cu", "", 0, 0, 0}, Case{"launch_ex.cu", "", 2, 2, 2},
        Case{"graph.cu", "", 6, 1, 1}, Case{"graph_nodes.cu", "", 6, 2, 2}, Case{"graph_update.cu", "", 22, 2, 2},
        Case{"graph_driver.cpp", "--nvcc -lcuda", 4, 1, 1}, Case{"graph_params.cu", "", 6, 2, 2},
        Case{"capture.cu", "", 5, 1, 1}, Case{"copies.cu", "", 0, 0, 0}, Case{"heap.cu", "", 44, 2, 2},
        Case{"heap_pieces.cu", "", 4, 2, 2}, Case{"heap_room.cu", "", 9, 1, 1}, Case{"lanes_wait.cu", "", 5, 5, 5},
        Case{"pools.cu", "", 3, 1, 1}, Case{"large_fill.cu", "--detail none", 2, 1, 0},
        Case{"callbacks.cu", "", 2, 1, 1}, Case{"occupancy.cu", "--arch sm_80", 2, 2, 2},
        Case{"arrays.cu", "", 2, 2, 2}, Case{"reset.cu", "", 5, 2, 2}, Case{"graph_conditions.cu", "", 25, 3, 3},
        Case{"driver_textures.cpp", "--nvcc -lcuda", 2, 2, 2}, Case{"mipmaps.cu", "", 69, 9, 9},
        Case{"mipmap_levels.cu", "", 11, 5, 5}, Case{"driver_mipmaps.cpp", "--nvcc -lcuda", 3, 1, 1},
        Case{"cluster.cu", "", 3, 3, 3}, Case{"shared_places.cu", "--arch sm_90a", 6, 5, 5},
        Case{"linker.cpp", "--nvcc -lcuda", 2, 1, 1}, Case{"contexts.cpp", "--nvcc -lcuda --devices 2", 3, 2, 2},
        Case{"print.cu", "", 1, 1, 1}, Case{"threads.cu", "", 200, 1, 1}, Case{"many.cu", "", 5000, 1, 1},
        Case{"textures.cu", "", 8, 5, 5}, Case{"tensor_maps.cu", "--nvcc -arch=sm_90", 5, 3, 3},
        Case{"mapped.cpp", "--nvcc -lcuda", 2, 1, 1}, Case{"libraries.cu", "--nvcc -lcuda", 2, 2, 2},
        Case{"module_shared.cu", "", 3, 3, 3}),
    [](const auto& test) {
        const std::string sources = test.param.sources;
        return sources.substr(0, sources.find('.'));
    });

// What a program runs, run and why do, too: of 227 KiB the third kernel takes 220,000 bytes, beside which the 32 KiB of
// the others' variable have no room. With a byte more than there is, all refuse.
TEST_F(Program, isRunByItsKernelsAsItRuns) {
    const std::string source = "'" WARPGLASS_SOURCE_DIR "/tests/programs/sources/module_shared.cu'";
    const std::string rest = " --grid 1 --block 32 --arg 'out:f32[32]=0' --arch sm_90 --shared ";
    for (const std::string command : {"run ", "why "}) {
        for (const std::string kernel : {"without", "direct", "called"}) {
            const ProgramAnswer answer =
                recorder(command + source + rest + (kernel == "without" ? "220000" : "32768") + " --kernel " + kernel);
            EXPECT_EQ(answer.status, 0) << command << kernel << answer.out << answer.err;
        }
        const ProgramAnswer refused = recorder(command + source + rest + "232449 --kernel without");
        EXPECT_EQ(refused.status, 2) << command << refused.out << refused.err;
    }
}

// The hottest kernel is the one that takes the device longest, whatever the emulator spends its own time on. The timing
// model says 0.95 us of each `scale` and `addv`, and 6.0 of `total`: 4 x 0.95, 0.95 and 6.0 of 10.75, so 35, 9 and 56 %.
TEST_F(Program, ranksKernelsByWhatTheDeviceWouldTake) {
    for (const char* more : {"", "--timing"}) {
        const bool timed = std::string(more) == "--timing";
        const std::string name = timed ? "hot-timed" : "hot";
        const ProgramAnswer answer = runSources("hot.cu", name, more);
        ASSERT_EQ(answer.status, 0) << answer.out << answer.err;
        const auto list = listing(name);
        std::map<std::string, double> ns;
        double all = 0;
        for (const auto& k : list["kernels"]) {
            // With cycles the first of each kernel is modelled; the three other launches of `scale` are estimates.
            EXPECT_EQ(k["duration_origin"], !timed || k["name"] == "scale" ? "estimate" : "modelled") << k;
            all += ns[k["name"]] = k["duration_ns"];
        }
        EXPECT_NEAR(ns["total"] / all, 0.56, timed ? 0.04 : 0.12) << list["kernels"];
        EXPECT_NEAR(ns["scale"] / all, 0.35, timed ? 0.04 : 0.12) << list["kernels"];
        const std::string text = recorder("launches " + at(name).string()).out;
        EXPECT_LT(text.find("total"), text.find("scale")) << text;
        EXPECT_NE(text.find("Estimates from counts differ from modelled durations by"), std::string::npos) << text;
        EXPECT_EQ(text.find("emulator's own"), std::string::npos) << text;
    }
}

TEST_F(Program, listsArgumentsWithTypesAndTheirAllocations) {
    ASSERT_EQ(runSources("launch_ex.cu", "typed").status, 0);
    const auto launches = of(listing("typed"), "launch");
    ASSERT_EQ(launches.size(), 2u);
    EXPECT_EQ(launches[0]["kernel"], "shaped<float>");
    const auto& arguments = launches[0]["arguments"];
    ASSERT_EQ(arguments.size(), 4u);
    EXPECT_EQ(arguments[0]["type"], "float*");
    EXPECT_EQ(arguments[0]["allocation"]["bytes"], 128);
    EXPECT_EQ(arguments[0]["allocation"]["offset"], 0);
    EXPECT_EQ(arguments[0]["allocation"]["memory"], "device");
    // char 'A', seven bytes of padding, 2.5 as a double (0x4004000000000000), then 1, 20 and 300, little-endian.
    const std::string shape = arguments[1]["value"];
    EXPECT_EQ(shape.substr(0, 2), "41");
    EXPECT_EQ(shape.substr(16, 40), "0000000000000440"
                                    "01000000"
                                    "14000000"
                                    "2c010000");
    EXPECT_EQ(arguments[2]["value"], "4");
    EXPECT_EQ(arguments[3]["type"], "short");
    EXPECT_EQ(arguments[3]["value"], "-7");
}

TEST_F(Program, listsCopiesAndStreamsInTheOrderOfTheCalls) {
    ASSERT_EQ(runSources("streams.cu", "ordered").status, 0);
    std::string order;
    const auto list = listing("ordered");
    for (const auto& o : list["operations"])
        order += o["kind"].get<std::string>() + std::to_string(o["stream"].get<int>()) + " ";
    EXPECT_EQ(order, "allocate0 allocate0 copy1 launch1 record1 behind2 launch2 host2 copy2 wait2 free0 free0 ")
        << order;
}

// Launches of the second device stand in streams of its own; the last of the first device faults.
TEST_F(Program, findsAsManyDevicesAsAreAskedFor) {
    const ProgramAnswer answer = runSources("devices.cu", "devices", "--devices 2");
    ASSERT_EQ(answer.status, 0) << answer.out << answer.err;
    EXPECT_TRUE(answer.out.ends_with("passed\n")) << answer.out;
    auto program = warpglass::program::readProgram(at("devices") / "program.wgt");
    ASSERT_TRUE(program) << program.error().text();
    warpglass::program::place(*program);
    std::string streams;
    for (const auto& o : program->operations)
        if (o.kind == warpglass::program::OperationKind::Launch) {
            const auto& s = program->streams[o.stream];
            streams += std::to_string(s.device) + ":" + s.name + " ";
        }
    EXPECT_EQ(streams, "1:default 0:default 0:default 0:default 0:default 1: ");
    // Before peer access is on a copy goes through the host: 13 us and 128 bytes at 38 a ns.
    const auto copy = std::find_if(program->operations.begin(), program->operations.end(), [](const auto& o) {
        return o.direction == warpglass::program::Direction::DeviceToDevice;
    });
    ASSERT_NE(copy, program->operations.end());
    EXPECT_EQ(copy->memory, warpglass::program::throughHost);
    EXPECT_EQ(copy->duration, 13003);
    EXPECT_NE(runSources("devices.cu", "device").status, 0); // it has one, and the program wants two
    EXPECT_EQ(recorder("program --devices 0 -o x -- true").status, 2);
}

TEST_F(Program, recordsTheLaunchesThatAreAskedFor) {
    const std::string program = "'" + built("many.cu").string() + "'";
    const auto recorded = [&](const std::string& options) {
        EXPECT_EQ(recorder("program " + options + " -o '" + at("chosen").string() + "' -- " + program).status, 0);
        std::vector<std::size_t> numbers;
        const auto launches = of(listing("chosen"), "launch");
        for (std::size_t n = 0; n < launches.size(); ++n)
            if (launches[n]["recorded"].get<bool>())
                numbers.push_back(n);
        return numbers;
    };
    EXPECT_EQ(recorded("--launches 1,7-9"), (std::vector<std::size_t>{1, 7, 8, 9}));
    EXPECT_EQ(recorded("--kernel nothing"), std::vector<std::size_t>{});
    EXPECT_EQ(recorded("--kernel '^co.nt$' --launches 0-3 --max-recorded 2"), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(recorded("--detail none"), std::vector<std::size_t>{});
    EXPECT_EQ(recorder("program --launches 3-1 -o x -- true").status, 2);
    EXPECT_EQ(recorder("program --kernel '(' -o x -- true").status, 2);
}

// The first launch has multiplied 0 .. 511 by three when the second begins, which multiplies them by five.
TEST_F(Program, keepsWhatMemoryHeldWhenALaunchBegan) {
    ASSERT_EQ(runSources("streams.cu", "kept", "--launches 0,1").status, 0);
    warpglass::Progress progress;
    const auto trace = warpglass::openTrace(at("kept") / "launch-000001.wgt", progress);
    ASSERT_TRUE(trace) << trace.error().text();
    const warpglass::KeptMemory& kept = (*trace)->kept;
    ASSERT_EQ(kept.areas.size(), 2u); // the pinned memory of the host is none of the kernel's
    ASSERT_EQ(kept.areas[0].bytes, 16u);
    ASSERT_EQ(kept.areas[1].bytes, 512u * 4);
    EXPECT_EQ(kept.words[0], kept.areas[1].address);
    EXPECT_EQ(kept.words[1], 512u | std::uint64_t(5) << 32);
    for (std::uint64_t i = 0; i < 512; i += 2)
        EXPECT_EQ(kept.words[2 + i / 2], 3 * i | 3 * (i + 1) << 32);

    EXPECT_EQ((*trace)->kernels[0].source, readFile(WARPGLASS_SOURCE_DIR "/tests/programs/sources/streams.cu"));

    const std::string recording = "'" + at("kept").string() + "'";
    const ProgramAnswer again = recorder("run " + recording + " --launch 1 --json");
    ASSERT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(nlohmann::json::parse(again.out)["kernel"], "scale");
    const ProgramAnswer why = recorder("why " + recording + " --launch 1 --json");
    ASSERT_EQ(why.status, 0) << why.err;
    EXPECT_EQ(nlohmann::json::parse(why.out)["lines"], "source");
    const ProgramAnswer other =
        recorder("run " + recording + " --launch 1 -o '" + (at("kept") / "again.wgt").string() + "'");
    ASSERT_EQ(other.status, 0) << other.err;
    const auto written = warpglass::openTrace(at("kept") / "again.wgt", progress);
    ASSERT_TRUE(written);
    EXPECT_EQ((*written)->kernels[0].source, (*trace)->kernels[0].source);
    EXPECT_EQ((*written)->kept.words, kept.words);
    const ProgramAnswer which = recorder("why " + recording);
    EXPECT_EQ(which.status, 2);
    EXPECT_NE(which.err.find("0 (scale), 1 (scale)"), std::string::npos) << which.err;
    EXPECT_EQ(recorder("why " + recording + " --launch 2").status, 2);
    EXPECT_EQ(recorder("run " + recording + " --launch 1 --arg n:u32=3").status, 2);

    // All in one file, of a single launch.
    const std::string file = "'" + (at("kept") / "one.wgt").string() + "'";
    ASSERT_EQ(runSources("streams.cu", "kept/one.wgt").status, 0);
    EXPECT_EQ(recorder("run " + file).status, 0);
    EXPECT_EQ(recorder("run " + file + " --launch 1").status, 2);
    ASSERT_EQ(runSources("streams.cu", "kept/one.wgt", "--keep-memory 0").status, 0);
    EXPECT_EQ(recorder("run " + file).status, 2);
}

// An H200 took 58, 41, 58 and 53 us in this very program, three times within 1 us but for one first launch (69): behind a copy
// of the 16 MB into an L2 that has room (104 where kernels have filled it, sums_down_sum/N:2048/blocks:8), behind itself, behind
// another copy, behind a fill. A launch made again from its recording finds what the program's found.
TEST_F(Program, leavesInL2WhatALaunchThenFinds) {
    ASSERT_EQ(runSources("left.cu", "left", "--timing --launches 0-3").status, 0);
    const auto nsOf = [](int launch) {
        const auto trace = "'" + (at("left") / fmt::format("launch-{:06}.wgt", launch)).string() + "'";
        return nlohmann::json::parse(recorder("metrics --json " + trace).out)["metrics"]["duration_ns"]["value"]
            .get<double>();
    };
    const double copied = 58e3, again = 41e3, written = 53e3;
    EXPECT_NEAR(nsOf(0) / copied, 1, 0.2);
    EXPECT_NEAR(nsOf(1) / again, 1, 0.2);
    EXPECT_NEAR(nsOf(2) / copied, 1, 0.2);
    EXPECT_NEAR(nsOf(3) / written, 1, 0.2);
    for (const int launch : {0, 1}) {
        const ProgramAnswer made =
            recorder(fmt::format("run '{}' --launch {} --timing --json", at("left").string(), launch));
        ASSERT_EQ(made.status, 0) << made.err;
        EXPECT_NEAR(nlohmann::json::parse(made.out)["metrics"]["duration_ns"]["value"].get<double>() / nsOf(launch), 1,
                    0.001);
    }
}

// An H200 took 2.46 us behind itself, 4.86 us behind the fill (of 48 MB from their beginning; programs that have a pool of
// memory lead their kernels into it). Of the allocation, what the kernel asked for lies in L2, not all of it.
TEST_F(Program, findsInL2WhatAKernelTouchedOfALargeAllocation) {
    ASSERT_EQ(runSources("pooled.cu", "pooled", "--timing --launches 0-1").status, 0);
    const nlohmann::json all = listing("pooled");
    std::vector<double> ns;
    for (const auto& o : all.at("operations"))
        if (o["kind"] == "launch")
            ns.push_back(o["duration_ns"]);
    ASSERT_EQ(ns.size(), 2u);
    EXPECT_NEAR(ns[0] / 4864, 1, 0.2);
    EXPECT_NEAR(ns[1] / 2464, 1, 0.15);
}

// NVRTC asks the driver for what only NVIDIA's has, and gets on without it: nothing is wrong with that.
TEST_F(Program, compilesItsKernelsWithoutAnAlarm) {
    const ProgramAnswer answer = runSources("compiled.cpp", "compiled", "--nvcc -lcuda --nvcc -ldl");
    if (answer.status == 77)
        GTEST_SKIP() << answer.out;
    ASSERT_EQ(answer.status, 0) << answer.out << answer.err;
    EXPECT_EQ(answer.err.find("carries CUDA's runtime"), std::string::npos) << answer.err;
}

// The program ends well, with a sum that depends on which warp comes first, which is a failure of the run all the same;
// four kernels read what nobody wrote.
TEST_F(Program, tellsWhatLaunchesDidWrongWithoutFailing) {
    const ProgramAnswer answer = runSources("unnoticed.cu", "unnoticed");
    ASSERT_EQ(answer.status, 1) << answer.out << answer.err;
    EXPECT_NE(answer.out.find("passed"), std::string::npos) << answer.out;
    EXPECT_NE(answer.err.find(" operation 1: Two threads race"), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find("unnoticed.cu"), std::string::npos) << answer.err;
    std::size_t notes = 0;
    for (std::size_t at = 0; (at = answer.err.find("note: ", at)) != std::string::npos; ++at)
        ++notes;
    EXPECT_EQ(notes, 3u) << answer.err;
    EXPECT_NE(answer.err.find("1 more note in the recording"), std::string::npos) << answer.err;
}

TEST_F(Program, writesTracesThatOpen) {
    ASSERT_EQ(runSources("vector_add.cu", "opened", "--timing").status, 0);
    const ProgramAnswer metrics = recorder("metrics --json '" + (at("opened") / "launch-000000.wgt").string() + "'");
    ASSERT_EQ(metrics.status, 0) << metrics.err;
    const auto json = nlohmann::json::parse(metrics.out);
    EXPECT_EQ(json["kernel"], "add");
    EXPECT_GT(json["metrics"]["duration_ns"]["value"].get<double>(), 0);
    // 1000 of 1024 threads add: the last warp's lanes differ at the bound, all others agree.
    EXPECT_EQ(json["metrics"]["divergent_branch"]["value"], 1);
}

// What nvcc has put into the program for the device, and its loads stand at lines of the recording's PTX that load.
TEST_F(Program, keepsItsOwnMachineCode) {
    ASSERT_EQ(runSources("vector_add.cu", "coded", "--arch sm_90").status, 0);
    const std::filesystem::path file = at("coded") / "launch-000000.wgt";
    const ProgramAnswer sass = recorder("sass --json '" + file.string() + "'");
    ASSERT_EQ(sass.status, 0) << sass.err;
    const auto json = nlohmann::json::parse(sass.out);
    EXPECT_EQ(json["origin"], "kept in the recording");
    EXPECT_EQ(json["arch"], "sm_90");
    warpglass::Progress progress;
    const auto trace = warpglass::openTrace(file, progress);
    ASSERT_TRUE(trace) << trace.error().text();
    std::vector<std::string> lines{""};
    std::istringstream text((*trace)->kernels[0].ptx);
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    std::size_t loads = 0;
    for (const auto& i : json["functions"].at(0)["instructions"])
        if (i["opcode"] == "LDG") {
            ++loads;
            EXPECT_NE(lines.at(i.at("ptx").get<std::size_t>()).find("ld.global"), std::string::npos) << i;
        }
    EXPECT_EQ(loads, 2u); // a[i] + b[i]
}

TEST_F(Program, keepsEverythingInOneFileIfAskedFor) {
    ASSERT_EQ(runSources("vector_add.cu", "one.wgt").status, 0);
    EXPECT_FALSE(std::filesystem::exists(at("one.wgt.parts")));
    const auto launches = of(listing("one.wgt"), "launch");
    ASSERT_EQ(launches.size(), 1u);
    EXPECT_TRUE(launches[0]["recorded"].get<bool>());
}

TEST_F(Program, isCompiledForWhatAnArchitectureAloneHas) {
    EXPECT_EQ(runSources("architecture.cu", "plain", "--arch sm_90").out, "without wgmma\n");
    EXPECT_EQ(runSources("architecture.cu", "alone", "--arch sm_90a").out, "with wgmma\n");
}

TEST_F(Program, recordsEveryProcessThatUsesTheDevice) {
    const ProgramAnswer answer = runSources("children.cu", "children");
    ASSERT_EQ(answer.status, 0) << answer.out << answer.err;
    const nlohmann::json all = listing("children");
    ASSERT_EQ(all["processes"].size(), 2u);
    std::map<std::string, int> processes; // [value of the launch's argument]
    for (const auto& l : of(all, "launch"))
        processes[l["arguments"][1]["value"]] = all["streams"][std::size_t(l["stream"])]["process"];
    ASSERT_EQ(processes.size(), 2u);
    const int own = processes.at("22"); // the program's own process, whose end is known
    EXPECT_EQ(all["processes"][std::size_t(own)]["exit_status"], 0);
    EXPECT_EQ(processes.at("11"), 1 - own);
}

// By what the children gave exit(); whoever was killed or left by _exit() has said nothing.
TEST_F(Program, saysHowItsProcessesEnded) {
    ASSERT_EQ(runSources("ends.cu", "ends").status, 0);
    const nlohmann::json all = listing("ends");
    std::map<std::string, nlohmann::json> ends; // [value of the launch's argument]
    for (const auto& l : of(all, "launch"))
        ends[l["arguments"][1]["value"]] =
            all["processes"][all["streams"][std::size_t(l["stream"])]["process"].get<std::size_t>()];
    ASSERT_EQ(ends.size(), 5u);
    for (const auto& [which, status, end] :
         {std::tuple("1", 0, "ended well"),
          {"2", 3, "ended with exit status 3"},
          {"3", -1, "ended without a word: it was killed, left by _exit(), or still works"},
          {"4", -1, "ended without a word: it was killed, left by _exit(), or still works"},
          {"5", 0, "ended well"}}) {
        EXPECT_EQ(ends[which]["exit_status"], status) << which;
        EXPECT_EQ(ends[which]["end"], end) << which;
    }
    const std::string text = recorder("launches '" + at("ends").string() + "'").out;
    EXPECT_NE(text.find(ends["2"]["name"].get<std::string>() + " ended with exit status 3\n"), std::string::npos)
        << text;
    EXPECT_NE(text.find(ends["3"]["name"].get<std::string>() + " ended without a word: "), std::string::npos) << text;
    EXPECT_EQ(text.find(ends["1"]["name"].get<std::string>() + " ended"), std::string::npos) << text;
}
