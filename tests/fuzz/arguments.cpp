// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/arguments.h"
#include "app/record/command.h"
#include "gpu/launch/texture_words.h"

#include "tests/fuzz/bounded.h"
#include "tests/fuzz/targets.h"

#include <sstream>

namespace warpglass::fuzz {

namespace {

// Words of a person's command line would name files; these must not, because what lies there is not the input.
bool namesFile(const std::string& line) {
    return line.find("file:") != std::string::npos || line.find(".cu") != std::string::npos ||
           line.find("cuda") != std::string::npos || line.find(".ptx") != std::string::npos;
}

constexpr const char* kernel =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n, .param .align 8 .b8 s[24])\n"
    "{\n.reg .b64 %rd<3>;\n.reg .b32 %r<3>;\n"
    "ld.param.u64 %rd1, [a];\nld.param.u32 %r1, [n];\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

// The command line, made once: that takes longer than to read words with it.
struct RunLine {
    record::RunWords typed;
    std::string kernel;
    command_line::CommandLine app{"", "warpglass-record", ""};
    RunLine() {
        const command_line::Command run = app.command("run", "");
        record::addKernelOptions(run, kernel, typed);
        record::addRunOptions(run, typed);
    }
};

} // namespace

void arguments(std::string_view bytes) {
    std::vector<std::string> lines;
    std::istringstream text{std::string(bytes)};
    constexpr std::size_t mostLines = 24;
    for (std::string line; lines.size() < mostLines && std::getline(text, line);) {
        if (namesFile(line) || line.find('\0') != std::string::npos)
            return;
        lines.push_back(line);
    }
    for (const std::string& line : lines) {
        if (const auto argument = parseArgument(line); argument && argument->isBuffer && argument->count == 0)
            wrong("a buffer of no elements was accepted");
        LaunchPlan plan;
        (void)addTexture(plan, line);
        (void)addSurface(plan, line);
        (void)parseDump(line);
    }

    static RunLine line;
    line.typed = {};
    line.kernel.clear();
    std::vector<std::string> words{"warpglass-record", "run"};
    words.insert(words.end(), lines.begin(), lines.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    if (line.app.parse(int(pointers.size()), pointers.data(), 2))
        return;
    auto request = record::requestOf(line.kernel, line.typed);
    if (!request)
        return;
    bound(*request);
    if (line.kernel == "k") { // the file's kernel
        request->kernel = "k.ptx";
        request->text = kernel;
    }
    runBounded(*request);
}

} // namespace warpglass::fuzz
