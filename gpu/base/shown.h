// SPDX-License-Identifier: GPL-3.0-or-later
// Words of files, where a person sees them. A terminal obeys control characters, and bidirectional marks let a page or a
// terminal show the letters beside them in another order: a file's words do neither here.
#pragma once

#include <string>
#include <string_view>

namespace warpglass {

// Whether it is shown by its number: a control character but tabulator and line feed, or a bidirectional mark.
bool isShownByNumber(char32_t character);

// The text with these, and bytes that are no UTF-8, as \x1b and \u202e. From 0x7f on it is always the form \u, which is
// what JSON says for the same character: JSON (in which what lies below is escaped already) stays JSON of equal value.
std::string shown(std::string_view text);

} // namespace warpglass
