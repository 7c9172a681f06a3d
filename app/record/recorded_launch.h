// SPDX-License-Identifier: GPL-3.0-or-later
// A launch named by the recording that holds it, as the commands are told of it.
#pragma once

#include "app/session/recorded_launch.h"
#include "gpu/program/program.h"

namespace warpglass::record {

using session::baseOf;
using session::isRecording;
using session::openLaunch;
using session::programFileOf;

// What --launch was given; less than 0: nothing.
std::optional<std::uint64_t> chosen(std::int64_t launch);

// What a message of a program says. A line of a terminal has room for twice what a list has.
std::string textOf(const program::ProgramMessage& message);

} // namespace warpglass::record
