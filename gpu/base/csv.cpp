// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace warpglass {

namespace {

// Whether a program that opens the table would work it out, or would but for apostrophes before it.
bool isFormula(std::string_view field) {
    field.remove_prefix(std::min(field.find_first_not_of('\''), field.size()));
    if (field.size() < 2 || std::string_view("=+-@\t\r").find(field.front()) == std::string_view::npos)
        return false;
    double number = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    return error != std::errc() || end != field.data() + field.size();
}

} // namespace

void appendCsvField(std::string& record, std::string_view field) {
    std::string text;
    if (isFormula(field)) {
        text = fmt::format("'{}", field);
        field = text;
    }
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
        record += field;
        return;
    }
    record += '"';
    for (const char c : field) {
        record += c;
        if (c == '"')
            record += '"';
    }
    record += '"';
}

std::string csvField(std::string_view field) {
    std::string text;
    appendCsvField(text, field);
    return text;
}

std::vector<std::string> nextCsvRecord(std::string_view& text, int& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    while (!text.empty()) {
        const char c = text.front();
        text.remove_prefix(1);
        line += c == '\n';
        if (quoted) {
            if (c != '"') {
                fields.back() += c;
            } else if (text.starts_with('"')) {
                fields.back() += c;
                text.remove_prefix(1);
            } else {
                quoted = false;
            }
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',') {
            fields.emplace_back();
        } else if (c == '\n') {
            break;
        } else if (c != '\r') {
            fields.back() += c;
        }
    }
    for (std::string& field : fields)
        if (field.starts_with('\'') && isFormula(field))
            field.erase(0, 1);
    return fields;
}

} // namespace warpglass
