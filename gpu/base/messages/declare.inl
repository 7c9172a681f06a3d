// SPDX-License-Identifier: GPL-3.0-or-later
// The names of a room's messages: included by its header, which defines MESSAGE_ROOM, the name of its file without .inl
// in quotes as MESSAGE_FILE, and MESSAGE_FIRST, its place among the identifiers.
#ifndef Q_MOC_RUN // which includes no file by a name of its own
// NOLINTBEGIN(bugprone-macro-parentheses): names are declared here
namespace warpglass::say {
namespace numbers {
enum class MESSAGE_ROOM : std::uint16_t {
    Before_ = MESSAGE_FIRST - 1,
#define MESSAGE(id, word, kind, english, chinese) id,
#define SENTENCE(id, english, chinese) id,
#include MESSAGE_FILE
#undef MESSAGE
#undef SENTENCE
};
} // namespace numbers
#define MESSAGE(id, word, kind, english, chinese)                                                                      \
    inline constexpr MessageForm<argumentsIn(english)> id{                                                             \
        MessageId(numbers::MESSAGE_ROOM::id)};
#define SENTENCE(id, english, chinese) MESSAGE(id, , , english, chinese)
#include MESSAGE_FILE
#undef MESSAGE
#undef SENTENCE
} // namespace warpglass::say
// NOLINTEND(bugprone-macro-parentheses)
#endif
#undef MESSAGE_ROOM
#undef MESSAGE_FILE
#undef MESSAGE_FIRST
