// SPDX-License-Identifier: GPL-3.0-or-later
// troff with the man macros. What a person wrote never becomes a request: backslashes and hyphens are escaped, and no
// line of text begins with a dot or a quotation mark.
#include "app/command_line/description.h"

#include <algorithm>
#include <cctype>

namespace warpglass::command_line {

namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
            out += std::string("\\&") + c;
        else
            out += c;
    }
    return out;
}

std::string bold(std::string_view text) {
    return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(std::string_view text) {
    return "\\fI" + escaped(text) + "\\fR";
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::toupper(c)); });
    return text;
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words)
        out += (out.empty() ? "" : ", ") + word;
    return out;
}

void addOption(std::string& page, const OptionDescription& option) {
    page += ".TP\n";
    std::string names;
    for (const std::string& name : option.names)
        names += (names.empty() ? "" : ", ") + bold(name);
    if (!option.value.empty())
        names += (names.empty() ? "" : " ") + italic(option.value);
    page += names + (option.many ? " ...\n" : "\n") + escaped(option.help);
    std::string more;
    if (!option.choices.empty())
        more += "; one of " + joined(option.choices);
    if (!option.range.empty())
        more += "; " + option.range;
    if (!option.standard.empty())
        more += "; " + option.standard + " if not given";
    if (option.required)
        more += "; required";
    page += escaped(more) + "\n";
}

void addOptions(std::string& page, const CommandDescription& command) {
    for (const bool alone : {true, false}) // values that stand alone come first, as they do in the usage
        for (const OptionDescription& option : command.options)
            if (option.names.empty() == alone)
                addOption(page, option);
}

std::string usage(const std::string& words, const CommandDescription& command) {
    std::string line = bold(words) + " [" + italic("OPTIONS") + "]";
    for (const OptionDescription& option : command.options)
        if (option.names.empty()) {
            const std::string value = italic(option.value) + (option.many ? "..." : "");
            line += option.required ? " " + value : " [" + value + "]";
        }
    return line;
}

} // namespace

std::string manualPage(const ProgramDescription& program) {
    std::string page = ".\\\" Made by " + program.name + " --describe man.\n";
    page += ".TH " + upper(program.name) + " 1 \"\" \"" + escaped(program.version) + "\" \"User Commands\"\n";
    std::string summary = program.help.substr(0, program.help.find('.'));
    if (!summary.empty())
        summary[0] = char(std::tolower(static_cast<unsigned char>(summary[0])));
    if (summary.rfind("warpglass ", 0) == 0) // the name stands before the dash already
        summary.erase(0, summary.find(' ') + 1);
    page += ".SH NAME\n" + escaped(program.name) + " \\- " + escaped(summary) + "\n.SH SYNOPSIS\n";
    std::string synopsis = program.needsCommand ? "" : usage(program.name, program) + "\n";
    for (const CommandDescription& command : program.commands)
        synopsis += (synopsis.empty() ? "" : ".br\n") + usage(program.name + " " + command.name, command) + "\n";
    page += synopsis;
    page += ".SH DESCRIPTION\n" + escaped(program.help) + "\n.SH OPTIONS\n";
    addOptions(page, program);
    if (!program.commands.empty())
        page += ".SH COMMANDS\n";
    for (const CommandDescription& command : program.commands) {
        page += ".SS " + escaped(program.name + " " + command.name) + "\n" + escaped(command.help) + "\n";
        addOptions(page, command);
    }
    page += ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe run or the check failed\n.TP\n2\nthe command line or the input "
            "is wrong\n";
    return page;
}

} // namespace warpglass::command_line
