// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges inside kernels. data/add.chrome_trace is what Proton (Triton 3.4) wrote on an H200 for a launch of four blocks with
// four warps, two ranges each: 32 in all. IKET's file below has the members that NVIDIA's "IKET Profiling" documents.
#include "gpu/base/read_file.h"
#include "gpu/profilers/scopes.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace warpglass;
using namespace warpglass::profilers;

namespace {

std::string refusalOf(const std::string& text) {
    const auto read = readScopes(text, "x.json");
    return read ? "" : read.error().text();
}

constexpr const char* iket = R"json({"launches": [
 {"gridId": 0, "kernelName": "gemm<float>(float*, int)",
  "ranges": [
   {"rangeName": "mainloop", "rangeScope": 0, "startTs": 1000, "endTs": 2500, "internalEvents": [],
    "warpLocs": [{"smId": 7, "tpcId": 3, "gpcId": 0, "ctaId": [1, 2, 0], "warpId": 3},
                 {"smId": 7, "tpcId": 3, "gpcId": 0, "ctaId": [1, 2, 0], "warpId": 4}]},
   {"rangeName": "wait", "rangeScope": 0, "startTs": 1032, "endTs": 1096, "internalEvents": [],
    "warpLocs": [{"smId": 7, "tpcId": 3, "gpcId": 0, "ctaId": [1, 2, 0], "warpId": 3}]},
   {"rangeName": "backwards", "startTs": 9, "endTs": 8, "warpLocs": [{"ctaId": [0, 0, 0], "warpId": 0}]},
   {"rangeName": "nowhere", "startTs": 8, "endTs": 9, "warpLocs": [{"ctaId": [0, 0], "warpId": 0}, 5, null]}],
  "markers": [{"markerName": "checkpoint", "timestamp": 1500, "payloadType": 0, "payloadVal": 0,
               "location": {"smId": 0, "tpcId": 0, "gpcId": 0, "ctaId": [0, 0, 0], "warpId": 0}}],
  "warpLifetimes": [{"startTs": 900, "endTs": 3800,
                     "warpLocation": {"smId": 0, "tpcId": 0, "gpcId": 0, "ctaId": [0, 0, 0], "warpId": 0}}]},
 {"gridId": 1, "kernelName": "empty", "ranges": [], "markers": [], "warpLifetimes": []},
 {"gridId": 2, "kernelName": "second", "markers": [], "warpLifetimes": [],
  "ranges": [{"rangeName": "wait", "startTs": 5000, "endTs": 5000, "warpLocs": [{"ctaId": [0, 0, 0], "warpId": 0}]}]}]})json";

} // namespace

TEST(Scopes, ReadsWhatProtonWrote) {
    const auto text = readFile(WARPGLASS_SOURCE_DIR "/tests/profilers/data/add.chrome_trace");
    ASSERT_TRUE(text);
    const auto read = readScopes(*text, "add.chrome_trace");
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_EQ(read->size(), 1u);
    const ScopeTrace& add = read->front();
    EXPECT_EQ(add.profiler, "Proton");
    EXPECT_EQ(add.kernel, "add");
    EXPECT_EQ(add.names, (std::vector<std::string>{"load", "store"}));
    EXPECT_TRUE(add.clockOfBlock);
    ASSERT_EQ(add.scopes.size(), 32u);
    // The file's first: "pid":"add Core124 CTA2","tid":"warp 0 (line 0)","ts":0.007,"dur":0.176 (us).
    EXPECT_EQ(add.scopes[0].block, (Dim3{2, 0, 0}));
    EXPECT_EQ(add.scopes[0].warp, 0u);
    EXPECT_EQ(add.scopes[0].begin, 7);
    EXPECT_EQ(add.scopes[0].end, 183);
    EXPECT_EQ(std::ranges::count(add.scopes, 1u, &Scope::name), 16);
}

TEST(Scopes, ReadsWhatIketDocuments) {
    const auto read = readScopes(iket, "x.json");
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_EQ(read->size(), 2u) << "a launch without ranges tells nothing";
    const ScopeTrace& gemm = read->front();
    EXPECT_EQ(gemm.profiler, "IKET");
    EXPECT_EQ(gemm.kernel, "gemm<float>");
    EXPECT_EQ(gemm.names, (std::vector<std::string>{"mainloop", "wait", "checkpoint"}));
    EXPECT_FALSE(gemm.clockOfBlock);
    EXPECT_EQ(gemm.begin, 900) << "the first warp began before its first range";
    ASSERT_EQ(gemm.scopes.size(), 4u)
        << "one for each warp of a range; none of what has no place or ends before it begins";
    EXPECT_EQ(gemm.scopes[1].block, (Dim3{1, 2, 0}));
    EXPECT_EQ(gemm.scopes[1].warp, 4u);
    EXPECT_EQ(gemm.scopes[1].end - gemm.scopes[1].begin, 1500);
    EXPECT_EQ(gemm.scopes[3].begin, gemm.scopes[3].end);
    EXPECT_EQ(read->back().kernel, "second");
    EXPECT_EQ(read->back().names, (std::vector<std::string>{"wait"}));
    EXPECT_EQ(read->back().begin, 5000);
}

TEST(Scopes, RefusesWhatIsNeither) {
    for (const char* text :
         {"", "{", "[]", "{\"traceEvents\": []}", "{\"launches\": [{\"kernelName\": \"k\", \"ranges\": []}]}",
          "{\"a\": 1e999}", "\"launches\"", R"json([{"ph": "X", "tid": "warp", "pid": "k CTA1", "cat": "k",
                             "name": "n", "ts": 0, "dur": 1}])json",
          R"json([{"ph": "X", "tid": 1}])json"})
        EXPECT_NE(refusalOf(text).find("no ranges"), std::string::npos) << text << ": " << refusalOf(text);
    EXPECT_NE(refusalOf(std::string(100'000, '[')).find("no ranges"), std::string::npos) << "deep";
    std::string wide = "[0";
    for (int n = 0; n < 1'100'000; ++n)
        wide += ",0";
    EXPECT_NE(refusalOf(wide + "]").find("no ranges"), std::string::npos) << "wide";
}

// What is read is let go: more ranges than values may be held at once (50,001 of some 25 values each).
TEST(Scopes, HoldsNoTreeOfALargeFile) {
    std::string text = "{\"traceEvents\":[";
    for (int n = 0; n <= 50'000; ++n)
        text += (n > 0 ? "," : "") +
                std::string(R"json({"args":{"a":[1,2,3,4,5,6,7,8,9,10,11,12]},"cat":"k","ph":"X","name":"n)json") +
                std::to_string(n % 3) + R"json(","pid":"k Core1 CTA)json" + std::to_string(n) +
                R"json(","tid":"warp 1 (line 0)","ts":1,"dur":2})json";
    const auto read = readScopes(text + "]}", "x.json");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->front().scopes.size(), 50'001u);
    EXPECT_EQ(read->front().names.size(), 3u);
    EXPECT_EQ(read->front().scopes.back().block.x, 50'000u);
}
