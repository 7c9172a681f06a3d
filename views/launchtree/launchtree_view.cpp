// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchtree/launchtree_view.h"

#include "views/common/beside.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/launchtree/launchtree_model.h"

#include <QCoreApplication>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("LaunchTreeView", text);
}

std::set<std::string> idSet(const PaintContext& context, const char* option) {
    std::set<std::string> ids;
    const QStringList list = context.options.value(option).toString().split(',', Qt::SkipEmptyParts);
    for (const QString& id : list)
        ids.insert(id.toStdString());
    return ids;
}

void toggle(PaintContext& context, const char* option, const std::string& id) {
    std::set<std::string> ids = idSet(context, option);
    if (!ids.erase(id))
        ids.insert(id);
    QStringList list;
    for (const std::string& one : ids)
        list << QString::fromStdString(one);
    context.options[option] = list.join(',');
}

QString streamText(StreamKind stream) {
    switch (stream) {
    case StreamKind::Host:
        return tr("from the host");
    case StreamKind::Default:
        return tr("default stream");
    case StreamKind::Tail:
        return tr("tail launch");
    case StreamKind::FireAndForget:
        return tr("fire and forget");
    }
    return {};
}

QString shapeText(const Launch& launch) {
    return QString("<<<%1, %2>>>")
        .arg(QString::fromStdString(launch.grid.text()), QString::fromStdString(launch.block.text()));
}

QString rowText(const Trace& trace, const TreeRow& row) {
    const Launch& first = trace.launches[row.launches.front()];
    QString text = QString::fromStdString(trace.kernelOf(first).name) + " " + shapeText(first);
    if (row.isGroup)
        text = tr("%1 grids").arg(numberText(std::uint64_t(row.launches.size()))) + "  " + text;
    return text;
}

QString whoText(const Trace& trace, const TreeRow& row, bool withStream = true) {
    const Launch& first = trace.launches[row.launches.front()];
    if (first.parentLaunch == noIndex)
        return streamText(StreamKind::Host);
    QString text = streamText(first.stream);
    if (row.isGroup)
        return text;
    const Launch& parent = trace.launches[first.parentLaunch];
    const QString block = QString::fromStdString(parent.grid.at(first.parentBlock).indexText());
    const QString thread = QString::fromStdString(parent.block.at(first.parentThread).indexText());
    return withStream ? tr("by block %1 thread %2, %3").arg(block, thread, text)
                      : tr("by block %1 thread %2").arg(block, thread);
}

// One trace's half of the picture.
struct Pane {
    const Trace* trace = nullptr;
    QRectF title, totals, note, head, rows, tree, bars;
    double rowHeight = 20;
    std::vector<TreeRow> list;
    TreeTotals sums;
    TimeRange range;
    int firstRow = 0, visibleRows = 0;

    double x(Time t) const {
        const double length = std::max<double>(1, double(range.length().value));
        return bars.left() + double((t - range.begin).value) / length * bars.width();
    }
    QRectF rowRect(int n) const {
        return {rows.left(), rows.top() + (n - firstRow) * rowHeight, rows.width(), rowHeight};
    }
};

Pane makePane(const Trace& trace, const QRectF& area, const PaintContext& context, TimeRange shared) {
    const Theme& theme = context.theme;
    const double line = lineHeight(theme.body());
    Pane pane;
    pane.trace = &trace;
    pane.list = treeRows(trace, idSet(context, "unfolded"), idSet(context, "closed"));
    pane.sums = treeTotals(trace);
    const bool zoomed = context.selection.visible.length().value > 0;
    pane.range = zoomed ? context.selection.visible : shared;
    pane.title = QRectF(area.left(), area.top(), area.width(), line * 1.6);
    pane.totals = QRectF(area.left(), pane.title.bottom(), area.width(), line * 1.5);
    const double noteHeight = pane.sums.dropped > 0 ? line * 3.2 : 0;
    pane.note = QRectF(area.left(), area.bottom() - noteHeight, area.width(), noteHeight);
    pane.head = QRectF(area.left(), pane.totals.bottom() + line * 0.4, area.width(), line * 1.4);
    pane.rows =
        QRectF(area.left(), pane.head.bottom(), area.width(), pane.note.top() - pane.head.bottom() - line * 0.4);
    pane.rowHeight = line * 1.75;
    const double treeWidth = std::max(line * 17, area.width() * 0.45);
    pane.tree = QRectF(pane.rows.left(), pane.rows.top(), treeWidth - line, pane.rows.height());
    pane.bars = QRectF(pane.rows.left() + treeWidth, pane.rows.top(), std::max(line * 2, area.width() - treeWidth),
                       pane.rows.height());
    pane.visibleRows = int(pane.rows.height() / pane.rowHeight);
    const int most = std::max(0, int(pane.list.size()) - pane.visibleRows);
    pane.firstRow = std::clamp(int(context.options.value("scroll").toDouble() / pane.rowHeight + 0.5), 0, most);
    return pane;
}

std::vector<Pane> makePanes(const QRectF& area, const PaintContext& context) {
    std::vector<Pane> panes;
    if (!context.trace)
        return panes;
    const double gap = lineHeight(context.theme.body());
    const QRectF inner = area.adjusted(gap * 1.2, gap * 0.8, -gap * 1.2, -gap * 0.8);
    TimeRange range = context.trace->range();
    if (!context.other) {
        panes.push_back(makePane(*context.trace, inner, context, range));
        return panes;
    }
    // Both strategies on one scale, aligned, one above the other: lengths can be compared by eye.
    const TimeRange second = context.other->range();
    const Time shift = shiftToOther(context);
    range = {std::min(range.begin, second.begin - shift), std::max(range.end, second.end - shift)};
    const double half = (inner.height() - gap * 1.5) / 2;
    panes.push_back(makePane(*context.trace, QRectF(inner.left(), inner.top(), inner.width(), half), context, range));
    panes.push_back(makePane(*context.other, QRectF(inner.left(), inner.bottom() - half, inner.width(), half), context,
                             {range.begin + shift, range.end + shift}));
    return panes;
}

void paintHead(QPainter& painter, const Pane& pane, const Theme& theme) {
    const Trace& trace = *pane.trace;
    const double line = lineHeight(theme.body());
    const Launch& root = trace.launches.front();
    paintText(painter, pane.title,
              tr("Who launched whom: %1 %2").arg(QString::fromStdString(trace.kernelOf(root).name), shapeText(root)),
              theme.title(), theme.text);
    QString text = tr("%1 grids ran, depth %2, %3 in all")
                       .arg(numberText(pane.sums.ran))
                       .arg(pane.sums.depth)
                       .arg(timeText(pane.sums.range.length(), trace.info.timeUnit));
    const double width = paintText(painter, pane.totals, text, theme.body(), theme.text);
    QRectF chip = paintOriginChip(painter, QPointF(pane.totals.left() + width + 10, pane.totals.top() + line * 0.2),
                                  trace.info.timeOrigin, theme);
    if (pane.sums.dropped > 0)
        paintText(
            painter,
            QRectF(chip.right() + 14, pane.totals.top(), pane.totals.right() - chip.right() - 14, pane.totals.height()),
            tr("✕ %1 launches dropped").arg(numberText(pane.sums.dropped)), theme.title(), theme.wrong);
    // Time axis
    const auto ticks =
        axisTicks(pane.range.begin.value, pane.range.end.value, std::max(2, int(pane.bars.width() / (line * 7))));
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(QPointF(pane.bars.left(), pane.head.bottom()), QPointF(pane.bars.right(), pane.head.bottom()));
    const std::int64_t step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
    for (std::int64_t tick : ticks) {
        const double x = pane.x({tick});
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(QPointF(x, pane.head.bottom() - 4), QPointF(x, pane.rows.bottom()));
        const QString label = timeText({tick - pane.sums.range.begin.value}, trace.info.timeUnit, step);
        const double w = textWidth(theme.small(), label);
        if (x + w <= pane.bars.right() + line)
            paintText(painter, QRectF(x + 3, pane.head.top(), w + 4, pane.head.height() - 2), label, theme.small(),
                      theme.textMuted);
    }
}

void paintChevron(QPainter& painter, const QRectF& cell, bool open, const Theme& theme) {
    QPainterPath path;
    const QPointF c = cell.center();
    const double s = cell.width() * 0.22;
    if (open) {
        path.moveTo(c + QPointF(-s * 1.3, -s * 0.7));
        path.lineTo(c + QPointF(0, s * 0.8));
        path.lineTo(c + QPointF(s * 1.3, -s * 0.7));
    } else {
        path.moveTo(c + QPointF(-s * 0.7, -s * 1.3));
        path.lineTo(c + QPointF(s * 0.8, 0));
        path.lineTo(c + QPointF(-s * 0.7, s * 1.3));
    }
    painter.setPen(QPen(theme.textMuted, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void paintBar(QPainter& painter, const Pane& pane, const TreeRow& row, const QRectF& rect, const Theme& theme) {
    const double top = rect.top() + rect.height() * 0.22, height = rect.height() * 0.56;
    double left = std::clamp(pane.x(row.start), pane.bars.left(), pane.bars.right());
    double right = std::clamp(pane.x(row.end), pane.bars.left(), pane.bars.right());
    if (row.dropped) {
        const QRectF mark(std::min(left, pane.bars.right() - height), top, height, height);
        paintCell(painter, mark, theme.panel, Hatch::Cross, theme.wrong);
        painter.setPen(QPen(theme.wrong, 1.2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(mark);
        return;
    }
    right = std::max(right, left + 2);
    const double complete = std::clamp(pane.x(row.complete), pane.bars.left(), pane.bars.right());
    if (complete > right + 1) // its own blocks are done; it still waits for its children
        paintCell(painter, QRectF(right, top + height * 0.3, complete - right, height * 0.4), theme.sunken,
                  Hatch::Diagonal, theme.category(int(row.depth)));
    const QColor colour = theme.category(int(row.depth));
    if (!row.isGroup) {
        paintCell(painter, QRectF(left, top, right - left, height), colour, Hatch::None, theme.text);
        return;
    }
    // A group: its extent as a frame, inside how many of its grids run at each pixel.
    QColor soft = colour;
    soft.setAlphaF(0.18f);
    painter.fillRect(QRectF(left, top, right - left, height), soft);
    const int columns = std::max(1, int(right - left));
    std::vector<int> change(std::size_t(columns) + 2, 0);
    for (std::uint32_t launch : row.launches) {
        const Launch& one = pane.trace->launches[launch];
        const int from = std::clamp(int(pane.x(one.start) - left), 0, columns - 1);
        const int to = std::clamp(int(pane.x(one.end) - left) + 1, from + 1, columns);
        ++change[std::size_t(from)];
        --change[std::size_t(to)];
    }
    int now = 0, peak = 1;
    for (int c = 0; c < columns; ++c)
        peak = std::max(peak, now += change[std::size_t(c)]);
    now = 0;
    for (int c = 0; c < columns; ++c) {
        now += change[std::size_t(c)];
        const double h = height * now / peak;
        if (now > 0)
            painter.fillRect(QRectF(left + c, top + height - h, 1, h), colour);
    }
}

void paintRows(QPainter& painter, const Pane& pane, const PaintContext& context) {
    const Theme& theme = context.theme;
    const double line = lineHeight(theme.body());
    const int end = std::min(int(pane.list.size()), pane.firstRow + pane.visibleRows);
    for (int n = pane.firstRow; n < end; ++n) {
        const TreeRow& row = pane.list[std::size_t(n)];
        const QRectF rect = pane.rowRect(n);
        const bool chosen =
            std::find(row.launches.begin(), row.launches.end(), context.selection.launch) != row.launches.end() &&
            (!row.isGroup || !row.unfolded);
        if (chosen && pane.trace == context.trace.get())
            painter.fillRect(rect, theme.accentSoft);
        const double indent = std::min(row.indent * line * 1.1, pane.tree.width() * 0.5);
        for (int level = 0; level < row.indent && level * line * 1.1 < pane.tree.width() * 0.5; ++level) {
            painter.setPen(QPen(theme.border, 1));
            const double x = pane.tree.left() + line * 0.5 + level * line * 1.1;
            painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
        }
        const QRectF chevron(pane.tree.left() + indent, rect.top() + (rect.height() - line) / 2, line, line);
        if (row.hasChildren)
            paintChevron(painter, chevron, row.unfolded, theme);
        const QRectF text(chevron.right() + 4, rect.top(), pane.tree.right() - chevron.right() - 4, rect.height());
        const double used = paintText(
            painter, text, (row.dropped ? QString(QChar(0x2715)) + " " : QString()) + rowText(*pane.trace, row),
            theme.body(), row.dropped ? theme.wrong : theme.text);
        // As much of who launched it as fits whole; the rest is in the tool tip.
        const QRectF rest = text.adjusted(used + 10, 0, 0, 0);
        for (const bool withStream : {true, false})
            if (const QString who = whoText(*pane.trace, row, withStream);
                textWidth(theme.small(), who) <= rest.width()) {
                paintText(painter, rest, who, theme.small(), theme.textMuted);
                break;
            }
        paintBar(painter, pane, row, rect, theme);
    }
    if (pane.firstRow > 0 || end < int(pane.list.size())) { // where in the list we are
        const double share = double(pane.visibleRows) / double(pane.list.size());
        const double at = double(pane.firstRow) / double(pane.list.size());
        painter.fillRect(QRectF(pane.rows.right() - 3, pane.rows.top() + at * pane.rows.height(), 3,
                                std::max(12.0, share * pane.rows.height())),
                         theme.border);
    }
    const double x = pane.x(context.selection.time);
    if (pane.trace == context.trace.get() && x >= pane.bars.left() && x <= pane.bars.right()) {
        painter.setPen(QPen(theme.attention, 1.5));
        painter.drawLine(QPointF(x, pane.head.bottom()), QPointF(x, pane.rows.bottom()));
    }
}

void paintNote(QPainter& painter, const Pane& pane, const Theme& theme) {
    if (pane.sums.dropped == 0)
        return;
    painter.fillRect(pane.note, theme.sunken);
    painter.fillRect(QRectF(pane.note.left(), pane.note.top(), 4, pane.note.height()), theme.wrong);
    const QString text =
        tr("%1 launches never ran: %2. The call returned an error inside the kernel, where nobody looked. With few "
           "blocks the same "
           "program is right. Raise cudaLimitDevRuntimePendingLaunchCount, or launch one grid for all.")
            .arg(numberText(pane.sums.dropped), QString::fromStdString(pane.sums.dropReason));
    paintParagraph(&painter, pane.note.adjusted(14, 6, -10, -4), text, theme.body(), theme.text);
}

class LaunchTreeView final : public View {
public:
    QString key() const override { return "launchtree"; }
    QString title() const override { return tr("Launch tree"); }
    QString question() const override { return tr("Which grid launched which, and did all of them run?"); }

    void paint(QPainter& painter, const QRectF& area, const PaintContext& context) const override {
        for (const Pane& pane : makePanes(area, context)) {
            paintHead(painter, pane, context.theme);
            paintRows(painter, pane, context);
            paintNote(painter, pane, context.theme);
        }
    }

    Selection hit(const QRectF& area, const PaintContext& context, QPointF at) const override {
        Selection selection = context.selection;
        const auto panes = makePanes(area, context);
        if (panes.empty() || !panes.front().rows.contains(at))
            return selection;
        const int n = panes.front().firstRow + int((at.y() - panes.front().rows.top()) / panes.front().rowHeight);
        if (n >= int(panes.front().list.size()))
            return selection;
        selection.launch = panes.front().list[std::size_t(n)].launches.front();
        selection.block = selection.warp = noIndex;
        selection.lane = -1;
        return selection;
    }

    bool press(const QRectF& area, PaintContext& context, QPointF at) const override {
        for (const Pane& pane : makePanes(area, context)) {
            const int n = pane.firstRow + int((at.y() - pane.rows.top()) / pane.rowHeight);
            if (!pane.tree.contains(at) || n >= int(pane.list.size()))
                continue;
            const TreeRow& row = pane.list[std::size_t(n)];
            const double line = lineHeight(context.theme.body());
            const double chevron = pane.tree.left() + std::min(row.indent * line * 1.1, pane.tree.width() * 0.5);
            // A group has nothing else to be clicked for; a single grid folds at its chevron.
            if (!row.hasChildren || (!row.isGroup && (at.x() < chevron || at.x() > chevron + line)))
                return false;
            toggle(context, row.isGroup ? "unfolded" : "closed", row.id);
            return true;
        }
        return false;
    }

    QString toolTip(const QRectF& area, const PaintContext& context, QPointF at) const override {
        for (const Pane& pane : makePanes(area, context)) {
            if (!pane.rows.contains(at))
                continue;
            const int n = pane.firstRow + int((at.y() - pane.rows.top()) / pane.rowHeight);
            if (n >= int(pane.list.size()))
                return {};
            const TreeRow& row = pane.list[std::size_t(n)];
            const Launch& first = pane.trace->launches[row.launches.front()];
            QString text = rowText(*pane.trace, row) + "\n" + whoText(*pane.trace, row) + "\n" +
                           tr("depth %1, %2 grids below").arg(row.depth).arg(numberText(row.descendants));
            if (row.dropped)
                return text + "\n" + QString::fromStdString(first.reason);
            return text + "\n" +
                   tr("%1 (%2)").arg(timeText(row.end - row.start, pane.trace->info.timeUnit),
                                     originName(pane.trace->info.timeOrigin));
        }
        return {};
    }

    bool wheel(const QRectF& area, PaintContext& context, QPointF at, double steps,
               Qt::KeyboardModifiers modifiers) const override {
        const auto panes = makePanes(area, context);
        if (panes.empty())
            return false;
        const Pane& pane = panes.front();
        const bool overBars = at.x() >= pane.bars.left() && !(modifiers & Qt::ShiftModifier);
        if (!overBars) {
            context.options["scroll"] = std::max(0.0, (pane.firstRow - steps * 3) * pane.rowHeight);
            return true;
        }
        // Zoom at the cursor: the time under it stays.
        const double factor = std::pow(0.8, steps);
        const double share = (at.x() - pane.bars.left()) / pane.bars.width();
        const double length = std::max(2.0, double(pane.range.length().value) * factor);
        const double fixed = share * double(pane.range.length().value);
        const TimeRange all = context.trace->range();
        TimeRange next{{pane.range.begin.value + std::int64_t(fixed - share * length)}, {}};
        next.end = next.begin + Time{std::int64_t(length)};
        if (next.length() >= all.length())
            next = {};
        context.selection.visible = next;
        return true;
    }

    bool drag(const QRectF& area, PaintContext& context, QPointF from, QPointF to) const override {
        const auto panes = makePanes(area, context);
        if (panes.empty())
            return false;
        const Pane& pane = panes.front();
        const double most = std::max(0.0, double(pane.list.size()) - pane.visibleRows) * pane.rowHeight;
        context.options["scroll"] =
            std::clamp(context.options.value("scroll").toDouble() + from.y() - to.y(), 0.0, most);
        if (context.selection.visible.length().value > 0) {
            const Time shift{std::int64_t((from.x() - to.x()) / pane.bars.width() * double(pane.range.length().value))};
            context.selection.visible = {pane.range.begin + shift, pane.range.end + shift};
        }
        return true;
    }

    bool key(const QRectF& area, PaintContext& context, int key, Qt::KeyboardModifiers) const override {
        const auto panes = makePanes(area, context);
        if (panes.empty())
            return false;
        const auto& list = panes.front().list;
        const auto now = std::find_if(list.begin(), list.end(), [&](const TreeRow& row) {
            return row.launches.front() == context.selection.launch;
        });
        const auto choose = [&](std::ptrdiff_t n) {
            const auto at = std::clamp<std::ptrdiff_t>(n, 0, std::ptrdiff_t(list.size()) - 1);
            context.selection.launch = list[std::size_t(at)].launches.front();
            context.selection.block = context.selection.warp = noIndex;
            if (at < panes.front().firstRow || at >= panes.front().firstRow + panes.front().visibleRows)
                context.options["scroll"] =
                    std::max(0.0, double(at) - panes.front().visibleRows / 2) * panes.front().rowHeight;
            return true;
        };
        const std::ptrdiff_t at = now == list.end() ? 0 : now - list.begin();
        switch (key) {
        case Qt::Key_Down:
            return choose(at + 1);
        case Qt::Key_Up:
            return choose(at - 1);
        case Qt::Key_Return:
        case Qt::Key_Space:
            if (now == list.end() || !now->hasChildren)
                return false;
            toggle(context, now->isGroup ? "unfolded" : "closed", now->id);
            return true;
        case Qt::Key_Home:
            context.selection.visible = {};
            context.options["scroll"] = 0;
            return true;
        default:
            return false;
        }
    }

    QString csv(const PaintContext& context) const override {
        if (!context.trace)
            return {};
        const Trace& trace = *context.trace;
        QString csv = QString("launch,kernel,grid,block,depth,parent_launch,parent_block,parent_thread,stream,status,"
                              "start_%1,end_%1,origin,reason\n")
                          .arg(name(trace.info.timeUnit));
        const auto index = [](std::uint32_t i) { return i == noIndex ? QString() : QString::number(i); };
        for (std::size_t i = 0; i < trace.launches.size(); ++i) {
            const Launch& launch = trace.launches[i];
            const QStringList fields = {QString::number(i),
                                        QString::fromStdString(trace.kernelOf(launch).name),
                                        QString::fromStdString(launch.grid.text()),
                                        QString::fromStdString(launch.block.text()),
                                        QString::number(launch.depth),
                                        index(launch.parentLaunch),
                                        index(launch.parentBlock),
                                        index(launch.parentThread),
                                        name(launch.stream),
                                        name(launch.status),
                                        QString::number(launch.start.value),
                                        QString::number(launch.end.value),
                                        name(trace.info.timeOrigin),
                                        csvField(QString::fromStdString(launch.reason))};
            csv += fields.join(',') + "\n";
        }
        return csv;
    }

    std::optional<Emptiness> emptiness(const PaintContext& context) const override {
        if (!context.trace || context.trace->launches.empty())
            return Emptiness{tr("No kernel has been run yet."), "run", tr("Run the chosen kernel")};
        return std::nullopt;
    }
};

} // namespace

std::unique_ptr<View> makeLaunchTreeView() {
    return std::make_unique<LaunchTreeView>();
}

} // namespace warpglass
