// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/source_picture.h"

#include "views/common/agreeing.h"
#include "views/common/follow.h"
#include "views/common/pinned.h"
#include "views/common/ticks.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

// First lines in sight, negative: by themselves.
constexpr Setting<double> sourceFrom{"sourceFrom", -1}, ptxFrom{"ptxFrom", -1}, left{"left", 0};

void missing(QPainter& painter, const Pane& pane, const QString& text, const Theme& theme) {
    painter.setPen(QPen(theme.border, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(pane.rows, 6, 6);
    paintParagraph(&painter, pane.rows.adjusted(16, 16, -16, -16), text, theme.body(), theme.textMuted);
}

void paintLegendRow(QPainter& painter, const QRectF& row, const Listings& listings, bool inlined, bool pinned,
                    const Theme& theme) {
    if (!listings.anyCount) {
        paintText(painter, row, SourceText::tr("This recording holds no counts of single lines."), theme.small(),
                  theme.textMuted);
        return;
    }
    const qreal chip = chipWidth(originName(Origin::Counted), theme);
    paintOriginChip(painter, {row.left(), row.center().y() - chipHeight(theme) / 2}, Origin::Counted, theme);
    const QRectF rest = row.adjusted(chip + 8 * theme.fontScale, 0, 0, 0);
    if (listings.countedWarps > 0) { // of a GPU: of what probes saw
        QString text =
            SourceText::tr("of the events of %1 of %2 warps: how often the line was run · share of lanes on · "
                           "branches at which lanes parted · sectors of 32 bytes a request (p: passes of "
                           "shared memory); lines without an event have no number");
        if (textWidth(theme.small(), text) > rest.width())
            text = SourceText::tr("of the events of %1 of %2 warps; lines without an event have no number");
        if (textWidth(theme.small(), text) > rest.width())
            text = SourceText::tr("of the events of %1 of %2 warps");
        paintText(painter, rest, text.arg(numberText(listings.countedWarps), numberText(listings.allWarps)),
                  theme.small(), theme.textMuted);
        return;
    }
    QString text =
        SourceText::tr("over the whole launch: warps that ran the line · share of lanes on · branches at which "
                       "lanes parted · sectors of 32 bytes a request (p: passes of shared memory)");
    if (inlined)
        text += SourceText::tr(" · in brackets: of inlined code, counted at its own lines, too");
    if (pinned)
        text += SourceText::tr(" · dashed: A issued more there");
    const QString ground = text + SourceText::tr(" · ground of the number: share of the instructions");
    if (textWidth(theme.small(), ground) <= rest.width())
        text = ground;
    if (textWidth(theme.small(), text) > rest.width() && inlined)
        text = SourceText::tr("of the whole launch; in brackets: of inlined code, counted at its own lines, too");
    if (textWidth(theme.small(), text) > rest.width())
        text = pinned ? SourceText::tr("of the whole launch; dashed: A issued more there")
                      : SourceText::tr("of the whole launch; bar: share of lanes on");
    paintText(painter, rest, text, theme.small(), theme.textMuted);
}

// What a change does, if it does something.
template <typename Does>
std::optional<Change> changed(const Picture& picture, Does&& does) {
    Change change = picture.unchanged();
    return does(change) ? std::optional(std::move(change)) : std::nullopt;
}

} // namespace

Choice<ShownText> shownTextChoice() {
    return {"show",
            SourceText::tr("show"),
            {{ShownText::Both, "both", SourceText::tr("source and PTX")},
             {ShownText::Source, "source", SourceText::tr("source")},
             {ShownText::Ptx, "ptx", SourceText::tr("PTX")}}};
}

SourcePicture::SourcePicture(const PaintContext& c, const QRectF& on, const SourcePicture* previous)
    : Picture(c, on), m_warp(warpToShow(c.selection, *c.trace)), m_left(left.of(c.options)) {
    const std::uint32_t launch = completed(c.selection, *c.trace).launch;
    const bool same = previous && previous->m_listings->trace == c.trace && previous->m_listings->launch == launch;
    m_listings = same ? previous->m_listings : makeListings(c.trace, launch);
    if (const auto pinned = contextOfPinned(c); pinned && !m_listings->countedWarps) {
        const std::uint32_t its = completed(pinned->selection, *pinned->trace).launch;
        const bool kept = same && previous->m_pinned && previous->m_pinned->trace == pinned->trace &&
                          previous->m_pinned->launch == its;
        m_pinned = kept ? previous->m_pinned : makeListings(pinned->trace, its);
        m_match = kept ? previous->m_match : matchLines(m_pinned->kernel().source, kernel().source);
        if (m_pinned->countedWarps) // of some warps' events: that is no count of the launch
            m_pinned.reset();
    }
    m_now = currentLine(*m_listings, m_warp, c.selection.time);
    mark();
    layOut();
}

// The selected lines, and those of the other text that belong to them.
void SourcePicture::mark() {
    m_sourceLine = context.selection.sourceLine;
    m_ptxLine = context.selection.ptxLine;
    if (!m_sourceLine && m_ptxLine && m_ptxLine < std::uint32_t(m_listings->sourceOfPtx.size()))
        m_sourceLine = m_listings->sourceOfPtx[int(m_ptxLine)];
    if (m_sourceLine && m_sourceLine < std::uint32_t(m_listings->ptxOfSource.size())) {
        m_markedSource.insert(int(m_sourceLine));
        for (const std::uint32_t line : m_listings->ptxOfSource[int(m_sourceLine)])
            m_markedPtx.insert(int(line));
    }
    if (m_ptxLine)
        m_markedPtx.insert(int(m_ptxLine));
}

void SourcePicture::layOut() {
    const Theme& theme = context.theme;
    SourceRequest r;
    r.area = area;
    r.scale = theme.fontScale;
    r.titleHeight = lineHeight(theme.title());
    r.smallHeight = lineHeight(theme.small());
    r.lineHeight = lineHeight(theme.mono()) + 2 * theme.fontScale;
    r.digitWidth = textWidth(theme.small(), QStringLiteral("0"));
    r.warpsCaption = textWidth(theme.small(), SourceText::tr("warps"));
    r.lanesCaption = textWidth(theme.small(), SourceText::tr("lanes"));
    r.sectorsCaption = textWidth(theme.small(), SourceText::tr("sectors"));
    r.shown = shownTextChoice().of(context.options);
    const auto wide = [&](const QString& number) {
        return int(std::ceil(textWidth(theme.small(), number) / r.digitWidth));
    };
    const qreal letter = textWidth(theme.mono(), QStringLiteral("0"));
    const auto pane = [&wide, letter](const Listing& l, double from, std::uint32_t selected, std::uint32_t now) {
        PaneRequest q;
        q.lines = int(l.lines.size());
        q.firstLinked = l.firstLinked;
        q.lastLinked = l.lastLinked;
        q.focus = int(selected ? selected : now);
        q.from = from;
        for (const ListingLine& line : l.lines) {
            if (!line.count.any())
                continue;
            q.code = qMax(q.code, letter * qreal(line.text.size()));
            q.executions = qMax(q.executions, wide(numberText(line.count.executions)));
            q.divergent = qMax(q.divergent, wide(divergentText(line.count)));
            q.sectors = qMax(q.sectors, wide(perRequestText(line.count)));
        }
        return q;
    };
    r.source = pane(m_listings->source, sourceFrom.of(context.options), m_sourceLine, m_now.source);
    std::uint32_t ptxFocus = m_ptxLine;
    if (!ptxFocus && m_sourceLine && m_sourceLine < std::uint32_t(m_listings->ptxOfSource.size()) &&
        !m_listings->ptxOfSource[int(m_sourceLine)].isEmpty())
        ptxFocus = m_listings->ptxOfSource[int(m_sourceLine)].front();
    r.ptx = pane(m_listings->ptx, ptxFrom.of(context.options), ptxFocus, m_now.ptx);
    m_layout = layoutSource(r);
}

const Kernel& SourcePicture::kernel() const {
    return context.trace->kernelOf(context.trace->launches[m_listings->launch]);
}

void SourcePicture::paint(QPainter& painter) const {
    const Theme& theme = context.theme;
    if (!m_layout.title.isNull())
        paintHeading(painter, m_layout.title,
                     SourceText::tr("%1, line by line").arg(QString::fromStdString(kernel().name)), theme);
    if (!m_layout.question.isNull()) {
        const qreal used = paintText(painter, m_layout.question, whereNow(), theme.small(),
                                     m_now.ptx ? theme.attention : theme.textMuted);
        const QString most = mostWork();
        const QRectF rest = m_layout.question.adjusted(used + 16 * theme.fontScale, 0, 0, 0);
        if (textWidth(theme.small(), most) <= rest.width())
            paintText(painter, rest, most, theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    }
    paintLinks(painter, m_layout, *m_listings, m_sourceLine, theme);
    if (m_layout.source.shown()) {
        if (m_listings->source.lines.isEmpty())
            missing(painter, m_layout.source,
                    SourceText::tr("The CUDA source is not in this trace: it was run from PTX alone."), theme);
        else
            paintPane(painter, {*m_listings, m_listings->source, m_layout.source, theme, false,
                                QString::fromStdString(kernel().sourceName), isPython(kernel()) ? SourceText::tr("Triton, in Python") : SourceText::tr("CUDA"), int(m_now.source),
                                m_markedSource, m_left, m_pinned.get(), &m_match});
    }
    if (m_layout.ptx.shown())
        paintPane(painter, {*m_listings, m_listings->ptx, m_layout.ptx, theme, true, SourceText::tr("PTX"),
                            context.trace->info.mode == CompileMode::AsWritten ? SourceText::tr("compiled as written")
                                                                               : SourceText::tr("optimised"),
                            int(m_now.ptx), m_markedPtx, m_left});
    paintFollowedLine(painter);
    const auto& lines = m_listings->source.lines;
    const bool inlined = std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.count.inlined; });
    paintLegendRow(painter, m_layout.legend, *m_listings, inlined, m_pinned != nullptr, theme);
}

// Where the thread that is followed is: a pin at its line, pale while its lane is off.
void SourcePicture::paintFollowedLine(QPainter& painter) const {
    const Trace& trace = *context.trace;
    const FollowedThread& thread = context.selection.followed;
    if (thread.warp >= trace.warps.size() || trace.blockOf(trace.warps[thread.warp]).launch != m_listings->launch)
        return;
    const CurrentLine now = currentLine(*m_listings, thread.warp, context.selection.time);
    const bool on = trace.lanesAt(trace.warps[thread.warp], context.selection.time).on.has(thread.lane);
    painter.save();
    painter.setOpacity(on ? 1 : 0.4);
    for (const auto& [pane, line] : {std::pair{&m_layout.source, int(now.source)}, {&m_layout.ptx, int(now.ptx)}}) {
        if (!pane->shown() || line == 0 || line < pane->first() || line >= pane->end())
            continue;
        const QRectF row = pane->row(line);
        paintFollowFrame(painter, row.adjusted(2, 0, -2, 0), context.theme);
        paintPin(painter, {row.left() + 12 * context.theme.fontScale, row.bottom()}, 16 * context.theme.fontScale,
                 context.theme);
    }
    painter.restore();
}

void SourcePicture::paintOverlay(QPainter& painter, QPointF at) const {
    for (const Pane* pane : {&m_layout.source, &m_layout.ptx}) {
        if (!pane->rows.contains(at))
            continue;
        if (const int line = pane->lineAt(at.y())) {
            QColor soft = context.theme.accent;
            soft.setAlphaF(0.12f);
            painter.fillRect(pane->row(line) & pane->rows, soft);
        }
    }
}

Spot SourcePicture::spotAt(QPointF at) const {
    Spot spot;
    const bool ptx = m_layout.ptx.rows.contains(at);
    if (!ptx && !m_layout.source.rows.contains(at))
        return spot;
    const Pane& pane = ptx ? m_layout.ptx : m_layout.source;
    const int line = pane.lineAt(at.y());
    const bool ofEvents = m_listings->countedWarps > 0;
    spot.toolTip =
        lineToolTip(ptx ? m_listings->ptx : m_listings->source, line, ptx, ofEvents, ofEvents ? 0 : m_listings->issued);
    if (line == 0)
        return spot;
    if (const auto before = ptx || !m_pinned ? std::nullopt : pinnedWork(*m_pinned, m_match, m_listings->source, line))
        spot.toolTip += (spot.toolTip.isEmpty() ? QString() : QStringLiteral("\n")) +
                        agreeing(SourceText::tr("A: %1 warp {instruction|instructions}"), numberText(*before));
    spot.where = pane.row(line) & pane.rows;
    Selection s = context.selection;
    s.sourceLine = ptx ? m_listings->sourceOfPtx[line] : std::uint32_t(line);
    s.ptxLine = ptx ? std::uint32_t(line) : 0;
    spot.click = selecting(s);
    return spot;
}

std::optional<Change> SourcePicture::answer(const Input& input) const {
    const auto wheel = [this](const WheelInput& i) {
        return changed(*this, [&](Change& c) {
            return i.modifiers & Qt::ShiftModifier ? moveLeft(c, -40 * i.steps) : scroll(c, i.at, -3 * i.steps);
        });
    };
    const auto drag = [this](const DragInput& i) {
        return changed(*this, [&](Change& c) {
            const bool sideways = moveLeft(c, i.from.x() - i.to.x());
            return scroll(c, i.from, (i.from.y() - i.to.y()) / m_layout.source.lineHeight) || sideways;
        });
    };
    return std::visit(InputCases{wheel, drag, [this](const KeyInput& i) { return key(i); }}, input);
}

std::optional<Change> SourcePicture::key(const KeyInput& input) const {
    if (input.modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return std::nullopt;
    return changed(*this, [&](Change& c) {
        switch (input.key) {
        case Qt::Key_Up:
        case Qt::Key_W:
            return selectNeighbour(c, -1);
        case Qt::Key_Down:
        case Qt::Key_S:
            return selectNeighbour(c, 1);
        case Qt::Key_Left:
        case Qt::Key_A:
            return moveLeft(c, -40);
        case Qt::Key_Right:
        case Qt::Key_D:
            return moveLeft(c, 40);
        case Qt::Key_F:
        case Qt::Key_Home:
            for (const auto& setting : {sourceFrom, ptxFrom, left})
                setting.clear(c.options);
            if (input.key == Qt::Key_Home)
                c.selection.sourceLine = c.selection.ptxLine = 0;
            return true;
        default:
            return false;
        }
    });
}

bool SourcePicture::scroll(Change& change, QPointF at, double lines) const {
    const bool ptx = m_layout.ptx.whole.contains(at) || !m_layout.source.shown();
    const Pane& pane = ptx ? m_layout.ptx : m_layout.source;
    const double from = qBound(0.0, pane.from + lines, qMax(0.0, pane.lines - pane.inSight));
    if (!pane.shown() || from == pane.from)
        return false;
    (ptx ? ptxFrom : sourceFrom).set(change.options, from);
    return true;
}

bool SourcePicture::moveLeft(Change& change, double by) const {
    const double next = qBound(0.0, m_left + by, 2000.0);
    left.set(change.options, next);
    return next != m_left;
}

bool SourcePicture::selectNeighbour(Change& change, int by) const {
    const bool ptx = !m_layout.source.shown();
    const Listing& l = ptx ? m_listings->ptx : m_listings->source;
    if (l.lines.isEmpty())
        return false;
    const int now = int(ptx ? m_ptxLine : m_sourceLine);
    const int next = now ? qBound(1, now + by, int(l.lines.size())) : qMax(1, l.firstLinked);
    sourceFrom.clear(change.options);
    ptxFrom.clear(change.options);
    change.selection.sourceLine = ptx ? m_listings->sourceOfPtx[next] : std::uint32_t(next);
    change.selection.ptxLine = ptx ? std::uint32_t(next) : 0;
    return true;
}

// Of the source, else of the PTX: the line whose own instructions are most; where several are, the first.
QString SourcePicture::mostWork() const {
    if (m_listings->countedWarps > 0 || m_listings->issued == 0)
        return {};
    const bool source = !m_listings->source.lines.isEmpty();
    const Listing& listing = source ? m_listings->source : m_listings->ptx;
    const auto own = [](const ListingLine& line) { return line.count.issued - line.count.inlined; };
    const auto most = std::max_element(listing.lines.begin(), listing.lines.end(),
                                       [&](const auto& a, const auto& b) { return own(a) < own(b); });
    if (most == listing.lines.end() || own(*most) == 0)
        return {};
    const QString share = percentText(100 * double(own(*most)) / double(m_listings->issued));
    return (source ? SourceText::tr("most work: line %1, %2 of the launch's instructions")
                   : SourceText::tr("most work: PTX line %1, %2 of the launch's instructions"))
        .arg(QString::number(most - listing.lines.begin() + 1), share);
}

QString SourcePicture::whereNow() const {
    if (m_warp == noIndex)
        return SourceText::tr("No warp of this launch was recorded in detail; the counts are of all blocks.");
    const Trace& trace = *context.trace;
    const Warp& warp = trace.warps[m_warp];
    const QString who = SourceText::tr("block %1, warp %2").arg(trace.blocks[warp.block].index).arg(warp.warpInBlock);
    if (m_now.ended)
        return SourceText::tr("%1 has ended").arg(who);
    if (!m_now.ptx)
        return SourceText::tr("%1 has not started").arg(who);
    const int on = trace.lanesAt(warp, context.selection.time).on.count();
    if (m_now.source)
        return agreeing(SourceText::tr("%1 is at line %2 (PTX line %3) with %4 {lane|lanes} on"), who, m_now.source,
                        m_now.ptx, on);
    return agreeing(SourceText::tr("%1 is at PTX line %2 with %3 {lane|lanes} on"), who, m_now.ptx, on);
}

} // namespace warpglass
