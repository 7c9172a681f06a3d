// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line/command_line.h"
#include "gpu/base/shown.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <type_traits>

namespace warpglass::command_line {

namespace {

// CLI11 says of a value "TEXT:{light,dark}" or "INT:INT in [0 - 4096]".
void takeValue(OptionDescription& option, const std::string& type) {
    const std::size_t colon = type.find(':');
    option.value = type.substr(0, colon);
    if (colon == std::string::npos)
        return;
    const std::string check = type.substr(colon + 1);
    const std::size_t open = check.find_first_of("{["), close = check.find_last_of("}]");
    if (open == std::string::npos || close == std::string::npos || close < open)
        return;
    const std::string inside = check.substr(open + 1, close - open - 1);
    if (check[open] == '[')
        option.range = inside;
    else
        for (std::size_t at = 0; at <= inside.size();) {
            const std::size_t comma = std::min(inside.find(',', at), inside.size());
            option.choices.push_back(inside.substr(at, comma - at));
            at = comma + 1;
        }
}

OptionDescription descriptionOf(const CLI::Option& from) {
    OptionDescription option;
    for (const std::string& name : from.get_snames())
        option.names.push_back("-" + name);
    for (const std::string& name : from.get_lnames())
        option.names.push_back("--" + name);
    if (from.get_type_size_max() != 0)
        takeValue(option, from.get_type_name());
    if (option.names.empty())
        option.value = from.get_name(true);
    option.standard = from.get_default_str();
    option.help = from.get_description();
    option.required = from.get_required();
    option.many = from.get_items_expected_max() > 1;
    return option;
}

CommandDescription descriptionOf(const CLI::App& from) {
    CommandDescription command{.name = from.get_name(), .help = from.get_description(), .options = {}, .commands = {}};
    for (const CLI::Option* option : from.get_options())
        command.options.push_back(descriptionOf(*option));
    for (const CLI::App* more : from.get_subcommands([](const CLI::App*) { return true; }))
        command.commands.push_back(descriptionOf(*more));
    return command;
}

std::string valueOf(const CLI::Option* option) {
    const std::string type = option ? option->get_type_name() : "";
    if (type.starts_with("UINT"))
        return "a whole number, 0 or more";
    if (type.starts_with("INT"))
        return "a whole number";
    if (type.starts_with("FLOAT"))
        return "a number";
    return "a value";
}

// What is wrong with the words, as a clause without a full stop.
std::string problemOf(const CLI::App& app, const CLI::ParseError& error) {
    std::string_view text = error.what();
    if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
        const std::vector<std::string> unknown = app.remaining();
        if (!unknown.empty()) {
            const bool likeArgument =
                unknown.front().find(':') != std::string::npos && app.get_option_no_throw("--arg");
            return fmt::format("\"{}\" means nothing here{}", unknown.front(),
                               likeArgument ? "; each argument of the kernel needs its own --arg" : "");
        }
    }
    constexpr std::string_view conversion = "Could not convert: ";
    if (dynamic_cast<const CLI::ConversionError*>(&error) && text.starts_with(conversion)) {
        text.remove_prefix(conversion.size());
        if (const std::size_t equals = text.find(" = "); equals != std::string_view::npos)
            return fmt::format("{}: \"{}\" is not {}", text.substr(0, equals), text.substr(equals + 3),
                               valueOf(app.get_option_no_throw(std::string(text.substr(0, equals)))));
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
        if (const CLI::Option* option = app.get_option_no_throw(std::string(text.substr(0, text.find(':')))))
            return fmt::format("{} needs {} after it", text.substr(0, text.find(':')), valueOf(option));
    return std::string(text);
}

} // namespace

const Option& Option::required() const {
    m_option->required();
    return *this;
}

const Option& Option::showDefault() const {
    m_option->capture_default_str();
    return *this;
}

const Option& Option::inRange(double low, double high) const {
    std::visit(
        [&](auto* target) {
            using Value = std::remove_pointer_t<decltype(target)>;
            if constexpr (std::is_arithmetic_v<Value>)
                m_option->check(CLI::Range(Value(low), Value(high)));
        },
        m_target);
    return *this;
}

const Option& Option::oneOf(std::initializer_list<const char*> words) const {
    m_option->check(CLI::IsMember(std::vector<std::string>(words.begin(), words.end())));
    return *this;
}

const Option& Option::onceEach() const {
    m_option->allow_extra_args(false);
    return *this;
}

const Option& Option::commaSeparated() const {
    m_option->delimiter(',');
    return *this;
}

const Option& Option::excludes(const Option& other) const {
    m_option->excludes(other.m_option);
    return *this;
}

bool Option::given() const {
    return m_option->count() > 0;
}

Command Command::command(const std::string& name, const std::string& help) const {
    return Command(*m_app->add_subcommand(name, help));
}

Option Command::option(const std::string& names, Target target, const std::string& help) const {
    CLI::Option* option = std::visit([&](auto* value) { return m_app->add_option(names, *value, help); }, target);
    return {*option, target};
}

void Command::flag(const std::string& names, bool& target, const std::string& help) const {
    m_app->add_flag(names, target, help);
}

void Command::describe(const std::string& option, const std::string& help) const {
    m_app->get_option(option)->description(help);
}

void Command::withdraw(const std::string& option) const {
    m_app->remove_option(m_app->get_option(option));
}

void Command::whenChosen(std::function<void()> callback) const {
    m_app->callback(std::move(callback));
}

bool Command::chosen() const {
    return m_app->parsed();
}

bool Command::given(const std::string& option) const {
    return m_app->count(option) > 0;
}

bool Command::knows(const std::string& option) const {
    return m_app->get_option_no_throw(option) != nullptr;
}

std::string Command::name() const {
    return m_app->get_name();
}

std::vector<Command> Command::commands() const {
    std::vector<Command> all;
    for (CLI::App* app : m_app->get_subcommands([](CLI::App*) { return true; }))
        all.emplace_back(*app);
    return all;
}

CommandLine::CommandLine(const std::string& description, const std::string& program, const std::string& version)
    : CommandLine(std::make_unique<CLI::App>(description, program)) {
    m_version = version;
    m_app->set_version_flag("--version", version);
}

CommandLine::CommandLine(std::unique_ptr<CLI::App> app) : Command(*app), m_owned(std::move(app)) {}

CommandLine::~CommandLine() = default;

void CommandLine::requireOneCommand() {
    m_app->require_subcommand(1);
}

ProgramDescription CommandLine::description() const {
    ProgramDescription program{descriptionOf(*m_app), m_version, m_app->get_require_subcommand_min() > 0};
    return program;
}

std::optional<int> CommandLine::parse(int argc, char** argv, int wrong) {
    if (argc == 3 && std::string_view(argv[1]) == "--describe")
        if (const auto text = command_line::describe(description(), argv[2])) {
            const bool written = std::fputs(text->c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
            return written ? 0 : 1;
        }
    try {
        m_app->parse(argc, argv);
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) // --help, --version
            return m_app->exit(error);
        const std::vector<CLI::App*> chosen = m_app->get_subcommands();
        const CLI::App& app = chosen.empty() ? *m_app : *chosen.front();
        const std::string command = chosen.empty() ? "" : " " + app.get_name();
        fmt::print(stderr, "{0}: {1}. \"{0}{2} --help\" shows what it takes.\n", m_app->get_name(),
                   shown(problemOf(app, error)), command);
        return wrong;
    }
}

Result<void> CommandLine::read(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end()); // as CLI11 takes them
    try {
        m_app->parse(std::move(words));
        return {};
    } catch (const CLI::ParseError& error) {
        return Error{.message = error.get_exit_code() == 0 ? "help is shown on the command line alone"
                                                           : problemOf(*m_app, error)};
    }
}

} // namespace warpglass::command_line
