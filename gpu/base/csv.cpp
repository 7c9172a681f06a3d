// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/csv.h"

namespace warpglass {

void appendCsvField(std::string& record, std::string_view field) {
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
    return fields;
}

} // namespace warpglass
