// SPDX-License-Identifier: GPL-3.0-or-later
// Every function of the toolkit's own libraries is there under its name: it answers, or says that it is not supported.
// Otherwise a program would not even start. Skipped without a toolkit.
#include "run_program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <sstream>

namespace {

std::set<std::string> functionsOf(const std::string& library) {
    const auto list = at("names.txt");
    const std::string command = "nm -D --defined-only '" + library + "' > '" + list.string() + "' 2>/dev/null";
    std::set<std::string> names;
    if (std::system(command.c_str()) != 0)
        return names;
    std::stringstream lines(readFile(list));
    std::string address, kind, name;
    while (lines >> address >> kind >> name)
        if (name.substr(0, name.find('@')).find("cu") < 3 && kind != "A" &&
            !name.starts_with("cudbg")) // debuggers' alone
            names.insert(name.substr(0, name.find('@')));
    return names;
}

std::string toolkit() {
    const auto file = at("nvcc.txt");
    const std::string command =
        "readlink -f \"$(command -v nvcc || echo $CUDA_HOME/bin/nvcc)\" > '" + file.string() + "' 2>/dev/null";
    if (std::system(command.c_str()) != 0)
        return {};
    const std::string nvcc = readFile(file);
    return nvcc.substr(0, nvcc.rfind("/bin/"));
}

// Of a library's functions those that a header names, if one is given: it has private ones, too.
void expectAll(const std::string& library, std::initializer_list<const char*> headers = {}) {
    const std::set<std::string> own = functionsOf(WARPGLASS_BINARY_DIR "/bin/virtual/libwarpglass_virtual.so"),
                                wanted = functionsOf(toolkit() + library);
    if (wanted.empty())
        GTEST_SKIP() << "no toolkit here";
    std::string missing, inHeaders;
    for (const char* header : headers)
        inHeaders += readFile(toolkit() + "/include/" + header);
    for (const std::string& name : wanted)
        if (!own.count(name) && (headers.size() == 0 || inHeaders.find(name + "(") != std::string::npos))
            missing += " " + name;
    EXPECT_EQ(missing, "");
}

} // namespace

TEST(Names, OfTheRuntimeAreAllThere) {
    expectAll("/lib64/libcudart.so");
}

TEST(Names, OfTheDriverAreAllThere) {
    expectAll("/lib64/stubs/libcuda.so");
}

TEST(Names, OfTheLibrariesAreAllThere) {
    expectAll("/lib64/libcublas.so", {"cublas_api.h", "cublas_v2.h"});
    expectAll("/lib64/libcublasLt.so", {"cublasLt.h"});
    expectAll("/lib64/libcufft.so", {"cufft.h", "cufftXt.h"});
    expectAll("/lib64/libcurand.so", {"curand.h"});
}

TEST(Names, OfTheDriverIsThereWithoutItsVersion) {
    const std::filesystem::path folder = WARPGLASS_BINARY_DIR "/bin/virtual";
    EXPECT_TRUE(std::filesystem::equivalent(folder / "libcuda.so", folder / "libcuda.so.1"));
}
