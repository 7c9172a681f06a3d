// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/lanes_view.h"

#include "views/common/ticks.h"
#include "views/lanes/lanes_paint.h"

#include <array>
#include <cmath>
#include <mutex>

namespace warpglass {

namespace {

// What a person set, read once.
struct Choices {
    bool machine = false, wholeBlock = false, overTime = false, allBranches = false;
    BranchLayer layer = BranchLayer::Source;
    double from = -1;      // negative: follow the time
    qreal columnWidth = 0; // 0: as wide as fits
};

Choices choicesOf(const PaintContext& c) {
    Choices o;
    const QString layer = optionOf(c, QStringLiteral("layer"), QStringLiteral("source"));
    o.machine = layer == QLatin1String("machine");
    o.layer = layer == QLatin1String("ptx") ? BranchLayer::Ptx : BranchLayer::Source;
    o.wholeBlock = optionOf(c, QStringLiteral("scope"), QStringLiteral("warp")) == QLatin1String("block");
    o.overTime = optionOf(c, QStringLiteral("axis"), QStringLiteral("steps")) == QLatin1String("time");
    o.allBranches = optionOf(c, QStringLiteral("branch"), QStringLiteral("one")) == QLatin1String("all");
    o.from = c.options.value(QStringLiteral("from"), -1.0).toDouble();
    o.columnWidth = c.options.value(QStringLiteral("columnWidth"), 0.0).toDouble();
    return o;
}

// Everything that painting, clicking and keys agree on.
struct Picture {
    Choices choices;
    QVector<std::shared_ptr<const Scene>> scenes; // one or two
    QVector<int> current;                         // column that is now
    QVector<int> pathColumn;
    QVector<std::optional<Serialised>> paths;
    LanesLayout layout;
};

constexpr int columnsSearched = 100'000; // for the first divergent one

int firstDivergent(const Scene& scene) {
    const int end = qMin(scene.count(), columnsSearched);
    for (int i = 0; i < end; ++i)
        if (scene.splitOf(i).diverges())
            return i;
    return -1;
}

TimeRange timeRange(const PaintContext& c, const Scene& scene) {
    if (c.selection.visible.end > c.selection.visible.begin)
        return c.selection.visible;
    if (scene.request.warp == noIndex)
        return {};
    const Trace& trace = *scene.request.trace;
    const Block& block = trace.blocks[scene.request.block];
    const Warp& warp = trace.warps[scene.request.warp];
    TimeRange all = scene.request.wholeBlock ? TimeRange{block.start, block.end} : TimeRange{warp.start, warp.end};
    if (all.end <= all.begin)
        all.end = all.begin + Time{1};
    return all;
}

class LanesView final : public View {
public:
    QString key() const override { return QStringLiteral("lanes"); }
    QString title() const override { return LanesText::tr("Divergence"); }
    QString question() const override {
        return LanesText::tr("Which lanes of a warp go where at a branch, and what do the others pay?");
    }

    void paint(QPainter& painter, const QRectF& area, const PaintContext& c) const override {
        const Theme& theme = c.theme;
        const Picture p = prepare(area, c);
        paintText(painter, p.layout.title, headline(p, c), theme.title(), theme.text);
        paintText(painter, p.layout.question, subtitle(p), theme.small(), theme.textMuted);
        if (const QRectF card = cardArea(p, c); !card.isNull()) {
            paintCard(&painter, card, p, c);
            return;
        }
        if (!p.layout.note.isNull())
            paintParagraph(&painter, p.layout.note, selectNote(c), theme.small(), theme.originModelled);
        for (int i = 0; i < p.scenes.size(); ++i) {
            Selection selection = c.selection;
            if (i > 0) { // lines and times of the first trace say nothing about the second
                selection.sourceLine = selection.ptxLine = 0;
                selection.time = p.current[i] >= 0 ? p.scenes[i]->column(p.current[i]).time : Time{-1};
            }
            const Scene& scene = *p.scenes[i];
            const LanesPicture picture{scene,          p.layout.panels[i], theme,
                                       selection,      p.current[i],       p.paths[i] ? &*p.paths[i] : nullptr,
                                       p.pathColumn[i]};
            paintPanelHeading(painter, picture, kernelName(scene));
            if (scene.request.warp == noIndex) {
                paintParagraph(&painter, p.layout.panels[i].cells,
                               LanesText::tr("No block of this launch was recorded in detail."), theme.body(),
                               theme.textMuted);
                continue;
            }
            if (p.choices.overTime) {
                paintLanesOverTime(painter, picture, timeRange(i == 0 ? c : PaintContext{}, scene));
            } else if (scene.branches().empty()) {
                paintNoBranch(&painter, p.layout.panels[i].whole.adjusted(0, p.layout.panels[i].heading.height(), 0, 0),
                              *scene.request.trace, scene.request.launch, theme);
                continue;
            } else {
                paintColumns(painter, picture);
                paintPaths(painter, picture);
            }
            paintSummary(painter, picture);
            paintBranchTable(painter, picture);
        }
        QVector<LegendEntry> legend;
        if (p.choices.overTime && !p.choices.wholeBlock)
            legend = {{LaneMark::On, LanesText::tr("on")},
                      {LaneMark::Off, LanesText::tr("off: waits for the others")},
                      {LaneMark::Exited, laneMarkName(LaneMark::Exited)}};
        else if (p.choices.overTime)
            legend = {{LaneMark::On, LanesText::tr("on in all warps (paler: in fewer)")},
                      {LaneMark::Off, LanesText::tr("on in none")}};
        else
            legend = legendFor(*p.scenes[0], p.choices.allBranches || p.scenes.size() > 1);
        paintLegend(&painter, p.layout.legend, legend, theme);
        if (p.scenes.size() > 1) {
            const qreal x = (p.layout.panels[0].whole.right() + p.layout.panels[1].whole.left()) / 2;
            painter.setPen(QPen(theme.border, 1, Qt::DashLine));
            painter.drawLine(QPointF(x, p.layout.panels[0].whole.top()), QPointF(x, p.layout.panels[0].whole.bottom()));
        }
    }

    void paintOverlay(QPainter& painter, const QRectF& area, const PaintContext& c, QPointF at) const override {
        const Picture p = prepare(area, c);
        if (!cardArea(p, c).isNull() || p.choices.overTime)
            return;
        for (int i = 0; i < p.layout.panels.size(); ++i) {
            const LanesPanel& panel = p.layout.panels[i];
            const int column = panel.columnAt(at.x()), lane = panel.laneAt(at.y());
            if (column < 0 || lane < 0)
                continue;
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(c.theme.text, 1.5));
            for (const LanesPanel& both : p.layout.panels) // in step: the same cell in both
                if (column < both.columns && both.cells.intersects(both.cell(column, lane)))
                    painter.drawRoundedRect(both.cell(column, lane).adjusted(-1, -1, 1, 1), 3, 3);
        }
    }

    Selection hit(const QRectF& area, const PaintContext& c, QPointF at) const override {
        const Picture p = prepare(area, c);
        Selection s = c.selection;
        if (!cardArea(p, c).isNull())
            return s;
        for (int i = 0; i < p.layout.panels.size(); ++i) {
            const LanesPanel& panel = p.layout.panels[i];
            const Scene& scene = *p.scenes[i];
            if (p.choices.overTime) {
                if (panel.cells.contains(at) && i == 0) {
                    const TimeRange range = timeRange(c, scene);
                    s.time = range.begin + Time{std::int64_t((at.x() - panel.cells.left()) / panel.cells.width() *
                                                             double(range.length().value))};
                    s.lane = panel.laneAt(at.y());
                    s.warp = scene.request.warp;
                    return completed(s, *c.trace);
                }
                continue;
            }
            const bool overColumns = at.y() >= panel.heads.top() && at.y() < panel.barTexts.bottom();
            if (const int column = overColumns ? panel.columnAt(at.x()) : -1; column >= 0) {
                const int lane = panel.laneAt(at.y());
                return selectColumn(s, p, i, column, lane);
            }
            if (p.paths[i] && i == 0 && panel.paths.contains(at)) {
                const auto edges = pathEdges(*p.paths[i], panel);
                for (int n = 0; n + 1 < edges.size(); ++n) {
                    if (at.x() < edges[n] || at.x() >= edges[n + 1])
                        continue;
                    const PathSegment& segment = p.paths[i]->segments[std::size_t(n)];
                    if (p.paths[i]->timed)
                        s.time = segment.begin;
                    s.lane = panel.laneAt(at.y());
                    s.warp = scene.request.warp;
                    return completed(s, *c.trace);
                }
            }
            const QVector<int> order = tableOrder(scene);
            for (int n = 0; n < qMin<qsizetype>(panel.tableRows, order.size()); ++n) {
                if (!tableRow(panel, n).contains(at) || i > 0)
                    continue;
                const Branch& b = scene.branches()[std::size_t(order[n])];
                s.ptxLine = b.ptxLine;
                s.sourceLine = b.sourceLine;
                return s;
            }
        }
        return s;
    }

    QString actionAt(const QRectF& area, const PaintContext& c, QPointF at) const override {
        const Picture p = prepare(area, c);
        const QRectF card = cardArea(p, c);
        if (card.isNull() || !paintCard(nullptr, card, p, c).contains(at))
            return {};
        return p.choices.machine ? QStringLiteral("gpu") : QStringLiteral("as-written");
    }

    QString toolTip(const QRectF& area, const PaintContext& c, QPointF at) const override {
        const Picture p = prepare(area, c);
        if (!cardArea(p, c).isNull() || p.choices.overTime)
            return {};
        for (int i = 0; i < p.layout.panels.size(); ++i) {
            const LanesPanel& panel = p.layout.panels[i];
            const Scene& scene = *p.scenes[i];
            const int column = panel.columnAt(at.x()), lane = panel.laneAt(at.y());
            if (column < 0 || lane < 0)
                continue;
            const SceneColumn sc = scene.column(column);
            const Branch& b = scene.branches()[sc.branch];
            const QString head = LanesText::tr("%1, step %2, at %3")
                                     .arg(placeName(b, scene.request.layer))
                                     .arg(sc.step + 1)
                                     .arg(timeText(sc.time, scene.request.trace->info.timeUnit));
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

    QVector<Switch> switches(const PaintContext&) const override {
        return {{QStringLiteral("layer"),
                 LanesText::tr("layer"),
                 {{QStringLiteral("source"), LanesText::tr("source")},
                  {QStringLiteral("ptx"), LanesText::tr("PTX")},
                  {QStringLiteral("machine"), LanesText::tr("machine code")}},
                 QStringLiteral("source")},
                {QStringLiteral("scope"),
                 LanesText::tr("of"),
                 {{QStringLiteral("warp"), LanesText::tr("one warp")},
                  {QStringLiteral("block"), LanesText::tr("all warps of the block")}},
                 QStringLiteral("warp")},
                {QStringLiteral("branch"),
                 LanesText::tr("branches"),
                 {{QStringLiteral("one"), LanesText::tr("the chosen one")},
                  {QStringLiteral("all"), LanesText::tr("all in order")}},
                 QStringLiteral("one")},
                {QStringLiteral("axis"),
                 LanesText::tr("across"),
                 {{QStringLiteral("steps"), LanesText::tr("step by step")},
                  {QStringLiteral("time"), LanesText::tr("over time")}},
                 QStringLiteral("steps")}};
    }

    bool wheel(const QRectF& area, PaintContext& c, QPointF at, double steps,
               Qt::KeyboardModifiers modifiers) const override {
        const Picture p = prepare(area, c);
        if (p.layout.panels.isEmpty() || !cardArea(p, c).isNull())
            return false;
        if (modifiers & Qt::ShiftModifier)
            return pan(p, c, -steps * (p.choices.overTime ? 0.1 : 2.0));
        return zoom(p, c, at.x(), std::pow(1.25, steps));
    }

    bool drag(const QRectF& area, PaintContext& c, QPointF from, QPointF to) const override {
        const Picture p = prepare(area, c);
        if (p.layout.panels.isEmpty() || !cardArea(p, c).isNull())
            return false;
        const LanesPanel& panel = p.layout.panels[0];
        if (from.y() < panel.heads.top() || from.y() > panel.barTexts.bottom())
            return false;
        return pan(p, c, (from.x() - to.x()) / (p.choices.overTime ? panel.cells.width() : panel.columnWidth));
    }

    bool key(const QRectF& area, PaintContext& c, int key, Qt::KeyboardModifiers modifiers) const override {
        if (modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
            return false;
        const Picture p = prepare(area, c);
        if (p.layout.panels.isEmpty() || !cardArea(p, c).isNull())
            return false;
        const double step = p.choices.overTime ? 0.1 : 1;
        const qreal middle = p.layout.panels[0].cells.center().x();
        switch (key) {
        case Qt::Key_Left:
        case Qt::Key_A:
            return pan(p, c, -step);
        case Qt::Key_Right:
        case Qt::Key_D:
            return pan(p, c, step);
        case Qt::Key_W:
            return zoom(p, c, middle, 1.25);
        case Qt::Key_S:
            return zoom(p, c, middle, 0.8);
        case Qt::Key_Up:
            c.selection.lane = qMax(0, c.selection.lane - 1);
            return true;
        case Qt::Key_Down:
            c.selection.lane = qMin(lanesPerWarp - 1, c.selection.lane + 1);
            return true;
        case Qt::Key_F: // keep what is now in sight
            c.options.remove(QStringLiteral("from"));
            return true;
        case Qt::Key_Home:
            c.options.remove(QStringLiteral("from"));
            c.options.remove(QStringLiteral("columnWidth"));
            c.selection.visible = {};
            return true;
        case Qt::Key_Period:
        case Qt::Key_Comma: {
            if (p.choices.overTime || p.scenes[0]->count() == 0)
                return false; // the widget steps through all events
            const int next = qBound(0, p.current[0] + (key == Qt::Key_Period ? 1 : -1), p.scenes[0]->count() - 1);
            c.selection = selectColumn(c.selection, p, 0, next, c.selection.lane);
            return true;
        }
        default:
            return false;
        }
    }

    QString csv(const PaintContext& c) const override {
        if (emptiness(c))
            return {};
        const Picture p = prepare({0, 0, 1200, 800}, c);
        QString out = QStringLiteral("kernel,layer,block,warp,ptx_line,source_line,step,time,time_unit,time_origin,"
                                     "active_mask,taken_mask,lanes_chosen,"
                                     "lanes_active,divergent,mask_origin\n");
        for (const auto& scene : p.scenes) {
            if (scene->request.warp == noIndex)
                continue;
            const Trace& trace = *scene->request.trace;
            for (int i = 0; i < scene->count(); ++i) {
                const SceneColumn col = scene->column(i);
                const Branch& b = scene->branches()[col.branch];
                const Event e = trace.event(trace.warps[col.warp], col.event);
                const Block& block = trace.blocks[scene->request.block];
                QString warp = QString::number(trace.warps[col.warp].warpInBlock);
                int chosen = 0, active = 0, divergent = 0;
                QString activeMask = QStringLiteral("0x%1").arg(e.active.bits, 8, 16, QLatin1Char('0'));
                QString takenMask = QStringLiteral("0x%1").arg(e.taken.bits, 8, 16, QLatin1Char('0'));
                if (scene->request.wholeBlock) {
                    const BlockColumn& sum = scene->sums(i);
                    for (std::size_t l = 0; l < 32; ++l) {
                        chosen += sum.chosen[l];
                        active += sum.chosen[l] + sum.other[l];
                    }
                    divergent = sum.divergent;
                    warp = QStringLiteral("all");
                    activeMask.clear();
                    takenMask.clear();
                } else {
                    const LaneSplit split = scene->splitOf(i);
                    chosen = split.chosen.count();
                    active = (split.chosen | split.other).count();
                    divergent = split.diverges();
                }
                const QStringList fields{
                    csvField(kernelName(*scene)),
                    p.choices.layer == BranchLayer::Ptx ? QStringLiteral("ptx") : QStringLiteral("source"),
                    QString::number(block.index),
                    warp,
                    QString::number(b.ptxLine),
                    b.sourceLine ? QString::number(b.sourceLine) : QString(),
                    QString::number(col.step + 1),
                    QString::number(col.time.value),
                    QString::fromLatin1(name(trace.info.timeUnit)),
                    QString::fromLatin1(
                        name(trace.info.timeUnit == TimeUnit::Steps ? Origin::Counted : trace.info.timeOrigin)),
                    activeMask,
                    takenMask,
                    QString::number(chosen),
                    QString::number(active),
                    QString::number(divergent),
                    QStringLiteral("counted")};
                out += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
            }
        }
        return out;
    }

    std::optional<Emptiness> emptiness(const PaintContext& c) const override {
        if (!c.trace || c.trace->launches.empty())
            return Emptiness{LanesText::tr("No kernel has been run yet."), QStringLiteral("run"),
                             LanesText::tr("Run the chosen kernel")};
        const Selection s = completed(c.selection, *c.trace);
        const Launch& launch = c.trace->launches[s.launch];
        if (launch.status == LaunchStatus::Dropped)
            return Emptiness{
                LanesText::tr("This launch never ran: %1").arg(QString::fromStdString(launch.reason)), {}, {}};
        const Choices o = choicesOf(c);
        if (o.machine)
            return std::nullopt;
        const std::uint32_t warp = warpToShow(s, *c.trace);
        if (warp == noIndex)
            return Emptiness{
                LanesText::tr(
                    "No events were recorded for this block. Choose a block with detail, or run again and record it."),
                QStringLiteral("detail"), LanesText::tr("Run and record all blocks")};
        const Kernel& kernel = c.trace->kernelOf(launch);
        if (!o.overTime && !c.other && kernel.ptxBranches == 0 && kernel.ptxSelects == 0 &&
            scene(requestFor(c.trace, c.selection, o.layer, o.wholeBlock, o.allBranches))->branches().empty())
            return Emptiness{
                LanesText::tr(
                    "This kernel decides nothing: it has no branch and no select, so all lanes always walk together."),
                {},
                {}};
        return std::nullopt;
    }

private:
    static QString kernelName(const Scene& scene) {
        const Trace& trace = *scene.request.trace;
        return QString::fromStdString(trace.kernelOf(trace.launches[scene.request.launch]).name);
    }

    // Scenes are found once and kept while the same one is asked for: painting stays a function of its inputs.
    std::shared_ptr<const Scene> scene(const SceneRequest& request) const {
        const std::lock_guard lock(m_mutex);
        for (const auto& kept : m_kept)
            if (kept && kept->request == request)
                return kept;
        auto made = makeScene(request);
        m_kept[m_next] = made;
        m_next = (m_next + 1) % m_kept.size();
        return made;
    }

    Picture prepare(const QRectF& area, const PaintContext& c) const {
        Picture p;
        p.choices = choicesOf(c);
        const Choices& o = p.choices;
        p.scenes << scene(requestFor(c.trace, c.selection, o.layer, o.wholeBlock, o.allBranches));
        if (c.other && !c.other->launches.empty())
            p.scenes << scene(requestBeside(p.scenes[0]->request, c.other));

        const Theme& theme = c.theme;
        LanesRequest r;
        r.area = area;
        r.scale = theme.fontScale;
        r.titleHeight = lineHeight(theme.title());
        r.bodyHeight = lineHeight(theme.body());
        r.smallHeight = lineHeight(theme.small());
        r.columnWidth = o.columnWidth;
        r.from = o.from;
        const QRectF inside = area.adjusted(22 * r.scale, 0, -22 * r.scale, 0);
        r.legendHeight =
            paintLegend(nullptr, inside, legendFor(*p.scenes[0], o.allBranches || p.scenes.size() > 1), theme);
        if (const QString note = selectNote(c); !note.isEmpty())
            r.noteHeight = paintParagraph(nullptr, inside, note, theme.small(), theme.text);
        for (int i = 0; i < p.scenes.size(); ++i) {
            const Scene& s = *p.scenes[i];
            int now = -1;
            if (i == 0)
                now = s.columnAt(c.selection.time);
            else // in step: as many steps as the first has done
                now = qMin(p.current[0], s.count() - 1);
            p.current << now;
            p.paths << std::nullopt;
            p.pathColumn << -1;
            LanesPanelRequest panel;
            panel.columns = s.count();
            panel.tableRows = int(s.branches().size());
            panel.current = now;
            panel.fill = o.overTime;
            panel.summaryRows = o.wholeBlock || o.overTime ? 1 : 2;
            if (!o.wholeBlock && !o.overTime && s.request.warp != noIndex && s.count()) {
                panel.paths = true;
                const int column = now >= 0 ? now : firstDivergent(s);
                p.pathColumn[i] = column;
                if (column >= 0 && s.splitOf(column).diverges())
                    p.paths[i] = serialisedPaths(*s.request.trace, s.warp.warp, s.columns[std::size_t(column)]);
            }
            r.panels << panel;
        }
        p.layout = layoutLanes(r);
        return p;
    }

    static QString headline(const Picture& p, const PaintContext& c) {
        const Scene& s = *p.scenes[0];
        if (p.choices.machine)
            return LanesText::tr("Which branches are left in the machine code");
        if (p.choices.overTime)
            return LanesText::tr("Which lanes are on, over time");
        if (s.branches().empty() && p.scenes.size() < 2)
            return LanesText::tr("Which lanes take the branch");
        if (p.choices.allBranches || s.branches().empty())
            return LanesText::tr("Which lanes take each branch, step by step");
        Q_UNUSED(c)
        return LanesText::tr("Which lanes take the branch of %1, step by step")
            .arg(placeName(s.branches()[s.chosen], p.choices.layer));
    }

    static QString subtitle(const Picture& p) {
        if (p.choices.machine)
            return LanesText::tr("Layer: machine code");
        if (p.choices.overTime)
            return LanesText::tr("From entry, branches, path changes and exits of the warp");
        const Scene& s = *p.scenes[0];
        if (p.choices.layer == BranchLayer::Ptx)
            return s.branches().empty() || p.choices.allBranches
                       ? LanesText::tr(
                             "Layer: PTX. The predicate says who jumps, often the opposite of the source's condition")
                       : LanesText::tr("Layer: PTX, %1").arg(QString::fromStdString(s.branches()[s.chosen].text));
        QString text;
        if (!s.branches().empty() && !p.choices.allBranches) {
            const Trace& trace = *s.request.trace;
            text = sourceText(trace.kernelOf(trace.launches[s.request.launch]), s.branches()[s.chosen].sourceLine);
        }
        return text.isEmpty() ? LanesText::tr("Layer: source") : LanesText::tr("Layer: source, %1").arg(text);
    }

    // A kernel may keep some branches and lose others: said above the picture.
    static QString selectNote(const PaintContext& c) {
        if (!c.trace || c.trace->launches.empty())
            return {};
        const Selection s = completed(c.selection, *c.trace);
        const Kernel& kernel = c.trace->kernelOf(c.trace->launches[s.launch]);
        if (kernel.ptxSelects == 0 || kernel.ptxBranches == 0 || c.trace->info.mode == CompileMode::AsWritten)
            return {};
        return LanesText::tr("Not every decision of the source is a branch: the compiler also made selects (%1 in the "
                             "PTX), for which no lane waits.")
            .arg(kernel.ptxSelects);
    }

    // Where a card stands instead of the panels; null if panels are drawn.
    static QRectF cardArea(const Picture& p, const PaintContext& c) {
        Q_UNUSED(c)
        const bool noBranch = p.scenes.size() < 2 && !p.choices.overTime && p.scenes[0]->branches().empty();
        if (!p.choices.machine && !noBranch)
            return {};
        QRectF area = p.layout.panels[0].whole;
        if (p.layout.panels.size() > 1)
            area.setRight(p.layout.panels[1].whole.right());
        area.setBottom(p.layout.legend.bottom());
        return area;
    }

    static QRectF paintCard(QPainter* painter, const QRectF& card, const Picture& p, const PaintContext& c) {
        const std::uint32_t launch = p.scenes[0]->request.launch;
        if (p.choices.machine)
            return paintMachineLayer(painter, card, *c.trace, launch, c.theme);
        return paintNoBranch(painter, card, *c.trace, launch, c.theme);
    }

    static Selection selectColumn(Selection s, const Picture& p, int panel, int column, int lane) {
        const Scene& first = *p.scenes[0];
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

    static bool pan(const Picture& p, PaintContext& c, double by) {
        if (p.choices.overTime) {
            TimeRange range = timeRange(c, *p.scenes[0]);
            const Time shift{std::int64_t(by * double(range.length().value))};
            c.selection.visible = {range.begin + shift, range.end + shift};
            return true;
        }
        const LanesPanel& panel = p.layout.panels[0];
        const double from = clampedFrom(panel.from + by, panel.columns, panel.inSight);
        if (from == panel.from)
            return false;
        c.options[QStringLiteral("from")] = from;
        return true;
    }

    static bool zoom(const Picture& p, PaintContext& c, qreal x, double factor) {
        const LanesPanel* panel = &p.layout.panels[0];
        for (const LanesPanel& each : p.layout.panels)
            if (x >= each.whole.left() && x <= each.whole.right())
                panel = &each;
        if (p.choices.overTime) {
            const TimeRange range = timeRange(c, *p.scenes[0]);
            const double length = double(range.length().value);
            const double share = qBound(0.0, double((x - panel->cells.left()) / panel->cells.width()), 1.0);
            const double wanted = qBound(4.0, length / factor, 1e18);
            const Time anchor = range.begin + Time{std::llround(share * length)};
            const Time begin = anchor - Time{std::llround(share * wanted)};
            c.selection.visible = {begin, begin + Time{std::llround(wanted)}};
            return true;
        }
        const qreal scale = c.theme.fontScale;
        const qreal width = qBound(narrowestColumn * scale, panel->columnWidth * factor, 3 * widestColumn * scale);
        if (width == panel->columnWidth)
            return false;
        c.options[QStringLiteral("columnWidth")] = width;
        c.options[QStringLiteral("from")] =
            qMax(0.0, fromAfterZoom(panel->from, x - panel->cells.left(), panel->columnWidth, width));
        return true;
    }

    mutable std::mutex m_mutex;
    mutable std::array<std::shared_ptr<const Scene>, 4> m_kept;
    mutable std::size_t m_next = 0;
};

} // namespace

std::unique_ptr<View> makeLanesView() {
    return std::make_unique<LanesView>();
}

} // namespace warpglass
