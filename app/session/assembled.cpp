// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/assembled.h"
#include "app/session/assembler.h"
#include "app/session/kept_code.h"
#include "gpu/base/messages/why.h"
#include "gpu/device/device.h"
#include "gpu/launch/source_tokens.h"
#include "gpu/machine/fate.h"
#include "gpu/machine/kept.h"
#include "gpu/ptx/join.h"
#include "gpu/ptx/parse.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace warpglass::session {

using namespace cuda_text;

namespace {

// "line 12 of a.cu" where the PTX line has a place in the source; else the PTX's own.
std::string placeOf(const Trace& trace, int ptxLine) {
    if (trace.launches.empty())
        return {};
    const Kernel& kernel = trace.kernelOf(trace.launches.front());
    const auto link = std::find_if(kernel.lines.begin(), kernel.lines.end(),
                                   [&](const LineLink& l) { return l.ptxLine == std::uint32_t(ptxLine); });
    return link != kernel.lines.end() && link->source.line > 0 ? fmt::format("line {}", link->source.line)
                                                               : fmt::format("PTX line {}", ptxLine);
}

std::string bareKernel(const std::string& kernel) {
    const std::string name = kernel.substr(0, kernel.find_first_of("(<"));
    const std::size_t last = name.rfind("::");
    return last == std::string::npos ? name : name.substr(last + 2);
}

} // namespace

// ptxas info    : Compiling entry function 'k' for 'sm_90'
// ptxas info    : Function properties for k
//     264 bytes stack frame, 548 bytes spill stores, 556 bytes spill loads
// ptxas info    : Used 32 registers, used 0 barriers, 264 bytes cumulative stack size
// ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to ...
// ptxas in.ptx, line 12; warning : ...
std::optional<Assembled> assembledOf(const std::string& said, const std::string& entry) {
    static const std::regex frame(R"((\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads)"),
        warning(R"(line (\d+); (?:warning|info)\s*:\s*(.*))"), remark(R"(: (\(C\d+\) .*))"),
        used(R"(: Used (\d+) registers)");
    std::optional<Assembled> found;
    std::vector<Assembled::Remark> remarks;
    std::istringstream lines(said);
    std::string of; // the function that the next frame is of
    bool ours = false;
    Assembled a;
    for (std::string line; std::getline(lines, line);) {
        std::smatch m;
        if (line.find("Compiling entry function '") != std::string::npos)
            ours = line.find("'" + entry + "'") != std::string::npos;
        else if (const std::size_t at = line.find("Function properties for "); at != std::string::npos)
            of = line.substr(at + 24);
        else if (std::regex_search(line, m, frame) && of == entry) {
            a.stack = std::stoull(m[1]);
            a.spillStores = std::stoull(m[2]);
            a.spillLoads = std::stoull(m[3]);
        } else if (std::regex_search(line, m, used) && ours) {
            a.registers = std::uint32_t(std::stoul(m[1]));
            found = a;
        } else if (std::regex_search(line, m, warning))
            remarks.push_back({m[2], std::stoi(m[1])});
        else if (std::regex_search(line, m, remark))
            remarks.push_back({m[1], 0});
    }
    if (found)
        found->remarks = std::move(remarks);
    return found;
}

std::optional<Assembled> assembledOf(const LaunchPlan& plan, const std::string& device) {
    const DeviceSpec* const spec = findDevice(device);
    const std::string assembler = spec ? findAssembler() : std::string();
    if (assembler.empty())
        return std::nullopt;
    const auto module = plan.kept ? ptx::parseJoined(plan.ptx, plan.moduleName) : ptx::parse(plan.ptx, plan.moduleName);
    if (!module)
        return std::nullopt;
    std::size_t instructions = 0;
    for (const ptx::Function& f : module->functions)
        instructions += f.body.size();
    if (instructions > mostAssembled)
        return std::nullopt;
    return assembledOf(saidByAssembler(assembler, *module, plan.entry, spec->ccMajor * 10 + spec->ccMinor), plan.entry);
}

std::optional<Assembled> assembledOf(const Trace& trace, const std::string& device) {
    if (trace.launches.empty())
        return std::nullopt;
    const Kernel& kernel = trace.kernelOf(trace.launches.front());
    LaunchPlan plan;
    plan.ptx = kernel.ptx;
    plan.entry = kernel.entry;
    plan.moduleName = kernel.name + ".ptx";
    return assembledOf(plan, device);
}

std::optional<SpillsExecuted> spillsExecuted(const Trace& trace) {
    if (trace.launches.empty())
        return std::nullopt;
    const std::uint32_t number = trace.launches.front().kernel;
    const Kernel& kernel = trace.kernels[number];
    const auto codes = codeOf(trace, number);
    const auto module = ptx::parse(kernel.ptx, kernel.name);
    if (!codes || !module)
        return std::nullopt;
    const auto cubin = machine::readCubin(machine::bytesWith(*codes, kernel.entry));
    if (!cubin)
        return std::nullopt;
    const auto function = std::ranges::find(cubin->functions, kernel.entry, &machine::Function::name);
    if (function == cubin->functions.end())
        return std::nullopt;
    std::map<std::uint32_t, double> times; // of a line of PTX
    for (const InstructionCount& c : trace.counts)
        if (c.launch == 0)
            times[c.ptxLine] += double(c.executions);
    SpillsExecuted found;
    for (const machine::PtxFate& line : machine::fatesOf(*function, cubin->arch, *module).lines)
        if (const auto at = times.find(line.line); at != times.end()) {
            const double each = at->second / std::max(1u, line.copies); // of an unrolled loop one after the other
            found.spills += each * line.spills;
            found.all += each * double(line.code.size());
        }
    return found.all > 0 ? std::optional(found) : std::nullopt;
}

std::string localArrayOf(const std::string& source, const std::string& kernel) {
    const std::vector<Token> tokens = tokensOf(source);
    std::set<std::string> names;
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
        if (tokens[at].text != bareKernel(kernel) || tokens[at + 1].text != "(")
            continue;
        const std::size_t body = behind(tokens, at + 1, "(", ")");
        if (body >= tokens.size() || tokens[body].text != "{")
            continue;
        const std::size_t end = behind(tokens, body, "{", "}");
        bool declares = true; // nothing but words that can stand in a declaration since its statement began
        std::size_t words = 0;
        for (std::size_t k = body + 1; k + 1 < end; ++k) {
            const std::string& text = tokens[k].text;
            if (text == ";" || text == "{" || text == "}") {
                declares = true;
                words = 0;
            } else if (isWord(text[0])) {
                declares = declares && text != "__shared__" && text != "extern" && text != "return" && text != "static";
                if (declares && words > 0 && tokens[k + 1].text == "[")
                    names.insert(text);
                ++words;
            } else if (text != "," && text != "<" && text != ">" && text != ":" && text != "[" && text != "]")
                declares = false;
        }
    }
    return names.size() == 1 ? *names.begin() : std::string();
}

std::vector<Said> compilerCosts(const Trace& trace, const LaunchPlan& plan, const std::optional<Assembled>& assembled) {
    std::vector<Said> costs;
    if (assembled && assembled->spillStores + assembled->spillLoads > 0) {
        const auto share = spillsExecuted(trace);
        if (share && share->spills > 0)
            costs.push_back(say::SpillsExecuted(plan.kernelName, assembled->registers, assembled->spillStores,
                                                assembled->spillLoads, std::uint64_t(std::llround(share->spills)),
                                                fmt::format("{:.0f} %", 100 * share->spills / share->all)));
        else
            costs.push_back(say::SpillsMoved(plan.kernelName, assembled->registers, assembled->spillStores,
                                             assembled->spillLoads,
                                             (assembled->spillStores + assembled->spillLoads) / 4));
    }
    std::uint64_t loads = 0, stores = 0;
    for (const InstructionCount& c : trace.counts)
        if (c.launch == 0 && c.isMemory && c.space == MemorySpace::Local)
            (c.access == AccessKind::Load ? loads : stores) += c.requests;
    if (loads + stores > 0 && !trace.launches.empty()) {
        const std::string name = localArrayOf(plan.source, plan.kernelName);
        costs.push_back(say::LocalArrayUsed(name.empty() ? Message(say::TheLocals) : plain(name),
                                            trace.kernelOf(trace.launches.front()).localBytes, loads, stores));
    }
    return costs;
}

std::string assembledText(const Trace& trace, const std::optional<Assembled>& assembled) {
    if (!assembled)
        return {};
    std::string text =
        fmt::format("{:<28} {} registers, {} bytes of stack, {} of spill stores, {} of spill loads\n", "ptxas",
                    assembled->registers, assembled->stack, assembled->spillStores, assembled->spillLoads);
    for (const Assembled::Remark& r : assembled->remarks)
        text += fmt::format("ptxas: {}{}\n", r.text, r.ptxLine > 0 ? " (" + placeOf(trace, r.ptxLine) + ")" : "");
    return text;
}

nlohmann::ordered_json assembledJson(const Trace& trace, const std::optional<Assembled>& assembled) {
    if (!assembled)
        return nullptr;
    nlohmann::ordered_json object{{"registers", assembled->registers},
                                  {"stack_bytes", assembled->stack},
                                  {"spill_store_bytes", assembled->spillStores},
                                  {"spill_load_bytes", assembled->spillLoads},
                                  {"remarks", nlohmann::ordered_json::array()}};
    for (const Assembled::Remark& r : assembled->remarks) {
        nlohmann::ordered_json row{{"text", r.text}};
        if (r.ptxLine > 0) {
            row["ptx_line"] = r.ptxLine;
            row["place"] = placeOf(trace, r.ptxLine);
        }
        object["remarks"].push_back(std::move(row));
    }
    return object;
}

} // namespace warpglass::session
