// SPDX-License-Identifier: GPL-3.0-or-later
// nvcc as a process: where it is, a folder to work in, and what it said as an error.
#pragma once

#include "app/session/child_process.h"
#include "gpu/base/result.h"

#include <filesystem>
#include <string>

namespace warpglass::session {

std::string findCompiler(); // on PATH and below CUDA_HOME and CUDA_PATH; empty if there is none

std::string readAll(const std::filesystem::path& path); // empty if it cannot be read

// A folder of our own that goes away with its contents.
struct ScratchFolder {
    std::filesystem::path path; // empty: none could be made
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
};

// What nvcc said, as one error: the first as message and place, with the line and caret that the compiler shows, then
// the others, each with its place. "k.cu(7): error: identifier "x" is undefined" or "k.cu:7:3: error: ...".
Error compilerError(const std::filesystem::path& source, const std::string& said);
// It did not start, or did not come to its end.
Error endedBadly(const std::filesystem::path& source, const std::string& compiler, ChildEnd end);

} // namespace warpglass::session
