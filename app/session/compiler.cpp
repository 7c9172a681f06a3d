// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/compiler.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>

#include <unistd.h>

namespace warpglass::session {

namespace fs = std::filesystem;

namespace {
constexpr std::size_t mostErrors = 10; // that are quoted
}

std::string findCompiler() {
    std::vector<fs::path> folders;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* home = std::getenv(variable))
            folders.push_back(fs::path(home) / "bin");
    if (const char* path = std::getenv("PATH")) {
        std::stringstream list(path);
        for (std::string folder; std::getline(list, folder, ':');)
            folders.emplace_back(folder);
    }
    for (const fs::path& folder : folders)
        if (access((folder / "nvcc").c_str(), X_OK) == 0)
            return (folder / "nvcc").string();
    return {};
}

std::string readAll(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

ScratchFolder::ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "warpglass-XXXXXX").string();
    if (const char* made = mkdtemp(pattern.data()))
        path = made;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    if (!path.empty())
        fs::remove_all(path, ignored);
}

Error compilerError(const fs::path& source, const std::string& said) {
    static const std::regex parenthesis(R"(^(.+)\((\d+)\): (?:fatal |catastrophic )?error(?: #[\w-]+)?:? ?(.*)$)");
    static const std::regex colons(R"(^(.+):(\d+):(?:(\d+):)? (?:fatal )?error: (.*)$)");
    std::optional<Error> first;
    std::string others, extract;
    std::size_t count = 0;
    bool inFirst = false;
    std::stringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        const bool edg = std::regex_match(line, found, parenthesis);
        if (edg || std::regex_match(line, found, colons)) {
            ++count;
            Error error{.message = found[edg ? 3 : 4], .file = found[1], .line = std::atoi(found[2].str().c_str())};
            if (!edg && found[3].matched)
                error.column = std::atoi(found[3].str().c_str());
            inFirst = !first;
            if (!first)
                first = error;
            else if (count <= mostErrors)
                others += fmt::format("\n{}:{}: {}", error.file, error.line, error.message);
        } else if (inFirst && !line.empty() && line.front() == ' ') {
            extract += "\n" + line;
        } else {
            inFirst = false;
        }
    }
    if (!first)
        return Error{.message = said.empty() ? "nvcc failed without a word"
                                             : "nvcc failed: " + said.substr(0, said.find('\n')),
                     .file = source.string()};
    first->message += extract + others;
    if (count > mostErrors)
        first->message += fmt::format("\nand {} more", count - mostErrors);
    first->remedy = first->file == "--kernel"
                        ? "Write the instance as C++ does, with the name's template arguments: scale<float, 128>."
                        : "Mend the source.";
    return *first;
}

Error endedBadly(const fs::path& source, const std::string& compiler, ChildEnd end) {
    if (end.how == ChildEnd::How::NotStarted)
        return Error{.message = fmt::format("{} cannot be started", compiler), .file = source.string()};
    return Error{.message = end.how == ChildEnd::How::OutOfTime
                                ? "the compiler was stopped: it did not come to an end"
                                : "the compiler was killed: it took too much memory, or was interrupted",
                 .file = source.string(),
                 .remedy = "Look for an include without end or a template that recurs for ever."};
}

} // namespace warpglass::session
