// SPDX-License-Identifier: GPL-3.0-or-later
// `expect` as a job of continuous integration uses it: exit status, the file that it keeps, and what it says is worse, where.
#include "program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace {

namespace fs = std::filesystem;

// scale.ptx in blocks of 64, two of them, over 128 elements: 4 warps. A warp runs 20 instructions (10 up to the branch, 9
// under it, ret): 80. Its load and its store touch 32 * 4 = 128 bytes each: 4 sectors, 16 of all warps.
const char* const scaleRun = "run = \"scale.ptx --grid 2 --block 64 --arg in:i32[1024]=iota --arg out:f32[128]=0 "
                             "--arg n:u32=128 --arg step:f32=2\"\n";

std::string budgetedScale() {
    return readFile(fs::path(WARPGLASS_SOURCE_DIR) / "tests/record/scale.ptx");
}

// Each thread loads from 32 bytes further on: a sector a lane, 32 * 4 = 128. One instruction for another, so that
// nothing else changes.
std::string worseScale() {
    std::string text = budgetedScale();
    const std::string line = "add.s64 %rd6, %rd3, %rd5;";
    return text.replace(text.find(line), line.size(), "mad.wide.u32 %rd6, %r5, 32, %rd3;");
}

class Expect : public testing::Test {
protected:
    void SetUp() override {
        m_folder = scratch("expect");
        fs::create_directories(m_folder);
        write("scale.ptx", budgetedScale());
    }
    void TearDown() override { fs::remove_all(m_folder); }
    void write(const std::string& name, const std::string& text) const { writeFile(m_folder / name, text); }
    std::string read(const std::string& name) const { return readFile(m_folder / name); }
    std::string path(const std::string& name) const { return quoted(m_folder / name); }
    // As started in the folder.
    Answer expect(const std::string& options = {}) const {
        return record("expect budgets.toml " + options, "cd " + quoted(m_folder) + "&&");
    }
    void spec(const std::string& rest) const { write("budgets.toml", "[[kernel]]\n" + std::string(scaleRun) + rest); }

    fs::path m_folder;
};

const nlohmann::json* budgetOf(const nlohmann::json& all, const std::string& key) {
    for (const auto& row : all["budgets"])
        if (row["key"] == key)
            return &row;
    return nullptr;
}

} // namespace

TEST_F(Expect, numbersAreHeldToTheirBudgets) {
    spec("[kernel.budget]\ninst_executed = 80\ngld_transactions = \"<= 16\"\n\"sectors[ptx 36]\" = 16\n"
         "warp_execution_efficiency = \">= 100\"\ngst_transactions = \"15 .. 17\"\nbranch = \"4 +- 1\"\n"
         "divergent_branch = \"none\"\ncheck = \"none\"\n");
    const Answer kept = expect("--json");
    ASSERT_EQ(kept.status, 0) << kept.err << kept.out;
    EXPECT_EQ(kept.json()["counts"]["kept"], 8);
    EXPECT_EQ(kept.json()["spec"], "budgets.toml");

    write("scale.ptx", worseScale());
    const Answer broken = expect("--json");
    EXPECT_EQ(broken.status, 1) << broken.err;
    EXPECT_EQ(broken.json()["counts"]["broken"], 1) << broken.out;
    const nlohmann::json all = broken.json();
    ASSERT_NE(budgetOf(all, "gld_transactions"), nullptr);
    const nlohmann::json row = *budgetOf(all, "gld_transactions");
    EXPECT_EQ(row["found"], "128");
    EXPECT_EQ(row["file"], "scale.ptx");
    EXPECT_EQ(row["line"], 33); // which has most of them: nothing was kept from before
}

TEST_F(Expect, theSameAsBeforeToTheLastSector) {
    spec("same = true # one word\n[kernel.budget]\ngld_transactions = 15  # to be written anew\n");
    const std::string written = read("budgets.toml");
    EXPECT_EQ(expect().status, 1); // nothing is known from before
    const Answer updated = expect("--update");
    EXPECT_EQ(updated.status, 0) << updated.err << updated.out;
    std::string wanted = written;
    wanted.replace(wanted.find("= 15"), 4, "= 16");
    EXPECT_TRUE(read("budgets.toml").starts_with(wanted)) << read("budgets.toml");
    EXPECT_EQ(expect().status, 0);
    const std::string locked = read("budgets.toml");
    EXPECT_EQ(expect("--update").status, 0);
    EXPECT_EQ(read("budgets.toml"), locked); // nothing has changed

    // A line more above is no change; a line made worse is one, and is told with what it had.
    write("scale.ptx", "// one more line\n" + budgetedScale());
    EXPECT_EQ(expect().status, 0) << expect().out;
    write("scale.ptx", "// one more line\n" + worseScale());
    const Answer worse = expect("--junit out.xml --sarif out.sarif --markdown out.md --keep kept");
    EXPECT_EQ(worse.status, 1);
    EXPECT_NE(worse.out.find("line 34: 128 sectors, 16 before:  ld.global.s32 %r6, [%rd6];"), std::string::npos)
        << worse.out;
    EXPECT_NE(worse.out.find("scale.ptx:34\n"), std::string::npos) << worse.out;

    const nlohmann::json sarif = nlohmann::json::parse(read("out.sarif"));
    EXPECT_EQ(sarif["version"], "2.1.0");
    const auto& result = sarif["runs"][0]["results"][0];
    EXPECT_EQ(result["ruleId"], "same");
    EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "scale.ptx");
    EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 34);
    EXPECT_NE(read("out.xml").find("tests=\"2\" failures=\"2\""), std::string::npos) << read("out.xml");
    EXPECT_NE(read("out.xml").find("file=\"scale.ptx\" line=\"34\""), std::string::npos);
    EXPECT_NE(read("out.md").find("| 34 | 16 | 128 | ld.global"), std::string::npos) << read("out.md");
    EXPECT_NE(read("out.md").find("[\"34 before\", \"34 today\"]\n  y-axis \"sectors\" 0 --> 128\n  bar [16, 128]"),
              std::string::npos);
    EXPECT_TRUE(fs::exists(m_folder / "kept/scale.wgt"));

    // Back again is better than what would be kept now, which is another number, too; unless that is allowed.
    ASSERT_EQ(expect("--update").status, 0);
    write("scale.ptx", budgetedScale());
    const Answer better = expect();
    EXPECT_EQ(better.status, 1);
    EXPECT_NE(better.out.find("it is better"), std::string::npos) << better.out;
    std::string text = read("budgets.toml");
    text.replace(text.find("same = true"), 11, "same = \"or better\"");
    text.replace(text.find("= 128 "), 5, "= 16 "); // of the budget
    write("budgets.toml", text);
    EXPECT_EQ(expect().status, 0) << expect().out;
}

TEST_F(Expect, aTimeIsJudgedOnlyBeyondTheModelsError) {
    const std::string timed = std::string(scaleRun).replace(std::string(scaleRun).rfind('"'), 1, " --timing\"");
    const Answer run = record("run scale.ptx --grid 2 --block 64 --arg in:i32[1024]=iota --arg out:f32[128]=0 "
                              "--arg n:u32=128 --arg step:f32=2 --timing --json",
                              "cd " + quoted(m_folder) + "&&");
    const double ns = run.json()["metrics"]["duration_ns"]["value"];
    ASSERT_GT(ns, 0);
    const auto state = [&](double times) {
        write("budgets.toml",
              "[[kernel]]\n" + timed + "[kernel.budget]\ntime = \"<= " + std::to_string(times * ns / 1e3) + " us\"\n");
        const Answer answer = expect("--json");
        EXPECT_EQ(answer.status, times < 0.2 ? 1 : 0) << answer.err << answer.out;
        const nlohmann::json all = answer.json();
        const auto* time = budgetOf(all, "time");
        return time ? (*time)["state"].get<std::string>() : answer.err;
    };
    EXPECT_EQ(state(10), "kept");
    EXPECT_EQ(state(1.001), "close"); // within any error
    EXPECT_EQ(state(0.999), "close");
    EXPECT_EQ(state(0.1), "broken");
}

TEST_F(Expect, whatDoesNotRunIsBroken) {
    spec("same = true\n");
    ASSERT_EQ(expect("--update").status, 0);
    const std::string kept = read("budgets.toml");
    std::string text = budgetedScale();
    write("scale.ptx", text.replace(text.find("mul.f32"), 7, "mulx.f32"));
    const Answer broken = expect("--json");
    EXPECT_EQ(broken.status, 1) << broken.err;
    const nlohmann::json all = broken.json();
    ASSERT_NE(budgetOf(all, "run"), nullptr) << broken.out;
    EXPECT_EQ((*budgetOf(all, "run"))["line"], 35);
    EXPECT_EQ(expect("--update").status, 1);
    EXPECT_EQ(read("budgets.toml"), kept); // what it was is not forgotten
    // Out of its buffer.
    text = budgetedScale();
    write("scale.ptx", text.replace(text.find("[%rd7]"), 6, "[%rd7+4096]"));
    EXPECT_EQ(expect().status, 1);
}

TEST_F(Expect, whatIsWrongWithTheFileIsToldWithItsLine) {
    const auto refused = [&](const std::string& text, const std::string& line, const std::string& why) {
        write("budgets.toml", text);
        const Answer answer = expect();
        EXPECT_EQ(answer.status, 2) << text << answer.out;
        EXPECT_NE(answer.err.find("budgets.toml:" + line), std::string::npos) << answer.err;
        EXPECT_NE(answer.err.find(why), std::string::npos) << answer.err;
    };
    const std::string head = "[[kernel]]\n" + std::string(scaleRun);
    refused("[[kernel]\n", "1", "");
    refused("", "1", "nothing is to be run");
    refused("[[kernel]]\nsame = true\n", "1", "nothing says what is run");
    refused(head + "budgets = 1\n", "3", "\"budgets\"");
    refused(head + "same = \"yes\"\n", "3", "or better");
    refused(head + "[kernel.budget]\nsector = 1\n", "4", "\"sector\" is no number of a launch");
    refused(head + "[kernel.budget]\nbranch = \"< 3\"\n", "4", "Write <= or >=");
    refused(head + "[kernel.budget]\nbranch = \"<= 3 us\"\n", "4", "is no number");
    refused(head + "[kernel.budget]\nbranch = \"7 .. 3\"\n", "4", "leaves no number");
    refused(head + "[[kernel]]\n" + scaleRun, "3", "two called \"scale\"");
    refused("[[kernel]]\nrun = \"scale.ptx --grib 2\"\n", "1", "--grib");
    refused("[[kernel]]\nrun = \"scale.ptx 'open\"\n", "2", "is not closed");
    refused("a = " + std::string(100'000, '[') + "\n", "1", "");
    std::string deep = "a";
    for (int n = 0; n < 100'000; ++n)
        deep += ".a";
    refused("# '\n" + deep + " = 1\n", "2", "more parts");
    refused("x = [\"\"\"\nit's \"\"\"\"\", {" + deep + " = 1}] # '\n", "2", "more parts");
    EXPECT_EQ(record("expect nowhere.toml").status, 2);
    // Dots of strings are none of keys.
    write("budgets.toml", head + "name = \"" + std::string(1000, '.') + "\"\n");
    EXPECT_EQ(expect().status, 0);
}

// Of a whole program: a kernel of the catalogue needs no file, and a program that is none is told.
TEST_F(Expect, catalogueAndPrograms) {
    write("budgets.toml", "[[kernel]]\nname = \"sum\"\nrun = \"reduceNeighbored --size 1024 --block 128\"\n"
                          "[kernel.budget]\ncheck = \"ok\"\nlaunches = 1\n"
                          "[[program]]\nname = \"hello\"\nrun = \"-- /bin/true\"\n[program.budget]\nlaunches = 0\n");
    const Answer answer = expect("--json");
    EXPECT_EQ(answer.status, 0) << answer.err << answer.out;
    EXPECT_EQ(answer.json()["counts"]["kept"], 4); // and the program's status
    const Answer only = expect("--only sum --json");
    EXPECT_EQ(only.json()["counts"]["kept"], 2) << only.out;
    EXPECT_EQ(expect("--only nobody").status, 2);
    write("budgets.toml", "[[program]]\nrun = \"-- /bin/false\"\n");
    EXPECT_EQ(expect().status, 1);
}

// One warp copies 32 integers: 128 bytes, 4 sectors. From places 32 bytes apart each lane has a sector of its own: 32.
TEST_F(Expect, launchesOfAProgram) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a program without the sanitizer cannot take a library with it";
#endif
    if (std::system("command -v nvcc >/dev/null || test -x \"$CUDA_HOME/bin/nvcc\"") != 0)
        GTEST_SKIP() << "nvcc is not on PATH";
    const std::string text =
        "__global__ void copy(int* out, const int* in) {\n    out[threadIdx.x] = in[threadIdx.x];\n}\n"
        "int main() {\n    int *a = nullptr, *b = nullptr;\n    cudaMalloc(&a, 1024);\n"
        "    cudaMalloc(&b, 1024);\n    cudaMemset(a, 0, 1024);\n    copy<<<1, 32>>>(b, a);\n"
        "    copy<<<1, 32>>>(b, a);\n    return cudaDeviceSynchronize() != cudaSuccess;\n}\n";
    write("app.cu", text);
    write("budgets.toml", "[[program]]\nrun = \"app.cu\"\nsame = true\n[program.budget]\nlaunches = 2\nkernels = 1\n"
                          "[[program.launch]]\nkernel = \"copy\"\n[program.launch.budget]\ngld_transactions = 4\n");
    ASSERT_EQ(expect("--update").status, 0);
    const Answer same = expect("--json");
    EXPECT_EQ(same.status, 0) << same.err << same.out;
    EXPECT_EQ(same.json()["counts"]["kept"], 6)
        << same.out; // the program: same, launches, kernels, status; its launch: two
    std::string worse = text;
    worse.replace(worse.find("in[threadIdx.x]"), 15, "in[threadIdx.x * 8]");
    write("app.cu", worse);
    const Answer broken = expect("--json");
    EXPECT_EQ(broken.status, 1);
    const nlohmann::json all = broken.json();
    ASSERT_NE(budgetOf(all, "gld_transactions"), nullptr) << broken.out;
    const nlohmann::json& row = *budgetOf(all, "gld_transactions");
    EXPECT_EQ(row["launch"], "app/copy");
    EXPECT_EQ(row["file"], "app.cu");
    EXPECT_EQ(row["line"], 2);
    EXPECT_EQ(row["changes"][0]["before"], 8); // what the line loads and stores
    EXPECT_EQ(row["changes"][0]["now"], 36);
}
