// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/who_ask.h"

#include "app/session/session.h"
#include "app/window/model/why_ask.h"

#include <algorithm>
#include <bit>

namespace warpglass {

namespace {

// Of the lane's elements of the access, where it begins; nothing: it does not take part.
std::optional<std::uint64_t> addressOf(const Trace& trace, const AccessRow& a, LaneMask active, int lane) {
    const auto k = std::size_t((active & LaneMask::firstLanes(lane)).count());
    const auto addresses = trace.addresses(a);
    return active.has(lane) && k < addresses.size() ? std::optional(addresses[k]) : std::nullopt;
}

} // namespace

QString wordUsedNow(const Trace& trace, const Selection& selection) {
    const std::uint32_t row = warpToShow(selection, trace);
    if (row == noIndex)
        return {};
    const Warp& warp = trace.warps[row];
    const std::int64_t at = trace.eventAt(warp, timeShown(selection));
    const AccessRow* access = at >= 0 ? trace.accessOfEvent(warp.firstEvent + std::uint64_t(at)) : nullptr;
    if (!access || access->shuffle)
        return {};
    const LaneMask active = trace.event(warp, std::uint32_t(at)).active;
    const int lane = selection.lane >= 0 ? selection.lane : std::countr_zero(active.bits);
    const auto address = addressOf(trace, *access, active, lane);
    if (!address)
        return {};
    const QString word = QStringLiteral("0x%1").arg(*address, 0, 16);
    if (access->space == MemorySpace::Shared)
        return QStringLiteral("%1 of block %2").arg(word).arg(trace.blockOf(warp).index);
    return access->space == MemorySpace::Global ? word : QString();
}

Result<session::Who> askWho(const Run& open, const QString& word, Progress& progress) {
    const auto request = whyRequest(open);
    if (!request)
        return request.error();
    const auto plan = session::planOf(*request);
    if (!plan)
        return plan.error();
    return session::who(*request, *plan, word.toStdString(), progress);
}

Selection placeOfUse(const Trace& trace, const session::Who& who, std::size_t use, Selection from) {
    const session::WordUse& u = who.uses[use];
    const Diagnostic& told = u.told;
    from.ptxLine = told.ptxLine;
    from.sourceLine = told.source.line;
    from.launch = told.launch < trace.launches.size() ? told.launch : 0;
    from.warp = noIndex;
    from.block = noIndex;
    from.lane = int(told.thread % lanesPerWarp);
    const auto blocks = trace.blocksOf(trace.launches[from.launch]);
    const auto block =
        std::find_if(blocks.begin(), blocks.end(), [&](const Block& b) { return b.index == told.block; });
    if (block == blocks.end())
        return from;
    from.block = trace.launches[from.launch].firstBlock + std::uint32_t(block - blocks.begin());
    if (told.thread / lanesPerWarp >= block->warpCount)
        return from;
    from.warp = block->firstWarp + told.thread / lanesPerWarp;
    // Of this thread's uses at this line, how many come behind.
    std::size_t later = 0;
    for (std::size_t k = 0; k < use; ++k)
        later += who.uses[k].told.block == told.block && who.uses[k].told.thread == told.thread &&
                 who.uses[k].told.ptxLine == told.ptxLine;
    const Warp& warp = trace.warps[from.warp];
    for (std::uint32_t n = warp.eventCount; n-- > 0;) {
        const Event event = trace.event(warp, n);
        if (trace.sites[event.site].ptxLine != told.ptxLine || !event.active.has(from.lane))
            continue;
        const AccessRow* access = trace.accessOfEvent(warp.firstEvent + n);
        const auto address = access ? addressOf(trace, *access, event.active, from.lane) : std::nullopt;
        const std::uint64_t bytes = access ? std::uint64_t(access->bytesPerElement) * access->elements : 0;
        const std::uint64_t offset = told.address - (address ? *address : 0);
        // Shared memory's addresses are told in the window of generic ones.
        const bool meets = address && (access->space == MemorySpace::Shared ? true : offset < bytes);
        if (!meets || later-- > 0)
            continue;
        from.time = event.time;
        break;
    }
    return from;
}

} // namespace warpglass
