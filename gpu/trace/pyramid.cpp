// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/pyramid.h"

#include "gpu/base/parallel.h"
#include "gpu/trace/values.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace warpglass {

namespace {

template <typename Count>
std::vector<std::uint64_t> firstNodes(const Trace& trace, Count&& count) {
    std::vector<std::uint64_t> first;
    first.reserve(trace.warps.size() + 1);
    std::uint64_t sum = 0;
    for (const Warp& warp : trace.warps) {
        first.push_back(sum);
        sum += nodesFor(count(warp));
    }
    first.push_back(sum);
    return first;
}

void sumEvents(const Trace& trace, const Warp& warp, EventNode* nodes) {
    const EventTable& events = trace.events;
    Time begin = warp.eventCount > 0 ? events.time(warp.firstEvent, warp.start) : Time{};
    for (std::uint32_t i = 0; i < warp.eventCount; ++i) {
        const std::uint64_t row = warp.firstEvent + i;
        const EventWord& word = events.chunk(row >> eventChunkBits).at(row % eventChunkRows);
        const Time end = i + 1 < warp.eventCount ? events.time(row + 1, warp.start) : std::max(begin, warp.end);
        EventNode& node = nodes[i / pyramidFoot];
        if (i % pyramidFoot == 0)
            node = {begin, end, {}, LaneMask::none(), LaneMask::all()};
        node.end = end;
        node.any.bits |= word.active;
        node.all.bits &= word.active;
        if (EventKind(word.siteKind >> 28) == EventKind::BarrierArrive)
            node.waiting = node.waiting + (end - begin);
        begin = end;
    }
}

void sumStates(const Trace& trace, const Warp& warp, StateNode* nodes) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t i = 0;
    for (const StateRow& state : trace.statesOf(warp)) {
        StateNode& node = nodes[i / pyramidFoot];
        if (i++ % pyramidFoot == 0)
            node = {state.begin, state.end, {}};
        node.end = state.end;
        std::uint32_t& cycles = node.cycles[std::size_t(state.state)];
        cycles = std::uint32_t(std::min(most, cycles + std::uint64_t((state.end - state.begin).value)));
    }
}

Error broken(const char* table, std::uint64_t row, const char* what) {
    return {fmt::format("table {}, row {}: {}", table, row, what)};
}

} // namespace

std::vector<std::uint64_t> firstEventNodes(const Trace& trace) {
    return firstNodes(trace, [](const Warp& warp) { return std::uint64_t(warp.eventCount); });
}

std::vector<std::uint64_t> firstStateNodes(const Trace& trace) {
    return firstNodes(trace, [](const Warp& warp) { return std::uint64_t(warp.stateCount); });
}

std::shared_ptr<const Pyramid> buildPyramid(const Trace& trace, Progress& progress) {
    const auto firstEvents = firstEventNodes(trace), firstStates = firstStateNodes(trace);
    std::vector<EventNode> events(firstEvents.back());
    std::vector<StateNode> states(firstStates.back());
    constexpr std::size_t each = 64; // warps
    const std::size_t parts = (trace.warps.size() + each - 1) / each;
    std::atomic<std::size_t> done = 0;
    parallelFor(parts, 0, [&](std::size_t part) {
        if (progress.cancelled())
            return;
        for (std::size_t w = part * each; w < std::min((part + 1) * each, trace.warps.size()); ++w) {
            sumEvents(trace, trace.warps[w], events.data() + firstEvents[w]);
            sumStates(trace, trace.warps[w], states.data() + firstStates[w]);
        }
        progress.report(double(++done) / double(parts));
    });
    if (progress.cancelled())
        return nullptr;
    return std::make_shared<const Pyramid>(
        Pyramid{LargeTable<EventNode>(std::move(events)), LargeTable<StateNode>(std::move(states))});
}

Result<void> validate(const Pyramid& pyramid, const Trace& trace) {
    const auto firstEvents = firstEventNodes(trace), firstStates = firstStateNodes(trace);
    if (pyramid.events.size() != firstEvents.back())
        return broken("event_nodes", pyramid.events.size(), "there are not as many as the warps' events make");
    if (pyramid.states.size() != firstStates.back())
        return broken("state_nodes", pyramid.states.size(), "there are not as many as the warps' states make");
    const EventNode* events = pyramid.events.data();
    const StateNode* states = pyramid.states.data();
    for (std::size_t w = 0; w < trace.warps.size(); ++w) {
        Time last = trace.warps[w].start;
        for (std::uint64_t i = firstEvents[w]; i < firstEvents[w + 1]; ++i) {
            const EventNode& node = events[i];
            if (node.begin < last || (i > firstEvents[w] && node.begin != last) || node.end < node.begin)
                return broken("event_nodes", i, "it does not follow the one before it");
            // Unsigned, as forged times may be further apart than a signed number tells.
            if (std::uint64_t(node.waiting.value) > std::uint64_t(node.end.value) - std::uint64_t(node.begin.value))
                return broken("event_nodes", i, "it waits longer than it lasts");
            if ((node.all & ~node.any) != LaneMask::none())
                return broken("event_nodes", i, "lanes are on in all events that are on in none");
            last = node.end;
        }
        if (!isSensible(last))
            return broken("event_nodes", firstEvents[w + 1] - 1, "its time is beyond all times");
        for (std::uint64_t i = firstStates[w]; i < firstStates[w + 1]; ++i)
            if (!isSensible(states[i].begin) || !isSensible(states[i].end) || states[i].end < states[i].begin ||
                (i > firstStates[w] && states[i].begin < states[i - 1].end))
                return broken("state_nodes", i, "it does not follow the one before it");
    }
    return {};
}

} // namespace warpglass
