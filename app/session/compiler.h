// SPDX-License-Identifier: GPL-3.0-or-later
// nvcc as a process: where it is, a folder to work in, what it gets to see, and what it said as an error.
//
// nvcc hands names to a shell. So it sees no name of a person's: sources as copies under plain names in a folder of ours,
// with #line for the names they have, folders as links there, definitions above the source.
#pragma once

#include "app/session/child_process.h"
#include "app/session/compile.h"
#include "gpu/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace warpglass::session {

// Where a shell looks for programs, in its order.
std::vector<std::filesystem::path> pathFolders();
std::string findCompiler(); // on PATH and below CUDA_HOME and CUDA_PATH; empty if there is none

// nvcc puts its options into command lines of a shell. Error: one that is more than words there.
Result<void> checkOptions(const CompileOptions& options);
// An option that changes the code and nothing else: starts no program, loads no library, writes no file. What stands in
// a file of a stranger may be such an option.
bool changesCodeOnly(const std::string& option);

std::string readAll(const std::filesystem::path& path); // empty if it cannot be read

// The whole text, or an error: half a source would be another one.
Result<void> writeAll(const std::filesystem::path& path, const std::string& text);

// A folder of our own that goes away with its contents.
struct ScratchFolder {
    std::filesystem::path path; // empty: none could be made
    ScratchFolder();
    static Error missing(); // says that none could be made
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
};

// The source with definitions above it and the wanted instance below, each under a name of its own for errors.
Result<std::string> wholeSource(const std::filesystem::path& source, const std::string& text,
                                const CompileOptions& options);
// -I for the folders that the sources lie in, then for those of the options. Error: one that is none.
Result<void> addIncludes(std::vector<std::string>& words, const std::filesystem::path& scratch,
                         const std::vector<std::filesystem::path>& sources, const CompileOptions& options);

// What nvcc said, as one error: the first as message and place, with the line and caret that the compiler shows, then
// the others, each with its place. "k.cu(7): error: identifier "x" is undefined" or "k.cu:7:3: error: ...".
Error compilerError(const std::filesystem::path& source, const std::string& said);
// It failed and said nothing at all, as it does where its temporary files find no room.
Error silentFailure(const std::filesystem::path& source, const std::filesystem::path& scratch);
// It did not start, or did not come to its end.
Error endedBadly(const std::filesystem::path& source, const std::string& compiler, ChildEnd end);

} // namespace warpglass::session
