// SPDX-License-Identifier: GPL-3.0-or-later
// The text that a kernel of a running program was compiled from, for who looks at the recording.
#pragma once

#include "gpu/base/message.h"
#include "gpu/ptx/module.h"

#include <filesystem>
#include <optional>
#include <string>

namespace warpglass::program {

struct KernelSource {
    std::string name;           // of the file, without its folders
    std::string text;           // empty: there is none to be shown
    std::string headers;        // texts that it includes
    std::optional<Message> why; // there is one, but not to be shown
};

// As far as the PTX names it (nvcc -lineinfo) and it is here: a source by its ending, of 4 MiB at most. One that was
// changed after the kernel was compiled is told instead: its lines are others. compiled: when, of a kernel that the program
// compiled itself; without it, of all others, when the program was built.
KernelSource sourceOf(const ptx::Module& module, const std::string& entry,
                      std::optional<std::filesystem::file_time_type> compiled = {});

} // namespace warpglass::program
