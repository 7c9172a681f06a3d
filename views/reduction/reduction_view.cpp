// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reduction/reduction_view.h"

#include "views/common/beside.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"

#include <QCoreApplication>
#include <QMutex>

#include <algorithm>
#include <array>

namespace warpglass {
namespace {

using Kind = ReductionValue::Kind;

// The selected block, or the first of the launch that has detail.
std::uint32_t shownBlock(const Trace& trace, const Selection& selection) {
    if (selection.block < trace.blocks.size()) {
        return selection.block;
    }
    if (selection.launch < trace.launches.size()) {
        const Launch& launch = trace.launches[selection.launch];
        for (std::uint32_t i = 0; i < launch.blockCount; ++i) {
            if (trace.blocks[launch.firstBlock + i].warpCount) {
                return launch.firstBlock + i;
            }
        }
    }
    return trace.blocks.empty() ? noIndex : 0;
}

ReductionZoom zoomOf(const PaintContext& c) {
    return {c.options.value(QStringLiteral("zoom"), 1.0).toDouble(),
            c.options.value(QStringLiteral("centre"), 0.5).toDouble(),
            c.options.value(QStringLiteral("top"), 0.0).toDouble()};
}

bool setZoom(PaintContext& c, const ReductionScene& s, const ReductionZoom& zoom, const QRectF& area, qreal line,
             qreal widest) {
    const ReductionZoom next = reductionLayout(area, line, s.layout.columns, s.layout.steps, zoom, widest).zoom;
    if (next == s.layout.zoom) {
        return false;
    }
    c.options[QStringLiteral("zoom")] = next.factor;
    c.options[QStringLiteral("centre")] = next.centre;
    c.options[QStringLiteral("top")] = next.top;
    return true;
}

qreal lineOf(const PaintContext& c) {
    return lineHeight(c.theme.small());
}
qreal widestOf(const PaintContext& c) {
    return 8 * lineOf(c);
}

Selection withThread(const ReductionScene& s, const ReductionValue& v) {
    Selection selection = s.selection;
    selection.launch = s.trace->blocks[s.block].launch;
    selection.block = s.block;
    if (v.warp != noIndex) {
        selection.warp = v.warp;
        selection.lane = int(v.thread % lanesPerWarp);
        selection.time = v.time;
        selection.ptxLine = s.trace->sites[s.trace->events.site(v.event)].ptxLine;
    }
    return selection;
}

QString placeText(const ReductionTree& tree, const ReductionValue& v) {
    if (v.cell == noIndex) {
        return sayReduction("register of thread %1").arg(v.thread);
    }
    const ReductionCell& c = tree.cells[v.cell];
    return (c.space == MemorySpace::Shared ? sayReduction("shared memory 0x%1") : sayReduction("global memory 0x%1"))
        .arg(QString::number(c.address, 16));
}

int stepAtSide(const ReductionScene& s, QPointF at) {
    for (int i = 0; i < s.layout.steps; ++i) {
        if (s.layout.side.contains(at) && s.layout.sideRect(i).contains(at)) {
            return i;
        }
    }
    return -1;
}

} // namespace

QString sayReduction(const char* english) {
    return QCoreApplication::translate("reduction", english);
}

struct ReductionView::Cache {
    struct Entry {
        TracePtr trace;
        std::uint32_t block = noIndex;
        std::shared_ptr<const ReductionTree> tree;
        std::shared_ptr<const std::vector<ReductionRow>> rows;
    };
    QMutex mutex;
    std::array<Entry, 4> entries;
    std::size_t next = 0;

    Entry of(const TracePtr& trace, std::uint32_t block) {
        const QMutexLocker lock(&mutex);
        for (const Entry& e : entries) {
            if (e.trace == trace && e.block == block) {
                return e;
            }
        }
        Entry& e = entries[next];
        next = (next + 1) % entries.size();
        e.trace = trace;
        e.block = block;
        e.tree = std::make_shared<ReductionTree>(reductionTree(*trace, block));
        e.rows = std::make_shared<std::vector<ReductionRow>>(e.tree->found() ? reductionRows(*e.tree)
                                                                             : std::vector<ReductionRow>{});
        return e;
    }
};

ReductionView::ReductionView() : m_cache(std::make_unique<Cache>()) {}
ReductionView::~ReductionView() = default;

std::unique_ptr<View> makeReductionView() {
    return std::make_unique<ReductionView>();
}

QString ReductionView::title() const {
    return sayReduction("Reduction");
}
QString ReductionView::question() const {
    return sayReduction("Which thread adds which numbers, in what order, and is the sum right?");
}

ReductionScene ReductionView::scene(const QRectF& area, const PaintContext& context) const {
    ReductionScene s;
    s.trace = context.trace.get();
    s.block = shownBlock(*context.trace, context.selection);
    const Cache::Entry e = m_cache->of(context.trace, s.block);
    s.tree = e.tree;
    s.rows = e.rows;
    s.theme = context.theme;
    s.selection = context.selection;
    s.layout = reductionLayout(area, lineOf(context), s.tree->columns, int(s.tree->steps.size()), zoomOf(context),
                               widestOf(context));
    for (std::size_t i = 0; i < s.tree->steps.size(); ++i) {
        if (s.tree->steps[i].begin <= context.selection.time) {
            s.current = int(i);
        }
    }
    const Block& block = s.trace->blocks[s.block];
    s.playing =
        context.selection.time > std::max(block.start, s.trace->range().begin) && context.selection.time < block.end;
    return s;
}

void ReductionView::paint(QPainter& painter, const QRectF& area, const PaintContext& context) const {
    if (!context.other) {
        paintReduction(painter, scene(area, context));
        return;
    }
    // Two traces: one above the other, so that columns stay comparable; the second shows the block of the same number.
    const qreal half = (area.height() - 8) / 2;
    const QRectF upper(area.left(), area.top(), area.width(), half),
        lower(area.left(), area.bottom() - half, area.width(), half);
    paintReduction(painter, scene(upper, context));
    PaintContext other = contextOfOther(context);
    other.selection.launch = 0;
    painter.setPen(QPen(context.theme.border, 1));
    painter.drawLine(QPointF(area.left() + 10, area.center().y()), QPointF(area.right() - 10, area.center().y()));
    if (const auto empty = emptiness(other)) {
        paintParagraph(&painter, lower.adjusted(20, 20, -20, -20), empty->why, context.theme.body(),
                       context.theme.textMuted);
    } else {
        paintReduction(painter, scene(lower, other));
    }
}

namespace {
// The half that answers the pointer in compare mode is the first trace's.
QRectF answering(const QRectF& area, const PaintContext& context) {
    return context.other ? QRectF(area.left(), area.top(), area.width(), (area.height() - 8) / 2) : area;
}
} // namespace

void ReductionView::paintOverlay(QPainter& painter, const QRectF& area, const PaintContext& context,
                                 QPointF pointer) const {
    const ReductionScene s = scene(answering(area, context), context);
    const std::uint32_t sum = sumAt(*s.tree, s.layout, pointer);
    const std::uint32_t value = sum != noIndex ? sum : valueAt(*s.rows, s.layout, pointer);
    if (value == noIndex) {
        return;
    }
    // Everything this number is made of, up to the first row.
    std::vector<bool> part(s.tree->values.size(), false);
    part[value] = true;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(s.theme.text, 2));
    for (std::uint32_t i = value + 1; i-- > 0;) {
        if (!part[i]) {
            continue;
        }
        const ReductionValue& v = s.tree->values[i];
        for (const std::uint32_t in : v.inputs) {
            part[in] = true;
        }
        if (v.kind == Kind::Sum && s.layout.plot.contains(s.layout.node(int(v.step), v.column))) {
            painter.drawEllipse(s.layout.node(int(v.step), v.column), s.layout.nodeRadius() + 2,
                                s.layout.nodeRadius() + 2);
        }
    }
    const auto& first = (*s.rows)[0].values;
    for (std::size_t c = 0; c < first.size(); ++c) {
        if (first[c] != noIndex && part[first[c]] && s.layout.plot.contains(s.layout.cellRect(0, int(c)).center())) {
            painter.drawRect(s.layout.cellRect(0, int(c)).adjusted(-1, -1, 1, 1));
        }
    }
}

Selection ReductionView::hit(const QRectF& area, const PaintContext& context, QPointF at) const {
    const ReductionScene s = scene(answering(area, context), context);
    if (const std::uint32_t sum = sumAt(*s.tree, s.layout, at); sum != noIndex) {
        return withThread(s, s.tree->values[sum]);
    }
    if (const std::uint32_t value = valueAt(*s.rows, s.layout, at); value != noIndex) {
        return withThread(s, s.tree->values[value]);
    }
    if (const int step = stepAtSide(s, at); step >= 0) {
        Selection selection = context.selection;
        selection.time = s.tree->steps[std::size_t(step)].end;
        selection.block = s.block;
        return selection;
    }
    return context.selection;
}

QString ReductionView::toolTip(const QRectF& area, const PaintContext& context, QPointF at) const {
    return reductionToolTip(scene(answering(area, context), context), at);
}

QString reductionToolTip(const ReductionScene& s, QPointF at) {
    const ReductionTree& tree = *s.tree;
    const QString counted = QStringLiteral(" (") + originName(Origin::Counted) + QLatin1Char(')');
    if (const int step = stepAtSide(s, at); step >= 0) {
        const ReductionStep& st = tree.steps[std::size_t(step)];
        return sayReduction("step %1: %2 threads add in %3 warps, %4 of them divergent")
                   .arg(step + 1)
                   .arg(st.threads)
                   .arg(st.warps)
                   .arg(st.divergentWarps) +
               QLatin1Char('\n') +
               sayReduction("%1 sectors, %2 bank passes (%3 without conflicts)")
                   .arg(st.sectors)
                   .arg(st.passes)
                   .arg(st.idealPasses) +
               counted;
    }
    const std::uint32_t sum = sumAt(tree, s.layout, at);
    const std::uint32_t row = sum != noIndex ? sum : valueAt(*s.rows, s.layout, at);
    if (row == noIndex) {
        return {};
    }
    const ReductionValue& v = tree.values[row];
    QStringList lines;
    if (v.kind == Kind::Sum) {
        QStringList parts;
        for (std::size_t i = 0; i < std::min<std::size_t>(v.inputs.size(), 8); ++i) {
            parts << valueText(tree.values[v.inputs[i]]);
        }
        if (v.inputs.size() > 8) {
            parts << QStringLiteral("…");
        }
        lines << sayReduction("thread %1: %2 = %3")
                         .arg(QString::number(v.thread), parts.join(QStringLiteral(" + ")), valueText(v)) +
                     counted;
        lines << sayReduction("holds %1 of the given numbers").arg(v.numbers);
        lines << sayReduction("at %1, into %2")
                     .arg(timeText(v.time - s.trace->range().begin, s.trace->info.timeUnit), placeText(tree, v));
        if (!v.useful) {
            lines << sayReduction("the result is not made of it");
        }
    } else {
        lines << valueText(v) + QStringLiteral(" · ") + placeText(tree, v);
        if (std::find(tree.missing.begin(), tree.missing.end(), row) != tree.missing.end()) {
            lines << sayReduction("missing in the sum");
        }
        if (std::find(tree.doubled.begin(), tree.doubled.end(), row) != tree.doubled.end()) {
            lines << sayReduction("counted more than once in the sum");
        }
    }
    if (v.raced) {
        lines << sayReduction(
            "another warp read or wrote this place with no barrier between: which came first is chance");
    } else if (v.warpOrder) {
        lines << sayReduction(
            "another lane of the warp uses it with no barrier between: right only while lanes go in step");
    }
    return lines.join(QLatin1Char('\n'));
}

QString reductionCsv(const Trace& trace, std::uint32_t block, const ReductionTree& tree) {
    QString out =
        QStringLiteral("block,step,thread,column,space,address,inputs,value,time,time_unit,useful,raced,origin\n");
    for (std::size_t i = 0; i < tree.steps.size(); ++i) {
        for (const std::uint32_t row : tree.steps[i].sums) {
            const ReductionValue& v = tree.values[row];
            QStringList inputs;
            for (const std::uint32_t in : v.inputs) {
                inputs << QString::number(number(tree.values[in]), 'g', 12);
            }
            const bool cell = v.cell != noIndex;
            out += QStringList{QString::number(trace.blocks[block].index),
                               QString::number(i + 1),
                               QString::number(v.thread),
                               QString::number(v.column),
                               cell ? QString::fromLatin1(name(tree.cells[v.cell].space)) : QStringLiteral("register"),
                               cell ? QString::number(tree.cells[v.cell].address) : QString(),
                               inputs.join(QStringLiteral(" + ")),
                               QString::number(number(v), 'g', 12),
                               QString::number(v.time.value),
                               QString::fromLatin1(name(trace.info.timeUnit)),
                               QString::number(int(v.useful)),
                               QString::number(int(v.raced)),
                               QStringLiteral("counted")}
                       .join(QLatin1Char(',')) +
                   QLatin1Char('\n');
        }
    }
    return out;
}

QString ReductionView::csv(const PaintContext& context) const {
    if (emptiness(context)) {
        return {};
    }
    const std::uint32_t block = shownBlock(*context.trace, context.selection);
    return reductionCsv(*context.trace, block, *m_cache->of(context.trace, block).tree);
}

bool ReductionView::wheel(const QRectF& area, PaintContext& context, QPointF at, double steps,
                          Qt::KeyboardModifiers modifiers) const {
    const QRectF mine = answering(area, context);
    const ReductionScene s = scene(mine, context);
    if (!s.layout.plot.contains(at)) {
        return false;
    }
    const ReductionZoom zoom =
        modifiers.testFlag(Qt::ShiftModifier) ? panned(s.layout, {0, steps * 40}) : zoomedAt(s.layout, at, steps);
    return setZoom(context, s, zoom, mine, lineOf(context), widestOf(context));
}

bool ReductionView::drag(const QRectF& area, PaintContext& context, QPointF from, QPointF to) const {
    const QRectF mine = answering(area, context);
    const ReductionScene s = scene(mine, context);
    return s.layout.plot.contains(from) &&
           setZoom(context, s, panned(s.layout, to - from), mine, lineOf(context), widestOf(context));
}

bool ReductionView::key(const QRectF& area, PaintContext& context, int key, Qt::KeyboardModifiers) const {
    const QRectF mine = answering(area, context);
    const ReductionScene s = scene(mine, context);
    const auto zoom = [&](const ReductionZoom& z) {
        return setZoom(context, s, z, mine, lineOf(context), widestOf(context));
    };
    const int steps = int(s.tree->steps.size());
    const auto goTo = [&](int step) {
        if (step < 0 || step >= steps) {
            return false;
        }
        context.selection.block = s.block;
        context.selection.time = s.tree->steps[std::size_t(step)].end;
        return true;
    };
    switch (key) {
    case Qt::Key_Period:
    case Qt::Key_Down:
        return goTo(s.current + 1);
    case Qt::Key_Comma:
    case Qt::Key_Up:
        return goTo(s.current - 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_W:
        return zoom(zoomedAt(s.layout, s.layout.plot.center(), 1));
    case Qt::Key_Minus:
    case Qt::Key_S:
        return zoom(zoomedAt(s.layout, s.layout.plot.center(), -1));
    case Qt::Key_A:
    case Qt::Key_Left:
        return zoom(panned(s.layout, {0.2 * s.layout.plot.width(), 0}));
    case Qt::Key_D:
    case Qt::Key_Right:
        return zoom(panned(s.layout, {-0.2 * s.layout.plot.width(), 0}));
    case Qt::Key_PageDown:
        return zoom(panned(s.layout, {0, -s.layout.step}));
    case Qt::Key_PageUp:
        return zoom(panned(s.layout, {0, s.layout.step}));
    case Qt::Key_Home:
        return zoom({});
    case Qt::Key_F: {
        const int column = s.selection.lane >= 0 && s.selection.warp < s.trace->warps.size()
                               ? s.trace->warps[s.selection.warp].warpInBlock * lanesPerWarp + s.selection.lane
                               : 0;
        return zoom(framed(s.layout, std::min(column, s.layout.columns - 1), 40));
    }
    default:
        return false;
    }
}

std::optional<View::Emptiness> ReductionView::emptiness(const PaintContext& context) const {
    if (!context.trace || context.trace->launches.empty() || context.trace->blocks.empty()) {
        return Emptiness{
            sayReduction("No kernel has been run yet. Run a reduction, and every addition it makes appears here."),
            QStringLiteral("run"), sayReduction("Run a kernel")};
    }
    if (!context.trace->info.recordedAccesses) {
        return Emptiness{
            sayReduction("The tree is found from the loads and stores of a block, and this run did not record them."),
            QStringLiteral("recordAccesses"), sayReduction("Run again with addresses")};
    }
    const std::uint32_t block = shownBlock(*context.trace, context.selection);
    const auto tree = m_cache->of(context.trace, block).tree;
    if (tree->found()) {
        return std::nullopt;
    }
    if (context.trace->blocks[block].warpCount == 0) {
        return Emptiness{
            sayReduction("No detail was recorded for this block. Choose another block, or record this one."), {}, {}};
    }
    return Emptiness{
        sayReduction("This block does not fold numbers into one: no sum of what it read was stored or handed on."),
        {},
        {}};
}

} // namespace warpglass
