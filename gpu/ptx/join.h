// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"
#include "gpu/ptx/debug_info.h"
#include "gpu/ptx/module.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpglass::ptx {

// Several modules as one, as a device linker joins the files of a program that was compiled for that (-rdc): a
// declaration goes where another module defines the name; of weak definitions the first stays; what a module keeps to
// itself and another has too gets a new name. The text is all texts, one after the other, and every line counts in it.
// Error: a name that two modules define for all.
Result<Module> join(std::vector<Module> modules);
// The same of their texts; name: of all, for errors.
Result<Module> parseTogether(std::vector<std::string> texts, const std::string& name);
// The same of the text of a module that was joined, or of one file's.
Result<Module> parseJoined(std::string_view text, const std::string& name);
// The variables of a module that parseJoined() made of that text.
DebugInfo debugInfo(const Module& module, std::string_view text);

} // namespace warpglass::ptx
