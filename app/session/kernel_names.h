// SPDX-License-Identifier: GPL-3.0-or-later
// What a person calls a kernel, and what the compiler does: "scale<float, 128>" and
// "_Z5scaleIfLi128EEvPT_PKS0_i". A person may write the plain name, the instance, the signature, or the mangled name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpglass::session {

// A name of a module, taken apart. A name that is not mangled has only itself as plain name.
struct KernelName {
    std::string mangled;
    std::string plain;                   // "demo::scale"
    std::string templateArguments;       // "<float, 128>", or empty
    std::vector<std::string> parameters; // "float*", "float const*", "int"; empty where the name does not tell
    bool hasParameters = false;          // the name tells of parameters (there may be none)

    std::string instance() const { return plain + templateArguments; }
    std::string signature() const; // "demo::scale<float, 128>(float*, float const*, int)"
};
KernelName kernelName(const std::string& mangled);

// How closely a person's words name this kernel: 0 not at all, 1 its plain name (with or without namespaces), 2 also
// its template arguments, 3 its signature or its mangled name. Blanks do not matter, nor does the u of 128u.
int matches(const KernelName& name, std::string_view wanted);

// "scale<float, 128>(float*)" -> "scale<float, 128>": what has to be instantiated for it; empty if it names no
// instance.
std::string instanceIn(std::string_view wanted);

} // namespace warpglass::session
