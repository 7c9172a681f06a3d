// SPDX-License-Identifier: GPL-3.0-or-later
// What bash, zsh and fish complete: commands, options, and values where the only ones are known; elsewhere files. Each
// text stands alone: it needs no library of the shell's distribution.
#include "app/command_line/description.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::command_line {

namespace {

std::string inQuotes(std::string_view text) { // of a shell, single ones
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string identifier(std::string name) { // "warpglass-record" in a function's name
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string out;
    for (const std::string& word : words)
        out += (out.empty() ? "" : between) + word;
    return out;
}

std::string namesOf(const std::vector<CommandDescription>& commands, const char* between) {
    std::vector<std::string> names;
    names.reserve(commands.size());
    for (const CommandDescription& command : commands)
        names.push_back(command.name);
    return joined(names, between);
}

// One line of help, for a menu.
std::string shortly(const std::string& help) {
    constexpr std::size_t longest = 100;
    if (help.size() <= longest)
        return help;
    std::size_t end = help.rfind(' ', longest);
    return help.substr(0, end == std::string::npos ? longest : end) + " ...";
}

// bash: a line of `case` for each option of a command with choices, "run,--theme) choices"; the names of the others that
// take a value go to files.
void addBashValues(std::string& text, std::vector<std::string>& files, const std::string& command,
                   const CommandDescription& of) {
    for (const OptionDescription& option : of.options) {
        if (option.names.empty() || option.value.empty())
            continue;
        std::vector<std::string> patterns;
        for (const std::string& name : option.names)
            patterns.push_back(fmt::format("{},{}", command, name));
        if (option.choices.empty())
            files.insert(files.end(), patterns.begin(), patterns.end());
        else
            text += "    " + joined(patterns, "|") + ")\n        COMPREPLY=($(compgen -W " +
                    inQuotes(joined(option.choices, " ")) + " -- \"$word\"))\n        return ;;\n";
    }
}

std::string optionNames(const CommandDescription& command) {
    std::vector<std::string> all;
    for (const OptionDescription& option : command.options)
        all.insert(all.end(), option.names.begin(), option.names.end());
    return joined(all, " ");
}

// zsh: one argument of _arguments, "'(-o --output)'{-o,--output}'[help]:FILE:_files'".
std::string zshArgument(const OptionDescription& option) {
    std::string help;
    for (const char c : shortly(option.help)) {
        if (c == '[' || c == ']' || c == ':' || c == '\\')
            help += '\\';
        help += c;
    }
    std::string value;
    if (!option.value.empty())
        value =
            ":" + option.value + ":" + (option.choices.empty() ? "_files" : "(" + joined(option.choices, " ") + ")");
    std::string text;
    if (option.many)
        text = inQuotes("*");
    else if (option.names.size() > 1)
        text = inQuotes("(" + joined(option.names, " ") + ")");
    text += option.names.size() > 1 ? "{" + joined(option.names, ",") + "}" : option.names.front();
    return text + inQuotes("[" + help + "]" + value);
}

void addZshOptions(std::string& text, const CommandDescription& command) {
    for (const OptionDescription& option : command.options)
        if (!option.names.empty())
            text += " \\\n            " + zshArgument(option);
}

void addFishOptions(std::string& text, const std::string& program, const std::string& when,
                    const CommandDescription& command) {
    for (const OptionDescription& option : command.options) {
        if (option.names.empty())
            continue;
        text += "complete -c " + program + " -n " + inQuotes(when);
        for (const std::string& name : option.names)
            text += name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
        if (!option.value.empty())
            text += option.choices.empty() ? " -r -F" : " -x -a " + inQuotes(joined(option.choices, " "));
        text += " -d " + inQuotes(shortly(option.help)) + "\n";
    }
}

} // namespace

std::string bashCompletion(const ProgramDescription& program) {
    const std::string function = "_" + identifier(program.name);
    std::string text =
        "# bash completion, made by " + program.name + " --describe bash\n" + function + "() {\n" +
        R"(    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= options= i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --) # what follows is somebody else's command line
            compopt -o default 2>/dev/null
            COMPREPLY=()
            return ;;
)";
    if (!program.commands.empty())
        text += "        " + namesOf(program.commands, "|") + ") [ -n \"$command\" ] || command=${COMP_WORDS[i]} ;;\n";
    text += "        esac\n    done\n    case $command,$before in\n";
    std::vector<std::string> files;
    addBashValues(text, files, "", program);
    for (const CommandDescription& command : program.commands)
        addBashValues(text, files, command.name, command);
    if (!files.empty())
        text += "    " + joined(files, "|\\\n    ") +
                ")\n        compopt -o default 2>/dev/null\n        COMPREPLY=()\n        return ;;\n";
    text += "    esac\n    case $command in\n    '') options=" + inQuotes(optionNames(program)) + " ;;\n";
    for (const CommandDescription& command : program.commands)
        text += "    " + command.name + ") options=" + inQuotes(optionNames(command)) + " ;;\n";
    text +=
        "    esac\n    case $word in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n        return ;;\n"
        "    esac\n    compopt -o default 2>/dev/null\n    COMPREPLY=()\n";
    if (!program.commands.empty())
        text += "    [ -n \"$command\" ] || COMPREPLY=($(compgen -W " + inQuotes(namesOf(program.commands, " ")) +
                " -- \"$word\"))\n";
    return text + "}\ncomplete -F " + function + " " + program.name + "\n";
}

std::string zshCompletion(const ProgramDescription& program) {
    const std::string function = "_" + identifier(program.name);
    std::string text =
        "#compdef " + program.name + "\n# made by " + program.name + " --describe zsh\n" + function + "() {\n";
    text += "    local curcontext=$curcontext state line\n    local -a commands\n    commands=(\n";
    for (const CommandDescription& command : program.commands)
        text += "        " + inQuotes(command.name + ":" + shortly(command.help)) + "\n";
    text += "    )\n    _arguments -C -s";
    addZshOptions(text, program);
    // The last takes all words behind the first away from $words: the command is put back before them.
    text += " \\\n            '1: :->first' '*::: :->more'\n    case $state in\n    first)\n"
            "        _describe command commands\n";
    const auto& own = program.options;
    if (std::any_of(own.begin(), own.end(), [](const OptionDescription& o) { return o.names.empty(); }))
        text += "        _files\n";
    text += "        ;;\n    more)\n        words=($line[1] \"${words[@]}\")\n        (( CURRENT += 1 ))\n"
            "        case $line[1] in\n";
    for (const CommandDescription& command : program.commands) {
        text += "        " + command.name + ")\n            _arguments -s";
        addZshOptions(text, command);
        text += " \\\n            '*:file:_files' ;;\n";
    }
    return text + "        esac ;;\n    esac\n}\n" + function + " \"$@\"\n";
}

std::string fishCompletion(const ProgramDescription& program) {
    std::string text = "# fish completion, made by " + program.name + " --describe fish\n";
    const std::string noCommand = "not __fish_seen_subcommand_from " + namesOf(program.commands, " ");
    addFishOptions(text, program.name, program.commands.empty() ? "true" : noCommand, program);
    for (const CommandDescription& command : program.commands)
        text += "complete -c " + program.name + " -n " + inQuotes(noCommand) + " -a " + inQuotes(command.name) +
                " -d " + inQuotes(shortly(command.help)) + "\n";
    for (const CommandDescription& command : program.commands)
        addFishOptions(text, program.name, "__fish_seen_subcommand_from " + command.name, command);
    return text;
}

std::optional<std::string> describe(const ProgramDescription& program, std::string_view kind) {
    if (kind == "man")
        return manualPage(program);
    if (kind == "bash")
        return bashCompletion(program);
    if (kind == "zsh")
        return zshCompletion(program);
    if (kind == "fish")
        return fishCompletion(program);
    return std::nullopt;
}

} // namespace warpglass::command_line
