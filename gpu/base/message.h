// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a run: an identifier with arguments, from where it arises to where somebody reads it. The words stand
// once, in both languages, in the catalogue (messages.inl); what decides by a message, an exit status say, asks for its
// kind, never for its words.
#pragma once

#include "gpu/base/enum_words.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warpglass {

enum class MessageLanguage : std::uint8_t { English, Chinese };

// What a message means for whoever ran the program.
enum class MessageKind : std::uint8_t {
    Unknown,    // of an older recording, until its words were looked at
    Part,       // of another message
    Note,       // is undefined, or wrong only where something else is
    Race,       // the result depends on who comes first
    PassedOver, // a fault that was told, and the thread went on without the access
    Fault,      // ended a launch
    Hang,       // a launch that does not end
    Refused,    // a launch that CUDA refuses by its numbers
    NotRun,     // since an earlier launch had failed
    Mistake,    // a call that CUDA refuses with a number
    Leak,
    Unrecorded, // the program did nothing wrong; something of it was not recorded
};
template <>
inline constexpr auto enumWords<MessageKind> = EnumWords("kind of message",
                                                         {"unknown", "part", "note", "race", "passed-over", "fault",
                                                          "hang", "refused", "not-run", "mistake", "leak",
                                                          "unrecorded"});

// Whether it makes a run fail, even if the program ends well: what the program itself is not told. Of a fault or a hang it gets
// CUDA's number, and may expect it.
constexpr bool isFailure(MessageKind kind) {
    return kind == MessageKind::Race || kind == MessageKind::PassedOver;
}

enum class MessageId : std::uint16_t {
#define MESSAGE(id, word, kind, english, chinese) id,
#include "gpu/base/messages.inl"
#undef MESSAGE
};
template <>
inline constexpr auto enumWords<MessageId> = EnumWords("message", {
#define MESSAGE(id, word, kind, english, chinese) word,
#include "gpu/base/messages.inl"
#undef MESSAGE
                                                                  });

struct Message {
    // A number that counts something; a name, which stands as it is; a message inside this one.
    using Argument = std::variant<std::uint64_t, std::string, std::vector<Message>>;

    MessageId id = MessageId::Plain;
    std::vector<Argument> arguments;

    MessageKind kind() const;
};

template <class... Arguments>
Message message(MessageId id, Arguments&&... arguments) {
    Message made{id, {}};
    [[maybe_unused]] const auto add = [&made](auto&& argument) {
        using T = std::decay_t<decltype(argument)>;
        if constexpr (std::is_same_v<T, Message>)
            made.arguments.emplace_back(std::vector<Message>{argument});
        else if constexpr (std::is_integral_v<T>)
            made.arguments.emplace_back(std::uint64_t(argument));
        else
            made.arguments.emplace_back(std::string(argument));
    };
    (add(std::forward<Arguments>(arguments)), ...);
    return made;
}

// An English sentence that has no identifier yet.
inline Message plain(std::string english) {
    return {MessageId::Plain, {std::move(english)}};
}
// The same that happened several times.
Message counted(std::string english, std::uint64_t times);

// How a message is said, but for its words: a window groups digits, and knows older sentences by their form.
struct Saying {
    MessageLanguage language = MessageLanguage::English;
    std::function<std::string(std::uint64_t)> number;            // else its digits
    std::function<std::string(const std::string&)> plainEnglish; // else as it is
};

// The whole of it, and what a list has room for: 300 characters.
std::string wholeText(const Message& message, const Saying& saying = {});
std::string text(const Message& message, const Saying& saying = {});

constexpr std::size_t mostNoteCharacters = 300;
// A text of so many characters at most. A longer one ends a list or its sentences sooner and says how many items are left
// out; its end stays, which says where. What has neither is cut within, at a word.
std::string bounded(std::string_view text, MessageLanguage language = MessageLanguage::English,
                    std::size_t most = mostNoteCharacters);

} // namespace warpglass
