// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/paths.h"

#include <map>

namespace warpglass {

namespace {

// Without Path events only the two masks are known: the branch's own, in the order in which a reader expects them.
void untimed(Serialised& result, const Branch& branch) {
    const LaneMask falls = result.active & ~result.taken;
    if (!falls.empty())
        result.segments.push_back({{}, {}, falls, result.event, branch.ptxLine, branch.fallLine});
    if (!(result.active & result.taken).empty())
        result.segments.push_back(
            {{}, {}, result.active & result.taken, result.event, branch.ptxLine, branch.jumpLine});
    for (const PathSegment& s : result.segments) {
        result.lanesUsed += std::uint64_t(s.on.count());
        result.lanesPaid += lanesPerWarp;
    }
}

} // namespace

Serialised serialisedPaths(const Trace& trace, std::uint32_t warpRow, std::uint32_t event) {
    const Warp& warp = trace.warps[warpRow];
    const Kernel& kernel = trace.kernelOf(trace.launchOf(trace.blockOf(warp)));
    const Event branch = trace.event(warp, event);
    Serialised result;
    result.event = event;
    result.active = branch.active;
    result.taken = branch.taken;

    if (!trace.info.recordedPaths) {
        Branch described;
        described.ptxLine = trace.sites[branch.site].ptxLine;
        const std::uint32_t target = labelLine(kernel, jumpTarget(trace.sites[branch.site].text));
        const std::uint32_t own = sourceLineOf(kernel, described.ptxLine);
        described.fallLine = fallLineOf(kernel, described.ptxLine + 1, own);
        described.jumpLine = target ? sideLine(kernel, target, own) : 0;
        untimed(result, described);
        return result;
    }

    result.timed = true;
    LaneMask gone; // exited since the branch
    const std::uint32_t branchLine = sourceLineOf(kernel, trace.sites[branch.site].ptxLine);
    std::map<std::uint32_t, std::uint32_t> sideOf; // PTX line to the source line that names it
    PathSegment now;
    bool open = false;
    const auto close = [&](Time end) {
        if (!open || now.on.empty() || end <= now.begin) {
            open = false;
            return;
        }
        now.end = end;
        const auto length = std::uint64_t((end - now.begin).value);
        result.lanesUsed += length * std::uint64_t(now.on.count());
        result.lanesPaid += length * lanesPerWarp;
        if (result.segments.size() < mostSegments)
            result.segments.push_back(now);
        else
            result.cut = true;
        open = false;
    };
    for (std::uint32_t n = event + 1; n < warp.eventCount; ++n) {
        const Event e = trace.event(warp, n);
        if (e.kind == EventKind::Exit) {
            gone = gone | e.active;
            const bool wasOpen = open;
            close(e.time);
            if ((branch.active & ~gone).empty())
                return result;
            now.on = now.on & ~e.active; // lanes that did not take a guarded exit go on
            now.begin = e.time;
            open = wasOpen && !now.on.empty();
            continue;
        }
        if (e.kind != EventKind::Path)
            continue;
        close(e.time);
        const LaneMask waiting = branch.active & ~gone;
        if ((e.active & waiting) == waiting) { // all that are left run together again
            result.reconverged = true;
            return result;
        }
        const std::uint32_t line = trace.sites[e.site].ptxLine;
        auto [known, added] = sideOf.emplace(line, 0);
        if (added)
            known->second = sideLine(kernel, line, branchLine);
        now = {e.time, e.time, e.active, n, line, known->second};
        open = true;
    }
    close(warp.end);
    return result;
}

} // namespace warpglass
