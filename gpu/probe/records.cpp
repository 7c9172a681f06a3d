// SPDX-License-Identifier: GPL-3.0-or-later
//
// From what the probes left in memory to a Trace, in four steps. The host's launch is known from the plan; the rows of
// the Launches buffer tell those that kernels made, and of the ones that never ran only who asked. The clocks of the
// SMs are put on one axis (clock_axis.h). Then each launch in turn gives its blocks, by their rows, and each chosen
// block its warps, whose 32 streams are read as one sequence of events (streams.h). Kernels and sites become rows of
// the trace when the first launch or event names them.
//
// Nothing here trusts the records: a kernel may have overwritten them, or died halfway. What names no place in the code
// ends its warp's events and is told; what was not written stands at the launch's own time.
#include "gpu/probe/records.h"

#include "gpu/base/messages/gpu.h"
#include "gpu/device/capability.h"
#include "gpu/probe/async_rows.h"
#include "gpu/probe/clock_axis.h"
#include "gpu/probe/kernel_rows.h"
#include "gpu/probe/streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace warpglass::probe {
namespace {

// A launch as the rows tell it, before it is a row of the trace.
struct FoundLaunch {
    LaunchRow row;
    bool isHost = false;
    std::uint32_t entry = noIndex; // index into ProbedModule::entries
    Dim3 grid, block;
    std::uint32_t firstBlock = noSlot; // block rows
};

class Decoder {
public:
    Decoder(const ptx::Module& clean, const ProbedModule& module, const ProbeMemory& memory, const LaunchPlan& plan,
            const RawRecords& raw, const RecordOptions& options)
        : m_clean(clean), m_module(module), m_memory(memory), m_plan(plan), m_raw(raw), m_options(options),
          m_async(m_trace, blocksOfCluster(), options.sharedBase) {}

    Result<Trace> run() {
        m_trace.info = m_options.info;
        // Slots are dealt to an SM's parts in turn, and each has a scheduler.
        if (const CapabilityLimits* limits = capabilityLimits(m_trace.info.ccMajor, m_trace.info.ccMinor))
            m_schedulers = limits->subPartitions;
        m_trace.info.recordedPaths = false;
        m_trace.info.recordedAccesses = m_module.options.accesses;
        findLaunches();
        placeTimes();
        for (std::uint32_t n = 0; n < m_found.size(); ++n)
            addLaunch(n);
        m_async.finish();
        if (m_damaged > 0)
            m_trace.diagnostics.push_back({DiagnosticKind::Other, false, say::WarpsMisplaced(m_damaged)});
        if (m_guessedEnds && m_laterThanFirst > 0)
            m_trace.diagnostics.push_back({DiagnosticKind::Other, false,
                                           say::BlocksWithoutDetail(m_laterThanFirst, name(m_trace.info.timeUnit))});
        for (const Said& note : m_module.notes)
            m_trace.diagnostics.push_back({DiagnosticKind::Other, false, note});
        return std::move(m_trace);
    }

private:
    template <typename Row>
    Row row(ProbeMemory::Buffer buffer, std::uint64_t index) const {
        return rowAt<Row>(m_raw.buffer[buffer], index);
    }

    void findLaunches() {
        FoundLaunch host;
        host.isHost = true;
        host.grid = m_plan.grid;
        host.block = m_plan.block;
        host.firstBlock = 0;
        for (std::uint32_t i = 0; i < m_module.entries.size(); ++i)
            if (m_module.entries[i] == m_plan.entry)
                host.entry = i;
        m_found.push_back(host);
        const auto counters = row<Counters>(ProbeMemory::Counts, 0);
        const std::uint64_t rows = std::min<std::uint64_t>(counters.launches, m_memory.control.launchCapacity);
        std::map<std::uint64_t, std::uint32_t>
            entryOfTarget; // dropped launches have a target but no child to tell its entry
        for (std::uint64_t i = 0; i < rows; ++i) {
            const auto r = row<LaunchRow>(ProbeMemory::Launches, i);
            if (r.entry > 0 && r.entry <= m_module.entries.size())
                entryOfTarget[r.target] = r.entry - 1;
        }
        for (std::uint64_t i = 0; i < rows; ++i) {
            FoundLaunch f;
            f.row = row<LaunchRow>(ProbeMemory::Launches, i);
            if (f.row.site == 0 || f.row.site > m_module.sites.size())
                continue; // a damaged row
            f.grid = {f.row.grid[0], f.row.grid[1], f.row.grid[2]};
            f.block = {f.row.block[0], f.row.block[1], f.row.block[2]};
            f.firstBlock = f.row.firstBlock;
            const auto known = entryOfTarget.find(f.row.target);
            f.entry = known == entryOfTarget.end() ? host.entry : known->second;
            m_found.push_back(f);
        }
        const std::uint64_t lost = counters.launches > rows ? counters.launches - rows : 0;
        if (lost > 0)
            m_trace.diagnostics.push_back({DiagnosticKind::Other, false, say::LaunchesLeftOut(lost, rows)});
        for (std::uint32_t n = 1; n < m_found.size(); ++n)
            if (m_found[n].row.childGrid != 0)
                m_launchOfGrid[m_found[n].row.childGrid] = n;
    }

    // On the trace's axis. An SM without any pair cannot be placed: told once.
    Time at(std::uint32_t sm, std::uint64_t clock) {
        const auto time = m_axis.at(sm, clock);
        if (!time && !std::exchange(m_unplaced, true))
            m_trace.diagnostics.push_back({DiagnosticKind::Other, false, say::SmWithoutClocks(sm)});
        return time.value_or(Time{0});
    }

    void placeTimes() {
        m_axis = clockAxis(m_raw, m_options);
        m_trace.info.timeUnit = m_axis.aligned ? TimeUnit::Nanoseconds : TimeUnit::Steps;
        if (m_axis.aligned)
            m_trace.info.timeOrigin = Origin::Measured;
        for (const auto& [sm, line] : m_axis.lines)
            m_trace.smClocks.push_back(line);
        if (!m_axis.lines.empty())
            m_trace.info.clockResidual = m_axis.residual();
    }

    // --- tables

    std::uint32_t kernelOf(std::uint32_t entry) {
        const auto [known, isNew] = m_kernels.try_emplace(entry, std::uint32_t(m_trace.kernels.size()));
        if (isNew)
            m_trace.kernels.push_back(
                kernelRow(m_clean, entry < m_module.entries.size() ? m_module.entries[entry] : m_plan.entry, m_plan));
        return known->second;
    }

    std::uint32_t siteOf(std::uint32_t kernel, std::uint32_t number) {
        const auto [known, isNew] = m_sites.try_emplace({kernel, number}, std::uint32_t(m_trace.sites.size()));
        if (isNew) {
            Site site = m_module.sites[number].site;
            site.kernel = kernel;
            m_trace.sites.push_back(std::move(site));
        }
        return known->second;
    }

    std::uint32_t entrySite(std::uint32_t kernel, std::uint32_t entry) {
        for (std::uint32_t s = 0; s < m_module.sites.size(); ++s)
            if (m_module.sites[s].site.kind == SiteKind::Entry && m_module.sites[s].function == m_module.entries[entry])
                return siteOf(kernel, s);
        return 0;
    }

    void describeChild(const FoundLaunch& f, Launch& launch) {
        const auto parent = m_launchOfGrid.find(f.row.parentGrid);
        launch.parentLaunch = parent == m_launchOfGrid.end() ? 0 : parent->second;
        launch.parentBlock = f.row.parentBlock;
        launch.parentThread = f.row.parentThread;
        const std::uint32_t parentKernel = kernelOf(m_found[launch.parentLaunch].entry);
        launch.site = siteOf(parentKernel, f.row.site - 1);
        launch.stream = f.row.stream == 3   ? StreamKind::Tail
                        : f.row.stream == 4 ? StreamKind::FireAndForget
                                            : StreamKind::Default;
        if (f.row.childGrid == 0) {
            launch.status = LaunchStatus::Dropped;
            launch.reason = f.row.error == noBuffer      ? Message(say::NoParameterBuffer)
                            : f.row.error == notLaunched ? Message(say::BufferWithoutLaunch)
                            : f.row.error == 69          ? Message(say::PendingOverLimit)
                            : f.row.error == 65          ? Message(say::TooManyLevels)
                            : f.row.error != 0           ? say::LaunchReturned(f.row.error)
                                                         : Message(say::AcceptedNeverRan);
        }
    }

    void addLaunch(std::uint32_t n) {
        const FoundLaunch& f = m_found[n];
        Launch launch;
        launch.kernel = kernelOf(f.entry);
        launch.grid = f.grid;
        launch.block = f.block;
        launch.sharedBytes = f.isHost ? m_plan.sharedBytes : f.row.sharedBytes;
        launch.firstBlock = std::uint32_t(m_trace.blocks.size());
        const Time called = f.isHost ? Time{0} : at(f.row.sm, f.row.clock);
        launch.start = launch.end = called;
        if (!f.isHost) {
            describeChild(f, launch);
            launch.depth =
                launch.parentLaunch < m_trace.launches.size() ? m_trace.launches[launch.parentLaunch].depth + 1 : 1;
        }
        if (launch.status == LaunchStatus::Ran) {
            launch.blockCount = std::uint32_t(std::min<std::uint64_t>(f.grid.count(), m_memory.control.blockCapacity));
            for (std::uint32_t b = 0; b < launch.blockCount; ++b)
                addBlock(n, f, b, called);
            bool any = false;
            for (std::uint32_t b = launch.firstBlock; b < m_trace.blocks.size(); ++b) {
                const Block& block = m_trace.blocks[b];
                if (!m_blockRan[b])
                    continue;
                launch.start = any ? std::min(launch.start, block.start) : block.start;
                launch.end = any ? std::max(launch.end, block.end) : block.end;
                any = true;
            }
        }
        m_trace.launches.push_back(std::move(launch));
    }

    void addBlock(std::uint32_t n, const FoundLaunch& f, std::uint32_t index, Time called) {
        Block block;
        block.launch = n;
        block.index = index;
        block.start = block.end = called;
        const BlockRow r = f.firstBlock == noSlot
                               ? BlockRow{}
                               : row<BlockRow>(ProbeMemory::Blocks, std::uint64_t(f.firstBlock) + index);
        const bool ran = r.sm != 0;
        if (ran) {
            block.sm = std::uint16_t(r.sm - 1);
            block.start = at(r.sm - 1, r.start);
            block.end = std::max(block.start, at(r.sm - 1, std::max(r.start, f.isHost ? lastEnd(index, r) : r.end)));
        }
        const std::uint32_t warpRow = firstWarpRow(f, index);
        m_rowEnd = block.end;
        if (ran && warpRow == noSlot && !m_module.launches && !m_module.options.allEnds)
            m_guessedEnds = true;
        m_trace.blocks.push_back(block);
        m_blockRan.push_back(ran);
        if (warpRow == noSlot)
            return;
        const std::uint32_t blockRow = std::uint32_t(m_trace.blocks.size() - 1);
        const auto warps = std::uint32_t(warpsFor(f.block.count()));
        m_trace.blocks[blockRow].firstWarp = std::uint32_t(m_trace.warps.size());
        m_trace.blocks[blockRow].warpCount = std::uint16_t(warps);
        for (std::uint32_t w = 0; w < warps; ++w)
            addWarp(f, blockRow, w, warpRow + w);
    }

    // The latest end of a block's warps; in modules with launches the row itself says it.
    std::uint64_t lastEnd(std::uint32_t block, const BlockRow& r) const {
        std::uint64_t last = r.end;
        for (std::uint32_t w = 0; w < m_memory.warpsPerBlock && m_module.options.allEnds && !m_module.launches; ++w) {
            const auto end = row<WarpEnd>(ProbeMemory::Ends, std::uint64_t(block) * m_memory.warpsPerBlock + w);
            if (end != 0)
                last = std::max(last, r.start + std::uint32_t(end - std::uint32_t(r.start)));
        }
        return last;
    }

    std::uint32_t firstWarpRow(const FoundLaunch& f, std::uint32_t block) const {
        if (f.isHost) {
            const auto rank = std::lower_bound(m_memory.chosen.begin(), m_memory.chosen.end(), block);
            if (rank == m_memory.chosen.end() || *rank != block)
                return noSlot;
            return std::uint32_t(rank - m_memory.chosen.begin()) * m_memory.warpsPerBlock;
        }
        if (f.row.firstWarp == noSlot || block >= f.row.detailBlocks)
            return noSlot;
        return f.row.firstWarp + block * std::uint32_t(warpsFor(f.block.count()));
    }

    void addWarp(const FoundLaunch& f, std::uint32_t blockRow, std::uint32_t number, std::uint32_t rowNumber) {
        const auto r = row<WarpRow>(ProbeMemory::Warps, rowNumber);
        Warp warp;
        warp.block = blockRow;
        warp.warpInBlock = std::uint16_t(number);
        warp.slot = std::uint16_t(r.slot);
        warp.scheduler = std::uint8_t(r.slot % m_schedulers);
        warp.liveLanes = r.live != 0
                             ? LaneMask{r.live}
                             : LaneMask::firstLanes(int(std::min<std::uint64_t>(32, f.block.count() - 32 * number)));
        warp.start = warp.end = m_trace.blocks[blockRow].start;
        warp.firstEvent = m_trace.events.size();
        if (r.live == 0) { // never started: the kernel died before
            m_trace.warps.push_back(warp);
            return;
        }
        const std::uint32_t kernel = kernelOf(f.entry);
        warp.start = warp.end = at(r.sm, r.startClock);
        const WarpStreams streams = readStreams(m_raw, rowNumber, r.startClock, m_module.sites, m_options.unfinished);
        m_damaged += streams.damaged ? 1 : 0;
        const auto push = [&](Time time, std::uint32_t site, EventKind kind, LaneMask active, LaneMask taken) {
            warp.end = std::max(warp.end, time); // alignment rounds: never backwards
            m_trace.events.push(warp.end.value - warp.start.value, site, kind, active, taken);
        };
        push(warp.start, entrySite(kernel, f.entry), EventKind::Entry, {r.live}, {});
        LaneMask ended;
        for (std::size_t n = 0; n < streams.events.size(); ++n) {
            const StreamEvent& e = streams.events[n];
            const Time time = at(r.sm, e.clock);
            if (isAsync(e.kind)) {
                addAsync(e, blockRow, std::uint32_t(m_trace.warps.size()), kernel, r.sm);
                const ProbeSite& what = m_module.sites[e.site];
                const Poll poll = pollOf(streams.events, n);
                const auto jump = [&](Time when, LaneMask asks, LaneMask passes) {
                    push(when, siteOf(kernel, what.poll), EventKind::Branch, asks,
                         what.pollNegated ? asks & ~passes : passes);
                };
                if (!poll.held.empty() && !poll.passes.empty())
                    jump(at(r.sm, e.clock - cyclesBetween(e.data.front()[2], std::uint32_t(e.clock))), poll.held, {});
                if (!poll.asks.empty())
                    jump(time, poll.asks, poll.passes);
                continue;
            }
            const std::uint32_t site = siteOf(kernel, e.site);
            switch (e.kind) {
            case RecordKind::Branch:
                push(time, site, EventKind::Branch, {e.a}, {e.b});
                break;
            case RecordKind::BarrierArrive:
                push(time, site, EventKind::BarrierArrive, {e.a}, {});
                break;
            case RecordKind::BarrierLeave:
                push(time, site, EventKind::BarrierLeave, {e.a}, {});
                break;
            case RecordKind::Launch:
                push(time, site, EventKind::Launch, {e.a}, {e.b});
                break;
            case RecordKind::Exit:
                ended = ended | LaneMask{e.a};
                push(time, site, EventKind::Exit, {e.a}, ended);
                break;
            case RecordKind::Access:
            case RecordKind::Shuffle:
                push(time, site, e.kind == RecordKind::Access ? EventKind::Access : EventKind::Shuffle, {e.lanes}, {});
                addAccess(e);
                break;
            default:
                break;
            }
        }
        warp.eventCount = std::uint32_t(m_trace.events.size() - warp.firstEvent);
        if (streams.lost > 0)
            m_trace.losses.push_back({std::uint32_t(m_trace.warps.size()), streams.lost});
        m_trace.warps.push_back(warp);
        Block& block = m_trace.blocks[blockRow];
        m_laterThanFirst = std::max(m_laterThanFirst, warp.end.value - m_rowEnd.value);
        block.end = std::max(block.end, warp.end);
        if (!m_blockRan[blockRow]) { // without block records, the warps say where and when
            block.sm = std::uint16_t(r.sm);
            block.start = warp.start;
            m_blockRan[blockRow] = true;
        }
    }

    std::uint32_t blocksOfCluster() const {
        Dim3 cluster = m_plan.cluster.value_or(Dim3{1});
        if (const ptx::Function* f = m_clean.findFunction(m_plan.entry); f && f->reqnctapercluster[0] > 0)
            cluster = {f->reqnctapercluster[0], std::max(f->reqnctapercluster[1], 1u),
                       std::max(f->reqnctapercluster[2], 1u)};
        return std::uint32_t(std::max<std::uint64_t>(cluster.count(), 1));
    }

    // A try tells the jump of the loop that polls. Lanes with other mbarriers have records of their own, of the same jump: the
    // first of these tells it.
    struct Poll {
        LaneMask asks, passes, held; // held: had asked in vain before
    };
    Poll pollOf(const std::vector<StreamEvent>& events, std::size_t n) const {
        const StreamEvent& e = events[n];
        Poll poll;
        const auto isSame = [&](const StreamEvent& other) {
            return other.kind == RecordKind::Try && other.site == e.site && other.clock == e.clock;
        };
        if (e.kind != RecordKind::Try || m_module.sites[e.site].poll == noIndex || (n > 0 && isSame(events[n - 1])))
            return poll;
        for (std::size_t k = n; k < events.size() && isSame(events[k]); ++k) {
            poll.asks = poll.asks | LaneMask{events[k].a};
            poll.passes = poll.passes | LaneMask{events[k].b};
            if (events[k].data.front()[3] != 0)
                poll.held = poll.held | LaneMask{events[k].a};
        }
        return poll;
    }

    void addAsync(const StreamEvent& e, std::uint32_t block, std::uint32_t warp, std::uint32_t kernel,
                  std::uint32_t sm) {
        const std::array<std::uint32_t, 4> words = e.data.empty() ? std::array<std::uint32_t, 4>{} : e.data.front();
        // A clock of 32 bits that was read before the record's.
        const auto before = [&](std::uint32_t clock) {
            return at(sm, e.clock - cyclesBetween(clock, std::uint32_t(e.clock)));
        };
        AsyncEvent event;
        event.what = &m_module.sites[e.site];
        event.block = block;
        event.warp = warp;
        event.site = siteOf(kernel, e.site);
        event.time = event.begun = at(sm, e.clock);
        event.lanes = {e.a};
        switch (e.kind) {
        case RecordKind::Try:
            event.passed = {e.b};
            event.begun = before(words[2]);
            event.cycles = cyclesBetween(words[2], std::uint32_t(e.clock));
            event.held = words[3] != 0;
            event.address = words[0];
            event.parity = event.what->site.text.find(".parity") == std::string::npos ? 2 : words[1] & 1;
            break;
        case RecordKind::Phase:
            event.lanes = e.a == 1 ? LaneMask{e.lanes} : LaneMask{e.a};
            event.address = e.b;
            event.count = words[0];
            break;
        case RecordKind::Copy:
        case RecordKind::Box:
            event.lanes = {e.lanes};
            event.place = e.a;
            event.address = e.b;
            event.count = words[0];
            break;
        case RecordKind::Lanes:
            event.place = e.b;
            event.count = words[0];
            event.copySite = event.what->copyNear == noIndex ? event.site : siteOf(kernel, event.what->copyNear);
            event.begun = before(words[2]);
            event.address = words[3];
            break;
        default: // Groups, Products
            event.begun = before(e.b);
            break;
        }
        m_async.add(event);
    }

    void addAccess(const StreamEvent& e) {
        const ProbeSite& s = m_module.sites[e.site];
        AccessRow a;
        a.event = m_trace.events.size() - 1;
        a.firstLane = m_trace.accessAddresses.size();
        a.firstValue = m_trace.accessValues.size();
        a.shuffle = e.kind == RecordKind::Shuffle;
        if (!a.shuffle) {
            a.space = s.generic ? (e.spaceBits == 1   ? MemorySpace::Shared
                                   : e.spaceBits == 2 ? MemorySpace::Local
                                                      : MemorySpace::Global)
                                : s.space;
            a.kind = s.access;
            a.bytesPerElement = s.bytesPerElement;
            a.elements = s.elements;
            a.isFloat = s.isFloat;
        }
        m_trace.accessAddresses.append(e.addresses.begin(), e.addresses.end());
        for (const auto& words : e.data)
            for (std::uint32_t k = 0; k < a.elements; ++k) {
                std::uint64_t value = 0;
                if (a.bytesPerElement == 8 && 2 * k + 1 < 4)
                    value = words[2 * k] | std::uint64_t(words[2 * k + 1]) << 32;
                else if (a.bytesPerElement < 8 && k < 4)
                    value = words[k] & (a.bytesPerElement == 4 ? 0xffffffffu : (1u << (8 * a.bytesPerElement)) - 1);
                m_trace.accessValues.push_back(value);
            }
        m_trace.accesses.push_back(a);
    }

    const ptx::Module& m_clean;
    const ProbedModule& m_module;
    const ProbeMemory& m_memory;
    const LaunchPlan& m_plan;
    const RawRecords& m_raw;
    const RecordOptions& m_options;
    Trace m_trace;
    std::vector<FoundLaunch> m_found; // [0] is the host's
    std::map<std::uint64_t, std::uint32_t> m_launchOfGrid;
    ClockAxis m_axis;
    bool m_unplaced = false;                          // an SM was asked for that the axis does not know
    std::map<std::uint32_t, std::uint32_t> m_kernels; // entry -> row
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_sites;
    std::vector<bool> m_blockRan;   // [block row]
    std::uint32_t m_schedulers = 4; // of an SM
    std::uint64_t m_damaged = 0;
    AsyncRows m_async;
    Time m_rowEnd;                     // of the block being read, as its row says
    bool m_guessedEnds = false;        // some block's end is that of its first warp
    std::int64_t m_laterThanFirst = 0; // by how much, where both are known
};

} // namespace

Result<Trace> readRecords(const ptx::Module& clean, const ProbedModule& module, const ProbeMemory& memory,
                          const LaunchPlan& plan, const RawRecords& raw, const RecordOptions& options) {
    for (const std::size_t b : {ProbeMemory::Streams, ProbeMemory::Cells, ProbeMemory::Warps, ProbeMemory::Blocks,
                                ProbeMemory::Counts, ProbeMemory::Ends})
        if (raw.buffer[b].size() < memory.initial[b].size())
            return Error{say::ProbesIncomplete, plan.moduleName, 0, 0, say::CopyBack};
    if (std::find(module.entries.begin(), module.entries.end(), plan.entry) == module.entries.end())
        return Error{say::NoProbedKernel(plan.entry), plan.moduleName, 0, 0, {}};
    return Decoder(clean, module, memory, plan, raw, options).run();
}

} // namespace warpglass::probe
