// SPDX-License-Identifier: GPL-3.0-or-later
// Who used a word of memory, and how: by making the launch again while it is watched.
#pragma once

#include "app/session/session.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace warpglass::session {

// "out[17]", "tile[3] of block 5", "0x7f0012340000": a buffer, a pointer of the kernel's, a variable, or an address. Elements
// are counted as the accesses count them.
Result<WatchedWord> parseWord(const std::string& text);

// One read or write, the last first.
struct WordUse {
    std::uint64_t number = 0; // of all uses, counted from 1
    std::string does;         // "reads", "writes", "changes" (an atomic: what is there then)
    std::string value, kernel, block, thread, place;
    std::uint64_t step = 0; // instructions of its warp until then
    Diagnostic told;
};
struct Who {
    std::string word;
    std::vector<WordUse> uses;
    std::uint64_t reads = 0, writes = 0; // also those that are not among them
    bool faulted = false;                // the launch ended before its end
};

// Makes the launch of the request again, on one host thread, so that the order is always the same. Error: there is no such
// word; the launch can't be made.
Result<Who> who(RunRequest request, LaunchPlan plan, const std::string& word, Progress& progress);

nlohmann::ordered_json whoJson(const Who& who);
std::string whoText(const Who& who);

} // namespace warpglass::session
