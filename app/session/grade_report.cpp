// SPDX-License-Identifier: GPL-3.0-or-later
// What grading says: as JSON, as text, and about exercises themselves.
#include "app/session/grade.h"
#include "app/session/grade_words.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace warpglass::session {

namespace {

const char* wordOf(GoalState state) {
    return state == GoalState::Reached ? "reached" : state == GoalState::Missed ? "missed" : "not_judged";
}

std::string firstMissed(const Grade& grade) {
    for (const GoalGrade& g : grade.goals)
        if (g.state != GoalState::Reached)
            return fmt::format("\"{}\"{}{}", g.title.en, g.found.en.empty() ? "" : ": ", g.found.en);
    return {};
}

} // namespace

nlohmann::ordered_json gradeJson(const Grade& grade, const std::string& language) {
    nlohmann::ordered_json all{{"exercise", grade.exercise}, {"file", grade.file},
                               {"passed", grade.passed()},   {"reached", grade.reached()},
                               {"of", grade.goals.size()},   {"goals", nlohmann::ordered_json::array()}};
    for (const GoalGrade& g : grade.goals) {
        nlohmann::ordered_json row{{"goal", g.goal}, {"state", wordOf(g.state)}, {"wanted", g.title.in(language)}};
        if (g.state == GoalState::Missed) {
            row["found"] = g.found.in(language);
            row["help"] = g.help.in(language);
            if (g.line > 0)
                row["line"] = g.line;
            if (g.launch > 0)
                row["launch"] = g.launch;
        }
        all["goals"].push_back(std::move(row));
    }
    return all;
}

std::string gradeText(const Grade& grade, const std::string& language) {
    const bool chinese = language.starts_with("zh");
    std::string text;
    for (const GoalGrade& g : grade.goals) {
        const char* mark = g.state == GoalState::Reached ? "✓" : g.state == GoalState::Missed ? "✗" : "–";
        text += fmt::format("{} {}", mark, g.title.in(language));
        if (g.state != GoalState::Reached)
            text += chinese ? fmt::format("（{}）", words::state(g.state).zh)
                            : fmt::format(" ({})", words::state(g.state).en);
        text += '\n';
        if (g.state != GoalState::Missed)
            continue;
        const std::string place = g.line > 0 ? fmt::format("{}:{}: ", grade.file, g.line) : std::string();
        text += fmt::format("    {}{}\n    {}\n", place, g.found.in(language), g.help.in(language));
    }
    const char* verdict = grade.passed() ? (chinese ? "通过" : "passed") : (chinese ? "未通过" : "not passed");
    text += chinese
                ? fmt::format("{}：{}/{} 个目标，{}\n", grade.exercise, grade.reached(), grade.goals.size(), verdict)
                : fmt::format("{}: {} of {} goals, {}\n", grade.exercise, grade.reached(), grade.goals.size(), verdict);
    return text;
}

Result<std::vector<ExerciseFinding>> checkExercise(const Exercise& exercise, const GradeLimits& limits,
                                                   Progress& progress) {
    std::vector<ExerciseFinding> findings;
    const auto graded = [&](const ExerciseSource& source) {
        return grade(exercise, {source.name, source.text, source.compiled}, limits, progress);
    };
    const auto starter = graded(exercise.starter);
    if (!starter)
        return starter.error();
    if (starter->passed())
        findings.push_back(
            {0, fmt::format("the starter {} reaches all goals: nothing is left to do", exercise.starter.name)});
    const auto solution = graded(exercise.solution);
    if (!solution)
        return solution.error();
    if (!solution->passed())
        findings.push_back(
            {0, fmt::format("the solution {} does not reach {}", exercise.solution.name, firstMissed(*solution))});
    // A goal that the starter reaches already may still keep a hand-in from cheating; that all are so is told above.
    const bool hidden = std::any_of(exercise.launches.begin(), exercise.launches.end(),
                                    [](const ExerciseLaunch& l) { return l.hidden; });
    if (!hidden)
        findings.push_back({0, "no launch is hidden: an answer that is written down instead of computed would pass"});
    if (std::all_of(exercise.launches.begin(), exercise.launches.end(),
                    [](const ExerciseLaunch& l) { return l.hidden; }))
        findings.push_back({exercise.launches.front().line, "all launches are hidden: there is nothing to look at"});
    return findings;
}

} // namespace warpglass::session
