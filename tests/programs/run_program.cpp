// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

const fs::path sourceFolder = fs::path(WARPGLASS_SOURCE_DIR) / "tests/programs/sources";

class Cleanup : public testing::Environment {
    void TearDown() override { fs::remove_all(at("").parent_path()); }
};
const auto* const cleanup = testing::AddGlobalTestEnvironment(new Cleanup);

std::string quoted(const fs::path& path) {
    return "'" + path.string() + "'";
}

ProgramAnswer shell(const std::string& command) {
    const fs::path out = at("out.txt"), err = at("err.txt");
    const int status = std::system((command + " > " + quoted(out) + " 2> " + quoted(err)).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, readFile(out), readFile(err)};
}

} // namespace

std::string readFile(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

fs::path at(const std::string& name) {
    const fs::path folder = fs::path(testing::TempDir()) / ("warpglass-programs-" + std::to_string(getpid()));
    fs::create_directories(folder);
    return folder / name;
}

ProgramAnswer recorder(const std::string& words) {
    return shell("'" WARPGLASS_BINARY_DIR "/bin/warpglass-record' " + words);
}

ProgramAnswer runSources(const std::string& sources, const std::string& name, const std::string& more) {
    std::string files;
    std::stringstream list(sources);
    for (std::string file; list >> file;)
        files += quoted(sourceFolder / file) + " ";
    return recorder("program " + files + " -o " + quoted(at(name)) + " " + more);
}

fs::path built(const std::string& sources, const std::string& words, bool shared) {
    const fs::path program =
        at(fs::path(sources.substr(0, sources.find(' '))).stem().string() + (shared ? "" : "-static"));
    if (!fs::exists(program)) {
        std::string files;
        std::stringstream list(sources);
        for (std::string file; list >> file;)
            files += quoted(sourceFolder / file) + " ";
        const ProgramAnswer answer = shell(std::string("\"$(command -v nvcc || echo $CUDA_HOME/bin/nvcc)\" -cudart ") +
                                           (shared ? "shared" : "static") + " -lineinfo -arch=sm_90 " + words + " -o " +
                                           quoted(program) + " " + files);
        EXPECT_EQ(answer.status, 0) << answer.err;
    }
    return program;
}

ProgramAnswer plainly(const fs::path& program, const std::string& words) {
    return shell(quoted(program) + " " + words);
}

nlohmann::json listing(const std::string& name) {
    const ProgramAnswer answer = recorder("launches --json " + quoted(at(name)));
    EXPECT_EQ(answer.status, 0) << answer.err;
    return nlohmann::json::parse(answer.out, nullptr, false);
}

bool hasCompiler() {
#ifdef WARPGLASS_WITHOUT_PROGRAMS
    return false;
#else
    return std::system("command -v nvcc >/dev/null || test -x \"$CUDA_HOME/bin/nvcc\"") == 0;
#endif
}
