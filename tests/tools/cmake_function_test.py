# SPDX-License-Identifier: GPL-3.0-or-later
"""A project of somebody else's adds a recording to its tests, by find_package() and by include()."""
import json
import os
import shutil

from common import RECORD, SOURCE, equal, needs_nvcc, record, run, scratch

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(sample LANGUAGES CXX CUDA)
{find}
enable_testing()
add_executable(app app.cu)
warpglass_add_recording(app.recorded app ARGS 3 "two words")
warpglass_add_recording(app.one app OUTPUT ${{CMAKE_CURRENT_BINARY_DIR}}/one.wgt LAUNCHES 1-2 KERNEL add ARGS 3 x)
warpglass_add_recording(app.fails app ARGS 1)
warpglass_add_budgets(budgets budgets.toml JUNIT ${{CMAKE_CURRENT_BINARY_DIR}}/budgets.xml)
"""
# 1 warp, which adds to 32 integers side by side: 128 bytes, 4 sectors loaded and as many stored.
BUDGETS = """
[[kernel]]
run = "app.cu --kernel add --block 32 --arg x:i32[32]=0"
same = true
[kernel.budget]
gld_transactions = 4
gst_transactions = 4
"""
APP = """
#include <cstdlib>
#include <cstring>
__global__ void add(int* x) { x[threadIdx.x] += 1; }
int main(int count, char** words) {
    if (count != 3 || std::strlen(words[2]) == 0)
        return 9;
    int* x = nullptr;
    cudaMalloc(&x, 128);
    for (int i = 0; i < std::atoi(words[1]); ++i)
        add<<<1, 32>>>(x);
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""


def launches(file):
    answer = json.loads(record("launches", file, "--json").stdout)
    return answer["command"], [o["recorded"] for o in answer["operations"] if o["kind"] == "launch"]


def build(folder, find, nvcc, options):
    os.makedirs(folder)
    with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
        file.write(PROJECT.format(find=find))
    with open(os.path.join(folder, "app.cu"), "w", encoding="utf-8") as file:
        file.write(APP)
    with open(os.path.join(folder, "budgets.toml"), "w", encoding="utf-8") as file:
        file.write(BUDGETS)
    tree = os.path.join(folder, "build")
    run("cmake", "-S", folder, "-B", tree, f"-DCMAKE_CUDA_COMPILER={nvcc}", "-DCMAKE_CUDA_ARCHITECTURES=75", *options)
    run("cmake", "--build", tree)
    return tree


def main():
    nvcc = needs_nvcc()
    package = os.path.join(SOURCE, "resources", "cmake")
    with scratch() as folder:
        tree = build(os.path.join(folder, "found"), f'find_package(Warpglass REQUIRED PATHS "{package}")', nvcc,
                     [f"-DWARPGLASS_RECORD={RECORD}"])
        run("ctest", "--test-dir", tree, "-R", "app.recorded|app.one", "--no-tests=error")
        equal(launches(os.path.join(tree, "app.recorded", "program.wgt")), ("app 3 two words", [True, False, False]),
              "a folder")
        equal(launches(os.path.join(tree, "one.wgt")), ("app 3 x", [False, True, True]), "one file")
        # The program ends with 9, and so the test fails.
        said = run("ctest", "--test-dir", tree, "-R", "app.fails", expect=8).stdout
        assert "app.fails" in said and "1 tests failed" in said, said
        # Nothing is the same as before until somebody has said what that is.
        run("ctest", "--test-dir", tree, "-R", "^budgets$", expect=8)
        run("cmake", "--build", tree, "--target", "budgets.update")
        run("ctest", "--test-dir", tree, "-R", "^budgets$", "--no-tests=error")
        assert os.path.exists(os.path.join(tree, "budgets.xml"))
        shutil.rmtree(os.path.join(folder, "found"))
        # include(), with the folder that holds the program in the environment alone.
        environment = dict(os.environ, WARPGLASS_ROOT=os.path.dirname(RECORD))
        included = os.path.join(folder, "included")
        os.makedirs(included)
        with open(os.path.join(included, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write("cmake_minimum_required(VERSION 3.25)\nproject(sample LANGUAGES NONE)\n"
                       f'include("{package}/WarpglassConfig.cmake")\nmessage(STATUS "it is ${{WARPGLASS_RECORD}}")\n'
                       "warpglass_add_recording(x nothing)\n")
        said = run("cmake", "-S", included, "-B", os.path.join(included, "build"), expect=1, env=environment)
        assert "there is no target nothing" in said.stderr, said.stderr
        assert "it is " + os.path.dirname(RECORD) in said.stdout, said.stdout


main()
