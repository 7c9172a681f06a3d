// SPDX-License-Identifier: GPL-3.0-or-later
// What a process may no longer do that is about to read a stranger's bytes. Three walls, each by itself enough for what
// it covers, none of which can be taken down again by the process:
//
//   a filter of system calls (seccomp)  memory, threads and the files that are open: nothing else is answered
//   Landlock                            no file can be opened by a path, but those that are named; no socket
//   limits of the process               address space, processor time, bytes that it may write
#pragma once

#include "gpu/base/message.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpglass::cage {

struct Limits {
    std::uint64_t memoryBytes = 0; // that a run may take, as WARPGLASS_MEMORY says it; 0: memoryLimit()
    std::uint32_t cpuSeconds = 0;  // of the process, all its threads together; 0: none
};

// What this system has of it, in one sentence: what is missing, and what is left. Empty: nothing is missing.
Said missingWalls();
bool hasFilters(); // of system calls

// For a process with one thread, which then has the descriptors that it has, its memory, and threads. False: there is no
// filter, and what Landlock covers is all.
bool closeAllOff();

// Of address space and processor time; no byte of a file behind the first mostSaid, which take what it prints; no dumps of
// memory.
inline constexpr std::uint64_t mostSaid = 1 << 16;
void limitProcess(const Limits& limits);

// Landlock's rules for a program that has to read some files: the folders and files that are named, with all below
// them. Made before a fork; what applies them does only what may be done between fork and exec.
class FileRules {
public:
    FileRules() = default; // no rules
    FileRules(const std::vector<std::filesystem::path>& readable, const std::vector<std::filesystem::path>& writable);
    ~FileRules();
    FileRules(FileRules&& other) noexcept;
    FileRules(const FileRules&) = delete;
    FileRules& operator=(const FileRules&) = delete;
    FileRules& operator=(FileRules&&) = delete;

    void apply() const; // to this process and what it becomes; nothing where there is no Landlock

private:
    int m_rules = -1;
};

// What compilers of CUDA read: themselves, the system's libraries and headers, the toolkit that the program is of, and
// that of CUDA_HOME, CUDA_PATH and the usual place. No home, no folder of data, no settings.
std::vector<std::filesystem::path> toolchainFiles(const std::filesystem::path& compiler = {});

} // namespace warpglass::cage
