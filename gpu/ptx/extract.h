// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/module.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace warpglass::ptx {

// The part of a module that an entry needs: the entry, what it calls or names, what those name, and the variables
// among them. Text, places and files stay whole, so that lines and places mean what they meant. All of the module if it
// has no such function.
Module extract(const Module& module, std::string_view entry);

// Where variables of global memory already are: [name] address.
using Addresses = std::map<std::string, std::uint64_t>;

// Makes the code use variables of .global that lie elsewhere, where another module of the same context has them: their
// definitions go, and every use of a name becomes its address. Initial values of other variables that hold such an
// address hold it afterwards, too.
void bindVariables(Module& module, const Addresses& addresses);

} // namespace warpglass::ptx
