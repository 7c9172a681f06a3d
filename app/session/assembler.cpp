// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/assembler.h"

#include "app/session/compiler.h"
#include "gpu/base/memory_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <regex>
#include <sstream>

#include <unistd.h>

namespace warpglass::session {

namespace fs = std::filesystem;

namespace {
// More than any kernel of a lesson takes (0.2 s), less than a person waits for.
constexpr ChildLimits patience{
    .memoryBytes = std::uint64_t(3) << 29, .fileBytes = std::uint64_t(64) << 20, .cpuSeconds = 4, .wallSeconds = 8};

// What it says where it cannot have the memory, and then ends by itself.
constexpr const char* noMemory = "Memory allocation failure";
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

namespace {
std::string askAssembler(const std::string& assembler, const ptx::Module& module, const std::string& entry,
                         int capability, std::string* why) {
    static const std::regex target("sm_(\\d{2,3})([af]?)");
    std::smatch found;
    if (assembler.empty() || !std::regex_match(module.target, found, target))
        return {};
    // A text for one architecture alone is assembled for that one, others for the device.
    const bool bound = found[2].length() > 0;
    const int wanted = std::stoi(found[1].str());
    if (bound ? wanted != capability : wanted > capability)
        return {};
    const ScratchFolder scratch;
    if (scratch.path.empty())
        return {};
    const fs::path text = scratch.path / "in.ptx", said = scratch.path / "said.txt";
    if (!writeAll(text, module.text))
        return {};
    std::vector<std::string> words{
        assembler, "-v", "-arch=" + (bound ? module.target : fmt::format("sm_{}", capability)), "--entry", entry};
    const auto& options = module.targetOptions;
    if (std::find(options.begin(), options.end(), "debug") != options.end())
        words.insert(words.end(), {"-g", "--dont-merge-basicblocks", "--return-at-end"});
    words.insert(words.end(), {text.string(), "-o", (scratch.path / "out.cubin").string()});
    ChildEnd end = runChild(words, said, patience);
    if (end.how == ChildEnd::How::Exited && end.status != 0 &&
        readAll(said).find(noMemory) == std::string::npos) { // what it calls may be the linker's affair
        words.push_back("--compile-only");
        end = runChild(words, said, patience);
    }
    std::string answer = readAll(said);
    const bool outOfMemory = end.how == ChildEnd::How::Killed || answer.find(noMemory) != std::string::npos;
    if (why && (end.how == ChildEnd::How::OutOfTime || outOfMemory))
        *why = fmt::format(
            "ptxas was to count the registers and {}: they are estimated",
            outOfMemory ? fmt::format("was ended, or wanted more than {} of memory", memoryWords(patience.memoryBytes))
                        : fmt::format("did not come to an end in {} s", patience.cpuSeconds));
    if (end.how != ChildEnd::How::Exited || end.status != 0)
        return {};
    return answer;
}
} // namespace

std::string saidByAssembler(const std::string& assembler, const ptx::Module& module, const std::string& entry,
                            int capability, std::string* why) {
    struct Answer {
        std::string assembler, text, entry, said;
        int capability = 0;
    };
    static std::mutex mutex;
    static Answer last; // a run asks for the registers, and what it tells is of the same text
    const std::scoped_lock lock(mutex);
    if (last.said.empty() || last.assembler != assembler || last.text != module.text || last.entry != entry ||
        last.capability != capability) {
        last = {assembler, module.text, entry, askAssembler(assembler, module, entry, capability, why), capability};
    }
    return last.said;
}

std::optional<std::uint32_t> assembledRegisters(const std::string& assembler, const ptx::Module& module,
                                                const std::string& entry, int capability, std::string* why) {
    return registersOfEntry(saidByAssembler(assembler, module, entry, capability, why), entry);
}

} // namespace warpglass::session
