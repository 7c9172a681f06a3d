// SPDX-License-Identifier: GPL-3.0-or-later
// Long notes, cut where a reader would. Places and lengths are of characters, of which UTF-8 has up to four bytes.
#include "gpu/base/catalogue.h"
#include "gpu/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace warpglass {

namespace {

enum class Level { None, Item, Clause, Sentence }; // what ends there

// The level of what ends where the text goes on so, and the bytes of the mark.
std::pair<Level, std::size_t> markAt(std::string_view rest) {
    struct Mark {
        std::string_view text;
        Level level;
    };
    for (const Mark& mark :
         {Mark{", ", Level::Item}, Mark{"、", Level::Item}, Mark{"，", Level::Item}, Mark{": ", Level::Clause},
          Mark{"：", Level::Clause}, Mark{". ", Level::Sentence}, Mark{"; ", Level::Sentence},
          Mark{"\n", Level::Sentence}, Mark{"。", Level::Sentence}, Mark{"；", Level::Sentence}})
        if (rest.starts_with(mark.text))
            return {mark.level, mark.text.size()};
    return {Level::None, 0};
}

bool begins(std::string_view rest, std::initializer_list<std::string_view> any) {
    return std::any_of(any.begin(), any.end(), [&](std::string_view one) { return rest.starts_with(one); });
}

struct End {
    std::size_t at; // character before which something ends
    Level level;
};

struct Characters {
    explicit Characters(std::string_view all) : text(all) {
        int depth = 0; // of brackets: what stands in them is of one item
        for (std::size_t at = 0; at < text.size(); at += std::max<std::size_t>(1, utf8Length(text.substr(at)))) {
            const std::string_view rest = text.substr(at);
            depth += begins(rest, {"(", "[", "（"});
            depth -= depth > 0 && begins(rest, {")", "]", "）"});
            if (const Level level = markAt(rest).first; level != Level::None && depth == 0 && at > 0)
                ends.push_back({begin.size(), level});
            begin.push_back(at);
        }
        begin.push_back(text.size());
    }
    std::size_t count() const { return begin.size() - 1; }
    std::string_view part(std::size_t from, std::size_t to) const {
        return text.substr(begin[from], begin[to] - begin[from]);
    }
    std::string_view text;
    std::vector<std::size_t> begin; // [character] -> byte
    std::vector<End> ends;
};

std::string leftOut(Level level, std::size_t n, MessageLanguage language) {
    const bool english = language == MessageLanguage::English;
    switch (level) {
    case Level::Item:
        return fmt::format(fmt::runtime(english ? ", and {} more" : "，另有 {} 项"), n);
    case Level::Sentence:
        return fmt::format(fmt::runtime(english ? "; and {} more" : "；另有 {} 句"), n);
    default:
        return " ...";
    }
}

} // namespace

std::string bounded(std::string_view text, MessageLanguage language, std::size_t most) {
    const Characters all(text);
    if (all.count() <= most)
        return std::string(text);
    // What stays of the end, which says where: as much as two fifths of the room take.
    std::size_t tail = all.count();
    for (const End& end : all.ends)
        if (end.level != Level::Item && all.count() - end.at <= most * 2 / 5) {
            tail = end.at;
            break;
        }
    const std::size_t words = 20; // of leftOut()
    const std::size_t room = most - std::min(most, all.count() - tail + words);
    const auto lastOf = [&](Level level) {
        std::size_t last = 0;
        for (const End& end : all.ends)
            if (end.level == level && end.at <= room && end.at < tail)
                last = end.at;
        return last;
    };
    for (const Level level : {Level::Sentence, Level::Item, Level::Clause}) {
        const std::size_t cut = lastOf(level);
        if (cut == 0 || cut < room / 3) // too little would be left
            continue;
        const auto more = std::count_if(all.ends.begin(), all.ends.end(), [&](const End& end) {
            return end.level == level && end.at >= cut && end.at < tail;
        });
        const bool isList =
            level == Level::Sentence || (level == Level::Item && more > 1); // else a comma of a sentence
        return std::string(all.part(0, cut)) + leftOut(isList ? level : Level::Clause, std::size_t(more), language) +
               std::string(all.part(tail, all.count()));
    }
    // Nothing ends in it: cut at a word, and the end stays all the same.
    const std::size_t from = tail < all.count() ? tail : all.count() - most / 3;
    std::string_view head = all.part(0, most - std::min(most, all.count() - from + 5)),
                     end = all.part(from, all.count());
    if (const std::size_t word = head.rfind(' '); word != std::string_view::npos && word > head.size() / 2)
        head = head.substr(0, word);
    if (const std::size_t word = end.find(' '); from != tail && word < end.size() / 2)
        end = end.substr(word + 1);
    return fmt::format("{} ...{}{}", head, from == tail ? "" : " ", end);
}

} // namespace warpglass
