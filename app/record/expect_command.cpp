// SPDX-License-Identifier: GPL-3.0-or-later
// `expect` runs what a file of budgets names and holds the numbers against it (app/record/budgets.h, docs/expect.md).
#include "app/record/budgets.h"
#include "app/record/command.h"
#include "app/record/interrupt.h"
#include "app/record/recorded_launch.h"
#include "app/session/assembled.h"
#include "app/session/compiler.h"
#include "app/session/triton.h"
#include "gpu/base/new_file.h"
#include "gpu/base/quantity.h"
#include "gpu/base/read_file.h"
#include "gpu/program/program_file.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <unistd.h>

namespace warpglass::record {

namespace {

namespace fs = std::filesystem;
namespace prog = program;

struct ExpectCommand {
    std::string spec, junit, sarif, markdown, keep;
    std::vector<std::string> only;
    bool update = false, json = false, noPrograms = false;
};

// What a program prints on its standard output goes to standard error while this lives: ours is for the answer.
class OutputAside {
public:
    OutputAside() : m_kept(dup(STDOUT_FILENO)) {
        std::fflush(stdout);
        dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    ~OutputAside() {
        std::fflush(stdout);
        if (m_kept >= 0) {
            dup2(m_kept, STDOUT_FILENO);
            close(m_kept);
        }
    }
    OutputAside(const OutputAside&) = delete;
    OutputAside& operator=(const OutputAside&) = delete;

private:
    int m_kept;
};

class Expecter {
public:
    Expecter(const ExpectCommand& command, BudgetFile& file, fs::path begun, fs::path folder)
        : m_command(command), m_file(file), m_begun(std::move(begun)), m_folder(std::move(folder)),
          m_interrupt(m_progress) {}

    // Error: the file of budgets is wrong.
    Result<void> run() {
        std::vector<std::string> words{"kernel"};
        words.insert(words.end(), m_file.options.begin(), m_file.options.end());
        const auto usual = kernelWordsOf(words);
        if (!usual)
            return inSpec(usual.error(), 1);
        for (const BudgetEntry& entry : m_file.entries) {
            if (m_progress.cancelled())
                return Error{.message = "cancelled"};
            const auto& only = m_command.only;
            if (!only.empty() && std::find(only.begin(), only.end(), entry.own.name) == only.end()) {
                keepBefore(entry);
                continue;
            }
            if (auto ok = entry.isProgram ? runProgram(entry) : runKernel(entry, usual->run); !ok)
                return ok;
        }
        return {};
    }

    BudgetReport report;
    std::map<std::string, LaunchNumbers> now;
    bool isCancelled() const { return m_progress.cancelled(); }

private:
    Error inSpec(Error error, int line) const {
        if (!error.file.empty())
            error.message = fmt::format("{}: {}", error.file, error.message.text());
        error.file = m_file.name;
        error.line = line;
        return error;
    }
    const LaunchNumbers* before(const std::string& name) const {
        const auto found = m_file.before.find(name);
        return found == m_file.before.end() ? nullptr : &found->second;
    }
    void keepBefore(const BudgetEntry& entry) {
        for (const auto& [name, numbers] : m_file.before)
            if (name == entry.own.name || name.starts_with(entry.own.name + "/"))
                now.emplace(name, numbers);
    }
    void add(std::vector<Finding> findings) {
        for (Finding& f : findings)
            report.findings.push_back(std::move(f));
    }
    std::string fromStart(const fs::path& file) const { // as an editor and a review know it
        return file.empty() ? "" : (m_folder / file).lexically_normal().lexically_relative(m_begun).generic_string();
    }
    void keepTrace(const LaunchBudgets& budgets, const Trace& trace) {
        if (m_command.keep.empty())
            return;
        std::string name = budgets.name;
        std::replace_if(
            name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c) && c != '-' && c != '.'; }, '_');
        std::error_code failure;
        fs::create_directories(m_command.keep, failure);
        if (auto ok = writeTrace(trace, (fs::path(m_command.keep) / (name + ".wgt")).string(), m_progress); !ok)
            say(ok.error().text());
    }

    Result<void> runKernel(const BudgetEntry& entry, const RunWords& usual) {
        auto words = kernelWordsOf(entry.words, usual);
        if (!words)
            return inSpec(words.error(), entry.own.line);
        const std::string file = fs::path(words->kernel).has_extension() ? fromStart(words->kernel) : "";
        auto request = requestOf(words->kernel, words->run);
        const auto failed = [&](const Error& error) {
            add({notRun(entry.own, error.text(), file, error.line)});
            keepBefore(entry);
        };
        if (!request) {
            if (!session::isTritonFile(words->kernel))
                return inSpec(request.error(), entry.own.line);
            failed(request.error()); // what Triton says of the file
            return {};
        }
        auto plan = session::planOf(*request);
        if (!plan) {
            failed(plan.error());
            return {};
        }
        if (session::isCaged(*request) && !m_toldOfWalls) {
            tellMissingWalls();
            m_toldOfWalls = true;
        }
        auto recording = session::runPlan(*request, *plan, m_progress);
        if (!recording) {
            failed(recording.error());
            return {};
        }
        if (recording->fault) {
            failed(session::faultOf(*recording, *request));
            keepTrace(entry.own, *recording->trace);
            return {};
        }
        Measured measured{
            .trace = recording->trace.get(), .check = recording->check, .fault = {}, .assembled = {}, .numbers = {}};
        if (session::isCaged(*request))
            measured.assembled = session::assembledOf(*plan, request->options.device);
        else if (asksSpills(entry.own))
            measured.assembled = session::assembledOf(*recording->trace, request->options.device);
        judge(entry.own, measured, file);
        return {};
    }
    static bool asksSpills(const LaunchBudgets& budgets) {
        return std::any_of(budgets.budgets.begin(), budgets.budgets.end(),
                           [](const Budget& b) { return b.key == "spills"; });
    }

    void judge(const LaunchBudgets& budgets, Measured& measured, const std::string& file) {
        measured.numbers = numbersOf(*measured.trace, measured.assembled);
        auto findings = judgeLaunch(budgets, measured, before(budgets.name), file);
        if (std::any_of(findings.begin(), findings.end(),
                        [](const Finding& f) { return f.state == BudgetState::Broken; }))
            keepTrace(budgets, *measured.trace);
        add(std::move(findings));
        now[budgets.name] = std::move(measured.numbers);
    }

    Result<void> runProgram(const BudgetEntry& entry) {
        const session::ScratchFolder scratch;
        if (scratch.path.empty())
            return session::ScratchFolder::missing();
        std::vector<std::string> words = m_file.programOptions;
        words.insert(words.end(), entry.words.begin(), entry.words.end());
        auto request = programOf(words, (scratch.path / "recorded").string());
        if (!request)
            return inSpec(request.error(), entry.own.line);
        const std::string file = request->sources.empty() ? "" : fromStart(request->sources.front());
        auto end = [&] {
            const OutputAside aside;
            return session::recordProgram(*request);
        }();
        if (!end) {
            add({notRun(entry.own, end.error().text(), file, end.error().line)});
            keepBefore(entry);
            return {};
        }
        std::map<std::string, double> values{{"launches", 0}, {"kernels", 0}, {"exit_status", end->status}};
        LaunchNumbers numbers;
        numbers.sums = {{"launches", 0}, {"kernels", 0}};
        const auto program =
            end->file.empty() ? Result<prog::ProgramTrace>(prog::ProgramTrace()) : prog::readProgram(end->file);
        if (!program) {
            add({notRun(entry.own, program.error().text(), file, 0)});
            keepBefore(entry);
            return {};
        }
        const auto rows = prog::launchRows(*program);
        std::map<std::string, std::uint64_t> ofKernel;
        for (const std::uint32_t row : rows)
            if (const prog::Operation& o = program->operations[row]; o.kernel < program->kernels.size())
                ++ofKernel[program->kernels[o.kernel].name];
        values["launches"] = double(numbers.sums[0].second = rows.size());
        values["kernels"] = double(numbers.sums[1].second = ofKernel.size());
        for (const auto& [kernel, launches] : ofKernel)
            numbers.sums.emplace_back("launches of " + kernel, launches);
        add(judgeProgram(entry.own, values, numbers, before(entry.own.name)));
        if (prog::hasFailed(*program))
            addMessages(entry, *program, file);
        now[entry.own.name] = std::move(numbers);
        judgeLaunches(entry, *request, *program, end->file);
        return {};
    }

    void addMessages(const BudgetEntry& entry, const prog::ProgramTrace& program, const std::string& file) {
        Finding finding = notRun(entry.own, {}, file, 0);
        finding.key = "faults";
        finding.wanted = "none";
        for (const prog::ProgramMessage& m : program.messages)
            if (m.kind != MessageKind::Note && m.kind != MessageKind::Unrecorded && m.kind != MessageKind::NotRun &&
                finding.why.empty())
                finding.why = textOf(m);
        finding.found = "some";
        report.findings.push_back(std::move(finding));
    }

    // Those that the file names, and, where the program is to be the same, all that were recorded.
    void judgeLaunches(const BudgetEntry& entry, const session::ProgramRequest& request,
                       const prog::ProgramTrace& program, const fs::path& recorded) {
        struct Recorded {
            std::uint64_t number;
            std::string kernel;
        };
        std::vector<Recorded> all;
        const auto rows = prog::launchRows(program);
        for (std::uint64_t n = 0; n < rows.size(); ++n)
            if (const prog::Operation& o = program.operations[rows[n]]; o.recording < program.recordings.size())
                all.push_back({n, o.kernel < program.kernels.size() ? program.kernels[o.kernel].name : ""});
        std::vector<std::pair<LaunchBudgets, std::optional<std::uint64_t>>> asked;
        for (const LaunchBudgets& budgets : entry.launches) {
            const auto found = std::find_if(all.begin(), all.end(), [&](const Recorded& r) {
                const bool named = budgets.kernel.empty() || r.kernel == budgets.kernel ||
                                   r.kernel.substr(0, r.kernel.find('<')) == budgets.kernel;
                return named && (!budgets.number || r.number == *budgets.number);
            });
            asked.emplace_back(budgets, found == all.end() ? std::nullopt : std::optional(found->number));
        }
        std::map<std::string, int> seen;
        for (const Recorded& r : entry.own.same == Same::No ? std::vector<Recorded>() : all) {
            LaunchBudgets budgets{.name = entry.own.name + "/" + r.kernel,
                                  .line = entry.own.line,
                                  .same = entry.own.same,
                                  .budgets = {},
                                  .kernel = {},
                                  .number = {}};
            if (seen[r.kernel]++ > 0)
                budgets.name += fmt::format("#{}", r.number);
            if (std::none_of(asked.begin(), asked.end(), [&](const auto& a) { return a.second == r.number; }))
                asked.emplace_back(std::move(budgets), r.number);
        }
        for (const auto& [budgets, number] : asked) {
            auto trace = number ? openLaunch(recorded.string(), *number)
                                : Result<TracePtr>(Error{.message = "no launch of it was recorded",
                                                         .remedy = "Choose it: --launches or --kernel in `run`."});
            if (!trace) {
                add({notRun(budgets, trace.error().text(), m_file.name, budgets.line)});
                continue;
            }
            Measured measured{.trace = trace->get(), .check = {}, .fault = {}, .assembled = {}, .numbers = {}};
            measured.assembled = session::assembledOf(**trace, request.settings.device);
            judge(budgets, measured, fileOf(request, **trace));
        }
    }

    // Of a program's kernel: the source among those that were built, else as the compiler has called it.
    std::string fileOf(const session::ProgramRequest& request, const Trace& trace) const {
        if (trace.launches.empty())
            return {};
        const fs::path named = trace.kernelOf(trace.launches.front()).sourceName;
        for (const std::string& source : request.sources)
            if (fs::path(source).filename() == named.filename())
                return fromStart(source);
        return named.is_absolute() ? named.lexically_relative(m_begun).generic_string() : named.generic_string();
    }

    const ExpectCommand& m_command;
    BudgetFile& m_file;
    fs::path m_begun, m_folder;
    Progress m_progress;
    Interrupt m_interrupt;
    bool m_toldOfWalls = false;
};

// Programs of the host, and Triton's files, which the user's Python compiles.
Result<void> namesNoProgram(const BudgetFile& file) {
    for (const BudgetEntry& entry : file.entries) {
        const auto isPython = [](const std::string& word) { return word.ends_with(".py"); };
        if (entry.isProgram || std::ranges::any_of(entry.words, isPython))
            return Error{.message = fmt::format("\"{}\" runs a program of the host, which --no-programs forbids",
                                                entry.own.name),
                         .file = file.name,
                         .line = entry.own.line};
    }
    return {};
}

int run(ExpectCommand command) {
    auto text = readFile(command.spec, mostBudgetBytes);
    if (!text)
        return report(text.error(), badInput);
    const fs::path begun = fs::current_path(), spec = fs::absolute(command.spec).lexically_normal();
    auto file = parseBudgets(std::move(*text), spec.lexically_relative(begun).generic_string());
    if (!file)
        return report(file.error(), badInput);
    if (auto ok = namesNoProgram(*file); command.noPrograms && !ok)
        return report(ok.error(), badInput);
    for (const std::string& name : command.only)
        if (std::none_of(file->entries.begin(), file->entries.end(),
                         [&](const BudgetEntry& e) { return e.own.name == name; }))
            return report(Error{.message = fmt::format("nothing in it is called \"{}\"", name), .file = file->name},
                          badInput);
    for (const std::string& output : {command.junit, command.sarif, command.markdown})
        if (auto ok = differentFiles(command.spec, output); !ok)
            return report(ok.error(), badInput);
    for (std::string* path : {&command.junit, &command.sarif, &command.markdown, &command.keep})
        if (!path->empty())
            *path = fs::absolute(*path).string();
    fs::current_path(spec.parent_path()); // what the file names lies beside it
    Expecter expecter(command, *file, begun, spec.parent_path());
    if (auto ok = expecter.run(); !ok)
        return report(ok.error(), expecter.isCancelled() ? failed : badInput);
    BudgetReport& all = expecter.report;
    all.file = file->name;
    if (command.update) {
        std::vector<NumberNow> numbers;
        for (Finding& f : all.findings) {
            const bool isBefore = f.wanted.starts_with("as before");
            if (f.number)
                numbers.push_back(*f.number);
            if (isBefore || f.number) {
                f.state = BudgetState::Kept;
                f.changes.clear();
            }
        }
        if (auto ok = writeText(spec.string(), updatedText(*file, expecter.now, std::move(numbers))); !ok)
            return report(ok.error(), failed);
        say(fmt::format("{} has today's numbers of {}", file->name,
                        quantity(expecter.now.size(), "launch", "launches")));
    }
    int status = all.count(BudgetState::Broken) > 0 ? failed : done;
    for (const auto& [path, words] :
         {std::pair(command.junit, budgetJUnit(all)), std::pair(command.sarif, budgetSarif(all)),
          std::pair(command.markdown, budgetMarkdown(all))})
        if (auto ok = writeText(path, words); !ok)
            status = report(ok.error(), failed);
    return print(command.json ? budgetJson(all).dump(2) + "\n" : budgetText(all), Status(status));
}

} // namespace

void addExpect(const Command& app, Action& action) {
    auto command = std::make_shared<ExpectCommand>();
    const Command sub = app.command("expect", "Hold kernels and programs to the numbers that a file promises of them");
    sub.option("SPEC", &command->spec, "the file of budgets, in TOML; what it runs is named as seen from its folder")
        .required();
    sub.flag("--update", command->update, "write today's numbers into the file");
    sub.option("--only", &command->only, "run these entries of it alone, by their names").onceEach();
    sub.option("--junit", &command->junit, "write the answers as JUnit XML: OUT.xml");
    sub.option("--sarif", &command->sarif, "write what is broken as SARIF 2.1.0, with file and line: OUT.sarif");
    sub.option("--markdown", &command->markdown, "write a table and pictures for a review comment: OUT.md");
    sub.option("--keep", &command->keep, "write the recordings of what is broken into this folder");
    sub.flag("--no-programs", command->noPrograms, "refuse a file that has a program of the host run");
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return run(*command); }; });
}

} // namespace warpglass::record
