// SPDX-License-Identifier: GPL-3.0-or-later
// `rank` as a program that writes kernels uses it.
#include "program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace {

namespace fs = std::filesystem;

class Rank : public testing::Test {
protected:
    void SetUp() override {
        m_folder = scratch("rank");
        fs::create_directories(m_folder);
        m_text = readFile(fs::path(WARPGLASS_SOURCE_DIR) / "tests/record/scale.ptx");
    }
    void TearDown() override { fs::remove_all(m_folder); }
    std::string with(const std::string& line, const std::string& instead) const {
        std::string text = m_text;
        EXPECT_NE(text.find(line), std::string::npos);
        return text.replace(text.find(line), line.size(), instead);
    }
    void write(const std::string& name, const std::string& text) const { writeFile(m_folder / name, text); }
    Answer rank(const std::string& words) const {
        return record("rank " + words + " --json", "cd " + quoted(m_folder) + "&&");
    }

    fs::path m_folder;
    std::string m_text;
};

// 64 blocks of 256 threads, an element each.
const char* const scaleLaunch =
    " --grid 64 --block 256 --arg in:i32[524288]=1 --arg out:f32[16384]=0 --arg n:u32=16384 "
    "--arg step:f32=3";

std::vector<std::string> namesOf(const nlohmann::json& all) {
    std::vector<std::string> names;
    for (const auto& row : all["order"])
        names.push_back(row["name"]);
    return names;
}

} // namespace

TEST_F(Rank, theFastestFirstAndWrongOnesLast) {
    write("first.ptx", m_text);
    // Each lane its own sector, 32 of them a warp where 4 would do; what is loaded is 1 everywhere, so the result is right.
    write("scattered.ptx", with("add.s64 %rd6, %rd3, %rd5;", "mad.wide.u32 %rd6, %r5, 128, %rd3;"));
    write("wrong.ptx", with("mul.f32 %f3, %f2, %f1;", "add.f32 %f3, %f2, %f1;")); // 1 + 3, not 1 * 3
    write("broken.ptx", with("mul.f32", "mulx.f32"));
    write("wild.ptx", with("[%rd7]", "[%rd7+1048576]"));
    const Answer answer = rank(std::string("first.ptx wrong.ptx scattered.ptx broken.ptx wild.ptx") + scaleLaunch);
    ASSERT_EQ(answer.status, 0) << answer.err;
    const nlohmann::json order = answer.json()["order"];
    EXPECT_EQ(namesOf(answer.json()),
              (std::vector<std::string>{"first.ptx", "scattered.ptx", "wrong.ptx", "broken.ptx", "wild.ptx"}))
        << answer.out;
    EXPECT_EQ(order[0]["result"], "ok");
    EXPECT_LT(order[0]["duration_ns"], order[1]["duration_ns"]);
    EXPECT_EQ(order[2]["result"], "wrong");
    EXPECT_EQ(order[2]["why"], "out[0] is 4, and 3 with first.ptx");
    EXPECT_EQ(order[3]["result"], "failed");
    EXPECT_NE(order[3]["why"].get<std::string>().find("broken.ptx:35"), std::string::npos) << order[3]["why"];
    EXPECT_EQ(order[4]["result"], "failed");
    EXPECT_EQ(order[1]["origin"], "modelled");
    EXPECT_GT(order[1]["error_pct"], 0);

    // What `why` says of it is what is said here.
    const Answer why = record("why scattered.ptx --json" + std::string(scaleLaunch), "cd " + quoted(m_folder) + "&&");
    const nlohmann::json most = why.json()["limits"][0];
    EXPECT_EQ(order[1]["limited_by"], most["limit"]) << answer.out;
    EXPECT_NEAR(order[1]["limits"][0]["saved"].get<double>(), most["saved"].get<double>(), 1e-9);
    EXPECT_EQ(order[1]["duration_ns"], why.json()["duration_ns"]);
}

TEST_F(Rank, whatIsWithinTheErrorIsTied) {
    write("a.ptx", m_text);
    write("b.ptx", m_text);
    const Answer answer = rank(std::string("a.ptx b.ptx") + scaleLaunch);
    ASSERT_EQ(answer.status, 0) << answer.err;
    const nlohmann::json order = answer.json()["order"];
    EXPECT_EQ(order[0]["name"], "a.ptx"); // the same time: in the order in which they were given
    EXPECT_EQ(order[0]["tied_with"], (std::vector<std::string>{"b.ptx"}));
    EXPECT_EQ(order[1]["tied_with"], (std::vector<std::string>{"a.ptx"}));
    for (const auto& one : order)
        for (const auto& other : order) {
            const double a = one["duration_ns"], b = other["duration_ns"];
            const double slow = std::max(a, b), fast = std::min(a, b);
            EXPECT_LE(slow, fast * (1 + one["error_pct"].get<double>() / 100));
        }
}

TEST_F(Rank, variantsOfOneFile) {
    write("scale.ptx", m_text);
    const Answer answer =
        rank(std::string("scale.ptx --variant '--block 32 --grid 512' --variant '--block 256'") + scaleLaunch);
    ASSERT_EQ(answer.status, 0) << answer.err;
    std::vector<std::string> names = namesOf(answer.json());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"--block 256", "--block 32 --grid 512"}));
    const auto all = answer.json();
    for (const auto& row : all["order"])
        EXPECT_EQ(row["result"], "ok") << answer.out;
    EXPECT_EQ(rank(std::string("scale.ptx --variant '--blok 32'") + scaleLaunch).status, 2);
    EXPECT_EQ(rank(std::string("scale.ptx --backend cuda") + scaleLaunch).status, 2);
    EXPECT_EQ(rank("nowhere.ptx").status, 1); // none is right
    const Answer catalogue = rank("reduceNeighbored reduceInterleaved --size 65536 --block 128");
    EXPECT_EQ(catalogue.status, 0) << catalogue.err;
    EXPECT_EQ(catalogue.json()["order"][0]["name"], "reduceInterleaved") << catalogue.out;
}

// Through the stand-in for Triton of tests/session/triton, which gives the same code for all configurations.
TEST_F(Rank, configurationsOfTriton) {
    if (std::system("python3 -c '' 2> /dev/null") != 0)
        GTEST_SKIP() << "no Python here";
    const fs::path stand = fs::path(WARPGLASS_SOURCE_DIR) / "tests/session/triton";
    const Answer answer =
        record("rank " + quoted(stand / "add.py") +
                   "--variant '-D num_warps=4' --variant '-D num_warps=8' --grid 3 --arg n:i32=3000 --arg "
                   "x_ptr:f32[3000]=iota --arg y_ptr:f32[3000]=0.5 --arg out_ptr:f32[3000] --json",
               "PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=" + quoted(stand));
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(namesOf(answer.json()), (std::vector<std::string>{"-D num_warps=4", "-D num_warps=8"})) << answer.out;
    EXPECT_EQ(answer.json()["order"][1]["tied_with"], (std::vector<std::string>{"-D num_warps=4"}));
    const Answer none =
        record("rank " + quoted(stand / "add.py") + "--kernel nobody --grid 3", "PYTHONPATH=" + quoted(stand));
    EXPECT_EQ(none.status, 1) << none.out << none.err; // a candidate that failed, and none that is right
}
