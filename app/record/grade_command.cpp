// SPDX-License-Identifier: GPL-3.0-or-later
// `grade`: a hand-in against an exercise. It is read and judged in a child of this process, whose memory and time are
// bounded: what no other limit has caught ends the child, and still gets its sentence here. What runs is a child of that
// one's (gpu/cage), and is not trusted by it.
#include "app/record/command.h"
#include "app/session/child_process.h"
#include "app/session/grade.h"
#include "app/session/grade_words.h"
#include "gpu/base/new_file.h"
#include "gpu/base/read_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpglass::record {

namespace {

using session::Exercise;

struct GradeCommand {
    std::string file, exercise, language = "en", output;
    bool json = false, list = false, starter = false, solution = false, check = false;
    std::uint32_t seconds = session::GradeLimits{}.seconds, compilerSeconds = session::GradeLimits{}.compilerSeconds;
    std::uint32_t memoryMb = std::uint32_t(session::GradeLimits{}.memoryBytes >> 20);
    int threads = 0;

    session::GradeLimits limits() const {
        session::GradeLimits limits;
        limits.seconds = seconds;
        limits.compilerSeconds = compilerSeconds;
        limits.memoryBytes = std::uint64_t(memoryMb) << 20;
        limits.threads = threads;
        return limits;
    }
};

std::string wrapped(const std::string& text) { // `code` without its marks
    std::string out = text;
    std::erase(out, '`');
    return out;
}

int listExercises(const GradeCommand& command) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    std::string text;
    for (const Exercise& e : session::builtInExercises()) {
        const std::string title = wrapped(e.title.in(command.language)),
                          summary = wrapped(e.summary.in(command.language));
        all.push_back({{"name", e.name},
                       {"title", title},
                       {"summary", summary},
                       {"kernel", e.signature()},
                       {"goals", nlohmann::ordered_json::array()}});
        for (const session::ExerciseGoal& g : e.goals)
            all.back()["goals"].push_back(wrapped(g.title.in(command.language)));
        text += fmt::format("{:<24} {}\n{:<24} {}\n", e.name, title, "", summary);
    }
    return print(command.json ? nlohmann::ordered_json{{"exercises", all}}.dump(2) + "\n" : text);
}

// The task as a comment above the text that one starts from.
std::string startingText(const Exercise& exercise, const std::string& language) {
    std::string text;
    std::string line;
    for (const char c : wrapped(exercise.task.in(language)) + "\n") {
        const bool full = c == ' ' && line.size() > 90;
        if (c == '\n' || full) {
            text += "// " + line + "\n";
            line.clear();
        } else {
            line += c;
        }
    }
    const std::string& starter = exercise.starter.text; // without the licence of ours: what follows is the student's
    const bool licensed = starter.starts_with("// SPDX");
    return text + "\n" + (licensed ? starter.substr(starter.find('\n') + 1) : starter);
}

int writeText(const GradeCommand& command, const std::string& text) {
    if (command.output.empty())
        return print(text);
    if (std::filesystem::exists(command.output))
        return report(Error{.message = "the file is there already and is not written over",
                            .file = command.output,
                            .remedy = "Choose another name, or take that file away."},
                      badInput);
    NewFile file(command.output);
    file.stream() << text;
    if (const auto ok = file.finish(); !ok)
        return report(ok.error(), failed);
    return done;
}

int checkExercise(const GradeCommand& command, const Exercise& exercise) {
    Progress progress;
    const auto findings = session::checkExercise(exercise, command.limits(), progress);
    if (!findings)
        return report(findings.error(), failed);
    for (const session::ExerciseFinding& finding : *findings)
        report(Error{.message = finding.text, .file = command.exercise, .line = finding.line}, failed);
    if (!findings->empty())
        return failed;
    return print(fmt::format("{}: the starter misses goals and the solution reaches all {}\n", exercise.name,
                             exercise.goals.size() + 5));
}

int say(const GradeCommand& command, const session::Grade& grade) {
    const std::string text = command.json ? session::gradeJson(grade, command.language).dump(2) + "\n"
                                          : session::gradeText(grade, command.language);
    return print(text, grade.passed() ? done : failed);
}

int gradeHere(const GradeCommand& command, const Exercise& exercise, const session::HandIn& handIn) {
    Progress progress;
    const auto grade = session::grade(exercise, handIn, command.limits(), progress);
    return grade ? say(command, *grade) : report(grade.error(), badInput);
}

constexpr int noMemoryStatus = 9;

// Of a child that a limit has ended.
int sayEnded(const GradeCommand& command, const Exercise& exercise, const session::HandIn& handIn, bool outOfTime) {
    session::Grade grade = session::nothingJudged(exercise, handIn);
    session::GoalGrade& ends = *std::find_if(grade.goals.begin(), grade.goals.end(),
                                             [](const session::GoalGrade& g) { return g.goal == "ends"; });
    ends.state = session::GoalState::Missed;
    ends.found = outOfTime ? session::words::outOfTime(command.seconds + command.compilerSeconds)
                           : session::LocalWords{"it took more memory than it may", "占用的内存超过限制"};
    ends.help = outOfTime ? session::words::outOfTimeHelp() : session::words::tooMuchMemoryHelp();
    return say(command, grade);
}

// Of one that broke: a fault of ours, and no grade.
int sayBroken(const session::HandIn& handIn, int signal) {
    return report(
        Error{.message = fmt::format("it could not be graded: what reads and judges it broke (signal {})", signal),
              .file = handIn.name,
              .remedy = "Please report it, with the hand-in, the exercise's name and what --version says."},
        badInput);
}

int gradeInChild(const GradeCommand& command, const Exercise& exercise, const session::HandIn& handIn) {
    std::cout.flush();
    const pid_t child = fork(); // before there is any other thread
    if (child < 0)
        return gradeHere(command, exercise, handIn);
    if (child == 0) {
        // Threads and libraries reserve addresses that they never use.
        constexpr std::uint64_t ofTheProgram = std::uint64_t(4) << 30;
        const std::uint64_t memory = command.limits().memoryBytes;
        rlimit limit{};
        getrlimit(RLIMIT_AS, &limit);
        limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, memory * 2 + ofTheProgram);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // which map terabytes for themselves
        setrlimit(RLIMIT_AS, &limit);
#endif
        setenv("WARPGLASS_MEMORY", fmt::format("{}M", command.memoryMb).c_str(), 1);
        int status = failed;
        try {
            status = gradeHere(command, exercise, handIn);
        } catch (const std::bad_alloc&) {
            status = noMemoryStatus; // the parent says so
        }
        std::_Exit(status);
    }
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::seconds(std::uint64_t(command.seconds) + command.compilerSeconds + 10);
    int status = 0;
    bool outOfTime = false;
    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR))
            break;
        if (!outOfTime && std::chrono::steady_clock::now() > end) {
            outOfTime = true;
            session::endWithItsOwn(child);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (outOfTime || (WIFEXITED(status) && WEXITSTATUS(status) == noMemoryStatus))
        return sayEnded(command, exercise, handIn, outOfTime);
    return WIFEXITED(status) ? WEXITSTATUS(status) : sayBroken(handIn, WTERMSIG(status));
}

int run(const GradeCommand& command) {
    if (command.list)
        return listExercises(command);
    if (command.exercise.empty())
        return report(Error{.message = "an exercise is missing",
                            .file = "--exercise",
                            .remedy = "grade --list names those of the program."},
                      badInput);
    const auto exercise = session::findExercise(command.exercise);
    if (!exercise)
        return report(exercise.error(), badInput);
    if (command.check)
        return checkExercise(command, *exercise);
    if (command.starter)
        return writeText(command, startingText(*exercise, command.language));
    if (command.solution)
        return writeText(command, exercise->solution.text);
    const std::filesystem::path path(command.file);
    if (path.extension() != ".cu" && path.extension() != ".ptx")
        return report(
            Error{.message = command.file.empty() ? "a hand-in is missing" : "a hand-in is a .cu or .ptx file",
                  .file = command.file,
                  .remedy = "grade FILE.cu --exercise NAME"},
            badInput);
    auto text = readFile(path);
    if (!text)
        return report(text.error(), badInput);
    tellMissingWalls();
    return gradeInChild(command, *exercise, {path.filename().string(), std::move(*text), nullptr});
}

} // namespace

void addGrade(const Command& app, Action& action) {
    auto command = std::make_shared<GradeCommand>();
    const Command sub =
        app.command("grade", "Grade a hand-in: run a kernel on an exercise's launches and judge its goals");
    sub.option("file", &command->file, "the hand-in: FILE.cu or FILE.ptx");
    sub.option("--exercise", &command->exercise, "a name that --list tells, or FILE.json");
    sub.flag("--list", command->list, "list the exercises");
    sub.flag("--starter", command->starter, "write the text that one starts from");
    sub.flag("--solution", command->solution, "write the solution");
    sub.option("-o,--output", &command->output, "where it is written; else to standard output");
    sub.flag("--check", command->check, "check the exercise itself: its starter must fail, its solution pass");
    sub.option("--time", &command->seconds, "seconds for all launches together").inRange(1, 3600).showDefault();
    sub.option("--compiler-time", &command->compilerSeconds, "seconds for the compiler").inRange(1, 3600).showDefault();
    sub.option("--memory", &command->memoryMb, "MB that a launch may take").inRange(16, 1 << 20).showDefault();
    sub.option("--threads", &command->threads, "host threads; 0 = all").inRange(0, 1024);
    sub.option("--lang", &command->language, "language of the sentences").oneOf({"en", "zh_CN"}).showDefault();
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return run(*command); }; });
}

} // namespace warpglass::record
