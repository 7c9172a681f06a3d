// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/who_ask.h"

#include "app/session/session.h"
#include "app/window/model/why_ask.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace warpglass {

namespace {

// Of the lane's elements of the access, where it begins; nothing: it does not take part.
std::optional<std::uint64_t> addressOf(const Trace& trace, const AccessRow& a, LaneMask active, int lane) {
    const auto k = std::size_t((active & LaneMask::firstLanes(lane)).count());
    const auto addresses = trace.addresses(a);
    return active.has(lane) && k < addresses.size() ? std::optional(addresses[k]) : std::nullopt;
}

// nullptr: the trace has no such block.
const Block* blockOf(const Trace& trace, const Diagnostic& told) {
    const auto blocks = trace.blocksOf(trace.launches[told.launch < trace.launches.size() ? told.launch : 0]);
    const auto block =
        std::find_if(blocks.begin(), blocks.end(), [&](const Block& b) { return b.index == told.block; });
    return block == blocks.end() ? nullptr : &*block;
}

// A time of the block's, in steps or in the model's cycles, as the trace has it.
std::optional<Time> momentOf(const Trace& trace, const Block& block, std::uint64_t time) {
    if (trace.info.timeUnit == TimeUnit::Steps)
        return block.start + Time{std::int64_t(time)};
    if (!isModelled(trace) || trace.info.smClockMHz <= 0)
        return std::nullopt;
    return block.start + Time{std::llround(double(time) * 1000 / trace.info.smClockMHz)};
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
    return session::who(*request, *plan, word.toStdString(), progress, isModelled(*open.trace));
}

LaneValues laneValues(const Trace& trace, const session::Who& who) {
    LaneValues all;
    std::map<std::string, std::array<QString, lanesPerWarp>> now; // by name
    for (std::size_t n = who.uses.size(); n-- > 0;) {
        const session::WordUse& use = who.uses[n];
        const auto lane = std::size_t(use.told.thread % lanesPerWarp);
        const QString name = QString::fromStdString(use.name);
        if (all.rows.empty() || all.rows.back().step != use.step || all.rows.back().name != name ||
            all.rows.back().changed.has(int(lane))) {
            const Block* const block = blockOf(trace, use.told);
            all.rows.push_back({use.step,
                                block ? momentOf(trace, *block, use.time) : std::nullopt,
                                use.told.source.line,
                                name,
                                now[use.name],
                                {},
                                n});
        }
        LaneValues::Row& row = all.rows.back();
        row.values[lane] = now[use.name][lane] = QString::fromStdString(use.value);
        row.changed.bits |= 1u << lane;
    }
    return all;
}

int LaneValues::rowAt(Time time) const {
    int last = -1;
    for (std::size_t n = 0; n < rows.size(); ++n)
        if (rows[n].time && *rows[n].time <= time)
            last = int(n);
    return last;
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
    const Block* const block = blockOf(trace, told);
    if (!block)
        return from;
    from.block = std::uint32_t(block - trace.blocks.data());
    if (told.thread / lanesPerWarp >= block->warpCount)
        return from;
    from.warp = block->firstWarp + told.thread / lanesPerWarp;
    if (who.isVariable) {
        from.time = momentOf(trace, *block, u.time).value_or(from.time);
        return from;
    }
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
