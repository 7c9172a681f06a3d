// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys. Left and Right step through cycles, with Shift through the chosen warp's instructions, with Ctrl
// through its barriers; Up and Down choose a warp; W, S, A, D, Home, F and the wheel zoom and move.
#include "views/scheduler/scheduler_pages.h"

#include "views/common/marks.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

QString tr(const char* text) {
    return schedulerText(text);
}

void step(PaintContext& context, const CycleAxis& axis, StepButton button) {
    const std::int64_t now = axis.cursor(context);
    const std::uint32_t warp = axis.warp(context);
    switch (button) {
    case StepButton::BarrierBack:
        return axis.setCursor(context, barrierFrom(*axis.model, warp, now, -1));
    case StepButton::IssueBack:
        return axis.setCursor(context, issueFrom(*axis.model, warp, now, -1));
    case StepButton::CycleBack:
        return axis.setCursor(context, now - 1);
    case StepButton::CycleOn:
        return axis.setCursor(context, now + 1);
    case StepButton::IssueOn:
        return axis.setCursor(context, issueFrom(*axis.model, warp, now, 1));
    case StepButton::BarrierOn:
        return axis.setCursor(context, barrierFrom(*axis.model, warp, now, 1));
    }
}

bool slide(const QRectF& area, PaintContext& context, QPointF from, QPointF to) {
    const LittleLayout layout = littleLayout(area, lineHeight(context.theme.body()));
    for (int s = 0; s < littleSliders; ++s)
        if (layout.slider[std::size_t(s)].contains(from)) {
            const QRectF& track = layout.track[std::size_t(s)];
            setLittle(context, s, sliderAt(s, (to.x() - track.left()) / std::max(1.0, track.width())));
            return true;
        }
    return false;
}

bool littleKey(PaintContext& context, int key) {
    const int slider = std::clamp(context.options.value(QStringLiteral("slider")).toInt(), 0, littleSliders - 1);
    switch (key) {
    case Qt::Key_Up:
    case Qt::Key_Down:
        context.options[QStringLiteral("slider")] =
            (slider + (key == Qt::Key_Down ? 1 : littleSliders - 1)) % littleSliders;
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const double value = sliderValue(littleOf(context), slider);
        const SliderRange& range = sliderRanges[std::size_t(slider)];
        const int direction = key == Qt::Key_Right ? 1 : -1;
        const double next = range.step == 0 ? value * (direction > 0 ? 2 : 0.5) : value + direction * range.step;
        setLittle(context, slider, std::clamp(next, range.least, range.most));
        return true;
    }
    case Qt::Key_Home:
        resetLittle(context);
        return true;
    default:
        return false;
    }
}

} // namespace

bool schedulerPress(const QRectF& area, PaintContext& context, const PreparedScheduler& ready, QPointF at) {
    if (ready.page == SchedulerPage::Little)
        return slide(area, context, at, at);
    if (ready.models.empty())
        return false;
    const CycleAxis axis = schedulerAxis(context, ready);
    const auto grids = schedulerGrids(area, context, ready);
    const double pixels = grids.front().rows.width();
    if (ready.page != SchedulerPage::Policies) {
        const CyclesLayout layout = cyclesLayoutOf(area, context, ready);
        for (int b = 0; b < stepButtons; ++b)
            if (layout.button[std::size_t(b)].contains(at)) {
                step(context, axis, StepButton(b));
                axis.bringIntoSight(context, pixels);
                return true;
            }
        if (axis.shared && layout.detail.contains(at)) { // the instruction that is told there, in the source too
            const SchedulerModel& model = *axis.model;
            const bool second = layout.compact ? at.y() > layout.detail.top() + lineHeight(context.theme.body()) * 1.35
                                               : at.x() > layout.detail.center().x();
            const std::int64_t cycle = axis.cursor(context);
            const int row = second ? model.rowOfWarp(axis.warp(context)) : model.issuingRow(cycle);
            bool issuedBefore = false;
            const std::uint32_t line =
                row < 0 ? 0 : model.lineAt(model.rows[std::size_t(row)].states, cycle, issuedBefore);
            if (line == 0)
                return false;
            context.selection.ptxLine = line;
            context.selection.sourceLine = model.sourceLine(line);
            return true;
        }
        if (axis.shared && layout.overview.contains(at)) {
            const double share = (at.x() - layout.overview.left()) / layout.overview.width();
            axis.setCursor(context, axis.bounds.begin.value + std::int64_t(share * double(axis.bounds.length().value)));
            axis.bringIntoSight(context, pixels);
            return true;
        }
    }
    for (std::size_t g = 0; g < grids.size(); ++g) {
        const GridLayout& grid = grids[g];
        if (at.y() < grid.ruler.top() || at.y() > grid.issue.bottom() || at.x() < grid.labels.left() ||
            at.x() >= grid.rows.right())
            continue;
        const SchedulerModel& model = *ready.models[g];
        const int row = grid.rowAt(at.y(), int(model.rows.size()));
        if (at.x() >= grid.rows.left())
            axis.setCursor(context, std::int64_t(std::floor(grid.scale.at(at.x()))));
        if (row >= 0 && (!axis.shared || model.trace == context.trace))
            axis.setWarp(context, model.rows[std::size_t(row)].states.warpNear(*model.trace, axis.cursor(context)));
        return true;
    }
    return false;
}

bool schedulerWheel(const QRectF& area, PaintContext& context, const PreparedScheduler& ready, QPointF at,
                    double steps) {
    if (ready.models.empty() || ready.page == SchedulerPage::Little)
        return false;
    const CycleAxis axis = schedulerAxis(context, ready);
    const CycleScale scale = schedulerGrids(area, context, ready).front().scale;
    axis.setWindow(context, scale.zoomed(at.x(), std::pow(0.8, steps), axis.bounds));
    return true;
}

bool schedulerDrag(const QRectF& area, PaintContext& context, const PreparedScheduler& ready, QPointF from,
                   QPointF to) {
    if (ready.page == SchedulerPage::Little)
        return slide(area, context, from, to);
    if (ready.models.empty())
        return false;
    const CycleAxis axis = schedulerAxis(context, ready);
    const CycleScale scale = schedulerGrids(area, context, ready).front().scale;
    double pixels = to.x() - from.x();
    if (ready.page == SchedulerPage::Cycles) {
        const CyclesLayout layout = cyclesLayoutOf(area, context, ready);
        if (layout.overview.contains(from)) // there the frame is dragged, not the content
            pixels *= -double(axis.bounds.length().value) / layout.overview.width() * scale.perCycle();
    }
    axis.setWindow(context, scale.shifted(pixels, axis.bounds));
    return true;
}

bool schedulerKey(const QRectF& area, PaintContext& context, const PreparedScheduler& ready, int key,
                  Qt::KeyboardModifiers modifiers) {
    if (modifiers & Qt::AltModifier) // back and forward of the window
        return false;
    if (ready.page == SchedulerPage::Little)
        return littleKey(context, key);
    if (ready.models.empty())
        return false;
    const CycleAxis axis = schedulerAxis(context, ready);
    const CycleScale scale = schedulerGrids(area, context, ready).front().scale;
    const double middle = scale.left + scale.width / 2, pan = scale.width * 0.15;
    const bool bare = modifiers == Qt::NoModifier || modifiers == Qt::KeypadModifier;
    const bool on = key == Qt::Key_Right || key == Qt::Key_Period;
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        step(context, axis,
             modifiers & Qt::ControlModifier ? (on ? StepButton::BarrierOn : StepButton::BarrierBack)
             : modifiers & Qt::ShiftModifier ? (on ? StepButton::IssueOn : StepButton::IssueBack)
                                             : (on ? StepButton::CycleOn : StepButton::CycleBack));
        axis.bringIntoSight(context, scale.width);
        return true;
    case Qt::Key_Period:
    case Qt::Key_Comma:
        step(context, axis, on ? StepButton::IssueOn : StepButton::IssueBack);
        axis.bringIntoSight(context, scale.width);
        return true;
    default:
        break;
    }
    if (!bare)
        return false;
    switch (key) {
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int last = int(axis.model->rows.size()) - 1;
        const int row = std::clamp(axis.model->rowOfWarp(axis.warp(context)) + (key == Qt::Key_Down ? 1 : -1), 0, last);
        axis.setWarp(context,
                     axis.model->rows[std::size_t(row)].states.warpNear(*axis.model->trace, axis.cursor(context)));
        return true;
    }
    case Qt::Key_W:
    case Qt::Key_S:
        axis.setWindow(context, scale.zoomed(middle, key == Qt::Key_W ? 0.7 : 1 / 0.7, axis.bounds));
        return true;
    case Qt::Key_A:
    case Qt::Key_D:
        axis.setWindow(context, scale.shifted(key == Qt::Key_A ? pan : -pan, axis.bounds));
        return true;
    case Qt::Key_Home:
        axis.setWindow(context, {double(axis.bounds.begin.value), double(axis.bounds.end.value)});
        return true;
    case Qt::Key_F: {
        const std::uint32_t warp = axis.warp(context);
        if (warp == noIndex)
            return false;
        const auto states = axis.model->trace->statesOf(axis.model->trace->warps[warp]);
        axis.setWindow(
            context, cyclesWithin({double(states.front().begin.value), double(states.back().end.value)}, axis.bounds));
        return true;
    }
    default:
        return false;
    }
}

QString schedulerToolTip(const QRectF& area, const PaintContext& context, const PreparedScheduler& ready, QPointF at) {
    if (ready.models.empty() || ready.page == SchedulerPage::Policies || ready.page == SchedulerPage::Little)
        return {};
    const CyclesLayout layout = cyclesLayoutOf(area, context, ready);
    const QString tips[stepButtons] = {tr("to the barrier before, of the chosen warp (Ctrl+Left)"),
                                       tr("to the instruction before, of the chosen warp (Shift+Left)"),
                                       tr("one cycle back (Left)"),
                                       tr("one cycle on (Right)"),
                                       tr("to the next instruction of the chosen warp (Shift+Right)"),
                                       tr("to the next barrier of the chosen warp (Ctrl+Right)")};
    for (int b = 0; b < stepButtons; ++b)
        if (layout.button[std::size_t(b)].contains(at))
            return tips[b];
    if (ready.page == SchedulerPage::Cycles && layout.overview.contains(at))
        return tr("issue slots used, over the whole run; click to go there");
    if (layout.figures.contains(at)) {
        const double share = (at.x() - layout.figures.left()) / layout.figures.width();
        return share < 1.0 / 3   ? tr("cycles in which an instruction is issued")
               : share < 2.0 / 3 ? tr("of the cycles in which a warp waits, those in which another issues")
                                 : QString();
    }
    const int row = layout.grid.rowAt(at.y(), int(ready.models.front()->rows.size()));
    if (row >= 0 && layout.grid.label(row).contains(at))
        return tr("slot %1").arg(ready.models.front()->rows[std::size_t(row)].slot);
    return {};
}

} // namespace warpglass
