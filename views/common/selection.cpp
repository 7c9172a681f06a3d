// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/selection.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr int historyLimit = 500;

bool sameButTime(Selection a, const Selection& b) {
    a.time = b.time;
    a.motion = b.motion;
    return a == b;
}

bool sameButView(Selection a, const Selection& b) {
    a.visible = b.visible;
    return sameButTime(a, b);
}

} // namespace

void SelectionModel::set(const Selection& wanted) {
    Selection selection = wanted;
    if (selection.time != m_now.time) // who goes elsewhere stands still there
        selection.motion = {};
    if (selection == m_now)
        return;
    if (sameButTime(selection, m_now)) {
        apply(selection);
        return;
    }
    const bool zoom = sameButView(selection, m_now); // a wheel turns in many small steps: one entry for all of them
    m_history.resize(m_at + 1);
    if (zoom && m_zooming && m_at > 0) {
        m_history[m_at] = selection;
    } else {
        m_history[m_at].time = m_now.time;
        m_history[m_at].motion = {};
        m_history.push_back(selection);
        if (m_history.size() > historyLimit)
            m_history.removeFirst();
        m_at = int(m_history.size()) - 1;
    }
    m_zooming = zoom;
    apply(selection);
}

void SelectionModel::setTime(Time time, const Motion& motion) {
    Selection next = m_now;
    next.time = time;
    next.motion = motion;
    if (next != m_now)
        apply(next);
}

void SelectionModel::back() {
    if (!canGoBack())
        return;
    m_zooming = false;
    apply(m_history[--m_at]);
}

void SelectionModel::forward() {
    if (!canGoForward())
        return;
    m_zooming = false;
    apply(m_history[++m_at]);
}

void SelectionModel::reset(const Selection& selection) {
    m_history = {selection};
    m_at = 0;
    m_zooming = false;
    apply(selection);
}

void SelectionModel::apply(const Selection& selection) {
    const Selection before = m_now;
    m_now = selection;
    emit changed(m_now, before);
}

Selection completed(Selection selection, const Trace& trace) {
    if (selection.warp < trace.warps.size())
        selection.block = trace.warps[selection.warp].block;
    else
        selection.warp = noIndex;
    if (selection.block < trace.blocks.size())
        selection.launch = trace.blocks[selection.block].launch;
    else
        selection.block = noIndex;
    if (selection.launch >= trace.launches.size())
        selection.launch = 0;
    return selection;
}

double exactTime(const Selection& selection) {
    const Motion& motion = selection.motion;
    const double from = double(selection.time.value);
    return motion.playing && motion.to > selection.time ? from + motion.way * (double(motion.to.value) - from) : from;
}

Time timeShown(const Selection& selection) {
    return {std::int64_t(std::floor(exactTime(selection)))};
}

Selection stepped(Selection selection, const Trace& trace, int direction) {
    if (selection.warp >= trace.warps.size())
        return selection;
    const Warp& warp = trace.warps[selection.warp];
    std::int64_t at = trace.eventAt(warp, selection.time);
    if (direction > 0) {
        if (at + 1 < std::int64_t(warp.eventCount))
            selection.time = trace.event(warp, std::uint32_t(at + 1)).time;
    } else {
        while (at >= 0 && trace.event(warp, std::uint32_t(at)).time >= selection.time)
            --at;
        if (at >= 0)
            selection.time = trace.event(warp, std::uint32_t(at)).time;
    }
    return selection;
}

std::uint32_t warpToShow(const Selection& selection, const Trace& trace) {
    if (selection.warp < trace.warps.size())
        return selection.warp;
    const std::uint32_t followed = selection.followed.warp;
    if (followed < trace.warps.size() && (selection.block == noIndex || selection.block == trace.warps[followed].block))
        return followed;
    if (selection.block < trace.blocks.size()) {
        const Block& block = trace.blocks[selection.block];
        return block.warpCount ? block.firstWarp : noIndex;
    }
    if (selection.launch < trace.launches.size()) {
        const auto blocks = trace.blocksOf(trace.launches[selection.launch]);
        const auto detailed =
            std::find_if(blocks.begin(), blocks.end(), [](const Block& b) { return b.warpCount > 0; });
        if (detailed != blocks.end())
            return detailed->firstWarp;
    }
    return noIndex;
}

} // namespace warpglass
