// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/session.h"

namespace warpglass::ptx {
struct Module;
struct Function;
} // namespace warpglass::ptx

namespace warpglass::session {

// A path that ends in .ptx or .cu.
bool isUserFile(const std::string& kernel);

// The file's text: request.text, else what is on the disk.
Result<std::string> textOfFile(const RunRequest& request);
// Its PTX: itself, or what the compiler makes of it with the request's options. Not compiled again where request.compiled holds it.
Result<std::string> ptxOfFile(const RunRequest& request, const std::string& text);
// Bytes of static shared memory that the entry can reach: variables of the module and of its own body.
std::uint32_t staticSharedBytes(const ptx::Module& module, const ptx::Function& entry);

// The plan of a kernel that a user brings: PTX as it is, CUDA source through the compiler. The arguments are held
// against the entry's parameters, one by one. staticShared: bytes of static shared memory, as the PTX declares them.
Result<LaunchPlan> planOfFile(const RunRequest& request, std::uint32_t& staticShared);

} // namespace warpglass::session
