// SPDX-License-Identifier: GPL-3.0-or-later
// Budgets: what a repository promises of the numbers of its kernels and programs, in a TOML file beside their sources
// (docs/expect.md has its form). Below the promises the file keeps what was counted when they were last confirmed, written
// by `expect --update`, so that "the same as before, to the last sector" can be judged and the line named that changed.
//
// Nothing here runs anything: app/record does, and hands the traces over.
#pragma once

#include "app/record/line_counts.h"
#include "gpu/base/result.h"
#include "gpu/launch/plan.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass::record {

struct Budget {
    std::string key;                   // a fact (expectation.h), a metric, time, spills, races or notes
    std::string wanted;                // as the file has it: "<= 4096"
    std::optional<double> least, most; // both included
    std::string word;                  // or this word: "ok"
    int line = 0;                      // of the file
    std::size_t begin = 0, end = 0;    // bytes of the file: of a number that --update writes anew; none: 0, 0
};

enum class Same : std::uint8_t { No, Exactly, OrBetter };

// What is asked of a launch.
struct LaunchBudgets {
    std::string name; // no two are alike
    int line = 0;
    Same same = Same::No;
    std::vector<Budget> budgets;
    std::string kernel;                  // of a program's launch: the first one recorded of this kernel, or
    std::optional<std::uint64_t> number; // this one, counted from 0 over the program
};

struct BudgetEntry {
    bool isProgram = false;
    std::vector<std::string> words;      // behind `run` or `program`
    LaunchBudgets own;                   // of the kernel; of the program as a whole
    std::vector<LaunchBudgets> launches; // of the program
};

struct BudgetFile {
    std::string name, text;
    std::vector<std::string> options, programOptions; // of every kernel, of every program
    std::vector<BudgetEntry> entries;
    std::map<std::string, LaunchNumbers> before; // by names of launches
};

// Bounds of what is read: the file may be a stranger's.
inline constexpr std::uint64_t mostBudgetBytes = 16 << 20;
inline constexpr std::size_t mostBudgetEntries = 10'000;

// Error: what is wrong with the file, and where.
Result<BudgetFile> parseBudgets(std::string text, const std::string& name);
// Words as a shell parts them: blanks, '...', "..." and \. Error: a quote is not closed.
Result<std::vector<std::string>> shellWords(std::string_view text);

// The file with today's numbers: those that are kept below the promises, and numbers that stand alone in a promise. What else
// a person has written stays as it is, to the byte.
struct NumberNow {
    const Budget* budget = nullptr;
    double value = 0;
};
std::string updatedText(const BudgetFile& file, const std::map<std::string, LaunchNumbers>& now,
                        std::vector<NumberNow> numbers);

enum class BudgetState : std::uint8_t { Kept, Close, Broken };
std::string_view nameOf(BudgetState state); // "kept", "close", "broken"

struct Finding {
    std::string launch, key, wanted, found;
    BudgetState state = BudgetState::Kept;
    std::string why;  // a sentence; empty where found and wanted say all
    std::string file; // where it got worse; relative to the folder in which `expect` was started
    std::uint32_t line = 0;
    std::vector<LineChange> changes; // since it was confirmed, those to look at first
    std::optional<NumberNow> number; // for updatedText
};

struct Measured {
    const Trace* trace = nullptr;
    CheckResult check;
    std::optional<std::string> fault; // the kernel itself failed, or it could not be run
    std::optional<session::Assembled> assembled;
    LaunchNumbers numbers;
};

// before: as it was confirmed last; nullptr: never. file: where the lines are, for a reader.
std::vector<Finding> judgeLaunch(const LaunchBudgets& budgets, const Measured& now, const LaunchNumbers* before,
                                 const std::string& file);
// Of a program as a whole: numbers has its sums, value its own keys (launches, exit_status, kernels).
std::vector<Finding> judgeProgram(const LaunchBudgets& budgets, const std::map<std::string, double>& values,
                                  const LaunchNumbers& now, const LaunchNumbers* before);
// One that says that a launch could not be judged.
Finding notRun(const LaunchBudgets& budgets, std::string why, const std::string& file, int line);

struct BudgetReport {
    std::string file; // of the budgets, relative to where `expect` was started
    std::vector<Finding> findings;
    std::size_t count(BudgetState state) const;
};
std::string budgetText(const BudgetReport& report);
nlohmann::ordered_json budgetJson(const BudgetReport& report);
std::string budgetJUnit(const BudgetReport& report);
std::string budgetSarif(const BudgetReport& report); // 2.1.0
std::string budgetMarkdown(const BudgetReport& report);

} // namespace warpglass::record
