// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_graph.h"

#include "gpu/program/graphs.h"
#include "views/common/agreeing.h"
#include "views/common/margins.h"
#include "views/common/ticks.h"
#include "views/program/graph_drawing.h"
#include "views/program/graph_text.h"
#include "views/program/program_layout.h"
#include "views/program/program_view.h"

#include <QPainterPath>

#include <algorithm>
#include <numeric>

namespace warpglass {

namespace {

using program::GraphNodeKind;
using program::OperationKind;
using program::ProgramGraphNode;

// What a node did in the launch that is shown.
struct Done {
    std::vector<std::uint32_t> operations;
    std::int64_t ns = 0;
    bool guess = false; // its time is estimated
};

class GraphPicture final : public Picture {
public:
    GraphPicture(const PaintContext& of, const QRectF& on, const GraphPicture* last)
        : Picture(of, on), m_model(of.program), m_trace(*m_model->trace) {
        const bool same = last && last->m_model == m_model;
        m_runs = same ? last->m_runs : std::make_shared<const program::GraphRuns>(m_trace);
        m_operation = programOperation.of(of.options);
        const program::GraphStep* step = program::stepOf(m_trace, m_operation);
        m_graph = step ? m_trace.graphLaunches[step->launch].graph
                       : std::min(programGraph.of(of.options), uint(m_trace.graphs.size() - 1));
        m_launches = m_runs->launchesOf(m_trace, m_graph);
        if (!m_launches.empty())
            m_launch = step ? step->launch : m_launches.front();
        m_done.resize(graph().nodes.size());
        if (m_launch != noIndex)
            for (const program::GraphStep& s : m_runs->of(m_launch))
                note(s);
        m_text = lineHeight(of.theme.small());
        layOut();
        const bool sameDrawing = same && last->m_graph == m_graph && last->m_body.width() == m_body.width();
        m_drawing = sameDrawing ? last->m_drawing : drawGraph(graph(), m_body.width() - 4, sizes());
        m_scroll = std::clamp(programGraphScroll.of(of.options), 0.0, mostScroll());
    }

    void paint(QPainter& painter) const override {
        paintHead(painter);
        painter.save();
        painter.setClipRect(m_body);
        painter.translate(origin());
        paintNodes(painter, true); // those that hold others, below the edges in them
        paintEdges(painter);
        paintNodes(painter, false);
        painter.restore();
        if (mostScroll() > 0)
            painter.fillRect(QRectF(m_body.right() + 3, m_body.top() + m_body.height() * m_scroll / m_drawing.height, 3,
                                    m_body.height() * m_body.height() / m_drawing.height),
                             context.theme.border);
    }

    Spot spotAt(QPointF at) const override {
        for (const auto& [where, change] : m_buttons)
            if (where.contains(at)) {
                Spot spot{.where = where};
                spot.click = change;
                spot.cursor = Qt::PointingHandCursor;
                return spot;
            }
        const std::uint32_t n = nodeAt(at);
        if (n == noIndex)
            return {};
        const Done& done = m_done[n];
        Spot spot{.where = m_drawing.boxes[n].translated(origin()), .toolTip = toolTip(n)};
        if (done.operations.empty())
            return spot;
        spot.click = choosing(done.operations.front());
        if (graph().nodes[n].kind == GraphNodeKind::Kernel)
            spot.doubleAction = QLatin1String(openLaunchAction) + QString::number(done.operations.front());
        spot.cursor = Qt::PointingHandCursor;
        return spot;
    }

    std::optional<Change> answer(const Input& input) const override {
        if (const auto* wheel = std::get_if<WheelInput>(&input))
            return scrolled(-wheel->steps * m_text * 3);
        if (const auto* drag = std::get_if<DragInput>(&input))
            return scrolled(drag->from.y() - drag->to.y());
        const auto* key = std::get_if<KeyInput>(&input);
        if (!key || key->modifiers & (Qt::ControlModifier | Qt::AltModifier))
            return std::nullopt;
        switch (key->key) {
        case Qt::Key_Left:
            return ofLaunch(-1);
        case Qt::Key_Right:
            return ofLaunch(1);
        case Qt::Key_Up:
            return scrolled(-m_text * 3);
        case Qt::Key_Down:
            return scrolled(m_text * 3);
        default:
            return std::nullopt;
        }
    }

    QString caption() const override {
        return QString::fromStdString(m_trace.info.command) + QStringLiteral("  ·  ") + titleText() +
               QStringLiteral("  ·  ") + launchText();
    }

    QString csv() const override {
        QString csv = QStringLiteral("node,kind,name,parent,body,behind,bytes,operations,start_ns,time_ns\n");
        for (std::uint32_t n = 0; n < graph().nodes.size(); ++n) {
            const ProgramGraphNode& node = graph().nodes[n];
            QStringList behind, operations;
            for (const std::uint32_t b : node.behind)
                behind << QString::number(b);
            for (const std::uint32_t o : m_done[n].operations)
                operations << QString::number(o);
            const bool inOther = node.parent != noIndex, did = !operations.isEmpty();
            csv += QStringList{QString::number(n),
                               QString::fromLatin1(name(node.kind)),
                               csvField(nodeText(m_trace, node)),
                               inOther ? QString::number(node.parent) : QString(),
                               inOther ? QString::number(node.body) : QString(),
                               behind.join(QLatin1Char(' ')),
                               node.bytes ? QString::number(node.bytes) : QString(),
                               operations.join(QLatin1Char(' ')),
                               did ? QString::number(beginOf(m_model->operation(m_done[n].operations.front())))
                                   : QString(),
                               did ? QString::number(m_done[n].ns) : QString()}
                       .join(QLatin1Char(',')) +
                   QLatin1Char('\n');
        }
        return csv;
    }

private:
    const program::ProgramGraph& graph() const { return m_trace.graphs[m_graph]; }
    GraphSizes sizes() const {
        return {.box = m_text * 2.9,
                .widest = m_text * 17,
                .gap = m_text,
                .between = m_text * 1.6,
                .lane = m_text * 0.8,
                .inset = m_text * 0.7};
    }
    double mostScroll() const { return std::max(0.0, m_drawing.height + 4 - m_body.height()); }

    void note(const program::GraphStep& step) {
        const program::Operation& o = m_model->operation(step.operation);
        // What a node that holds others did is what they did.
        for (std::uint32_t n = step.node; n != noIndex; n = graph().nodes[n].parent) {
            Done& done = m_done[n];
            done.operations.push_back(step.operation);
            done.ns += lengthOf(o);
            done.guess = done.guess || o.timed == program::TimeOrigin::Estimated;
        }
    }

    QString titleText() const {
        const auto edges = std::accumulate(graph().nodes.begin(), graph().nodes.end(), std::size_t(0),
                                           [](std::size_t sum, const auto& n) { return sum + n.behind.size(); });
        return ProgramText::tr("graph %1 of %2")
                   .arg(numberText(std::uint64_t(m_graph + 1)), numberText(std::uint64_t(m_trace.graphs.size()))) +
               QStringLiteral(": ") +
               agreeing(ProgramText::tr("%1 {node|nodes}"), numberText(std::uint64_t(graph().nodes.size()))) +
               QStringLiteral(", ") + agreeing(ProgramText::tr("%1 {edge|edges}"), numberText(std::uint64_t(edges)));
    }

    QString launchText() const {
        if (m_launch == noIndex)
            return ProgramText::tr("never launched");
        const auto at = std::lower_bound(m_launches.begin(), m_launches.end(), m_launch) - m_launches.begin();
        QString text = ProgramText::tr("launch %1 of %2")
                           .arg(numberText(std::uint64_t(at + 1)), numberText(std::uint64_t(m_launches.size())));
        const program::GraphRun& run = m_runs->runs[m_launch];
        if (m_model->deviceTimes)
            text += QStringLiteral(": ") +
                    ProgramText::tr("%1 at %2").arg(durationText(run.end - run.start), durationText(run.start));
        text += QStringLiteral(", ") + streamText(m_trace, m_trace.graphLaunches[m_launch].stream);
        if (const std::uint32_t most = longest(); most != noIndex)
            text += QStringLiteral("  ·  ") +
                    ProgramText::tr("longest node: %1, %2").arg(nodeText(m_trace, graph().nodes[most]), timeText(most));
        return text;
    }

    std::uint32_t longest() const {
        std::uint32_t most = noIndex;
        for (std::uint32_t n = 0; m_model->deviceTimes && n < m_done.size(); ++n)
            if (!holdsOthers(graph().nodes[n].kind) && m_done[n].ns > (most == noIndex ? 0 : m_done[most].ns))
                most = n;
        return most;
    }

    // Empty where nobody knows it, or the node did nothing.
    QString timeText(std::uint32_t n) const {
        const Done& done = m_done[n];
        if (done.operations.empty() || !m_model->deviceTimes)
            return {};
        QString text = (done.guess ? QStringLiteral("≈ ") : QString()) + durationText(done.ns);
        if (done.operations.size() > 1 && !holdsOthers(graph().nodes[n].kind))
            text += ProgramText::tr(" (%1 times)").arg(numberText(std::uint64_t(done.operations.size())));
        return text;
    }

    QString toolTip(std::uint32_t n) const {
        const ProgramGraphNode& node = graph().nodes[n];
        const QString details = nodeDetails(m_trace, node);
        QStringList lines{ProgramText::tr("node %1: %2").arg(QString::number(n), nodeText(m_trace, node)) +
                          (details.isEmpty() ? QString() : QLatin1Char(' ') + details)};
        QStringList behind;
        for (const std::uint32_t b : node.behind)
            behind << QString::number(b);
        if (!behind.isEmpty())
            lines << ProgramText::tr("waits for nodes %1").arg(behind.join(QStringLiteral(", ")));
        if (m_done[n].operations.empty() && m_launch != noIndex)
            lines << ProgramText::tr("nothing was recorded of it in this launch");
        else if (m_done[n].operations.size() == 1 && !holdsOthers(node.kind))
            lines << operationToolTip(*m_model, m_done[n].operations.front());
        else if (const QString time = timeText(n); !time.isEmpty())
            lines << time;
        return lines.join(QLatin1Char('\n'));
    }

    void layOut() {
        const Theme& theme = context.theme;
        const QRectF inner = area.adjusted(sideMargin(theme), 2 * spaceUnit(theme), -sideMargin(theme), -m_text * 0.4);
        m_title = {inner.left(), inner.top(), inner.width(), lineHeight(theme.title()) * 1.1};
        m_line = {inner.left(), m_title.bottom(), inner.width(), m_text * 1.5};
        m_body = {inner.left() - 2, m_line.bottom() + m_text * 0.6, std::max(20.0, inner.width() - 4),
                  std::max(10.0, inner.bottom() - m_line.bottom() - m_text * 0.6)};
        if (!context.clickable)
            return;
        const auto button = [&](double right, const QRectF& line, std::optional<Change> change) {
            if (change)
                m_buttons.emplace_back(
                    QRectF(right - m_text * 1.3, line.center().y() - m_text * 0.65, m_text * 1.3, m_text * 1.3),
                    *change);
        };
        button(m_title.right() - m_text * 1.5, m_title, ofGraph(-1));
        button(m_title.right(), m_title, ofGraph(1));
        button(m_line.right() - m_text * 1.5, m_line, ofLaunch(-1));
        button(m_line.right(), m_line, ofLaunch(1));
    }

    Change choosing(std::uint32_t operation) const {
        Change change = unchanged();
        programOperation.set(change.options, operation);
        const program::Operation& o = m_model->operation(operation);
        if (o.kind == OperationKind::Launch && o.kernel < m_model->kernels.size())
            programKernel.set(change.options, o.kernel);
        return change;
    }
    // The next graph, or the one before; nothing where there is none.
    std::optional<Change> ofGraph(int by) const {
        const std::int64_t to = std::int64_t(m_graph) + by;
        if (to < 0 || to >= std::int64_t(m_trace.graphs.size()))
            return std::nullopt;
        Change change = unchanged();
        programGraph.set(change.options, uint(to));
        programOperation.clear(change.options);
        programGraphScroll.clear(change.options);
        return change;
    }
    // The next launch of the graph that did something, or the one before.
    std::optional<Change> ofLaunch(int by) const {
        auto at = std::lower_bound(m_launches.begin(), m_launches.end(), m_launch) - m_launches.begin() + by;
        for (; m_launch != noIndex && at >= 0 && at < std::int64_t(m_launches.size()); at += by)
            if (const auto steps = m_runs->of(m_launches[std::size_t(at)]); !steps.empty())
                return choosing(steps.front().operation);
        return std::nullopt;
    }
    Change scrolled(double by) const {
        Change change = unchanged();
        programGraphScroll.set(change.options, std::clamp(m_scroll + by, 0.0, mostScroll()));
        return change;
    }

    // Where the drawing begins: frames of its boxes are seen whole.
    QPointF origin() const { return m_body.topLeft() + QPointF(2, 2 - m_scroll); }
    std::uint32_t nodeAt(QPointF at) const {
        if (!m_body.contains(at))
            return noIndex;
        const QPointF inside = at - origin();
        for (std::uint32_t n = std::uint32_t(m_drawing.boxes.size()); n-- > 0;) // what is held stands behind its holder
            if (m_drawing.boxes[n].contains(inside))
                return n;
        return noIndex;
    }

    bool isSeen(const QRectF& rect) const {
        return rect.bottom() >= m_scroll && rect.top() <= m_scroll + m_body.height();
    }

    void paintHead(QPainter& painter) const {
        const Theme& theme = context.theme;
        const double room = m_buttons.empty() ? 0 : m_text * 3.2;
        paintText(painter, m_title.adjusted(0, 0, -room, 0), titleText(), theme.title(), theme.text);
        paintText(painter, m_line.adjusted(0, 0, -room, 0), launchText(), theme.small(), theme.textMuted);
        for (const auto& [where, change] : m_buttons) {
            const bool next = where.right() > m_title.right() - 1;
            painter.setPen(QPen(theme.border, 1));
            painter.setBrush(theme.panel);
            painter.drawRoundedRect(where, 3, 3);
            const double s = m_text * 0.25 * (next ? 1 : -1);
            painter.setPen(QPen(theme.text, 1.6));
            const QPointF arrow[] = {where.center() + QPointF(-s * 0.6, -m_text * 0.3), where.center() + QPointF(s, 0),
                                     where.center() + QPointF(-s * 0.6, m_text * 0.3)};
            painter.drawPolyline(arrow, 3);
        }
    }

    void paintEdges(QPainter& painter) const {
        const Theme& theme = context.theme;
        for (const GraphEdge& edge : m_drawing.edges) {
            if (!isSeen(edge.points.boundingRect().adjusted(0, -1, 0, 1)))
                continue;
            const bool chosen = m_operation != noIndex && (isChosen(edge.from) || isChosen(edge.to));
            const QColor colour = chosen ? theme.accent : theme.textMuted;
            QPainterPath path(edge.points.front());
            for (qsizetype k = 1; k < edge.points.size(); ++k) {
                const QPointF a = edge.points[k - 1], b = edge.points[k];
                const QPointF bend(0, (b.y() - a.y()) / 2);
                path.cubicTo(a + bend, b - bend, b);
            }
            painter.setPen(QPen(colour, chosen ? 2 : 1.2));
            painter.setBrush(Qt::NoBrush);
            painter.drawPath(path);
            const QPointF tip = edge.points.back();
            const double s = m_text * 0.28;
            const QPointF head[] = {tip, tip + QPointF(-s, -s * 1.6), tip + QPointF(s, -s * 1.6)};
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            painter.drawPolygon(head, 3);
        }
    }

    bool isChosen(std::uint32_t n) const {
        const auto& operations = m_done[n].operations;
        return !holdsOthers(graph().nodes[n].kind) &&
               std::find(operations.begin(), operations.end(), m_operation) != operations.end();
    }

    void paintNodes(QPainter& painter, bool holders) const {
        for (std::uint32_t n = 0; n < graph().nodes.size(); ++n)
            if (holdsOthers(graph().nodes[n].kind) == holders && isSeen(m_drawing.boxes[n]))
                paintNode(painter, n);
    }

    void paintNode(QPainter& painter, std::uint32_t n) const {
        const Theme& theme = context.theme;
        const ProgramGraphNode& node = graph().nodes[n];
        const QRectF box = m_drawing.boxes[n];
        const bool chosen = isChosen(n), holds = holdsOthers(node.kind), did = !m_done[n].operations.empty();
        painter.setPen(chosen ? QPen(theme.accent, 2.5) : QPen(theme.border, 1.2, did ? Qt::SolidLine : Qt::DashLine));
        painter.setBrush(holds ? theme.sunken : theme.panel);
        painter.drawRoundedRect(box, 4, 4);
        const KindLook look = lookOf(lookedAs(node.kind), theme);
        if (!holds && box.width() > m_text)
            paintCell(painter, {box.left() + 4, box.top() + 5, m_text * 0.5, box.height() - 10}, look.colour,
                      look.hatch, inkOn(look.colour));
        const double left = holds ? m_text * 0.5 : m_text * 1.0, line = m_text * 1.25;
        const QRectF words = {box.left() + left, box.top() + m_text * 0.15, box.width() - left - 4, line};
        if (words.width() < m_text)
            return;
        const QString time = timeText(n);
        paintText(painter, words, nodeText(m_trace, node), theme.body(),
                  did || m_launch == noIndex ? theme.text : theme.textMuted);
        const QRectF second = words.translated(0, line);
        const double taken = time.isEmpty() ? 0 : textWidth(theme.small(), time) + m_text * 0.6;
        const QString details = nodeDetails(m_trace, node);
        if (taken < second.width() || details.isEmpty()) {
            paintText(painter, second, time, theme.small(), theme.text, Qt::AlignRight | Qt::AlignVCenter);
            paintText(painter, second.adjusted(0, 0, -taken, 0), details, theme.small(), theme.textMuted);
        }
        paintWhen(painter, n, box);
    }

    // When it ran, from the left (the launch's begin) to the right (its end).
    void paintWhen(QPainter& painter, std::uint32_t n, const QRectF& box) const {
        if (m_launch == noIndex || !m_model->deviceTimes || holdsOthers(graph().nodes[n].kind))
            return;
        const program::GraphRun& run = m_runs->runs[m_launch];
        const double all = double(run.end - run.start), left = box.left() + 5, width = box.width() - 10;
        if (all <= 0)
            return;
        for (const std::uint32_t o : m_done[n].operations) {
            const double from = double(m_model->operation(o).start - run.start) / all;
            const double share = double(lengthOf(m_model->operation(o))) / all;
            painter.fillRect(QRectF(left + width * std::clamp(from, 0.0, 1.0), box.bottom() - 4,
                                    std::max(2.0, width * std::min(share, 1 - from)), 3),
                             lookOf(lookedAs(graph().nodes[n].kind), context.theme).colour);
        }
    }

    ProgramModelPtr m_model;
    const program::ProgramTrace& m_trace;
    std::shared_ptr<const program::GraphRuns> m_runs;
    std::uint32_t m_operation = noIndex, m_graph = 0, m_launch = noIndex;
    std::vector<std::uint32_t> m_launches; // of the graph
    std::vector<Done> m_done;              // [node]
    double m_text = 14, m_scroll = 0;
    QRectF m_title, m_line, m_body;
    GraphDrawing m_drawing;
    std::vector<std::pair<QRectF, Change>> m_buttons;
};

class ProgramGraphView final : public View {
public:
    QString key() const override { return QStringLiteral("programgraph"); }
    QString title() const override { return ProgramText::tr("Graphs"); }
    QString question() const override {
        return ProgramText::tr("Which nodes does a graph of the program have, who waits for whom, and what took long?");
    }

    std::optional<Emptiness> emptiness(const PaintContext& context) const override {
        if (!context.program)
            return Emptiness{ProgramText::tr("No program is open."), {}, {}};
        if (context.program->trace->graphs.empty())
            return Emptiness{ProgramText::tr("The program launched no graph of CUDA's."), {}, {}};
        return std::nullopt;
    }

    Selection looksAt(const Selection&) const override { return {}; }

protected:
    PicturePtr makePicture(const PaintContext& context, const QRectF& area, Progress&,
                           const PicturePtr& previous) const override {
        return std::make_shared<GraphPicture>(context, area, dynamic_cast<const GraphPicture*>(previous.get()));
    }
};

} // namespace

std::unique_ptr<View> makeProgramGraphView() {
    return std::make_unique<ProgramGraphView>();
}

} // namespace warpglass
