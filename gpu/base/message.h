// SPDX-License-Identifier: GPL-3.0-or-later
// What is said to a person: an identifier with arguments, from where it arises to where somebody reads it. The words
// stand once, in both languages, in the catalogue (gpu/base/messages); a reader's text is made by catalogue.h. What
// decides by a message, an exit status say, asks for its identifier or its kind, never for its words.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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
    NotFinite,  // infinity or NaN was made of finite numbers, and somebody had asked
};

// Whether it makes a run fail, even if the program ends well: what the program itself is not told. Of a fault or a hang it gets
// CUDA's number, and may expect it.
constexpr bool isFailure(MessageKind kind) {
    return kind == MessageKind::Race || kind == MessageKind::PassedOver || kind == MessageKind::NotFinite;
}

// A row of the catalogue: a room of it (gpu/base/messages) and a row there. Rooms have headers of their own, so that a
// new message concerns only who says it.
enum class MessageId : std::uint16_t { Plain = 0 }; // Plain: an English text that has no identifier

struct Message {
    // A number that counts something; a name, which stands as it is; messages inside this one, with marks between them.
    using Argument = std::variant<std::uint64_t, std::string, std::vector<Message>>;

    MessageId id = MessageId::Plain;
    std::vector<Argument> arguments;

    MessageKind kind() const;
    bool operator==(const Message& other) const = default;
};

// How many arguments a text asks for.
consteval int argumentsIn(std::string_view text) {
    int most = 0;
    for (std::size_t at = 0; at + 1 < text.size(); ++at)
        if (text[at] == '%' && text[at + 1] >= '1' && text[at + 1] <= '9' && text[at + 1] - '0' > most)
            most = text[at + 1] - '0';
    return most;
}

template <class T>
Message::Argument argument(T&& value) {
    using Plain = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<Plain, std::vector<Message>>)
        return std::forward<T>(value);
    else if constexpr (requires { Message(value); } && !std::is_convertible_v<T, std::string_view>)
        return std::vector<Message>{Message(std::forward<T>(value))};
    else if constexpr (requires { value.message(); })
        return std::vector<Message>{value.message()};
    else if constexpr (std::is_integral_v<Plain>) {
        static_assert(!std::is_same_v<Plain, bool> && !std::is_same_v<Plain, char>, "neither counts anything");
        return std::uint64_t(value); // what may be below zero is a name: std::to_string()
    } else
        return std::string(std::forward<T>(value));
}

template <class... Arguments>
Message message(MessageId id, Arguments&&... arguments) {
    Message made{id, {}};
    made.arguments.reserve(sizeof...(arguments));
    (made.arguments.push_back(argument(std::forward<Arguments>(arguments))), ...);
    return made;
}

// A row of the catalogue as it is called where something is said: say::FreedTwice(name, bytes).
template <int count>
struct MessageForm {
    MessageId id;
    template <class... Arguments>
    requires(sizeof...(Arguments) == count) Message operator()(Arguments&&... arguments) const {
        return message(id, std::forward<Arguments>(arguments)...);
    }
    operator Message() const requires(count == 0) { return {id, {}}; }
};

// An English sentence that has no identifier.
inline Message plain(std::string english) {
    return {MessageId::Plain, {std::move(english)}};
}
// The same that happened several times.
Message counted(Message message, std::uint64_t times);

// A message where it is kept, beside its English text, which files and command lines hold.
class Said {
public:
    Said() = default;
    Said(Message message);
    Said(const MessageForm<0>& form) : Said(Message(form)) {}
    Said(std::string english) : m_message(), m_text(std::move(english)) {}
    Said(const char* english) : Said(std::string(english)) {}
    // Of a file or another process: the text, and what code() once gave. What is no message of the catalogue, of a newer
    // version or damaged, leaves the text alone.
    static Said of(std::string text, std::string_view code);

    // Plain without an identifier.
    Message message() const { return isTyped() ? m_message : plain(m_text); }
    MessageId id() const { return m_message.id; }
    bool isTyped() const { return m_message.id != MessageId::Plain; }
    const std::string& text() const { return m_text; }
    std::string code() const; // as JSON, for files; empty without an identifier

    // Read like its English text.
    operator const std::string&() const { return m_text; }
    operator std::string_view() const { return m_text; }
    bool empty() const { return m_text.empty(); }
    std::size_t size() const { return m_text.size(); }
    const char* c_str() const { return m_text.c_str(); }
    std::size_t find(std::string_view part) const { return m_text.find(part); }
    bool starts_with(std::string_view begin) const { return m_text.starts_with(begin); }
    bool ends_with(std::string_view end) const { return m_text.ends_with(end); }
    friend bool operator==(const Said& a, const Said& b) { return a.m_text == b.m_text && a.m_message == b.m_message; }
    friend bool operator==(const Said& a, const std::string& b) { return a.m_text == b; }
    friend bool operator==(const Said& a, const char* b) { return a.m_text == b; }
    friend std::string operator+(const Said& a, std::string_view b) { return a.m_text + std::string(b); }
    friend std::string operator+(std::string_view a, const Said& b) { return std::string(a) + b.m_text; }
    friend std::ostream& operator<<(std::ostream& out, const Said& said);

private:
    Message m_message; // Plain, without arguments: only the text tells
    std::string m_text;
};

} // namespace warpglass
