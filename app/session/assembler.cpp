// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/assembler.h"

#include "app/session/compiler.h"
#include "gpu/base/memory_limit.h"

#include <fmt/format.h>

#include <mutex>
#include <regex>
#include <sstream>

#include <unistd.h>

namespace warpglass::session {

namespace fs = std::filesystem;

namespace {
// What it says where it cannot have the memory, and then ends by itself.
constexpr const char* noMemory = "Memory allocation failure";

constexpr std::size_t headBytes = 1 << 16; // of a text: what it is for stands there
} // namespace

std::string findAssembler() {
    const std::string compiler = findCompiler();
    const fs::path assembler = fs::path(compiler).parent_path() / "ptxas";
    return !compiler.empty() && access(assembler.c_str(), X_OK) == 0 ? assembler.string() : std::string();
}

// ptxas info    : Compiling entry function 'k' for 'sm_90'
// ptxas info    : Function properties for k
//     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// ptxas info    : Used 12 registers, used 0 barriers
std::optional<std::uint32_t> registersOfEntry(const std::string& said, const std::string& entry) {
    std::istringstream lines(said);
    bool ours = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.find("Compiling entry function '") != std::string::npos)
            ours = line.find("'" + entry + "'") != std::string::npos;
        std::uint32_t registers = 0;
        if (const std::size_t at = line.find(": Used "); ours && at != std::string::npos)
            if (std::istringstream(line.substr(at + 7)) >> registers)
                return registers;
    }
    return std::nullopt;
}

std::string targetOf(const std::string& ptx) {
    static const std::regex target(R"(\.target\s+(sm_\d+[af]?))");
    std::smatch found;
    const std::string head = ptx.substr(0, headBytes);
    return std::regex_search(head, found, target) ? found[1].str() : std::string();
}

namespace {
// The line that says why.
std::string whatFailed(const std::string& said) {
    if (said.find(noMemory) != std::string::npos)
        return noMemory;
    std::istringstream lines(said);
    std::string first;
    for (std::string line; std::getline(lines, line);) {
        if (line.find("error") != std::string::npos || line.find("fatal") != std::string::npos)
            return line;
        if (first.empty())
            first = line;
    }
    return first.empty() ? "it did not come to its end" : first;
}
} // namespace

Result<Assembly> assemble(const std::string& assembler, const std::string& ptx, const std::string& arch,
                          const std::string& entry, const ChildLimits& limits, ChildEnd* ended) {
    static const std::regex debug(R"(\.target[^\n]*\bdebug\b)");
    const ScratchFolder scratch;
    if (scratch.path.empty())
        return ScratchFolder::missing();
    const fs::path text = scratch.path / "in.ptx", said = scratch.path / "said.txt", out = scratch.path / "out.cubin";
    if (auto ok = writeAll(text, ptx); !ok)
        return ok.error();
    std::vector<std::string> words{assembler, "-v", "-arch=" + arch};
    if (!entry.empty())
        words.insert(words.end(), {"--entry", entry});
    if (std::regex_search(ptx.substr(0, headBytes), debug))
        words.insert(words.end(), {"-g", "--dont-merge-basicblocks", "--return-at-end"});
    else
        words.emplace_back("--generate-line-info");
    words.insert(words.end(), {text.string(), "-o", out.string()});
    ChildEnd end = runChild(words, said, limits);
    if (end.how == ChildEnd::How::Exited && end.status != 0 &&
        readAll(said).find(noMemory) == std::string::npos) { // what it calls may be the linker's affair
        words.emplace_back("--compile-only");
        end = runChild(words, said, limits);
    }
    if (ended)
        *ended = end;
    std::string answer = readAll(said);
    if (end.how != ChildEnd::How::Exited || end.status != 0)
        return Error{.message = plain(whatFailed(answer))};
    return Assembly{.said = std::move(answer), .cubin = readAll(out)};
}

namespace {

// A text for one architecture alone is assembled for that one, others for the device; empty: not for this device.
std::string archFor(const std::string& target, int capability) {
    static const std::regex form("sm_(\\d{2,3})([af]?)");
    std::smatch found;
    if (!std::regex_match(target, found, form))
        return {};
    const bool bound = found[2].length() > 0;
    const int wanted = std::stoi(found[1].str());
    if (bound ? wanted != capability : wanted > capability)
        return {};
    return bound ? target : fmt::format("sm_{}", capability);
}

Assembly askAssembler(const std::string& assembler, const ptx::Module& module, const std::string& entry, int capability,
                      std::string* why) {
    const std::string arch = archFor(module.target, capability);
    if (assembler.empty() || arch.empty())
        return {};
    ChildEnd end;
    auto made = assemble(assembler, module.text, arch, entry, patience, &end);
    if (made)
        return std::move(*made);
    const bool outOfMemory =
        end.how == ChildEnd::How::Killed || made.error().message.text().find(noMemory) != std::string::npos;
    if (why && (end.how == ChildEnd::How::OutOfTime || outOfMemory))
        *why = fmt::format(
            "ptxas was to count the registers and {}: they are estimated",
            outOfMemory ? fmt::format("was ended, or wanted more than {} of memory", memoryWords(patience.memoryBytes))
                        : fmt::format("did not come to an end in {} s", patience.cpuSeconds));
    return {};
}

// A run asks for the registers, and what it tells is of the same text.
struct LastAnswer {
    std::mutex mutex;
    std::string assembler, text, entry;
    int capability = 0;
    Assembly answer;

    bool isOf(const std::string& ptx, const std::string& of, int device) const {
        return !answer.said.empty() && text == ptx && entry == of && capability == device;
    }
};
LastAnswer& last() {
    static LastAnswer answer;
    return answer;
}

} // namespace

std::string saidByAssembler(const std::string& assembler, const ptx::Module& module, const std::string& entry,
                            int capability, std::string* why) {
    LastAnswer& known = last();
    {
        const std::scoped_lock lock(known.mutex);
        if (known.assembler == assembler && known.isOf(module.text, entry, capability))
            return known.answer.said;
    }
    Assembly answer = askAssembler(assembler, module, entry, capability, why); // others ask beside it
    const std::scoped_lock lock(known.mutex);
    known.answer = std::move(answer);
    known.assembler = assembler;
    known.text = module.text;
    known.entry = entry;
    known.capability = capability;
    return known.answer.said;
}

std::string lastAssembled(const std::string& ptx, const std::string& entry, int capability) {
    LastAnswer& known = last();
    const std::scoped_lock lock(known.mutex);
    return known.isOf(ptx, entry, capability) ? known.answer.cubin : std::string();
}

std::optional<std::uint32_t> assembledRegisters(const std::string& assembler, const ptx::Module& module,
                                                const std::string& entry, int capability, std::string* why) {
    return registersOfEntry(saidByAssembler(assembler, module, entry, capability, why), entry);
}

} // namespace warpglass::session
