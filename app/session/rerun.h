// SPDX-License-Identifier: GPL-3.0-or-later
// More launches of a program recorded in detail, after the program was recorded: it is run again as it was run before,
// with those launches chosen, and their traces go to those that are there. Nothing that was recorded is lost, and the
// times of the list stay those of the first run.
#pragma once

#include "gpu/base/progress.h"
#include "gpu/base/result.h"
#include "gpu/program/program.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace warpglass::session {

struct Rerun {
    std::uint64_t added = 0;
    // Launches that this run has not made, or made of another kernel or in another shape.
    std::vector<std::uint64_t> others;
};

// Whether the recording says how its program is run, and this user has made it: no program is started because a
// stranger's file names it. Else why it cannot be run again.
Result<void> canRerun(const program::ProgramInfo& info);
// What makes it this user's: ProgramOrigin::seal.
std::string sealOf(const program::ProgramInfo& info);

// launches: counted from 0 over the program; those that are recorded already stay as they are. The program runs in a
// process group of its own, with nothing on its standard input; what it prints goes nowhere. progress: by what the first
// run did; cancelling ends the program, and the recording is as it was.
Result<Rerun> recordMore(const std::filesystem::path& file, const std::vector<std::uint64_t>& launches,
                         Progress& progress);

// The words behind `warpglass-record` that do it: of the recorded program, with these launches, into the folder.
std::vector<std::string> rerunWords(const program::ProgramInfo& info, const std::vector<std::uint64_t>& launches,
                                    const std::filesystem::path& output);

} // namespace warpglass::session
