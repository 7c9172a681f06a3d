// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "gpu/base/memory_limit.h"
#include "gpu/base/new_file.h"
#include "gpu/base/shown.h"
#include "gpu/base/utf8.h"
#include "gpu/cage/walls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <system_error>

namespace warpglass::record {

void say(const std::string& line) {
    std::cerr << "warpglass-record: " << shown(line) << "\n";
}

int report(const Error& error, Status status) {
    say(error.text());
    return status;
}

void tellMissingWalls() {
    if (const Said missing = cage::missingWalls(); !missing.empty())
        std::cerr << "warpglass-record: " << missing << "\n";
}

Result<void> writeText(const std::string& path, const std::string& text) {
    if (path.empty())
        return {};
    NewFile out(path);
    out.stream() << text;
    return out.finish();
}

int print(const std::string& words, Status otherwise) {
    const std::string text = shown(words);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        if (errno != EPIPE) // a reader that has seen enough (| head) is no error
            return report(Error{.message = "standard output cannot be written to"}, failed);
    return otherwise;
}

namespace {

warpglass::Error unknownCommand(const Command& app, const std::string& word) {
    std::string known;
    for (const Command& command : app.commands())
        known += (known.empty() ? "" : ", ") + command.name();
    return {.message = "there is no command \"" + warpglass::validUtf8(word) + "\"",
            .remedy = "Commands are " + known + "."};
}

// Of `program`: what stands behind "--" belongs to the program that is to run, and is taken off the command line.
std::vector<std::string> wordsBehind(int& argc, char** argv) {
    if (argc < 2 || std::string_view(argv[1]) != "program")
        return {};
    char** const end = argv + argc;
    char** const dashes = std::find_if(argv, end, [](const char* word) { return std::string_view(word) == "--"; });
    std::vector<std::string> behind;
    for (char** word = dashes; word != end && ++word != end;)
        behind.emplace_back(*word);
    argc = int(dashes - argv);
    return behind;
}

} // namespace

} // namespace warpglass::record

int main(int argc, char** argv) {
    using namespace warpglass::record;
    using warpglass::command_line::CommandLine;
    warpglass::takeStack();
    std::signal(SIGXFSZ,
                SIG_IGN); // a file over the limit becomes a failed write, too, and what lies beside it goes away
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe becomes a failed write, and what follows (files) is still done
    CommandLine app("Runs CUDA kernels on an emulator or a GPU and records what every warp did.", "warpglass-record",
                    "warpglass " WARPGLASS_VERSION);
    app.requireOneCommand();
    Action action;
    addDevices(app, action);
    addList(app, action);
    addRun(app, action);
    addWhy(app, action);
    addWho(app, action);
    addExpect(app, action);
    addRank(app, action);
    addSweep(app, action);
    addMetrics(app, action);
    addExport(app, action);
    addImport(app, action);
    addCut(app, action);
    addOccupancy(app, action);
    addSwizzle(app, action);
    addLayouts(app, action);
    addGrade(app, action);
    addCheck(app, action);
    addSass(app, action);
    const std::vector<std::string> behind = wordsBehind(argc, argv);
    addProgram(app, action, behind);
    addLaunches(app, action);
    addSchema(app, action);
    addServe(app, action);
    const std::vector<Command> commands = app.commands();
    if (argc > 1 && argv[1][0] != '-' &&
        std::none_of(commands.begin(), commands.end(), [&](const Command& c) { return c.name() == argv[1]; }))
        return report(unknownCommand(app, argv[1]), badInput);
    if (const auto status = app.parse(argc, argv, badInput))
        return *status;
    try {
        return action();
    } catch (const std::bad_alloc&) {
        return report(warpglass::outOfMemory(), failed);
    } catch (const std::filesystem::filesystem_error& error) { // a file or folder's, never of threads
        return report(warpglass::Error{.message = error.code().message(), .file = error.path1().string()}, failed);
    } catch (const std::system_error& error) { // a thread that the system does not give
        return report(warpglass::Error{.message = fmt::format("the system gives no more ({})", error.what()),
                                       .remedy = "Ask for fewer threads: --threads 1."},
                      failed);
    } catch (const std::exception& error) { // a library's, never ours
        return report(warpglass::Error{.message = error.what()}, failed);
    }
}
