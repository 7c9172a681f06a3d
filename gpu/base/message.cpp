// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/message.h"

#include <fmt/format.h>

#include <array>

namespace warpglass {

namespace {

struct Row {
    MessageKind kind;
    std::array<std::string_view, 2> words; // [MessageLanguage]
};
constexpr auto rows = std::to_array<Row>({
#define MESSAGE(id, word, kind, english, chinese) {MessageKind::kind, {english, chinese}},
#include "gpu/base/messages.inl"
#undef MESSAGE
});

const Row& rowOf(MessageId id) {
    const auto n = std::size_t(id);
    return rows[n < rows.size() ? n : 0];
}

std::string said(const Message::Argument& argument, const Saying& saying) {
    if (const auto* number = std::get_if<std::uint64_t>(&argument))
        return saying.number ? saying.number(*number) : std::to_string(*number);
    if (const auto* inner = std::get_if<std::vector<Message>>(&argument))
        return inner->empty() ? std::string() : wholeText(inner->front(), saying);
    return std::get<std::string>(argument);
}

} // namespace

MessageKind Message::kind() const {
    return rowOf(id).kind;
}

Message counted(std::string english, std::uint64_t times) {
    return times > 1 ? message(MessageId::Times, plain(std::move(english)), times) : plain(std::move(english));
}

std::string wholeText(const Message& message, const Saying& saying) {
    const std::string_view words = rowOf(message.id).words[std::size_t(saying.language)];
    if (message.id == MessageId::Plain && !message.arguments.empty() && saying.plainEnglish)
        return saying.plainEnglish(said(message.arguments.front(), saying));
    std::string text;
    bool one = false; // the number before
    for (std::size_t at = 0; at < words.size(); ++at) {
        const char digit = words[at] == '%' && at + 1 < words.size() ? words[at + 1] : '0';
        if (digit >= '1' && digit <= '9') {
            const auto n = std::size_t(digit - '1');
            if (n < message.arguments.size()) {
                const Message::Argument& argument = message.arguments[n];
                if (const auto* number = std::get_if<std::uint64_t>(&argument))
                    one = *number == 1;
                text += said(argument, saying);
            }
            ++at;
            continue;
        }
        const std::size_t end = words[at] == '{' ? words.find('}', at) : std::string_view::npos;
        const std::size_t between = end == std::string_view::npos ? end : words.find('|', at);
        if (between < end) {
            text += one ? words.substr(at + 1, between - at - 1) : words.substr(between + 1, end - between - 1);
            at = end;
            continue;
        }
        text += words[at];
    }
    return text;
}

std::string text(const Message& message, const Saying& saying) {
    return bounded(wholeText(message, saying), saying.language);
}

} // namespace warpglass
