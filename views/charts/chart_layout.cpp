// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chart_layout.h"

#include "views/charts/chart_marks.h"
#include "views/common/margins.h"
#include "views/common/marks.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

// Title in as many lines as it needs, and below it unit and origin.
qreal headHeight(const Chart& chart, qreal width, const Theme& theme) {
    qreal title = 0;
    for (const ChartPanel& panel : chart.panels)
        title =
            std::max(title, paintParagraph(nullptr, {0, 0, width, 0}, panel.title, chartHeadFont(theme), theme.text));
    return title + chipHeight(theme) + 10 * theme.fontScale;
}

// Below this a row of panels' words would lie over each other, and over what stands below them.
qreal leastBody(const Chart& chart, qreal width, const Theme& theme) {
    const qreal s = theme.fontScale, small = lineHeight(theme.small()), head = headHeight(chart, width, theme);
    if (chart.panels.isEmpty())
        return 0;
    if (chart.categories.isEmpty())
        return head + 90 * s; // axes, their numbers and titles
    const auto series = chart.stacked ? 1 : std::max<qsizetype>(1, chart.panels.first().series.size());
    return head + small * 1.3 + 6 * s + qreal(chart.categories.size() * series) * small * 0.9;
}

} // namespace

ChartLayout chartLayout(const Chart& chart, const QRectF& area, const Theme& theme) {
    ChartLayout l;
    const qreal s = theme.fontScale, small = lineHeight(theme.small()),
                margin = std::min(sideMargin(theme), area.width() * 0.04);
    const QRectF inner = area.adjusted(margin, 12 * s, -margin, -8 * s);
    qreal legend = 0, notes = 0;
    if (!chart.legend.isEmpty())
        legend = paintChartLegend(nullptr, {inner.left(), 0, inner.width(), 0}, chart, theme) + 8 * s;
    for (const QString& note : chart.notes)
        notes += paintParagraph(nullptr, {0, 0, inner.width(), 0}, note, theme.small(), theme.textMuted);
    // Of what leaves the picture no room the title goes first, then what stands under it, then the notes.
    qreal title = lineHeight(theme.title()) * 1.2, subtitle = small * 1.3;
    const qreal lowest = leastBody(chart, inner.width(), theme);
    for (qreal* part : {&title, &subtitle, &notes})
        if (inner.height() - title - subtitle - legend - notes - 12 * s < lowest)
            *part = 0;
    qreal top = inner.top();
    const auto take = [&](qreal height) {
        const QRectF taken = height > 0 ? QRectF(inner.left(), top, inner.width(), height) : QRectF();
        top += height;
        return taken;
    };
    l.title = take(title);
    l.subtitle = take(subtitle);
    top += 6 * s;
    if (legend > 0)
        l.legend = take(legend).adjusted(0, 0, 0, -8 * s);
    if (notes > 0)
        l.notes = {inner.left(), inner.bottom() - notes, inner.width(), notes};
    const qreal bottom = notes > 0 ? l.notes.top() - 6 * s : inner.bottom();
    const QRectF body(inner.left(), top, inner.width(), std::max<qreal>(bottom - top, 10));
    const int count = int(chart.panels.size());
    if (count == 0)
        return l;
    if (chart.categories.isEmpty()) { // two axes of numbers: a grid of panels, wider than high
        int columns = count == 1 ? 1 : std::clamp(int(body.width() / (300 * s)), 1, count <= 4 ? 2 : 3);
        const qreal gap = 18 * s, least = headHeight(chart, body.width() / columns, theme) + 90 * s;
        const auto rowsWith = [&](int across) { return (count + across - 1) / across; };
        while (columns < count && rowsWith(columns) * least > body.height())
            ++columns; // narrow panels are read, low ones are not
        const int rows = rowsWith(columns);
        const qreal width = (body.width() - gap * (columns - 1)) / columns,
                    height = (body.height() - gap * 0.5 * (rows - 1)) / rows;
        const qreal head = headHeight(chart, width, theme);
        for (int p = 0; p < count; ++p) {
            const int column = p % columns, row = p / columns;
            const QRectF cell(body.left() + column * (width + gap), body.top() + row * (height + gap * 0.5), width,
                              height);
            l.panels.append({.head = {cell.left(), cell.top(), cell.width(), head},
                             .plot = {cell.left(), cell.top() + head, cell.width(), cell.height() - head}});
        }
        return l;
    }
    qreal label = 0;
    for (const QString& name : chart.categories)
        label = std::max(label, textWidth(theme.small(), name));
    label = std::min(label + 10 * s, inner.width() * 0.36);
    const qreal gap = 16 * s, least = (chart.stacked ? 160 : 118) * s;
    const qreal ticks = small * 1.3 + 6 * s;
    const int categories = std::max(1, int(chart.categories.size()));
    const int series = chart.stacked ? 1 : std::max(1, int(chart.panels.first().series.size()));
    // As many panels side by side as keep both rows high enough for words and panels wide enough for bars.
    int columns = 1;
    qreal best = -10, width = 0, head = 0, room = 0;
    for (int c = 1; c <= count; ++c) {
        const int rows = (count + c - 1) / c;
        const qreal w = (body.width() - label - gap * (c - 1)) / c,
                    h = headHeight(chart, std::max<qreal>(w, 20), theme);
        const qreal r = std::max<qreal>((body.height() - 10 * s * (rows - 1)) / rows - h - ticks, 4);
        const qreal fits = std::min({1.6 * w / least - 0.6, r / (categories * series * small * 1.15), 1.0});
        if (fits > best || (fits == best && rows < (count + columns - 1) / columns)) {
            best = fits;
            columns = c;
            width = w;
            head = h;
            room = r;
        }
    }
    const qreal most = (chart.stacked || series == 1 ? 68 : 36 + 22 * std::min(series, 5)) * s;
    l.rowHeight = std::min(room / categories, most);
    const bool single = chart.stacked || series == 1; // few rows in a large picture: the bars stay bars
    l.thickness = std::min(single ? 0.66 : 0.8, (single ? 34 : 30 * series) * s / std::max<qreal>(l.rowHeight, 1));
    for (int p = 0; p < count; ++p) {
        const int column = p % columns, row = p / columns;
        const qreal x = body.left() + label + column * (width + gap);
        const qreal y = body.top() + row * (head + ticks + l.rowHeight * categories + 10 * s);
        qreal values = 16 * s; // half of the axis' last number at least
        if (!chart.stacked)
            for (const ChartSeries& one : chart.panels[p].series)
                for (const ChartPoint& point : one.points)
                    values = std::max(values, textWidth(theme.small(), point.text) * 1.08 + 10 * s);
        values = std::min(values, width * 0.5);
        ChartLayout::Panel panel;
        panel.head = {x, y, width, head};
        panel.plot = {std::round(x), std::round(y + head), std::round(width - values),
                      std::round(l.rowHeight * categories)};
        panel.values = {panel.plot.right(), panel.plot.top(), values, panel.plot.height()};
        panel.ticks = {panel.plot.left(), panel.plot.bottom(), width, ticks};
        if (column == 0)
            panel.labels = {body.left(), panel.plot.top(), label - 6 * s, panel.plot.height()};
        const bool fits = row == 0 || panel.plot.bottom() <= inner.bottom();
        l.panels.append(fits ? panel : ChartLayout::Panel()); // of what has no room nothing is shown
    }
    return l;
}

} // namespace warpglass
