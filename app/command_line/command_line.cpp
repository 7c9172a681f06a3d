// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line/command_line.h"

#include <CLI/CLI.hpp>

#include <type_traits>

namespace warpglass::command_line {

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
    m_app->set_version_flag("--version", version);
}

CommandLine::CommandLine(std::unique_ptr<CLI::App> app) : Command(*app), m_owned(std::move(app)) {}

CommandLine::~CommandLine() = default;

void CommandLine::requireOneCommand() {
    m_app->require_subcommand(1);
}

std::optional<int> CommandLine::parse(int argc, char** argv, int wrong) {
    try {
        m_app->parse(argc, argv);
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        return m_app->exit(error) == 0 ? 0 : wrong;
    }
}

} // namespace warpglass::command_line
