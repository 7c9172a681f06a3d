// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/machine_code.h"

#include "app/session/assembler.h"
#include "app/session/compiler.h"
#include "gpu/base/shown.h"
#include "gpu/fatbin/fatbin.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include <unistd.h>

namespace warpglass::session {

namespace fs = std::filesystem;

namespace {

constexpr unsigned leastArch = 90; // what PTX for any card is assembled for

Error problem(const fs::path& file, std::string message, std::string remedy = {}) {
    return Error{.message = std::move(message), .file = file.string(), .remedy = std::move(remedy)};
}

Result<std::string> bytesOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in || fs::is_directory(file))
        return problem(file, "cannot be read");
    return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

machine::Bytes spanOf(const std::string& bytes) {
    return std::as_bytes(std::span(bytes));
}

// "sm_90a" for ".target sm_90a, debug"; "sm_90" where the text is for an older card.
std::string targetOf(const std::string& ptx) {
    static const std::regex target(R"(\.target\s+(sm_(\d+)[af]?))");
    std::smatch found;
    const std::string head = ptx.substr(0, 1 << 16);
    if (std::regex_search(head, found, target) && unsigned(std::stoul(found[2])) >= leastArch)
        return found[1];
    return fmt::format("sm_{}", leastArch);
}

Result<std::string> assembled(const fs::path& file, const std::string& ptx, std::string& arch) {
    const std::string assembler = findAssembler();
    if (assembler.empty())
        return problem(file, "there is no ptxas to make machine code of it",
                       "Install the CUDA toolkit, or give a cubin.");
    const ScratchFolder scratch;
    if (scratch.path.empty())
        return ScratchFolder::missing();
    if (arch.empty())
        arch = targetOf(ptx);
    const fs::path text = scratch.path / "in.ptx", said = scratch.path / "said.txt", out = scratch.path / "out.cubin";
    if (auto ok = writeAll(text, ptx); !ok)
        return ok.error();
    std::vector<std::string> words{assembler, "-arch=" + arch, "--generate-line-info"};
    if (std::regex_search(ptx.substr(0, 1 << 16), std::regex(R"(\.target[^\n]*\bdebug\b)")))
        words = {assembler, "-arch=" + arch, "-g", "--dont-merge-basicblocks", "--return-at-end"};
    words.insert(words.end(), {text.string(), "-o", out.string()});
    ChildEnd end = runChild(words, said);
    if (end.how == ChildEnd::How::Exited && end.status != 0) { // what it calls may be the linker's affair
        words.emplace_back("--compile-only");
        end = runChild(words, said);
    }
    if (end.how != ChildEnd::How::Exited || end.status != 0) {
        std::string answer = readAll(said);
        if (answer.empty())
            answer = "ptxas did not come to its end";
        return problem(file, "ptxas does not assemble it: " + answer.substr(0, answer.find('\n')));
    }
    return bytesOf(out);
}

// Of a program or a shared library: the machine code that nvcc put into it, of the architecture asked for or the newest.
Result<std::string> embedded(const fs::path& file, const std::string& bytes, const std::string& arch) {
    const auto elf = machine::readElf(spanOf(bytes));
    if (!elf)
        return elf.error();
    unsigned wanted = 0, best = 0;
    if (arch.starts_with("sm_"))
        std::istringstream(arch.substr(3)) >> wanted;
    std::string code, there;
    const machine::Section* section = elf->find(".nv_fatbin");
    constexpr std::size_t headBytes = 16;
    for (machine::Bytes rest = section ? section->bytes : machine::Bytes(); rest.size() >= headBytes;) {
        const auto container = fatbin::readContainer(rest);
        if (!container)
            return container.error();
        for (const fatbin::PackedImage& image : container->images) {
            if (image.kind != fatbin::PackedImage::Kind::Elf)
                continue;
            there += fmt::format("{}sm_{}", there.empty() ? "" : ", ", image.arch);
            if (wanted ? image.arch != wanted || !code.empty() : image.arch <= best)
                continue;
            auto unpacked = fatbin::unpacked(image);
            if (!unpacked)
                return unpacked.error();
            code = std::move(*unpacked);
            best = image.arch;
        }
        const std::uint64_t size = *machine::valueAt<std::uint64_t>(rest, 8) + headBytes;
        rest = rest.subspan(std::min<std::uint64_t>((size + 7) / 8 * 8, rest.size()));
    }
    if (code.empty())
        return there.empty()
                   ? problem(file, "there is no machine code for a GPU in it")
                   : problem(file, fmt::format("there is no machine code for {} in it, but for {}", arch, there));
    return code;
}

} // namespace

std::string findDisassembler() {
    std::vector<fs::path> folders;
    if (const std::string assembler = findAssembler(); !assembler.empty())
        folders.push_back(fs::path(assembler).parent_path());
    if (const char* path = std::getenv("PATH")) {
        std::istringstream all(path);
        for (std::string folder; std::getline(all, folder, ':');)
            folders.emplace_back(folder);
    }
    for (const fs::path& folder : folders)
        if (const fs::path found = folder / "nvdisasm"; folder.is_absolute() && access(found.c_str(), X_OK) == 0)
            return found.string();
    return {};
}

std::map<std::string, std::map<std::uint64_t, std::string>> readDisassembly(const std::string& printed) {
    static const std::regex code(R"(^\s*/\*([0-9a-f]{4,16})\*/\s+(.*?)\s*;.*$)");
    constexpr std::string_view label = ".text.";
    std::map<std::string, std::map<std::uint64_t, std::string>> texts;
    std::map<std::uint64_t, std::string>* function = nullptr;
    std::istringstream lines(printed);
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (line.starts_with(label) && line.ends_with(':'))
            function = &texts[line.substr(label.size(), line.size() - label.size() - 1)];
        else if (function && line.size() < 1000 && std::regex_match(line, found, code))
            (*function)[std::stoull(found[1], nullptr, 16)] = found[2];
    }
    return texts;
}

namespace {

// The disassembler sees a copy in a folder of ours, so no name of a file reaches it.
void addTexts(MachineCode& code, const std::string& bytes) {
    const std::string disassembler = findDisassembler();
    const ScratchFolder scratch;
    const fs::path in = scratch.path / "in.cubin", out = scratch.path / "out.txt";
    if (disassembler.empty() || scratch.path.empty() || !writeAll(in, bytes))
        return;
    const ChildEnd end = runChild({disassembler, "-c", in.string()}, out);
    if (end.how == ChildEnd::How::Exited && end.status == 0)
        code.texts = readDisassembly(readAll(out));
    static const std::regex labels(R"(`\(\.[A-Za-z0-9_$.]+\))"); // places, as everywhere else
    for (const machine::Function& f : code.cubin.functions) {
        const auto texts = code.texts.find(f.name);
        if (texts == code.texts.end())
            continue;
        for (auto& [at, text] : texts->second) {
            const std::uint64_t index = at / machine::instructionBytes;
            if (index < f.code.size() && f.code[index].target)
                text = std::regex_replace(text, labels, fmt::format("{:#x}", *f.code[index].target));
        }
    }
}

} // namespace

Result<MachineCode> machineCodeOf(const fs::path& file, const CompileOptions& options, const std::string& arch) {
    auto bytes = bytesOf(file);
    if (!bytes)
        return bytes.error();
    MachineCode code;
    std::string made = arch;
    if (machine::isElfOf(machine::Machine::Cuda, spanOf(*bytes))) {
        code.origin = "the file's own";
    } else if (bytes->starts_with("\x7f"
                                  "ELF")) {
        bytes = embedded(file, *bytes, arch);
        code.origin = "in the program";
    } else {
        Result<std::string> ptx = std::move(*bytes);
        if (file.extension() == ".wgt") {
            Progress progress;
            const auto trace = readTrace(file, progress);
            if (!trace)
                return trace.error();
            if ((*trace)->kernels.empty())
                return problem(file, "holds no kernel");
            ptx = (*trace)->kernels.front().ptx;
        } else if (file.extension() == ".cu") {
            ptx = compileToPtx(file, *ptx, options, fmt::format("compute_{}", leastArch));
        }
        if (!ptx)
            return ptx.error();
        bytes = assembled(file, *ptx, made);
        code.origin = "made by ptxas from PTX";
    }
    if (!bytes)
        return bytes.error();
    auto cubin = machine::readCubin(spanOf(*bytes));
    if (!cubin) {
        Error error = cubin.error();
        error.file = file.string();
        return error;
    }
    code.cubin = std::move(*cubin);
    addTexts(code, *bytes);
    return code;
}

} // namespace warpglass::session
