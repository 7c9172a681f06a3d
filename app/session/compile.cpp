// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/compile.h"

#include "gpu/cuda/plugin.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <vector>

#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace warpglass::session {

namespace {

namespace fs = std::filesystem;

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

// Runs a program with what it prints going to a file; its exit status, or -1 if it could not be started.
int runProcess(std::vector<std::string> words, const fs::path& output) {
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_t attributes; // Ctrl-C reaches the compiler although this program may have blocked it for itself
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t child = 0;
    const int failed = posix_spawn(&child, arguments[0], &files, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0)
        return -1;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// "k.cu(7): error: identifier "x" is undefined" or "k.cu:7:3: error: ..."
Error compilerError(const fs::path& source, const std::string& said) {
    static const std::regex parenthesis(R"(([^\n(]+)\((\d+)\): (?:fatal )?error:? ?([^\n]*))");
    static const std::regex colons(R"(([^\n:]+):(\d+):(?:\d+:)? (?:fatal )?error: ([^\n]*))");
    std::smatch found;
    if (std::regex_search(said, found, parenthesis) || std::regex_search(said, found, colons))
        return Error{.message = found[3], .file = found[1], .line = std::stoi(found[2]), .remedy = "Mend the source."};
    return Error{.message =
                     said.empty() ? "nvcc failed without a word" : "nvcc failed: " + said.substr(0, said.find('\n')),
                 .file = source.string()};
}

} // namespace

Result<std::string> compileToPtx(const fs::path& source, CompileMode mode) {
    const std::string compiler = findCompiler();
    if (compiler.empty()) {
        auto compiled = compileCuda(readAll(source), source.filename().string(), mode);
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
    const fs::path ptx = scratch.path / "out.ptx", said = scratch.path / "said.txt";
    // Relocatable code, so that device-side launches compile; compute_75 is the oldest that current compilers know.
    std::vector<std::string> words{compiler, "-ptx", "-rdc=true", "-arch=compute_75"};
    if (mode == CompileMode::AsWritten)
        words.insert(words.end(), {"-G"});
    else
        words.insert(words.end(), {"-O3", "-lineinfo"});
    words.insert(words.end(), {source.string(), "-o", ptx.string()});
    const int status = runProcess(words, said);
    if (status < 0)
        return Error{.message = fmt::format("{} cannot be started", compiler), .file = source.string()};
    if (status != 0)
        return compilerError(source, readAll(said));
    return readAll(ptx);
}

} // namespace warpglass::session
