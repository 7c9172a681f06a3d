// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/source_paint.h"

#include "views/common/agreeing.h"
#include "views/common/painted_words.h"
#include "views/common/pinned.h"
#include "views/common/ticks.h"
#include "views/source/machine_paint.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

// What is counted once more at the inlined body stands in brackets.
QString bracketed(const LineCount& c, const QString& text) {
    return c.inlined ? QLatin1Char('(') + text + QLatin1Char(')') : text;
}

} // namespace

QString divergentText(const LineCount& c) {
    return c.parted ? bracketed(c, numberText(c.parted)) : QString();
}

QString perRequestText(const LineCount& c) {
    if (!c.requests && !c.sharedRequests)
        return {};
    QStringList parts;
    if (c.requests)
        parts << decimalText(c.sectorsPerRequest());
    const double passes = c.passesPerRequest();
    if (c.sharedRequests && (!c.requests || passes > 1.05)) // beside sectors only where banks are in one another's way
        parts << decimalText(passes, passes < 10 ? 1 : 0) + QStringLiteral(" p");
    return bracketed(c, parts.join(QStringLiteral(" · ")));
}

QColor tokenColour(TokenKind kind, const Theme& theme) {
    const bool dark = theme.kind == ThemeKind::Dark;
    switch (kind) {
    case TokenKind::Plain:
        return theme.text;
    case TokenKind::Keyword:
    case TokenKind::Opcode:
        return theme.accent;
    case TokenKind::Type:
        return dark ? QColor(0x5fd3ae) : QColor(0x00694c);
    case TokenKind::Builtin:
        return dark ? QColor(0xe3a6ca) : QColor(0x8e3b72);
    case TokenKind::Number:
    case TokenKind::String:
        return dark ? QColor(0xf0c266) : QColor(0x7d5600);
    case TokenKind::Comment:
    case TokenKind::Directive:
        return theme.textMuted;
    case TokenKind::Register:
        return theme.text;
    case TokenKind::Label:
        return theme.attention;
    }
    return theme.text;
}

namespace {

// Whole letters only: what lies before the pane is left out, what lies behind it becomes an ellipsis and is told by a tip.
void paintCode(QPainter& painter, const PanePicture& p, const ListingLine& line, const QRectF& where,
               const QFont& font) {
    if (PaintedWords::cutByAList(painter, where))
        return;
    qreal x = where.left() - p.shift;
    const QFontMetricsF metrics(font);
    const qreal base = where.top() + (where.height() + metrics.ascent() - metrics.descent()) / 2;
    const bool longer = x + metrics.horizontalAdvance(line.text) > where.right() + 0.5;
    const qreal end = longer ? where.right() - metrics.horizontalAdvance(QChar(0x2026)) : where.right() + 0.5;
    painter.setFont(font);
    for (const Token& token : line.tokens) {
        const QString text = line.text.mid(token.begin, token.length);
        const qreal next = x + metrics.horizontalAdvance(text);
        if (next > where.left()) {
            qsizetype skipped = 0;
            qreal left = x;
            while (left < where.left() && skipped < text.size())
                left = x + metrics.horizontalAdvance(text.left(++skipped));
            painter.setPen(tokenColour(token.kind, p.theme));
            if (next > end) {
                painter.drawText(QPointF(left, base), metrics.elidedText(line.text.mid(token.begin + skipped),
                                                                         Qt::ElideRight, where.right() - left));
                PaintedWords::note(painter, where, line.text.trimmed());
                return;
            }
            painter.drawText(QPointF(left, base), text.mid(skipped));
        }
        x = next;
    }
}

// A fork: one way in, two ways out. Says "divergent" without colour.
void paintFork(QPainter& painter, QPointF left, qreal size, const QColor& ink) {
    painter.setPen(QPen(ink, 1.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawLine(left, left + QPointF(size * 0.45, 0));
    painter.drawLine(left + QPointF(size * 0.45, 0), left + QPointF(size, -size * 0.4));
    painter.drawLine(left + QPointF(size * 0.45, 0), left + QPointF(size, size * 0.4));
}

void paintCounts(QPainter& painter, const PanePicture& p, const ListingLine& line, int n) {
    const Theme& theme = p.theme;
    const LineCount& c = line.count;
    const Pane& pane = p.pane;
    if (p.listings.sampled && c.samples > 0 && pane.executions.width() > 0)
        paintText(painter, pane.in(pane.executions, n), sampledText(c, p.listings), theme.small(), theme.textMuted,
                  Qt::AlignRight | Qt::AlignVCenter);
    if (!c.any())
        return;
    const bool below = pane.lanes == pane.executions;
    if (pane.executions.width() > 0)
        paintText(painter, pane.in(pane.executions, n).adjusted(0, 0, 0, below ? -2 * theme.fontScale : 0),
                  numberText(c.executions), theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    const qreal thick = below ? 3 * theme.fontScale : qMin(8 * theme.fontScale, pane.lineHeight * 0.5);
    const QRectF cell = pane.in(pane.lanes, n);
    const qreal top = below ? cell.bottom() - thick : cell.center().y() - thick / 2;
    const double share = c.lanesOn();
    paintShareBar(painter, {cell.left(), top, cell.width(), thick}, share,
                  share > 0.9995 ? theme.laneOn : theme.attention, theme);
    if (c.divergent && pane.divergent.width() > 0) {
        QRectF d = pane.in(pane.divergent, n);
        const qreal size = 10 * theme.fontScale;
        paintFork(painter, {d.left(), d.center().y()}, size, theme.attention);
        d.setLeft(pane.divergent.left() + Pane::forkWidth * theme.fontScale);
        paintText(painter, d, divergentText(c), theme.small(), theme.attention);
    }
    if (pane.sectors.width() > 0 && (c.requests || c.sharedRequests)) {
        paintText(painter, pane.in(pane.sectors, n), perRequestText(c), theme.small(), theme.textMuted,
                  Qt::AlignRight | Qt::AlignVCenter);
    }
}

} // namespace

std::optional<std::uint64_t> pinnedWork(const Listings& pinned, const LineMatch& match, const Listing& listing,
                                        int line) {
    const std::uint32_t before = match.lineOfA(std::uint32_t(line));
    if (before == 0 || before > std::uint32_t(pinned.source.lines.size()))
        return std::nullopt;
    const std::uint64_t work = pinned.source.lines[before - 1].count.issued;
    return work > listing.lines[line - 1].count.issued ? std::optional(work) : std::nullopt;
}

QString sampledText(const LineCount& count, const Listings& listings) {
    return shareText(100 * count.workOf(listings.issued));
}

double heatOf(const LineCount& count, std::uint64_t all) {
    constexpr double hot = 0.25, least = 0.01; // share of the launch's work: as strong as can be, and not seen
    const double share = count.workOf(all);
    return share < least ? 0 : std::min(1.0, std::sqrt(share / hot));
}

QString wordAt(const Pane& pane, const Listing& listing, const Theme& theme, qreal shift, QPointF at) {
    const int n = pane.lineAt(at.y());
    if (n < 1 || n > listing.lines.size() || !pane.code.contains(at))
        return {};
    const QString& text = listing.lines[n - 1].text;
    const QFontMetricsF metrics(theme.mono());
    const qreal x = at.x() - (pane.in(pane.code, n).left() - shift);
    int letter = 0;
    while (letter < text.size() && metrics.horizontalAdvance(text.left(letter + 1)) <= x)
        ++letter;
    const auto isOfName = [&](int k) {
        return k >= 0 && k < text.size() && (text[k].isLetterOrNumber() || text[k] == QLatin1Char('_'));
    };
    if (x < 0 || !isOfName(letter))
        return {};
    int begin = letter, end = letter;
    while (isOfName(begin - 1))
        --begin;
    while (isOfName(end))
        ++end;
    return text.mid(begin, end - begin);
}

void paintPane(QPainter& painter, const PanePicture& p) {
    const Pane& pane = p.pane;
    if (!pane.shown())
        return;
    const Theme& theme = p.theme;
    const qreal s = theme.fontScale;
    QFont bold = theme.body();
    bold.setBold(true);
    const qreal used = paintText(painter, pane.heading, p.heading, bold, theme.text);
    QRectF rest = pane.heading;
    rest.setLeft(rest.left() + used + 12 * s);
    paintText(painter, rest, p.note, theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);

    // Heads of the margin; each stands over its own column.
    const auto caption = [&](const QRectF& column, const QString& text, Qt::Alignment align) {
        if (column.width() > 0)
            paintText(painter, {column.left(), pane.captions.top(), column.width(), pane.captions.height()}, text,
                      theme.small(), theme.textMuted, align | Qt::AlignVCenter);
    };
    caption(pane.executions,
            p.machine && !p.machine->anyCounted ? SourceText::tr("≈ warps")
            : !p.machine && p.listings.sampled  ? SourceText::tr("samples")
                                                : SourceText::tr("warps"),
            Qt::AlignRight);
    if (pane.lanes != pane.executions && pane.lanes.width() > 0)
        caption(pane.lanes, SourceText::tr("lanes"), Qt::AlignLeft);
    if (p.machine)
        caption(pane.divergent, SourceText::tr("live"), Qt::AlignRight);
    else if (pane.divergent.width() > 0) // the mark itself is the caption
        paintFork(painter, {pane.divergent.left(), pane.captions.center().y()}, 10 * s, theme.attention);
    // Longer than the numbers below it: it may begin where no other caption is.
    QRectF sectors = pane.sectors;
    if (sectors.width() > 0)
        sectors.setLeft(p.machine && pane.divergent.width() > 0 ? pane.divergent.right() + 3 * s
                        : pane.divergent.width() > 0            ? pane.divergent.left() + Pane::forkWidth * s
                                                                : pane.lanes.right() + 3 * s);
    caption(sectors,
            !p.machine           ? SourceText::tr("sectors")
            : p.machine->sampled ? SourceText::tr("samples")
                                 : SourceText::tr("stalls"),
            Qt::AlignRight);
    if (p.machine)
        paintControlCaptions(painter, pane.control, pane.captions, theme);

    painter.save();
    painter.setClipRect(pane.rows);
    painter.fillRect(pane.rows, theme.panel);
    const QFont mono = theme.mono();
    const std::uint64_t work = p.listings.countedWarps > 0 ? 0 : p.listings.issued; // events are not all instructions
    for (int n = pane.first(); n < pane.end(); ++n) {
        const ListingLine& line = p.listing.lines[n - 1];
        const QRectF row = pane.row(n);
        if (p.marked.contains(n))
            painter.fillRect(row, theme.accentSoft);
        if (const double heat = heatOf(line.count, work); heat > 0) {
            QColor ground = theme.category(1);
            ground.setAlphaF(float(0.08 + 0.42 * heat));
            const QRectF number = pane.in(pane.numbers, n);
            painter.fillRect(QRectF(row.left(), row.top() + 1, number.right() + 3 * s - row.left(), row.height() - 2),
                             ground);
        }
        if (p.pinned && pinnedWork(*p.pinned, *p.match, p.listing, n))
            paintPinnedFrame(painter, pane.in(pane.numbers, n).adjusted(-2 * s, 2, 2 * s, -2), theme);
        if (n == p.now) {
            QColor soft = theme.attention;
            soft.setAlphaF(0.13f);
            painter.fillRect(row, soft);
            const QRectF mark = pane.in(pane.now, n);
            const qreal h = 4.5 * s;
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.attention);
            const QPointF c = mark.center();
            const QPointF triangle[3]{c + QPointF(-h * 0.8, -h), c + QPointF(h, 0), c + QPointF(-h * 0.8, h)};
            painter.drawPolygon(triangle, 3);
        }
        const QColor ink = line.linked ? theme.text : theme.textMuted;
        paintText(painter, pane.in(pane.numbers, n), p.machine ? placeText(n) : QString::number(n), theme.small(),
                  n == p.now ? theme.attention : ink, Qt::AlignRight | Qt::AlignVCenter);
        if (p.machine)
            paintMachineMargin(painter, pane, *p.machine, n, theme);
        else
            paintCounts(painter, p, line, n);
    }
    if (p.machine)
        paintWaits(painter, pane, *p.machine, p.chosen, theme);
    painter.setClipRect(pane.code);
    for (int n = pane.first(); n < pane.end(); ++n)
        paintCode(painter, p, p.listing.lines[n - 1], pane.in(pane.code, n), mono);
    painter.restore();
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(pane.rows);
    if (pane.inSight < pane.lines) { // where in the text we are
        const QRectF track(pane.rows.right() - 5 * s, pane.rows.top() + 2, 3 * s, pane.rows.height() - 4);
        QColor thumb = theme.textMuted;
        thumb.setAlphaF(0.5f);
        const qreal length = qMax(14 * s, track.height() * pane.inSight / pane.lines);
        const qreal at = (track.height() - length) * pane.from / qMax(1e-9, pane.lines - pane.inSight);
        painter.fillRect(QRectF(track.left(), track.top() + at, track.width(), length), thumb);
    }
}

void paintLinks(QPainter& painter, const Pane& from, const Pane& to, int line, const QVector<int>& lines,
                const Theme& theme) {
    if (!from.shown() || !to.shown() || line < 1)
        return;
    const auto inside = [](const Pane& pane, qreal y) { return qBound(pane.rows.top(), y, pane.rows.bottom()); };
    const QRectF left = from.row(line);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accentSoft);
    for (int i = 0; i < lines.size();) {
        int end = i + 1; // one band for neighbouring lines
        while (end < lines.size() && lines[end] == lines[end - 1] + 1)
            ++end;
        const qreal top = inside(to, to.row(lines[i]).top()), bottom = inside(to, to.row(lines[end - 1]).bottom());
        const qreal top0 = inside(from, left.top()), bottom0 = inside(from, left.bottom());
        const qreal x0 = from.rows.right(), x1 = to.rows.left(), middle = (x0 + x1) / 2;
        if (bottom > top && bottom0 > top0) {
            QPainterPath band(QPointF(x0, top0));
            band.cubicTo({middle, top0}, {middle, top}, {x1, top});
            band.lineTo(x1, bottom);
            band.cubicTo({middle, bottom}, {middle, bottom0}, {x0, bottom0});
            painter.drawPath(band);
        }
        i = end;
    }
}

QString lineToolTip(const Listing& listing, int line, bool ptx, bool ofEvents, std::uint64_t all) {
    if (line < 1 || line > listing.lines.size())
        return {};
    const LineCount& c = listing.lines[line - 1].count;
    if (!c.any() && !c.samples)
        return {};
    QStringList rows;
    rows << (ptx ? SourceText::tr("PTX line %1").arg(line) : SourceText::tr("Line %1").arg(line));
    const auto addSamples = [&] {
        if (c.samples)
            rows << SourceText::tr("stall samples: %1 (%2)").arg(numberText(c.samples), originName(Origin::Measured));
    };
    if (!c.any()) {
        addSamples();
        return rows.join(QLatin1Char('\n'));
    }
    if (ofEvents)
        rows << agreeing(SourceText::tr("executed by %1 {warp|warps}, of those that were recorded"),
                         numberText(c.executions));
    else
        rows << agreeing(SourceText::tr("executed by %1 {warp|warps} (%2 warp {instruction|instructions})"),
                         numberText(c.executions), numberText(c.issued));
    if (all > 0)
        rows << SourceText::tr("%1 of the launch's instructions").arg(shareText(100 * c.workOf(all)));
    if (c.inlined)
        rows << SourceText::tr("%1 of these in functions that were inlined here, counted at their lines, too")
                    .arg(numberText(c.inlined));
    rows << SourceText::tr("lanes on: %1").arg(percentText(100 * c.lanesOn()));
    if (c.branches)
        rows
            << SourceText::tr("lanes parted in %1 of %2 branches").arg(numberText(c.divergent), numberText(c.branches));
    if (c.requests)
        rows << agreeing(SourceText::tr("%1 {sector|sectors} of 32 bytes a request (%2 {request|requests})"),
                         decimalText(c.sectorsPerRequest(), 2), numberText(c.requests));
    if (c.sharedRequests)
        rows << agreeing(SourceText::tr("shared memory: %1 {pass|passes} a request"),
                         decimalText(c.passesPerRequest(), 2));
    rows << SourceText::tr("all of them %1").arg(originName(Origin::Counted));
    addSamples();
    return rows.join(QLatin1Char('\n'));
}

} // namespace warpglass
