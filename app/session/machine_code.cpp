// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/machine_code.h"

#include "app/session/assembler.h"
#include "app/session/compiler.h"
#include "app/session/kept_code.h"
#include "gpu/base/shown.h"
#include "gpu/fatbin/fatbin.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/machine/kept.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include <unistd.h>

namespace warpglass::session {

namespace fs = std::filesystem;

namespace {

constexpr unsigned leastArch = 90; // what PTX for any card is assembled for

Error problem(const fs::path& file, std::string message, std::string remedy = {}) {
    return Error{.message = std::move(message), .file = file.string(), .remedy = std::move(remedy)};
}

machine::Bytes spanOf(const std::string& bytes) {
    return std::as_bytes(std::span(bytes));
}

// Of PTX: for the architecture that was asked for, else the text's own, at least sm_90.
Result<std::string> assembled(const fs::path& file, const std::string& ptx, std::string arch) {
    const std::string assembler = findAssembler();
    if (assembler.empty())
        return problem(file, "there is no ptxas to make machine code of it",
                       "Install the CUDA toolkit, or give a cubin.");
    if (arch.empty()) {
        arch = targetOf(ptx);
        unsigned number = 0;
        if (!(std::istringstream(arch.substr(std::min<std::size_t>(3, arch.size()))) >> number) || number < leastArch)
            arch = fmt::format("sm_{}", leastArch);
    }
    auto made = assemble(assembler, ptx, arch, {}, {});
    if (!made)
        return problem(file, "ptxas does not assemble it: " + made.error().message.text());
    return std::move(made->cubin);
}

// Of a program or a shared library: the machine code that nvcc put into it, of the architecture asked for or the newest that
// has the kernel.
Result<std::string> embedded(const fs::path& file, const std::string& bytes, const std::string& arch,
                             const std::string& kernel) {
    const auto elf = machine::readElf(spanOf(bytes));
    if (!elf)
        return elf.error();
    unsigned wanted = 0, best = 0;
    if (arch.starts_with("sm_"))
        std::istringstream(arch.substr(3)) >> wanted;
    std::set<std::uint32_t> there;
    std::string code;
    bool anyOfIt = false;
    const auto has = [&](const std::string& cubin) {
        const auto facts = machine::readFacts(spanOf(cubin));
        return facts && std::ranges::any_of(*facts, [&](const auto& f) { return isNamed(f.first, kernel); });
    };
    const machine::Section* section = elf->find(".nv_fatbin");
    constexpr std::size_t headBytes = 16;
    for (machine::Bytes rest = section ? section->bytes : machine::Bytes(); rest.size() >= headBytes;) {
        const auto container = fatbin::readContainer(rest);
        if (!container)
            return container.error();
        for (const fatbin::PackedImage& image : container->images) {
            if (image.kind != fatbin::PackedImage::Kind::Elf)
                continue;
            there.insert(image.arch);
            anyOfIt = anyOfIt || image.arch == wanted;
            if (wanted ? image.arch != wanted || !code.empty() : image.arch <= best)
                continue;
            auto unpacked = fatbin::unpacked(image);
            if (!unpacked)
                return unpacked.error();
            if (!kernel.empty() && !has(*unpacked))
                continue;
            code = std::move(*unpacked);
            best = image.arch;
        }
        const std::uint64_t size = *machine::valueAt<std::uint64_t>(rest, 8) + headBytes;
        rest = rest.subspan(std::min<std::uint64_t>((size + 7) / 8 * 8, rest.size()));
    }
    if (!code.empty())
        return code;
    if (there.empty())
        return problem(file, "there is no machine code for a GPU in it");
    if (!wanted || anyOfIt)
        return problem(file, fmt::format("there is no {} in it", kernel));
    std::string words;
    for (const std::uint32_t one : there)
        words += fmt::format("{}sm_{}", words.empty() ? "" : ", ", one);
    return problem(file, fmt::format("there is no machine code for {} in it, but for {}", arch, words));
}

} // namespace

std::string findDisassembler() {
    std::vector<fs::path> folders;
    if (const std::string assembler = findAssembler(); !assembler.empty())
        folders.push_back(fs::path(assembler).parent_path());
    for (fs::path& folder : pathFolders())
        folders.push_back(std::move(folder));
    for (const fs::path& folder : folders)
        if (const fs::path found = folder / "nvdisasm"; folder.is_absolute() && access(found.c_str(), X_OK) == 0)
            return found.string();
    return {};
}

machine::Disassembly readDisassembly(const std::string& printed) {
    // Behind it, with life ranges: "// |  8 ..." or "// | 8 | 2 | 3 |", registers of a thread first.
    static const std::regex code(R"(^\s*/\*([0-9a-f]{4,16})\*/\s+(.*?)\s*;\s*(?://\s*\|\s*([0-9]{1,3})?.*)?$)");
    constexpr std::string_view label = ".text.";
    machine::Disassembly texts;
    std::map<std::uint64_t, machine::Disassembled>* function = nullptr;
    std::istringstream lines(printed);
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (const std::size_t end = line.find(':'); line.starts_with(label) && end != std::string::npos)
            function = &texts[line.substr(label.size(), end - label.size())];
        else if (function && line.size() < 1000 && std::regex_match(line, found, code))
            (*function)[std::stoull(found[1], nullptr, 16)] = {
                found[2], found[3].matched ? std::uint32_t(std::stoul(found[3])) : 0};
    }
    return texts;
}

// The disassembler sees a copy in a folder of ours, so no name of a file reaches it.
machine::Disassembly textsOf(const machine::Cubin& cubin, const std::string& bytes) {
    const std::string disassembler = findDisassembler();
    const ScratchFolder scratch;
    const fs::path in = scratch.path / "in.cubin", out = scratch.path / "out.txt";
    if (disassembler.empty() || scratch.path.empty() || !writeAll(in, bytes))
        return {};
    machine::Disassembly all;
    for (const std::vector<std::string>& ranges :
         {std::vector<std::string>{"-lrm", "count"}, {}}) { // old ones have none
        std::vector<std::string> words{disassembler, "-c"};
        words.insert(words.end(), ranges.begin(), ranges.end());
        words.push_back(in.string());
        const ChildEnd end = runChild(words, out);
        if (end.how == ChildEnd::How::Exited && end.status == 0)
            all = readDisassembly(readAll(out));
        if (!all.empty())
            break;
    }
    static const std::regex labels(R"(`\(\.[A-Za-z0-9_$.]+\))"); // places, as everywhere else
    for (const machine::Function& f : cubin.functions) {
        const auto texts = all.find(f.name);
        if (texts == all.end())
            continue;
        for (auto& [at, said] : texts->second) {
            const std::uint64_t index = at / machine::instructionBytes;
            if (index < f.code.size() && f.code[index].target)
                said.text = std::regex_replace(said.text, labels, fmt::format("{:#x}", *f.code[index].target));
        }
    }
    return all;
}

// By its line, too: what is called has places of its own.
const MachineCount* MachineCode::countOf(const machine::Function& function, std::uint64_t offset) const {
    const machine::LineRow* row = function.ptx.at(offset);
    if (!counted || !row)
        return nullptr;
    const auto found = std::ranges::find_if(counted->machineCounts, [&](const MachineCount& c) {
        return c.launch == 0 && c.sassOffset == offset && c.site < counted->sites.size() &&
               counted->sites[c.site].ptxLine == row->line;
    });
    return found == counted->machineCounts.end() ? nullptr : &*found;
}

namespace {

Result<std::string> cubinOf(const fs::path& file, const CompileOptions& options, const std::string& arch,
                            const std::string& kernel, MachineCode& code) {
    std::error_code none;
    std::string bytes = fs::is_regular_file(file, none) ? readAll(file) : std::string();
    if (bytes.empty())
        return problem(file, "cannot be read, or is empty");
    if (machine::isElfOf(machine::Machine::Cuda, spanOf(bytes))) {
        code.origin = "the file's own";
        return bytes;
    }
    if (bytes.starts_with("\x7f"
                          "ELF")) {
        code.origin = "in the program";
        return embedded(file, bytes, arch, kernel);
    }
    if (file.extension() == ".cu") {
        auto ptx = compileToPtx(file, bytes, options, fmt::format("compute_{}", leastArch));
        if (!ptx)
            return ptx.error();
        bytes = std::move(*ptx);
    }
    code.ptx = std::move(bytes);
    code.origin = "made by ptxas from PTX";
    return assembled(file, code.ptx, arch);
}

Result<MachineCode> readCode(const fs::path& file, std::string bytes, MachineCode code) {
    auto cubin = machine::readCubin(spanOf(bytes));
    if (!cubin) {
        Error error = cubin.error();
        error.file = file.string();
        return error;
    }
    code.cubin = std::move(*cubin);
    code.texts = textsOf(code.cubin, bytes);
    if (code.ptx.empty())
        for (const std::string& line : code.cubin.ptx)
            code.ptx += line + "\n";
    code.bytes = std::move(bytes);
    return code;
}

} // namespace

bool isNamed(const std::string& function, const std::string& asked) {
    const std::string name = plainName(function);
    return asked.empty() || function == asked || name == asked || name.starts_with(asked + "(") ||
           name.starts_with(asked + "<");
}

Result<MachineCode> machineCodeOf(const fs::path& file, const CompileOptions& options, const std::string& arch,
                                  const std::string& kernel) {
    MachineCode code;
    auto bytes = cubinOf(file, options, arch, kernel, code);
    return bytes ? readCode(file, std::move(*bytes), std::move(code)) : Result<MachineCode>(bytes.error());
}

Result<MachineCode> machineCodeOf(const fs::path& file, const TracePtr& recording, const std::string& arch) {
    MachineCode code;
    if (recording->kernels.empty())
        return problem(file, "holds no kernel");
    const Kernel& kernel = recording->kernels.front();
    code.ptx = kernel.ptx;
    if (!arch.empty()) {
        code.origin = "made from the recording's PTX";
        auto made = assembled(file, code.ptx, arch);
        return made ? readCode(file, std::move(*made), std::move(code)) : Result<MachineCode>(made.error());
    }
    const auto codes = codeOf(*recording, 0);
    if (!codes)
        return problem(file, codes.error().message.text());
    const bool own = codes->bytes == recording->codes.bytes;
    code.origin = own ? "kept in the recording" : "made from the recording's PTX";
    if (own && !recording->machineCounts.empty())
        code.counted = recording;
    const machine::Bytes bytes = machine::bytesWith(*codes, kernel.entry);
    return readCode(file, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), std::move(code));
}

} // namespace warpglass::session
