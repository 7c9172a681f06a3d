// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <unistd.h>

#include <sys/wait.h>

namespace fs = std::filesystem;

std::string readFile(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void writeFile(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

fs::path scratch(const std::string& file) {
    const fs::path folder = fs::path(testing::TempDir()) / ("warpglass-record-" + std::to_string(getpid()));
    fs::create_directories(folder);
    return folder / file;
}

Answer record(const std::string& arguments, const std::string& before) {
    const fs::path out = scratch("out.txt"), err = scratch("err.txt");
    const std::string command = before + " '" WARPGLASS_BINARY_DIR "/bin/warpglass-record' " + arguments + " > '" +
                                out.string() + "' 2> '" + err.string() + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, readFile(out), readFile(err)};
}

namespace {

class Cleanup : public testing::Environment {
    void TearDown() override { fs::remove_all(scratch("").parent_path()); }
};
const auto* const cleanup = testing::AddGlobalTestEnvironment(new Cleanup);

} // namespace
