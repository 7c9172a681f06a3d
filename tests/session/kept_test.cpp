// SPDX-License-Identifier: GPL-3.0-or-later
// A launch of a program made again from what its recording keeps of its memory.
#include "app/session/asked.h"
#include "app/session/why.h"
#include "gpu/base/read_file.h"
#include "gpu/trace/file.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <span>

#include <unistd.h>

using namespace warpglass;
using namespace warpglass::session;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t in = 0x7f00'0020'0000, out = 0x7f00'0040'0000;

template <typename T>
void keep(KeptMemory& kept, KeptArea area, const std::vector<T>& values) {
    area.bytes = values.size() * sizeof(T);
    std::vector<std::uint64_t> words(area.words());
    std::memcpy(words.data(), values.data(), area.bytes);
    kept.words.append(words.begin(), words.end());
    kept.areas.push_back(std::move(area));
}

// scale.ptx: out[i] = in[i] * 0.5 for the first 50, in[i] = 7 + i.
KeptMemory scaling() {
    KeptMemory kept;
    std::vector<std::uint32_t> parameters(6);
    std::memcpy(parameters.data(), &in, 8);
    std::memcpy(parameters.data() + 2, &out, 8);
    parameters[4] = 50;
    parameters[5] = std::bit_cast<std::uint32_t>(0.5f);
    keep(kept, {.role = KeptRole::Parameters, .name = "parameters"}, parameters);
    std::vector<std::int32_t> numbers(51); // an odd number of words of four bytes
    for (int i = 0; i < 51; ++i)
        numbers[std::size_t(i)] = 7 + i;
    keep(kept, {.role = KeptRole::Memory, .address = in, .name = "memory at in"}, numbers);
    keep(kept, {.role = KeptRole::Memory, .address = out, .name = "memory at out"}, std::vector<float>(64));
    return kept;
}

RunRequest request(KeptMemory kept) {
    RunRequest r;
    r.kernel = "scale.ptx";
    r.text = *readFile(WARPGLASS_SOURCE_DIR "/tests/record/scale.ptx");
    r.entry = "scale";
    r.launch.grid = Dim3{2};
    r.launch.block = Dim3{32};
    r.kept = std::make_shared<const KeptMemory>(std::move(kept));
    return r;
}

Result<Recording> launched(const RunRequest& r) {
    Progress progress;
    return runRequest(r, progress);
}

// What was stored, in the order of the addresses.
std::vector<float> stored(const Trace& trace) {
    std::vector<std::pair<std::uint64_t, float>> all;
    for (const AccessRow& access : trace.accesses)
        if (access.kind == AccessKind::Store)
            for (std::size_t lane = 0; lane < trace.addresses(access).size(); ++lane)
                all.push_back(
                    {trace.addresses(access)[lane], std::bit_cast<float>(std::uint32_t(trace.values(access)[lane]))});
    std::sort(all.begin(), all.end());
    std::vector<float> values;
    for (const auto& [address, value] : all) {
        EXPECT_EQ(address, out + 4 * values.size());
        values.push_back(value);
    }
    return values;
}

TracePtr throughAFile(const Trace& trace) {
    Progress progress;
    const fs::path path = fs::path(testing::TempDir()) / ("warpglass-kept-" + std::to_string(getpid()) + ".wgt");
    const auto written = writeTrace(trace, path, progress);
    EXPECT_TRUE(written) << written.error().text();
    auto read = openTrace(path, progress);
    fs::remove(path);
    EXPECT_TRUE(read) << read.error().text();
    return *read;
}

} // namespace

TEST(Kept, aLaunchFindsItsMemoryAtItsOldAddresses) {
    const auto first = launched(request(scaling()));
    ASSERT_TRUE(first) << first.error().text();
    ASSERT_FALSE(first->fault) << first->fault->text();
    const std::vector<float> values = stored(*first->trace);
    ASSERT_EQ(values.size(), 50u);
    EXPECT_EQ(values[0], 3.5f);
    EXPECT_EQ(values[49], 28.0f);

    const TracePtr trace = throughAFile(*first->trace);
    EXPECT_EQ(trace->kept.areas, scaling().areas);
    EXPECT_EQ(trace->kept.words, scaling().words);
    const auto again = requestOf(*trace);
    ASSERT_TRUE(again) << again.error().text();
    const auto second = launched(*again);
    ASSERT_TRUE(second) << second.error().text();
    EXPECT_EQ(stored(*second->trace), values); // what the first had stored is not what the second begins with
    EXPECT_EQ(second->trace->kept.words, trace->kept.words);

    Progress progress;
    const auto answer = why(*again, *planOf(*again), progress, {});
    ASSERT_TRUE(answer) << answer.error().text();
    EXPECT_EQ(answer->limits.size(), allOf<Limit>.size());
    EXPECT_GT(answer->ns, answer->floorNs);
}

TEST(Kept, itTellsWhyALaunchCannotBeMadeAgain) {
    const auto first = launched(request(scaling()));
    ASSERT_TRUE(first);
    Trace changed = *first->trace;
    const auto memory = [&](const char* said) {
        for (AskedWord& word : changed.asked)
            if (word.option == "memory")
                word.value = said;
        const auto again = requestOf(changed);
        return again ? std::string() : again.error().text();
    };
    EXPECT_EQ(memory("kept"), "");
    EXPECT_NE(memory("textures").find("it uses textures"), std::string::npos);
    EXPECT_NE(memory("size").find("--keep-memory"), std::string::npos);
    changed.kept = {};
    EXPECT_NE(memory("kept").find("--keep-memory"), std::string::npos);
    RunRequest elsewhere = request(scaling());
    elsewhere.backend = "cuda";
    EXPECT_FALSE(planOf(elsewhere));
}

// The source of a program's kernel stays beside it, also where it lies in a header.
TEST(Kept, aLaunchMadeAgainShowsItsSource) {
    const auto first = launched(request(scaling()));
    ASSERT_TRUE(first);
    Trace changed = *first->trace;
    changed.kernels[0].source = "__global__ void scale(...)";
    changed.kernels[0].sourceName = "kernel.h";
    const auto again = requestOf(changed);
    ASSERT_TRUE(again) << again.error().text();
    const auto second = launched(*again);
    ASSERT_TRUE(second) << second.error().text();
    EXPECT_EQ(second->trace->kernels[0].source, changed.kernels[0].source);
    EXPECT_EQ(second->trace->kernels[0].sourceName, "kernel.h");
}

// A stranger's file: pieces that lie over each other or beyond the words are no recording, others are no launch.
TEST(Kept, memoryThatNoLaunchHasIsRefused) {
    const auto first = launched(request(scaling()));
    ASSERT_TRUE(first);
    const auto valid = [&](const auto& change) {
        Trace changed = *first->trace;
        change(changed.kept);
        return validate(changed).ok();
    };
    EXPECT_TRUE(valid([](KeptMemory&) {}));
    EXPECT_FALSE(valid([](KeptMemory& kept) { kept.areas[2].address = in + 203; })) << "in has 204 bytes";
    EXPECT_TRUE(valid([](KeptMemory& kept) { kept.areas[2].address = in + 204; }));
    EXPECT_FALSE(valid([](KeptMemory& kept) { kept.areas[2].bytes += 8; })) << "beyond the words";
    EXPECT_FALSE(valid([](KeptMemory& kept) { kept.areas[2].bytes -= 8; })) << "a word belongs to nothing";
    EXPECT_FALSE(valid([](KeptMemory& kept) { kept.areas[2].address = ~std::uint64_t(0); }));
    EXPECT_FALSE(valid([](KeptMemory& kept) { kept.areas[1].role = KeptRole::Parameters; })) << "twice";
    EXPECT_FALSE(valid([](KeptMemory& kept) { kept.areas[1].role = KeptRole(9); }));

    const auto refused = [&](const auto& change) {
        KeptMemory kept = scaling();
        change(kept);
        const auto run = launched(request(std::move(kept)));
        return !run || run->fault.has_value();
    };
    EXPECT_FALSE(refused([](KeptMemory&) {}));
    EXPECT_TRUE(refused([](KeptMemory& kept) { kept.areas[1].address = 4096; })) << "no global memory lies there";
    EXPECT_TRUE(refused([](KeptMemory& kept) { kept.areas[1].role = KeptRole::Variable; })) << "it has none";
    EXPECT_TRUE(refused([](KeptMemory& kept) { kept.areas[1].role = KeptRole::Constant; })) << "it has none";
    EXPECT_TRUE(refused([](KeptMemory& kept) { kept.areas[0].bytes = 16; })) << "too few parameters";
    EXPECT_TRUE(refused([](KeptMemory& kept) { kept.areas[1].address += 8; })) << "the pointer leads before it";
}
