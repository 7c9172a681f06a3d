// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace warpglass::session {

std::string_view claimsText(); // resources/claims.json, built in

} // namespace warpglass::session
