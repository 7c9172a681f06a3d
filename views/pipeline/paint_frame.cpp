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
    if (!model.ringSlots.empty()) {
        const QColor soft = softened(theme.category(3), theme);
        items.append({PipelineText::tr("slot is filled"), soft, theme.category(3)});
        items.append({PipelineText::tr("is full"), theme.panel, theme.category(3)});
        items.append({PipelineText::tr("is read"), softened(theme.category(0), theme), theme.category(0), false, true});
    }
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

void paintPipelineIdle(const PipelinePaint& p) {
    if (p.come || p.layout.idle.height() <= 0) // no sum before its time
        return;
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

} // namespace warpglass
