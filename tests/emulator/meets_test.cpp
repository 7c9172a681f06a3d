// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels drawn by meets/drawn.py, their machine code by ptxas 13.0.88 for sm_90, and what an H200's counters say of the branches
// of the unchanged kernels: how often warps executed each, and lanes. A branch that lanes come to together is executed once, one
// that they come to in two groups twice.
#include "gpu/base/read_file.h"
#include "gpu/emulator/emulator.h"
#include "gpu/machine/meets.h"
#include "gpu/ptx/parse.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <sstream>

namespace warpglass::testing {

namespace {

struct CountedBranch {
    std::uint64_t executions = 0, lanes = 0;
};
struct CountedKernel {
    std::uint32_t seed = 0;
    std::map<std::uint32_t, CountedBranch> branches; // by PTX line
};

struct DrawnKernels {
    machine::Cubin cubin;
    std::string text;
    ptx::Module module;
    std::map<std::string, CountedKernel> counted;

    static DrawnKernels read(const std::string& base) {
        DrawnKernels drawn;
        const auto code = readFile(base + ".cubin"), rows = readFile(base + ".tsv");
        drawn.cubin = *machine::readCubin(std::as_bytes(std::span(*code)));
        for (const std::string& line : drawn.cubin.ptx)
            drawn.text += line + "\n";
        drawn.module = *ptx::parse(drawn.text);
        std::istringstream in(std::string(rows->begin(), rows->end()));
        std::string kernel;
        std::getline(in, kernel); // the heading
        std::uint32_t seed = 0, line = 0;
        CountedBranch branch;
        while (in >> kernel >> seed >> line >> branch.executions >> branch.lanes) {
            CountedKernel& of = drawn.counted[kernel];
            of.seed = seed;
            of.branches[line] = branch;
        }
        return drawn;
    }

    // In 2 blocks of 64 threads, as main() of the drawn file launches it.
    LaunchPlan plan(const std::string& kernel) const {
        LaunchPlan made;
        made.kernelName = made.entry = kernel;
        made.ptx = text;
        made.grid = {2};
        made.block = {64};
        Argument in{.name = "in", .isBuffer = true, .type = ElementType::U32, .count = 128};
        in.fill = [](std::span<std::byte> bytes) {
            std::uint32_t x = 12345;
            for (std::size_t at = 0; at < bytes.size(); at += 4) {
                x = x * 1664525U + 1013904223U;
                const std::uint32_t value = x >> 6;
                std::memcpy(bytes.data() + at, &value, 4);
            }
        };
        Argument seed{.name = "seed", .type = ElementType::U32, .scalar = std::vector<std::byte>(4)};
        std::memcpy(seed.scalar.data(), &counted.at(kernel).seed, 4);
        made.arguments = {in, {.name = "out", .isBuffer = true, .type = ElementType::U32, .count = 2048}, seed};
        return made;
    }

    // Lines of the branches that lanes come to in more or fewer groups than on the GPU.
    std::string unlike(const LaunchPlan& launch) const {
        RunOptions options;
        options.threads = 1;
        Progress progress;
        const auto run = makeEmulator()->run(launch, options, progress);
        if (!run)
            return run.error().message.text();
        std::string lines;
        for (const InstructionCount& c : run->trace->counts) {
            const auto& branches = counted.at(launch.entry).branches;
            const auto branch = branches.find(c.ptxLine);
            if (c.isBranch && c.isConditional && branch != branches.end() && branch->second.lanes == c.lanes &&
                branch->second.executions != c.executions)
                lines += fmt::format(" {} ({} for {})", c.ptxLine, c.executions, branch->second.executions);
        }
        return lines;
    }
};

} // namespace

// By the text alone each of these kernels has a branch that lanes come to in other groups. Those of the second file have loops with
// YIELD.
TEST(MeetsOnGpu, MachineCodeSaysWhereLanesMeet) {
    for (const auto& [name, kernels] : {std::pair{"some", 6u}, {"yields", 3u}}) {
        const DrawnKernels drawn =
            DrawnKernels::read(WARPGLASS_SOURCE_DIR "/tests/emulator/meets/" + std::string(name));
        ASSERT_EQ(drawn.counted.size(), kernels);
        const std::vector<ptx::BranchMeets> meets = machine::meetsOf(drawn.cubin, drawn.module);
        for (const auto& [kernel, counted] : drawn.counted) {
            LaunchPlan launch = drawn.plan(kernel);
            EXPECT_NE(drawn.unlike(launch), "") << kernel;
            launch.meets = meets;
            EXPECT_EQ(drawn.unlike(launch), "") << kernel;
        }
    }
}

// WARPGLASS_MEETS=k: of k.cubin and k.tsv, as drawn.py tells how to make them.
TEST(MeetsOnGpu, DrawnKernels) {
    const char* const base = std::getenv("WARPGLASS_MEETS");
    if (!base)
        GTEST_SKIP() << "no kernels were drawn";
    const DrawnKernels drawn = DrawnKernels::read(base);
    const std::vector<ptx::BranchMeets> meets = machine::meetsOf(drawn.cubin, drawn.module);
    std::size_t byText = 0, byCode = 0;
    for (const auto& [kernel, counted] : drawn.counted) {
        LaunchPlan launch = drawn.plan(kernel);
        byText += drawn.unlike(launch).empty();
        launch.meets = meets;
        const std::string lines = drawn.unlike(launch);
        byCode += lines.empty();
        if (!lines.empty())
            fmt::print("{}:{}\n", kernel, lines);
    }
    fmt::print("as counted: {} of {} by the text, {} by the code\n", byText, drawn.counted.size(), byCode);
    EXPECT_GE(byCode, byText);
}

} // namespace warpglass::testing
