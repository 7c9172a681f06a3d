// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/message_json.h"

#include "gpu/base/catalogue.h"
#include "gpu/base/utf8.h"

#include <nlohmann/json.hpp>

namespace warpglass {

namespace {

using nlohmann::json;

constexpr int deepest = 24; // who waits for whom is a sentence of sentences, each with its reason and its place
constexpr std::size_t mostInner = 64;

json listOf(const std::vector<Message>& all) {
    json list = json::array();
    for (const Message& inner : all)
        list.push_back(toJson(inner));
    return list;
}

std::optional<Message> messageOf(const json& from, int depth) {
    if (depth > deepest || !from.is_object())
        return std::nullopt;
    const auto word = from.find("id"), arguments = from.find("arguments");
    const CatalogueRow* row =
        word != from.end() && word->is_string() ? rowOf(word->get_ref<const std::string&>()) : nullptr;
    if (!row || arguments == from.end() || !arguments->is_array() || arguments->size() != std::size_t(row->arguments))
        return std::nullopt;
    Message made{row->id, {}};
    for (const json& a : *arguments) {
        if (a.is_number_unsigned()) {
            made.arguments.emplace_back(a.get<std::uint64_t>());
        } else if (a.is_string()) {
            made.arguments.emplace_back(validUtf8(a.get_ref<const std::string&>()));
        } else {
            const json list = a.is_array() ? a : json::array({a});
            std::vector<Message> all;
            for (const json& inner : list) {
                auto taken = all.size() < mostInner ? messageOf(inner, depth + 1) : std::nullopt;
                if (!taken)
                    return std::nullopt;
                all.push_back(std::move(*taken));
            }
            made.arguments.emplace_back(std::move(all));
        }
    }
    return made;
}

} // namespace

json toJson(const Message& m) {
    constexpr std::size_t longest = 4096; // of a word: an error may quote a file
    json arguments = json::array();
    for (const Message::Argument& a : m.arguments)
        if (const auto* number = std::get_if<std::uint64_t>(&a))
            arguments.push_back(*number);
        else if (const auto* inner = std::get_if<std::vector<Message>>(&a))
            arguments.push_back(inner->size() == 1 ? toJson(inner->front()) : listOf(*inner));
        else
            arguments.push_back(bounded(validUtf8(std::get<std::string>(a)), MessageLanguage::English, longest));
    const CatalogueRow* row = rowOf(m.id);
    return {{"id", row ? row->word : std::string_view("plain")}, {"arguments", arguments}};
}

std::optional<Message> messageOf(const json& from) {
    return messageOf(from, 0);
}

} // namespace warpglass
