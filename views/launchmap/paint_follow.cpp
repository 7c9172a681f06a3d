// SPDX-License-Identifier: GPL-3.0-or-later
// The thread that is followed, from the grid down to its lane: its block's tile, its block's place on an SM while it is
// there, and, where its block is the one that is open, its thread, its lane and its column of the table.
#include "views/common/follow.h"
#include "views/launchmap/launchmap_scene.h"

#include <algorithm>

namespace warpglass {

void paintFollowedThread(QPainter& painter, const LaunchMapScene& s) {
    const Block* block = s.followedBlock != noIndex ? s.blockRow(s.followedBlock) : nullptr;
    if (!block)
        return;
    // What is too small for a frame has the pin alone, stuck into its middle.
    const auto mark = [&](const QRectF& what) {
        if (std::min(what.width(), what.height()) >= 6)
            paintFollowed(painter, what, s.theme);
        else
            paintPin(painter, what.center(), 18 * s.theme.fontScale, s.theme);
    };
    if (const QRectF tile = s.grid.tileRect(s.followedBlock);
        !s.layout.grid.isEmpty() && s.grid.area.contains(tile.center())) {
        mark(tile.adjusted(1, 1, -1, -1));
    }
    if (!s.layout.device.isEmpty() && s.stateOf(*block) == BlockState::Resident) {
        const QRectF place = s.device.placeRect(block->sm, s.model->place(s.followedBlock));
        mark(place);
    }
    if (s.block != s.followedBlock)
        return;
    if (const auto thread = s.threads.thread(s.followedWarp, s.followedLane); thread && !s.layout.threads.isEmpty())
        paintFollowed(painter, s.threadCells.threadRect(*thread), s.theme);
    if (!s.layout.warps.isEmpty() && s.followedWarp < s.threads.warps)
        paintFollowed(painter, s.warps.laneRect(s.followedWarp, s.followedLane), s.theme);
    if (!s.layout.lanes.isEmpty() && s.warp == s.followedWarp) {
        const int last = laneTableRows(s.threads.block) - 1;
        paintFollowed(painter, s.lanes.cellRect(0, s.followedLane).united(s.lanes.cellRect(last, s.followedLane)),
                      s.theme);
    }
}

} // namespace warpglass
