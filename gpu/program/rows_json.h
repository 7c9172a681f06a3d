// SPDX-License-Identifier: GPL-3.0-or-later
// The small tables of a program as JSON, in the journal and in the file.
#pragma once

#include "gpu/program/program.h"

#include <nlohmann/json.hpp>

namespace warpglass::program {

nlohmann::json toJson(const ProgramInfo& info);
nlohmann::json toJson(const ProgramKernel& kernel);
nlohmann::json toJson(const ProgramStream& stream);
nlohmann::json toJson(const ProgramRecording& recording);
nlohmann::json toJson(const ProgramMessage& message);
nlohmann::json toJson(const ProgramGraph& graph);

// Missing and wrong members keep their defaults: what is damaged is still shown.
void fromJson(const nlohmann::json& json, ProgramInfo& info);
void fromJson(const nlohmann::json& json, ProgramKernel& kernel);
void fromJson(const nlohmann::json& json, ProgramStream& stream);
void fromJson(const nlohmann::json& json, ProgramRecording& recording);
void fromJson(const nlohmann::json& json, ProgramMessage& message);
void fromJson(const nlohmann::json& json, ProgramGraph& graph);

} // namespace warpglass::program
