// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/compile.h"

#include "app/session/child_process.h"
#include "app/session/compiler.h"
#include "app/session/kernel_file.h"
#include "gpu/base/messages/session.h"
#include "gpu/cuda/cuda_backend.h"

#include <fmt/format.h>

#include <optional>
#include <regex>

namespace warpglass::session {

namespace {

namespace fs = std::filesystem;

// "sm_90a", "compute_90a" or "90a" as "compute_90a".
Result<std::string> virtualArchitecture(const std::string& arch) {
    static const std::regex known("(?:sm_|compute_)?(\\d{2,3}[af]?)");
    std::smatch found;
    if (!std::regex_match(arch, found, known))
        return Error{.message = say::NoArchitecture(arch), .file = "--arch", .remedy = say::ArchitectureForm};
    return "compute_" + found[1].str();
}

} // namespace

Result<std::string> compileToPtx(const fs::path& source, const std::string& text, const CompileOptions& options,
                                 const std::string& deviceArch) {
    if (auto ok = checkOptions(options); !ok)
        return ok.error();
    auto whole = wholeSource(source, text, options);
    if (!whole)
        return whole;
    auto arch = virtualArchitecture(options.arch.empty() ? deviceArch : options.arch);
    if (!arch)
        return arch;
    const std::string compiler = findCompiler();
    if (compiler.empty()) {
        std::vector<std::string> further = options.nvcc;
        std::vector<fs::path> folders{fs::absolute(source).parent_path()};
        for (const std::string& include : options.includes) {
            std::error_code failed;
            if (!fs::is_directory(include, failed))
                return Error{.message = say::NoSuchFolder, .file = "-I " + include};
            folders.emplace_back(fs::absolute(include));
        }
        for (const fs::path& folder : folders)
            further.push_back("-I" + folder.string());
        auto compiled = compileCuda(*whole, source.filename().string(), options.mode, *arch, further, options.closed);
        if (compiled)
            return compiled;
        Error error = compiled.error();
        const bool isThere = error.line > 0 || error.message.find("nvrtc: ") != std::string::npos;
        if (isThere) { // and has found a fault in the source, or in the options
            const bool isProgram = factsOfSource(text).hasMain;
            error.remedy = isProgram ? say::NvrtcAlone : say::MendSource;
            return error;
        }
        return Error{.message = say::NoCompiler(error.message), .file = source.string(), .remedy = say::InstallToolkit};
    }
    const ScratchFolder scratch;
    if (scratch.path.empty())
        return ScratchFolder::missing();
    const fs::path copy = scratch.path / "source.cu", ptx = scratch.path / "out.ptx", said = scratch.path / "said.txt";
    if (auto ok = writeAll(copy, *whole); !ok)
        return ok.error();
    // Relocatable code, so that device-side launches compile.
    std::vector<std::string> words{compiler, "-ptx", "-rdc=true", "-arch=" + *arch};
    if (options.mode == CompileMode::AsWritten)
        words.insert(words.end(), {"-G"});
    else
        words.insert(words.end(), {"-O3", "-lineinfo"});
    if (auto ok = addIncludes(words, scratch.path, {source}, options); !ok)
        return ok.error();
    words.insert(words.end(), options.nvcc.begin(), options.nvcc.end());
    words.insert(words.end(), {copy.string(), "-o", ptx.string()});
    std::optional<ChildFiles> files;
    if (options.closed)
        files.emplace(
            ChildFiles{cage::FileRules(cage::toolchainFiles(compiler), {scratch.path, "/dev/null"}), scratch.path});
    const ChildEnd end = runChild(words, said, options.limits, files ? &*files : nullptr);
    if (end.how != ChildEnd::How::Exited)
        return endedBadly(source, compiler, end);
    if (end.status != 0) {
        const std::string told = readAll(said);
        return told.empty() ? silentFailure(source, scratch.path) : compilerError(source, told);
    }
    return readAll(ptx);
}

} // namespace warpglass::session
