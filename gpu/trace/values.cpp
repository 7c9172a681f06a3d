// SPDX-License-Identifier: GPL-3.0-or-later
// What the numbers of a recording may be. Every row can be well-formed and still say that a block has four thousand
// million threads or that a launch ends with the universe. Views, metrics and exports divide by such numbers, count up
// to them and make tables of their size; so what no device and no run can have is refused here, once, and nobody after
// this has to ask. The bounds are CUDA's where it has some (programming guide, "Technical Specifications per Compute
// Capability"), else far beyond any device.
#include "gpu/trace/values.h"
#include "gpu/base/messages/files.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace warpglass {

namespace {

constexpr std::int64_t longest = std::int64_t(1) << 50; // ns or steps: 13 days. Sums do not overflow, doubles are exact
constexpr double mostMHz = 1e6;
constexpr int mostSms = 4096;
constexpr std::uint32_t mostRegisters = 1024, mostMemoryOfOne = 1u << 30; // of a thread; bytes of a block or a thread
constexpr std::uint32_t mostGridX = 0x7fffffff, mostGridYz = 65535, mostThreads = 1024, mostBlockZ = 64;
constexpr std::uint32_t mostSlots = 256, mostSchedulers = 4, mostWarps = 32;

Error beyond(const char* table, std::size_t row, std::string what) {
    return {fmt::format("table {}, row {}: {}, which no device can have", table, row, what)};
}

bool within(Time t) {
    return t.value >= -longest && t.value <= longest;
}
bool within(double n, double most) {
    return std::isfinite(n) && n >= 0 && n <= most;
}
bool isClock(double megahertz) {
    return megahertz == 0 || (within(megahertz, mostMHz) && megahertz >= 1); // 0: unknown
}

// Names are drawn, measured and compared over and over; a source's text, which may be long, is not. The longest mangled
// names of C++ have some ten thousand letters.
constexpr std::size_t longestWord = 4096, longestName = 1 << 16;

Result<void> nameValues(const Trace& trace) {
    const auto tooLong = [](const char* table, std::size_t row, std::size_t bytes) {
        return Error{say::NameTooLong(table, std::to_string(row), bytes)};
    };
    // They stand within lines: one that goes on in another could say there what it likes.
    const auto hasLines = [](const std::string& name) { return name.find_first_of("\n\r") != std::string::npos; };
    const auto goesOn = [](const char* table, std::size_t row) {
        return Error{say::NameOfLines(table, std::to_string(row))};
    };
    const TraceInfo& i = trace.info;
    for (const std::string* word : {&i.deviceName, &i.driver, &i.program, &i.when}) {
        if (word->size() > longestWord)
            return tooLong("trace", 0, word->size());
        if (hasLines(*word))
            return goesOn("trace", 0);
    }
    if (i.command.size() > longestName)
        return tooLong("trace", 0, i.command.size());
    for (std::size_t w = 0; w < trace.asked.size(); ++w) // values may hold a buffer's contents
        if (trace.asked[w].option.size() > longestWord)
            return tooLong("asked", w, trace.asked[w].option.size());
    for (std::size_t a = 0; a < trace.kept.areas.size(); ++a)
        if (trace.kept.areas[a].name.size() > longestName)
            return tooLong("kept_areas", a, trace.kept.areas[a].name.size());
    for (std::size_t c = 0; c < trace.codes.all.size(); ++c) {
        if (trace.codes.all[c].compiler.size() > longestWord)
            return tooLong("machine_codes", c, trace.codes.all[c].compiler.size());
        if (hasLines(trace.codes.all[c].compiler))
            return goesOn("machine_codes", c);
    }
    for (std::size_t k = 0; k < trace.kernels.size(); ++k) {
        const Kernel& kernel = trace.kernels[k];
        for (const std::string* name : {&kernel.name, &kernel.entry, &kernel.sourceName})
            if (name->size() > longestName)
                return tooLong("kernels", k, name->size());
        if (hasLines(kernel.name) || hasLines(kernel.entry))
            return goesOn("kernels", k);
        for (const std::string& file : kernel.files)
            if (file.size() > longestName)
                return tooLong("kernel_files", k, file.size());
    }
    for (std::size_t c = 0; c < trace.counters.size(); ++c)
        for (const std::string* word :
             {&trace.counters[c].metric, &trace.counters[c].nsight, &trace.counters[c].unit}) {
            if (word->size() > longestWord)
                return tooLong("counters", c, word->size());
            if (hasLines(*word))
                return goesOn("counters", c);
        }
    for (std::size_t t = 0; t < trace.timings.size(); ++t) {
        if (trace.timings[t].policy.size() > longestWord)
            return tooLong("timings", t, trace.timings[t].policy.size());
        if (hasLines(trace.timings[t].policy))
            return goesOn("timings", t);
    }
    return {};
}

Result<void> infoValues(const Trace& trace) {
    const TraceInfo& i = trace.info;
    if (i.ccMajor < 0 || i.ccMajor > 99 || i.ccMinor < 0 || i.ccMinor > 99)
        return beyond("trace", 0, fmt::format("compute capability {}.{}", i.ccMajor, i.ccMinor));
    if (i.smCount < 0 || i.smCount > mostSms)
        return beyond("trace", 0, fmt::format("{} SMs", i.smCount));
    for (const double clock : {i.smClockMHz, i.memoryClockMHz})
        if (!isClock(clock))
            return beyond("trace", 0, fmt::format("a clock of {} MHz", clock));
    if (i.clockStep < 0 || i.clockStep > longest || i.clockResidual < 0 || i.clockResidual > longest)
        return beyond("trace", 0, fmt::format("a clock that steps by {} and errs by {}", i.clockStep, i.clockResidual));
    return {};
}

Result<void> kernelValues(const Trace& trace) {
    for (std::size_t i = 0; i < trace.kernels.size(); ++i) {
        const Kernel& k = trace.kernels[i];
        if (k.registers > mostRegisters || k.probedRegisters > mostRegisters)
            return beyond("kernels", i, fmt::format("{} registers a thread", std::max(k.registers, k.probedRegisters)));
        if (k.sharedBytes > mostMemoryOfOne || k.localBytes > mostMemoryOfOne)
            return beyond("kernels", i,
                          fmt::format("{} bytes of shared and {} of local memory", k.sharedBytes, k.localBytes));
        for (const double ns : {k.cleanDurationNs, k.probedDurationNs})
            if (!within(ns, double(longest)))
                return beyond("kernels", i, fmt::format("a duration of {} ns", ns));
    }
    return {};
}

// What ran was allowed to run. What was dropped may have asked for anything: that may be why.
Result<void> launchValues(const Trace& trace) {
    for (std::size_t i = 0; i < trace.launches.size(); ++i) {
        const Launch& l = trace.launches[i];
        if (!within(l.start) || !within(l.end))
            return beyond("launches", i, fmt::format("from {} to {}", l.start.value, l.end.value));
        if (l.depth > trace.launches.size())
            return beyond("launches", i, fmt::format("{} levels below the host's", l.depth));
        if (l.status != LaunchStatus::Ran) {
            if (l.blockCount != 0)
                return Error{say::DroppedWithBlocks(std::to_string(i))};
            continue;
        }
        const Dim3 g = l.grid, b = l.block;
        if (g.count() == 0 || g.x > mostGridX || g.y > mostGridYz || g.z > mostGridYz)
            return beyond("launches", i, fmt::format("a grid of {}x{}x{}", g.x, g.y, g.z));
        if (b.x == 0 || b.y == 0 || b.z == 0 || b.x > mostThreads || b.y > mostThreads || b.z > mostBlockZ ||
            b.count() > mostThreads)
            return beyond("launches", i, fmt::format("a block of {}x{}x{}", b.x, b.y, b.z));
        if (l.sharedBytes > mostMemoryOfOne)
            return beyond("launches", i, fmt::format("{} bytes of shared memory", l.sharedBytes));
    }
    return {};
}

// Nobody is launched by a launch below it, however long the way: views walk up and down without counting.
Result<void> parentsEnd(const Trace& trace) {
    const std::size_t count = trace.launches.size();
    std::vector<std::uint32_t> walk(count, noIndex); // from which launch one has come by here
    for (std::uint32_t from = 0; from < count; ++from)
        for (std::uint32_t at = from; at < count; at = trace.launches[at].parentLaunch) {
            if (walk[at] == from)
                return Error{say::LaunchedByItself(std::to_string(at))};
            if (walk[at] != noIndex)
                break; // from here on the way is known to end
            walk[at] = from;
        }
    return {};
}

Result<void> placeValues(const Trace& trace) {
    for (std::size_t i = 0; i < trace.blocks.size(); ++i) {
        const Block& b = trace.blocks[i];
        if (!within(b.start) || !within(b.end))
            return beyond("blocks", i, fmt::format("from {} to {}", b.start.value, b.end.value));
        if (b.warpCount > mostWarps || b.sm >= mostSms)
            return beyond("blocks", i, fmt::format("{} warps on SM {}", b.warpCount, b.sm));
    }
    for (std::size_t i = 0; i < trace.warps.size(); ++i) {
        const Warp& w = trace.warps[i];
        if (!within(w.start) || !within(w.end))
            return beyond("warps", i, fmt::format("from {} to {}", w.start.value, w.end.value));
        if (w.warpInBlock >= mostWarps || w.slot >= mostSlots || w.scheduler >= mostSchedulers)
            return beyond(
                "warps", i,
                fmt::format("warp {} of its block in slot {} of scheduler {}", w.warpInBlock, w.slot, w.scheduler));
    }
    return {};
}

Result<void> numberValues(const Trace& trace) {
    for (std::size_t i = 0; i < trace.timings.size(); ++i) {
        const TimingRow& t = trace.timings[i];
        if (!within(t.overheadNs, double(longest)) || !within(t.durationNs, double(longest)) ||
            t.timedCycles > std::uint64_t(longest) || t.timedSms > mostSms)
            return beyond("timings", i,
                          fmt::format("{} cycles of {} SMs, {} and {} ns", t.timedCycles, t.timedSms, t.overheadNs,
                                      t.durationNs));
    }
    for (std::size_t i = 0; i < trace.copies.size(); ++i)
        if (!within(trace.copies[i].issued) || !within(trace.copies[i].complete))
            return beyond("async_copies", i, fmt::format("complete at {}", trace.copies[i].complete.value));
    for (std::size_t i = 0; i < trace.phaseEvents.size(); ++i)
        if (!within(trace.phaseEvents[i].time))
            return beyond("phase_events", i, fmt::format("time {}", trace.phaseEvents[i].time.value));
    return {};
}

} // namespace

bool isSensible(Time t) {
    return within(t);
}

Result<void> validateValues(const Trace& trace) {
    for (const auto check : {nameValues, infoValues, kernelValues, launchValues, parentsEnd, placeValues, numberValues})
        if (auto ok = check(trace); !ok)
            return ok;
    return {};
}

} // namespace warpglass
