// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/messages/gpu.h"
#include "gpu/probe/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace warpglass::probe {
namespace {

constexpr std::uint64_t mostBlocks = std::uint64_t(1) << 26;        // a slot table of 256 MB
constexpr std::uint64_t mostRecordsOfWarp = std::uint64_t(1) << 18; // 4 MB: nobody looks at more of one warp

template <typename Row>
std::vector<std::byte> rows(std::uint64_t count) {
    return std::vector<std::byte>(std::max<std::uint64_t>(count, 1) * sizeof(Row));
}

// Lane 0 leads whenever all lanes are together, so half of a warp's share is its own.
std::uint64_t standardLane(std::uint64_t share, std::size_t lane) {
    return lane == 0 ? share - share / 2 : share / 2 / 31;
}

// The test that tells most blocks "no" at once (Control::chooseBelow and after). The first blocks without a gap are one
// part; for the rest, multiplying by 2^32 over their mean distance turns "on the beat" into "near the same value".
void makeTest(const std::vector<std::uint64_t>& chosen, Control& control) {
    std::size_t low = 0;
    while (low < chosen.size() && chosen[low] == low)
        ++low;
    control.chooseBelow = std::uint32_t(low);
    const std::size_t rest = chosen.size() - low;
    if (rest == 0)
        return;
    const double distance = rest == 1 ? 4294967296.0 : double(chosen.back() - chosen[low]) / double(rest - 1);
    control.chooseFactor = distance <= 1 ? 0 : std::max(1u, std::uint32_t(std::llround(4294967296.0 / distance)));
    std::vector<std::uint32_t> values;
    for (std::size_t i = low; i < chosen.size(); ++i)
        values.push_back(std::uint32_t(chosen[i]) * control.chooseFactor);
    std::sort(values.begin(), values.end());
    // The shortest arc of the circle that holds them all lies opposite the widest gap.
    std::size_t first = 0;
    std::uint32_t widest = values.front() - values.back(); // over zero
    for (std::size_t i = 1; i < values.size(); ++i)
        if (values[i] - values[i - 1] > widest) {
            widest = values[i] - values[i - 1];
            first = i;
        }
    const std::uint32_t begin = values[first], end = values[(first + values.size() - 1) % values.size()];
    control.chooseOffset = 0 - begin;
    control.chooseBound = end - begin;
}

} // namespace

MemoryBudget standardBudget(const ProbedModule& module) {
    MemoryBudget budget;
    if (module.launches) {
        budget.childWarps = 16384;
        budget.childBlockRows = budget.launchRows = 65536;
    }
    return budget;
}

Result<ProbeMemory> planMemory(const ProbedModule& module, Dim3 grid, Dim3 block, std::vector<std::uint64_t> chosen,
                               const MemoryBudget& budget) {
    const std::uint64_t blocks = grid.count();
    if (blocks == 0 || block.count() == 0 || block.count() > 1024)
        return Error{say::GridNotProbed(grid.text(), block.text()), {}, 0, 0, say::ThreadsOfABlock};
    if (blocks + budget.childBlockRows > mostBlocks)
        return Error{say::GridTooLarge(blocks), {}, 0, 0, fmt::format("Launch at most {} blocks", mostBlocks)};
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    if (!chosen.empty() && chosen.back() >= blocks)
        return Error{say::BlockOutside(std::to_string(chosen.back()), blocks)};

    ProbeMemory memory;
    memory.warpsPerBlock = std::uint32_t(warpsFor(block.count()));
    const std::uint64_t hostWarps = chosen.size() * memory.warpsPerBlock, warps = hostWarps + budget.childWarps;
    if (warps * 32 > (std::uint64_t(1) << 31))
        return Error{say::TooManyWarps, {}, 0, 0, say::FewerProbedBlocks};

    // Streams, one a lane, one behind the other; record 0 is nobody's.
    const std::uint64_t room =
        std::min<std::uint64_t>(std::max<std::uint64_t>(budget.recordBytes / sizeof(Record), 2) - 1, 0xffffffffull - 1);
    const std::uint64_t share = warps == 0 || room / warps < 32 * spareRecords
                                    ? 0
                                    : std::min(room / warps - 32 * spareRecords, mostRecordsOfWarp);
    std::uint64_t wanted = 0;
    for (const std::uint32_t n : budget.needed)
        wanted += n;
    const bool exact = !budget.needed.empty() && budget.needed.size() == hostWarps * 32 &&
                       wanted + (hostWarps + budget.childWarps) * 32 * spareRecords + share * budget.childWarps <= room;
    memory.initial.resize(ProbeMemory::Count_);
    memory.initial[ProbeMemory::Streams] = rows<Stream>(warps * 32);
    std::uint64_t next = 1;
    for (std::uint64_t i = 0; i < warps * 32; ++i) {
        const std::uint64_t length = exact && i < budget.needed.size() ? budget.needed[i] : standardLane(share, i % 32);
        const Stream stream{std::uint32_t(next), std::uint32_t(next + length)};
        std::memcpy(memory.initial[ProbeMemory::Streams].data() + i * sizeof stream, &stream, sizeof stream);
        next += length + spareRecords; // where what does not fit goes
    }
    memory.recordBytes = next * sizeof(Record);
    memory.initial[ProbeMemory::Cells] = rows<Cell>(warps * 32);
    memory.initial[ProbeMemory::Warps] = rows<WarpRow>(warps);
    memory.initial[ProbeMemory::Blocks] = rows<BlockRow>(blocks + budget.childBlockRows);
    memory.initial[ProbeMemory::Launches] = rows<LaunchRow>(budget.launchRows);
    const bool ends = module.options.blockRecords && module.options.allEnds && !module.launches;
    memory.initial[ProbeMemory::Ends] = rows<WarpEnd>(ends ? blocks * memory.warpsPerBlock : 0);

    makeTest(chosen, memory.control);
    std::vector<std::uint32_t> slots(blocks, noSlot);
    for (std::uint32_t rank = 0; rank < chosen.size(); ++rank) {
        slots[chosen[rank]] = rank;
    }
    memory.initial[ProbeMemory::Slots].resize(blocks * sizeof(std::uint32_t));
    std::memcpy(memory.initial[ProbeMemory::Slots].data(), slots.data(), blocks * sizeof(std::uint32_t));

    const Counters counters{0, std::uint32_t(blocks), std::uint32_t(hostWarps), 0};
    memory.initial[ProbeMemory::Counts].resize(sizeof counters);
    std::memcpy(memory.initial[ProbeMemory::Counts].data(), &counters, sizeof counters);

    memory.control.blockCapacity = std::uint32_t(blocks + budget.childBlockRows);
    memory.control.warpCapacity = std::uint32_t(warps);
    memory.control.launchCapacity = budget.launchRows;
    memory.control.childBlocks = budget.childBlocks;
    memory.control.hostWarps = memory.warpsPerBlock;
    memory.chosen = std::move(chosen);
    return memory;
}

LaunchPlan probedPlan(const LaunchPlan& clean, const ProbedModule& module, const ProbeMemory& memory) {
    LaunchPlan plan = clean;
    plan.ptx = module.ptx;
    plan.moduleName = clean.moduleName + " with probes";
    const auto hidden = [&](const char* name, std::uint32_t bytes) {
        if (bytes == 0)
            return;
        Argument a;
        a.name = name;
        a.type = ElementType::U8;
        a.scalar.resize(bytes);
        plan.arguments.push_back(std::move(a));
    };
    hidden("wgp_filler", module.fillerBytesOf(clean.entry));
    hidden("wgp_hidden", module.hiddenBytes);

    GlobalPatch patch;
    patch.symbol = controlSymbol;
    patch.bytes.resize(sizeof(Control));
    std::memcpy(patch.bytes.data(), &memory.control, sizeof(Control));
    static_assert(offsetof(Control, ends) == 8 * ProbeMemory::Ends); // pointers stand in the order of the buffers
    for (std::uint32_t b = 0; b < ProbeMemory::Count_; ++b) {
        Argument a;
        a.name = fmt::format("wgp_buffer{}", b);
        patch.pointers.push_back({.offset = 8ull * b, .buffer = a.name});
        a.isBuffer = true;
        a.type = ElementType::U64;
        const std::uint64_t bytes = b == ProbeMemory::Records ? memory.recordBytes : memory.initial[b].size();
        a.count = (bytes + 7) / 8;
        a.fill = [contents = memory.initial[b]](std::span<std::byte> to) {
            std::copy_n(contents.begin(), std::min(to.size(), contents.size()), to.begin());
        };
        plan.globalBuffers.push_back(std::move(a));
    }
    plan.globals.push_back(std::move(patch));
    return plan;
}

} // namespace warpglass::probe
