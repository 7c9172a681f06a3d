// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/probe/run.h"

#include "gpu/emulator/emulator.h"
#include "gpu/ptx/parse.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <sstream>

namespace warpglass::probe::test {

Result<Pair> runBoth(const LaunchPlan& plan, const Setup& setup) {
    Pair pair;
    Result<ptx::Module> module = ptx::parse(plan.ptx, plan.moduleName);
    if (!module)
        return module.error();
    Result<ProbedModule> probed = insertProbes(*module, setup.options);
    if (!probed)
        return probed.error();
    pair.module = std::move(*probed);
    Result<std::vector<std::uint64_t>> chosen = chosenBlocks(setup.detail, plan.grid.count());
    if (!chosen)
        return chosen.error();
    MemoryBudget budget = standardBudget(pair.module);
    budget.recordBytes = setup.recordBytes;
    budget.needed = setup.needed;
    if (pair.module.launches) {
        budget.childBlocks = 0xffffffffu;
        budget.childWarps = budget.childBlockRows = budget.launchRows = 4096;
    }
    Result<ProbeMemory> memory = planMemory(pair.module, plan.grid, plan.block, *chosen, budget);
    if (!memory)
        return memory.error();
    pair.memory = std::move(*memory);

    const std::unique_ptr<Backend> emulator = makeEmulator();
    RunOptions options;
    options.detail = setup.detail;
    options.detail.accesses = setup.options.accesses;
    options.reconvergence = setup.reconvergence;
    options.threads = 1;
    Progress progress;
    Result<Recording> clean = emulator->run(plan, options, progress);
    if (!clean)
        return clean.error();
    pair.clean = clean->trace;
    options.detail.accesses = false;
    options.checkMemory = false; // our records are read nowhere in the kernel; initialisation is not at stake
    const LaunchPlan with = probedPlan(plan, pair.module, pair.memory);
    Result<Recording> run = emulator->run(with, options, progress);
    if (!run)
        return run.error();
    pair.probedRun = std::move(*run);
    RawRecords raw;
    for (std::size_t b = 0; b < ProbeMemory::Count_; ++b)
        raw.buffer[b] = pair.probedRun.buffers.at(with.arguments.size() + plan.globalBuffers.size() + b);
    RecordOptions decodeOptions;
    decodeOptions.alignClocks = false;
    Result<Trace> decoded = readRecords(*module, pair.module, pair.memory, plan, raw, decodeOptions);
    if (!decoded)
        return decoded.error();
    pair.decoded = std::move(*decoded);
    for (const auto& bytes : raw.buffer)
        pair.raw.emplace_back(bytes.begin(), bytes.end());
    return pair;
}

namespace {

std::string show(const Trace& t, const Warp& w, const Event& e) {
    const Block& b = t.blockOf(w);
    const Site& s = t.sites[e.site];
    return fmt::format("launch {} block {} warp {}: {} line {} '{}' active {:08x} taken {:08x}", b.launch, b.index,
                       w.warpInBlock, name(e.kind), s.ptxLine, s.text, e.active.bits, e.taken.bits);
}

struct Seen {
    Event event;
    std::uint64_t row;
};

// Lines of branches that stand right behind a try for a phase.
std::set<std::uint32_t> pollsOf(const std::string& ptx) {
    std::set<std::uint32_t> polls;
    std::istringstream text(ptx);
    std::string line;
    bool tries = false;
    for (std::uint32_t number = 1; std::getline(text, line); ++number) {
        if (tries && line.find("bra") != std::string::npos)
            polls.insert(number);
        tries =
            line.find("mbarrier.try_wait") != std::string::npos || line.find("mbarrier.test_wait") != std::string::npos;
    }
    return polls;
}

std::vector<Seen> eventsOf(const Trace& t, const Warp& w, bool withAccesses, const std::set<std::uint32_t>* jumps) {
    std::vector<Seen> events;
    const std::set<std::uint32_t> polls = pollsOf(t.kernelOf(t.launchOf(t.blockOf(w))).ptx);
    for (std::uint32_t n = 0; n < w.eventCount; ++n) {
        const Event e = t.event(w, n);
        const bool access = e.kind == EventKind::Access || e.kind == EventKind::Shuffle;
        if (e.kind == EventKind::Path || (access && !withAccesses))
            continue;
        if (access && t.sites[e.site].text.starts_with("ldmatrix")) // a warp's together: the probes take lanes' own
            continue;
        if (access) { // parameters and constants are not probed
            const AccessRow* a = t.accessOfEvent(w.firstEvent + n);
            if (a && !a->shuffle &&
                (a->space == MemorySpace::Param || a->space == MemorySpace::Constant ||
                 a->space == MemorySpace::Texture))
                continue;
        }
        if (e.kind == EventKind::Branch && jumps && !jumps->contains(t.sites[e.site].ptxLine))
            continue;
        // How often somebody tries in vain is another number with probes between.
        if (e.kind == EventKind::Branch && !events.empty() && polls.contains(t.sites[e.site].ptxLine) &&
            events.back().event.site == e.site && events.back().event.active == e.active &&
            events.back().event.taken == e.taken)
            continue;
        events.push_back({e, w.firstEvent + n});
    }
    return events;
}

// Parameter buffers of device-side launches are allocated while the kernel runs, at other places with probes than
// without: their 512-byte areas may differ, but each always in the same way.
using AreaMap = std::map<std::uint64_t, std::uint64_t>;
bool sameAddress(AreaMap& areas, std::uint64_t a, std::uint64_t b) {
    return a == b || (a % 512 == b % 512 && areas.try_emplace(a / 512, b / 512).first->second == b / 512);
}

std::string accessDifference(AreaMap& areas, const Trace& a, std::uint64_t rowA, const Trace& b, std::uint64_t rowB) {
    const AccessRow *x = a.accessOfEvent(rowA), *y = b.accessOfEvent(rowB);
    if (!x || !y)
        return x == y ? "" : "only one has an access row";
    if (x->shuffle != y->shuffle || x->space != y->space || x->kind != y->kind ||
        x->bytesPerElement != y->bytesPerElement || x->elements != y->elements || x->isFloat != y->isFloat)
        return fmt::format("access rows differ: {} {} {}x{} and {} {} {}x{}", name(x->space), name(x->kind),
                           x->bytesPerElement, x->elements, name(y->space), name(y->kind), y->bytesPerElement,
                           y->elements);
    const auto ax = a.addresses(*x), ay = b.addresses(*y);
    for (std::size_t i = 0; i < ax.size(); ++i)
        if (!(x->space == MemorySpace::Global ? sameAddress(areas, ax[i], ay[i]) : ax[i] == ay[i]))
            return fmt::format("address of lane entry {}: {:#x} and {:#x}", i, ax[i], ay[i]);
    const auto vx = a.values(*x), vy = b.values(*y);
    for (std::size_t i = 0; i < vx.size(); ++i)
        if (vx[i] != vy[i])
            return fmt::format("value {}: {:#x} and {:#x}", i, vx[i], vy[i]);
    return {};
}

} // namespace

std::string eventDifference(const Trace& a, const Trace& b, bool withAccesses, const ProbedModule* module) {
    std::set<std::uint32_t> jumps; // lines
    if (module)
        for (const ProbeSite& site : module->sites)
            if (site.site.kind == SiteKind::Branch)
                jumps.insert(site.site.ptxLine);
    if (a.launches.size() != b.launches.size())
        return fmt::format("{} launches and {}", a.launches.size(), b.launches.size());
    for (std::size_t n = 0; n < a.launches.size(); ++n) {
        const Launch &x = a.launches[n], &y = b.launches[n];
        if (a.kernels[x.kernel].entry != b.kernels[y.kernel].entry || x.grid != y.grid || x.block != y.block ||
            x.parentLaunch != y.parentLaunch || x.parentBlock != y.parentBlock || x.parentThread != y.parentThread ||
            x.stream != y.stream || x.depth != y.depth || x.status != y.status || x.sharedBytes != y.sharedBytes)
            return fmt::format(
                "launch {} differs: {} {}x{} from launch {} block {} thread {} depth {} and {} {}x{} from launch {} "
                "block {} thread {} depth {}",
                n, a.kernels[x.kernel].entry, x.grid.text(), x.block.text(), x.parentLaunch, x.parentBlock,
                x.parentThread, x.depth, b.kernels[y.kernel].entry, y.grid.text(), y.block.text(), y.parentLaunch,
                y.parentBlock, y.parentThread, y.depth);
        if (x.status == LaunchStatus::Ran && x.blockCount != y.blockCount)
            return fmt::format("launch {} has {} blocks and {}", n, x.blockCount, y.blockCount);
    }
    if (a.warps.size() != b.warps.size())
        return fmt::format("{} warps and {}", a.warps.size(), b.warps.size());
    AreaMap areas;
    for (std::size_t w = 0; w < a.warps.size(); ++w) {
        const Warp &x = a.warps[w], &y = b.warps[w];
        if (a.blockOf(x).launch != b.blockOf(y).launch || a.blockOf(x).index != b.blockOf(y).index ||
            x.warpInBlock != y.warpInBlock || x.liveLanes != y.liveLanes)
            return fmt::format("warp {} differs", w);
        const auto ea = eventsOf(a, x, withAccesses, module ? &jumps : nullptr),
                   eb = eventsOf(b, y, withAccesses, nullptr);
        for (std::size_t i = 0; i < std::max(ea.size(), eb.size()); ++i) {
            const std::string l = i < ea.size() ? show(a, x, ea[i].event) : "(end)",
                              r = i < eb.size() ? show(b, y, eb[i].event) : "(end)";
            if (l != r)
                return fmt::format("event {}\nemulator {}\nprobes   {}", i, l, r);
            if (withAccesses)
                if (const std::string d = accessDifference(areas, a, ea[i].row, b, eb[i].row); !d.empty())
                    return fmt::format("event {} {}\n{}", i, l, d);
        }
    }
    return {};
}

LaunchPlan handPlan(std::string ptx, const std::string& entry, Dim3 grid, Dim3 block, std::uint64_t words) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = entry;
    plan.moduleName = "hand.ptx";
    plan.ptx = std::move(ptx);
    plan.grid = grid;
    plan.block = block;
    Argument out;
    out.name = "out";
    out.isBuffer = true;
    out.type = ElementType::U32;
    out.count = words;
    plan.arguments.push_back(out);
    return plan;
}

} // namespace warpglass::probe::test
