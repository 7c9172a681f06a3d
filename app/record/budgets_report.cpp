// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/budgets.h"

#include "gpu/base/quantity.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace warpglass::record {

using nlohmann::ordered_json;

namespace {

constexpr std::size_t mostDrawn = 4; // lines of a chart, two bars each

std::string findingSentence(const Finding& f) {
    std::string text =
        f.key == "run" ? "it does not run" : fmt::format("{} is {}, wanted {}", f.key, f.found, f.wanted);
    if (f.key == "same")
        text = f.state == BudgetState::Broken ? f.found : "the same as before";
    if (!f.why.empty())
        text += fmt::format(" ({})", f.why);
    return text;
}

std::string findingPlace(const Finding& f) {
    return f.file.empty() ? "" : f.line > 0 ? fmt::format("{}:{}", f.file, f.line) : f.file;
}

// What a reader is told first: the change, else the sentence.
std::string findingHeadline(const Finding& f) {
    return f.changes.empty() ? findingSentence(f) : textOf(f.changes.front()) + "; " + findingSentence(f);
}

std::string reportSummary(const BudgetReport& report) {
    std::set<std::string> launches;
    for (const Finding& f : report.findings)
        launches.insert(f.launch);
    const std::size_t broken = report.count(BudgetState::Broken), close = report.count(BudgetState::Close);
    std::string text = fmt::format("{} of {}: {} kept", quantity(report.findings.size(), "budget"),
                                   quantity(launches.size(), "launch", "launches"), report.count(BudgetState::Kept));
    if (close > 0)
        text += fmt::format(", {} too close to call", close);
    return text + (broken > 0 ? fmt::format(", {} broken", broken) : std::string());
}

std::string xmlText(std::string_view text) {
    std::string out;
    for (const char c : text)
        switch (c) {
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '&':
            out += "&amp;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\n':
        case '\t':
            out += ' ';
            break;
        default:
            out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
        }
    return out;
}

// In a markdownCell of a table, where a bar would end it; and code of a stranger is no markup there.
std::string markdownCell(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (c == '|' || c == '<' || c == '`' || c == '[' || c == '*' || c == '_' || c == '\\' || c == '@' || c == '!')
            out += std::string("\\") + c;
        else
            out += c == '\n' ? ' ' : c;
    return out;
}

} // namespace

std::string budgetText(const BudgetReport& report) {
    std::string text, launch;
    std::set<std::string> told; // changed lines: once a launch
    for (const Finding& f : report.findings) {
        if (f.state == BudgetState::Kept)
            continue;
        if (f.launch != launch) {
            text += f.launch + ":\n";
            told.clear();
        }
        launch = f.launch;
        text += fmt::format("  {}: {}\n", f.state == BudgetState::Broken ? "BROKEN" : "close", findingSentence(f));
        if (const std::string place = findingPlace(f); !place.empty() && f.state == BudgetState::Broken)
            text += "    " + place + "\n";
        for (const LineChange& change : f.changes)
            if (const std::string line = textOf(change); told.insert(line).second)
                text += fmt::format("    {}:  {}\n", line, change.code);
    }
    return text + reportSummary(report) + "\n";
}

ordered_json budgetJson(const BudgetReport& report) {
    ordered_json object{{"spec", report.file},
                        {"kept", report.count(BudgetState::Broken) == 0},
                        {"counts",
                         {{"kept", report.count(BudgetState::Kept)},
                          {"close", report.count(BudgetState::Close)},
                          {"broken", report.count(BudgetState::Broken)}}},
                        {"budgets", ordered_json::array()}};
    for (const Finding& f : report.findings) {
        ordered_json row{{"launch", f.launch},
                         {"key", f.key},
                         {"wanted", f.wanted},
                         {"found", f.found},
                         {"state", nameOf(f.state)},
                         {"sentence", f.state == BudgetState::Broken ? findingHeadline(f) : findingSentence(f)}};
        row["file"] = f.file.empty() ? ordered_json() : ordered_json(f.file);
        row["line"] = f.line > 0 ? ordered_json(f.line) : ordered_json();
        row["changes"] = ordered_json::array();
        for (const LineChange& c : f.changes)
            row["changes"].push_back({{"line", c.line},
                                      {"gone", c.gone},
                                      {"of", nameOf(c.column)},
                                      {"now", c.now},
                                      {"before", c.before},
                                      {"code", c.code}});
        object["budgets"].push_back(std::move(row));
    }
    return object;
}

std::string budgetJUnit(const BudgetReport& report) {
    std::string text = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{}\" "
                                   "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">\n",
                                   xmlText(report.file), report.findings.size(), report.count(BudgetState::Broken));
    for (const Finding& f : report.findings) {
        text += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xmlText(f.launch),
                            xmlText(f.key == "same" || f.key == "run" ? f.key : f.key + " " + f.wanted));
        if (!f.file.empty())
            text += fmt::format(" file=\"{}\"", xmlText(f.file));
        if (f.line > 0)
            text += fmt::format(" line=\"{}\"", f.line);
        if (f.state == BudgetState::Kept) {
            text += "/>\n";
            continue;
        }
        text += ">\n";
        if (f.state == BudgetState::Close) {
            text += fmt::format("      <system-out>{}</system-out>\n", xmlText(findingSentence(f)));
        } else {
            text +=
                fmt::format("      <failure message=\"{}\">{}", xmlText(findingHeadline(f)), xmlText(findingPlace(f)));
            for (const LineChange& change : f.changes)
                text += "\n" + xmlText(textOf(change) + ":  " + change.code);
            text += "</failure>\n";
        }
        text += "    </testcase>\n";
    }
    return text + "  </testsuite>\n</testsuites>\n";
}

std::string budgetSarif(const BudgetReport& report) {
    ordered_json results = ordered_json::array(), rules = ordered_json::array();
    std::set<std::string> known;
    for (const Finding& f : report.findings) {
        if (f.state == BudgetState::Kept)
            continue;
        if (known.insert(f.key).second)
            rules.push_back({{"id", f.key}, {"shortDescription", {{"text", "budget: " + f.key}}}});
        // A place without a line is the first: readers show nothing of a result that has none.
        ordered_json place{{"artifactLocation", {{"uri", f.file.empty() ? report.file : f.file}}},
                           {"region", {{"startLine", std::max<std::uint32_t>(f.line, 1)}}}};
        results.push_back({{"ruleId", f.key},
                           {"level", f.state == BudgetState::Broken ? "error" : "note"},
                           {"message", {{"text", f.launch + ": " + findingHeadline(f)}}},
                           {"locations", ordered_json::array({{{"physicalLocation", place}}})}});
    }
    const ordered_json log{
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs",
         ordered_json::array(
             {{{"tool",
                {{"driver", {{"name", "Warpglass"}, {"version", WARPGLASS_VERSION}, {"rules", std::move(rules)}}}}},
               {"results", std::move(results)}}})}};
    return log.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string budgetMarkdown(const BudgetReport& report) {
    std::string text = fmt::format("### {} {}\n\n{}\n", report.count(BudgetState::Broken) ? "❌" : "✅",
                                   markdownCell(report.file), reportSummary(report));
    std::string rows;
    for (const Finding& f : report.findings)
        if (f.state != BudgetState::Kept)
            rows +=
                fmt::format("| {} | {} | {} | {} | {} |\n", f.state == BudgetState::Broken ? "❌" : "🟡",
                            markdownCell(f.launch), markdownCell(f.changes.empty() ? "" : textOf(f.changes.front())),
                            markdownCell(findingSentence(f)), markdownCell(findingPlace(f)));
    if (!rows.empty())
        text += "\n| | launch | what | number | where |\n|---|---|---|---|---|\n" + rows;
    // A picture that GitHub and GitLab draw themselves, so that nobody has to keep a file for it: the changed lines of the
    // first finding of each launch, before and today.
    std::set<std::string> drawn;
    for (const Finding& f : report.findings) {
        if (f.changes.empty() || !drawn.insert(f.launch).second)
            continue;
        std::string names, bars;
        std::uint64_t most = 1;
        for (std::size_t n = 0; n < std::min(f.changes.size(), mostDrawn); ++n) {
            const LineChange& c = f.changes[n];
            names += fmt::format("{}\"{} before\", \"{} today\"", n > 0 ? ", " : "", c.line, c.line);
            bars += fmt::format("{}{}, {}", n > 0 ? ", " : "", c.before, c.now);
            most = std::max({most, c.now, c.before});
        }
        std::string title = f.launch + ": " + std::string(wordsOf(f.changes.front().column)) + " by line";
        std::erase_if(title, [](char c) { return c == '"' || c == '`' || c == '\n'; });
        text +=
            fmt::format("\n```mermaid\nxychart-beta\n  title \"{}\"\n  x-axis \"line\" [{}]\n  y-axis \"{}\" 0 --> {}\n"
                        "  bar [{}]\n```\n",
                        title, names, wordsOf(f.changes.front().column), most, bars);
        text += "\n| line | before | today | |\n|---:|---:|---:|---|\n";
        for (const LineChange& c : f.changes)
            text +=
                fmt::format("| {} | {} | {} | {} |\n", c.line, grouped(c.before), grouped(c.now), markdownCell(c.code));
    }
    return text;
}

} // namespace warpglass::record
