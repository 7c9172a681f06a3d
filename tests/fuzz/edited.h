// SPDX-License-Identifier: GPL-3.0-or-later
// A sound recording with edits in it. A stranger's file is seldom random bytes: it is a file of ours in which something
// is not as it was.
//
// The first byte says which recording; then come edits of eight bytes each: a table, a column, a row (two bytes), what is
// done, a place in the cell, and what is put there (two bytes). A packed cell is unpacked for it and packed again. Beyond
// the tables there are two more: the format's version, and the file's bytes themselves.
//
// The recordings lie in memory and stay open; an edited one gets back what it has lost, page by page. That takes some
// fifty microseconds, where a copy and its opening took a millisecond.
#pragma once

#include <filesystem>
#include <string_view>

namespace warpglass::fuzz {

// As it is until the next one is asked for.
std::filesystem::path editedRecording(std::string_view bytes);

} // namespace warpglass::fuzz
