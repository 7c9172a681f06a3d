// SPDX-License-Identifier: GPL-3.0-or-later
// Messages in files and between processes: {"id": "freed-twice", "arguments": ["memory at 0x10", 4]}.
#pragma once

#include "gpu/base/message.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace warpglass {

nlohmann::json toJson(const Message& message);
// Nothing if it is none that the catalogue has, with as many arguments as its text asks for: who wrote it may be newer,
// damaged or a stranger.
std::optional<Message> messageOf(const nlohmann::json& json);

} // namespace warpglass
