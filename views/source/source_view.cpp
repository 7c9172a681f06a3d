// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/source_view.h"

#include "views/common/ticks.h"
#include "views/source/source_paint.h"

#include <array>
#include <cmath>
#include <mutex>

namespace warpglass {

namespace {

struct Picture {
    std::shared_ptr<const Listings> listings;
    SourceLayout layout;
    std::uint32_t warp = noIndex;
    CurrentLine now;
    std::uint32_t sourceLine = 0, ptxLine = 0; // selected
    QSet<int> markedSource, markedPtx;
};

class SourceView final : public View {
public:
    QString key() const override { return QStringLiteral("source"); }
    QString title() const override { return SourceText::tr("Source"); }
    QString question() const override {
        return SourceText::tr("What became of each line, how often did it run, and with how many lanes?");
    }

    void paint(QPainter& painter, const QRectF& area, const PaintContext& c) const override {
        const Theme& theme = c.theme;
        const Picture p = prepare(area, c);
        const Kernel& kernel = kernelOf(c, *p.listings);
        paintText(painter, p.layout.title, SourceText::tr("%1, line by line").arg(QString::fromStdString(kernel.name)),
                  theme.title(), theme.text);
        paintText(painter, p.layout.question, whereNow(p, c), theme.small(),
                  p.now.ptx ? theme.attention : theme.textMuted);
        paintLinks(painter, p.layout, *p.listings, p.sourceLine, theme);
        const qreal shift = c.options.value(QStringLiteral("left"), 0.0).toDouble();
        if (p.layout.source.shown()) {
            if (p.listings->source.lines.isEmpty())
                missing(painter, p.layout.source,
                        SourceText::tr("The CUDA source is not in this trace: it was run from PTX alone."), theme);
            else
                paintPane(painter, {*p.listings, p.listings->source, p.layout.source, theme, false,
                                    QString::fromStdString(kernel.sourceName), SourceText::tr("CUDA"),
                                    int(p.now.source), p.markedSource, shift});
        }
        if (p.layout.ptx.shown())
            paintPane(painter, {*p.listings, p.listings->ptx, p.layout.ptx, theme, true, SourceText::tr("PTX"),
                                c.trace->info.mode == CompileMode::AsWritten ? SourceText::tr("compiled as written")
                                                                             : SourceText::tr("optimised"),
                                int(p.now.ptx), p.markedPtx, shift});
        paintLegendRow(painter, p.layout.legend, theme);
    }

    void paintOverlay(QPainter& painter, const QRectF& area, const PaintContext& c, QPointF at) const override {
        const Picture p = prepare(area, c);
        for (const Pane* pane : {&p.layout.source, &p.layout.ptx}) {
            if (!pane->rows.contains(at))
                continue;
            if (const int line = pane->lineAt(at.y())) {
                QColor soft = c.theme.accent;
                soft.setAlphaF(0.12f);
                painter.fillRect(pane->row(line) & pane->rows, soft);
            }
        }
    }

    Selection hit(const QRectF& area, const PaintContext& c, QPointF at) const override {
        const Picture p = prepare(area, c);
        Selection s = c.selection;
        if (p.layout.source.rows.contains(at)) {
            if (const int line = p.layout.source.lineAt(at.y())) {
                s.sourceLine = std::uint32_t(line);
                s.ptxLine = 0;
            }
        } else if (p.layout.ptx.rows.contains(at)) {
            if (const int line = p.layout.ptx.lineAt(at.y())) {
                s.ptxLine = std::uint32_t(line);
                s.sourceLine = p.listings->sourceOfPtx[line];
            }
        }
        return s;
    }

    QString toolTip(const QRectF& area, const PaintContext& c, QPointF at) const override {
        const Picture p = prepare(area, c);
        if (p.layout.source.rows.contains(at))
            return lineToolTip(p.listings->source, p.layout.source.lineAt(at.y()), false);
        if (p.layout.ptx.rows.contains(at))
            return lineToolTip(p.listings->ptx, p.layout.ptx.lineAt(at.y()), true);
        return {};
    }

    QVector<Switch> switches(const PaintContext&) const override {
        return {{QStringLiteral("show"),
                 SourceText::tr("show"),
                 {{QStringLiteral("both"), SourceText::tr("source and PTX")},
                  {QStringLiteral("source"), SourceText::tr("source")},
                  {QStringLiteral("ptx"), SourceText::tr("PTX")}},
                 QStringLiteral("both")}};
    }

    bool wheel(const QRectF& area, PaintContext& c, QPointF at, double steps,
               Qt::KeyboardModifiers modifiers) const override {
        const Picture p = prepare(area, c);
        if (modifiers & Qt::ShiftModifier)
            return moveLeft(c, -40 * steps);
        return scroll(p, c, at, -3 * steps);
    }

    bool drag(const QRectF& area, PaintContext& c, QPointF from, QPointF to) const override {
        const Picture p = prepare(area, c);
        const bool sideways = moveLeft(c, from.x() - to.x());
        return scroll(p, c, from, (from.y() - to.y()) / p.layout.source.lineHeight) || sideways;
    }

    bool key(const QRectF& area, PaintContext& c, int key, Qt::KeyboardModifiers modifiers) const override {
        if (modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
            return false;
        const Picture p = prepare(area, c);
        switch (key) {
        case Qt::Key_Up:
        case Qt::Key_W:
            return selectNeighbour(p, c, -1);
        case Qt::Key_Down:
        case Qt::Key_S:
            return selectNeighbour(p, c, 1);
        case Qt::Key_Left:
        case Qt::Key_A:
            return moveLeft(c, -40);
        case Qt::Key_Right:
        case Qt::Key_D:
            return moveLeft(c, 40);
        case Qt::Key_F:
        case Qt::Key_Home:
            for (const char* name : {"sourceFrom", "ptxFrom", "left"})
                c.options.remove(QString::fromLatin1(name));
            if (key == Qt::Key_Home)
                c.selection.sourceLine = c.selection.ptxLine = 0;
            return true;
        default:
            return false;
        }
    }

    QString csv(const PaintContext& c) const override {
        if (emptiness(c))
            return {};
        const auto all = listings(c);
        QString out = QStringLiteral("text,line,source_line,executions_warps,warp_instructions,lanes,lanes_on_percent,"
                                     "divergent,requests,sectors_32B,"
                                     "shared_requests,shared_passes,origin,code\n");
        for (const bool ptx : {false, true}) {
            const Listing& listing = ptx ? all->ptx : all->source;
            for (int n = 1; n <= listing.lines.size(); ++n) {
                const ListingLine& line = listing.lines[n - 1];
                const LineCount& k = line.count;
                if (!k.any())
                    continue;
                const QStringList fields{ptx ? QStringLiteral("ptx") : QStringLiteral("source"),
                                         QString::number(n),
                                         QString::number(ptx ? all->sourceOfPtx[n] : std::uint32_t(n)),
                                         QString::number(k.executions),
                                         QString::number(k.issued),
                                         QString::number(k.lanes),
                                         QString::number(100 * k.lanesOn(), 'f', 3),
                                         QString::number(k.divergent),
                                         QString::number(k.requests),
                                         QString::number(k.sectors),
                                         QString::number(k.sharedRequests),
                                         QString::number(k.passes),
                                         QStringLiteral("counted"),
                                         csvField(line.text.trimmed())};
                out += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
            }
        }
        return out;
    }

    std::optional<Emptiness> emptiness(const PaintContext& c) const override {
        if (!c.trace || c.trace->launches.empty() || c.trace->kernels.empty())
            return Emptiness{SourceText::tr("No kernel has been run yet."), QStringLiteral("run"),
                             SourceText::tr("Run the chosen kernel")};
        const Kernel& kernel = c.trace->kernelOf(c.trace->launches[completed(c.selection, *c.trace).launch]);
        if (kernel.source.empty() && kernel.ptx.empty())
            return Emptiness{SourceText::tr("This trace holds neither the source nor the PTX of its kernel."), {}, {}};
        return std::nullopt;
    }

private:
    static const Kernel& kernelOf(const PaintContext& c, const Listings& l) {
        return c.trace->kernelOf(c.trace->launches[l.launch]);
    }

    // Texts are cut into lines and tokens once, and kept while the same ones are asked for.
    std::shared_ptr<const Listings> listings(const PaintContext& c) const {
        const std::uint32_t launch = completed(c.selection, *c.trace).launch;
        const std::lock_guard lock(m_mutex);
        for (const auto& kept : m_kept)
            if (kept && kept->trace == c.trace && kept->launch == launch)
                return kept;
        m_kept[m_next] = makeListings(c.trace, launch);
        const auto made = m_kept[m_next];
        m_next = (m_next + 1) % m_kept.size();
        return made;
    }

    Picture prepare(const QRectF& area, const PaintContext& c) const {
        Picture p;
        p.listings = listings(c);
        p.warp = warpToShow(c.selection, *c.trace);
        p.now = currentLine(*p.listings, p.warp, c.selection.time);
        p.sourceLine = c.selection.sourceLine;
        p.ptxLine = c.selection.ptxLine;
        if (!p.sourceLine && p.ptxLine && p.ptxLine < std::uint32_t(p.listings->sourceOfPtx.size()))
            p.sourceLine = p.listings->sourceOfPtx[int(p.ptxLine)];
        if (p.sourceLine && p.sourceLine < std::uint32_t(p.listings->ptxOfSource.size())) {
            p.markedSource.insert(int(p.sourceLine));
            for (const std::uint32_t line : p.listings->ptxOfSource[int(p.sourceLine)])
                p.markedPtx.insert(int(line));
        }
        if (p.ptxLine)
            p.markedPtx.insert(int(p.ptxLine));

        const Theme& theme = c.theme;
        SourceRequest r;
        r.area = area;
        r.scale = theme.fontScale;
        r.titleHeight = lineHeight(theme.title());
        r.smallHeight = lineHeight(theme.small());
        r.lineHeight = lineHeight(theme.mono()) + 2 * theme.fontScale;
        r.digitWidth = textWidth(theme.small(), QStringLiteral("0"));
        r.countLength = int(numberText(p.listings->mostExecutions).size());
        const QString show = optionOf(c, QStringLiteral("show"), QStringLiteral("both"));
        r.shown = show == QLatin1String("source") ? ShownText::Source
                  : show == QLatin1String("ptx")  ? ShownText::Ptx
                                                  : ShownText::Both;
        const auto pane = [&](const Listing& l, const char* from, std::uint32_t selected, std::uint32_t now) {
            PaneRequest q;
            q.lines = int(l.lines.size());
            q.firstLinked = l.firstLinked;
            q.lastLinked = l.lastLinked;
            q.focus = int(selected ? selected : now);
            q.from = c.options.value(QString::fromLatin1(from), -1.0).toDouble();
            return q;
        };
        r.source = pane(p.listings->source, "sourceFrom", p.sourceLine, p.now.source);
        std::uint32_t ptxFocus = p.ptxLine;
        if (!ptxFocus && p.sourceLine && p.sourceLine < std::uint32_t(p.listings->ptxOfSource.size()) &&
            !p.listings->ptxOfSource[int(p.sourceLine)].isEmpty())
            ptxFocus = p.listings->ptxOfSource[int(p.sourceLine)].front();
        r.ptx = pane(p.listings->ptx, "ptxFrom", ptxFocus, p.now.ptx);
        p.layout = layoutSource(r);
        return p;
    }

    static QString whereNow(const Picture& p, const PaintContext& c) {
        if (p.warp == noIndex)
            return SourceText::tr("No warp of this launch was recorded in detail; the counts are of all blocks.");
        const Trace& trace = *c.trace;
        const Warp& warp = trace.warps[p.warp];
        const QString who =
            SourceText::tr("block %1, warp %2").arg(trace.blocks[warp.block].index).arg(warp.warpInBlock);
        if (p.now.ended)
            return SourceText::tr("%1 has ended").arg(who);
        if (!p.now.ptx)
            return SourceText::tr("%1 has not started").arg(who);
        const int on = trace.lanesAt(warp, c.selection.time).on.count();
        if (p.now.source)
            return SourceText::tr("%1 is at line %2 (PTX line %3) with %4 lanes on")
                .arg(who)
                .arg(p.now.source)
                .arg(p.now.ptx)
                .arg(on);
        return SourceText::tr("%1 is at PTX line %2 with %3 lanes on").arg(who).arg(p.now.ptx).arg(on);
    }

    static void missing(QPainter& painter, const Pane& pane, const QString& text, const Theme& theme) {
        painter.setPen(QPen(theme.border, 1, Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(pane.rows, 6, 6);
        paintParagraph(&painter, pane.rows.adjusted(16, 16, -16, -16), text, theme.body(), theme.textMuted);
    }

    static void paintLegendRow(QPainter& painter, const QRectF& row, const Theme& theme) {
        const qreal chip = chipWidth(originName(Origin::Counted), theme);
        paintOriginChip(painter, {row.left(), row.center().y() - chipHeight(theme) / 2}, Origin::Counted, theme);
        const QRectF rest = row.adjusted(chip + 8 * theme.fontScale, 0, 0, 0);
        QString text =
            SourceText::tr("over the whole launch: warps that ran the line · share of lanes on · branches at which "
                           "lanes parted · sectors of 32 bytes a request (p: passes of shared memory)");
        if (textWidth(theme.small(), text) > rest.width())
            text = SourceText::tr("of the whole launch; bar: share of lanes on");
        paintText(painter, rest, text, theme.small(), theme.textMuted);
    }

    static bool scroll(const Picture& p, PaintContext& c, QPointF at, double lines) {
        const bool ptx = p.layout.ptx.whole.contains(at) || !p.layout.source.shown();
        const Pane& pane = ptx ? p.layout.ptx : p.layout.source;
        const double from = qBound(0.0, pane.from + lines, qMax(0.0, pane.lines - pane.inSight));
        if (!pane.shown() || from == pane.from)
            return false;
        c.options[ptx ? QStringLiteral("ptxFrom") : QStringLiteral("sourceFrom")] = from;
        return true;
    }

    static bool moveLeft(PaintContext& c, double by) {
        const double now = c.options.value(QStringLiteral("left"), 0.0).toDouble();
        const double next = qBound(0.0, now + by, 2000.0);
        c.options[QStringLiteral("left")] = next;
        return next != now;
    }

    static bool selectNeighbour(const Picture& p, PaintContext& c, int by) {
        const Listing& l = p.layout.source.shown() ? p.listings->source : p.listings->ptx;
        const bool ptx = !p.layout.source.shown();
        if (l.lines.isEmpty())
            return false;
        const int now = int(ptx ? p.ptxLine : p.sourceLine);
        const int next = now ? qBound(1, now + by, int(l.lines.size())) : qMax(1, l.firstLinked);
        c.options.remove(QStringLiteral("sourceFrom"));
        c.options.remove(QStringLiteral("ptxFrom"));
        if (ptx) {
            c.selection.ptxLine = std::uint32_t(next);
            c.selection.sourceLine = p.listings->sourceOfPtx[next];
        } else {
            c.selection.sourceLine = std::uint32_t(next);
            c.selection.ptxLine = 0;
        }
        return true;
    }

    mutable std::mutex m_mutex;
    mutable std::array<std::shared_ptr<const Listings>, 2> m_kept;
    mutable std::size_t m_next = 0;
};

} // namespace

std::unique_ptr<View> makeSourceView() {
    return std::make_unique<SourceView>();
}

} // namespace warpglass
