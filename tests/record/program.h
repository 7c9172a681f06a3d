// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

// What the program answered.
struct Answer {
    int status = -1;
    std::string out, err;
    nlohmann::json json() const { return nlohmann::json::parse(out, nullptr, false); } // discarded if it is none
};

// Runs warpglass-record with these arguments, as a shell reads them. before: put in front of the command, such as
// settings of the environment.
Answer record(const std::string& arguments, const std::string& before = {});

// A path in a folder that is emptied before the tests and after them.
std::filesystem::path scratch(const std::string& file);
std::string readFile(const std::filesystem::path& path);
void writeFile(const std::filesystem::path& path, const std::string& text);
// For record(): a word of a command line, with the space behind it.
inline std::string quoted(const std::filesystem::path& path) {
    return "'" + path.string() + "' ";
}
