// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/trace/random_trace.h"

#include "gpu/base/messages/emulator.h"

#include <algorithm>
#include <random>

namespace warpglass {

namespace {

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t n) {
    return n == 0 ? 0 : random() % n;
}

std::string randomText(Random& random, std::size_t most) {
    std::string text(below(random, most + 1), ' ');
    for (char& c : text)
        c = char(below(random, 256)); // zeros and broken UTF-8 too: what goes in comes out
    return text;
}

// Of one line, as names are.
std::string randomName(Random& random) {
    std::string name = randomText(random, 20);
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return name;
}

void fillCode(Trace& t, Random& random) {
    t.info.deviceName = "NVIDIA H200";
    t.info.ccMajor = 9;
    t.info.smCount = 132;
    t.info.smClockMHz = 1980.25;
    t.info.timeUnit = TimeUnit(below(random, 2));
    t.info.program = randomName(random);
    t.info.when = "2026-01-01T00:00:00Z";
    t.info.size = std::int64_t(random());
    for (std::size_t k = 0; k < 1 + below(random, 3); ++k) {
        Kernel kernel;
        kernel.name = randomName(random);
        kernel.ptx = randomText(random, 3000);
        kernel.files = {randomText(random, 9), "b.cu"};
        kernel.cleanDurationNs = double(below(random, 1000)) / 7;
        for (std::uint32_t line = 1; line < below(random, 20); ++line)
            kernel.lines.push_back({line * 2, {std::uint32_t(below(random, 2)), line, 3}, line});
        t.kernels.push_back(std::move(kernel));
    }
    for (std::uint32_t s = 0; s < 5; ++s) {
        Site site{std::uint32_t(below(random, t.kernels.size())), SiteKind(below(random, 8)), s * 3, {}, "bra $L;"};
        for (std::uint32_t depth = 0; depth < below(random, 3); ++depth)
            site.where.push_back({std::uint32_t(below(random, 2)), depth + 1, 1});
        t.sites.push_back(std::move(site));
    }
}

void fillWarp(Trace& t, Random& random, Warp w, std::uint32_t events, bool wide) {
    w.firstEvent = t.events.size();
    w.firstState = t.states.size();
    std::int64_t offset = 0;
    for (std::uint32_t n = 0; n < events; ++n) {
        offset += std::int64_t(below(random, wide ? (1ull << 33) : 300));
        const LaneMask active{std::uint32_t(random())};
        const auto kind = EventKind(below(random, 9));
        const std::uint64_t row = t.events.size();
        t.events.push(offset, std::uint32_t(below(random, t.sites.size())), kind, active, {std::uint32_t(random())});
        if (kind == EventKind::Access) {
            AccessRow a;
            a.event = row;
            a.space = MemorySpace(below(random, 5));
            a.elements = std::uint8_t(1u << below(random, 3));
            a.isFloat = below(random, 2) != 0;
            a.firstLane = t.accessAddresses.size();
            a.firstValue = t.accessValues.size();
            for (int lane = 0; lane < active.count(); ++lane) {
                t.accessAddresses.push_back(random());
                for (int e = 0; e < a.elements; ++e)
                    t.accessValues.push_back(below(random, 256));
            }
            t.accesses.push_back(a);
        }
    }
    w.eventCount = events;
    w.end = w.start + Time{offset};
    std::int64_t cycle = std::int64_t(below(random, 1000));
    for (std::uint32_t n = 0; n < below(random, 10); ++n) {
        const std::int64_t end = cycle + std::int64_t(below(random, 50));
        t.states.push_back(
            {{cycle}, {end}, WarpState(below(random, std::uint64_t(WarpState::Count_))), std::uint32_t(cycle)});
        cycle = end;
        ++w.stateCount;
    }
    t.warps.push_back(w);
}

void fillNumbers(Trace& t, Random& random) {
    for (std::uint32_t l = 0; l < t.launches.size(); ++l) {
        for (std::uint32_t line = 0; line < 4; ++line) {
            InstructionCount c;
            c.launch = l;
            c.ptxLine = line * 2;
            c.executions = random();
            c.isMemory = below(random, 2) != 0;
            c.sectors = below(random, 1000);
            c.callerLine = std::uint32_t(below(random, 9));
            c.turns = below(random, 99);
            t.counts.push_back(c);
        }
        t.samples.push_back({l, below(random, 2) ? noIndex : 1, 16, "stall_wait", below(random, 99)});
        t.machineCounts.push_back({l, below(random, 2) ? noIndex : 1, 32, below(random, 99), below(random, 3000)});
        t.counters.push_back(
            {l, "branch", "smsp__x.sum", double(below(random, 999)) / 3, "1", Origin(below(random, 3))});
    }
    if (!t.warps.empty())
        t.losses.push_back({std::uint32_t(below(random, t.warps.size())), below(random, 99)});
    Diagnostic d;
    d.kind = DiagnosticKind(below(random, 12));
    d.message = randomText(random, 60);
    d.address = random();
    for (std::uint64_t n = below(random, 4), w = 0; w < n; ++w) {
        HangWait wait;
        wait.kind = HangKind(below(random, 6));
        wait.isRoot = w == 0;
        wait.block = std::uint32_t(random());
        wait.blocks = random();
        wait.warps = randomText(random, 9);
        wait.bytesMissing = below(random, 999);
        wait.what = randomText(random, 30);
        if (w > 0)
            wait.on = {0, std::uint32_t(w)};
        d.waits.push_back(wait);
    }
    t.diagnostics.push_back(d);
    t.smClocks.push_back({7, 1.98, -1e12, 16.5});
    t.output = randomText(random, 100);
    t.asked = {{"arg", randomText(random, 50)}, {"block", "32"}};
    std::uint64_t address = 0;
    for (std::uint64_t n = 0; n < 1 + below(random, 4); ++n) {
        const KeptArea area{KeptRole(below(random, 3)), address += below(random, 1 << 20), below(random, 3000),
                            randomText(random, 20)};
        address += area.bytes;
        for (std::uint64_t word = 0; word < area.words(); ++word)
            t.kept.words.push_back(random());
        t.kept.areas.push_back(area);
    }
    for (std::uint64_t n = below(random, 3); n > 0; --n) {
        MachineCode code{90, randomText(random, 20), below(random, 100'000)};
        std::erase_if(code.compiler, [](char c) { return c == '\n' || c == '\r'; });
        for (std::uint64_t b = 0; b < code.bytes; ++b)
            t.codes.bytes.push_back(std::uint8_t(b * n >> below(random, 8)));
        t.codes.all.push_back(code);
    }
    for (std::uint32_t w = 0; w < t.warps.size() && !t.sites.empty(); w += 1 + std::uint32_t(below(random, 3))) {
        AsyncCopy copy;
        copy.warp = w;
        copy.site = std::uint32_t(below(random, t.sites.size()));
        copy.kind = AsyncCopyKind(below(random, 5));
        copy.lanes = {std::uint32_t(random())};
        copy.issued = t.warps[w].start;
        copy.complete = copy.issued + Time{std::int64_t(below(random, 1000))};
        copy.bytes = random();
        copy.barrier = std::uint32_t(random());
        copy.place = std::uint32_t(random());
        t.copies.push_back(copy);
    }
    for (std::uint32_t b = 0; b < t.blocks.size() && !t.sites.empty(); b += 1 + std::uint32_t(below(random, 3)))
        for (std::int64_t k = 0; k < 3; ++k) {
            PhaseEvent e;
            e.block = b;
            e.warp = t.blocks[b].warpCount > 0 ? t.blocks[b].firstWarp : noIndex;
            e.site = std::uint32_t(below(random, t.sites.size()));
            e.time = t.blocks[b].start + Time{k * 10};
            e.kind = PhaseEventKind(below(random, 8));
            e.barrier = std::uint32_t(below(random, 1000));
            e.phase = std::uint32_t(k);
            e.count = std::uint32_t(random());
            e.missing = std::uint32_t(random());
            e.lanes = {std::uint32_t(random())};
            t.phaseEvents.push_back(e);
        }
    t.timings.push_back({0, "gto", 2, random(), 99, 1234, 0.25, double(below(random, 1000)) / 7});
}

} // namespace

Trace randomTrace(unsigned seed, std::uint32_t blocks, std::uint32_t events, bool wide) {
    Random random(seed);
    Trace t;
    fillCode(t, random);
    const std::uint32_t launches = 1 + std::uint32_t(below(random, 3));
    for (std::uint32_t l = 0; l < launches; ++l) {
        Launch launch;
        launch.kernel = std::uint32_t(below(random, t.kernels.size()));
        launch.grid = {std::max(blocks, 1u), 2, 1};
        launch.block = {64, 2, 1};
        launch.start = {std::int64_t(below(random, 1ull << 40))};
        launch.firstBlock = std::uint32_t(t.blocks.size());
        if (l > 0 && below(random, 4) == 0) {
            launch.status = LaunchStatus::Dropped;
            launch.reason = say::TooManyPending(6, 8, 69);
            launch.firstBlock = 0;
            launch.end = launch.start;
            launch.parentLaunch = 0;
            t.launches.push_back(launch);
            continue;
        }
        launch.end = launch.start + Time{1 << 20};
        for (std::uint32_t b = 0; b < blocks; ++b) {
            Block block;
            block.launch = l;
            block.index = b * 2;
            block.start = launch.start + Time{std::int64_t(below(random, 1000))};
            block.end = block.start + Time{std::int64_t(below(random, 5000))};
            block.sm = std::uint16_t(below(random, 132));
            block.firstWarp = std::uint32_t(t.warps.size());
            block.warpCount = std::uint16_t(below(random, 5));
            t.blocks.push_back(block);
            for (std::uint16_t w = 0; w < block.warpCount; ++w) {
                Warp warp;
                warp.block = std::uint32_t(t.blocks.size() - 1);
                warp.warpInBlock = w;
                warp.slot = std::uint16_t(below(random, 64));
                warp.scheduler = std::uint8_t(warp.slot % 4);
                warp.liveLanes = LaneMask::firstLanes(int(1 + below(random, 32)));
                warp.start = block.start;
                fillWarp(t, random, warp, std::uint32_t(below(random, events + 1)), wide && w == 0);
            }
        }
        launch.blockCount = std::uint32_t(t.blocks.size()) - launch.firstBlock;
        t.launches.push_back(launch);
    }
    fillNumbers(t, random);
    return t;
}

Trace loopTrace(std::uint32_t warps, std::uint32_t eventsPerWarp) {
    Random random(1);
    Trace t;
    t.kernels.push_back({});
    for (std::uint32_t s = 0; s < 10; ++s)
        t.sites.push_back({0, s == 0 ? SiteKind::Entry : s == 9 ? SiteKind::Exit : SiteKind::Branch, s + 1, {}, ""});
    const std::uint32_t blocks = (warps + 15) / 16;
    Launch launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {512, 1, 1};
    launch.blockCount = blocks;
    t.events.reserve(std::size_t(warps) * eventsPerWarp);
    std::vector<std::int64_t> free(132 * 4, 0); // when each place for a block on an SM is free again
    for (std::uint32_t b = 0; b < blocks; ++b) {
        const auto place = std::size_t(std::min_element(free.begin(), free.end()) - free.begin());
        Block block;
        block.index = b;
        block.sm = std::uint16_t(place % 132);
        block.start = {free[place]};
        block.firstWarp = std::uint32_t(t.warps.size());
        for (std::uint16_t n = 0; n < 16 && t.warps.size() < warps; ++n) {
            Warp w;
            w.block = b;
            w.warpInBlock = n;
            w.slot = std::uint16_t(place / 132 * 16 + n);
            w.scheduler = std::uint8_t(n % 4);
            w.liveLanes = LaneMask::all();
            w.start = block.start + Time{std::int64_t(below(random, 40))};
            w.firstEvent = t.events.size();
            w.eventCount = eventsPerWarp;
            std::int64_t offset = 0;
            for (std::uint32_t e = 0; e < eventsPerWarp; ++e) {
                const bool first = e == 0, last = e + 1 == eventsPerWarp;
                const std::uint32_t step = e % 8;
                const LaneMask taken{0xffffffffu << (step * 4)};
                t.events.push(offset,
                              first  ? 0
                              : last ? 9
                                     : 1 + step,
                              first  ? EventKind::Entry
                              : last ? EventKind::Exit
                                     : EventKind::Branch,
                              LaneMask::all(),
                              first  ? LaneMask::none()
                              : last ? LaneMask::all()
                                     : taken);
                // A branch every 40 cycles or so, one in eight waits for memory.
                offset +=
                    32 + std::int64_t(below(random, 16)) + (step == 7 ? 400 + std::int64_t(below(random, 256)) : 0);
            }
            w.end = w.start + Time{offset};
            block.end = std::max(block.end, w.end);
            t.warps.push_back(w);
            ++block.warpCount;
        }
        free[place] = block.end.value + 500;
        launch.end = std::max(launch.end, block.end);
        t.blocks.push_back(block);
    }
    t.launches.push_back(launch);
    return t;
}

} // namespace warpglass
