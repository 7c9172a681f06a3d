// SPDX-License-Identifier: GPL-3.0-or-later
// What stands around the rows: who was found, what the colours mean, what the units lacked.
#include "views/common/margins.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/common/time_chip.h"
#include "views/pipeline/pipeline_picture.h"
#include "views/pipeline/pipeline_text.h"
#include "views/pipeline/pipeline_words.h"

#include <algorithm>
#include <numeric>

namespace warpglass {

namespace {

struct LegendItem {
    QString text;
    QColor fill, line;
    bool waits = false, isRead = false;
};

QVector<LegendItem> legendOf(const PipelineModel& model, const Theme& theme) {
    QVector<LegendItem> items;
    bool waiting = false;
    for (std::size_t d = 0; d < std::size_t(Doing::Count_); ++d) {
        if (!model.occurs[d])
            continue;
        if (waits(Doing(d))) {
            waiting = true;
            continue;
        }
        const DoingLook look = lookOf(Doing(d), theme);
        items.append({doingName(Doing(d)), look.fill, look.fill});
    }
    if (waiting)
        items.append({PipelineText::tr("waits"), theme.sunken, theme.textMuted, true});
    const QColor filling = theme.category(3), reading = theme.category(0);
    if (model.slotsAre.filling)
        items.append({PipelineText::tr("slot is filled"), softened(filling, theme), filling});
    if (model.slotsAre.untold)
        items.append({PipelineText::tr("slot is filled or full: a GPU does not tell when bytes come"),
                      softened(filling, theme), filling});
    if (model.slotsAre.full)
        items.append({PipelineText::tr("is full"), theme.panel, filling});
    if (model.slotsAre.read)
        items.append({PipelineText::tr("is read"), softened(reading, theme), reading, false, true});
    return items;
}

// Where each item begins; returns the lines.
int placeLegend(const QVector<LegendItem>& items, const Theme& theme, double width, QVector<QPointF>* places) {
    const double text = lineHeight(theme.small());
    QPointF at;
    int lines = 1;
    for (const LegendItem& item : items) {
        const double wide = textWidth(theme.small(), item.text) + 2.4 * text;
        if (at.x() > 0 && at.x() + wide - text > width) {
            at = {0, at.y() + 1.25 * text};
            ++lines;
        }
        if (places)
            places->append(at);
        at.rx() += wide;
    }
    return lines;
}

} // namespace

QString firstPipelineWord(const QStringList& words, const QFont& font, double width) {
    for (const QString& word : words)
        if (textWidth(font, word) + 8 <= width)
            return word;
    return {};
}

void paintPipelineLabel(const PipelinePaint& p, const QRectF& row, const QString& name, const QString& more,
                        bool marked) {
    const Theme& theme = p.theme;
    const QRectF where = p.layout.labelOf(row);
    if (marked)
        p.painter.fillRect(where.adjusted(-4, 0, 4, 0), theme.accentSoft);
    const double small = lineHeight(theme.small());
    if (where.height() >= 2 * small - 2 && !more.isEmpty()) {
        const QRectF upper(where.left(), where.center().y() - small, where.width(), small);
        paintText(p.painter, upper, name, fittedFont(theme.small(), name, upper.width()), theme.text);
        paintText(p.painter, upper.translated(0, small), more, fittedFont(theme.small(), more, upper.width()),
                  theme.textMuted);
        return;
    }
    const QString text =
        firstThatFits({more.isEmpty() ? name : name + QStringLiteral("  ") + more, name}, theme.small(), where.width());
    const QFont font = fittedFont(theme.small(), text, where.width());
    if (lineHeight(font) <= where.height() + 4)
        paintText(p.painter, where, text, font, theme.text);
}

int pipelineLegendLines(const PipelineModel& model, const Theme& theme, double width) {
    return placeLegend(legendOf(model, theme), theme, width, nullptr);
}

void paintPipelineLegend(const PipelinePaint& p) {
    if (p.layout.legend.height() <= 0)
        return;
    const Theme& theme = p.theme;
    const double text = lineHeight(theme.small());
    const QVector<LegendItem> items = legendOf(p.model, theme);
    QVector<QPointF> places;
    placeLegend(items, theme, p.layout.legend.width(), &places);
    for (qsizetype n = 0; n < items.size(); ++n) {
        const QPointF at = p.layout.legend.topLeft() + places[n];
        const QRectF swatch(at.x(), at.y() + 0.15 * text, 1.1 * text, 0.7 * text);
        p.painter.fillRect(swatch, items[n].fill);
        if (items[n].waits)
            paintHatch(p.painter, swatch, Hatch::Dash, items[n].line);
        if (items[n].isRead)
            paintReadMark(p.painter, swatch, items[n].line);
        p.painter.setBrush(Qt::NoBrush);
        p.painter.setPen(QPen(items[n].line, 1));
        p.painter.drawRect(swatch);
        paintText(p.painter, {at.x() + 1.4 * text, at.y(), textWidth(theme.small(), items[n].text) + 4, text},
                  items[n].text, theme.small(), theme.textMuted);
    }
}

void paintPipelineHead(const PipelinePaint& p) {
    const Theme& theme = p.theme;
    const QRectF& title = p.layout.title;
    const Trace& trace = *p.model.trace;
    const QString text = PipelineText::tr("Who fills, who computes, who waits: block %1")
                             .arg(blockIndexText(trace, trace.blocks[p.model.block]));
    const double chip = chipWidth(originName(trace.info.timeOrigin), theme) + 10;
    const double used = paintHeading(p.painter, title.adjusted(0, 0, -chip, 0), text, theme) + 10 * theme.fontScale;
    const QPointF at(title.left() + used, title.center().y() - chipHeight(theme) / 2);
    paintTimeChip(p.painter, at, trace.info, theme, title.right() - at.x());
    paintShortParagraph(p.painter, p.layout.sub, pipelineHeadline(p.model, p.names), theme.small(), theme.textMuted);
}

// While it plays: what each is at, in the room of the sums, which have no time yet.
static void paintPipelineNow(const PipelinePaint& p) {
    const Theme& theme = p.theme;
    const QRectF where = p.layout.idle.united(p.layout.shares.isEmpty() ? p.layout.idle : p.layout.shares);
    const double line = lineHeight(theme.body()) * 1.25;
    double y = where.top();
    for (const PipelineLane& lane : p.model.lanes) {
        if (y + line > where.bottom())
            break;
        const auto span = std::partition_point(lane.spans.begin(), lane.spans.end(),
                                               [&](const LaneSpan& s) { return s.end <= *p.come; });
        const bool isThere = span != lane.spans.end() && span->begin <= *p.come;
        const DoingLook look = isThere ? lookOf(span->doing, theme) : DoingLook{theme.sunken, theme.textMuted};
        const QRectF swatch(where.left(), y + line * 0.15, line * 1.4, line * 0.7);
        p.painter.fillRect(swatch, look.fill);
        if (look.waits)
            paintHatch(p.painter, swatch, Hatch::Dash, theme.textMuted);
        p.painter.setBrush(Qt::NoBrush);
        p.painter.setPen(QPen(theme.border, 1));
        p.painter.drawRect(swatch);
        const QString who = warpsText(*p.model.trace, lane.warps);
        const QString text = isThere ? PipelineText::tr("%1: %2").arg(who, doingName(span->doing)) : who;
        const QRectF words(swatch.right() + 10, y, where.right() - swatch.right() - 10, line);
        paintText(p.painter, words, text, fittedFont(theme.body(), text, words.width()),
                  isThere && !look.waits ? theme.text : theme.textMuted);
        y += line;
    }
}

void paintPipelineIdle(const PipelinePaint& p) {
    if (p.layout.idle.height() <= 0)
        return;
    if (p.come)
        return paintPipelineNow(p); // no sum before its time
    const Theme& theme = p.theme;
    const QRectF& where = p.layout.idle;
    const double line = lineHeight(theme.body()), small = lineHeight(theme.small()), unit = spaceUnit(theme);
    QFont bold = theme.body();
    bold.setBold(true);
    const QString heading = pipelineIdleHeading(p.model);
    paintText(p.painter, {where.left(), where.top(), where.width(), line}, heading,
              fittedFont(bold, heading, where.width()), theme.text);
    const double most = *std::max_element(p.model.bubbles.idle.begin(), p.model.bubbles.idle.end()) /
                        std::max(1.0, p.model.bubbles.whole);
    const double wide = where.width() / p.layout.columns, bars = wide * 0.35;
    int n = 0;
    for (const Bubble why : bubblesBySize(p.model.bubbles)) {
        if (n == p.layout.causes)
            break;
        const double x = where.left() + n % p.layout.columns * wide;
        const int row = n / p.layout.columns;
        const double y = where.top() + line + unit + row * (small + unit);
        ++n;
        const double share = p.model.bubbles.share(why);
        const QRectF bar(x, y + 1, std::max(2.0, bars * share / most), small - 2);
        p.painter.fillRect(bar, theme.panel);
        paintHatch(p.painter, bar, Hatch::Diagonal, bubbleColour(why, theme));
        p.painter.setBrush(Qt::NoBrush);
        p.painter.setPen(QPen(bubbleColour(why, theme), 1.4));
        p.painter.drawRect(bar);
        paintText(p.painter, {bar.right() + 8, y, x + wide - bar.right() - 16, small},
                  QStringLiteral("%1  %2").arg(shareText(100 * share), bubbleName(p.model.bubbles, why)), theme.small(),
                  theme.text);
    }
}

// A bar for each lane, of the colours that its row has: what takes how much of the block's time.
void paintPipelineShares(const PipelinePaint& p) {
    if (p.come || p.layout.shares.isEmpty()) // no sum before its time
        return;
    const Theme& theme = p.theme;
    const QRectF& all = p.layout.shares;
    QFont bold = theme.body();
    bold.setBold(true);
    const QString heading = PipelineText::tr("What each does with the block's time");
    const double line = lineHeight(theme.body());
    paintText(p.painter, {all.left(), all.top(), all.width(), line}, heading, fittedFont(bold, heading, all.width()),
              theme.text);
    double y = all.top() + line + spaceUnit(theme);
    for (const PipelineLane& lane : p.model.lanes) {
        const QRectF row(p.layout.plot.left(), y, p.layout.plot.width(), p.layout.shareHeight - 3);
        y += p.layout.shareHeight;
        paintPipelineLabel(p, row, shownRoleName(p.model, p.model.roles[lane.role], p.names),
                           warpsText(*p.model.trace, lane.warps), false);
        p.painter.fillRect(row, theme.sunken);
        double x = row.left();
        for (std::size_t d = 0; d < std::size_t(Doing::Gone); ++d) {
            const QRectF part(x, row.top(), lane.shares[d] * row.width(), row.height());
            x = part.right();
            if (part.width() < 1)
                continue;
            const DoingLook look = lookOf(Doing(d), theme);
            p.painter.fillRect(part, look.fill);
            const QString share = shareText(100 * lane.shares[d]);
            QStringList words{PipelineText::tr("%1 %2").arg(doingName(Doing(d)), share)};
            if (look.waits)
                words << PipelineText::tr("%1 %2").arg(PipelineText::tr("waits"), share);
            const QString word = firstPipelineWord(words << share, theme.small(), part.width() - 8);
            if (look.waits)
                paintPipelineWait(p, part.adjusted(2, 0, -2, 0), word);
            if (word.isEmpty())
                continue;
            if (look.waits)
                p.words.append({part, word, look.ink, look.fill, Qt::AlignCenter});
            else
                paintText(p.painter, part.adjusted(4, 0, -4, 0), word, theme.small(), look.ink);
        }
    }
}

} // namespace warpglass
