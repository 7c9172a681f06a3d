// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/catalogue.h"
#include "gpu/base/message_json.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace warpglass {

Said::Said(Message message) {
    m_text = wholeText(message);
    if (message.id != MessageId::Plain)
        m_message = std::move(message);
}

Said Said::of(std::string text, std::string_view code) {
    constexpr std::size_t longest = 1 << 16;
    if (!code.empty() && code.size() <= longest)
        if (const auto known = messageOf(nlohmann::json::parse(code, nullptr, false));
            known && known->id != MessageId::Plain)
            return *known;
    return Said(std::move(text));
}

std::string Said::code() const {
    return isTyped() ? toJson(m_message).dump() : std::string();
}

std::ostream& operator<<(std::ostream& out, const Said& said) {
    return out << said.text();
}

} // namespace warpglass
