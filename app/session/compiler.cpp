// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/compiler.h"

#include "gpu/base/messages/files.h"
#include "gpu/base/messages/session.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>

#include <unistd.h>

namespace warpglass::session {

namespace fs = std::filesystem;

namespace {
constexpr std::size_t mostErrors = 10; // that are quoted

// A name inside a #line directive.
std::string quoted(const std::string& name) {
    std::string text = "\"";
    for (const char c : name) {
        if (c == '"' || c == '\\')
            text += '\\';
        text += c == '\n' ? '?' : c;
    }
    return text + '"';
}

} // namespace

std::vector<fs::path> pathFolders() {
    std::vector<fs::path> folders;
    if (const char* path = std::getenv("PATH")) {
        std::stringstream list(path);
        for (std::string folder; std::getline(list, folder, ':');)
            folders.emplace_back(folder);
    }
    return folders;
}

std::string findCompiler() {
    std::vector<fs::path> folders;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* home = std::getenv(variable))
            folders.push_back(fs::path(home) / "bin");
    for (fs::path& folder : pathFolders())
        folders.push_back(std::move(folder));
    for (const fs::path& folder : folders)
        if (access((folder / "nvcc").c_str(), X_OK) == 0)
            return (folder / "nvcc").string();
    return {};
}

Result<void> checkOptions(const CompileOptions& options) {
    const auto refuse = [](const char* option, const std::string& word) {
        return Error{.message = say::ShellCharacters(word), .file = option, .remedy = say::ShellRemedy};
    };
    if (options.arch.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-,=") !=
        std::string::npos)
        return refuse("--arch", options.arch);
    for (const std::string& word : options.nvcc)
        if (word.find_first_of(std::string("$`;|&<>\n\r\0", 10)) != std::string::npos)
            return refuse("--nvcc", word);
    return {};
}

bool changesCodeOnly(const std::string& option) {
    static const std::regex known(
        "-O[0-3]|-G|-g|-w|--?(lineinfo|generate-line-info|use_fast_math|extended-lambda|restrict)|"
        "--expt-(relaxed-constexpr|extended-lambda)|--?(ftz|prec-div|prec-sqrt|fmad)=(true|false)|"
        "--?maxrregcount=[0-9]+|--?std=(c|gnu)\\+\\+[0-9]+|--?default-stream=(legacy|per-thread|null)|"
        "-[DU][A-Za-z0-9_]+(=[A-Za-z0-9_.+-]*)?|-Wno-deprecated-gpu-targets|-diag-suppress=[0-9,]+|"
        "-Xptxas=(-v|-O[0-3]|-dlcm=c[ag])");
    return std::regex_match(option, known);
}

std::string readAll(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

Result<void> writeAll(const fs::path& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out)
        return Error{.message = say::DiskFull, .file = path.parent_path().string(), .remedy = say::FreeSpace};
    return {};
}

ScratchFolder::ScratchFolder() {
    std::error_code failed;
    const fs::path folder = fs::temp_directory_path(failed);
    if (failed)
        return;
    std::string pattern = (folder / "warpglass-XXXXXX").string();
    if (const char* made = mkdtemp(pattern.data()))
        path = made;
}

Error ScratchFolder::missing() {
    const char* named = std::getenv("TMPDIR");
    return {.message = say::NoTemporaryFolder, .file = named && *named ? named : "/tmp", .remedy = say::LetTmpdir};
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    if (!path.empty())
        fs::remove_all(path, ignored);
}

Result<std::string> wholeSource(const fs::path& source, const std::string& text, const CompileOptions& options) {
    static const std::regex identifier("[A-Za-z_][A-Za-z0-9_]*(\\([A-Za-z0-9_, .]*\\))?");
    std::string whole;
    if (!options.defines.empty())
        whole += "#line 1 \"-D\"\n";
    for (const std::string& define : options.defines) {
        const std::size_t equals = define.find('=');
        const std::string name = define.substr(0, equals);
        if (!std::regex_match(name, identifier) || define.find('\n') != std::string::npos)
            return Error{.message = say::DefinesNothing(define), .file = "-D", .remedy = say::DefineForm};
        whole += fmt::format("#define {} {}\n", name, equals == std::string::npos ? "1" : define.substr(equals + 1));
    }
    const std::string_view mark = "\xef\xbb\xbf"; // editors put it before UTF-8; behind a line it is no token
    whole += fmt::format("#line 1 {}\n{}\n", quoted(source.string()),
                         std::string_view(text).substr(text.starts_with(mark) ? mark.size() : 0));
    if (!options.instance.empty()) // an address that is taken makes the compiler instantiate the template
        whole += fmt::format("#line 1 \"--kernel\"\n"
                             "static const void* const warpglassInstance __attribute__((used)) = (const void*)({});\n",
                             options.instance);
    return whole;
}

Result<void> addIncludes(std::vector<std::string>& words, const fs::path& scratch, const std::vector<fs::path>& sources,
                         const CompileOptions& options) {
    int links = 0;
    const auto add = [&](const fs::path& folder) {
        std::error_code failed;
        const fs::path link = scratch / fmt::format("include{}", links++);
        fs::create_directory_symlink(fs::absolute(folder), link, failed);
        words.insert(words.end(), {"-I", link.string()});
    };
    for (const fs::path& source : sources)
        add(fs::absolute(source).parent_path());
    for (const std::string& include : options.includes) {
        std::error_code failed;
        if (!fs::is_directory(include, failed))
            return Error{.message = say::NoSuchFolder, .file = "-I " + include};
        add(include);
    }
    return {};
}

Error compilerError(const fs::path& source, const std::string& said) {
    static const std::regex parenthesis(R"(^(.+)\((\d+)\): (?:fatal |catastrophic )?error(?: #[\w-]+)?:? ?(.*)$)");
    static const std::regex colons(R"(^(.+?):(\d+):(?:(\d+):)? (?:fatal )?error: (.*)$)");
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
            Error error{
                .message = found[edg ? 3 : 4].str(), .file = found[1], .line = std::atoi(found[2].str().c_str())};
            if (!edg && found[3].matched)
                error.column = std::atoi(found[3].str().c_str());
            inFirst = !first;
            if (!first)
                first = error;
            else if (count <= mostErrors)
                others += fmt::format("\n{}:{}: {}", error.file, error.line, error.message.text());
        } else if (inFirst && !line.empty() && line.front() == ' ') {
            extract += "\n" + line;
        } else {
            inFirst = false;
        }
    }
    if (!first) {
        Error error{.message = say::NvccFailed(said.substr(0, said.find('\n'))), .file = source.string()};
        // What only one architecture has (wgmma, tcgen05) is compiled for it by its name with a letter.
        static const std::regex elsewhere(R"((?:not supported on|requires) \.target '?sm_(\d+)[a-z]?\b)");
        if (std::smatch found; std::regex_search(error.message.text(), found, elsewhere) && std::stoi(found[1]) >= 90)
            error.remedy = say::ArchitectureLetter(found[1].str());
        return error;
    }
    std::string all = first->message + (extract + others);
    if (count > mostErrors)
        all += fmt::format("\nand {} more", count - mostErrors);
    first->message = std::move(all);
    first->remedy = first->file == "--kernel" ? say::InstanceForm : say::MendSource;
    return *first;
}

Error silentFailure(const fs::path& source, const fs::path& scratch) {
    constexpr std::uintmax_t little = 64 << 20; // beside what it has just taken away again
    std::error_code failed;
    const fs::space_info room = fs::space(scratch, failed);
    if (!failed && room.available < little)
        return Error{.message = say::DiskFull, .file = scratch.string(), .remedy = say::FreeSpace};
    return Error{.message = say::NvccSilent, .file = source.string()};
}

Error endedBadly(const fs::path& source, const std::string& compiler, ChildEnd end) {
    if (end.how == ChildEnd::How::NotStarted)
        return Error{.message = say::NotStarted(compiler), .file = source.string()};
    return Error{.message = end.how == ChildEnd::How::OutOfTime ? say::CompilerEndless : say::CompilerKilled,
                 .file = source.string(),
                 .remedy = say::LookForEndless};
}

} // namespace warpglass::session
