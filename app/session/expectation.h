// SPDX-License-Identifier: GPL-3.0-or-later
// Expectations: sentences about a recording that a program can judge.
//
//   waves = 3                                   sectors_per_request[line 22, load] = 4
//   entering[line 26] = 0x55555555              gld_transactions < gld_transactions[other]
//   16 * 16 / 32 = warps_per_block = 8          check = ok
//
// One line holds two or more sides and what is said of neighbours: = != < <= > >=. A side is arithmetic
// (gpu/base/expression.h) over numbers, masks in hexadecimal and facts. A fact is a name, and in brackets what
// it is asked of: line 22 of the source, block 1, warp 0, loads alone, the trace beside this one. The facts are the rows
// of expectation_facts.cpp and all names of metrics. A number is equal as far as it is written: 83.33 stands for all
// that rounds to it, 83 for 83 alone.
//
// Lessons use them so that what a text says is tested on the run that it is about; whoever grades a kernel can ask the
// same. Nothing here runs anything.
#pragma once

#include "gpu/base/expression.h"
#include "gpu/base/result.h"
#include "gpu/launch/plan.h"
#include "gpu/trace/trace.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpglass::session {

// What an expectation is asked of: a run, and the one beside it, if there is one.
struct Observed {
    const Trace* trace = nullptr;
    CheckResult check;
    bool faulted = false; // the kernel itself failed
    const Observed* other = nullptr;
};

// What stands in a fact's brackets: "line 22", "load".
struct FactPlace {
    std::vector<std::pair<std::string, std::optional<std::int64_t>>> words;

    bool has(std::string_view word) const;
    std::int64_t at(std::string_view word, std::int64_t otherwise) const;
};

// A number, or a word such as ok; neither: it cannot be told, and why.
struct FactValue {
    std::optional<double> number = {};
    std::string word = {}, why = {};
};

using FactFunction = std::function<FactValue(const Observed&, const FactPlace&)>;

struct Fact {
    std::string_view name, meaning;
    std::vector<std::string_view> numbered, words; // what may stand in brackets: with a number, alone
    FactFunction value;                            // empty: a metric
    bool mask = false;                             // told in hexadecimal
};
const std::vector<Fact>& facts();            // those that are no metrics
const Fact* findFact(std::string_view name); // metrics, too; nullptr: there is none
FactValue valueOf(const Fact& fact, std::string_view name, const Observed& observed, const FactPlace& place);
bool isFactWord(std::string_view word); // that a fact may say: ok, wrong, registers, ...

struct Term { // a name in an expression
    std::string name;
    bool isFact = false; // or a word that a fact may say
    FactPlace place;
};

enum class Relation : std::uint8_t { Equal, Unequal, Less, LessOrEqual, More, MoreOrEqual };

struct Side {
    std::string text;
    Expression value;
    std::vector<Term> terms; // by the value's names
    double tolerance = 0;    // of a number that stands alone: half of its last digit; 0: it is whole, or there is more
};

struct Expectation {
    std::string text;
    std::vector<Side> sides; // one more than relations
    std::vector<Relation> relations;
    std::vector<double> numbers; // all that are written in it
};

// Error: what is wrong with the text, without a place.
Result<Expectation> parseExpectation(std::string_view text);

struct Judgement {
    bool holds = false;
    std::string found; // "sectors[line 22] is 8"; what could not be told, and why
};
Judgement judge(const Expectation& expectation, const Observed& observed);

} // namespace warpglass::session
