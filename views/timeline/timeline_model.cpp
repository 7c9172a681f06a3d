// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_model.h"

#include "gpu/trace/pyramid.h"

#include <QtConcurrent>

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>

namespace warpglass {

namespace {

// State rows are in SM cycles; the axis of a timed trace is in nanoseconds.
double unitsACycle(const Trace& trace) {
    const bool timed = trace.info.timeUnit == TimeUnit::Nanoseconds && trace.info.smClockMHz > 0;
    return timed ? 1000.0 / trace.info.smClockMHz : 1;
}
Time fromCycles(const Trace& trace, Time cycles) {
    return {std::int64_t(double(cycles.value) * unitsACycle(trace))};
}

// The events or states [first, end) of a warp that are under a foot node of its row; w: which warp of the row it is.
struct UnderNode {
    std::size_t w;
    std::uint32_t first, end;
};
UnderNode underNode(const std::vector<std::uint32_t>& firstNode, std::size_t node) {
    // Warps without items have their neighbour's first node: the last one that begins here is the one that has items.
    const auto after = std::upper_bound(firstNode.begin(), firstNode.end(), node);
    const auto w = std::size_t(after - firstNode.begin()) - 1;
    const auto first = std::uint32_t((node - firstNode[w]) * pyramidFoot);
    return {w, first, first + std::uint32_t(pyramidFoot)};
}

void fillRow(const Trace& trace, const Pyramid& pyramid, std::span<const std::uint64_t> firstEvents,
             std::span<const std::uint64_t> firstStates, TimelineRow& row, TimeRange range, bool withStates) {
    constexpr int states = int(WarpState::Count_);
    row.events = TimelinePyramid(2, range);
    row.states = TimelinePyramid(states, range);
    const auto place = [&](std::span<const std::uint64_t> first, std::vector<std::uint32_t>& places) {
        std::uint64_t nodes = 0;
        for (const std::uint32_t w : row.warps) {
            places.push_back(std::uint32_t(nodes));
            nodes += first[w + 1] - first[w];
        }
        places.push_back(std::uint32_t(nodes));
        return std::size_t(nodes);
    };
    row.events.reserve(place(firstEvents, row.firstNode));
    for (const std::uint32_t w : row.warps) {
        std::uint32_t left = trace.warps[w].eventCount;
        for (const EventNode& node : pyramid.events.rows(firstEvents[w], firstEvents[w + 1] - firstEvents[w])) {
            const auto items = std::uint32_t(std::min<std::uint64_t>(left, pyramidFoot));
            const float waits = float(node.waiting.value);
            const float times[] = {float((node.end - node.begin).value) - waits, waits};
            row.events.addNode({node.begin, node.end}, items, node.any, node.all, times);
            left -= items;
        }
    }
    row.events.finish();
    if (!withStates)
        return;
    row.states.reserve(place(firstStates, row.firstStateNode));
    const double perCycle = unitsACycle(trace);
    for (const std::uint32_t w : row.warps) {
        const Warp& warp = trace.warps[w];
        std::uint32_t left = warp.stateCount;
        for (const StateNode& node : pyramid.states.rows(firstStates[w], firstStates[w + 1] - firstStates[w])) {
            const auto items = std::uint32_t(std::min<std::uint64_t>(left, pyramidFoot));
            float times[states];
            for (std::size_t k = 0; k < node.cycles.size(); ++k)
                times[k] = float(double(node.cycles[k]) * perCycle); // one cycle is less than 1 ns, and counts
            row.states.addNode({fromCycles(trace, node.begin), fromCycles(trace, node.end)}, items, warp.liveLanes,
                               warp.liveLanes, times);
            left -= items;
        }
    }
    row.states.finish();
}

// Blocks without a recorded warp, all of them and those on each SM that has a group; and warps that the timing model
// followed for a while, from there to their end. states: of the pyramid, the nodes of each warp; nullptr: of no warp.
void fillKnown(TimelineModel& model, const Pyramid* states, const std::vector<std::uint64_t>& firstStates) {
    const Trace& trace = *model.trace;
    std::vector<TimelineGroup*> ofSm;
    if (model.grouping == TimelineGrouping::Hardware)
        for (TimelineGroup& group : model.groups) {
            ofSm.resize(std::max<std::size_t>(ofSm.size(), group.sm + 1u), nullptr);
            ofSm[group.sm] = &group;
        }
    for (const Launch& launch : trace.launches) {
        if (launch.status != LaunchStatus::Ran)
            continue;
        const auto warps = std::uint32_t(warpsFor(launch.block.count()));
        for (const Block& block : trace.blocksOf(launch)) {
            if (block.warpCount > 0 || block.end <= block.start)
                continue;
            model.known.add({block.start, block.end}, warps);
            model.atOnce.add({block.start, block.end}, warps);
            if (block.sm < ofSm.size() && ofSm[block.sm])
                ofSm[block.sm]->known.add({block.start, block.end}, warps);
        }
    }
    for (std::uint32_t w = 0; w < trace.warps.size(); ++w) {
        const Warp& warp = trace.warps[w];
        model.atOnce.add({warp.start, warp.end}, 1);
        if (!states || firstStates[w] == firstStates[w + 1])
            continue;
        const auto& last = states->states.rows(firstStates[w + 1] - 1, 1).front();
        const Time followed = fromCycles(trace, last.end);
        constexpr std::int64_t rounding = 2; // of cycles to the trace's time
        if (followed.value + rounding >= warp.end.value)
            continue;
        model.known.add({followed, warp.end}, 1);
        if (const std::uint32_t sm = trace.blockOf(warp).sm; sm < ofSm.size() && ofSm[sm])
            ofSm[sm]->known.add({followed, warp.end}, 1);
    }
    model.atOnce.finish();
    model.known.finish();
    for (TimelineGroup& group : model.groups)
        group.known.finish();
    model.recorded = recordedStretches(trace);
}

// The rows' columns added up, in parts on all cores; the parts are added in order, so that the sum does not depend on
// how many cores there are.
void addRows(const TimelineModel& model, std::uint32_t first, std::uint32_t end, TimeRange window,
             TimelineColumns& out) {
    constexpr std::uint32_t each = 16;
    if (end - first <= each) {
        for (std::uint32_t r = first; r < end; ++r)
            model.columns(model.rows[r], window, out);
        return;
    }
    std::vector<TimelineColumns> parts((end - first + each - 1) / each);
    std::vector<std::uint32_t> order(parts.size());
    std::iota(order.begin(), order.end(), 0u);
    QtConcurrent::blockingMap(order, [&](std::uint32_t n) {
        parts[n].reset(out.size(), model.categories);
        for (std::uint32_t r = first + n * each; r < std::min(end, first + (n + 1) * each); ++r)
            model.columns(model.rows[r], window, parts[n]);
    });
    for (const TimelineColumns& part : parts)
        out.add(part);
}

// Work for each of n things on all cores; false if somebody cancelled it. Progress goes from one share to another.
template <typename Work>
bool onAllCores(std::size_t n, Progress& progress, double from, double to, const Work& work) {
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::atomic<std::size_t> done = 0;
    QtConcurrent::blockingMap(order, [&](std::size_t i) {
        if (progress.cancelled())
            return;
        work(i);
        progress.report(from + (to - from) * double(++done) / double(n));
    });
    return !progress.cancelled();
}

} // namespace

TimelineItem TimelineModel::eventItem(const Warp& warp, std::uint32_t n) const {
    const Event event = trace->event(warp, n);
    const Time end = n + 1 < warp.eventCount ? trace->event(warp, n + 1).time : std::max(event.time, warp.end);
    return {event.time, end, std::uint8_t(event.kind == EventKind::BarrierArrive ? 1 : 0), event.active};
}

Time TimelineModel::timeOfCycle(Time cycle) const {
    return fromCycles(*trace, cycle);
}

void TimelineModel::columns(const TimelineRow& row, TimeRange window, TimelineColumns& out) const {
    if (!hasStates()) {
        lanes(row, window, out);
        return;
    }
    row.states.accumulate(window, out, [&](std::size_t node, TimelineFiller& filler) {
        const UnderNode under = underNode(row.firstStateNode, node);
        const Warp& warp = trace->warps[row.warps[under.w]];
        const std::uint32_t end = std::min(under.end, warp.stateCount);
        for (const StateRow& state : trace->states.rows(warp.firstState + under.first, end - under.first))
            filler.add(fromCycles(*trace, state.begin), fromCycles(*trace, state.end), std::size_t(state.state),
                       warp.liveLanes.bits);
    });
}

void TimelineModel::lanes(const TimelineRow& row, TimeRange window, TimelineColumns& out) const {
    const EventTable& events = trace->events;
    row.events.accumulate(window, out, [&](std::size_t node, TimelineFiller& filler) {
        const UnderNode under = underNode(row.firstNode, node);
        const Warp& warp = trace->warps[row.warps[under.w]];
        const std::uint32_t end = std::min(under.end, warp.eventCount);
        std::uint64_t at = warp.firstEvent + under.first;
        const EventChunk* chunk = &events.chunk(at >> eventChunkBits);
        Time begin = warp.start + Time{chunk->time(at % eventChunkRows)};
        for (std::uint32_t n = under.first; n < end; ++n) {
            const EventWord& word = chunk->at(at % eventChunkRows);
            Time next = std::max(begin, warp.end);
            if (n + 1 < warp.eventCount) {
                if (++at % eventChunkRows == 0)
                    chunk = &events.chunk(at >> eventChunkBits);
                next = warp.start + Time{chunk->time(at % eventChunkRows)};
            }
            filler.add(begin, next, EventKind(word.siteKind >> 28) == EventKind::BarrierArrive ? 1 : 0, word.active);
            begin = next;
        }
    });
}

bool TimelineModel::stackedFromRows(const TimelineGroup* group, TimeRange window, std::size_t columns) const {
    const double perColumn = double(window.length().value) / double(columns);
    return perColumn < double(range.length().value) / bins && (group ? group->rows : rows.size()) <= 1024;
}

void TimelineModel::stacked(const TimelineGroup* group, TimeRange window, TimelineColumns& out) const {
    if (out.size() == 0 || window.length().value <= 0 || bins == 0)
        return;
    if (stackedFromRows(group, window, out.size())) {
        const std::uint32_t first = group ? group->firstRow : 0;
        addRows(*this, first, group ? first + group->rows : std::uint32_t(rows.size()), window, out);
        return;
    }
    const double perColumn = double(window.length().value) / double(out.size());
    const double perBin = double(range.length().value) / bins;
    // Sums run on from bin to bin, so a column costs two look-ups, however many bins lie under it.
    const std::vector<double>& sums = group ? group->sums : total;
    std::array<double, timelineCategories> before{}, after{};
    const auto sumsAt = [&](double at, std::array<double, timelineCategories>& sum) {
        const double inside = std::clamp(at, 0.0, double(bins));
        const int b = std::min(int(inside), bins - 1);
        const double part = inside - b;
        const double* here = sums.data() + std::ptrdiff_t(b) * categories;
        for (int k = 0; k < categories; ++k)
            sum[std::size_t(k)] = here[k] + (here[k + categories] - here[k]) * part;
    };
    const double step = perColumn / perBin;
    const double begin = double((window.begin - range.begin).value) / perBin;
    sumsAt(begin, before);
    for (std::size_t c = 0; c < out.size(); ++c) {
        sumsAt(begin + double(c + 1) * step, after);
        for (int k = 0; k < categories; ++k)
            out.addShare(c, k, float((after[std::size_t(k)] - before[std::size_t(k)]) / step));
        before = after;
    }
}

TimeRange TimelineModel::frameAt(Time now) const {
    if (recorded.empty())
        return range;
    const auto framed = [this](TimeRange part) {
        const Time margin{std::max<std::int64_t>(1, part.length().value / 25)};
        return TimeRange{std::max(range.begin, part.begin - margin), std::min(range.end, part.end + margin)};
    };
    if (known.empty()) { // a small launch takes longer to begin than to run
        const TimeRange ran{recorded.front().begin, recorded.back().end};
        return ran.length().value > 0 && ran.length().value * 20 < range.length().value * 17 ? framed(ran) : range;
    }
    auto after = std::upper_bound(recorded.begin(), recorded.end(), now,
                                  [](Time t, const TimeRange& stretch) { return t < stretch.begin; });
    const TimeRange here = after == recorded.begin() ? *after : *(after - 1);
    if (here.length().value <= 0 || here.length().value > range.length().value / 2)
        return range;
    return framed(here);
}

std::size_t TimelineModel::bytes() const {
    std::size_t sum = total.capacity() * sizeof(double) + known.bytes() + atOnce.bytes();
    for (const TimelineRow& row : rows)
        sum += sizeof(row) + row.events.bytes() + row.states.bytes() + row.warps.capacity() * 4 +
               (row.firstNode.capacity() + row.firstStateNode.capacity()) * 4;
    for (const TimelineGroup& group : groups)
        sum += sizeof(group) + group.sums.capacity() * sizeof(double) + group.known.bytes();
    return sum;
}

std::shared_ptr<const TimelineModel> buildTimelineModel(TracePtr trace, std::uint32_t launch, TimelineGrouping grouping,
                                                        Progress& progress) {
    auto model = std::make_shared<TimelineModel>();
    model->trace = trace;
    model->grouping = grouping;
    const bool withStates = !trace->states.empty();
    model->categories = withStates ? int(WarpState::Count_) : 2;
    if (launch >= trace->launches.size())
        return model;
    // Warps of this launch and of those it launched: the axis is the device's, and children belong to the picture.
    std::vector<std::uint32_t> order(trace->warps.size());
    std::iota(order.begin(), order.end(), 0u);
    model->range = {trace->launches[launch].start, trace->launches[launch].end};
    for (const Launch& one : trace->launches)
        if (one.status == LaunchStatus::Ran)
            model->range = {std::min(model->range.begin, one.start), std::max(model->range.end, one.end)};
    if (model->range.length().value <= 0)
        model->range.end = model->range.begin + Time{1};

    const auto groupKey = [&](std::uint32_t w) {
        const Warp& warp = trace->warps[w];
        return grouping == TimelineGrouping::Hardware ? std::uint32_t(trace->blockOf(warp).sm) : warp.block;
    };
    const auto rowKey = [&](std::uint32_t w) {
        const Warp& warp = trace->warps[w];
        return grouping == TimelineGrouping::Hardware ? std::uint32_t(warp.scheduler) << 16 | warp.slot
                                                      : std::uint32_t(warp.warpInBlock);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (groupKey(a) != groupKey(b))
            return groupKey(a) < groupKey(b);
        if (rowKey(a) != rowKey(b))
            return rowKey(a) < rowKey(b);
        return trace->warps[a].start < trace->warps[b].start;
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::uint32_t w = order[i];
        const bool newGroup = i == 0 || groupKey(w) != groupKey(order[i - 1]);
        if (newGroup) {
            TimelineGroup group;
            group.sm = trace->blockOf(trace->warps[w]).sm;
            group.block = trace->warps[w].block;
            group.firstRow = std::uint32_t(model->rows.size());
            model->groups.push_back(std::move(group));
        }
        if (newGroup || rowKey(w) != rowKey(order[i - 1])) {
            TimelineRow row;
            row.group = std::uint32_t(model->groups.size() - 1);
            row.slot = grouping == TimelineGrouping::Hardware ? trace->warps[w].slot : trace->warps[w].warpInBlock;
            row.scheduler = trace->warps[w].scheduler;
            model->rows.push_back(std::move(row));
            ++model->groups.back().rows;
        }
        model->rows.back().warps.push_back(w);
        ++model->groups.back().warps;
    }
    fillAsync(*model);
    const auto pyramid = trace->pyramid ? trace->pyramid : buildPyramid(*trace, progress);
    if (!pyramid)
        return nullptr;
    const auto firstEvents = firstEventNodes(*trace), firstStates = firstStateNodes(*trace);
    fillKnown(*model, withStates ? &*pyramid : nullptr, firstStates);
    if (!onAllCores(model->rows.size(), progress, 0.5, 0.9, [&](std::size_t r) {
            fillRow(*trace, *pyramid, firstEvents, firstStates, model->rows[r], model->range, withStates);
        }))
        return nullptr;
    // Equal bins for the sums, as fine as the nodes they are made of: finer windows are drawn from the rows, unless
    // there are too many of those. 32 MB at most.
    const int categories = model->categories;
    const auto budget = 4'000'000 / ((model->groups.size() + 1) * std::size_t(categories));
    const std::size_t nodes = withStates ? pyramid->states.size() : pyramid->events.size();
    const std::size_t worth = nodes / std::max<std::size_t>(1, model->rows.size());
    const std::size_t least = model->rows.size() > 1024 ? 2048 : 1;
    model->bins = int(std::clamp<std::size_t>(std::min(budget, worth), least, 1 << 18));
    model->bins = int(std::min<std::int64_t>(model->bins, model->range.length().value));
    model->total.assign(std::size_t((model->bins + 1) * categories), 0.0);
    const bool all = onAllCores(model->groups.size(), progress, 0.9, 1, [&](std::size_t g) {
        TimelineGroup& group = model->groups[g];
        TimelineColumns scratch;
        scratch.reset(std::size_t(model->bins), categories);
        for (std::uint32_t r = group.firstRow; r < group.firstRow + group.rows; ++r)
            (withStates ? model->rows[r].states : model->rows[r].events).accumulate(model->range, scratch);
        group.sums.assign(model->total.size(), 0.0);
        for (int b = 0; b < model->bins; ++b)
            for (int k = 0; k < categories; ++k)
                group.sums[std::size_t((b + 1) * categories + k)] =
                    group.sums[std::size_t(b * categories + k)] + double(scratch.share(std::size_t(b), k));
    });
    if (!all)
        return nullptr;
    for (const TimelineGroup& group : model->groups)
        for (std::size_t i = 0; i < model->total.size(); ++i)
            model->total[i] += group.sums[i];
    progress.report(1.0);
    return model;
}

} // namespace warpglass
