// SPDX-License-Identifier: GPL-3.0-or-later
// What loader and worker say to each other over a pair of pipes.
//
// Everything is a frame: a letter, eight bytes of length, the payload. A request is one Json frame, followed for "run"
// by one Bytes frame for each argument, further buffer and array with its initial contents. The answer is any number of Progress frames, then one
// Json frame ({"error": {...}} or what was asked for), followed for "run" by one Bytes frame for each argument. A trace
// travels as a file whose path the request names. A worker takes request after request until its input ends; the answer
// to "run" says with "again" whether it can take another, which it cannot after a fault or an error.
#pragma once

#include "gpu/base/result.h"
#include "gpu/launch/backend.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warpglass::cuda {

enum class FrameKind : char { Json = 'J', Bytes = 'B', Progress = 'P' };

struct Frame {
    FrameKind kind = FrameKind::Json;
    std::string payload;
};

// Blocking; false when the other side is gone.
bool writeFrame(int fd, FrameKind kind, const void* data, std::size_t bytes);
std::optional<Frame> readFrame(int fd);

// A plan without its functions: what its buffers hold at first travels beside it.
nlohmann::json toJson(const LaunchPlan& plan);
Result<LaunchPlan> planFromJson(const nlohmann::json& json);
nlohmann::json toJson(const RunOptions& options);
Result<RunOptions> optionsFromJson(const nlohmann::json& json);
nlohmann::json toJson(const Error& error);
Error errorFromJson(const nlohmann::json& json);

// Program and plug-in may come from packages of different versions. Each request and each answer says whose it is, and
// what is not of this version is refused before anything runs.
std::string protocolVersion();
Result<void> sameVersion(const nlohmann::json& message);

// What an argument holds before the launch: a buffer's initial contents or a scalar's bytes. Empty for a buffer of
// zeros, which need not travel.
std::vector<std::byte> initialContents(const Argument& argument);
std::vector<std::byte> initialContents(const TexelArray& array);

} // namespace warpglass::cuda
