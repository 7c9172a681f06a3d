// SPDX-License-Identifier: GPL-3.0-or-later
// What `launches` says of NCCL's collectives.
#pragma once

#include "gpu/program/program.h"

#include <nlohmann/json.hpp>

#include <string>

namespace warpglass::record {

// Each with its ranks, who came last, and the rate. Empty: the program asked for none. unit: ns of the times' one.
std::string collectivesText(const program::ProgramTrace& program, double unit, const char* unitName);
nlohmann::json collectivesJson(const program::ProgramTrace& program);

} // namespace warpglass::record
