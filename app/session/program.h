// SPDX-License-Identifier: GPL-3.0-or-later
// A whole program, recorded: built if it comes as source, run as a child, and what it did put into a file. Without a GPU
// it runs with the virtual device under the names of CUDA's libraries (gpu/virtual), with one it runs as it is, and the
// seat looks at its calls of the driver (gpu/seat).
#pragma once

#include "app/session/compile.h"
#include "gpu/base/result.h"
#include "gpu/program/program.h"
#include "gpu/program/settings.h"

#include <filesystem>
#include <string>
#include <vector>

namespace warpglass::session {

struct ProgramRequest {
    BackendKind backend = BackendKind::Emulator;
    std::vector<std::string> sources; // .cu and .cpp files to build; empty: words[0] is the program
    std::vector<std::string> words;   // the program and its arguments, or the arguments alone
    CompileOptions compile;
    std::filesystem::path output; // FILE.wgt, or a folder
    program::Settings settings;
};

struct ProgramEnd {
    int status = 0;             // the program's own exit status; 128 + n: ended by signal n
    std::filesystem::path file; // of all processes that used the device, on one clock; empty: none did
    std::vector<Said> warnings;
};

// Errors: it cannot be built or started, or what it did cannot be written.
Result<ProgramEnd> recordProgram(const ProgramRequest& request);

// Recordings of programs, of several machines say, as one (gpu/program/join.h), with those of their launches. output:
// FILE.wgt, or a folder.
Result<void> mergePrograms(const std::vector<std::filesystem::path>& files, const std::filesystem::path& output);

// Source files of a program as a program: nvcc, for the virtual device with the runtime as a shared library. arch: "sm_90".
Result<std::filesystem::path> buildProgram(const ProgramRequest& request, const std::filesystem::path& folder,
                                           const std::string& arch);

// Why a program cannot run on the virtual device, if its file tells: it carries CUDA's runtime in itself.
Result<void> checkRuntime(const std::filesystem::path& program);

} // namespace warpglass::session
