// SPDX-License-Identifier: GPL-3.0-or-later
// What lessons and exercises have in common as files: JSON that a person writes, whose mistakes are told with their line.
#pragma once

#include "app/session/json_lines.h"
#include "app/session/session.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace warpglass::session {

// Thrown by those who read a file, caught in readJson only.
struct JsonWrong {
    std::string path, message; // path: "steps[2].run.kernel"
};
[[noreturn]] void jsonWrong(const std::string& path, const std::string& message);

// A text in one language or in both.
struct LocalWords {
    std::string en, zh;
    const std::string& in(const std::string& language) const {
        return language.starts_with("zh") && !zh.empty() ? zh : en;
    }
};

const nlohmann::json* member(const nlohmann::json& object, const char* name); // nullptr: it has none
// what: "a lesson", for the message about a name that is not among these.
void onlyKnown(const nlohmann::json& object, const std::string& path, std::initializer_list<const char*> names,
               const char* what);
std::string jsonText(const nlohmann::json& value, const std::string& path);
LocalWords jsonWords(const nlohmann::json& object, const char* name, const std::string& path, bool needed);
bool jsonFlag(const nlohmann::json& object, const char* name, const std::string& path);
std::string pathOf(const std::string& path, const char* name); // "steps[2]" and "run": "steps[2].run"

inline constexpr int lastOrder = 1'000'000;
std::optional<int> orderOf(const nlohmann::json& object); // "order", from 0 to lastOrder

// "format" is 1, "name" and "order" are what they should be. what: "a lesson".
void checkHead(const nlohmann::json& object, const char* what);

// How a kernel is launched: grid, block, shared, mode, set, size, device, policy, detail, reconvergence, accesses,
// timing and races, each of which may be missing; and "arguments" of a file's kernel.
RunRequest launchOf(const nlohmann::json& object, const std::string& path);

// Of a file beside the one that is read: what a stranger's file names is no way to others.
bool isPlainName(std::string_view name);
// Nor is a link that lies there: it may lead to another file of its own folder.
bool staysInItsFolder(const std::filesystem::path& file);

// Parses the text and hands it to `read`, with the lines of its values. what: "the lesson", for messages: "the lesson
// cannot be used: steps[2] is missing", with its place.
Result<void> readJson(std::string_view text, const std::string& fileName, const char* what,
                      const std::function<void(const nlohmann::json&, const JsonLines&)>& read);

} // namespace warpglass::session
