// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/kernel_source.h"

#include "gpu/base/messages/program.h"
#include "gpu/base/read_file.h"
#include "gpu/base/utf8.h"
#include "gpu/launch/included.h"
#include "gpu/ptx/source_lines.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace warpglass::program {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t mostBytes = 4 << 20;
constexpr std::array<std::string_view, 11> endings = {".cu", ".cuh", ".c",   ".cc",  ".cpp", ".py",
                                                      ".h",  ".hpp", ".cxx", ".inl", ".hh"};

// Where the kernel itself stands, not what was inlined into it.
fs::path fileOf(const ptx::Module& module, const ptx::Function& entry) {
    for (const ptx::Instruction& instruction : entry.body)
        if (const auto chain = ptx::sourceChain(module, instruction); !chain.empty())
            for (const auto& file : module.files)
                if (file.number == chain.back().file)
                    return file.path;
    return {};
}

} // namespace

KernelSource sourceOf(const ptx::Module& module, const std::string& entry, std::optional<fs::file_time_type> compiled) {
    const ptx::Function* function = module.findFunction(entry);
    const fs::path file = function ? fileOf(module, *function) : fs::path();
    KernelSource source;
    if (std::find(endings.begin(), endings.end(), file.extension().string()) == endings.end())
        return source;
    std::error_code missing, unknown;
    const auto changed = fs::last_write_time(file, missing);
    const auto built = compiled ? *compiled : fs::last_write_time("/proc/self/exe", unknown);
    if (missing || unknown)
        return source;
    if (changed > built) {
        source.why = say::SourceNewer(file.string());
        return source;
    }
    if (auto text = readFile(file, mostBytes)) {
        source.name = file.filename().string();
        source.text = validUtf8(*text);
        source.headers = cuda_text::includedTexts(source.text, file.parent_path());
    }
    return source;
}

} // namespace warpglass::program
