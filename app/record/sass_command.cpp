// SPDX-License-Identifier: GPL-3.0-or-later
// `sass` shows machine code: what the GPU schedules, with what the compiler tells its scheduler, and its lines.
#include "app/record/command.h"
#include "app/record/recorded_launch.h"
#include "app/session/compiler.h"
#include "app/session/kept_code.h"
#include "app/session/machine_code.h"
#include "gpu/base/messages/machine.h"
#include "gpu/base/new_file.h"
#include "gpu/base/quantity.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/machine/compact.h"
#include "gpu/machine/fate.h"
#include "gpu/ptx/parse.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace warpglass::record {

namespace {

using nlohmann::json;

struct SassCommand {
    std::string file, kernel, against, arch, output;
    std::int64_t launch = -1;
    session::CompileOptions compile;
    bool asWritten = false, json = false;
};

// A version of the code: the functions that were asked for.
struct Version {
    TracePtr recording; // null: the file is none
    session::MachineCode code;
    std::vector<const machine::Function*> functions;
    std::vector<machine::Fates> fates; // of each, what became of its PTX
};

Result<Version> versionOf(const std::string& file, const SassCommand& command) {
    session::CompileOptions options = command.compile;
    options.mode = command.asWritten ? CompileMode::AsWritten : CompileMode::Optimised;
    if (!command.arch.empty())
        options.arch = command.arch;
    TracePtr recording;
    if (isRecording(file)) {
        const auto opened = openLaunch(file, chosen(command.launch));
        if (!opened)
            return opened.error();
        recording = *opened;
    }
    auto code = recording ? session::machineCodeOf(file, recording, command.arch)
                          : session::machineCodeOf(file, options, command.arch, command.kernel);
    if (!code)
        return code.error();
    Version version{.recording = recording, .code = std::move(*code), .functions = {}, .fates = {}};
    std::string there;
    for (const machine::Function& f : version.code.cubin.functions) {
        if (session::isNamed(f.name, command.kernel))
            version.functions.push_back(&f);
        there += (there.empty() ? "" : ", ") + plainName(f.name);
    }
    if (version.functions.empty())
        return Error{.message = command.kernel.empty() ? "there is no function in it"
                                                       : fmt::format("there is no {} in it", command.kernel),
                     .file = file,
                     .remedy = there.empty() ? std::string() : "It has " + there + "."};
    const auto module = ptx::parse(version.code.ptx);
    for (const machine::Function* f : version.functions)
        version.fates.push_back(module ? machine::fatesOf(*f, version.code.cubin.arch, *module) : machine::Fates());
    return version;
}

std::string textOf(const Version& version, const machine::Function& f, std::size_t index) {
    if (const machine::Disassembled* said = machine::saidOf(version.code.texts, f.name, index))
        return said->text;
    return machine::plainText(f.code[index], version.code.cubin.arch);
}

// "k.cu:7", and where it was inlined behind it.
std::string placeOf(const machine::LineTable& table, const machine::LineRow* row) {
    std::string text;
    for (int depth = 0; row && row->line && depth < 8; ++depth) {
        const std::string& file = (*table.files)[row->file];
        text += fmt::format("{}{}:{}", depth ? " in " : "", file.substr(file.rfind('/') + 1), row->line);
        row = row->inlinedAt == machine::noRow ? nullptr : &table.rows[row->inlinedAt];
    }
    return text;
}

std::string scoreboards(std::uint8_t mask) {
    std::string text;
    for (unsigned i = 0; i < 6; ++i)
        text += (mask >> i & 1U) ? char('0' + i) : '-';
    return text;
}

std::string factsOf(const machine::Function& f) {
    std::string facts = quantity(f.code.size(), "instruction");
    if (f.registers)
        facts += fmt::format(", {}", quantity(*f.registers, "register"));
    if (f.stackBytes)
        facts += fmt::format(", {} of stack a thread", quantity(*f.stackBytes, "byte"));
    return facts +
           fmt::format(", {} of shared memory, {}", quantity(f.sharedBytes, "byte"), quantity(f.barriers, "barrier"));
}

// Where the instruction at a place comes from: its line of the source, else of PTX.
Message placeInWords(const machine::Function& f, std::uint64_t at) {
    if (const machine::LineRow* row = f.source.at(at); row && row->line) {
        const std::string& file = (*f.source.files)[row->file];
        return say::PlaceInSource(std::to_string(row->line), file.substr(file.rfind('/') + 1));
    }
    const machine::LineRow* row = f.ptx.at(at);
    return say::PlacePtx(std::to_string(row ? row->line : 0));
}

Message wordsOf(const machine::Decision& d, const machine::Function& f) {
    return machine::wordsOf(d, placeInWords(f, d.meets.value_or(0)));
}

// What became of each decision, in a sentence.
std::string decisionsText(const machine::Fates& fates, const machine::Function& f) {
    std::string text;
    for (const machine::Decision& d : fates.decisions) {
        text += "  " + Said(machine::wordsAt(d, 0, wordsOf(d, f))).text() + "\n";
    }
    if (!fates.spills.empty())
        text += fmt::format("  {} between registers and local memory: spills\n",
                            quantity(fates.spills.size(), "instruction"));
    return text;
}

std::string listing(const Version& version) {
    const machine::Cubin& cubin = version.code.cubin;
    std::string text =
        fmt::format("sm_{}, {}{}\n", cubin.arch, version.code.origin,
                    version.code.texts.empty()
                        ? "; operands by NVIDIA's nvdisasm, which is not there: opcodes, guards and targets alone"
                        : "");
    for (std::size_t n = 0; n < version.functions.size(); ++n) {
        const machine::Function* f = version.functions[n];
        text += fmt::format("\n{}{}: {}\n", f->entry ? "" : "function ", plainName(f->name), factsOf(*f));
        text += decisionsText(version.fates[n], *f);
        std::size_t widest = 11; // "instruction"
        for (std::size_t i = 0; i < f->code.size(); ++i)
            widest = std::max(widest, std::min<std::size_t>(60, textOf(version, *f, i).size()));
        const bool counted = version.code.counted != nullptr;
        text += fmt::format("  place  waits   sets   stall  {}{:<{}}  {}source\n", counted ? "     warps  " : "",
                            "instruction", widest, f->ptx.rows.empty() ? "" : "PTX     ");
        for (std::size_t i = 0; i < f->code.size(); ++i) {
            const machine::Instruction& in = f->code[i];
            const std::uint64_t at = i * machine::instructionBytes;
            const auto set = [](std::uint8_t s) { return s == machine::noScoreboard ? '-' : char('0' + s); };
            const machine::LineRow* ptx = i < f->helpers() ? f->ptx.at(at) : nullptr;
            const MachineCount* count = version.code.countOf(*f, at);
            text += fmt::format("  {:>5x}  {}  w{} r{}  {:>4}{}  {}{:<{}}  {}{}\n", at, scoreboards(in.control.waits),
                                set(in.control.writes), set(in.control.reads), in.control.stall,
                                in.control.yields ? 'y' : ' ',
                                !counted ? std::string()
                                : count  ? fmt::format("{:>10}  ", count->executions)
                                         : std::string(12, ' '),
                                textOf(version, *f, i), widest,
                                f->ptx.rows.empty() ? std::string() : fmt::format("{:<8}", ptx ? ptx->line : 0),
                                placeOf(f->source, f->source.at(at)));
        }
    }
    return text;
}

json linesJson(const machine::LineTable& table, const machine::LineRow* row) {
    json lines = json::array();
    for (int depth = 0; row && row->line && depth < 64; ++depth) {
        lines.push_back({{"file", (*table.files)[row->file]}, {"line", row->line}});
        row = row->inlinedAt == machine::noRow ? nullptr : &table.rows[row->inlinedAt];
    }
    return lines;
}

// What became of each line of PTX, and of each decision.
json fatesJson(const machine::Fates& fates, const machine::Function& f, unsigned arch) {
    json lines = json::array(), decisions = json::array();
    for (const machine::PtxFate& fate : fates.lines) {
        json row = {{"line", fate.line},
                    {"fate", name(fate.fate)},
                    {"instructions", fate.code},
                    {"said", Said(machine::wordsOf(fate, f, arch)).text()}};
        if (fate.into)
            row["into"] = fate.into;
        if (fate.copies > 1)
            row["copies"] = fate.copies;
        if (fate.bytes)
            row["bytes"] = fate.bytes;
        if (fate.spills)
            row["spills"] = fate.spills;
        lines.push_back(std::move(row));
    }
    for (const machine::Decision& d : fates.decisions) {
        json row = {{"line", d.line},   {"asked", d.asked},       {"fate", name(d.fate)},
                    {"loop", d.isLoop}, {"instructions", d.code}, {"said", Said(wordsOf(d, f)).text()}};
        if (d.meets)
            row["meets"] = {
                {"at", *d.meets}, {"line", d.meetsLine}, {"source", linesJson(f.source, f.source.at(*d.meets))}};
        decisions.push_back(std::move(row));
    }
    return {{"lines", std::move(lines)}, {"decisions", std::move(decisions)}, {"spills", fates.spills}};
}

json versionJson(const Version& version) {
    json functions = json::array();
    const unsigned arch = version.code.cubin.arch;
    for (std::size_t n = 0; n < version.functions.size(); ++n) {
        const machine::Function* f = version.functions[n];
        json code = json::array();
        for (std::size_t i = 0; i < f->code.size(); ++i) {
            const machine::Instruction& in = f->code[i];
            const machine::Control& c = in.control;
            const auto bits = [](std::uint8_t mask) {
                json set = json::array();
                for (unsigned b = 0; b < 8; ++b)
                    if (mask >> b & 1U)
                        set.push_back(b);
                return set;
            };
            const std::uint64_t at = i * machine::instructionBytes;
            const machine::LineRow* ptx = i < f->helpers() ? f->ptx.at(at) : nullptr;
            json row = {{"at", at},
                        {"opcode", machine::mnemonic(in.opcode, arch)},
                        {"text", textOf(version, *f, i)},
                        {"stall", c.stall},
                        {"yields", c.yields},
                        {"waits", bits(c.waits)},
                        {"reuse", bits(c.reuse)},
                        {"source", linesJson(f->source, f->source.at(at))},
                        {"bits", {fmt::format("{:016x}", f->bits[i][0]), fmt::format("{:016x}", f->bits[i][1])}}};
            if (in.guard != machine::alwaysTrue || in.negated)
                row["guard"] = fmt::format("{}{}", in.negated ? "!" : "", in.guard);
            if (in.target)
                row["target"] = *in.target;
            if (c.writes != machine::noScoreboard)
                row["writes"] = c.writes;
            if (c.reads != machine::noScoreboard)
                row["reads"] = c.reads;
            if (const auto* said = machine::saidOf(version.code.texts, f->name, i); said && said->live)
                row["live"] = said->live;
            if (ptx && ptx->line)
                row["ptx"] = ptx->line;
            if (const MachineCount* count = version.code.countOf(*f, at)) {
                row["warps"] = count->executions;
                row["lanes"] = count->lanes;
            }
            code.push_back(std::move(row));
        }
        json function = {{"name", f->name},
                         {"kernel", f->entry},
                         {"sharedBytes", f->sharedBytes},
                         {"barriers", f->barriers},
                         {"instructions", std::move(code)}};
        if (f->registers)
            function["registers"] = *f->registers;
        if (f->stackBytes)
            function["stackBytes"] = *f->stackBytes;
        if (!version.fates[n].lines.empty())
            function["ptx"] = fatesJson(version.fates[n], *f, arch);
        functions.push_back(std::move(function));
    }
    return {{"arch", fmt::format("sm_{}", arch)},
            {"origin", version.code.origin},
            {"compiler", version.code.cubin.compiler},
            {"operands", !version.code.texts.empty()},
            {"functions", std::move(functions)}};
}

// What tells two versions of a function apart, most changed first.
struct Change {
    std::string what;
    std::int64_t a = 0, b = 0;
};
std::vector<Change> changesOf(const Version& a, const machine::Function& f, const Version& b,
                              const machine::Function& g) {
    std::vector<Change> facts = {
        {"registers a thread", std::int64_t(f.registers.value_or(0)), std::int64_t(g.registers.value_or(0))},
        {"bytes of stack a thread", std::int64_t(f.stackBytes.value_or(0)), std::int64_t(g.stackBytes.value_or(0))},
        {"bytes of shared memory", f.sharedBytes, g.sharedBytes},
        {"instructions", std::int64_t(f.code.size()), std::int64_t(g.code.size())}};
    std::map<std::string, Change> byName;
    for (const auto& [name, count] : machine::countByMnemonic(f, a.code.cubin.arch))
        byName[name].a = std::int64_t(count);
    for (const auto& [name, count] : machine::countByMnemonic(g, b.code.cubin.arch))
        byName[name].b = std::int64_t(count);
    std::vector<Change> changed;
    for (auto& [name, change] : byName) {
        change.what = name;
        if (change.a != change.b)
            changed.push_back(change);
    }
    std::ranges::stable_sort(changed, std::ranges::greater(), [](const Change& c) { return std::abs(c.b - c.a); });
    facts.insert(facts.end(), changed.begin(), changed.end());
    return facts;
}

// Functions of the same name, or the only one of each.
std::vector<std::pair<const machine::Function*, const machine::Function*>> pairsOf(const Version& a, const Version& b) {
    if (a.functions.size() == 1 && b.functions.size() == 1)
        return {{a.functions.front(), b.functions.front()}};
    std::vector<std::pair<const machine::Function*, const machine::Function*>> pairs;
    for (const machine::Function* f : a.functions)
        for (const machine::Function* g : b.functions)
            if (f->name == g->name)
                pairs.emplace_back(f, g);
    return pairs;
}

int compared(const Version& a, const Version& b, const SassCommand& command) {
    const auto pairs = pairsOf(a, b);
    if (pairs.empty())
        return report(Error{.message = "no function is in both",
                            .file = command.against,
                            .remedy = "Name one of each with --kernel."},
                      badInput);
    json rows = json::array();
    std::string text;
    for (const auto& [f, g] : pairs) {
        json changes = json::array();
        text += fmt::format("{}{}{:<28} {:>10} {:>10} {:>8}\n", text.empty() ? "" : "\n", plainName(f->name) + "\n", "",
                            "A", "B", "B - A");
        for (const Change& c : changesOf(a, *f, b, *g)) {
            changes.push_back({{"what", c.what}, {"a", c.a}, {"b", c.b}});
            text += fmt::format("{:<28} {:>10} {:>10} {:>8}\n", c.what, c.a, c.b,
                                c.a == c.b ? std::string("same") : fmt::format("{:+}", c.b - c.a));
        }
        rows.push_back({{"function", f->name}, {"changes", std::move(changes)}});
    }
    if (command.json)
        return print(json{{"a", versionJson(a)}, {"b", versionJson(b)}, {"changes", std::move(rows)}}.dump(2) + "\n");
    return print(text);
}

// FILE.wgt: the recording with the machine code of its kernels; else the cubin, as a recording keeps it.
int written(const SassCommand& command, const Version& version) {
    if (const auto ok = differentFiles(command.file, command.output); !ok)
        return report(ok.error(), badInput);
    if (!command.output.ends_with(".wgt")) {
        std::set<std::string, std::less<>> kernels;
        for (const machine::Function* f : version.functions)
            if (f->entry)
                kernels.insert(f->name);
        const std::string& bytes = version.code.bytes;
        const auto small = machine::compact(std::as_bytes(std::span(bytes)), kernels);
        if (!small)
            return report(small.error(), badInput);
        const auto ok = session::writeAll(command.output, std::string(small->begin(), small->end()));
        return ok ? 0 : report(ok.error(), badInput);
    }
    if (!version.recording)
        return report(Error{.message = "is no recording to which its machine code could be added",
                            .file = command.file,
                            .remedy = "Name a file for the machine code that does not end in .wgt."},
                      badInput);
    const auto codes = session::codeOf(*version.recording, 0);
    if (!codes)
        return report(codes.error(), badInput);
    Trace whole = *version.recording;
    whole.codes = *codes;
    Progress progress;
    const auto ok = writeTrace(whole, command.output, progress);
    return ok ? 0 : report(ok.error(), badInput);
}

int sass(const SassCommand& command) {
    const auto version = versionOf(command.file, command);
    if (!version)
        return report(version.error(), badInput);
    if (!command.output.empty())
        return written(command, *version);
    if (!command.against.empty()) {
        const auto other = versionOf(command.against, command);
        return other ? compared(*version, *other, command) : report(other.error(), badInput);
    }
    return print(command.json ? versionJson(*version).dump(2) + "\n" : listing(*version));
}

} // namespace

void addSass(const Command& app, Action& action) {
    auto command = std::make_shared<SassCommand>();
    const Command sub =
        app.command("sass", "The machine code of a file, with what it tells the scheduler and its lines");
    sub.option("FILE", &command->file, "a cubin, a program, a .cu or .ptx file, or a recording: FILE.wgt").required();
    sub.option("--kernel", &command->kernel, "this function only");
    sub.option("--launch", &command->launch, "of a program's recording: which launch, counted from 0");
    sub.option("--against", &command->against, "another version: what differs, by kinds of instructions");
    sub.option("--arch", &command->arch, "sm_90: what is compiled for, or which of a program's codes is taken");
    sub.option("-D", &command->compile.defines, "a definition for a .cu file: NAME or NAME=VALUE");
    sub.flag("--as-written", command->asWritten, "a .cu file without optimisation");
    sub.option("-o,--output", &command->output,
               "FILE.wgt: the recording with its machine code; else the code, as recordings keep it");
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return sass(*command); }; });
}

} // namespace warpglass::record
