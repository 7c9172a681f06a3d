// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/meaning.h"

#include <algorithm>
#include <variant>

namespace warpglass {

bool holds(const Message& message, MessageId id) {
    return message.id == id || std::any_of(message.arguments.begin(), message.arguments.end(), [&](const auto& a) {
               const auto* const parts = std::get_if<std::vector<Message>>(&a);
               return parts &&
                      std::any_of(parts->begin(), parts->end(), [&](const Message& m) { return holds(m, id); });
           });
}

} // namespace warpglass
