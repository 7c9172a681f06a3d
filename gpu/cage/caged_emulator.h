// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/cage: the emulator in a process of its own that can read nothing but what it is handed, write nothing but its
// answer, and start nothing; for kernels that came in a file, whoever wrote it.
//
// The program warpglass-cage has the emulator in it and nothing else of ours: no exercise, no expected result, no file
// of a user's. It closes itself off (walls.h), and only then hears a plan and options (packing.h) on the line that it
// has (line.h), runs the plan, and answers with a recording on the same line, which is copied into this process and
// trusted no more than a file of a stranger's (answer.h). The progress lies in a page that both see.
#pragma once

#include "gpu/cage/walls.h"
#include "gpu/launch/backend.h"

#include <filesystem>
#include <memory>

namespace warpglass {

// Whether an Error is no word about the kernel: the emulator or the cage itself has failed.
bool isOfTheCage(const Error& error);

// program: another one than warpglass-cage beside this program.
std::unique_ptr<Backend> makeCagedEmulator(const cage::Limits& limits = {}, const std::filesystem::path& program = {});

} // namespace warpglass
