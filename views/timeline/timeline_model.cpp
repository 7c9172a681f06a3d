// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_model.h"

#include <QtConcurrent>

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>

namespace warpglass {

namespace {

// State rows are in SM cycles; the axis of a timed trace is in nanoseconds.
Time fromCycles(const Trace& trace, Time cycles) {
    if (trace.info.timeUnit != TimeUnit::Nanoseconds || trace.info.smClockMHz <= 0)
        return cycles;
    return {std::int64_t(double(cycles.value) * 1000.0 / trace.info.smClockMHz)};
}

std::size_t warpAt(const std::vector<std::uint64_t>& first, std::uint64_t n) {
    return std::size_t(std::upper_bound(first.begin(), first.end(), n) - first.begin()) - 1;
}

TimelineItem itemOf(const Trace& trace, const Warp& warp, std::uint32_t i) {
    const std::uint64_t row = warp.firstEvent + i;
    TimelineItem item;
    item.begin = trace.events.time(row, warp.start);
    item.end = i + 1 < warp.eventCount ? trace.events.time(row + 1, warp.start) : std::max(item.begin, warp.end);
    item.category = trace.events.kind(row) == EventKind::BarrierArrive ? 1 : 0;
    item.lanes = trace.events.active(row);
    return item;
}

void fillRow(const Trace& trace, TimelineRow& row, TimeRange range, bool withStates) {
    row.events = TimelinePyramid(2, range);
    row.states = TimelinePyramid(int(WarpState::Count_), range);
    std::uint64_t events = 0, states = 0;
    for (std::uint32_t w : row.warps) {
        const Warp& warp = trace.warps[w];
        row.firstItem.push_back(events);
        row.firstState.push_back(states);
        for (std::uint32_t i = 0; i < warp.eventCount; ++i)
            row.events.add(itemOf(trace, warp, i));
        events += warp.eventCount;
        if (withStates) {
            for (const StateRow& state : trace.statesOf(warp))
                row.states.add({fromCycles(trace, state.begin), fromCycles(trace, state.end), std::uint8_t(state.state),
                                warp.liveLanes});
            states += warp.stateCount;
        }
    }
    row.events.finish();
    row.states.finish();
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
        for (std::size_t c = 0; c < out.size(); ++c) {
            for (int k = 0; k < model.categories; ++k)
                out.addShare(c, k, part.share(c, k));
            out.touch(c, part.count(c), part.any(c).bits, part.all(c).bits);
        }
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

TimelineItem TimelineModel::eventItem(const TimelineRow& row, std::uint64_t n) const {
    const std::size_t w = warpAt(row.firstItem, n);
    return itemOf(*trace, trace->warps[row.warps[w]], std::uint32_t(n - row.firstItem[w]));
}

TimelineItem TimelineModel::stateItem(const TimelineRow& row, std::uint64_t n) const {
    const std::size_t w = warpAt(row.firstState, n);
    const Warp& warp = trace->warps[row.warps[w]];
    const StateRow& state = trace->states[warp.firstState + (n - row.firstState[w])];
    return {fromCycles(*trace, state.begin), fromCycles(*trace, state.end), std::uint8_t(state.state), warp.liveLanes};
}

std::uint64_t TimelineModel::eventRow(const TimelineRow& row, std::uint64_t n) const {
    const std::size_t w = warpAt(row.firstItem, n);
    return trace->warps[row.warps[w]].firstEvent + (n - row.firstItem[w]);
}

void TimelineModel::columns(const TimelineRow& row, TimeRange window, TimelineColumns& out) const {
    if (!hasStates()) {
        lanes(row, window, out);
        return;
    }
    row.states.accumulate(window, out, [&](std::uint64_t first, std::uint64_t end, const auto& take) {
        for (std::uint64_t n = first; n < end; ++n)
            take(stateItem(row, n));
    });
}

void TimelineModel::lanes(const TimelineRow& row, TimeRange window, TimelineColumns& out) const {
    row.events.accumulate(window, out, [&](std::uint64_t first, std::uint64_t end, const auto& take) {
        std::size_t w = warpAt(row.firstItem, first);
        const Warp* warp = &trace->warps[row.warps[w]];
        for (std::uint64_t n = first; n < end; ++n) {
            while (n - row.firstItem[w] >= warp->eventCount)
                warp = &trace->warps[row.warps[++w]];
            take(itemOf(*trace, *warp, std::uint32_t(n - row.firstItem[w])));
        }
    });
}

void TimelineModel::stacked(const TimelineGroup* group, TimeRange window, TimelineColumns& out) const {
    if (out.size() == 0 || window.length().value <= 0 || bins == 0)
        return;
    const double perColumn = double(window.length().value) / double(out.size());
    const double perBin = double(range.length().value) / bins;
    const std::uint32_t first = group ? group->firstRow : 0;
    const std::uint32_t end = group ? group->firstRow + group->rows : std::uint32_t(rows.size());
    if (perColumn < perBin && end - first <= 1024) { // finer than the bins: from the rows themselves
        addRows(*this, first, end, window, out);
        return;
    }
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

std::size_t TimelineModel::bytes() const {
    std::size_t sum = total.capacity() * sizeof(double);
    for (const TimelineRow& row : rows)
        sum += sizeof(row) + row.events.bytes() + row.states.bytes() + row.warps.capacity() * 4 +
               (row.firstItem.capacity() + row.firstState.capacity()) * 8;
    for (const TimelineGroup& group : groups)
        sum += sizeof(group) + group.sums.capacity() * sizeof(double);
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
    if (!onAllCores(model->rows.size(), progress, 0, 0.9,
                    [&](std::size_t r) { fillRow(*trace, model->rows[r], model->range, withStates); }))
        return nullptr;
    // Equal bins for the sums: so fine that zooming in leaves them only when few events are in sight, and never more
    // than the events are worth; 32 MB at most.
    const int categories = model->categories;
    const std::int64_t budget = 4'000'000 / std::int64_t((model->groups.size() + 1) * std::size_t(categories));
    const auto worth = std::int64_t((trace->events.size() + trace->states.size()) / 32);
    model->bins = int(std::clamp<std::int64_t>(std::min(budget, worth), 2048, 1 << 18));
    model->bins = int(std::min<std::int64_t>(model->bins, model->range.length().value));
    model->total.assign(std::size_t((model->bins + 1) * categories), 0.0);
    const bool all = onAllCores(model->groups.size(), progress, 0.9, 1, [&](std::size_t g) {
        TimelineGroup& group = model->groups[g];
        TimelineColumns scratch;
        scratch.reset(std::size_t(model->bins), categories);
        for (std::uint32_t r = group.firstRow; r < group.firstRow + group.rows; ++r)
            model->columns(model->rows[r], model->range, scratch);
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
