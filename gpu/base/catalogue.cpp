// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/catalogue.h"

#include "gpu/base/messages/code.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/messages/gpu.h"
#include "gpu/base/messages/launch.h"
#include "gpu/base/messages/machine.h"
#include "gpu/base/messages/program.h"
#include "gpu/base/messages/session.h"
#include "gpu/base/messages/why.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpglass {

namespace {

#define MESSAGE(form, word, kind, english, chinese)                                                                    \
    {say::form.id, word, MessageKind::kind, english, chinese, argumentsIn(english)},
#define SENTENCE(form, english, chinese) MESSAGE(form, #form, Part, english, chinese)
// By their identifiers, put in order when the first is asked for, without memory: what tells that there is none finds its words
// all the same. (At compile time it took more steps than Clang grants.)
const auto& rows() {
    static const auto sorted = [] {
        auto all = std::to_array<CatalogueRow>({
            {MessageId::Plain, "plain", MessageKind::Part, "%1", "%1", 1},
#include "gpu/base/messages/code.inl"
#include "gpu/base/messages/emulator.inl"
#include "gpu/base/messages/files.inl"
#include "gpu/base/messages/gpu.inl"
#include "gpu/base/messages/launch.inl"
#include "gpu/base/messages/machine.inl"
#include "gpu/base/messages/program.inl"
#include "gpu/base/messages/session.inl"
#include "gpu/base/messages/why.inl"
        });
        std::ranges::sort(all, {}, &CatalogueRow::id);
        return all;
    }();
    return sorted;
}
#undef MESSAGE
#undef SENTENCE

// Of the numbers those count something that stand before a pair; the others are called so: line 1200.
bool isCount(std::string_view english, char digit) {
    const char pair[] = {'%', digit, ' ', '{'};
    return english.find(std::string_view(pair, sizeof pair)) != std::string_view::npos;
}

std::string said(const Message::Argument& argument, bool counts, const Saying& saying) {
    if (const auto* number = std::get_if<std::uint64_t>(&argument))
        return counts && saying.number ? saying.number(*number) : std::to_string(*number);
    if (const auto* name = std::get_if<std::string>(&argument))
        return *name;
    std::string all;
    for (const Message& inner : std::get<std::vector<Message>>(argument)) {
        const std::string text = wholeText(inner, saying);
        if (!all.empty() && !text.starts_with('\n')) // which stands in a line of its own
            all += saying.language == MessageLanguage::English ? "; " : "；";
        all += text;
    }
    return all;
}

// Chinese and Latin letters stand apart. Within the catalogue's texts they do; where an argument meets its words it is seen to here.
bool startsChinese(std::string_view text) {
    return !text.empty() && static_cast<unsigned char>(text[0]) >= 0xe4 && static_cast<unsigned char>(text[0]) <= 0xe9;
}
bool endsChinese(std::string_view text) {
    return text.size() >= 3 && startsChinese(text.substr(text.size() - 3));
}
bool isLatin(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ']';
}
void append(std::string& text, std::string_view more) {
    if (!text.empty() && !more.empty() &&
        ((endsChinese(text) && isLatin(more.front())) || (isLatin(text.back()) && startsChinese(more))))
        text += ' ';
    text += more;
}

} // namespace

std::span<const CatalogueRow> messageRows() {
    return rows();
}

const CatalogueRow* rowOf(MessageId id) {
    const auto found = std::ranges::lower_bound(rows(), id, {}, &CatalogueRow::id);
    return found == rows().end() || found->id != id ? nullptr : &*found;
}

const CatalogueRow* rowOf(std::string_view word) {
    static const auto byWord = [] {
        std::map<std::string_view, const CatalogueRow*> all;
        for (const CatalogueRow& row : rows())
            all.emplace(row.word, &row);
        return all;
    }();
    const auto found = byWord.find(word);
    return found == byWord.end() ? nullptr : found->second;
}

MessageKind Message::kind() const {
    const CatalogueRow* row = rowOf(id);
    return row ? row->kind : MessageKind::Part;
}

Message counted(Message message, std::uint64_t times) {
    return times > 1 ? say::Times(std::move(message), times) : message;
}

Message wholeOf(const Error& error) {
    Error place = error;
    place.message = place.remedy = {};
    const std::string where = place.text();
    Message all = where.empty() ? error.message.message() : say::Placed(where, error.message);
    if (error.remedy.empty())
        return all;
    return (error.message.ends_with(".") ? say::OneAfterAnother : say::WithRemedy)(std::move(all), error.remedy);
}

std::string wholeText(const Message& message, const Saying& saying) {
    const CatalogueRow* row = rowOf(message.id);
    if (!row)
        return {};
    const std::string_view words = saying.language == MessageLanguage::English ? row->english : row->chinese;
    if (message.id == MessageId::Plain && !message.arguments.empty() && saying.plainEnglish)
        return saying.plainEnglish(said(message.arguments.front(), false, saying));
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
                append(text, said(argument, isCount(row->english, digit), saying));
            }
            ++at;
            continue;
        }
        const std::size_t end = words[at] == '{' ? words.find('}', at) : std::string_view::npos;
        const std::size_t between = end == std::string_view::npos ? end : words.find('|', at);
        if (between < end) {
            const bool named = words[at + 1] >= '1' && words[at + 1] <= '9' && words[at + 2] == ':'; // of an argument
            const auto n = named ? std::size_t(words[at + 1] - '1') : message.arguments.size();
            const auto* number =
                n < message.arguments.size() ? std::get_if<std::uint64_t>(&message.arguments[n]) : nullptr;
            const bool first = named ? number && *number == 1 : one;
            at += named ? 2 : 0;
            text += first ? words.substr(at + 1, between - at - 1) : words.substr(between + 1, end - between - 1);
            at = end;
            continue;
        }
        append(text, words.substr(at, 1));
    }
    return text;
}

std::string text(const Message& message, const Saying& saying) {
    return bounded(wholeText(message, saying), saying.language);
}

} // namespace warpglass
