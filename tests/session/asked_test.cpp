// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording keeps of its launch, and the launch that it makes again.
#include "app/session/asked.h"
#include "app/session/why.h"
#include "gpu/base/read_file.h"
#include "gpu/machine/kept.h"
#include "gpu/trace/file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <sstream>

#include <unistd.h>

using namespace warpglass;
using namespace warpglass::session;
namespace fs = std::filesystem;

namespace {

const std::string scalePtx = WARPGLASS_SOURCE_DIR "/tests/record/scale.ptx"; // out[i] = in[i] * step for i < n

struct Folder {
    fs::path path = fs::path(testing::TempDir()) / ("warpglass-asked-" + std::to_string(getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
    std::string data(const char* file, std::size_t floats, float first) const {
        std::ofstream out(path / file, std::ios::binary);
        for (std::size_t i = 0; i < floats; ++i) {
            const auto value = std::int32_t(first) + std::int32_t(i);
            out.write(reinterpret_cast<const char*>(&value), sizeof value);
        }
        return (path / file).string();
    }
};

RunRequest scaled(const std::string& in) {
    RunRequest request;
    request.kernel = scalePtx;
    request.arguments = {in, "out:f32[64]=0", "n:u32=50", "step:f32=0.5"};
    request.launch.grid = Dim3{2};
    request.launch.block = Dim3{32};
    return request;
}

Recording recorded(const RunRequest& request) {
    Progress progress;
    auto recording = runRequest(request, progress);
    EXPECT_TRUE(recording) << recording.error().text();
    return *recording;
}

// Through a file, as somebody else opens it.
TracePtr opened(const Trace& trace, const Folder& folder) {
    Progress progress;
    const fs::path file = folder.path / "launch.wgt";
    const auto written = writeTrace(trace, file, progress);
    EXPECT_TRUE(written) << written.error().text();
    auto read = openTrace(file, progress);
    EXPECT_TRUE(read) << read.error().text();
    return *read;
}

std::vector<float> outputOf(const Recording& recording) {
    std::vector<float> values(recording.buffers[1].size() / sizeof(float));
    std::memcpy(values.data(), recording.buffers[1].data(), recording.buffers[1].size());
    return values;
}

TracePtr with(const Trace& trace, std::vector<AskedWord> words) {
    auto changed = std::make_shared<Trace>(trace);
    changed->asked = std::move(words);
    return changed;
}

} // namespace

// in[i] = 7 + i, so that out[i] = 3.5 + i / 2 for the first 50, whatever has become of the file.
TEST(Asked, aLaunchIsMadeAgainWithTheBytesOfItsFile) {
    const Folder folder;
    const std::string file = folder.data("in.bin", 64, 7);
    RunRequest request = scaled("in:i32[64]=file:" + file);
    request.options.timing = true;
    request.options.policy = SchedulingPolicy::Lrr;
    request.options.device = "rtx4070";
    const Recording first = recorded(request);
    fs::remove(file);
    const TracePtr trace = opened(*first.trace, folder);
    for (const AskedWord& word : trace->asked)
        EXPECT_EQ(word.value.find(folder.path.string()), std::string::npos) << word.option << " " << word.value;
    const auto again = requestOf(*trace);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->kernel, "scale.ptx");
    EXPECT_EQ(again->options.device, "rtx4070");
    EXPECT_EQ(again->options.policy, SchedulingPolicy::Lrr);
    const Recording second = recorded(*again);
    const std::vector<float> out = outputOf(second);
    ASSERT_EQ(out.size(), 64u);
    EXPECT_EQ(out[0], 3.5f);
    EXPECT_EQ(out[49], 28.0f);
    EXPECT_EQ(out[50], 0.0f);
    EXPECT_EQ(second.trace->range().end.value, first.trace->range().end.value);
    EXPECT_EQ(second.trace->asked, first.trace->asked);
}

// A drawn kernel whose branches lanes come to in other groups by its machine code, which is as an H200 counted them
// (tests/emulator/meets_test.cpp), than by its text: what is made again follows the code that the recording keeps, or its text
// where it keeps none, whatever ptxas is there.
TEST(Asked, lanesMeetWhereTheKeptCodeSays) {
    const Folder folder;
    const std::string base = WARPGLASS_SOURCE_DIR "/tests/emulator/meets/some";
    const auto cubin = readFile(base + ".cubin"), rows = readFile(base + ".tsv");
    ASSERT_TRUE(cubin && rows);
    std::istringstream table(std::string(rows->begin(), rows->end()));
    std::string word, kernel;
    std::getline(table, word); // the heading
    std::uint32_t seed = 0, rowSeed = 0, line = 0;
    std::uint64_t executions = 0, lanes = 0;
    std::map<std::uint32_t, std::uint64_t> counted; // [PTX line of a branch]: warps, of the first kernel
    while (table >> word >> rowSeed >> line >> executions >> lanes && (kernel.empty() || word == kernel)) {
        kernel = word, seed = rowSeed;
        counted[line] = executions;
    }
    std::ofstream text(folder.path / "drawn.ptx"), in(folder.path / "in.bin", std::ios::binary);
    const auto code = machine::readCubin(std::as_bytes(std::span(*cubin)));
    for (const std::string& ptxLine : code->ptx)
        text << ptxLine << "\n";
    text.close();
    std::uint32_t x = 12345; // as the drawn file's main() fills it
    for (int n = 0; n < 128; ++n) {
        x = x * 1664525U + 1013904223U;
        const std::uint32_t value = x >> 6;
        in.write(reinterpret_cast<const char*>(&value), sizeof value);
    }
    in.close();
    RunRequest request;
    request.kernel = (folder.path / "drawn.ptx").string();
    request.entry = kernel;
    request.arguments = {"in:u32[128]=file:" + (folder.path / "in.bin").string(), "out:u32[2048]=0",
                         "seed:u32=" + std::to_string(seed)};
    request.launch.grid = Dim3{2};
    request.launch.block = Dim3{64};
    request.meetsByCode = false;
    const auto unlike = [&](const Recording& run) { // branches that warps came to more or less often
        return std::ranges::count_if(run.trace->counts, [&](const InstructionCount& c) {
            return c.isBranch && counted.contains(c.ptxLine) && counted[c.ptxLine] != c.executions;
        });
    };
    const Recording byText = recorded(request);
    const auto apart = unlike(byText);
    EXPECT_GT(apart, 0);
    Trace trace = *byText.trace;
    trace.codes = {};
    const auto again = requestOf(*opened(trace, folder));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(unlike(recorded(*again)), apart);
    ASSERT_TRUE(machine::keep(trace.codes, std::as_bytes(std::span(*cubin)), {kernel}));
    const auto byCode = requestOf(*opened(trace, folder));
    ASSERT_TRUE(byCode) << byCode.error().text();
    EXPECT_EQ(unlike(recorded(*byCode)), 0);
}

TEST(Asked, whyIsAnsweredForARecordingAsForTheKernelsOwnFile) {
    const Folder folder;
    RunRequest request = scaled("in:i32[64]=random(0,9,seed=3)");
    request.options.timing = true;
    const TracePtr trace = opened(*recorded(request).trace, folder);
    const auto again = requestOf(*trace);
    ASSERT_TRUE(again) << again.error().text();
    Progress progress;
    const auto ask = [&](const RunRequest& r) {
        auto answer = why(r, *planOf(r), progress, [](int, int) {});
        EXPECT_TRUE(answer) << answer.error().text();
        return whyJson(*answer).dump();
    };
    EXPECT_EQ(ask(*again), ask(request));
}

TEST(Asked, aFileThatIsTooLargeToBeKeptIsToldByItsName) {
    const Folder folder;
    const std::string file = folder.data("large.bin", keptFileBytes / 4 + 1, 0);
    const TracePtr trace = opened(*recorded(scaled("in:i32[64]=file:" + file)).trace, folder);
    const auto again = requestOf(*trace);
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find("too large to be kept"), std::string::npos);
    EXPECT_NE(again.error().file.find("large.bin"), std::string::npos);
    EXPECT_EQ(again.error().file.find(folder.path.string()), std::string::npos);
}

TEST(Asked, aKernelOfTheCatalogueIsLaunchedWithItsOwnSettings) {
    const Folder folder;
    RunRequest request;
    request.kernel = "nestedHelloWorld";
    request.launch.size = 64;
    request.pendingLaunches = 3;
    const Recording first = recorded(request);
    const auto again = requestOf(*opened(*first.trace, folder));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->kernel, request.kernel);
    EXPECT_EQ(again->launch.size, request.launch.size);
    EXPECT_EQ(again->pendingLaunches, 3u);
    EXPECT_FALSE(again->launch.grid);
}

TEST(Asked, aRecordingOfAnOlderFormatIsItsKernelOfTheCatalogue) {
    Progress progress;
    const auto trace = openTrace(WARPGLASS_SOURCE_DIR "/resources/recordings/mathKernel1-as-written.wgt", progress);
    ASSERT_TRUE(trace) << trace.error().text();
    ASSERT_TRUE((*trace)->asked.empty());
    const auto again = requestOf(**trace);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->kernel, "mathKernel1");
    EXPECT_EQ(again->backend, "emulator"); // it was recorded on a GPU
    auto stranger = std::make_shared<Trace>(**trace);
    stranger->kernels[0].name = "somebodysOwn";
    EXPECT_FALSE(requestOf(*stranger));
}

// Whatever stands in the file, no path of this machine is read, and no warp runs for ever.
TEST(Asked, aStrangersWordsLeadToNoFile) {
    const Folder folder;
    const TracePtr trace = recorded(scaled("in:i32[64]=iota")).trace;
    const std::vector<AskedWord> honest = trace->asked;
    ASSERT_TRUE(requestOf(*trace));
    const auto changed = [&](const std::string& option, const std::string& from, const std::string& to) {
        std::vector<AskedWord> words = honest;
        bool found = false;
        for (AskedWord& word : words)
            if (word.option == option && word.value == from)
                found = true, word.value = to;
        EXPECT_TRUE(found) << option << " " << from;
        return requestOf(*with(*trace, std::move(words)));
    };
    const std::string secret = folder.data("secret.bin", 64, 1);
    for (const std::string& spec : {"in:i32[64]=file:" + secret, std::string("in:i32[64]=file:secret.bin")})
        EXPECT_FALSE(changed("arg", "in:i32[64]=iota", spec)) << spec;
    for (const char* option : {"global", "texture", "surface", "buffer"}) {
        std::vector<AskedWord> words = honest;
        words.push_back({option, "t=2d:4x4:f32:file:" + secret});
        EXPECT_FALSE(requestOf(*with(*trace, std::move(words)))) << option;
    }
    // The kernel's file is a name; the text is the recording's.
    const auto elsewhere = changed("file", "scale.ptx", "/etc/../etc/scale.ptx");
    ASSERT_TRUE(elsewhere);
    EXPECT_EQ(elsewhere->kernel, "scale.ptx");
    EXPECT_EQ(elsewhere->text, trace->kernels[0].ptx);
    EXPECT_FALSE(changed("file", "scale.ptx", "/etc/passwd"));
    EXPECT_FALSE(changed("file", "scale.ptx", ""));
    EXPECT_FALSE(changed("block", "32", "many"));

    std::vector<AskedWord> words = honest;
    words.push_back({"nvcc", "-ccbin=/tmp/x"});
    EXPECT_FALSE(requestOf(*with(*trace, words))) << "options of a compiler are no word";
    words.back() = {"max-instructions", "18446744073709551615"};
    const auto endless = requestOf(*with(*trace, words));
    ASSERT_TRUE(endless);
    EXPECT_EQ(endless->options.instructionLimit, std::uint64_t(1) << 30);
}

TEST(Asked, aNameOfAnyLengthIsToldInASentence) {
    const Folder folder;
    const TracePtr trace = recorded(scaled("in:i32[64]=iota")).trace;
    std::vector<AskedWord> words = trace->asked;
    std::erase_if(words, [](const AskedWord& word) { return word.option == "kernel"; });
    words.push_back({"kernel", std::string(1'000'000, 'N')});
    const auto request = requestOf(*with(*trace, std::move(words)));
    ASSERT_TRUE(request);
    const auto plan = planOf(*request);
    ASSERT_FALSE(plan);
    EXPECT_NE(plan.error().text().find("the file has no kernel \"NNNN"), std::string::npos);
    EXPECT_LT(plan.error().message.size(), 10'000u);
}

TEST(Asked, OfNoLaunchNothingIsMade) {
    const auto none = requestOf(Trace{});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().message, "the trace holds no launch");
}

// Of a library's kernel a GPU's recording keeps its machine code alone: shown, and never executed.
TEST(Asked, OfMachineCodeAloneNothingIsRun) {
    Trace trace;
    trace.kernels.emplace_back().name = "gemm";
    trace.launches.emplace_back();
    EXPECT_EQ(requestOf(trace).error().message,
              "This recording holds no launch that can be run again: its kernel is not in the gallery");
    trace.codes.all.emplace_back();
    const auto request = requestOf(trace);
    ASSERT_FALSE(request);
    EXPECT_NE(request.error().text().find("the program carries no PTX of its kernel"), std::string::npos);
    EXPECT_NE(request.error().text().find("warpglass-record sass"), std::string::npos);
}
