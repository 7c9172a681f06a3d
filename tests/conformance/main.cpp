// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the files of tests/ptx: each on the emulator in both ways to reconverge, and on the GPU if there is one.
//
// The cases are registered when the program starts, one for each file and backend (Emulator.arithmetic/add.sat.s32), so
// that a new file needs no build. Two variables of the environment:
//   WARPGLASS_CONFORMANCE_TABLE=FILE   what came out, a line for each file: form, file, emulator, GPU, first difference
//   WARPGLASS_CONFORMANCE_BLESS=DIR    copies of the files that have the GPU's answers as what must come out
#include "tests/conformance/case.h"

#include "gpu/cuda/cuda_backend.h"
#include "gpu/emulator/emulator.h"
#include "tests/ptx_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <memory>

namespace warpglass::conformance {
namespace {

struct Line {
    std::string form, emulator = "not run", gpu = "not run", difference;
};
using Table = std::map<std::string, Line>; // by name

// Empty if the buffers hold what must come out, else what is wrong.
std::string run(Backend& backend, const Case& c, const RunOptions& options, Buffers& buffers) {
    Progress progress;
    auto recording = backend.run(planOf(c), options, progress);
    if (!recording)
        return recording.error().text();
    if (recording->fault)
        return recording->fault->text();
    buffers = std::move(recording->buffers);
    if (const std::string wrong = firstDifference(c, buffers).text(); !wrong.empty())
        return wrong;
    // Checks: a file is told of what its head says, and of nothing else.
    for (const Diagnostic& d : recording->trace->diagnostics)
        if (name(d.kind) != c.told)
            return fmt::format("it is told of {}: {}", name(d.kind), d.message.text());
    const bool checked = options.checkRaces; // a GPU says nothing
    return checked && !c.told.empty() && recording->trace->diagnostics.empty() ? "it is not told of " + c.told
                                                                               : std::string();
}

class OnEmulator : public ::testing::Test {
public:
    OnEmulator(const Case& c, Line& line) : m_case(c), m_line(line) {}
    void TestBody() override {
        RunOptions options;
        options.threads = 1;
        options.checkRaces = true;
        for (const Reconvergence way : {Reconvergence::PostDominatorStack, Reconvergence::IndependentThreads}) {
            options.reconvergence = way;
            Buffers buffers;
            const std::string wrong = run(*makeEmulator(), m_case, options, buffers);
            if (m_line.emulator != "differs")
                m_line.emulator = wrong.empty() ? "equal" : "differs";
            if (!wrong.empty() && m_line.difference.empty())
                m_line.difference = "emulator: " + wrong;
            EXPECT_EQ(wrong, "") << m_case.file.string() << " (" << name(way) << ")";
        }
    }

private:
    const Case& m_case;
    Line& m_line;
};

class OnGpu : public ::testing::Test {
public:
    OnGpu(const Case& c, Line& line, Backend& backend, std::string blessed)
        : m_case(c), m_line(line), m_backend(backend), m_blessed(std::move(blessed)) {}
    void TestBody() override {
        RunOptions options;
        options.device = "0";
        options.detail.kind = Detail::Kind::None;
        options.maxEvents = 0;
        options.counters = false;
        options.timeLimitSeconds = 10;
        Buffers buffers;
        const std::string wrong = run(m_backend, m_case, options, buffers);
        m_line.gpu = wrong.empty() ? "equal" : "differs";
        if (!wrong.empty())
            m_line.difference += (m_line.difference.empty() ? "GPU: " : "; GPU: ") + wrong;
        if (!m_blessed.empty() && !buffers.empty()) {
            const std::filesystem::path to = std::filesystem::path(m_blessed) / (m_case.name + ".ptx");
            std::filesystem::create_directories(to.parent_path());
            std::ofstream(to) << withAnswers(m_case, buffers, "H200");
        }
        EXPECT_EQ(wrong, "") << m_case.file.string();
    }

private:
    const Case& m_case;
    Line& m_line;
    Backend& m_backend;
    std::string m_blessed;
};

class BadHeader : public ::testing::Test {
public:
    explicit BadHeader(std::string why) : m_why(std::move(why)) {}
    void TestBody() override { FAIL() << m_why; }

private:
    std::string m_why;
};

void write(const Table& table, const std::string& file) {
    std::ofstream out(file);
    out << "form\tfile\temulator\tgpu\tdifference\n";
    for (const auto& [name, line] : table) {
        std::string difference = line.difference;
        for (char& letter : difference)
            if (letter == '\t' || letter == '\n')
                letter = ' ';
        const std::pair<std::string, std::string> places[] = {{std::string(tests::madePtx) + "/", "tests/ptx/"},
                                                              {WARPGLASS_SOURCE_DIR "/", ""}};
        for (const auto& [here, word] : places) // where the run was made is of no account
            for (std::size_t at = difference.find(here); at != std::string::npos; at = difference.find(here, at))
                difference.replace(at, here.size(), word);
        out << fmt::format("{}\t{}\t{}\t{}\t{}\n", line.form, name, line.emulator, line.gpu, difference);
    }
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// Which way the GPU goes for this file: "" if it runs, else why not.
std::string notOnGpu(const Case& c, const std::string& noGpu) {
    if (!noGpu.empty())
        return "no GPU";
    if (!c.target.empty())
        return "needs " + c.target;
    return c.skipHardware.empty() ? "" : "left open: " + c.skipHardware;
}

} // namespace
} // namespace warpglass::conformance

int main(int argc, char** argv) {
    using namespace warpglass;
    using namespace warpglass::conformance;
    testing::InitGoogleTest(&argc, argv);
    const std::unique_ptr<Backend> gpu = loadCudaBackend();
    const auto available = gpu->available();
    const std::string noGpu = available ? "" : available.error().text();
    const std::string blessed = variable("WARPGLASS_CONFORMANCE_BLESS");
    std::map<std::string, Case> cases;
    Table table;
    for (const auto& [name, file] : allCases()) {
        auto read = readCase(readFile(file), name, file);
        if (!read) {
            testing::RegisterTest("Emulator", name.c_str(), nullptr, nullptr, file.c_str(), 1,
                                  [why = read.error().text()]() -> testing::Test* { return new BadHeader(why); });
            continue;
        }
        const Case& c = cases.emplace(name, std::move(*read)).first->second;
        Line& line = table[name];
        line.form = c.form;
        line.gpu = notOnGpu(c, noGpu);
        testing::RegisterTest("Emulator", name.c_str(), nullptr, nullptr, file.c_str(), 1,
                              [&]() -> testing::Test* { return new OnEmulator(c, line); });
        if (line.gpu.empty())
            testing::RegisterTest("Gpu", name.c_str(), nullptr, nullptr, file.c_str(), 1,
                                  [&]() -> testing::Test* { return new OnGpu(c, line, *gpu, blessed); });
    }
    if (!noGpu.empty())
        fmt::print("No case runs on a GPU: {}\n", noGpu);
    const int status = RUN_ALL_TESTS();
    if (const std::string file = variable("WARPGLASS_CONFORMANCE_TABLE"); !file.empty())
        write(table, file);
    return status;
}
