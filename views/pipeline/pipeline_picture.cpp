// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/pipeline_picture.h"

#include "views/common/margins.h"
#include "views/common/marks.h"
#include "views/common/painted_words.h"
#include "views/common/ticks.h"
#include "views/pipeline/pipeline_text.h"
#include "views/pipeline/pipeline_words.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr std::int64_t leastWindow = 8; // units of time

PipelineLayout layoutOf(const PaintContext& c, const QRectF& area, const PipelineModel& model, const RoleNames& names) {
    PipelineSizes sizes;
    sizes.lanes = int(model.lanes.size());
    sizes.ringSlots = int(model.ringSlots.size());
    sizes.causes = int(bubblesBySize(model.bubbles).size());
    const QFont small = c.theme.small();
    for (const PipelineLane& lane : model.lanes)
        sizes.label =
            std::max(sizes.label, textWidth(small, shownRoleName(model, model.roles[lane.role], names) +
                                                       QStringLiteral("  ") + warpsText(*model.trace, lane.warps)));
    for (const PipelineSlot& slot : model.ringSlots)
        sizes.label = std::max(
            sizes.label, textWidth(small, slotName(model, slot) + QStringLiteral("  ") + slotBytesText(slot.bytes)));
    for (const QString& text : {unitsName(model), unitsShareText(model)})
        sizes.label = std::max(sizes.label, textWidth(small, text) + 8);
    const double width = area.width() - 2 * sideMargin(c.theme);
    sizes.legendLines = pipelineLegendLines(model, c.theme, width);
    sizes.subLines = textWidth(small, pipelineHeadline(model, names)) > width ? 2 : 1;
    return pipelineLayout(area, c.theme, sizes, pipelineWindow(model, c.selection));
}

} // namespace

TimeRange pipelineWindow(const PipelineModel& model, const Selection& selection) {
    const TimeRange& v = selection.visible;
    const TimeRange seen{std::max(v.begin, model.range.begin), std::min(v.end, model.range.end)};
    return v.length().value > 0 && seen.length().value > 0 ? seen : model.range;
}

PipelinePicture::PipelinePicture(const PaintContext& of, const QRectF& on, PipelineModelPtr from, AskText ask)
    : Picture(of, on), model(std::move(from)), names(roleNamesOf(of.options)), layout(layoutOf(of, on, *model, names)),
      m_ask(std::move(ask)) {}

void PipelinePicture::paint(QPainter& painter) const {
    const Theme& theme = context.theme;
    const auto come = context.selection.motion.playing ? std::optional(timeShown(context.selection)) : std::nullopt;
    QVector<PipelinePaint::Word> words;
    const PipelinePaint p{painter, *model, layout, theme, names, come, words};
    paintPipelineHead(p);
    paintPipelineLanes(p, context.selection.warp);
    paintPipelineUnits(p);
    paintPipelineSlots(p);
    paintPipelineArrows(p);
    paintPipelineShares(p);
    paintPipelineWords(p);
    paintPipelineRuler(p);
    paintPipelineLegend(p);
    paintPipelineIdle(p);
    const double now = layout.scale.x(timeShown(context.selection));
    if (now >= layout.plot.left() && now <= layout.plot.right())
        paintCursorLine(painter, now, layout.plot.top(), layout.plot.bottom(), theme.attention);
}

const LaneSpan* PipelinePicture::spanAt(std::size_t lane, Time t) const {
    const auto& spans = model->lanes[lane].spans;
    const auto span = std::partition_point(spans.begin(), spans.end(), [&](const LaneSpan& s) { return s.end <= t; });
    return span != spans.end() && span->begin <= t ? &*span : nullptr;
}

const SlotFill* PipelinePicture::fillAt(std::size_t slot, Time t) const {
    const auto& fills = model->ringSlots[slot].fills;
    const auto fill = std::partition_point(fills.begin(), fills.end(),
                                           [&](const SlotFill& f) { return std::max(f.freed, f.full) <= t; });
    return fill != fills.end() && fill->begin <= t ? &*fill : nullptr;
}

// The wait under the pointer and who ended it.
void PipelinePicture::paintOverlay(QPainter& painter, QPointF at) const {
    QVector<PipelinePaint::Word> none;
    const PipelinePaint p{painter, *model, layout, context.theme, names, std::nullopt, none};
    if (!layout.plot.contains(at))
        return;
    const Time t = layout.scale.time(at.x());
    const PipelineArrow* under = pipelineArrowAt(*model, layout, at);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const PipelineArrow& arrow : model->arrows) {
        const bool waits = layout.lanes[qsizetype(arrow.lane)].contains(at) && arrow.waited <= t && t <= arrow.to;
        const bool fills = arrow.slot < std::size_t(layout.ringSlots.size()) &&
                           layout.ringSlots[qsizetype(arrow.slot)].contains(at) && arrow.waited <= t && t <= arrow.to;
        if (waits || fills || &arrow == under)
            paintPipelineArrow(p, arrow, true);
    }
    painter.restore();
}

void PipelinePicture::selectSite(Selection& selection, std::uint32_t site) const {
    if (site >= context.trace->sites.size())
        return;
    const Site& of = context.trace->sites[site];
    selection.ptxLine = of.ptxLine;
    selection.sourceLine = sourceLineOf(context.trace->kernels[of.kernel], of);
}

// The product that is under way, so that the views of lines and lanes show it.
void PipelinePicture::selectProduct(Selection& selection, const PipelineLane& lane, Time t) const {
    const auto after = std::partition_point(lane.products.begin(), lane.products.end(),
                                            [&](const PipelineLane::Product& p) { return p.at <= t; });
    if (lane.products.empty())
        return;
    selection.ptxLine = (after == lane.products.begin() ? after : after - 1)->ptxLine;
    const Kernel& kernel = context.trace->kernelOf(context.trace->launches[context.trace->blocks[model->block].launch]);
    selection.sourceLine = 0;
    if (const LineLink* link = lineLinkOf(kernel, selection.ptxLine))
        selection.sourceLine = link->callLine ? link->callLine : link->source.line;
}

// Who waited, and at which line, when it went on.
Spot PipelinePicture::arrowSpot(const PipelineArrow& arrow) const {
    const PipelineLane& lane = model->lanes[arrow.lane];
    Selection selection = context.selection;
    selection.block = model->block;
    if (!std::count(lane.warps.begin(), lane.warps.end(), selection.warp))
        selection.warp = lane.warps.front();
    selection.ptxLine = selection.sourceLine = 0;
    selectSite(selection, arrow.site);
    selection.time = arrow.to;
    selection.motion = {};
    Spot spot{.where = {}, .toolTip = arrowText(*model, arrow)};
    spot.click = selecting(selection);
    spot.cursor = Qt::PointingHandCursor;
    return spot;
}

Spot PipelinePicture::spotAt(QPointF at) const {
    if (at.x() < layout.plot.left() - layout.labels || at.x() > layout.plot.right())
        return {};
    const bool inPlot = at.x() >= layout.plot.left();
    if (const PipelineArrow* arrow = inPlot ? pipelineArrowAt(*model, layout, at) : nullptr)
        return arrowSpot(*arrow);
    const Time t = layout.scale.time(at.x());
    Spot spot;
    Selection selection = context.selection;
    for (std::size_t n = 0; n < model->lanes.size(); ++n) {
        if (at.y() < layout.lanes[qsizetype(n)].top() || at.y() > layout.lanes[qsizetype(n)].bottom())
            continue;
        const PipelineLane& lane = model->lanes[n];
        if (!std::count(lane.warps.begin(), lane.warps.end(), selection.warp))
            selection.warp = lane.warps.front();
        selection.block = model->block;
        if (inPlot) // else the source shows where the warp stands
            selection.ptxLine = selection.sourceLine = 0;
        if (const LaneSpan* span = inPlot ? spanAt(n, t) : nullptr) {
            spot.toolTip = laneTip(*model, lane, *span, names);
            if (span->doing == Doing::Multiplies) {
                selectProduct(selection, lane, t);
                spot.toolTip +=
                    "\n" + PipelineText::tr("A click chooses the product: the Lanes view shows its fragments.");
            }
            for (const PipelineArrow& arrow : model->arrows)
                if (arrow.lane == n && arrow.waited <= t && t <= arrow.to) {
                    spot.toolTip += "\n" + arrowText(*model, arrow);
                    if (waits(span->doing))
                        selectSite(selection, arrow.site);
                }
        }
    }
    for (qsizetype n = 0; n < layout.ringSlots.size(); ++n)
        if (inPlot && at.y() >= layout.ringSlots[n].top() && at.y() <= layout.ringSlots[n].bottom())
            if (const SlotFill* fill = fillAt(std::size_t(n), t)) {
                spot.toolTip = fillTip(*model, model->ringSlots[std::size_t(n)], *fill);
                if (fill->copy != noIndex) {
                    const AsyncCopy& copy = context.trace->copies[fill->copy];
                    selection.warp = copy.warp;
                    selection.block = model->block;
                    selectSite(selection, copy.site);
                }
                for (const PipelineArrow& arrow : model->arrows)
                    if (arrow.slot == std::size_t(n) && arrow.waited <= t && t <= arrow.to)
                        spot.toolTip += "\n" + arrowText(*model, arrow);
            }
    if (inPlot && layout.units.contains(at))
        for (const BubbleSpan& idle : model->idle)
            if (idle.begin <= t && t < idle.end)
                spot.toolTip = PipelineText::tr("nothing to do for %1: %2")
                                   .arg(timeText(idle.end - idle.begin, context.trace->info.timeUnit),
                                        bubbleName(model->bubbles, idle.why));
    if (!layout.plot.adjusted(-layout.labels, 0, 0, 0).contains(at))
        return spot;
    for (std::size_t n = 0; !inPlot && n < model->lanes.size(); ++n)
        if (at.y() >= layout.lanes[qsizetype(n)].top() && at.y() <= layout.lanes[qsizetype(n)].bottom())
            spot.toolTip = roleTip(*model, model->roles[model->lanes[n].role]);
    if (inPlot) {
        selection.time = t;
        selection.motion = {};
    }
    spot.click = selecting(selection);
    return spot;
}

Change PipelinePicture::showing(TimeRange window) const {
    Change change = unchanged();
    change.selection.visible = window.length() >= model->range.length() ? TimeRange{} : window;
    return change;
}

std::optional<std::size_t> PipelinePicture::chosenLane() const {
    for (std::size_t n = 0; n < model->lanes.size(); ++n)
        if (std::count(model->lanes[n].warps.begin(), model->lanes[n].warps.end(), context.selection.warp))
            return n;
    return std::nullopt;
}

std::optional<Change> PipelinePicture::renamed() const {
    if (!m_ask || model->lanes.empty())
        return std::nullopt;
    const PipelineRole& role = model->roles[model->lanes[chosenLane().value_or(0)].role];
    const auto text =
        m_ask(PipelineText::tr("What %1 do: %2").arg(warpsText(*model->trace, role.warps), roleName(role)),
              shownRoleName(*model, role, names));
    if (!text)
        return std::nullopt;
    RoleNames all = names;
    const QString own = text->simplified();
    if (own.isEmpty() || own == roleName(role)) // what was found is its name again
        all.remove(roleKey(*model, role));
    else
        all[roleKey(*model, role)] = own;
    Change change = unchanged();
    change.options[QLatin1String(roleNamesOption)] = roleNamesToOption(all);
    return change;
}

std::optional<Change> PipelinePicture::key(const KeyInput& input) const {
    if (input.modifiers != Qt::NoModifier && input.modifiers != Qt::KeypadModifier)
        return std::nullopt;
    const double middle = layout.plot.center().x(), step = layout.plot.width() / 8;
    switch (input.key) {
    case Qt::Key_W:
        return showing(layout.scale.zoomed(middle, 0.8, model->range, leastWindow));
    case Qt::Key_S:
        return showing(layout.scale.zoomed(middle, 1.25, model->range, leastWindow));
    case Qt::Key_A:
    case Qt::Key_Left:
        return showing(layout.scale.shifted(step, model->range));
    case Qt::Key_D:
    case Qt::Key_Right:
        return showing(layout.scale.shifted(-step, model->range));
    case Qt::Key_E:
        return renamed();
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int by = input.key == Qt::Key_Down ? 1 : -1;
        const auto lane = chosenLane();
        const int now = lane ? int(*lane) : by > 0 ? -1 : int(model->lanes.size());
        Change change = unchanged();
        change.selection.block = model->block;
        change.selection.warp =
            model->lanes[std::size_t(std::clamp(now + by, 0, int(model->lanes.size()) - 1))].warps.front();
        return change;
    }
    case Qt::Key_Home:
        return showing(model->range);
    default:
        return std::nullopt;
    }
}

std::optional<Change> PipelinePicture::answer(const Input& input) const {
    return std::visit(InputCases{[&](const WheelInput& wheel) -> std::optional<Change> {
                                     if (wheel.at.x() < layout.plot.left())
                                         return std::nullopt;
                                     return showing(layout.scale.zoomed(wheel.at.x(), std::pow(0.8, wheel.steps),
                                                                        model->range, leastWindow));
                                 },
                                 [&](const DragInput& drag) -> std::optional<Change> {
                                     if (context.selection.visible.length().value <= 0)
                                         return std::nullopt;
                                     return showing(layout.scale.shifted(drag.to.x() - drag.from.x(), model->range));
                                 },
                                 [&](const KeyInput& pressed) { return key(pressed); }},
                      input);
}

QString PipelinePicture::csv() const {
    return pipelineCsv(*model, names);
}

// Each time a slot changes hands.
std::vector<Beat> PipelinePicture::beats() const {
    constexpr std::size_t mostBeats = 160;
    std::vector<Time> times;
    for (const PipelineSlot& slot : model->ringSlots)
        for (const SlotFill& fill : slot.fills)
            for (const Time t : {fill.begin, fill.full, fill.read, fill.freed})
                times.push_back(t);
    if (times.empty())
        return evenBeats(model->range, 64);
    return beatsOf(std::move(times), mostBeats);
}

} // namespace warpglass
