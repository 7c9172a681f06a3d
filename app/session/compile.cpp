// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/compile.h"

#include "app/session/child_process.h"
#include "gpu/cuda/cuda_backend.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>

#include <unistd.h>

namespace warpglass::session {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostErrors = 10; // that are quoted

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

// A folder of our own that goes away with its contents.
struct ScratchFolder {
    fs::path path;
    ScratchFolder() {
        std::string pattern = (fs::temp_directory_path() / "warpglass-XXXXXX").string();
        if (const char* made = mkdtemp(pattern.data()))
            path = made;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        if (!path.empty())
            fs::remove_all(path, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
};

std::string readAll(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

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

// The source with definitions above it and the wanted instance below, each under a name of its own for errors.
Result<std::string> wholeSource(const fs::path& source, const std::string& text, const CompileOptions& options) {
    static const std::regex identifier("[A-Za-z_][A-Za-z0-9_]*(\\([A-Za-z0-9_, .]*\\))?");
    std::string whole;
    if (!options.defines.empty())
        whole += "#line 1 \"-D\"\n";
    for (const std::string& define : options.defines) {
        const std::size_t equals = define.find('=');
        const std::string name = define.substr(0, equals);
        if (!std::regex_match(name, identifier) || define.find('\n') != std::string::npos)
            return Error{.message = fmt::format("\"{}\" defines nothing", define),
                         .file = "-D",
                         .remedy = "Write NAME or NAME=VALUE."};
        whole += fmt::format("#define {} {}\n", name, equals == std::string::npos ? "1" : define.substr(equals + 1));
    }
    whole += fmt::format("#line 1 {}\n{}\n", quoted(source.string()), text);
    if (!options.instance.empty()) // an address that is taken makes the compiler instantiate the template
        whole += fmt::format("#line 1 \"--kernel\"\n"
                             "static const void* const warpglassInstance __attribute__((used)) = (const void*)({});\n",
                             options.instance);
    return whole;
}

// "sm_90a", "compute_90a" or "90a" as "compute_90a".
Result<std::string> virtualArchitecture(const std::string& arch) {
    static const std::regex known("(?:sm_|compute_)?(\\d{2,3}[af]?)");
    std::smatch found;
    if (!std::regex_match(arch, found, known))
        return Error{.message = fmt::format("\"{}\" is no architecture", arch),
                     .file = "--arch",
                     .remedy = "Write it as nvcc does: sm_90."};
    return "compute_" + found[1].str();
}

// What nvcc said, as one error: the first as message and place, with the line and caret that the compiler shows, then
// the others, each with its place. "k.cu(7): error: identifier "x" is undefined" or "k.cu:7:3: error: ...".
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

} // namespace

Result<std::string> compileToPtx(const fs::path& source, const std::string& text, const CompileOptions& options,
                                 const std::string& deviceArch) {
    auto whole = wholeSource(source, text, options);
    if (!whole)
        return whole;
    auto arch = virtualArchitecture(options.arch.empty() ? deviceArch : options.arch);
    if (!arch)
        return arch;
    const std::string compiler = findCompiler();
    if (compiler.empty()) {
        auto compiled = compileCuda(*whole, source.filename().string(), options.mode);
        if (compiled || compiled.error().line > 0) // the compiler is there and has found a fault in the source
            return compiled;
        return Error{.message = "a .cu file needs CUDA's compiler, and neither nvcc nor NVRTC is found here",
                     .file = source.string(),
                     .remedy =
                         "Put nvcc on PATH, or compile elsewhere with nvcc -ptx -lineinfo and bring the .ptx file."};
    }
    const ScratchFolder scratch;
    if (scratch.path.empty())
        return Error{.message = "no temporary folder can be made for the compiler", .file = source.string()};
    const fs::path copy = scratch.path / "source.cu", ptx = scratch.path / "out.ptx", said = scratch.path / "said.txt";
    std::ofstream(copy, std::ios::binary) << *whole;
    // Relocatable code, so that device-side launches compile.
    std::vector<std::string> words{compiler, "-ptx", "-rdc=true", "-arch=" + *arch};
    if (options.mode == CompileMode::AsWritten)
        words.insert(words.end(), {"-G"});
    else
        words.insert(words.end(), {"-O3", "-lineinfo"});
    std::vector<fs::path> folders{fs::absolute(source).parent_path()};
    for (const std::string& include : options.includes)
        folders.push_back(fs::absolute(include));
    for (std::size_t i = 0; i < folders.size(); ++i) {
        std::error_code failed;
        const fs::path link = scratch.path / fmt::format("include{}", i);
        fs::create_directory_symlink(folders[i], link, failed);
        if (i > 0 && !fs::is_directory(folders[i], failed))
            return Error{.message = "there is no such folder", .file = "-I " + options.includes[i - 1]};
        words.insert(words.end(), {"-I", link.string()});
    }
    words.insert(words.end(), options.nvcc.begin(), options.nvcc.end());
    words.insert(words.end(), {copy.string(), "-o", ptx.string()});
    const ChildEnd end = runChild(words, said);
    if (end.how != ChildEnd::How::Exited)
        return endedBadly(source, compiler, end);
    if (end.status != 0)
        return compilerError(source, readAll(said));
    return readAll(ptx);
}

} // namespace warpglass::session
