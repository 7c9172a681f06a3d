// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/module.h"

#include <map>
#include <string>

namespace warpglass::ptx {

// The strings of .debug_str: byLabel["$L__info_string0"] = "_Z3fooi" and back (the first label of a string).
struct DebugStrings {
    std::map<std::string, std::string, std::less<>> byLabel, labelOf;
};
DebugStrings debugStrings(const Module& module);

} // namespace warpglass::ptx
