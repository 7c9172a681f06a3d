// SPDX-License-Identifier: GPL-3.0-or-later
// Messages (message.h) in a reader's language. In a text of the catalogue %1 to %9 are the arguments; of a pair
// {byte|bytes} the first is said behind a 1, of {3:waits|wait} where %3 is 1. A number before a pair
// counts something; others are names.
#pragma once

#include "gpu/base/enum_words.h"
#include "gpu/base/message.h"

#include <functional>
#include <optional>
#include <span>

namespace warpglass {

template <>
inline constexpr auto enumWords<MessageKind> = EnumWords("kind of message",
                                                         {"unknown", "part", "note", "race", "passed-over", "fault",
                                                          "hang", "refused", "not-run", "mistake", "leak", "unrecorded",
                                                          "not-finite"});

struct CatalogueRow {
    MessageId id;
    std::string_view word; // in files; never changes its meaning
    MessageKind kind;
    std::string_view english, chinese;
    int arguments; // that its text asks for
};
std::span<const CatalogueRow> messageRows();
// Nothing for numbers and words that stand there for no message.
const CatalogueRow* rowOf(MessageId id);
const CatalogueRow* rowOf(std::string_view word);

// How a message is said, but for its words: a window groups digits, and knows sentences of older files by their form.
struct Saying {
    MessageLanguage language = MessageLanguage::English;
    std::function<std::string(std::uint64_t)> number;            // else its digits
    std::function<std::string(const std::string&)> plainEnglish; // else as it is
};

// An error as one message: where, what, and what to do.
Message wholeOf(const Error& error);

// The whole of it, and what a list has room for: 300 characters.
std::string wholeText(const Message& message, const Saying& saying = {});
std::string text(const Message& message, const Saying& saying = {});

constexpr std::size_t mostNoteCharacters = 300;
// A text of so many characters at most. A longer one ends a list or its sentences sooner and says how many items are left
// out; its end stays, which says where. What has neither is cut within, at a word.
std::string bounded(std::string_view text, MessageLanguage language = MessageLanguage::English,
                    std::size_t most = mostNoteCharacters);

} // namespace warpglass
