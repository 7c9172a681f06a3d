// SPDX-License-Identifier: GPL-3.0-or-later
// Who used a word of memory, and how, and what values a variable of the source took: by making the launch again while it is
// watched.
#pragma once

#include "app/session/session.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace warpglass::session {

// "out[17]", "tile[3] of block 5", "0x7f0012340000": a buffer, a pointer of the kernel's, a variable, or an address. Elements
// are counted as the accesses count them.
Result<WatchedWord> parseWord(const std::string& text);
// "sum", "k at line 12", "p.a[3] of block 5 thread 3", "sum of warp 2": a variable of a function's. Block, warp and thread are
// linear.
Result<WatchedVariable> parseVariable(const std::string& text);
// One or the other is meant, and only the launch can tell which. Error: it is neither.
Result<void> checkWord(const std::string& text);

// One read or write, or a value of a variable; the last first.
struct WordUse {
    std::uint64_t number = 0; // of all uses, counted from 1
    std::string does;         // "reads", "writes", "changes" (an atomic: what is there then); "sets", "has"
    std::string name;         // of a variable, with its element or member
    std::string value, kernel, block, thread, place;
    std::uint64_t step = 0; // instructions of its warp until then
    std::uint64_t time = 0; // of a variable's value: of its block, in steps, or in cycles of the timing model
    Diagnostic told;
};
struct Who {
    std::string word;
    std::vector<WordUse> uses;
    std::uint64_t reads = 0, writes = 0; // also those that are not among them; of a variable its values are writes
    bool isVariable = false;
    std::uint64_t known = 0,
                  scope = 0; // of a variable: instructions at which it is known where it is, of those of its scope
    bool faulted = false;    // the launch ended before its end
};

// Makes the launch of the request again, on one host thread, so that the order is always the same. inItsTime: times of values
// are the timing model's, of a request that has one; else it is left out. Error: there is no such word; the launch can't be made.
Result<Who> who(RunRequest request, LaunchPlan plan, const std::string& word, Progress& progress,
                bool inItsTime = false);

nlohmann::ordered_json whoJson(const Who& who);
std::string whoText(const Who& who);

} // namespace warpglass::session
