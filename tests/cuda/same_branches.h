// SPDX-License-Identifier: GPL-3.0-or-later
// Whether two recordings of one launch, of hardware and of the emulator, saw the same lanes at the same branches.
#pragma once

#include "gpu/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace warpglass {

// A warp's events without their times: hardware may run the two sides of a branch in either order, so they are compared
// as a sorted list. Path events are the emulator's alone.
struct SeenBranch {
    std::uint32_t line, kind, active, taken;
    auto operator<=>(const SeenBranch&) const = default;
};
inline std::vector<SeenBranch> seenBy(const Trace& t, const Warp& w, const std::set<std::uint32_t>& lines) {
    std::vector<SeenBranch> all;
    for (std::uint32_t n = 0; n < w.eventCount; ++n) {
        const Event e = t.event(w, n);
        if (e.kind == EventKind::Branch && lines.contains(t.sites[e.site].ptxLine))
            all.push_back({t.sites[e.site].ptxLine, std::uint32_t(e.kind), e.active.bits, e.taken.bits});
    }
    std::sort(all.begin(), all.end());
    return all;
}

inline std::string shown(const std::vector<SeenBranch>& events) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(events.size(), 12); ++i)
        text += fmt::format("{}:{:08x}/{:08x} ", events[i].line, events[i].active, events[i].taken);
    return text + fmt::format("({})", events.size());
}

// Lines of the branches at which there are probes: beside asynchronous work not all have one.
inline std::set<std::uint32_t> branchLines(const Trace& t) {
    std::set<std::uint32_t> lines;
    for (const Site& site : t.sites)
        if (site.kind == SiteKind::Branch)
            lines.insert(site.ptxLine);
    return lines;
}

// Warps of the host's launch that both have in detail and that differ; first: the first of them in words. compared: of how
// many.
inline std::size_t differingWarps(const Trace& gpu, const Trace& emulator, std::string& first,
                                  std::size_t* compared = nullptr) {
    std::size_t different = 0;
    const std::set<std::uint32_t> lines = branchLines(gpu);
    for (std::size_t b = 0; b < gpu.launches[0].blockCount && b < emulator.launches[0].blockCount; ++b) {
        const auto onGpu = gpu.warpsOf(gpu.blocks[b]), onCpu = emulator.warpsOf(emulator.blocks[b]);
        for (std::size_t w = 0; w < std::min(onGpu.size(), onCpu.size()); ++w) {
            const auto a = seenBy(gpu, onGpu[w], lines), c = seenBy(emulator, onCpu[w], lines);
            if (compared)
                ++*compared;
            if (a != c && different++ == 0)
                first = fmt::format("block {} warp {}\n  GPU      {}\n  emulator {}\n", b, w, shown(a), shown(c));
        }
    }
    return different;
}

} // namespace warpglass
