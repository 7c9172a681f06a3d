// SPDX-License-Identifier: GPL-3.0-or-later
// What profilers' files have in common: kernels named with their parameters, and numbers of streams.
#pragma once

#include "gpu/program/program.h"

#include <string>

namespace warpglass::profilers {

// "void ns::scale<float, (int)4>(float *, int)" -> "ns::scale<float, (int)4>"; without parameters it stays as it is.
std::string nameOf(const std::string& signature);
// Of what the profilers write: 7 is the stream that nobody made.
std::string streamName(std::uint32_t number);

// The row of the program's table, a new one if it has none yet.
std::uint32_t kernelRow(program::ProgramTrace& program, const std::string& signature);
std::uint32_t shapeRow(program::ProgramTrace& program, const program::RecordedShape& shape);

} // namespace warpglass::profilers
