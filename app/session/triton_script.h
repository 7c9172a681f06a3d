// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace warpglass::session {

std::string_view tritonScript(); // resources/python/compile_triton.py, built in
std::string_view tritonReader(); // and read_triton.py

} // namespace warpglass::session
