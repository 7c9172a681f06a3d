// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory one piece of work may ask for, so that no file, kernel or argument takes the machine down: half of
// what the machine (or the container, or a limit set for the process) has, or what WARPGLASS_MEMORY says: "8G", "512M".
// Whoever is about to allocate what somebody else's numbers ask for compares first, and refuses in a sentence.
#pragma once

#include "gpu/base/result.h"

#include <cstdint>
#include <string>

namespace warpglass {

std::uint64_t memoryLimit();                  // bytes
std::string memoryWords(std::uint64_t bytes); // "1.5 GB", "20 MB"
Error outOfMemory();                          // what to tell where the machine itself had no more to give
// For the first line of main: the first thread's stack grows only while the process has room, and telling that it has
// none (a throw, a message) takes some stack. Other threads get theirs whole.
void takeStack();

} // namespace warpglass
