// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/module.h"

#include <filesystem>
#include <string>
#include <vector>

namespace warpglass::ptx::test {

std::string readFile(const std::filesystem::path& path);
std::vector<std::filesystem::path> corpus(); // the .ptx files of tests/ptx/data, sorted
std::filesystem::path ptxas();               // empty if this machine has none
// Writes the text to a file and asks ptxas; empty if it is content, else what it says. debug: keep what -G asked for.
std::string assemble(const std::string& ptx, bool debug, const std::filesystem::path& cubin);
Module parsed(const std::string& text); // fails the test if it does not parse
// "" if two modules mean the same (everything but text, lines, columns), else the first difference.
std::string difference(const Module& a, const Module& b);

} // namespace warpglass::ptx::test
