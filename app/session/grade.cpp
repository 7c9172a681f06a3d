// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/grade.h"

#include "app/session/compiler.h"
#include "app/session/grade_words.h"
#include "app/session/hand_in.h"
#include "app/session/kernel_file.h"
#include "app/session/uncounted.h"
#include "gpu/base/catalogue.h"
#include "gpu/base/messages/session.h"
#include "gpu/base/parallel.h"
#include "gpu/cage/caged_emulator.h"
#include "gpu/launch/arguments.h"
#include "gpu/ptx/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <set>
#include <stop_token>
#include <thread>

namespace warpglass::session {

namespace {

constexpr const char* builtInGoals[] = {"compiles", "kernel", "ends", "clean", "result"};
constexpr std::size_t longestHandIn = 1 << 20;
constexpr std::uint64_t mostCompiledBytes = 64 << 20; // a file of the compiler's

// Cancels the run when its time is over, or when whoever waits for the grade has cancelled.
class RunWatch {
public:
    RunWatch(Progress& outer, std::chrono::steady_clock::time_point end)
        : m_thread([this, &outer, end](const std::stop_token& stop) {
              std::unique_lock lock(m_mutex);
              while (!stop.stop_requested()) {
                  m_over = std::chrono::steady_clock::now() >= end;
                  if (m_over || outer.cancelled())
                      return run.cancel();
                  m_wake.wait_for(lock, stop, std::chrono::milliseconds(20), [] { return false; });
              }
          }) {}
    ~RunWatch() {
        m_thread.request_stop();
        m_thread.join();
    }
    RunWatch(const RunWatch&) = delete;
    RunWatch& operator=(const RunWatch&) = delete;

    bool over() const { return m_over; }
    Progress run;

private:
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::atomic<bool> m_over = false;
    std::jthread m_thread; // last: it uses the others
};

// "a.cu:7: message" of a compiler's or the parser's error, without the extract that follows in other lines.
std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

// "There is an instruction ...\n  line 32: ..." in one line.
std::string oneLine(const std::string& text) {
    std::string line;
    for (const char c : text)
        if (c != '\n' && (c != ' ' || !line.ends_with(' ')))
            line += c;
        else if (c == '\n')
            line += ": ";
    return line;
}

LocalWords bothFirst(const Said& said) {
    return {firstLine(said.text()), firstLine(wholeText(said.message(), {MessageLanguage::Chinese, {}, {}}))};
}
LocalWords bothOnOneLine(const Said& said) {
    return {oneLine(said.text()), oneLine(wholeText(said.message(), {MessageLanguage::Chinese, {}, {}}))};
}

class Grading {
public:
    Grading(const Exercise& exercise, const HandIn& handIn, const GradeLimits& limits, Progress& progress)
        : m_exercise(exercise), m_handIn(handIn), m_limits(limits), m_progress(progress),
          m_end(std::chrono::steady_clock::now() + std::chrono::seconds(limits.seconds + limits.compilerSeconds)) {
        m_grade = nothingJudged(exercise, handIn);
        m_name = handIn.name;
        cage::Limits cage{.memoryBytes = limits.memoryBytes};
        cage.cpuSeconds = limits.seconds * std::uint32_t(threadsFor(limits.threads)) + 10;
        m_emulator = makeCagedEmulator(cage);
    }

    Result<Grade> all() {
        if (m_scratch.path.empty())
            return ScratchFolder::missing();
        auto compiled = compile();
        if (!compiled)
            return compiled.error();
        if (*compiled && hasKernel()) {
            m_end = std::chrono::steady_clock::now() + std::chrono::seconds(m_limits.seconds);
            for (std::size_t i = 0; i < m_exercise.launches.size(); ++i) {
                if (std::chrono::steady_clock::now() >= m_end) { // nothing of it is begun, its right values neither
                    notEnded(i);
                    continue;
                }
                if (auto ok = launch(i); !ok)
                    return ok.error();
            }
            // What has been missed by no launch, and was judged by all of them.
            for (GoalGrade& goal : m_grade.goals)
                if (goal.state == GoalState::NotJudged && m_unjudged.count(goal.goal) == 0)
                    goal.state = GoalState::Reached;
        }
        return std::move(m_grade);
    }

private:
    GoalGrade& goal(const std::string& name) {
        return *std::find_if(m_grade.goals.begin(), m_grade.goals.end(),
                             [&](const GoalGrade& g) { return g.goal == name; });
    }
    // The first reason stays: a launch that comes later seldom tells more.
    void miss(const std::string& name, LocalWords found, LocalWords help, int line = 0, int launch = 0) {
        GoalGrade& missed = goal(name);
        if (missed.state == GoalState::Missed)
            return;
        missed.state = GoalState::Missed;
        missed.found = std::move(found);
        missed.help = std::move(help);
        missed.line = line;
        missed.launch = launch;
    }
    bool isCuda() const { return m_handIn.name.ends_with(".cu"); }

    RunRequest source() const {
        RunRequest request;
        request.kernel = (m_scratch.path / m_name).string(); // nothing lies there: its includes find nothing
        request.text = m_handIn.text;
        request.compiled = m_compiled;
        request.launch.mode = m_exercise.mode;
        request.compile.closed = true;
        request.compile.limits.fileBytes = mostCompiledBytes;
        request.compile.limits.cpuSeconds = m_limits.compilerSeconds;
        request.compile.limits.wallSeconds = m_limits.compilerSeconds;
        request.compile.limits.memoryBytes = 4 * m_limits.memoryBytes;
        return request;
    }

    // False: it does not compile, and that is said. Error: there is no compiler.
    Result<bool> compile() {
        if (m_handIn.text.find_first_not_of(" \t\r\n") == std::string::npos) {
            miss("compiles", words::emptyFile(), words::emptyFileHelp(m_exercise));
            return false;
        }
        if (m_handIn.text.size() > longestHandIn) {
            miss("compiles", {"the file has more than 1 MB", "文件超过 1 MB"}, words::emptyFileHelp(m_exercise));
            return false;
        }
        if (const auto byte = forbiddenByte(m_handIn.text)) {
            miss("compiles", words::forbidden(byte->text), words::forbiddenByteHelp(), byte->line);
            return false;
        }
        if (isCuda())
            if (const auto include = forbiddenInclude(m_handIn.text)) {
                miss("compiles", words::forbidden(include->text), words::forbiddenHelp(), include->line);
                return false;
            }
        m_compiled = m_handIn.compiled;
        for (const ExerciseSource* known : {&m_exercise.starter, &m_exercise.solution})
            if (!m_compiled && isCuda() && known->compiled && known->text == m_handIn.text) {
                m_compiled = known->compiled;
                m_name = known->name; // which its line table names
            }
        auto file = lookInto(source());
        if (!file && file.error().message.id() == say::NoCompiler.id)
            return file.error();
        if (!file && file.error().message.id() == say::FileNoKernel.id) { // lookInto's: it does compile
            m_file = KernelFile{};
        } else if (!file) {
            const Error& error = file.error();
            const bool stopped =
                (error.message.id() == say::CompilerEndless.id || error.message.id() == say::CompilerKilled.id);
            miss("compiles", bothFirst(error.message), stopped ? words::compilerEndless() : words::compileHelp(),
                 error.line);
            return false;
        } else {
            m_file = std::move(*file);
            if (isCuda())
                m_compiled = m_file.compiled;
        }
        goal("compiles").state = GoalState::Reached;
        return true;
    }

    bool hasKernel() {
        std::string there;
        const FileKernel* kernel = nullptr;
        for (const FileKernel& k : m_file.kernels) {
            if (k.entry == m_exercise.kernel || k.signature.starts_with(m_exercise.kernel + "("))
                kernel = &k;
            there += (there.empty() ? "" : ", ") + k.signature;
        }
        for (const std::string& open : m_file.templates)
            there += (there.empty() ? "" : ", ") + open;
        if (!kernel) {
            miss("kernel", words::noKernel(m_exercise, there), words::noKernelHelp(m_exercise));
            return false;
        }
        m_entry = kernel->entry;
        const auto arguments = parseArguments(m_exercise.launches.front().request.arguments);
        bool fits = arguments && arguments->size() == kernel->parameters.size();
        for (std::size_t i = 0; fits && i < kernel->parameters.size(); ++i) {
            const Argument& given = (*arguments)[i];
            const KernelParameter& takes = kernel->parameters[i];
            const bool isPointer = takes.isPointer || takes.type == ".u64"; // of PTX alone
            const bool sameKind = !takes.isPointer || takes.elementsEach != 1 ||
                                  bytesOf(takes.element) == bytesOf(given.type) || takes.type.starts_with(".");
            fits = given.isBuffer ? isPointer && takes.bytes == 8 && sameKind
                                  : !takes.isPointer && takes.bytes == given.scalar.size();
        }
        if (!fits) {
            miss("kernel", words::otherParameters(kernel->signature), words::otherParametersHelp(m_exercise),
                 kernel->line);
            return false;
        }
        goal("kernel").state = GoalState::Reached;
        return true;
    }

    int lineOfSite(const Trace& trace, std::uint32_t site) const {
        if (site >= trace.sites.size())
            return 0;
        const Site& s = trace.sites[site];
        return isCuda() ? int(sourceLineOf(trace.kernels[s.kernel], s)) : int(s.ptxLine);
    }
    int lineOf(const Diagnostic& d) const { return isCuda() ? int(d.source.line) : int(d.ptxLine); }

    Result<void> launch(std::size_t index) {
        const ExerciseLaunch& wanted = m_exercise.launches[index];
        const int number = int(index) + 1;
        RunRequest request = source();
        request.launch = wanted.request.launch;
        request.options = wanted.request.options;
        request.arguments = wanted.request.arguments;
        request.entry = m_entry;
        request.countRegisters = false; // the same grade where there is no assembler
        request.options.checkRaces = true;
        request.options.instructionLimit = m_limits.instructionsOfWarp;
        request.options.threads = m_limits.threads;
        auto plan = planOf(request);
        if (!plan) {
            notJudged(index);
            miss("ends", words::inLaunch(bothOnOneLine(plan.error().message), wanted, number),
                 words::launchRefusedHelp(), 0, number);
            return {};
        }
        if (const auto way = uncountedWay(plan->ptx)) {
            notJudged(index);
            miss("ends", words::inLaunch(words::uncounted(way->what), wanted, number), words::uncountedHelp(),
                 isCuda() ? int(way->sourceLine) : way->ptxLine, number);
            return {};
        }
        const auto right = rightResult(wanted.right, plan->arguments, m_exercise.tolerance);
        if (!right)
            return Error{.message = right.error().message, .line = wanted.line};
        WrongValues wrong;
        plan->check = [&](const Buffers& buffers) {
            wrong = right->judge(plan->arguments, buffers);
            return wrong.wrong ? CheckResult{Check::Wrong, words::wrongResult(wrong).en, wrong.wrong, wrong.of}
                               : CheckResult{Check::Ok, {}, 0, wrong.of};
        };
        RunWatch watch(m_progress, m_end);
        const auto recording = runPlan(request, *plan, *m_emulator, watch.run);
        if (m_progress.cancelled())
            return Error{.message = say::GradingStopped};
        if (!recording && isOfTheCage(recording.error())) { // which is no fault of the hand-in's, and no grade
            Error error = recording.error();
            error.message = say::NotGraded(error.message);
            error.file = m_handIn.name;
            return error;
        }
        if (!recording) {
            if (watch.over()) {
                notEnded(index);
                return {};
            }
            // Refused before the first instruction: one that is unknown, too much memory.
            notJudged(index);
            miss("ends", words::inLaunch(bothOnOneLine(recording.error().message), wanted, number),
                 recording.error().line > 0 ? words::unknownInstructionHelp() : words::tooMuchMemoryHelp(),
                 isCuda() ? 0 : recording.error().line, number);
            return {};
        }
        judgeRun(index, *recording, wrong);
        return {};
    }

    std::optional<Uncounted> uncountedWay(const std::string& ptx) const {
        const auto module = ptx::parse(ptx, m_name);
        return module ? firstUncounted(*module, m_exercise.asynchronous) : std::nullopt;
    }

    void notEnded(std::size_t index) {
        const int number = int(index) + 1;
        notJudged(index);
        miss("ends", words::inLaunch(words::outOfTime(m_limits.seconds), m_exercise.launches[index], number),
             words::outOfTimeHelp(), 0, number);
    }

    // Goals of a launch that has no end, or none that counts.
    void notJudged(std::size_t index) {
        m_unjudged.insert("clean");
        m_unjudged.insert("result");
        for (std::size_t g = 0; g < m_exercise.goals.size(); ++g)
            if (concerns(m_exercise.goals[g], int(index) + 1))
                m_unjudged.insert(fmt::format("goal {}", g + 1));
    }
    static bool concerns(const ExerciseGoal& goal, int launch) {
        return goal.launches.empty() ||
               std::find(goal.launches.begin(), goal.launches.end(), launch) != goal.launches.end();
    }

    void judgeRun(std::size_t index, const Recording& recording, const WrongValues& wrong) {
        const ExerciseLaunch& wanted = m_exercise.launches[index];
        const int number = int(index) + 1;
        const Trace& trace = *recording.trace;
        if (trace.launches.size() > 1 && !m_exercise.deviceLaunches) {
            // What a grid does that the kernel launches is in no number of the kernel's own.
            miss("ends", words::inLaunch(words::launchesOthers(), wanted, number), words::launchesOthersHelp(),
                 lineOfSite(trace, trace.launches[1].site), number);
            notJudged(index);
            return;
        }
        for (const Diagnostic& d : trace.diagnostics)
            miss(d.fatal ? "ends" : "clean", words::inLaunch(bothFirst(d.message), wanted, number),
                 words::diagnosticHelp(d), lineOf(d), number);
        if (recording.fault) {
            miss("ends", words::inLaunch(bothFirst(recording.fault->message), wanted, number),
                 words::diagnosticHelp(DiagnosticKind::Other), 0, number);
            notJudged(index);
            return;
        }
        if (recording.check.check != Check::Ok)
            miss("result", words::inLaunch(words::wrongResult(wrong), wanted, number),
                 words::wrongResultHelp(m_someRight, wanted.hidden), 0, number);
        else
            m_someRight = true;
        const Observed observed{.trace = &trace, .check = recording.check};
        for (std::size_t g = 0; g < m_exercise.goals.size(); ++g)
            if (concerns(m_exercise.goals[g], number))
                judgeGoal(g, index, observed);
    }

    void judgeGoal(std::size_t g, std::size_t index, const Observed& observed) {
        const ExerciseGoal& wanted = m_exercise.goals[g];
        const Judgement judgement = judge(wanted.expectation, observed);
        if (judgement.holds)
            return;
        const int line = costliestLine(wanted.expectation, observed);
        LocalWords found{judgement.found, judgement.found};
        if (line > 0)
            found = words::mostAtLine(std::move(found), line);
        miss(fmt::format("goal {}", g + 1),
             words::inLaunch(std::move(found), m_exercise.launches[index], int(index) + 1), wanted.help, line,
             int(index) + 1);
    }

    // Where the first fact of an expectation is largest; 0: it cannot be asked of lines, or there is none of it.
    int costliestLine(const Expectation& expectation, const Observed& observed) const {
        if (expectation.relations.front() == Relation::More || expectation.relations.front() == Relation::MoreOrEqual)
            return 0; // too little: no line is to blame
        for (const Side& side : expectation.sides)
            for (const Term& term : side.terms) {
                if (!term.isFact)
                    continue;
                const Fact* fact = findFact(term.name);
                if (std::find(fact->numbered.begin(), fact->numbered.end(), "line") == fact->numbered.end() ||
                    term.place.has("line") || term.place.has("ptx"))
                    return 0;
                return costliestLine(*fact, term, observed);
            }
        return 0;
    }
    int costliestLine(const Fact& fact, const Term& term, const Observed& observed) const {
        const Trace& trace = *observed.trace;
        const Kernel& kernel = trace.kernelOf(trace.launches.front());
        std::set<std::uint32_t> lines; // of the source, or of a hand-in that is PTX itself
        for (const InstructionCount& c : trace.countsOf(0))
            lines.insert(isCuda() ? sourceLineOf(kernel, c) : c.ptxLine);
        int costliest = 0;
        double most = 0;
        for (const std::uint32_t line : lines) {
            FactPlace place = term.place;
            place.words.emplace_back(isCuda() ? "line" : "ptx", line);
            const FactValue value = line > 0 ? valueOf(fact, term.name, observed, place) : FactValue{};
            if (value.number.value_or(0) > most) {
                most = *value.number;
                costliest = int(line);
            }
        }
        return costliest;
    }

    const Exercise& m_exercise;
    const HandIn& m_handIn;
    const GradeLimits& m_limits;
    Progress& m_progress;
    std::chrono::steady_clock::time_point m_end;
    std::unique_ptr<Backend> m_emulator;
    ScratchFolder m_scratch;
    Grade m_grade;
    KernelFile m_file;
    std::string m_name; // of the source as it is compiled
    std::shared_ptr<const CompiledText> m_compiled;
    std::string m_entry;
    std::set<std::string> m_unjudged;
    bool m_someRight = false; // of the launches so far
};

} // namespace

Grade nothingJudged(const Exercise& exercise, const HandIn& handIn) {
    Grade grade{.exercise = exercise.name, .file = handIn.name, .goals = {}};
    for (const char* goal : builtInGoals)
        grade.goals.push_back({.goal = goal, .title = words::title(goal, exercise)});
    for (std::size_t i = 0; i < exercise.goals.size(); ++i)
        grade.goals.push_back({.goal = fmt::format("goal {}", i + 1), .title = exercise.goals[i].title});
    return grade;
}

bool Grade::passed() const {
    return std::all_of(goals.begin(), goals.end(), [](const GoalGrade& g) { return g.state == GoalState::Reached; });
}

int Grade::reached() const {
    return int(
        std::count_if(goals.begin(), goals.end(), [](const GoalGrade& g) { return g.state == GoalState::Reached; }));
}

Result<Grade> grade(const Exercise& exercise, const HandIn& handIn, const GradeLimits& limits, Progress& progress) {
    return Grading(exercise, handIn, limits, progress).all();
}

} // namespace warpglass::session
