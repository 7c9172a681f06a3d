// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/compile.h"

#include "app/session/child_process.h"
#include "app/session/compiler.h"
#include "gpu/cuda/cuda_backend.h"

#include <fmt/format.h>

#include <fstream>
#include <regex>

namespace warpglass::session {

namespace {

namespace fs = std::filesystem;

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
