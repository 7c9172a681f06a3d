// SPDX-License-Identifier: GPL-3.0-or-later
//
// The facts that an expectation can ask for, a row each. A new one is a row here and a line in docs/lessons.md; a test
// holds the two together. Lines are those of the kernel's CUDA source, times of a run without the timing model are
// steps, blocks and warps count from 0, executions and steps of a tree from 1.
#include "app/session/expectation_facts.h"

#include "gpu/device/capability.h"
#include "gpu/device/occupancy.h"
#include "gpu/metrics/metrics.h"
#include "gpu/metrics/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

namespace warpglass::session {

using asked::O, asked::P, asked::Names, asked::told, asked::untold, asked::launchAt, asked::accessWords,
    asked::otherAlone;

namespace {

// ---- the launch and the device

FactFunction ofLaunch(double (*number)(const Trace&, const Launch&)) {
    return [number](O o, P p) {
        const Launch* launch = launchAt(o, p);
        return launch ? told(number(*o.trace, *launch)) : untold("there is no such launch");
    };
}

double warpsPerBlock(const Launch& launch) {
    return double(warpsFor(launch.block.count()));
}

std::optional<Occupancy> occupancyOf(const Trace& trace, const Launch& launch) {
    const CapabilityLimits* limits = capabilityLimits(trace.info.ccMajor, trace.info.ccMinor);
    if (!limits)
        return std::nullopt;
    const Kernel& kernel = trace.kernelOf(launch);
    return occupancy(*limits, {.threads = std::uint32_t(launch.block.count()),
                               .registers = kernel.registers,
                               .sharedStatic = kernel.sharedBytes,
                               .sharedDynamic = launch.sharedBytes,
                               .sharedLimit = SharedLimit::OptIn});
}

FactFunction ofOccupancy(double (*number)(const Trace&, const Launch&, const Occupancy&)) {
    return [number](O o, P p) -> FactValue {
        const Launch* launch = launchAt(o, p);
        if (!launch)
            return untold("there is no such launch");
        const auto found = occupancyOf(*o.trace, *launch);
        if (!found)
            return untold("the limits of this compute capability are not known");
        return found->blocksPerSm ? told(number(*o.trace, *launch, *found)) : untold("no block fits on an SM");
    };
}

double waveBlocks(const Trace& trace, const Launch&, const Occupancy& occupancy) {
    return double(occupancy.blocksPerSm) * trace.info.smCount;
}

// What may limit occupancy, and as which word: "registers" alone is a fact already.
constexpr std::pair<std::string_view, std::string_view> limitWords[] = {{"warps", "warp_slots"},
                                                                        {"registers", "register_file"},
                                                                        {"shared_memory", "shared_memory"},
                                                                        {"blocks", "block_slots"},
                                                                        {"barriers", "barrier_slots"}};

FactValue limitedBy(O o, P p) {
    const Launch* launch = launchAt(o, p);
    const auto occupancy = launch ? occupancyOf(*o.trace, *launch) : std::nullopt;
    if (!occupancy)
        return untold("the limits of this compute capability are not known");
    std::string names;
    for (const std::string& name : occupancy->limitedBy)
        for (const auto& [limit, word] : limitWords)
            if (name == limit)
                names += (names.empty() ? "" : "_and_") + std::string(word);
    return {.word = names};
}

FactFunction ofDevice(double (*number)(const CapabilityLimits&)) {
    return [number](O o, P) {
        const CapabilityLimits* limits = capabilityLimits(o.trace->info.ccMajor, o.trace->info.ccMinor);
        return limits ? told(number(*limits)) : untold("the limits of this compute capability are not known");
    };
}

FactValue smsUsed(O o, P p) {
    const Launch* launch = launchAt(o, p);
    if (!launch)
        return untold("there is no such launch");
    std::set<std::uint16_t> sms;
    for (const Block& block : o.trace->blocksOf(*launch))
        sms.insert(block.sm);
    return told(double(sms.size()));
}

FactValue blocksOnSm(O o, P p) {
    const Launch* launch = launchAt(o, p);
    if (!launch)
        return untold("there is no such launch");
    const auto blocks = o.trace->blocksOf(*launch);
    return told(double(
        std::count_if(blocks.begin(), blocks.end(), [&](const Block& block) { return block.sm == p.at("sm", 0); })));
}

FactValue launches(O o, P p) {
    return told(double(std::count_if(o.trace->launches.begin(), o.trace->launches.end(), [&](const Launch& l) {
        return l.status == LaunchStatus::Ran && (!p.has("depth") || l.depth == p.at("depth", 0));
    })));
}
FactValue dropped(O o, P) {
    return told(double(std::count_if(o.trace->launches.begin(), o.trace->launches.end(),
                                     [](const Launch& l) { return l.status == LaunchStatus::Dropped; })));
}
FactValue depth(O o, P) {
    std::uint32_t deepest = 0;
    for (const Launch& l : o.trace->launches)
        deepest = std::max(deepest, l.depth);
    return told(deepest);
}
FactValue threadsOfAll(O o, P) {
    std::uint64_t threads = 0;
    for (const Launch& l : o.trace->launches)
        if (l.status == LaunchStatus::Ran)
            threads += l.grid.count() * l.block.count();
    return told(double(threads));
}

FactValue diagnosticCount(O o, P p) {
    return told(double(std::count_if(o.trace->diagnostics.begin(), o.trace->diagnostics.end(),
                                     [&](const Diagnostic& d) { return p.words.empty() || p.has(name(d.kind)); })));
}

// ---- exact counts of instructions

FactValue sumOfCounts(O o, P p, const std::function<double(const InstructionCount&)>& amount,
                      const std::function<bool(const InstructionCount&)>& chosen) {
    const Launch* launch = launchAt(o, p);
    if (!launch)
        return untold("there is no such launch");
    const auto counts = o.trace->countsOf(std::uint32_t(launch - o.trace->launches.data()));
    if (counts.empty())
        return untold("no counts were recorded");
    const Kernel& kernel = o.trace->kernelOf(*launch);
    if (p.has("line")) {
        const bool code = std::any_of(counts.begin(), counts.end(), [&](const InstructionCount& c) {
            return sourceLineOf(kernel, c) == p.at("line", 0);
        });
        if (!code)
            return untold(fmt::format("line {} of the source has no instruction that was executed", p.at("line", 0)));
    }
    const bool kind = p.has("load") || p.has("store") || p.has("atomic");
    const bool space = p.has("global") || p.has("shared") || p.has("local");
    double sum = 0;
    for (const InstructionCount& c : counts) {
        if (p.has("line") && sourceLineOf(kernel, c) != p.at("line", 0))
            continue;
        if (p.has("ptx") && c.ptxLine != p.at("ptx", 0))
            continue;
        if ((kind || space) && (!c.isMemory || (kind && !p.has(name(c.access))) || (space && !p.has(name(c.space)))))
            continue;
        if (chosen(c))
            sum += amount(c);
    }
    return told(sum);
}

bool anyInstruction(const InstructionCount&) {
    return true;
}
bool isGlobalAccess(const InstructionCount& c) {
    return c.isMemory && (c.space == MemorySpace::Global || c.space == MemorySpace::Local);
}
bool isSharedAccess(const InstructionCount& c) {
    return c.isMemory && c.space == MemorySpace::Shared;
}
bool isAnyAccess(const InstructionCount& c) {
    return isGlobalAccess(c) || isSharedAccess(c);
}
bool isBranch(const InstructionCount& c) {
    return c.isConditional;
}

template <auto member, bool (*chosen)(const InstructionCount&)>
FactValue sumOf(O o, P p) {
    return sumOfCounts(
        o, p, [](const InstructionCount& c) { return double(c.*member); }, chosen);
}
template <auto part, auto whole, bool (*chosen)(const InstructionCount&)>
FactValue ratioOf(O o, P p) {
    FactValue a = sumOf<part, chosen>(o, p);
    const FactValue b = sumOf<whole, chosen>(o, p);
    if (!a.number || !b.number)
        return a;
    return *b.number > 0 ? told(*a.number / *b.number) : untold("there is none of them here");
}
// Shared memory's alone has passes: an instruction that goes to several memories stands in the row of one of them.
FactValue conflicts(O o, P p) {
    return sumOfCounts(
        o, p, [](const InstructionCount& c) { return double(c.passes) - double(c.idealPasses); }, isAnyAccess);
}

// ---- the table

const Names ofAnyLaunch{"launch"};
const Names inSource{"line", "ptx", "launch"};

Names diagnosticWords() {
    Names words;
    for (const DiagnosticKind kind : allOf<DiagnosticKind>)
        words.push_back(name(kind));
    return words;
}

using C = InstructionCount;

std::vector<Fact> makeFacts() {
    std::vector<Fact> rows{
        {"check",
         "whether the result is right: ok, wrong, or none where nothing checks it",
         {},
         otherAlone,
         [](O o, P) { return FactValue{.word = name(o.check.check)}; }},
        {"fault",
         "whether the kernel itself failed: yes or no",
         {},
         otherAlone,
         [](O o, P) { return FactValue{.word = o.faulted ? "yes" : "no"}; }},
        {"diagnostics",
         "what the run found wrong, all or of one kind: diagnostics[shared_race]",
         {},
         diagnosticWords(),
         diagnosticCount},
        {"blocks", "blocks of the grid", ofAnyLaunch, otherAlone,
         ofLaunch([](const Trace&, const Launch& l) { return double(l.grid.count()); })},
        {"threads_per_block", "threads of a block", ofAnyLaunch, otherAlone,
         ofLaunch([](const Trace&, const Launch& l) { return double(l.block.count()); })},
        {"threads", "threads of the grid", ofAnyLaunch, otherAlone,
         ofLaunch([](const Trace&, const Launch& l) { return double(l.grid.count() * l.block.count()); })},
        {"warps_per_block", "warps of a block", ofAnyLaunch, otherAlone,
         ofLaunch([](const Trace&, const Launch& l) { return warpsPerBlock(l); })},
        {"warps", "warps of the grid", ofAnyLaunch, otherAlone,
         ofLaunch([](const Trace&, const Launch& l) { return warpsPerBlock(l) * double(l.grid.count()); })},
        {"idle_lanes", "lanes of a block's warps that hold no thread", ofAnyLaunch, otherAlone,
         ofLaunch(
             [](const Trace&, const Launch& l) { return warpsPerBlock(l) * lanesPerWarp - double(l.block.count()); })},
        {"registers", "registers a thread", ofAnyLaunch, otherAlone,
         ofLaunch([](const Trace& t, const Launch& l) { return double(t.kernelOf(l).registers); })},
        {"shared_bytes", "bytes of shared memory a block asks for", ofAnyLaunch, otherAlone,
         ofLaunch([](const Trace& t, const Launch& l) { return double(t.kernelOf(l).sharedBytes + l.sharedBytes); })},
        {"branches_in_code", "conditional branches that stand in the kernel's PTX", ofAnyLaunch, otherAlone,
         ofLaunch([](const Trace& t, const Launch& l) { return double(t.kernelOf(l).ptxBranches); })},
        {"selects_in_code", "selects that stand in the kernel's PTX", ofAnyLaunch, otherAlone,
         ofLaunch([](const Trace& t, const Launch& l) { return double(t.kernelOf(l).ptxSelects); })},
        {"resident_blocks", "blocks that an SM holds at once", ofAnyLaunch, otherAlone,
         ofOccupancy([](const Trace&, const Launch&, const Occupancy& o) { return double(o.blocksPerSm); })},
        {"resident_warps", "warps that an SM holds at once", ofAnyLaunch, otherAlone,
         ofOccupancy([](const Trace&, const Launch&, const Occupancy& o) { return double(o.activeWarps); })},
        {"wave_blocks", "blocks that the device holds at once", ofAnyLaunch, otherAlone, ofOccupancy(waveBlocks)},
        {"waves", "waves of blocks, the last one counted even if it is not full", ofAnyLaunch, otherAlone,
         ofOccupancy([](const Trace& t, const Launch& l, const Occupancy& o) {
             return std::ceil(double(l.grid.count()) / waveBlocks(t, l, o));
         })},
        {"last_wave_blocks", "blocks of the last wave", ofAnyLaunch, otherAlone,
         ofOccupancy([](const Trace& t, const Launch& l, const Occupancy& o) {
             const double wave = waveBlocks(t, l, o), all = double(l.grid.count());
             return all - wave * (std::ceil(all / wave) - 1);
         })},
        {"limited_by",
         "what keeps the next block off an SM: warp_slots, register_file, shared_memory, block_slots or barrier_slots, "
         "or two of them: warp_slots_and_block_slots",
         ofAnyLaunch, otherAlone, limitedBy},
        {"sms", "SMs of the device", {}, otherAlone, [](O o, P) { return told(o.trace->info.smCount); }},
        {"sms_used", "SMs that ran a block", ofAnyLaunch, otherAlone, smsUsed},
        {"blocks_on_sm", "blocks that an SM ran: blocks_on_sm[sm 0]", {"launch", "sm"}, otherAlone, blocksOnSm},
        {"sm_warps",
         "warps that an SM of the device holds at most",
         {},
         otherAlone,
         ofDevice([](const CapabilityLimits& c) { return double(c.warpsPerSm); })},
        {"sm_blocks", "blocks that an SM holds at most", {}, otherAlone, ofDevice([](const CapabilityLimits& c) {
             return double(c.blocksPerSm);
         })},
        {"sm_registers", "registers of an SM", {}, otherAlone, ofDevice([](const CapabilityLimits& c) {
             return double(c.registersPerSm);
         })},
        {"sm_shared_bytes", "bytes of shared memory of an SM", {}, otherAlone, ofDevice([](const CapabilityLimits& c) {
             return double(c.sharedPerSm);
         })},
        {"sm_parts", "parts of an SM, each with a scheduler", {}, otherAlone, ofDevice([](const CapabilityLimits& c) {
             return double(c.subPartitions);
         })},
        {"launches",
         "launches that ran, the host's and those of the device; launches[depth 1]",
         {"depth"},
         otherAlone,
         launches},
        {"dropped", "launches that were lost", {}, otherAlone, dropped},
        {"depth", "how deep launches are nested; 0 is the host's", {}, otherAlone, depth},
        {"threads_of_all", "threads of all launches that ran", {}, otherAlone, threadsOfAll},
        {"executions", "instructions that warps executed", inSource, accessWords,
         sumOf<&C::executions, anyInstruction>},
        {"lanes", "the same, each counted for every lane that was on", inSource, accessWords,
         sumOf<&C::lanes, anyInstruction>},
        {"lanes_per_execution", "lanes that were on, on average", inSource, accessWords,
         ratioOf<&C::lanes, &C::executions, anyInstruction>},
        {"branches", "executions of conditional branches", inSource, otherAlone, sumOf<&C::executions, isBranch>},
        {"divergent", "executions of branches, and of calls through a pointer, at which the lanes went different ways",
         inSource, otherAlone, sumOf<&C::divergent, anyInstruction>},
        {"requests", "accesses of warps to global, local and shared memory", inSource, accessWords,
         sumOf<&C::requests, isAnyAccess>},
        {"sectors", "sectors of 32 bytes that they moved", inSource, accessWords, sumOf<&C::sectors, isGlobalAccess>},
        {"sectors_per_request", "the same, on average", inSource, accessWords,
         ratioOf<&C::sectors, &C::requests, isGlobalAccess>},
        {"bytes", "distinct bytes that they asked for", inSource, accessWords,
         sumOf<&C::bytesDistinct, isGlobalAccess>},
        {"bytes_per_request", "the same, on average", inSource, accessWords,
         ratioOf<&C::bytesDistinct, &C::requests, isGlobalAccess>},
        {"cache_lines_per_request", "lines of 128 bytes an access touched, on average", inSource, accessWords,
         ratioOf<&C::lines, &C::requests, isGlobalAccess>},
        {"passes", "passes through the banks of shared memory", inSource, accessWords, sumOf<&C::passes, isAnyAccess>},
        {"passes_per_request", "the same, on average", inSource, accessWords,
         ratioOf<&C::passes, &C::requests, isSharedAccess>},
        {"conflicts", "passes that a conflict cost", inSource, accessWords, conflicts},
    };
    for (auto more : {asked::factsOfEvents, asked::factsOfPipelines})
        for (Fact& fact : more())
            rows.push_back(std::move(fact));
    return rows;
}

// ---- metrics, asked for by their names

FactValue metricValue(std::string_view wanted, O o, P p) {
    const auto launch = std::uint32_t(p.at("launch", 0));
    if (launch >= o.trace->launches.size())
        return untold("there is no such launch");
    if (const auto found = metric(*o.trace, launch, wanted))
        return found->value ? told(*found->value) : FactValue{.word = "undefined"};
    const ResultRow row = rowOf(TracePtr(TracePtr(), o.trace), launch);
    const ResultValue* value = row.find(wanted);
    return value ? told(*value->median) : untold("this run does not tell it");
}

bool isShare(std::string_view name) {
    if (!name.starts_with("share_"))
        return false;
    return std::any_of(allOf<WarpState>.begin(), allOf<WarpState>.end(),
                       [&](WarpState s) { return name.substr(6) == warpglass::name(s); });
}

const Fact& metricFact() {
    static const Fact fact{"", "", ofAnyLaunch, otherAlone, nullptr};
    return fact;
}

} // namespace

const std::vector<Fact>& facts() {
    static const std::vector<Fact> rows = makeFacts();
    return rows;
}

const Fact* findFact(std::string_view wanted) {
    for (const Fact& fact : facts())
        if (fact.name == wanted)
            return &fact;
    return findMetric(wanted) || isShare(wanted) ? &metricFact() : nullptr;
}

FactValue valueOf(const Fact& fact, std::string_view wanted, const Observed& observed, const FactPlace& place) {
    const Observed* of = place.has("other") && fact.name != "diagnostics" ? observed.other : &observed;
    if (!of || !of->trace)
        return untold("nothing is compared with this run");
    if (of->trace->launches.empty())
        return untold("nothing ran");
    return fact.value ? fact.value(*of, place) : metricValue(wanted, *of, place);
}

bool isFactWord(std::string_view word) {
    constexpr std::string_view words[] = {"ok", "wrong", "none", "yes", "no", "undefined"};
    if (std::find(std::begin(words), std::end(words), word) != std::end(words))
        return true;
    for (std::size_t from = 0;;) { // register_file_and_shared_memory
        const std::size_t next = word.find("_and_", from);
        const std::string_view part = word.substr(from, next == std::string_view::npos ? next : next - from);
        if (std::none_of(std::begin(limitWords), std::end(limitWords), [&](const auto& l) { return l.second == part; }))
            return false;
        if (next == std::string_view::npos)
            return true;
        from = next + 5;
    }
}

} // namespace warpglass::session
