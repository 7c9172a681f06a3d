// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/exercise.h"
#include "gpu/base/messages/session.h"

#include "app/session/exercise_files.h"
#include "app/session/kernel_file.h"
#include "gpu/base/read_file.h"
#include "gpu/launch/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace warpglass::session {

namespace {

using nlohmann::json;

constexpr const char* anExercise = "an exercise";
constexpr std::uint64_t mostExerciseBytes = 4 << 20;

std::string placeIn(const std::string& list, std::size_t index) {
    return fmt::format("{}[{}]", list, index);
}

const json& listOf(const json& object, const std::string& path, const char* name, bool mayBeEmpty) {
    const json* list = member(object, name);
    if (!list || !list->is_array() || (list->empty() && !mayBeEmpty))
        jsonWrong(pathOf(path, name), mayBeEmpty ? "is missing, or no list" : "is missing, empty, or no list");
    return *list;
}

ExerciseSource sourceOf(const json& object, const char* name, CompileMode mode, const FileBeside& beside) {
    if (!member(object, name))
        jsonWrong(name, "is missing");
    ExerciseSource source;
    source.name = jsonText(*member(object, name), name);
    // A plain name: what a stranger's exercise calls its starter is no way to read other files.
    if (!source.name.ends_with(".cu") || !isPlainName(source.name))
        jsonWrong(name, "is not the name of a .cu file beside the exercise");
    const auto text = beside(source.name);
    if (!text)
        jsonWrong(name, fmt::format("\"{}\" does not lie beside the exercise, or cannot be read", source.name));
    source.text = *text;
    if (auto ptx = beside(source.name.substr(0, source.name.size() - 3) + ".ptx"))
        source.compiled = std::make_shared<CompiledText>(
            CompiledText{.ptx = std::move(*ptx), .text = source.text, .instance = {}, .mode = mode});
    return source;
}

// work: of all launches so far, whose right results are worked out here, whatever limits their runs have.
ExerciseLaunch launch(const json& object, const std::string& path, const Exercise& exercise, const JsonLines& lines,
                      double& work) {
    constexpr double mostWork = 1 << 26;
    onlyKnown(object, path,
              {"grid", "block", "shared", "device", "arguments", "reconvergence", "detail", "right", "hidden"},
              "a launch of an exercise");
    ExerciseLaunch result;
    result.line = lines.of(path);
    result.request = launchOf(object, path);
    result.request.launch.mode = exercise.mode;
    result.hidden = jsonFlag(object, "hidden", path);
    const json& right = listOf(object, path, "right", false);
    for (std::size_t i = 0; i < right.size(); ++i) {
        const std::string here = placeIn(path + ".right", i);
        auto formula = parseFormula(jsonText(right[i], here));
        if (!formula)
            jsonWrong(here, "is wrong: " + formula.error().message);
        result.right.push_back(std::move(*formula));
    }
    const auto arguments = parseArguments(result.request.arguments);
    if (!arguments)
        jsonWrong(path + ".arguments", "are wrong: " + arguments.error().text());
    if ((work += workOf(result.right, *arguments)) > mostWork)
        jsonWrong(path + ".right", "has too many elements to be worked out");
    if (const auto values = rightResult(result.right, *arguments, exercise.tolerance); !values)
        jsonWrong(path + ".right", "is wrong: " + values.error().message);
    return result;
}

ExerciseGoal goal(const json& object, const std::string& path, std::size_t launches, const JsonLines& lines) {
    onlyKnown(object, path, {"title", "expect", "help", "launches"}, "a goal of an exercise");
    ExerciseGoal result;
    result.line = lines.of(path);
    result.title = jsonWords(object, "title", path, true);
    result.help = jsonWords(object, "help", path, true);
    if (!member(object, "expect"))
        jsonWrong(path + ".expect", "is missing");
    auto expectation = parseExpectation(jsonText(*member(object, "expect"), path + ".expect"));
    if (!expectation)
        jsonWrong(path + ".expect", "is wrong: " + expectation.error().message);
    result.expectation = std::move(*expectation);
    if (const json* of = member(object, "launches"); of)
        for (const json& n : listOf(object, path, "launches", false)) {
            if (!n.is_number_unsigned() || n.get<std::uint64_t>() < 1 || n.get<std::uint64_t>() > launches)
                jsonWrong(path + ".launches", "names a launch that is not there; they are counted from 1");
            result.launches.push_back(n.get<int>());
        }
    return result;
}

Exercise exercise(const json& object, const JsonLines& lines, const FileBeside& beside) {
    onlyKnown(object, "",
              {"format", "name", "order", "title", "summary", "task", "kernel", "starter", "solution", "mode",
               "tolerance", "device_launches", "asynchronous", "launches", "goals", "hints"},
              anExercise);
    checkHead(object, anExercise);
    Exercise result;
    result.name = jsonText(*member(object, "name"), "name");
    result.order = orderOf(object);
    result.title = jsonWords(object, "title", "", true);
    result.summary = jsonWords(object, "summary", "", false);
    result.task = jsonWords(object, "task", "", true);
    result.mode = launchOf(object, "").launch.mode;
    if (!member(object, "kernel"))
        jsonWrong("kernel", "is missing");
    result.kernel = jsonText(*member(object, "kernel"), "kernel");
    if (const json* tolerance = member(object, "tolerance")) {
        if (!tolerance->is_number() || tolerance->get<double>() < 0)
            jsonWrong("tolerance", "is not a number from 0 on");
        result.tolerance = tolerance->get<double>();
    }
    result.deviceLaunches = jsonFlag(object, "device_launches", "");
    result.asynchronous = jsonFlag(object, "asynchronous", "");
    result.starter = sourceOf(object, "starter", result.mode, beside);
    result.solution = sourceOf(object, "solution", result.mode, beside);
    const std::vector<SourceKernel> kernels = factsOfSource(result.starter.text).kernels;
    if (std::none_of(kernels.begin(), kernels.end(), [&](const SourceKernel& k) { return k.name == result.kernel; }))
        jsonWrong("kernel", fmt::format("\"{}\" is not in the starter", result.kernel));
    const json& launches = listOf(object, "", "launches", false);
    double work = 0;
    for (std::size_t i = 0; i < launches.size(); ++i)
        result.launches.push_back(launch(launches[i], placeIn("launches", i), result, lines, work));
    const json& goals = listOf(object, "", "goals", true);
    for (std::size_t i = 0; i < goals.size(); ++i)
        result.goals.push_back(goal(goals[i], placeIn("goals", i), launches.size(), lines));
    if (member(object, "hints")) {
        const json& hints = listOf(object, "", "hints", true);
        for (std::size_t i = 0; i < hints.size(); ++i)
            result.hints.push_back(jsonWords({{"hint", hints[i]}}, "hint", placeIn("hints", i), true));
    }
    return result;
}

std::optional<std::string> builtInFile(const std::string& name) {
    const ExerciseFile* const end = exerciseFiles() + exerciseFileCount();
    const ExerciseFile* const file =
        std::find_if(exerciseFiles(), end, [&](const ExerciseFile& f) { return f.name == name; });
    return file == end ? std::nullopt : std::optional(std::string(file->text));
}

} // namespace

std::string Exercise::signature() const {
    for (const SourceKernel& k : factsOfSource(starter.text).kernels) {
        if (k.name != kernel)
            continue;
        std::string parameters;
        for (std::size_t i = 0; i < k.parameters.size(); ++i)
            parameters += fmt::format("{}{} {}", i ? ", " : "", k.types[i], k.parameters[i]);
        return fmt::format("{}({})", kernel, parameters);
    }
    return kernel;
}

Result<Exercise> parseExercise(std::string_view text, const std::string& fileName, const FileBeside& beside) {
    Exercise result;
    const auto read = readJson(text, fileName, "the exercise", [&](const json& object, const JsonLines& lines) {
        result = exercise(object, lines, beside);
    });
    if (!read)
        return read.error();
    return result;
}

Result<Exercise> readExercise(const std::string& path) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const auto text = readFile(path, mostExerciseBytes);
    if (!text)
        return text.error();
    return parseExercise(*text, path, [&](const std::string& name) -> std::optional<std::string> {
        if (!staysInItsFolder(folder / name))
            return std::nullopt;
        auto beside = readFile(folder / name, mostExerciseBytes);
        return beside ? std::optional(std::move(*beside)) : std::nullopt;
    });
}

const std::vector<Exercise>& builtInExercises() {
    static const std::vector<Exercise> all = [] {
        std::vector<Exercise> list;
        for (std::size_t i = 0; i < exerciseFileCount(); ++i) {
            const ExerciseFile& file = exerciseFiles()[i];
            if (!file.name.ends_with(".json"))
                continue;
            if (auto parsed = parseExercise(file.text, std::string(file.name), builtInFile))
                list.push_back(std::move(*parsed));
        }
        std::sort(list.begin(), list.end(), [](const Exercise& a, const Exercise& b) {
            return std::pair(a.order.value_or(lastOrder + 1), a.name) <
                   std::pair(b.order.value_or(lastOrder + 1), b.name);
        });
        return list;
    }();
    return all;
}

Result<Exercise> findExercise(const std::string& nameOrPath) {
    for (const Exercise& e : builtInExercises())
        if (e.name == nameOrPath)
            return e;
    if (nameOrPath.ends_with(".json"))
        return readExercise(nameOrPath);
    std::string names;
    for (const Exercise& e : builtInExercises())
        names += (names.empty() ? "" : ", ") + e.name;
    return Error{.message = say::NoExercise(nameOrPath), .file = "--exercise", .remedy = say::ExercisesAre(names)};
}

} // namespace warpglass::session
