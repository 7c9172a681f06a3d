// SPDX-License-Identifier: GPL-3.0-or-later
// A compiler or another program run as a child, bounded: source code of a stranger may include /dev/zero, include
// itself or compute for ever while it compiles.
#pragma once

#include "gpu/cage/walls.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace warpglass::session {

struct ChildLimits {
    std::uint64_t memoryBytes = std::uint64_t(8) << 30; // of address space, each process
    std::uint64_t fileBytes = std::uint64_t(1) << 30;   // that it may write
    std::uint32_t cpuSeconds = 120;                     // of computing, each process
    std::uint32_t wallSeconds = 300;                    // for the child as a whole
};

struct ChildEnd {
    enum class How : std::uint8_t {
        Exited,
        NotStarted,
        OutOfTime,
        Killed, // by a signal: its memory limit, Ctrl-C, a fault of its own
        Cancelled,
    };
    How how = How::Exited;
    int status = 0; // exit status
};

// What files a child may open, and where it finds a folder for its temporary ones.
struct ChildFiles {
    cage::FileRules rules;
    std::filesystem::path temporary;
};

// Where a child stands, and what it leaves there.
struct ChildPlace {
    std::filesystem::path output;                 // what it prints
    std::filesystem::path errors;                 // on standard error; empty: into the same file
    std::filesystem::path folder;                 // that it starts in; empty: this program's
    const std::atomic<bool>* cancelled = nullptr; // becomes true: the child is ended
};

// Runs words[0] (a path) with the other words as they are: no shell comes between.
// files: nothing: all that this user may open.
ChildEnd runChild(const std::vector<std::string>& words, const ChildPlace& place, const ChildLimits& limits = {},
                  const ChildFiles* files = nullptr);
// What it prints goes to the file.
inline ChildEnd runChild(const std::vector<std::string>& words, const std::filesystem::path& output,
                         const ChildLimits& limits = {}, const ChildFiles* files = nullptr) {
    return runChild(words, ChildPlace{.output = output, .errors = {}, .folder = {}}, limits, files);
}

// Ends a child outright and all that it has started: a compiler's parts are programs of their own, which would go on without it.
// Whoever started it waits for it then.
void endWithItsOwn(pid_t child);

// In a child after fork, whose parent was `parent`: it gets the signal when that ends in any way, killed outright too.
// What the child becomes by exec keeps it. Does only what a signal handler may.
void endWithParent(pid_t parent, int signal);

} // namespace warpglass::session
