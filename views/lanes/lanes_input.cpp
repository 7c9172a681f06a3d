// SPDX-License-Identifier: GPL-3.0-or-later
// What is under the pointer in the divergence picture, and what wheel, drag and keys do.
#include "views/common/ticks.h"
#include "views/lanes/lanes_picture.h"

#include <cmath>

namespace warpglass {

Spot LanesPicture::spotAt(QPointF at) const {
    Spot spot;
    if (!m_card.isNull()) {
        if (m_button.contains(at)) {
            spot.where = m_button;
            spot.action = m_state.machine() ? QStringLiteral("gpu") : QStringLiteral("as-written");
            spot.cursor = Qt::PointingHandCursor;
        }
        return spot;
    }
    spot.click = selecting(selectedAt(at));
    if (m_state.overTime)
        return spot;
    spot.toolTip = toolTipAt(at);
    for (const LanesPanel& panel : m_layout.panels)
        if (const int column = panel.columnAt(at.x()), lane = panel.laneAt(at.y()); column >= 0 && lane >= 0)
            spot.where = panel.cell(column, lane);
    return spot;
}

QString LanesPicture::toolTipAt(QPointF at) const {
    for (int i = 0; i < m_layout.panels.size(); ++i) {
        const LanesPanel& panel = m_layout.panels[i];
        const LanesScene& scene = *m_scenes[i];
        const int column = panel.columnAt(at.x()), lane = panel.laneAt(at.y());
        if (column < 0 || lane < 0)
            continue;
        const SceneColumn sc = scene.column(column);
        const Branch& b = scene.branches()[sc.branch];
        const QString head = LanesText::tr("%1, step %2, at %3")
                                 .arg(placeName(b, scene.request.layer) + partName(b, scene.request.layer),
                                      QString::number(sc.step + 1), momentText(*scene.request.trace, sc.time));
        if (scene.request.wholeBlock) {
            const BlockColumn& sum = scene.sums(column);
            return head + QLatin1Char('\n') +
                   LanesText::tr("lane %1: chosen in %2 of %3 warps; %4 warps diverge")
                       .arg(lane)
                       .arg(sum.chosen[std::size_t(lane)])
                       .arg(sum.warps)
                       .arg(sum.divergent);
        }
        const LaneSplit split = scene.splitOf(column);
        return head + QLatin1Char('\n') +
               LanesText::tr("lane %1: %2").arg(lane).arg(laneMarkName(markOf(split, lane, scene.request.layer))) +
               QLatin1Char('\n') +
               LanesText::tr("%1 of the %2 lanes that are on")
                   .arg(split.chosen.count())
                   .arg((split.chosen | split.other).count()) +
               QLatin1Char('\n') + QString::fromStdString(b.text);
    }
    return {};
}

Selection LanesPicture::selectedAt(QPointF at) const {
    Selection s = context.selection;
    for (int i = 0; i < m_layout.panels.size(); ++i) {
        const LanesPanel& panel = m_layout.panels[i];
        const LanesScene& scene = *m_scenes[i];
        if (m_state.overTime) {
            if (panel.cells.contains(at) && i == 0) {
                const TimeRange range = timesInSight(context.selection, scene);
                s.time = range.begin + Time{std::int64_t((at.x() - panel.cells.left()) / panel.cells.width() *
                                                         double(range.length().value))};
                s.lane = panel.laneAt(at.y());
                s.warp = scene.request.warp;
                return completed(s, *context.trace);
            }
            continue;
        }
        const bool overColumns = at.y() >= panel.heads.top() && at.y() < panel.barTexts.bottom();
        if (const int column = overColumns ? panel.columnAt(at.x()) : -1; column >= 0)
            return selectColumn(s, i, column, panel.laneAt(at.y()));
        if (i > 0)
            continue;
        if (m_paths[i] && panel.paths.contains(at)) {
            const auto edges = pathEdges(*m_paths[i], panel, m_pathScale);
            for (int n = 0; n + 1 < edges.size(); ++n) {
                if (at.x() < edges[n] || at.x() >= edges[n + 1])
                    continue;
                if (m_paths[i]->timed)
                    s.time = m_paths[i]->segments[std::size_t(n)].begin;
                s.lane = panel.laneAt(at.y());
                s.warp = scene.request.warp;
                return completed(s, *context.trace);
            }
        }
        const QVector<int> order = tableOrder(scene);
        for (int n = 0; n < qMin<qsizetype>(panel.tableRows, order.size()); ++n) {
            if (!tableRow(panel, n).contains(at))
                continue;
            const Branch& b = scene.branches()[std::size_t(order[n])];
            s.ptxLine = b.ptxLine;
            s.sourceLine = b.sourceLine;
            return s;
        }
    }
    return s;
}

Selection LanesPicture::selectColumn(Selection s, int panel, int column, int lane) const {
    const LanesScene& first = *m_scenes[0];
    if (panel > 0 && column >= first.count())
        return s;
    const SceneColumn col = first.column(column);
    const Branch& b = first.branches()[col.branch];
    s.time = col.time;
    s.warp = first.request.wholeBlock ? first.request.warp : col.warp;
    s.block = first.request.block;
    s.launch = first.request.launch;
    s.lane = lane;
    s.ptxLine = b.ptxLine;
    s.sourceLine = b.sourceLine;
    return s;
}

std::optional<Change> LanesPicture::answer(const Input& input) const {
    if (m_layout.panels.isEmpty() || !m_card.isNull())
        return std::nullopt;
    return std::visit(InputCases{[this](const WheelInput& i) { return wheel(i); },
                                 [this](const DragInput& i) { return drag(i); },
                                 [this](const KeyInput& i) { return key(i); }},
                      input);
}

std::optional<Change> LanesPicture::wheel(const WheelInput& input) const {
    if (input.modifiers & Qt::ShiftModifier)
        return pan(-input.steps * (m_state.overTime ? 0.1 : 2.0));
    return zoom(input.at.x(), std::pow(1.25, input.steps));
}

std::optional<Change> LanesPicture::drag(const DragInput& input) const {
    const LanesPanel& panel = m_layout.panels[0];
    if (input.from.y() < panel.heads.top() || input.from.y() > panel.barTexts.bottom())
        return std::nullopt;
    return pan((input.from.x() - input.to.x()) / (m_state.overTime ? panel.cells.width() : panel.columnWidth));
}

std::optional<Change> LanesPicture::key(const KeyInput& input) const {
    if (input.modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return std::nullopt;
    const double step = m_state.overTime ? 0.1 : 1;
    const qreal middle = m_layout.panels[0].cells.center().x();
    Change change = unchanged();
    switch (input.key) {
    case Qt::Key_Left:
    case Qt::Key_A:
        return pan(-step);
    case Qt::Key_Right:
    case Qt::Key_D:
        return pan(step);
    case Qt::Key_W:
        return zoom(middle, 1.25);
    case Qt::Key_S:
        return zoom(middle, 0.8);
    case Qt::Key_Up:
        change.selection.lane = qMax(0, change.selection.lane - 1);
        return change;
    case Qt::Key_Down:
        change.selection.lane = qMin(lanesPerWarp - 1, change.selection.lane + 1);
        return change;
    case Qt::Key_F: // keep what is now in sight
        lanesFrom.clear(change.options);
        return change;
    case Qt::Key_Home:
        lanesFrom.clear(change.options);
        lanesColumnWidth.clear(change.options);
        change.selection.visible = {};
        return change;
    case Qt::Key_Period:
    case Qt::Key_Comma: {
        const LanesScene& scene = *m_scenes[0];
        if (m_state.overTime || scene.count() == 0)
            return std::nullopt; // the widget steps through all events
        const int next = qBound(0, m_current[0] + (input.key == Qt::Key_Period ? 1 : -1), scene.count() - 1);
        change.selection = selectColumn(change.selection, 0, next, change.selection.lane);
        return change;
    }
    default:
        return std::nullopt;
    }
}

// By columns, or by shares of what is in sight of a time axis.
std::optional<Change> LanesPicture::pan(double by) const {
    Change change = unchanged();
    if (m_state.overTime) {
        const TimeRange range = timesInSight(context.selection, *m_scenes[0]);
        const Time shift{std::int64_t(by * double(range.length().value))};
        change.selection.visible = {range.begin + shift, range.end + shift};
        return change;
    }
    const LanesPanel& panel = m_layout.panels[0];
    const double from = clampedFrom(panel.from + by, panel.columns, panel.inSight);
    if (from == panel.from)
        return std::nullopt;
    lanesFrom.set(change.options, from);
    return change;
}

std::optional<Change> LanesPicture::zoom(qreal x, double factor) const {
    const LanesPanel* panel = &m_layout.panels[0];
    for (const LanesPanel& each : m_layout.panels)
        if (x >= each.whole.left() && x <= each.whole.right())
            panel = &each;
    Change change = unchanged();
    if (m_state.overTime) {
        const TimeRange range = timesInSight(context.selection, *m_scenes[0]);
        const double length = double(range.length().value);
        const double share = qBound(0.0, double((x - panel->cells.left()) / panel->cells.width()), 1.0);
        const double wanted = qBound(4.0, length / factor, 1e18);
        const Time anchor = range.begin + Time{std::llround(share * length)};
        const Time begin = anchor - Time{std::llround(share * wanted)};
        change.selection.visible = {begin, begin + Time{std::llround(wanted)}};
        return change;
    }
    const qreal scale = context.theme.fontScale;
    const qreal width = qBound(narrowestColumn * scale, panel->columnWidth * factor, 3 * widestColumn * scale);
    if (width == panel->columnWidth)
        return std::nullopt;
    lanesColumnWidth.set(change.options, width);
    lanesFrom.set(change.options,
                  qMax(0.0, fromAfterZoom(panel->from, x - panel->cells.left(), panel->columnWidth, width)));
    return change;
}

} // namespace warpglass
