// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/playback.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace warpglass {

namespace {

constexpr std::size_t piece = std::size_t(1) << 20; // of times, between two looks at whether anybody still waits

std::size_t walked(const Trace& trace) {
    std::size_t events = 0;
    for (const Warp& warp : trace.warps)
        events += warp.eventCount;
    return events;
}

// Of every event; false: it was cancelled.
bool collect(const Trace& trace, std::int64_t shift, Progress& progress, std::vector<std::int64_t>& times) {
    std::size_t left = 0;
    for (std::size_t w = 0; w < trace.warps.size(); ++w) {
        const Warp& warp = trace.warps[w];
        for (std::uint32_t n = 0; n < warp.eventCount; ++n) {
            if (left-- == 0) {
                left = piece - 1;
                progress.report(0.6 * double(w) / double(trace.warps.size()));
                if (progress.cancelled())
                    return false;
            }
            times.push_back(trace.events.time(warp.firstEvent + n, warp.start).value + shift);
        }
    }
    return !progress.cancelled();
}

// Ascending and distinct, piece by piece: in one go a hundred million times take so many seconds that a trace nobody looks
// at any more stays in memory behind three that were opened since. False: it was cancelled.
bool sortDistinct(std::vector<std::int64_t>& times, Progress& progress) {
    const auto at = [&](std::size_t n) { return times.begin() + std::ptrdiff_t(std::min(n, times.size())); };
    for (std::size_t first = 0; first < times.size(); first += piece) {
        if (progress.cancelled())
            return false;
        std::sort(at(first), at(first + piece));
    }
    for (std::size_t width = piece; width < times.size(); width *= 2)
        for (std::size_t first = 0; first + width < times.size(); first += 2 * width) {
            if (progress.cancelled())
                return false;
            std::inplace_merge(at(first), at(first + width), at(first + 2 * width));
        }
    times.erase(std::unique(times.begin(), times.end()), times.end());
    times.shrink_to_fit();
    return true;
}

// Starts and ends of blocks and launches.
void collectFrames(const Trace& trace, std::int64_t shift, std::vector<std::int64_t>& times) {
    for (const Launch& launch : trace.launches) {
        if (launch.status != LaunchStatus::Ran)
            continue;
        times.push_back(launch.start.value + shift);
        times.push_back(launch.end.value + shift);
        for (const Block& block : trace.blocksOf(launch)) {
            if (block.end < block.start || block.end < launch.start)
                continue; // nothing is known of it
            times.push_back(block.start.value + shift);
            times.push_back(block.end.value + shift);
        }
    }
}

} // namespace

Moments momentsOf(const Trace& trace, const Trace* other, Progress& progress, int densityParts,
                  std::optional<Time> shift) {
    Moments moments;
    const std::int64_t back = other ? -shift.value_or(other->range().begin - trace.range().begin).value : 0;
    std::vector<std::int64_t>& times = moments.times;
    times.reserve(walked(trace) + (other ? walked(*other) : 0));
    if (!collect(trace, 0, progress, times) || (other && !collect(*other, back, progress, times)))
        return {};
    moments.events = trace.events.size();
    const std::size_t ofEvents = times.size();
    collectFrames(trace, 0, times);
    if (other)
        collectFrames(*other, back, times);
    if (times.empty())
        return moments;
    const auto [first, last] = std::minmax_element(times.begin(), times.end());
    moments.range = {{*first}, {*last}};
    const auto length = std::uint64_t(*last) - std::uint64_t(*first);
    moments.density.assign(std::size_t(std::max(1, densityParts)), 0);
    const std::size_t lastPart = moments.density.size() - 1;
    for (const std::int64_t t : std::span(times).first(ofEvents > 0 ? ofEvents : times.size())) {
        const double part =
            length == 0 ? 0.0 : double(std::uint64_t(t) - std::uint64_t(moments.range.begin.value)) / double(length);
        ++moments.density[std::min(lastPart, std::size_t(part * double(moments.density.size())))];
    }
    progress.report(0.7);
    if (!sortDistinct(times, progress))
        return {};
    progress.report(1.0);
    return moments;
}

std::size_t momentAt(const Moments& moments, Time t) {
    const auto after = std::upper_bound(moments.times.begin(), moments.times.end(), t.value);
    return after == moments.times.begin() ? 0 : std::size_t(after - moments.times.begin()) - 1;
}

Time timeOf(const Moments& moments, std::size_t index) {
    if (moments.times.empty())
        return {};
    return {moments.times[std::min(index, moments.times.size() - 1)]};
}

namespace {

LoopRange bounds(const Playback& playback, std::size_t momentCount) {
    const std::size_t last = momentCount == 0 ? 0 : momentCount - 1;
    if (!playback.loop)
        return {0, last};
    return {std::min(playback.loop->first, last), std::min(playback.loop->last, last)};
}

} // namespace

void advance(Playback& playback, std::size_t momentCount, double seconds) {
    if (!playback.playing)
        return;
    const LoopRange range = bounds(playback, momentCount);
    advance(playback, double(range.first), double(range.last), seconds);
}

void advance(Playback& playback, double first, double last, double seconds) {
    if (!playback.playing)
        return;
    playback.position += playback.direction * playback.speed * seconds;
    if (playback.position >= first && playback.position <= last)
        return;
    if (playback.loop && last > first) {
        playback.position = playback.direction > 0 ? first : last;
        return;
    }
    playback.position = std::clamp(playback.position, first, last);
    playback.playing = false;
}

void step(Playback& playback, std::size_t momentCount, int by) {
    const LoopRange range = bounds(playback, momentCount);
    playback.playing = false;
    playback.position = std::clamp(std::floor(playback.position) + by, double(range.first), double(range.last));
}

namespace {

constexpr double slowest = 1.0;       // moments a second
constexpr double wholeRunSeconds = 4; // at the fast end

} // namespace

double fastestOf(double length) {
    return std::max(8.0, length / wholeRunSeconds);
}

double speedAt(double slider, std::size_t momentCount) {
    return slowest * std::pow(fastestOf(double(momentCount)) / slowest, std::clamp(slider, 0.0, 1.0));
}

double sliderOf(double speed, std::size_t momentCount) {
    return std::clamp(std::log(std::max(speed, slowest) / slowest) / std::log(fastestOf(double(momentCount)) / slowest),
                      0.0, 1.0);
}

std::optional<Time> neighbourEvent(const Trace& trace, const Warp& warp, Time t, int direction) {
    if (warp.eventCount == 0)
        return std::nullopt;
    std::int64_t row = trace.eventAt(warp, t); // last at or before t, -1 = none
    if (direction > 0) {
        if (row + 1 >= std::int64_t(warp.eventCount))
            return std::nullopt;
        return trace.event(warp, std::uint32_t(row + 1)).time;
    }
    while (row >= 0 && trace.event(warp, std::uint32_t(row)).time >= t)
        --row; // several events may share one time
    if (row < 0)
        return std::nullopt;
    return trace.event(warp, std::uint32_t(row)).time;
}

std::optional<Time> neighbourEvent(const Trace& trace, const Block& block, Time t, int direction) {
    std::optional<Time> nearest;
    for (const Warp& warp : trace.warpsOf(block)) {
        const std::optional<Time> candidate = neighbourEvent(trace, warp, t, direction);
        if (candidate && (!nearest || (direction > 0 ? *candidate < *nearest : *candidate > *nearest)))
            nearest = candidate;
    }
    return nearest;
}

} // namespace warpglass
