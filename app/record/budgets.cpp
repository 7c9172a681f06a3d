// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/budgets.h"

#include "app/session/expectation.h"
#include "app/session/summary.h"
#include "gpu/base/messages/why.h"
#include "gpu/metrics/metrics.h"
#include "gpu/metrics/model_accuracy.h"
#include "gpu/metrics/why_words.h"
#include "gpu/trace/meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpglass::record {

namespace {

constexpr std::size_t mostChanges = 8; // of a finding

bool isTimeKey(std::string_view key) {
    return key == "time" || key == "duration_ns";
}

session::FactValue budgetValue(const std::string& key, const Measured& m) {
    const Trace& t = *m.trace;
    if (t.launches.empty())
        return {.why = "nothing ran"};
    if (key == "races")
        return {.number = double(std::count_if(t.diagnostics.begin(), t.diagnostics.end(), isRace))};
    if (key == "notes")
        return {.number = double(t.diagnostics.size())};
    if (key == "registers" || key == "spills") {
        const auto number = m.numbers.sum(key == "spills" ? "spill_bytes" : "registers");
        return number ? session::FactValue{.number = double(*number)}
                      : session::FactValue{.why = "no ptxas was found that counts them"};
    }
    const auto asked = session::parseExpectation((key == "time" ? "duration_ns" : key) + " = 0");
    const session::Term& term = asked->sides.front().terms.front();
    session::FactValue value =
        session::valueOf(*session::findFact(term.name), term.name,
                         {.trace = &t, .check = m.check, .faulted = m.fault.has_value(), .other = nullptr}, term.place);
    if (isTimeKey(key) && value.word == "undefined")
        return {.why = "it was not timed: give --timing to what is run"};
    if (value.word == "undefined")
        if (const auto found = metric(t, 0, term.name); found && !found->why.empty())
            value.why = found->why;
    return value;
}

std::string shownValue(const std::string& key, double value) {
    if (isTimeKey(key))
        return nsText(value);
    return value == std::floor(value) && std::fabs(value) < 1e15
               ? (value < 0 ? "-" : "") + grouped(std::uint64_t(std::fabs(value)))
               : session::numberText(value);
}

// Which lines have to do with a number; nothing: none has.
std::optional<LineColumn> columnOfKey(std::string_view key) {
    const auto has = [&](std::string_view part) { return key.find(part) != std::string_view::npos; };
    if (has("passes") || has("conflict"))
        return LineColumn::Passes;
    if (has("diverg") || has("branch") || has("warp_execution") || has("lanes"))
        return LineColumn::Divergent;
    if (has("sector") || has("transactions") || has("gld") || has("gst") || has("bytes_per") || has("cache_lines"))
        return LineColumn::Sectors;
    if (has("inst") || has("executions") || has("requests"))
        return LineColumn::Executions;
    return {};
}

// Where a broken budget is to be looked for.
void locateFinding(Finding& finding, const Measured& now, const LaunchNumbers* before, const std::string& file) {
    finding.file = file;
    std::optional<LineColumn> column = columnOfKey(finding.key);
    std::uint32_t wanted = 0; // a line that the key itself names
    if (const std::size_t at = finding.key.find("[line "); at != std::string::npos)
        wanted = std::uint32_t(std::strtoul(finding.key.c_str() + at + 6, nullptr, 10));
    const bool anything = finding.key == "same" || isTimeKey(finding.key);
    if (!column && !anything && wanted == 0)
        return;
    finding.line = wanted;
    if (before) {
        std::vector<LineChange> changes = changesOf(now.numbers, *before);
        if (anything && !column) // the first of the columns in which a line has grown, else in which one has changed
            for (const bool grown : {true, false})
                for (const LineChange& c : changes)
                    if (!column && (c.now > c.before || !grown))
                        column = c.column;
        std::erase_if(changes, [&](const LineChange& c) {
            return (column && c.column != *column) || (wanted > 0 && c.line != wanted);
        });
        if (!changes.empty()) {
            if (changes.front().gone) { // an editor is led to a line that is there
                const auto there =
                    std::find_if(changes.begin(), changes.end(), [](const LineChange& c) { return !c.gone; });
                finding.line = there == changes.end() ? 0 : there->line;
            } else {
                finding.line = changes.front().line;
            }
            changes.resize(std::min(changes.size(), mostChanges));
            finding.changes = std::move(changes);
            return;
        }
    }
    if (!column || wanted > 0)
        return;
    const auto& lines = now.numbers.lines;
    const auto most = std::max_element(lines.begin(), lines.end(), [&](const LineCount& a, const LineCount& b) {
        return a.of(*column) < b.of(*column);
    });
    if (most == lines.end() || most->of(*column) == 0)
        return;
    finding.line = most->line;
    finding.why += fmt::format("{}line {} has most of it: {} {}", finding.why.empty() ? "" : "; ", most->line,
                               grouped(most->of(*column)), wordsOf(*column));
}

// A modelled time is judged only beyond the error of the model on kernels of its kind: it stands for all from
// time / (1 + error) to time / (1 - error). Where no such kernels were measured, for itself.
BudgetState judgeTime(const Budget& budget, double ns, std::optional<double> known) {
    const double error = known.value_or(0);
    const double fastest = ns / (1 + error), slowest = error < 1 ? ns / (1 - error) : INFINITY;
    if ((budget.most && fastest > *budget.most) || (budget.least && slowest < *budget.least))
        return BudgetState::Broken;
    if ((budget.most && slowest > *budget.most) || (budget.least && fastest < *budget.least))
        return BudgetState::Close;
    return BudgetState::Kept;
}

std::string modelErrorWords(std::optional<double> error) {
    return error ? fmt::format("the model errs by {:.0f} % on kernels of this kind", 100 * *error)
                 : Said(say::KindWithout).text();
}

std::string brokenWords(std::optional<double> error) {
    return modelErrorWords(error) + (error ? ", and it is beyond that" : ": the model's time is taken as it is");
}

// What nobody has judged yet.
Finding findingOf(const std::string& launch, const Budget& budget) {
    return {.launch = launch,
            .key = budget.key,
            .wanted = budget.wanted,
            .found = {},
            .why = {},
            .file = {},
            .changes = {},
            .number = {}};
}

Finding judgeBudget(const std::string& launch, const Budget& budget, const Measured& now, const LaunchNumbers* before,
                    const std::string& file) {
    Finding finding = findingOf(launch, budget);
    const session::FactValue value = budgetValue(budget.key, now);
    finding.found = value.number ? shownValue(budget.key, *value.number) : value.word;
    if (!budget.word.empty()) {
        finding.state = value.word == budget.word ? BudgetState::Kept : BudgetState::Broken;
        if (budget.key == "check" && now.check.check == Check::Wrong)
            finding.why = now.check.why.text();
    } else if (!value.number) {
        finding.state = BudgetState::Broken;
        finding.why = value.why.empty() ? "it cannot be told" : value.why;
    } else {
        const double v = *value.number, slack = 1e-9 * std::fabs(v);
        const auto origin = isTimeKey(budget.key) ? metric(*now.trace, 0, "duration_ns") : std::nullopt;
        if (origin && origin->origin == Origin::Modelled) {
            const auto error = expectedError(*now.trace);
            finding.state = judgeTime(budget, v, error);
            if (finding.state == BudgetState::Close)
                finding.why = "too close to call: " + modelErrorWords(error);
            else if (finding.state == BudgetState::Broken)
                finding.why = brokenWords(error);
        } else {
            const bool kept =
                (!budget.least || v >= *budget.least - slack) && (!budget.most || v <= *budget.most + slack);
            finding.state = kept ? BudgetState::Kept : BudgetState::Broken;
        }
        if (budget.end > budget.begin)
            finding.number = NumberNow{&budget, v};
    }
    if (finding.state == BudgetState::Broken)
        locateFinding(finding, now, before, file);
    return finding;
}

std::string spokenName(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

// The sums that differ, in words; worse: whether one is larger.
std::string sumDifferences(const LaunchNumbers& now, const LaunchNumbers& before, bool& worse) {
    std::string text;
    for (const auto& [name, value] : now.sums) {
        const auto was = before.sum(name);
        if (!was || *was == value)
            continue;
        worse |= value > *was;
        text += fmt::format("{}{} {}, {} before", text.empty() ? "" : "; ", spokenName(name), grouped(value),
                            grouped(*was));
    }
    return text;
}

// What one of the two has counted and the other has not, and who compiled.
std::string notCompared(const LaunchNumbers& now, const LaunchNumbers& before) {
    std::string text;
    if (!now.compiler.empty() && !before.compiler.empty() && now.compiler != before.compiler)
        text = fmt::format("it was compiled by {}, and before by {}", now.compiler, before.compiler);
    for (const auto& [name, value] : before.sums)
        if (!now.sum(name))
            text += fmt::format("{}{} cannot be counted here", text.empty() ? "" : "; ", spokenName(name));
    return text;
}

Finding judgeSame(const LaunchBudgets& budgets, const LaunchNumbers& now, const LaunchNumbers* before) {
    Finding finding{.launch = budgets.name,
                    .key = "same",
                    .wanted = budgets.same == Same::OrBetter ? "as before or better" : "as before",
                    .found = {},
                    .why = {},
                    .file = {},
                    .changes = {},
                    .number = {}};
    if (!before) {
        finding.state = BudgetState::Broken;
        finding.found = "not known";
        finding.why = "nothing was counted before: run `expect --update` once, and keep the file";
        return finding;
    }
    bool worse = false;
    finding.found = sumDifferences(now, *before, worse);
    finding.why = notCompared(now, *before);
    if (!finding.found.empty() && (worse || budgets.same == Same::Exactly)) {
        finding.state = BudgetState::Broken;
        if (!worse)
            finding.why += fmt::format("{}it is better: `expect --update` keeps it", finding.why.empty() ? "" : "; ");
        return finding;
    }
    if (finding.found.empty())
        finding.found = "the same";
    return finding;
}

// Of a launch that was timed then and now.
std::optional<Finding> judgeSameTime(const LaunchBudgets& budgets, const Measured& now, const LaunchNumbers& before) {
    if (before.timeNs <= 0 || now.numbers.timeNs <= 0)
        return {};
    const auto error = expectedError(*now.trace);
    const double ratio = now.numbers.timeNs / before.timeNs;
    Finding finding{.launch = budgets.name,
                    .key = "time",
                    .wanted = fmt::format("as before, {}", nsText(before.timeNs)),
                    .found = nsText(now.numbers.timeNs),
                    .why = {},
                    .file = {},
                    .changes = {},
                    .number = {}};
    constexpr double same = 0.005;
    if (ratio > 1 + std::max(same, error.value_or(0))) {
        finding.state = BudgetState::Broken;
        finding.why = brokenWords(error);
    } else if (ratio > 1 + same) {
        finding.state = BudgetState::Close;
        finding.why = "too close to call: " + modelErrorWords(error);
    }
    return finding;
}

bool asksFor(const LaunchBudgets& budgets, std::string_view key) {
    return std::any_of(budgets.budgets.begin(), budgets.budgets.end(), [&](const Budget& b) { return b.key == key; });
}

} // namespace

std::string_view nameOf(BudgetState state) {
    constexpr std::string_view names[] = {"kept", "close", "broken"};
    return names[std::size_t(state)];
}

std::size_t BudgetReport::count(BudgetState state) const {
    return std::size_t(
        std::count_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.state == state; }));
}

Finding notRun(const LaunchBudgets& budgets, std::string why, const std::string& file, int line) {
    return {.launch = budgets.name,
            .key = "run",
            .wanted = "that it runs",
            .found = "it does not",
            .state = BudgetState::Broken,
            .why = std::move(why),
            .file = file,
            .line = std::uint32_t(std::max(0, line)),
            .changes = {},
            .number = {}};
}

std::vector<Finding> judgeLaunch(const LaunchBudgets& budgets, const Measured& now, const LaunchNumbers* before,
                                 const std::string& file) {
    std::vector<Finding> all;
    if (budgets.same != Same::No) {
        all.push_back(judgeSame(budgets, now.numbers, before));
        if (all.back().state == BudgetState::Broken)
            locateFinding(all.back(), now, before, file);
        if (auto time = before && !asksFor(budgets, "time") ? judgeSameTime(budgets, now, *before) : std::nullopt) {
            if (time->state == BudgetState::Broken)
                locateFinding(*time, now, before, file);
            all.push_back(std::move(*time));
        }
    }
    for (const Budget& budget : budgets.budgets)
        all.push_back(judgeBudget(budgets.name, budget, now, before, file));
    // What nobody need write: a right result, and no race, unless the file says otherwise.
    const std::pair<const char*, bool> unasked[] = {
        {"check", now.check.check == Check::Wrong},
        {"races", std::any_of(now.trace->diagnostics.begin(), now.trace->diagnostics.end(), isRace)}};
    for (const auto& [key, wrong] : unasked) {
        if (!wrong || asksFor(budgets, key))
            continue;
        const bool isCheck = key == std::string_view("check");
        Budget budget{
            .key = key, .wanted = isCheck ? "ok" : "none", .least = {}, .most = {}, .word = isCheck ? "ok" : ""};
        if (!isCheck)
            budget.least = budget.most = 0;
        all.push_back(judgeBudget(budgets.name, budget, now, before, file));
    }
    for (Finding& finding : all)
        if (finding.key == "races" && finding.state == BudgetState::Broken) {
            const auto race = std::find_if(now.trace->diagnostics.begin(), now.trace->diagnostics.end(), isRace);
            if (race == now.trace->diagnostics.end())
                continue;
            finding.why = race->message.text();
            finding.file = file;
            finding.line = race->source.line;
        }
    return all;
}

std::vector<Finding> judgeProgram(const LaunchBudgets& budgets, const std::map<std::string, double>& values,
                                  const LaunchNumbers& now, const LaunchNumbers* before) {
    std::vector<Finding> all;
    if (budgets.same != Same::No)
        all.push_back(judgeSame(budgets, now, before));
    std::vector<Budget> asked = budgets.budgets;
    if (!asksFor(budgets, "exit_status"))
        asked.push_back({.key = "exit_status", .wanted = "0", .least = 0, .most = 0, .word = {}});
    for (std::size_t n = 0; n < asked.size(); ++n) {
        const Budget& budget = asked[n];
        Finding finding = findingOf(budgets.name, budget);
        const auto value = values.find(budget.key);
        if (value == values.end()) {
            finding.state = BudgetState::Broken;
            finding.why = "this is asked of a launch: write it below [[program.launch]]";
        } else {
            finding.found = shownValue(budget.key, value->second);
            if ((budget.least && value->second < *budget.least) || (budget.most && value->second > *budget.most))
                finding.state = BudgetState::Broken;
            if (budget.end > budget.begin)
                finding.number = NumberNow{&budgets.budgets[n], value->second};
        }
        all.push_back(std::move(finding));
    }
    return all;
}

} // namespace warpglass::record
