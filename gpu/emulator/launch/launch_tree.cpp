// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/launch/launch_tree.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/launch/run_grid.h"
#include "gpu/emulator/ops/special_ops.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/timing/timed_grid.h"
#include "gpu/emulator/watch/global_races.h"
#include "gpu/emulator/watch/non_finite.h"
#include "gpu/emulator/watch/spin_loops.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/launch/validate.h"

#include "gpu/ptx/register_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace warpglass::emulator {

Result<Programs> decodeAll(const ptx::Module& module, std::uint32_t entry, const Symbols& symbols,
                           std::span<const ptx::BranchMeets> meets) {
    Programs programs;
    std::vector<std::uint32_t> open{entry};
    while (!open.empty()) {
        const std::uint32_t f = open.back();
        open.pop_back();
        if (programs.ofFunction.count(f))
            continue;
        const auto kernel = std::uint32_t(programs.all.size());
        auto program = decode(module, f, symbols, kernel, meets);
        if (!program)
            return program.error();
        programs.ofFunction[f] = kernel;
        programs.all.push_back(std::make_unique<Program>(std::move(*program)));
        programs.estimates.emplace_back();
        programs.registers.push_back(ptx::estimateRegisters(module, module.functions[f].name).value_or(0));
        if (Program& p = *programs.all.back(); !p.ordered && pollsInLoop(p)) {
            p.ordered = true;
            p.orderReason = "blocks wait for each other, so what they find depends on the order";
        }
        for (const FunctionCode& code : programs.all.back()->functions) // entries named in the code may be launched
            for (const auto& i : code.source->body)
                for (const auto& o : i.operands)
                    if (o.kind == ptx::Operand::Kind::Symbol)
                        if (const auto s = symbols.functions.find(o.name);
                            s != symbols.functions.end() && module.functions[s->second].isEntry)
                            open.push_back(s->second);
    }
    return programs;
}

bool readsWorkspace(const Program& program) {
    return std::any_of(program.code.begin(), program.code.end(), [](const Inst& in) {
        return in.run == specialHandler() && Special(in.special.what) == Special::WorkspaceLow;
    });
}

namespace {

std::uint64_t eventsPerWarp(const RunOptions& options, std::uint64_t warps) {
    return warps == 0 ? 0 : std::max<std::uint64_t>(bounds.eventsOfWarpLeast, options.maxEvents / warps);
}

// What the driver gives a cooperative launch: its size and the word by which grid.sync() counts blocks.
constexpr std::uint64_t workspaceBytes = 64;

// Which atomics on bytes are made of (wordAtEnd): the block's memory then ends with a whole word.
bool swapsWords(const Program& program) {
    return std::any_of(program.info.begin(), program.info.end(), [](const InstInfo& info) {
        return info.is.operation == ptx::Operation::Cas && info.is.bytes() == 4;
    });
}

bool makesProducts(const std::unique_ptr<Program>& program) {
    using Kind = ptx::MatrixForm::Kind;
    return program->usesTensorMemory ||
           std::any_of(program->matrices.begin(), program->matrices.end(), [](const MatrixCode& m) {
               return (m.form.kind == Kind::Product || m.form.kind == Kind::AsyncProduct) && m.form.a != ptx::Type::F64;
           });
}

std::vector<std::uint64_t> allBlocks(std::uint64_t n) {
    std::vector<std::uint64_t> v(n);
    std::iota(v.begin(), v.end(), std::uint64_t(0));
    return v;
}

} // namespace

LaunchTree::LaunchTree(const LaunchPlan& plan, const RunOptions& options, const DeviceSpec& device, Programs& programs,
                       LaunchMemory& image, Progress& progress)
    : m_plan(plan), m_options(options), m_spec(device), m_programs(programs), m_image(image), m_progress(progress),
      m_clockMHz(device.clockMHz(std::any_of(programs.all.begin(), programs.all.end(), makesProducts))),
      m_timing(without(timingOf(device), options.without)) {
    m_device.smCount = device.smCount;
    m_device.maxWarpsPerSm = device.limits().warpsPerSm;
    m_device.threadsPerBlock = device.limits().threadsPerBlock;
    m_device.pendingLimit = plan.pendingLaunchLimit;
    m_device.spec = &device;
    for (const auto& program : programs.all)
        watchFinite(*program, options.checkFinite);
}

bool LaunchTree::run(int threads, const std::vector<std::uint64_t>& chosen) {
    m_threads = threads;
    LaunchRecord host;
    host.program = m_programs.all[0].get();
    host.grid = m_plan.grid;
    host.block = m_plan.block;
    host.dynamicShared = m_plan.sharedBytes;
    host.origin.parentLaunch = noIndex;
    host.origin.stream = StreamKind::Host;
    host.chosen = chosen;
    m_launches.push_back(std::move(host));
    return grid(0, m_image.params);
}

bool LaunchTree::grid(std::uint32_t n, std::vector<std::byte> params) {
    const Program& program = *m_launches[n].program;
    LaunchState state;
    state.program = &program;
    state.launch = n;
    state.plan = &m_plan;
    state.grid = m_launches[n].grid;
    state.block = m_launches[n].block;
    state.dynamicShared = m_launches[n].dynamicShared;
    state.cluster = clusterOf(*program.functions[0].source, n == 0 ? m_plan.cluster : std::nullopt);
    state.sharedBytes = state.dynamicShared ? program.sharedDynamicAt + state.dynamicShared : program.sharedStatic;
    if (state.sharedBytes % 4 != 0 && swapsWords(program))
        state.sharedBytes = (state.sharedBytes + 3) / 4 * 4;
    state.params = AddressedBytes(std::move(params));
    state.depth = m_launches[n].depth;
    state.textures = &m_image.textures;
    if (readsWorkspace(program) && n == 0 && m_cooperative) // without it the grid group is not valid
        state.workspace = m_image.memory.allocate(workspaceBytes, "workspace of the launch").base;
    OccupancyInput block;
    block.threads = std::uint32_t(state.block.count());
    const std::uint32_t kernel = m_launches[n].kernel;
    block.registers = kernel == 0 && m_plan.registers != 0 ? m_plan.registers : m_programs.registers[kernel];
    m_launches[n].registers = block.registers;
    block.sharedStatic = program.sharedStatic;
    block.sharedDynamic = state.dynamicShared;
    block.sharedLimit = SharedLimit::OptIn;
    const Footprint real = footprint(m_spec.limits(), block);
    m_launches[n].footprint = footprint(without(m_spec.limits(), m_options.without), without(block, m_options.without));
    const bool timed = m_options.timing && (n == 0 || m_timedChildren[m_launches[n].kernel]++ < bounds.timedChildren);
    GridOptions options = gridOptions(m_launches[n], timed);
    options.sharedOfSm = real.shared * real.residentBlocks;
    std::unique_ptr<RaceWatch> races; // nothing races across the end of a launch
    if (m_options.checkRaces || m_options.adverse || (m_options.checkOrder && waitsInLoop(program)))
        races = std::make_unique<RaceWatch>(program, m_options.adverse ? &m_image.memory : nullptr);
    options.races = races.get();
    if (timed && m_firstRuns) {
        const auto found = m_firstRuns->find(n);
        options.firstRun = found != m_firstRuns->end() ? found->second.get() : nullptr;
        options.repeatable = !options.firstRun;
    }
    const std::unique_ptr<TouchSample> sample = sampleOf(m_launches[n]);
    options.sample = sample.get();

    MemoryUse use;
    UseAfterLaunches behind;
    if (m_notesTouched || n > 0)
        options.use = &use;
    if (m_programs.all.size() > 1)
        options.afterLaunches = m_behind[n] = &behind;

    m_launches[n].chosen = options.chosen; // the timing model may have chosen others
    // A thread may wait for what its grid has launched so far; grids that run then have their own such function.
    auto outer = std::exchange(m_device.runChildren, [this, n] {
        std::vector<ChildLaunch> children = std::exchange(m_device.children, {});
        return launchAll(n, std::move(children), true);
    });
    GridResult result = runGrid(state, options, m_image.memory, m_image.constants, m_device, m_progress);
    m_device.runChildren = std::move(outer);
    if (result.firstRun) {
        m_firstRuns->emplace(n, std::exchange(result.firstRun, nullptr));
        m_again = true;
    }
    const bool ok = !result.faulted && !result.cancelled && !m_again;
    mergeDiagnostics(result.diagnostics, std::move(m_launches[n].result.diagnostics)); // of children it has waited for
    m_launches[n].result = std::move(result);
    m_launches[n].ran = true;
    estimate(m_launches[n], sample.get());
    if (options.use) {
        const Touched touched = use.touched();
        if (n > 0)
            tellMeetings(n, touched);
        if (m_notesTouched)
            join(m_touched, touched);
    }
    std::vector<ChildLaunch> children = std::exchange(m_device.children, {});
    const bool all = children.empty() ? ok : launchAll(n, std::move(children), ok);
    m_behind.erase(n);
    return all;
}

void LaunchTree::tellMeetings(std::uint32_t n, const Touched& touched) {
    const ChildLaunch& child = m_launches[n].origin;
    const auto found = m_behind.find(child.parentLaunch);
    if (found == m_behind.end() || child.touchesBehind == 0 || child.touchesBehind > UseAfterLaunches::mostLaunches)
        return;
    std::map<std::uint32_t, std::pair<Touched, const UseAfterLaunches::By*>> byPosition;
    Touched all;
    for (const auto& [key, by] : found->second->all)
        if (key.first >= child.touchesBehind) {
            const Touched these = by.use.touched();
            join(all, these);
            auto& at = byPosition[key.second];
            join(at.first, these);
            if (!at.second)
                at.second = &by;
        }
    if (handsOn(all, touched) || handsOn(touched, all))
        return;
    LaunchRecord& parent = m_launches[child.parentLaunch];
    for (const auto& [position, at] : byPosition) {
        const std::optional<Meeting> meeting = meetingOf(at.first, touched);
        if (!meeting)
            continue;
        const auto& [own, by] = at;
        Diagnostic d;
        d.kind = DiagnosticKind::GlobalRace;
        d.launch = child.parentLaunch;
        d.block = by->block;
        d.thread = by->thread;
        d.address = meeting->first;
        const CallerPlace place = callerPlace(*parent.program, position);
        if (const ptx::Instruction* source = parent.program->info[position].source)
            d.ptxLine = std::uint32_t(source->line);
        d.source = place.source;
        const auto& info = parent.program->info;
        const auto launch =
            std::find_if(info.begin(), info.end(), [&](const InstInfo& i) { return i.site == child.site; });
        const std::string name = plainName(m_launches[n].program->name);
        const Message childs =
            child.site == noIndex || launch == info.end()
                ? plain(name)
                : say::ChildAt(name, callerPlace(*parent.program, std::uint32_t(launch - info.begin())).text);
        const Message what =
            say::ChildRace(meeting->earlierWrites ? say::Writes : say::Reads, wordText(m_image.memory, meeting->first),
                           childs, meeting->laterWrites ? say::Writes : say::Reads);
        d.message = say::OfThread(what, parent.program->name, parent.grid.at(d.block).indexText(),
                                  parent.block.at(d.thread).indexText(), place.text);
        mergeDiagnostics(parent.result.diagnostics, {std::move(d)});
    }
}

std::optional<HangsOn> LaunchTree::hangsOn() const {
    for (const LaunchRecord& l : m_launches)
        if (l.result.hangsOn)
            return l.result.hangsOn;
    for (const LaunchRecord& l : m_launches) // a block whose warps wait for nobody outside of it
        for (const Diagnostic& d : l.result.diagnostics)
            if (d.fatal && !d.waits.empty()) {
                HangsOn on{{}, {d.block}};
                for (const HangWait& wait : d.waits)
                    if (wait.kind == HangKind::Word)
                        on.words.push_back(wordOf(wait));
                return on;
            }
    return {};
}

GridOptions LaunchTree::gridOptions(const LaunchRecord& launch, bool timed) const {
    const bool host = launch.origin.parentLaunch == noIndex;
    GridOptions options{m_options, m_options.detail, m_spec};
    options.clockMHz = m_clockMHz;
    options.threads = m_threads;
    options.hang = m_hang;
    options.word = m_word;
    options.variable = m_variable;
    options.twin = m_twin;
    options.lanesGoApart =
        m_lanesGoApart && m_spec.ccMajor >= 7 && m_options.reconvergence == Reconvergence::PostDominatorStack;
    options.chosen = launch.chosen;
    options.eventsPerWarp = eventsPerWarp(m_options, options.chosen.size() * launch.footprint.warps);
    if (!host)
        options.eventsPerWarp = std::min(bounds.eventsOfChildWarp, options.eventsPerWarp);
    options.footprint = launch.footprint;
    if (timed) {
        options.timing = &m_timing;
        options.alone = host && m_programs.all.size() == 1;
        options.warmL2 = m_options.warmL2 && host;
        chooseTimed(options, launch.grid.count(), host);
    }
    return options;
}

// Which SMs run in time, and, if nobody asked for certain blocks, which blocks have events: those of the first
// timed SM, so that all its warps are seen.
void LaunchTree::chooseTimed(GridOptions& options, std::uint64_t blocks, bool host) const {
    const auto sms = std::uint64_t(m_spec.smCount);
    if (blocks <= bounds.wholeGrid) {
        for (std::uint64_t sm = 0; sm < std::min(blocks, sms); ++sm)
            options.timedSms.push_back(std::uint32_t(sm));
    } else if (m_options.detail.kind == Detail::Kind::Blocks && host) {
        for (const std::uint64_t b : options.chosen)
            if (options.timedSms.size() < bounds.timedSms)
                options.timedSms.push_back(std::uint32_t(b % sms));
        std::sort(options.timedSms.begin(), options.timedSms.end());
        options.timedSms.erase(std::unique(options.timedSms.begin(), options.timedSms.end()), options.timedSms.end());
    }
    if (options.timedSms.empty())
        options.timedSms.push_back(0);
    options.budget = bounds.timedInstructions / std::min<std::uint64_t>(bounds.timedShare, options.timedSms.size());
    if (m_options.detail.kind == Detail::Kind::Auto && blocks > bounds.wholeGrid) {
        options.chosen.clear();
        for (std::uint64_t b = 0; b < blocks && options.chosen.size() < bounds.timedBlocks; b += sms)
            options.chosen.push_back(b);
    }
}

// Every second, fourth, eighth ... launch of a kernel, so that many of them cost nothing.
std::unique_ptr<TouchSample> LaunchTree::sampleOf(const LaunchRecord& launch) {
    if (!m_options.estimate || !std::has_single_bit(++m_programs.estimates[launch.kernel].launches))
        return nullptr;
    return std::make_unique<TouchSample>(launch.grid.count());
}

void LaunchTree::estimate(LaunchRecord& launch, const TouchSample* sample) {
    if (!m_options.estimate)
        return;
    KernelEstimate& kernel = m_programs.estimates[launch.kernel];
    if (!kernel.cost)
        kernel.cost = costOf(*launch.program, m_timing);
    if (sample)
        kernel.reuse = sample->reuse(m_timing.dramPageShare);
    double reached = double(m_options.estimate->reached);
    if (reached == 0)
        for (const auto& area : m_image.memory.areas())
            reached += double(area->bytes);
    launch.estimatedNs = estimateParts({.program = *launch.program,
                                        .cost = *kernel.cost,
                                        .counters = launch.result.counters,
                                        .steps = launch.result.steps,
                                        .footprint = launch.footprint,
                                        .reuse = kernel.reuse,
                                        .device = m_spec,
                                        .clockMHz = m_clockMHz,
                                        .timing = m_timing,
                                        .reached = reached,
                                        .inL2 = m_options.estimate->inL2})
                             .together() /
                         (m_clockMHz / 1000);
}

double LaunchTree::estimatedNs() const {
    if (!m_options.estimate)
        return 0;
    double ns = m_options.warmL2 ? m_timing.warmLaunchNs : m_timing.launchNs;
    for (const LaunchRecord& l : m_launches)
        if (l.ran)
            ns += l.estimatedNs + (l.origin.parentLaunch == noIndex ? 0 : m_timing.deviceLaunchNs);
    return ns;
}

// Children of one grid: rows first, in the order of the launches, then they run; tails last.
bool LaunchTree::launchAll(std::uint32_t parent, std::vector<ChildLaunch> children, bool ok) {
    std::vector<std::uint32_t> rows;
    for (ChildLaunch& c : children) {
        rows.push_back(std::uint32_t(m_launches.size()));
        if (c.transfer)
            continue;
        LaunchRecord l;
        l.grid = c.grid;
        l.block = c.block;
        l.dynamicShared = c.sharedBytes;
        l.depth = m_launches[parent].depth + 1;
        const auto found = m_programs.ofFunction.find(c.moduleFunction);
        if (found != m_programs.ofFunction.end()) {
            l.kernel = found->second;
            l.program = m_programs.all[found->second].get();
        } else {
            c.accepted = false;
            c.reason = say::NoKernelOfModule;
        }
        if (c.accepted)
            if (const auto fits =
                    validateChild(c.grid, c.block, std::uint64_t(c.sharedBytes) + l.program->sharedStatic, m_spec);
                !fits) {
                c.accepted = false;
                c.reason = fits.error().message;
                --m_device.pending;
            }
        l.reason = c.accepted ? Said(say::FailedBefore) : c.reason;
        if (!c.accepted && m_launches[parent].result.diagnostics.size() < bounds.diagnostics)
            dropped(parent, c);
        if (c.accepted && m_recordedBlocks < bounds.recordedChildBlocks &&
            m_options.detail.kind != Detail::Kind::None) {
            l.chosen =
                m_options.detail.kind == Detail::Kind::All ? allBlocks(c.grid.count()) : autoBlocks(c.grid.count());
            m_recordedBlocks += l.chosen.size();
        }
        l.origin = c;
        m_launches.push_back(std::move(l));
    }
    for (const bool tails : {false, true})
        for (std::uint32_t k = 0; k < children.size() && ok; ++k) {
            if (!children[k].accepted || (children[k].stream == StreamKind::Tail) != tails)
                continue;
            if (children[k].transfer) {
                ok = carryOut(m_image.memory, *children[k].transfer);
                continue;
            }
            --m_device.pending;
            ok = grid(rows[k], std::move(children[k].params));
        }
    return ok;
}

void LaunchTree::dropped(std::uint32_t parent, const ChildLaunch& c) {
    auto& list = m_launches[parent].result.diagnostics;
    for (Diagnostic& d : list)
        if (d.kind == DiagnosticKind::LaunchDropped) {
            ++d.count;
            return;
        }
    Diagnostic d;
    d.kind = DiagnosticKind::LaunchDropped;
    d.launch = parent;
    d.block = c.parentBlock;
    d.thread = c.parentThread;
    const Program& p = *m_launches[parent].program;
    if (c.site != noIndex)
        d.ptxLine = p.sites[c.site].ptxLine;
    d.message = say::LaunchDropped(c.reason, m_launches[parent].grid.at(c.parentBlock).indexText(),
                                   m_launches[parent].block.at(c.parentThread).indexText());
    list.push_back(std::move(d));
}

} // namespace warpglass::emulator
