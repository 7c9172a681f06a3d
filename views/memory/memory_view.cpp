// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory/memory_view.h"

#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/memory/memory_layout.h"
#include "views/memory/memory_model.h"
#include "views/memory/memory_table.h"

#include <QCoreApplication>
#include <QPainterPath>

namespace warpglass {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("MemoryView", text);
}

SpaceFilter filterOf(const PaintContext& context) {
    const QString space = context.options.value("space").toString();
    return space == "global" ? SpaceFilter::Global : space == "shared" ? SpaceFilter::Shared : SpaceFilter::All;
}

std::optional<ShownAccess> shownIn(const PaintContext& context) {
    if (!context.trace)
        return std::nullopt;
    return shownAccess(*context.trace, context.selection, filterOf(context));
}

MemoryLayout layoutOf(const QRectF& area, const ShownAccess* access, const Theme& theme) {
    return memoryLayout(area, access, lineHeight(theme.body()));
}

QString heading(const Trace& trace, const ShownAccess& shown) {
    const Warp& warp = trace.warps[shown.warp];
    const Block& block = trace.blockOf(warp);
    return tr("line %1: %2, %3 bytes a lane · warp %4 of block %5 · access %6 of %7")
        .arg(shown.sourceLine != 0 ? QString::number(shown.sourceLine) : tr("PTX %1").arg(shown.ptxLine))
        .arg(accessText(shown.row->space, shown.row->kind))
        .arg(shown.bytesPerLane)
        .arg(warp.warpInBlock)
        .arg(QString::fromStdString(trace.blockIndex(block).indexText()))
        .arg(shown.ordinal)
        .arg(shown.total);
}

void paintLanes(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, LaneMask live,
                const Theme& theme) {
    paintText(painter,
              QRectF(layout.map.left(), layout.lanes.top(), layout.lanes.left() - layout.map.left() - 6,
                     layout.lanes.height()),
              tr("lanes"), theme.body(), theme.textMuted);
    for (int lane = 0; lane < lanesPerWarp; ++lane) {
        const QRectF cell = layout.laneCell(lane).adjusted(1, 0, -1, 0);
        const bool on = shown.what.active.has(lane);
        paintLane(painter, cell, on ? LaneMark::On : live.has(lane) ? LaneMark::Off : LaneMark::Absent, theme);
        if (on &&
            (lane % 4 == 0 || layout.laneWidth > textWidth(theme.small(), "00") +
                                                     4)) // a number would be struck out by the hatch of an idle lane
            paintText(painter, cell, QString::number(lane), theme.small(), on ? theme.textOnAccent : theme.textMuted,
                      Qt::AlignCenter);
    }
}

// Which lane is first to touch each 4-byte word of a sector; -1 for none.
void paintSector(QPainter& painter, const MemoryLayout& layout, const MemoryLayout::LineRow& row,
                 const SectorUse& sector, const ShownAccess& shown, const Trace& trace, const Theme& theme) {
    const QRectF cell = layout.sectorCell(row, int(sector.address / 32 % 4)).adjusted(1.5, 0, -1.5, 0);
    painter.fillRect(cell, theme.originModelledSoft);
    const double byteWidth = cell.width() / 32;
    for (int byte = 0; byte < 32;) { // runs of bytes that are asked for, and of those that only came along
        const bool used = (sector.bytes >> byte) & 1u;
        int end = byte + 1;
        while (end < 32 && (((sector.bytes >> end) & 1u) != 0) == used)
            ++end;
        const QRectF run(cell.left() + byte * byteWidth, cell.top(), (end - byte) * byteWidth, cell.height());
        if (used)
            painter.fillRect(run, theme.laneOn);
        else
            paintHatch(painter, run, Hatch::Diagonal, theme.originModelled);
        byte = end;
    }
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(cell);
    // Lane numbers where an element has room for one.
    const auto addresses = trace.addresses(*shown.row);
    std::size_t k = 0;
    for (int lane = 0; lane < lanesPerWarp; ++lane) {
        if (!shown.what.active.has(lane))
            continue;
        const std::uint64_t address = addresses[k++];
        if (address / 32 * 32 != sector.address)
            continue;
        const QRectF word(cell.left() + double(address % 32) * byteWidth, cell.top(), shown.bytesPerLane * byteWidth,
                          cell.height());
        painter.setPen(QPen(theme.panel, 1));
        painter.drawLine(word.topLeft(), word.bottomLeft());
        const bool many = sector.lanes.count() > 8 && (sector.bytes & (sector.bytes - 1)) != 0 &&
                          shown.global.bytesDistinct < shown.global.bytesRequested;
        if (!many && word.height() >= lineHeight(theme.small()) * 0.8 &&
            word.width() > textWidth(theme.small(), QString::number(lane)) + 1)
            paintText(painter, word, QString::number(lane), theme.small(), theme.textOnAccent, Qt::AlignCenter);
    }
}

void paintEdges(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, const Trace& trace,
                int chosenLane, const Theme& theme) {
    const auto addresses = trace.addresses(*shown.row);
    std::size_t k = 0;
    for (int lane = 0; lane < lanesPerWarp; ++lane) {
        if (!shown.what.active.has(lane))
            continue;
        const std::uint64_t address = addresses[k++];
        const bool chosen = lane == chosenLane;
        for (const auto& row : layout.lineRows) {
            if (address / 128 * 128 != row.address || (&row != &layout.lineRows.front() && !chosen))
                continue;
            const QPointF from(layout.laneCell(lane).center().x(), layout.lanes.bottom());
            const QPointF to(row.cells.left() +
                                 (double(address - row.address) + shown.bytesPerLane / 2.0) * layout.byteWidth,
                             row.cells.top());
            QPainterPath path(from);
            path.cubicTo(from + QPointF(0, 18), to - QPointF(0, 18), to);
            painter.setPen(QPen(chosen ? theme.attention : theme.textMuted, chosen ? 2.0 : 0.8));
            painter.setBrush(Qt::NoBrush);
            painter.drawPath(path);
        }
    }
}

void paintGlobal(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, const PaintContext& context) {
    const Theme& theme = context.theme;
    paintEdges(painter, layout, shown, *context.trace, context.selection.lane, theme);
    for (const auto& row : layout.lineRows) {
        paintText(painter, row.label, QString("0x%1").arg(row.address & 0xffffffffu, 6, 16, QLatin1Char('0')),
                  theme.small(), theme.textMuted);
        for (int sector = 0; sector < 4; ++sector) {
            painter.setPen(QPen(theme.border, 1, Qt::DotLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(layout.sectorCell(row, sector).adjusted(1.5, 0, -1.5, 0));
        }
        for (const SectorUse& sector : shown.global.sectors)
            if (sector.address / 128 * 128 == row.address)
                paintSector(painter, layout, row, sector, shown, *context.trace, theme);
    }
}

QString lanesText(LaneMask lanes) {
    if (lanes == LaneMask::all())
        return tr("all");
    QString text = QString::number(lanes.lowest());
    return lanes.count() > 1 ? text + QChar(0x2026) : text;
}

void paintShared(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, const PaintContext& context) {
    const Theme& theme = context.theme;
    const QFont small = theme.small();
    const double step = layout.bankWidth > textWidth(small, "00") + 4 ? 1 : 4;
    for (int bank = 0; bank < 32; bank += int(step))
        paintText(painter,
                  QRectF(layout.lanes.left() + bank * layout.bankWidth, layout.lanes.bottom() + lineHeight(small) * 0.8,
                         layout.bankWidth * step, lineHeight(small)),
                  QString::number(bank), small, theme.textMuted, step > 1 ? Qt::AlignLeft : Qt::AlignHCenter);
    paintText(painter,
              QRectF(layout.map.left(), layout.lanes.bottom() + lineHeight(small) * 0.8,
                     layout.lanes.left() - layout.map.left() - 6, lineHeight(small)),
              tr("banks"), small, theme.textMuted);
    for (std::size_t pass = 0; pass < layout.passRows.size(); ++pass) {
        const QRectF& row = layout.passRows[pass];
        if (row.height() >= lineHeight(small) * 0.7)
            paintText(painter, QRectF(layout.map.left(), row.top(), row.left() - layout.map.left() - 6, row.height()),
                      tr("pass %1").arg(pass + 1), small, theme.textMuted);
        for (int bank = 0; bank < 32; ++bank)
            painter.fillRect(layout.bankCell(int(pass), bank).adjusted(1, 0, -1, 0), theme.sunken);
    }
    for (const BankWord& word : shown.shared.words) {
        const QRectF cell = layout.bankCell(word.pass, word.bank).adjusted(1, 0, -1, 0);
        const bool conflict = !(word.lanes & shown.shared.conflicting).empty();
        paintCell(painter, cell, conflict ? theme.attention : theme.laneOn, conflict ? Hatch::Diagonal : Hatch::None,
                  theme.panel);
        if (word.lanes.has(context.selection.lane >= 0 ? context.selection.lane : 32 - 1) &&
            context.selection.lane >= 0) {
            painter.setPen(QPen(theme.text, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(cell);
        }
        const QString text = lanesText(word.lanes);
        if (cell.height() >= lineHeight(small) * 0.8 && cell.width() > textWidth(small, text)) {
            const QRectF patch(cell.center().x() - textWidth(small, text) / 2 - 1,
                               cell.center().y() - lineHeight(small) / 2 + 1, textWidth(small, text) + 2,
                               lineHeight(small) - 2);
            painter.fillRect(patch & cell,
                             conflict ? theme.attention : theme.laneOn); // the hatch must not cross the number
            paintText(painter, cell, text, small, theme.textOnAccent, Qt::AlignCenter);
        }
    }
}

void paintSummary(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, const Theme& theme) {
    const double line = lineHeight(theme.body());
    QString text;
    double share = 0;
    if (shown.isShared) {
        share = shown.shared.passes > 0 ? double(shown.shared.idealPasses) / shown.shared.passes : 0;
        text = shown.shared.conflicting.empty()
                   ? tr("%1 lanes are served in %2 pass(es): no two of them need different words of one bank.")
                         .arg(shown.what.active.count())
                         .arg(shown.shared.passes)
                   : tr("%1 passes where %2 would do: up to %3 lanes need different words of one bank and wait for "
                        "each other.")
                         .arg(shown.shared.passes)
                         .arg(shown.shared.idealPasses)
                         .arg(shown.shared.passes / std::max(1, shown.shared.idealPasses));
    } else {
        share = shown.global.efficiency() / 100;
        text = tr("Asked for %1 bytes (%2 different ones), moved %3 sectors of 32 bytes = %4 bytes in %5 line(s): %6 "
                  "of what moves is used.")
                   .arg(shown.global.bytesRequested)
                   .arg(shown.global.bytesDistinct)
                   .arg(shown.global.sectors.size())
                   .arg(32 * shown.global.sectors.size())
                   .arg(shown.global.lines)
                   .arg(percentText(shown.global.efficiency(), 2));
    }
    const QRectF bar(layout.summary.left(), layout.summary.top(), layout.summary.width() * 0.55, line * 0.7);
    paintShareBar(painter, bar, share, share > 0.75 ? theme.good : share > 0.4 ? theme.laneOn : theme.attention, theme);
    paintText(painter, QRectF(bar.right() + 10, bar.top() - line * 0.25, line * 6, line * 1.2),
              percentText(share * 100, 1), theme.title(), theme.text);
    paintOriginChip(painter, QPointF(bar.right() + 10 + line * 6, bar.top() - line * 0.2), Origin::Counted, theme);
    paintParagraph(&painter,
                   QRectF(layout.summary.left(), bar.bottom() + line * 0.5, layout.summary.width(), line * 2.2), text,
                   theme.body(), theme.text);
}

void paintKey(QPainter& painter, const QRectF& where, bool shared, const Theme& theme) {
    struct Entry {
        QColor fill;
        Hatch hatch;
        QColor ink;
        QString text;
    };
    QVector<Entry> entries;
    if (shared)
        entries = {{theme.laneOn, Hatch::None, theme.panel, tr("served")},
                   {theme.attention, Hatch::Diagonal, theme.panel, tr("shares its bank: one pass each")}};
    else
        entries = {{theme.laneOn, Hatch::None, theme.panel, tr("asked for")},
                   {theme.originModelledSoft, Hatch::Diagonal, theme.originModelled, tr("moved with it, unused")},
                   {theme.window, Hatch::None, theme.border, tr("not moved")}};
    double x = where.left();
    const double size = lineHeight(theme.small()) * 0.8;
    for (const Entry& entry : entries) {
        const QRectF cell(x, where.center().y() - size / 2, size * 1.4, size);
        paintCell(painter, cell, entry.fill, entry.hatch, entry.ink);
        painter.setPen(QPen(theme.border, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(cell);
        const double width = textWidth(theme.small(), entry.text) + 4;
        paintText(painter, QRectF(cell.right() + 6, where.top(), width, where.height()), entry.text, theme.small(),
                  theme.textMuted);
        x = cell.right() + 6 + width + size * 1.5;
    }
}

class MemoryView final : public View {
public:
    QString key() const override { return "memory"; }
    QString title() const override { return tr("Memory"); }
    QString question() const override {
        return tr("What does one access ask of the memory, and what is moved for it?");
    }

    void paint(QPainter& painter, const QRectF& area, const PaintContext& context) const override {
        const auto shown = shownIn(context);
        if (!shown)
            return;
        const Theme& theme = context.theme;
        const MemoryLayout layout = layoutOf(area, &*shown, theme);
        const Trace& trace = *context.trace;
        paintText(painter, layout.title,
                  shown->isShared ? tr("Which banks serve this access") : tr("Which sectors this access moves"),
                  theme.title(), theme.text);
        paintText(painter, layout.heading, heading(trace, *shown), theme.body(), theme.text);
        paintLanes(painter, layout, *shown, trace.warps[shown->warp].liveLanes, theme);
        if (shown->isShared)
            paintShared(painter, layout, *shown, context);
        else
            paintGlobal(painter, layout, *shown, context);
        paintSummary(painter, layout, *shown, theme);
        paintKey(painter, layout.legend, shown->isShared, theme);
        const auto lines = accessLines(trace, context.selection.launch, filterOf(context));
        paintMemoryTable(painter, layout.table, lines, shown->ptxLine, theme);
    }

    Selection hit(const QRectF& area, const PaintContext& context, QPointF at) const override {
        Selection selection = context.selection;
        const auto shown = shownIn(context);
        if (!shown)
            return selection;
        const MemoryLayout layout = layoutOf(area, &*shown, context.theme);
        if (layout.lanes.contains(at)) {
            selection.warp = shown->warp;
            selection.lane = int((at.x() - layout.lanes.left()) / layout.laneWidth);
            return completed(selection, *context.trace);
        }
        const auto lines = accessLines(*context.trace, context.selection.launch, filterOf(context));
        const int row = memoryTableRowAt(layout.table, int(lines.size()), at, context.theme);
        if (row >= 0) {
            selection.ptxLine = lines[std::size_t(row)].ptxLine;
            selection.sourceLine = lines[std::size_t(row)].sourceLine;
        }
        return selection;
    }

    QString toolTip(const QRectF& area, const PaintContext& context, QPointF at) const override {
        const auto shown = shownIn(context);
        if (!shown)
            return {};
        const MemoryLayout layout = layoutOf(area, &*shown, context.theme);
        if (layout.lanes.contains(at)) {
            const int lane = int((at.x() - layout.lanes.left()) / layout.laneWidth);
            if (!shown->what.active.has(lane))
                return tr("lane %1 does not access").arg(lane);
            const int k = (shown->what.active & LaneMask::firstLanes(lane)).count();
            return tr("lane %1: address 0x%2")
                .arg(lane)
                .arg(context.trace->addresses(*shown->row)[std::size_t(k)], 0, 16);
        }
        for (const auto& row : layout.lineRows)
            for (const SectorUse& sector : shown->global.sectors)
                if (sector.address / 128 * 128 == row.address &&
                    layout.sectorCell(row, int(sector.address / 32 % 4)).contains(at))
                    return tr("sector 0x%1: %2 of 32 bytes used by %3 lane(s)")
                        .arg(sector.address, 0, 16)
                        .arg(std::popcount(sector.bytes))
                        .arg(sector.lanes.count());
        for (const BankWord& word : shown->shared.words)
            if (!layout.passRows.empty() && layout.bankCell(word.pass, word.bank).contains(at))
                return tr("bank %1, pass %2: word 0x%3 for %4 lane(s)")
                    .arg(word.bank)
                    .arg(word.pass + 1)
                    .arg(word.address, 0, 16)
                    .arg(word.lanes.count());
        return {};
    }

    bool key(const QRectF&, PaintContext& context, int key, Qt::KeyboardModifiers) const override {
        if (key != Qt::Key_Left && key != Qt::Key_Right && key != Qt::Key_A && key != Qt::Key_D)
            return false;
        const auto shown = shownIn(context);
        if (!shown)
            return false;
        const auto next = neighbourAccess(*context.trace, *shown, filterOf(context),
                                          key == Qt::Key_Right || key == Qt::Key_D ? 1 : -1);
        if (!next)
            return false;
        context.selection.warp = shown->warp;
        context.selection.time = context.trace->events.time(*next, context.trace->warps[shown->warp].start);
        context.selection.ptxLine = context.trace->sites[context.trace->events.site(*next)].ptxLine;
        context.selection.sourceLine = 0;
        context.selection = completed(context.selection, *context.trace);
        return true;
    }

    QVector<Switch> switches(const PaintContext&) const override {
        return {
            {"space", tr("memory"), {{"all", tr("all")}, {"global", tr("global")}, {"shared", tr("shared")}}, "all"}};
    }

    QString csv(const PaintContext& context) const override {
        if (!context.trace)
            return {};
        return memoryTableCsv(accessLines(*context.trace, context.selection.launch, filterOf(context)));
    }

    std::optional<Emptiness> emptiness(const PaintContext& context) const override {
        if (!context.trace)
            return Emptiness{tr("No kernel has been run yet."), "run", tr("Run the chosen kernel")};
        if (shownIn(context))
            return std::nullopt;
        return Emptiness{tr("This recording holds no addresses: they are kept for chosen blocks, when asked for."),
                         "recordAccesses", tr("Run again with addresses")};
    }
};

} // namespace

std::unique_ptr<View> makeMemoryView() {
    return std::make_unique<MemoryView>();
}

} // namespace warpglass
