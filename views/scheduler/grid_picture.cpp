// SPDX-License-Identifier: GPL-3.0-or-later
// Pointer, mouse and keys on rows of cycles. Left and Right step through cycles, with Shift through the chosen warp's
// instructions, with Ctrl through its barriers; Up and Down choose a warp; W, S, A, D, Home, F and the wheel zoom and
// move.
#include "views/scheduler/scheduler_picture.h"

#include "views/common/marks.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

CycleAxis axisOf(const PaintContext& context, const SchedulerModels& ready) {
    CycleAxis axis;
    axis.shared = ready.page != SchedulerPage::Example;
    axis.model = ready.models.front().get();
    axis.bounds = axis.model->range;
    for (const auto& model : ready.models) {
        if (model->trace == context.trace)
            axis.model = model.get();
        axis.bounds = {std::min(axis.bounds.begin, model->range.begin), std::max(axis.bounds.end, model->range.end)};
    }
    return axis;
}

} // namespace

GridPicture::GridPicture(const PaintContext& of, const QRectF& on, SchedulerModelsPtr from)
    : SchedulerPicture(of, on, std::move(from)), axis(axisOf(context, *ready)) {}

void GridPicture::paintOverlay(QPainter& painter, QPointF pointer) const {
    for (std::size_t g = 0; g < grids.size(); ++g) {
        const GridLayout& grid = grids[g];
        if (pointer.x() < grid.rows.left() || pointer.x() >= grid.rows.right() || pointer.y() < grid.rows.top() ||
            pointer.y() > grid.issue.bottom())
            continue;
        const SchedulerModel& model = *ready->models[g];
        const auto cycle = std::int64_t(std::floor(grid.scale.at(pointer.x())));
        if (cycle < model.range.begin.value || cycle >= model.range.end.value)
            return;
        const int row = grid.rowAt(pointer.y(), int(model.rows.size()));
        const double x = grid.scale.x(double(cycle)), each = grid.scale.perCycle();
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(context.theme.text, 1, Qt::DotLine));
        for (const GridLayout& other : grids) // the same cycle in every pane
            painter.drawLine(QPointF(x, other.rows.top()), QPointF(x, other.issue.bottom()));
        if (row >= 0 && each >= 4) {
            painter.setPen(QPen(context.theme.text, 1.5));
            painter.drawRect(QRectF(x, grid.row(row).top(), each, grid.rowHeight));
        }
        painter.setRenderHint(QPainter::Antialiasing, true);
        paintCard(painter, area, pointer, cellLines(model, row, cycle), context.theme);
        return;
    }
}

Spot GridPicture::spotAt(QPointF at) const {
    for (std::size_t g = 0; g < grids.size(); ++g) {
        const GridLayout& grid = grids[g];
        if (at.y() < grid.ruler.top() || at.y() > grid.issue.bottom() || at.x() < grid.labels.left() ||
            at.x() >= grid.rows.right())
            continue;
        const SchedulerModel& model = *ready->models[g];
        const int row = grid.rowAt(at.y(), int(model.rows.size()));
        Change change = unchanged();
        if (at.x() >= grid.rows.left())
            axis.setCursor(change, std::int64_t(std::floor(grid.scale.at(at.x()))));
        if (row >= 0 && (!axis.shared || model.trace == context.trace))
            axis.setWarp(change, model.rows[row].states.warpNear(*model.trace, axis.cursor(change)));
        Spot spot;
        spot.click = change;
        return spot;
    }
    return {};
}

// A time holds one or two cycles, and its beat lasts as long: cycles pass evenly.
std::vector<Beat> GridPicture::beats() const {
    std::vector<Beat> beats;
    if (!axis.shared || axis.model->trace != context.trace)
        return beats;
    const CycleClock& clock = axis.model->clock;
    for (std::int64_t cycle = axis.bounds.begin.value; cycle < axis.bounds.end.value; ++cycle) {
        const Time time = clock.time(double(cycle));
        if (!beats.empty() && beats.back().time == time)
            ++beats.back().weight;
        else
            beats.push_back({time});
    }
    return beats;
}

Change GridPicture::stepped(StepButton button) const {
    Change change = unchanged();
    const std::int64_t now = axis.cursor(change);
    const std::uint32_t warp = axis.warp(change);
    const auto to = [&] {
        switch (button) {
        case StepButton::BarrierBack:
            return barrierFrom(*axis.model, warp, now, -1);
        case StepButton::IssueBack:
            return issueFrom(*axis.model, warp, now, -1);
        case StepButton::CycleBack:
            return now - 1;
        case StepButton::CycleOn:
            return now + 1;
        case StepButton::IssueOn:
            return issueFrom(*axis.model, warp, now, 1);
        case StepButton::BarrierOn:
            return barrierFrom(*axis.model, warp, now, 1);
        }
        return now;
    };
    axis.setCursor(change, to());
    axis.bringIntoSight(change, scale().width);
    return change;
}

std::optional<Change> GridPicture::answer(const Input& input) const {
    Change change = unchanged();
    if (const auto* wheel = std::get_if<WheelInput>(&input)) {
        axis.setWindow(change, scale().zoomed(wheel->at.x(), std::pow(0.8, wheel->steps), axis.bounds));
        return change;
    }
    if (const auto* drag = std::get_if<DragInput>(&input)) {
        const double pixels = (drag->to.x() - drag->from.x()) * dragFactor(drag->from);
        axis.setWindow(change, scale().shifted(pixels, axis.bounds));
        return change;
    }
    return key(std::get<KeyInput>(input));
}

std::optional<Change> GridPicture::key(const KeyInput& input) const {
    const Qt::KeyboardModifiers modifiers = input.modifiers;
    if (modifiers & Qt::AltModifier) // back and forward of the window
        return std::nullopt;
    const bool on = input.key == Qt::Key_Right || input.key == Qt::Key_Period;
    switch (input.key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (modifiers & Qt::ControlModifier)
            return stepped(on ? StepButton::BarrierOn : StepButton::BarrierBack);
        if (modifiers & Qt::ShiftModifier)
            return stepped(on ? StepButton::IssueOn : StepButton::IssueBack);
        return stepped(on ? StepButton::CycleOn : StepButton::CycleBack);
    case Qt::Key_Period:
    case Qt::Key_Comma:
        return stepped(on ? StepButton::IssueOn : StepButton::IssueBack);
    default:
        break;
    }
    if (modifiers != Qt::NoModifier && modifiers != Qt::KeypadModifier)
        return std::nullopt;
    Change change = unchanged();
    const SchedulerModel& model = *axis.model;
    const std::uint32_t warp = axis.warp(change);
    const double middle = scale().left + scale().width / 2, pan = scale().width * 0.15;
    switch (input.key) {
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int last = int(model.rows.size()) - 1;
        const int row = std::clamp(model.rowOfWarp(warp) + (input.key == Qt::Key_Down ? 1 : -1), 0, last);
        axis.setWarp(change, model.rows[row].states.warpNear(*model.trace, axis.cursor(change)));
        return change;
    }
    case Qt::Key_W:
    case Qt::Key_S:
        axis.setWindow(change, scale().zoomed(middle, input.key == Qt::Key_W ? 0.7 : 1 / 0.7, axis.bounds));
        return change;
    case Qt::Key_A:
    case Qt::Key_D:
        axis.setWindow(change, scale().shifted(input.key == Qt::Key_A ? pan : -pan, axis.bounds));
        return change;
    case Qt::Key_Home:
        axis.setWindow(change, {double(axis.bounds.begin.value), double(axis.bounds.end.value)});
        return change;
    case Qt::Key_F: {
        if (warp == noIndex)
            return std::nullopt;
        const auto states = model.trace->statesOf(model.trace->warps[warp]);
        axis.setWindow(
            change, cyclesWithin({double(states.front().begin.value), double(states.back().end.value)}, axis.bounds));
        return change;
    }
    default:
        return std::nullopt;
    }
}

} // namespace warpglass
