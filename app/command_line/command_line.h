// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of both programs: what goes in are names, help and the variables that take the values; CLI11 reads
// the words. Its header takes ten seconds to compile in every file that sees it, therefore only command_line.cpp does,
// and these are handles on its objects. A handle lives as long as its CommandLine.
#pragma once

#include "app/command_line/description.h"
#include "gpu/base/result.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace warpglass::command_line {

// The variable that takes an option's value; what it holds before is the default.
using Target =
    std::variant<std::string*, int*, std::uint32_t*, std::int64_t*, std::uint64_t*, double*, std::vector<std::string>*>;

class Option {
public:
    Option(CLI::Option& option, Target target) : m_option(&option), m_target(target) {}

    const Option& required() const;
    const Option& showDefault() const;                    // in the help; call it when the variable holds the default
    const Option& inRange(double low, double high) const; // both included; of a number
    const Option& oneOf(std::initializer_list<const char*> words) const;
    const Option& onceEach() const;       // of a list: one value after each mention, "--set a=1 --set b=2"
    const Option& commaSeparated() const; // of a list: several values in one word, "--check race,leak"
    const Option& excludes(const Option& other) const;
    bool given() const;

private:
    CLI::Option* m_option;
    Target m_target;
};

class Command {
public:
    explicit Command(CLI::App& app) : m_app(&app) {}

    Command command(const std::string& name, const std::string& help) const; // a subcommand
    // names as in "-o,--output"; without a dash it is a value that stands alone.
    Option option(const std::string& names, Target target, const std::string& help) const;
    void flag(const std::string& names, bool& target, const std::string& help) const;
    void describe(const std::string& option, const std::string& help) const; // anew
    void withdraw(const std::string& option) const;
    void whenChosen(std::function<void()> callback) const; // runs at the end of parse()

    bool chosen() const;                         // the user named this command
    bool given(const std::string& option) const; // the user named this option of it
    bool knows(const std::string& option) const; // it has such an option
    std::string name() const;
    std::vector<Command> commands() const;

protected:
    CLI::App* m_app;
};

class CommandLine : public Command {
public:
    // version: printed for --version.
    CommandLine(const std::string& description, const std::string& program, const std::string& version);
    ~CommandLine();
    void requireOneCommand();

    ProgramDescription description() const;

    // An exit status if the program is done: 0 after --help or --version, else wrong, the error printed. Not in the
    // help, because only a build asks: `--describe man|bash|zsh|fish` prints the manual page or a shell's completion.
    std::optional<int> parse(int argc, char** argv, int wrong);
    // Words that stand in a file: nothing is printed. Error: what is wrong with them.
    Result<void> read(std::vector<std::string> words);

private:
    explicit CommandLine(std::unique_ptr<CLI::App> app);

    std::unique_ptr<CLI::App> m_owned;
    std::string m_version;
};

} // namespace warpglass::command_line
