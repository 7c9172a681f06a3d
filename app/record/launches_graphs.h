// SPDX-License-Identifier: GPL-3.0-or-later
// What `launches` says of graphs.
#pragma once

#include "gpu/program/program.h"

#include <nlohmann/json.hpp>

#include <string>

namespace warpglass::record {

// Of each graph its nodes, whom they wait for, and its launches. Empty: the program launched none. unit: ns of the times'
// one.
std::string graphsText(const program::ProgramTrace& program, double unit, const char* unitName);
nlohmann::json graphsJson(const program::ProgramTrace& program);
// Of an operation that is a node's work: graph, launch, node; null of another.
nlohmann::json stepJson(const program::ProgramTrace& program, std::uint32_t operation);
std::string stepText(const program::ProgramTrace& program, std::uint32_t operation); // "graph 0, launch 1, node 2"

} // namespace warpglass::record
