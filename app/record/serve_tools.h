// SPDX-License-Identifier: GPL-3.0-or-later
// What `serve` offers: a row for each tool says which command of this program it is and how each of its arguments
// becomes a word of that command. A new tool is a row; what a command does not know is not offered.
#pragma once

#include "app/record/command.h"
#include "gpu/base/result.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass::record {

enum class ArgumentKind : std::uint8_t {
    Text,     // one line
    Name,     // an identifier, or a kernel's name with its template arguments
    Define,   // NAME or NAME=VALUE, as a compiler's command line takes it without a shell's marks
    Value,    // NAME:TYPE=INITIAL; a file that it names lies in the folder
    Whole,    // a whole number
    Flag,     // true: the option is given
    Shape,    // one to three whole numbers
    Settings, // an object of whole numbers
    File,     // a path below the folder, to be read
    Folder,   // the same of a folder
    Written,  // the same of a recording that is to be written
    Source,   // a text that is compiled
    Sources,  // an object of such texts by their names
    Command,  // a program and its words
};

struct ToolArgument {
    std::string_view name;
    ArgumentKind kind = ArgumentKind::Text;
    std::string_view option; // "--grid"; empty: it stands alone
    std::string_view help;
    bool many = false, needed = false;
    std::vector<std::string_view> words = {}; // the only ones
};

struct Tool {
    std::string_view name, command;
    std::string_view answer; // its object in the schema
    std::string_view help;
    std::vector<ToolArgument> arguments;
    bool oneKernel = false;                // exactly one of kernel, file and source
    std::string_view withoutPrograms = {}; // what keeps the command from running programs
    bool runsPrograms = false;             // that is all it does
};

// Which of them there are: those whose command the app has, with the arguments that it takes, and which run no program of the
// host unless that is allowed.
std::vector<Tool> toolsOf(const Command& app, bool allowPrograms);

// As tools/list has it: name, description, inputSchema, outputSchema.
nlohmann::ordered_json describe(const Tool& tool);

// Where a call may read and write.
struct ToolPlace {
    std::filesystem::path root, scratch;
    bool allowPrograms = false;
};

struct ToolWords {
    std::vector<std::string> words; // of the command line, the command first
    std::filesystem::path written;  // a file below the root that the call may write
};

// The command line of a call. Error: what is wrong with its arguments.
Result<ToolWords> wordsOf(const Tool& tool, const nlohmann::json& arguments, const ToolPlace& place);

} // namespace warpglass::record
