// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/hang_picture.h"

#include "views/common/agreeing.h"
#include "views/common/margins.h"
#include "views/common/marks.h"
#include "views/common/sentences.h"
#include "views/common/ticks.h"
#include "views/pipeline/pipeline_text.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

const Setting<double> hangScroll{"hangScroll"};

QString whoOf(const Trace& trace, const Diagnostic& hang, const HangWait& wait) {
    QString who;
    if (!wait.warps.empty())
        who = (wait.warps.find_first_of("-,") == std::string::npos ? PipelineText::tr("warp %1")
                                                                   : PipelineText::tr("warps %1"))
                  .arg(QString::fromStdString(wait.warps));
    if (wait.blocks > 1) {
        who = who.isEmpty() ? agreeing(PipelineText::tr("%1 {block|blocks}"), wait.blocks)
                            : agreeing(PipelineText::tr("%1 of %2 {block|blocks}"), who, wait.blocks);
    } else if (wait.block != noIndex && hang.launch < trace.launches.size()) {
        const Dim3 grid = trace.launches[hang.launch].grid;
        const QString block = indexText(grid.at(wait.block), grid);
        who = who.isEmpty() ? PipelineText::tr("block %1").arg(block)
                            : PipelineText::tr("%1 of block %2").arg(who, block);
    }
    if (wait.source.line > 0)
        return PipelineText::tr("%1 at line %2").arg(who).arg(wait.source.line);
    return wait.ptxLine > 0 ? PipelineText::tr("%1 at PTX line %2").arg(who).arg(wait.ptxLine) : who;
}

} // namespace

const Diagnostic* hangOf(const Trace& trace, std::uint32_t launch) {
    for (const Diagnostic& d : trace.diagnostics)
        if (!d.waits.empty() && (d.launch == launch || d.launch == noIndex || launch >= trace.launches.size()))
            return &d;
    return nullptr;
}

HangPicture::HangPicture(const PaintContext& of, const QRectF& on, const Diagnostic& waits)
    : Picture(of, on), hang(waits) {
    const Theme& theme = context.theme;
    const double unit = spaceUnit(theme), side = sideMargin(theme), line = lineHeight(theme.body());
    m_title = {area.left() + side, area.top() + 2 * unit, area.width() - 2 * side, lineHeight(theme.title())};
    m_list = {m_title.left(), m_title.bottom() + 2 * unit, m_title.width(),
              std::max(1.0, area.bottom() - 2 * unit - m_title.bottom() - 2 * unit)};
    m_gutter = std::min(90 * theme.fontScale, m_list.width() * 0.15);
    const double width = m_list.width() - m_gutter, inner = width - 6 * unit;
    double y = m_list.top();
    for (const HangWait& wait : hang.waits) {
        Box box;
        box.who = whoOf(*context.trace, hang, wait);
        box.whatText = sentence(wait.what);
        box.whyText = sentence(wait.why);
        const double x = m_list.left() + 4 * unit;
        double at = y + 2 * unit;
        box.head = {x, at, inner, line};
        at = box.head.bottom() + unit / 2;
        const auto paragraph = [&](const QString& text) {
            const double high =
                text.isEmpty() ? 0 : paintParagraph(nullptr, QRectF(0, 0, inner, 1e6), text, theme.small(), theme.text);
            const QRectF where(x, at, inner, high);
            at += high + (high > 0 ? unit / 2 : 0);
            return where;
        };
        box.what = paragraph(box.whatText);
        box.why = paragraph(box.whyText);
        box.where = {m_list.left(), y, width, at + 1.5 * unit - y};
        y = box.where.bottom() + 2 * unit;
        m_boxes.append(box);
    }
    m_most = std::max(0.0, y - 2 * unit - m_list.bottom());
    const double scroll = context.paper ? 0 : std::clamp(hangScroll.of(context.options), 0.0, m_most);
    for (Box& box : m_boxes)
        for (QRectF* rect : {&box.where, &box.head, &box.what, &box.why})
            rect->translate(0, -scroll);
}

void HangPicture::paint(QPainter& painter) const {
    const Theme& theme = context.theme;
    paintHeading(painter, m_title, PipelineText::tr("It hangs: who waits for whom"), theme);
    painter.save();
    painter.setClipRect(m_list.adjusted(-2, -2, 2, 2), Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont bold = theme.body();
    bold.setBold(true);
    for (qsizetype n = 0; n < m_boxes.size(); ++n) {
        const Box& box = m_boxes[n];
        if (box.where.bottom() < m_list.top() || box.where.top() > m_list.bottom())
            continue;
        const HangWait& wait = hang.waits[std::size_t(n)];
        const QColor colour = wait.isRoot ? theme.wrong : theme.border;
        painter.setBrush(theme.panel);
        painter.setPen(QPen(colour, wait.isRoot ? 2 : 1));
        painter.drawRoundedRect(box.where.adjusted(1, 1, -1, -1), 4, 4);
        if (wait.isRoot)
            painter.fillRect(QRectF(box.where.left() + 1, box.where.top() + 5, 4, box.where.height() - 10),
                             theme.wrong);
        const QString root = PipelineText::tr("holds the others up");
        double room = box.head.width();
        if (wait.isRoot) {
            const double wide = chipWidth(root, theme);
            if (wide < room * 0.5) {
                paintChip(painter, {box.head.right() - wide, box.head.center().y() - chipHeight(theme) / 2}, root,
                          theme.wrong, theme.sunken, theme);
                room -= wide + 8;
            }
        }
        const QRectF head(box.head.left(), box.head.top(), room, box.head.height());
        paintText(painter, head, box.who, fittedFont(bold, box.who, room), theme.text);
        paintParagraph(&painter, box.what, box.whatText, theme.small(), theme.text);
        if (!box.whyText.isEmpty())
            paintParagraph(&painter, box.why, box.whyText, theme.small(), theme.textMuted);
    }
    // Each arrow has a way of its own in the gutter, as far as there is room.
    const double right = m_list.right() - m_gutter;
    int lane = 0;
    for (std::size_t n = 0; n < hang.waits.size(); ++n)
        for (const std::uint32_t on : hang.waits[n].on) {
            if (on >= hang.waits.size())
                continue;
            const QRectF &from = m_boxes[qsizetype(n)].where, &to = m_boxes[qsizetype(on)].where;
            const QColor colour = hang.waits[on].isRoot ? theme.wrong : theme.textMuted;
            const double out = right + m_gutter * (0.35 + 0.15 * (lane++ % 4));
            const QPointF begin(right, from.center().y() + (on == n ? -8 : 4)), end(right, to.center().y() - 4);
            QPainterPath path(begin);
            path.cubicTo({out, begin.y()}, {out, end.y()}, end + QPointF(6, 0));
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(colour, 1.8));
            painter.drawPath(path);
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            painter.drawPolygon(QPolygonF{end, end + QPointF(8, -4.5), end + QPointF(8, 4.5)});
        }
    painter.restore();
}

Selection HangPicture::selectionOf(const HangWait& wait) const {
    Selection selection = context.selection;
    const Trace& trace = *context.trace;
    if (hang.launch < trace.launches.size()) {
        selection.launch = hang.launch;
        const Launch& launch = trace.launches[hang.launch];
        if (wait.block < launch.blockCount)
            selection.block = launch.firstBlock + wait.block;
        if (selection.block < trace.blocks.size()) {
            const Block& block = trace.blocks[selection.block];
            const auto first = std::uint32_t(std::strtoul(wait.warps.c_str(), nullptr, 10));
            selection.warp = first < block.warpCount ? block.firstWarp + first : noIndex;
        }
    }
    selection.ptxLine = wait.ptxLine;
    selection.sourceLine = wait.source.line;
    return selection;
}

Spot HangPicture::spotAt(QPointF at) const {
    if (!m_list.contains(at))
        return {};
    for (qsizetype n = 0; n < m_boxes.size(); ++n)
        if (m_boxes[n].where.contains(at)) {
            Spot spot{.where = m_boxes[n].where, .toolTip = PipelineText::tr("Show where it stands in the source")};
            spot.click = selecting(selectionOf(hang.waits[std::size_t(n)]));
            spot.cursor = Qt::PointingHandCursor;
            return spot;
        }
    return {};
}

std::optional<Change> HangPicture::scrolled(double by) const {
    const double now = std::clamp(hangScroll.of(context.options), 0.0, m_most), to = std::clamp(now + by, 0.0, m_most);
    if (to == now)
        return std::nullopt;
    Change change = unchanged();
    hangScroll.set(change.options, to);
    return change;
}

std::optional<Change> HangPicture::choosing(qsizetype box) const {
    Change change = unchanged();
    change.selection = selectionOf(hang.waits[std::size_t(box)]);
    const QRectF& where = m_boxes[box].where;
    const double now = std::clamp(hangScroll.of(context.options), 0.0, m_most);
    if (where.top() < m_list.top())
        hangScroll.set(change.options, std::max(0.0, now + where.top() - m_list.top()));
    else if (where.bottom() > m_list.bottom())
        hangScroll.set(change.options, std::min(m_most, now + where.bottom() - m_list.bottom()));
    return change;
}

std::optional<Change> HangPicture::answer(const Input& input) const {
    return std::visit(
        InputCases{
            [&](const WheelInput& wheel) { return scrolled(-wheel.steps * 3 * lineHeight(context.theme.body())); },
            [&](const DragInput& drag) { return scrolled(drag.from.y() - drag.to.y()); },
            [&](const KeyInput& pressed) -> std::optional<Change> {
                if (pressed.key != Qt::Key_Down && pressed.key != Qt::Key_Up)
                    return std::nullopt;
                const qsizetype last = m_boxes.size() - 1;
                for (qsizetype n = 0; n <= last; ++n)
                    if (selectionOf(hang.waits[std::size_t(n)]) == context.selection)
                        return choosing(std::clamp<qsizetype>(n + (pressed.key == Qt::Key_Down ? 1 : -1), 0, last));
                return choosing(pressed.key == Qt::Key_Down ? 0 : last);
            }},
        input);
}

QString HangPicture::csv() const {
    QString csv = QStringLiteral("wait,root,block,blocks,lanes,warps,source_line,ptx_line,what,why,waits_on\n");
    for (std::size_t n = 0; n < hang.waits.size(); ++n) {
        const HangWait& wait = hang.waits[n];
        QStringList on;
        for (const std::uint32_t other : wait.on)
            on << QString::number(other);
        csv += QStringList{QString::number(n),
                           QString::number(int(wait.isRoot)),
                           wait.block == noIndex ? QString() : QString::number(wait.block),
                           QString::number(wait.blocks),
                           QString::number(wait.lanes),
                           csvField(QString::fromStdString(wait.warps)),
                           QString::number(wait.source.line),
                           QString::number(wait.ptxLine),
                           csvField(m_boxes[qsizetype(n)].whatText),
                           csvField(m_boxes[qsizetype(n)].whyText),
                           on.join(QStringLiteral(" "))}
                   .join(QLatin1Char(',')) +
               QLatin1Char('\n');
    }
    return csv;
}

} // namespace warpglass
