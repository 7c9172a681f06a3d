// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace warpglass::record {

std::string_view jsonSchema(); // resources/schema/warpglass.schema.json, built in

} // namespace warpglass::record
