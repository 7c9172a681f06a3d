// SPDX-License-Identifier: GPL-3.0-or-later
// What is under the pointer in the launch map, and what wheel, drag and keys do.
#include "views/common/beside.h"
#include "views/launchmap/launchmap_picture.h"
#include "views/launchmap/launchmap_state.h"

#include <algorithm>

namespace warpglass {
namespace {

Selection withBlock(const LaunchMapScene& s, Selection selection, std::uint32_t index) {
    selection.launch = s.launchRow;
    const std::uint32_t row = s.launch->firstBlock + index;
    if (selection.block != row) {
        selection.warp = noIndex;
        selection.lane = -1;
    }
    selection.block = row;
    return selection;
}

// The block whose lanes are meant when none is chosen: the first with detail, or the first.
std::uint32_t blockForLanes(const LaunchMapScene& s) {
    if (s.block != noIndex) {
        return s.block;
    }
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(s.launch->blockCount, 4096); ++i) {
        if (s.blockRow(i)->warpCount) {
            return i;
        }
    }
    return 0;
}

Selection withLane(const LaunchMapScene& s, Selection selection, std::uint32_t warp, int lane) {
    if (s.launch->blockCount == 0) {
        return selection;
    }
    selection = withBlock(s, selection, blockForLanes(s));
    const Block& b = s.trace->blocks[selection.block];
    selection.warp = warp < b.warpCount ? b.firstWarp + warp : noIndex;
    selection.lane = lane >= 0 && s.threads.thread(warp, lane) ? lane : -1;
    return selection;
}

Selection hitScene(const LaunchMapScene& s, const Selection& selection, QPointF at) {
    if (s.layout.grid.contains(at)) {
        const auto block = s.grid.blockAt(at);
        return block && s.blockRow(std::uint32_t(*block)) ? withBlock(s, selection, std::uint32_t(*block)) : selection;
    }
    if (const int sm = s.device.smAt(at); sm >= 0) {
        std::uint32_t block = s.blockIn(sm, s.device.placeAt(sm, at));
        for (int place = 0; block == noIndex && place < s.device.places && s.device.placeAt(sm, at) < 0; ++place) {
            block = s.blockIn(sm, place);
        }
        return block != noIndex ? withBlock(s, selection, block) : selection;
    }
    if (s.layout.chart.contains(at)) {
        Selection changed = selection;
        changed.time = std::clamp(s.chart.time(at.x()), s.model->range().begin, s.model->range().end);
        return changed;
    }
    if (const auto thread = s.threadCells.threadAt(at)) {
        return withLane(s, selection, s.threads.warpOf(*thread), s.threads.laneOf(*thread));
    }
    if (const auto lane = s.warps.laneAt(at)) {
        return withLane(s, selection, lane->first, lane->second);
    }
    if (const int lane = s.lanes.laneAt(at); lane >= 0) {
        return withLane(s, selection, s.warp, lane);
    }
    return selection;
}

// Moves the chosen block by tiles, within the grid as drawn.
bool moveBlock(const LaunchMapScene& s, Change& change, int dx, int dy) {
    const std::uint64_t n = s.launch->blockCount;
    if (n == 0) {
        return false;
    }
    if (s.block == noIndex) {
        change.selection = withBlock(s, change.selection, 0);
        return true;
    }
    const std::int64_t to = std::int64_t(s.block) + dx + dy * std::int64_t(s.grid.columns);
    if (to < 0 || to >= std::int64_t(n)) {
        return false;
    }
    change.selection = withBlock(s, change.selection, std::uint32_t(to));
    return true;
}

bool moveLane(const LaunchMapScene& s, Change& change, int dLane, int dWarp) {
    const std::int64_t warps = s.threads.warps;
    const std::int64_t warp = std::clamp<std::int64_t>(std::int64_t(s.warp) + (s.warpChosen ? dWarp : 0), 0,
                                                       std::max<std::int64_t>(0, warps - 1));
    const int lane = std::clamp(s.lane + dLane, 0, int(s.threads.threadsIn(std::uint32_t(warp))) - 1);
    launchMapWarp.set(change.options, int(warp));
    change.selection = withLane(s, change.selection, std::uint32_t(warp), lane);
    return true;
}

bool setVisible(Change& change, const TimeRange& range, const TimeRange& whole) {
    const TimeRange next = range == whole ? TimeRange{} : range;
    const bool changed = !(change.selection.visible == next);
    change.selection.visible = next;
    return changed;
}

bool setZoom(Change& change, const LaunchMapScene& s, const GridZoom& zoom, qreal gap) {
    const GridGeometry next = gridGeometry(s.grid.grid, s.grid.area, zoom, gap);
    if (next.zoom == s.grid.zoom) {
        return false;
    }
    setGridZoom(change.options, next.zoom);
    return true;
}

// The rectangle of the thing at this point; null for what has none.
QRectF rectangleAt(const LaunchMapScene& s, QPointF at) {
    if (const auto block = s.grid.blockAt(at); block && s.layout.grid.contains(at)) {
        return s.grid.tileRect(*block) & s.layout.grid;
    }
    if (const int sm = s.device.smAt(at); sm >= 0) {
        const int place = s.device.placeAt(sm, at);
        return place >= 0 ? s.device.placeRect(sm, place) : s.device.smRect(sm);
    }
    if (const auto thread = s.threadCells.threadAt(at)) {
        return s.threadCells.threadRect(*thread);
    }
    if (const auto lane = s.warps.laneAt(at); lane && lane->second >= 0) {
        return s.warps.laneRect(lane->first, lane->second);
    }
    return {};
}

} // namespace

Spot LaunchMapPicture::spotAt(QPointF at) const {
    const std::size_t i = sceneIndexAt(at);
    const LaunchMapScene& s = m_scenes[i];
    Spot spot;
    spot.where = rectangleAt(s, at);
    spot.toolTip = launchMapToolTip(s, at);
    const Selection& before = i == 0 ? context.selection : m_otherSelection;
    Selection found = hitScene(s, before, at);
    if (found == before) {
        return spot;
    }
    if (i > 0) { // what was pointed at in the second trace, told in the first one's rows
        found = selectionFromOther(found, context);
        found.ptxLine = context.selection.ptxLine;
        found.sourceLine = context.selection.sourceLine;
    }
    spot.click = selecting(found);
    const bool intoBlock = s.layout.grid.contains(at) || s.device.smAt(at) >= 0;
    if (intoBlock &&
        launchMapState(context.options).parts == LaunchMapParts::Auto) { // it has threads and warps to show
        spot.click = Change{context.options, found};
        showAllParts(spot.click->options);
    }
    return spot;
}

std::optional<Change> LaunchMapPicture::answer(const Input& input) const {
    Change change = unchanged();
    const bool changed = std::visit(InputCases{[&](const WheelInput& i) { return wheel(change, i); },
                                               [&](const DragInput& i) { return drag(change, i); },
                                               [&](const KeyInput& i) { return key(change, i); }},
                                    input);
    return changed ? std::optional(std::move(change)) : std::nullopt;
}

bool LaunchMapPicture::wheel(Change& change, const WheelInput& input) const {
    const std::size_t i = sceneIndexAt(input.at);
    const LaunchMapScene& s = m_scenes[i];
    if (s.layout.grid.contains(input.at)) {
        return setZoom(change, s, zoomedAt(s.grid, input.at, input.steps), s.grid.gap / s.grid.zoom.factor);
    }
    if (s.layout.chart.contains(input.at) && i == 0) {
        return setVisible(change, s.chart.zoomed(input.at.x(), std::pow(0.8, input.steps), s.model->range(), 1),
                          s.model->range());
    }
    if (s.layout.warps.contains(input.at) || s.layout.lanes.contains(input.at)) {
        const int to = std::clamp(int(s.warp) - (input.steps > 0 ? 1 : -1), 0, int(s.threads.warps) - 1);
        if (s.threads.warps == 0 || (to == int(s.warp) && s.warpChosen)) {
            return false;
        }
        launchMapWarp.set(change.options, to);
        if (i == 0) {
            change.selection = withLane(s, change.selection, std::uint32_t(to), -1);
        }
        return true;
    }
    return false;
}

bool LaunchMapPicture::drag(Change& change, const DragInput& input) const {
    const std::size_t i = sceneIndexAt(input.from);
    const LaunchMapScene& s = m_scenes[i];
    if (s.layout.grid.contains(input.from)) {
        return setZoom(change, s, panned(s.grid, input.to - input.from), s.grid.gap / s.grid.zoom.factor);
    }
    if (s.layout.chart.contains(input.from) && i == 0) {
        return setVisible(change, s.chart.shifted(input.to.x() - input.from.x(), s.model->range()), s.model->range());
    }
    return false;
}

bool LaunchMapPicture::key(Change& change, const KeyInput& input) const {
    const LaunchMapScene& s = m_scenes[0];
    const qreal gap = s.grid.gap / s.grid.zoom.factor;
    const bool shift = input.modifiers.testFlag(Qt::ShiftModifier);
    const auto pan = [&](qreal dx, qreal dy) {
        return setZoom(change, s, panned(s.grid, {dx * s.grid.area.width(), dy * s.grid.area.height()}), gap);
    };
    switch (input.key) {
    case Qt::Key_Left:
        return shift ? moveLane(s, change, -1, 0) : moveBlock(s, change, -1, 0);
    case Qt::Key_Right:
        return shift ? moveLane(s, change, 1, 0) : moveBlock(s, change, 1, 0);
    case Qt::Key_Up:
        return shift ? moveLane(s, change, 0, -1) : moveBlock(s, change, 0, -1);
    case Qt::Key_Down:
        return shift ? moveLane(s, change, 0, 1) : moveBlock(s, change, 0, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_W:
        return setZoom(change, s, zoomedAt(s.grid, s.grid.area.center(), 1), gap);
    case Qt::Key_Minus:
    case Qt::Key_S:
        return setZoom(change, s, zoomedAt(s.grid, s.grid.area.center(), -1), gap);
    case Qt::Key_A:
        return pan(0.2, 0);
    case Qt::Key_D:
        return pan(-0.2, 0);
    case Qt::Key_F:
        return s.block != noIndex && setZoom(change, s, framed(s.grid, s.block), gap);
    case Qt::Key_Home:
        setVisible(change, s.model->range(), s.model->range());
        setGridZoom(change.options, {});
        return true;
    case Qt::Key_Period:
    case Qt::Key_Comma: {
        const auto t = input.key == Qt::Key_Period ? s.model->nextChange(s.now) : s.model->previousChange(s.now);
        if (t) {
            change.selection.time = *t;
        }
        return t.has_value();
    }
    default:
        return false;
    }
}

} // namespace warpglass
