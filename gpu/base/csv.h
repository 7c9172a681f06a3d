// SPDX-License-Identifier: GPL-3.0-or-later
// CSV as RFC 4180 has it: fields with commas between them, records on lines; a field with a comma, a quote or a line
// end in it is quoted, and a quote inside is doubled. Everything here that writes or reads a table asks these.
//
// A text that a spreadsheet would take for a formula (=, +, - or @ before more, and no number) gets an apostrophe before it,
// which is taken off again: names and lines of a stranger's files tell nobody's program to do anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

// The field as it stands in a record: quoted where it must be.
std::string csvField(std::string_view field);
void appendCsvField(std::string& record, std::string_view field);

// The fields of the record at the head of text, which is taken off, line end included. line, the number of the line
// the record begins in, becomes that of the next: a quoted field may hold line ends. An empty line is one empty field.
std::vector<std::string> nextCsvRecord(std::string_view& text, int& line);

} // namespace warpglass
