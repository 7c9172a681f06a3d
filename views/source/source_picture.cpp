// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/source_picture.h"

#include "views/common/agreeing.h"
#include "views/common/follow.h"
#include "views/common/pinned.h"
#include "views/common/sentences.h"
#include "views/common/ticks.h"
#include "views/source/machine_paint.h"
#include "views/source/source_options.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

void missing(QPainter& painter, const Pane& pane, const QString& text, const Theme& theme) {
    painter.setPen(QPen(theme.border, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(pane.rows, 6, 6);
    paintParagraph(&painter, pane.rows.adjusted(16, 16, -16, -16), text, theme.body(), theme.textMuted);
}

void paintLegendRow(QPainter& painter, const QRectF& row, const Listings& listings, bool inlined, bool pinned,
                    const Theme& theme) {
    if (listings.sampled) {
        const qreal chip = chipWidth(originName(Origin::Measured), theme);
        paintOriginChip(painter, {row.left(), row.center().y() - chipHeight(theme) / 2}, Origin::Measured, theme);
        paintText(painter, row.adjusted(chip + 8 * theme.fontScale, 0, 0, 0),
                  SourceText::tr("share of the samples in which a warp waited at the line"), theme.small(),
                  theme.textMuted);
        return;
    }
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

} // namespace

Choice<ShownText> shownTextChoice() {
    return {"show",
            SourceText::tr("show"),
            {{ShownText::Fitting, "fitting", SourceText::tr("what fits")},
             {ShownText::All, "all", SourceText::tr("source, PTX and machine code")},
             {ShownText::Both, "both", SourceText::tr("source and PTX")},
             {ShownText::Source, "source", SourceText::tr("source")},
             {ShownText::Ptx, "ptx", SourceText::tr("PTX")},
             {ShownText::Machine, "machine", SourceText::tr("machine code")}}};
}

SourcePicture::SourcePicture(const PaintContext& c, const QRectF& on, const SourcePicture* previous)
    : Picture(c, on), m_warp(warpToShow(c.selection, *c.trace)), m_left(textLeft.of(c.options)) {
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
    findMachine(same ? previous : nullptr);
    mark();
    layOut();
}

void SourcePicture::findMachine(const SourcePicture* previous) {
    const auto before = previous ? previous->m_machine : nullptr;
    const QVariant option = context.options.value(QLatin1String(machineOption));
    const auto sight =
        machineSightOf(context.trace, m_listings->launch, option, before ? before->sight : MachineSightPtr());
    if (sight)
        m_machine = before && before->sight == sight ? before : makeMachineListing(*m_listings, sight);
    else if (const MachineAnswer* answer = machineAnswerOf(machineFromOption(option), context.trace,
                                                           context.trace->launches[m_listings->launch].kernel);
             answer && !answer->found)
        m_withoutMachine = sentence(answer->found.error());
}

int SourcePicture::rowChosen() const {
    const int row = m_machine ? chosenRow.of(context.options) : 0;
    return row >= 1 && row <= m_machine->rows.size() && m_machine->rows[row - 1].ptx == m_ptxLine ? row : 0;
}

// The selected lines, and those of the other texts that belong to them.
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
    if (!m_machine)
        return;
    if (const int row = rowChosen())
        m_markedMachine.insert(row);
    else if (m_ptxLine && m_ptxLine < std::uint32_t(m_machine->rowsOfPtx.size()))
        for (const int of : m_machine->rowsOfPtx[int(m_ptxLine)])
            m_markedMachine.insert(of);
    else
        for (const int of : m_machine->rowsOf(*m_listings, m_sourceLine))
            m_markedMachine.insert(of);
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
    const bool noPtx = m_listings->kernel().ptx.empty(); // of a report
    r.shown = noPtx ? ShownText::Source : shownTextChoice().of(context.options);
    const auto wide = [&](const QString& number) {
        return int(std::ceil(textWidth(theme.small(), number) / r.digitWidth));
    };
    const qreal letter = textWidth(theme.mono(), QStringLiteral("0"));
    const auto pane = [this, &wide, letter](const Listing& l, double from, std::uint32_t selected, std::uint32_t now) {
        PaneRequest q;
        q.lines = int(l.lines.size());
        q.firstLinked = l.firstLinked;
        q.lastLinked = l.lastLinked;
        q.focus = int(selected ? selected : now);
        q.from = from;
        q.lanes = !m_listings->sampled;
        if (m_listings->sampled)
            q.executions = wide(SourceText::tr("samples"));
        for (const ListingLine& line : l.lines) {
            if (m_listings->sampled && line.count.samples > 0)
                q.code = qMax(q.code, letter * qreal(line.text.size()));
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
    r.foldable = context.clickable && !context.paper;
    if (m_machine) {
        int row = m_markedMachine.isEmpty() ? 0 : *std::min_element(m_markedMachine.begin(), m_markedMachine.end());
        int now = m_now.ptx && m_now.ptx < std::uint32_t(m_machine->rowsOfPtx.size()) &&
                          !m_machine->rowsOfPtx[int(m_now.ptx)].isEmpty()
                      ? m_machine->rowsOfPtx[int(m_now.ptx)].front()
                      : 0;
        r.machine = pane(m_machine->listing, machineFrom.of(context.options), std::uint32_t(row), std::uint32_t(now));
        r.machine.lanes = false;
        r.machine.executions = m_machine->anyExecutions ? wide(SourceText::tr("≈ warps")) : 0;
        r.machine.control = controlWidth(theme);
        if (m_machine->sampled)
            r.machine.sectors = wide(SourceText::tr("samples"));
        r.machine.places = int(placeText(r.machine.lines).size());
        for (int n = 0; n < m_machine->rows.size(); ++n) {
            const MachineRow& of = m_machine->rows[n];
            r.machine.code = qMax(r.machine.code, letter * qreal(m_machine->listing.lines[n].text.size()));
            r.machine.executions = qMax(r.machine.executions, wide(executionsText(of)));
            if (of.live) // captions stand side by side then
                r.machine.divergent = qMax(r.machine.divergent, wide(SourceText::tr("live")));
            r.machine.sectors = qMax(r.machine.sectors, wide(stalledText(*m_machine, of)));
        }
    }
    if (const QString said = machineSaid(); !said.isEmpty())
        r.sentences = (m_machine ? 2 : 1) * r.smallHeight; // two lines, whatever is selected: nothing moves
    m_layout = layoutSource(r);
}

QString SourcePicture::csv() const {
    const bool machine = m_machine && shownTextChoice().of(context.options) == ShownText::Machine;
    return machine ? machineCsv(*m_machine) : listingsCsv(*m_listings);
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
    paintAllLinks(painter);
    if (m_layout.source.shown()) {
        if (m_listings->source.lines.isEmpty())
            missing(painter, m_layout.source,
                    SourceText::tr("The CUDA source is not in this trace: it was run from PTX alone."), theme);
        else
            paintPane(painter, {*m_listings, m_listings->source, m_layout.source, theme, false,
                                QString::fromStdString(kernel().sourceName),
                                isPython(kernel()) ? SourceText::tr("Triton, in Python") : SourceText::tr("CUDA"),
                                int(m_now.source), m_markedSource, m_left, m_pinned.get(), &m_match});
    }
    if (m_layout.ptx.shown())
        paintPane(painter, {*m_listings, m_listings->ptx, m_layout.ptx, theme, true, SourceText::tr("PTX"),
                            context.trace->info.mode == CompileMode::AsWritten ? SourceText::tr("compiled as written")
                                                                               : SourceText::tr("optimised"),
                            int(m_now.ptx), m_markedPtx, m_left});
    paintMachine(painter);
    paintFollowedLine(painter);
    const auto& lines = m_listings->source.lines;
    const bool inlined = std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.count.inlined; });
    paintLegendRow(painter, m_layout.legend, *m_listings, inlined, m_pinned != nullptr, theme);
}

QString SourcePicture::machineSaid() const {
    return m_machine ? machineSentences(*m_listings, *m_machine, rowChosen(), m_ptxLine, m_sourceLine)
                     : m_withoutMachine;
}

void SourcePicture::paintAllLinks(QPainter& painter) const {
    if (!m_layout.sideBySide)
        return;
    const bool ptx = m_layout.ptx.shown();
    QVector<int> lines;
    if (m_sourceLine && m_sourceLine < std::uint32_t(m_listings->ptxOfSource.size())) {
        if (!ptx && m_machine)
            lines = m_machine->rowsOf(*m_listings, m_sourceLine);
        else
            for (const std::uint32_t line : m_listings->ptxOfSource[int(m_sourceLine)])
                lines << int(line);
        paintLinks(painter, m_layout.source, ptx ? m_layout.ptx : m_layout.machine, int(m_sourceLine), lines,
                   context.theme);
    }
    if (!m_machine || !ptx)
        return;
    for (const int line : m_markedPtx)
        if ((!m_ptxLine || line == int(m_ptxLine)) && line < m_machine->rowsOfPtx.size())
            paintLinks(painter, m_layout.ptx, m_layout.machine, line, m_machine->rowsOfPtx[line], context.theme);
}

void SourcePicture::paintMachine(QPainter& painter) const {
    const Theme& theme = context.theme;
    paintFold(painter, m_layout.fold, theme);
    const QString said = machineSaid();
    if (!m_layout.sentences.isNull())
        paintShortParagraph(painter, m_layout.sentences, said, theme.small(), m_machine ? theme.text : theme.textMuted);
    const Pane& pane = m_layout.machine;
    if (!pane.shown())
        return;
    if (!m_machine) {
        missing(painter, pane, m_withoutMachine, theme);
        return;
    }
    int now = 0;
    if (m_now.ptx && m_now.ptx < std::uint32_t(m_machine->rowsOfPtx.size()) &&
        !m_machine->rowsOfPtx[int(m_now.ptx)].isEmpty())
        now = m_machine->rowsOfPtx[int(m_now.ptx)].front();
    PanePicture picture{
        *m_listings, m_machine->listing, pane,  theme, true, SourceText::tr("Machine code"), m_machine->sight->origin(),
        now,         m_markedMachine,    m_left};
    picture.machine = m_machine.get();
    picture.chosen = rowChosen();
    paintPane(painter, picture);
    if (context.clickable && !context.paper && m_layout.sideBySide &&
        pane.whole.left() > area.left() + area.width() / 4)
        paintChevron(painter, {pane.heading.left() - 9 * theme.fontScale, pane.heading.center().y()},
                     4 * theme.fontScale, true, theme.textMuted);
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
