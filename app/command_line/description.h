// SPDX-License-Identifier: GPL-3.0-or-later
// What a command line understands, as plain data, and the texts that are made of it when the programs are built: the
// manual page and what shells complete. Nothing of it is kept by hand, so that a new option is in all of them at once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass::command_line {

struct OptionDescription {
    std::vector<std::string> names;   // "-o", "--output"; none: a value that stands alone
    std::string value;                // what stands for the value: "TEXT", "FILE"; empty: a flag
    std::vector<std::string> choices; // the only values, where they are known
    std::string range;                // "0 - 4096"; empty if there is none
    std::string standard;             // used if it is not given; empty if nothing is told
    std::string help;
    bool required = false, many = false;
};

struct CommandDescription {
    std::string name, help;
    std::vector<OptionDescription> options;
    std::vector<CommandDescription> commands;
};

struct ProgramDescription : CommandDescription {
    std::string version; // "warpglass 0.1.0"
    bool needsCommand = false;
};

std::string manualPage(const ProgramDescription& program); // troff, section 1
std::string bashCompletion(const ProgramDescription& program);
std::string zshCompletion(const ProgramDescription& program);
std::string fishCompletion(const ProgramDescription& program);

// kind: man, bash, zsh or fish; nothing for another word.
std::optional<std::string> describe(const ProgramDescription& program, std::string_view kind);

} // namespace warpglass::command_line
