// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the view, painted, and what input does on them.
#pragma once

#include "views/scheduler/scheduler_state.h"

namespace warpglass {

// What was worked out of the traces, before a page can be painted.
struct PreparedScheduler {
    SchedulerPage page = SchedulerPage::Cycles;
    std::vector<TracePtr> traces; // of the page
    TracePtr open;
    std::uint32_t launch = 0;
    SchedulerPlace place;
    std::vector<std::shared_ptr<const SchedulerModel>> models; // of the traces that have the place
    ResidentWarps resident;
};

CycleAxis schedulerAxis(const PaintContext& context, const PreparedScheduler& ready); // models must not be empty

void paintSchedulerPage(QPainter& painter, const QRectF& area, const PaintContext& context,
                        const PreparedScheduler& ready);
void paintSchedulerPointer(QPainter& painter, const QRectF& area, const PaintContext& context,
                           const PreparedScheduler& ready, QPointF pointer);
QString schedulerToolTip(const QRectF& area, const PaintContext& context, const PreparedScheduler& ready, QPointF at);

// True if the options or the selection changed.
bool schedulerPress(const QRectF& area, PaintContext& context, const PreparedScheduler& ready, QPointF at);
bool schedulerWheel(const QRectF& area, PaintContext& context, const PreparedScheduler& ready, QPointF at,
                    double steps);
bool schedulerDrag(const QRectF& area, PaintContext& context, const PreparedScheduler& ready, QPointF from, QPointF to);
bool schedulerKey(const QRectF& area, PaintContext& context, const PreparedScheduler& ready, int key,
                  Qt::KeyboardModifiers modifiers);

// Where things are, with the words of the current language.
CyclesLayout cyclesLayoutOf(const QRectF& area, const PaintContext& context, const PreparedScheduler& ready);
std::vector<GridLayout> schedulerGrids(const QRectF& area, const PaintContext& context,
                                       const PreparedScheduler& ready); // one a model
PolicyLayout policyLayoutOf(const QRectF& area, const PaintContext& context, const PreparedScheduler& ready);

} // namespace warpglass
