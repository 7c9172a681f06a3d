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
    if (auto ok = addIncludes(words, scratch.path, {source}, options); !ok)
        return ok.error();
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
