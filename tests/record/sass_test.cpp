// SPDX-License-Identifier: GPL-3.0-or-later
// `sass`: a cubin's listing, its JSON, two versions side by side. The numbers are cuobjdump's and nvdisasm's of that cubin.
#include "app/session/machine_code.h"
#include "gpu/base/messages/gpu.h"
#include "gpu/machine/kept.h"
#include "gpu/machine/own_code.h"
#include "gpu/program/program_file.h"
#include "gpu/trace/file.h"
#include "program.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <span>

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const std::string cubins = WARPGLASS_SOURCE_DIR "/tests/machine/data/";

} // namespace

// cuobjdump -res-usage: atomicTwoLevel REG:8 STACK:0 SHARED:1028; its first instruction is at line 23 (nvdisasm -gi).
TEST(Sass, ListsACubin) {
    const Answer answer = record("sass " + cubins + "atomics.sm_90a.cubin --kernel atomicTwoLevel");
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_NE(answer.out.find("sm_90, the file's own"), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find(" 8 registers, 0 bytes of stack a thread, 1028 bytes of shared memory"),
              std::string::npos)
        << answer.out;
    EXPECT_NE(answer.out.find("atomics.cu:"), std::string::npos);
    EXPECT_EQ(answer.out.find("atomicGlobal"), std::string::npos); // another kernel of the file
}

// LDC.64 at 0xa0 of divergence's rayHitCommonTask: 0x00008600ff027b82, 0x000e620000000a00. By hand:
// 0x000e620000000a00 >> 41 = 0x731 = 0b000000'111'001'1'0001: scoreboard 1 for the result, a cycle, does not yield.
TEST(Sass, JsonHasBitsControlAndLines) {
    const Answer answer = record("sass " + cubins + "divergence.sm_90a.cubin --kernel rayHitCommonTask --json");
    ASSERT_EQ(answer.status, 0) << answer.err;
    const json code = json::parse(answer.out);
    EXPECT_EQ(code["arch"], "sm_90");
    ASSERT_EQ(code["functions"].size(), 1u);
    const json& kernel = code["functions"][0];
    EXPECT_EQ(kernel["registers"], 19);
    EXPECT_EQ(kernel["kernel"], true);
    const json& load = kernel["instructions"][0xa0 / 16];
    EXPECT_EQ(load["opcode"], "LDC");
    EXPECT_EQ(load["bits"], (json{"00008600ff027b82", "000e620000000a00"}));
    EXPECT_EQ(load["writes"], 1);
    EXPECT_FALSE(load.contains("reads"));
    EXPECT_EQ(load["stall"], 1);
    EXPECT_EQ(load["yields"], false);
    EXPECT_EQ(load["source"][0]["line"], 236);
    EXPECT_EQ(load["ptx"], 1516);
    const json& exit = kernel["instructions"][0x70 / 16];
    EXPECT_EQ(exit["guard"], "0");
    const json& inlined = kernel["instructions"][0x170 / 16]["source"]; // 215, inlined at 238
    ASSERT_EQ(inlined.size(), 2u);
    EXPECT_EQ(inlined[0]["line"], 215);
    EXPECT_EQ(inlined[1]["line"], 238);
}

// rayHitCommonTask has 19 registers, rayHitBranches 18 (cuobjdump).
TEST(Sass, TwoVersionsByWhatDiffers) {
    const Answer answer =
        record("sass " + cubins + "atomics.sm_80.cubin --against " + cubins + "atomics.sm_90a.cubin --json");
    ASSERT_EQ(answer.status, 0) << answer.err;
    const json both = json::parse(answer.out);
    EXPECT_EQ(both["a"]["arch"], "sm_80");
    EXPECT_EQ(both["b"]["arch"], "sm_90");
    ASSERT_EQ(both["changes"].size(), both["a"]["functions"].size());
    for (const json& pair : both["changes"]) {
        std::int64_t by = 0, whole = 0;
        for (const json& change : pair["changes"]) {
            const std::string what = change["what"];
            if (what == "instructions")
                whole = change["b"].get<std::int64_t>() - change["a"].get<std::int64_t>();
            else if (what.find(' ') == std::string::npos) // a mnemonic
                by += change["b"].get<std::int64_t>() - change["a"].get<std::int64_t>();
        }
        EXPECT_EQ(by, whole) << pair["function"]; // no kind is left out
    }
}

// fates.cu's choose (tests/machine/fate_test.cpp): 39 is predicated, 31 in the instruction of 34, and the choice of 41 is made by
// the predicate that 37 works out.
TEST(Sass, JsonSaysWhatBecameOfEachLine) {
    const Answer answer = record("sass " + cubins + "fates.sm_90.cubin --kernel choose --json");
    ASSERT_EQ(answer.status, 0) << answer.err;
    const json ptx = json::parse(answer.out)["functions"][0]["ptx"];
    std::map<int, json> lines;
    for (const json& line : ptx["lines"])
        lines[line["line"]] = line;
    EXPECT_EQ(lines[39]["fate"], "predicated");
    EXPECT_EQ(lines[39]["instructions"], json{0x90 / 16});
    EXPECT_EQ(lines[31]["fate"], "merged");
    EXPECT_EQ(lines[31]["into"], 34);
    ASSERT_EQ(ptx["decisions"].size(), 1u);
    EXPECT_EQ(ptx["decisions"][0]["line"], 41);
    EXPECT_EQ(ptx["decisions"][0]["asked"], 37);
    EXPECT_EQ(ptx["decisions"][0]["fate"], "predicated");
    const std::string listing = record("sass " + cubins + "fates.sm_90.cubin --kernel part").out;
    EXPECT_NE(listing.find("PTX line 110: the decision is a branch still; its lanes meet at line 22 (fates.cu)"),
              std::string::npos)
        << listing;
}

// mathKernel1 has 8 registers (resources/ptx/registers.json). No compiler is asked: its code is shipped.
TEST(Sass, RecordingsKeepTheirCode) {
    const fs::path run = scratch("kept.wgt"), again = scratch("again.wgt"), code = scratch("code.cubin");
    ASSERT_EQ(record("run mathKernel1 -o " + run.string()).status, 0);
    const Answer kept = record("sass " + run.string() + " --json");
    ASSERT_EQ(kept.status, 0) << kept.err;
    const json first = json::parse(kept.out);
    EXPECT_EQ(first["origin"], "kept in the recording");
    EXPECT_EQ(first["functions"].size(), 1u); // of 20 in the catalogue's text
    EXPECT_EQ(first["functions"][0]["registers"], 8);
    EXPECT_FALSE(first["functions"][0]["ptx"]["lines"].empty());
    ASSERT_EQ(record("sass " + run.string() + " -o " + again.string()).status, 0);
    EXPECT_EQ(json::parse(record("sass " + again.string() + " --json").out), first);
    ASSERT_EQ(record("sass " + run.string() + " -o " + code.string()).status, 0);
    const json bare = json::parse(record("sass " + code.string() + " --json").out);
    EXPECT_EQ(bare["origin"], "the file's own");
    EXPECT_EQ(bare["compiler"], first["compiler"]);
    EXPECT_EQ(bare["functions"][0]["instructions"], first["functions"][0]["instructions"]);
    EXPECT_EQ(record("sass " + run.string() + " -o " + run.string()).status, 2); // into itself
}

TEST(Sass, RefusesInASentence) {
    const fs::path text = scratch("notes.cubin");
    writeFile(text, "\x7f"
                    "ELF, it says");
    EXPECT_EQ(record("sass " + text.string()).status, 2);
    const Answer none = record("sass " + cubins + "atomics.sm_80.cubin --kernel nobody");
    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("atomicTwoLevel"), std::string::npos) << none.err;
    EXPECT_EQ(record("sass " + scratch("missing.cubin").string()).status, 2);
}

// What is recorded of a library's kernel, which has no PTX: of two launches of a program the first has warps, here none. The
// listing is the cubin's own.
TEST(Sass, ListsTheCodeThatAProgramsRecordingKeepsOfAKernelWithoutPtx) {
    using namespace warpglass;
    std::ifstream in(cubins + "atomics.sm_90a.cubin", std::ios::binary);
    const std::string cubin((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const auto facts = machine::readFacts(std::as_bytes(std::span(cubin)));
    ASSERT_TRUE(facts);
    const auto entry =
        std::ranges::find_if(*facts, [](const auto& f) { return f.first.find("atomicTwoLevel") != std::string::npos; });
    ASSERT_NE(entry, facts->end());
    EXPECT_TRUE(machine::codeAlone(cubin, "nobody").all.empty());
    Trace trace;
    trace.info.backend = BackendKind::Cuda;
    trace.kernels.push_back({.name = "atomicTwoLevel", .entry = entry->first});
    trace.launches.push_back({.grid = {4, 1, 1}, .block = {256, 1, 1}});
    trace.codes = machine::codeAlone(cubin, entry->first);
    const fs::path folder = scratch("code alone");
    fs::create_directories(folder);
    Progress progress;
    ASSERT_TRUE(writeTrace(trace, folder / "code-000001.wgt", progress));
    program::ProgramTrace p;
    p.info.backend = BackendKind::Cuda;
    p.streams.push_back({"default"});
    p.shapes.push_back({{4, 1, 1}, {256, 1, 1}});
    p.kernels.push_back({.name = "first", .entry = "first"});
    p.kernels.push_back({.name = "atomicTwoLevel", .entry = entry->first});
    p.kernels.back().unrecorded = say::MachineCodeOnly;
    for (std::uint32_t n = 0; n < 2; ++n) {
        program::Operation o;
        o.start = n * 100, o.end = o.start + 40;
        o.kernel = n, o.shape = 0;
        p.operations.push_back(o);
    }
    p.operations[1].recording = 0;
    p.recordings.push_back({1, "code-000001.wgt"});
    ASSERT_TRUE(program::writeProgram(p, folder / "program.wgt", {}));

    const std::string recording = "'" + folder.string() + "'";
    const Answer list = record("sass " + recording + " --launch 1");
    ASSERT_EQ(list.status, 0) << list.err;
    EXPECT_NE(list.out.find("sm_90, kept in the recording"), std::string::npos) << list.out;
    EXPECT_NE(list.out.find(" 8 registers, 0 bytes of stack a thread, 1028 bytes of shared memory"), std::string::npos);
    EXPECT_EQ(record("sass " + recording + " --launch 0").status, 2) << "of this one nothing was kept";
    const json all = json::parse(record("launches " + recording + " --json").out);
    EXPECT_EQ(all["operations"][1]["recorded"], false);
    EXPECT_EQ(all["operations"][1]["trace"], "code-000001.wgt");
    EXPECT_FALSE(all["operations"][0].contains("trace"));
    EXPECT_EQ(all["kernels"][1]["recorded"], 0);
    EXPECT_NE(record("launches " + recording).out.find("machine code kept"), std::string::npos);
}

TEST(Sass, ReadsWhatTheDisassemblerPrints) {
    const auto texts = warpglass::session::readDisassembly("\t.section\t.text.k,\"ax\",@progbits\n"
                                                           ".text.k:\n"
                                                           "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
                                                           "        /*0010*/               @P0 BRA `(.L_x_1) ;\n"
                                                           ".L_x_1:\n"
                                                           "        /*0020*/                   EXIT ;\n"
                                                           ".text.m:\n"
                                                           "        /*0000*/                   NOP;\n");
    ASSERT_EQ(texts.size(), 2u);
    EXPECT_EQ(texts.at("k").at(0x10).text, "@P0 BRA `(.L_x_1)");
    EXPECT_EQ(texts.at("k").at(0x10).live, 0u) << "it was not asked";
    EXPECT_EQ(texts.at("k").size(), 3u);
    EXPECT_EQ(texts.at("m").at(0).text, "NOP");
}

// Lines of what nvdisasm 13.0 prints of a sum with -plr (wide), and the same as -lrm count leaves them.
TEST(Sass, ReadsHowManyRegistersAreLive) {
    for (const char* ranges : {"// |  9 v : : v : : : ^   :   |        | 2             : :  |", "// |   9 |   | 2 |"}) {
        const auto texts = warpglass::session::readDisassembly(
            std::string(".text._Z9sumBlocksPfPKf:         // |        |       |     |\n"
                        "        /*0050*/                   LEA R7, R0, R3, 0x8 ;          ") +
            ranges + "\n        /*0060*/                   EXIT ;                   // |        |     |    |\n");
        ASSERT_EQ(texts.size(), 1u) << ranges;
        const auto& sum = texts.at("_Z9sumBlocksPfPKf");
        EXPECT_EQ(sum.at(0x50).text, "LEA R7, R0, R3, 0x8");
        EXPECT_EQ(sum.at(0x50).live, 9u);
        EXPECT_EQ(sum.at(0x60).live, 0u);
    }
}
