// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/lanes_layout.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr int lanes = 32;
constexpr qreal leastRow = 3; // px of a lane, before words stand aside

QRectF cut(QRectF& from, qreal height) { // takes the top off
    const QRectF top(from.left(), from.top(), from.width(), qMin(height, from.height()));
    from.setTop(top.bottom());
    return top;
}

LanesPanel layoutPanel(const LanesRequest& r, const LanesPanelRequest& p, QRectF area, qreal rowHeight, int tableRows) {
    const qreal s = r.scale;
    LanesPanel out;
    out.whole = area;
    out.columns = p.columns;
    out.rowHeight = rowHeight;
    out.heading = cut(area, r.bare ? 0 : r.bodyHeight + 4 * s);
    QRectF heads = cut(area, 2 * r.smallHeight + 2 * s);
    QRectF rows = cut(area, lanes * rowHeight);
    QRectF scroll = cut(area, 8 * s);
    QRectF bars = cut(area, r.bare ? 0 : 36 * s);
    QRectF texts = cut(area, r.bare ? 0 : r.smallHeight + 4 * s);
    out.summary = cut(area, p.summaryRows * (r.bodyHeight + 6 * s));
    cut(area, 4 * s);
    out.tableRow = r.smallHeight + 7 * s;
    out.tableRows = tableRows;
    out.table = tableRows > 0 ? cut(area, (tableRows + 1) * out.tableRow) : QRectF();

    // Across: lane numbers, columns, paths.
    const qreal labelWidth = 26 * s;
    const qreal between = 26 * s;
    const qreal room = rows.width() - labelWidth;
    const qreal leastPaths = 150 * s;
    const bool paths = p.paths && room > leastPaths + between + 60 * s;
    qreal forColumns = room;
    if (paths) {
        const qreal wanted = p.columns * (r.bare && r.columnWidth > 0 ? r.columnWidth : widestColumn * s);
        forColumns = qMin(wanted, qMax(room * 0.55, qreal(0)));
        forColumns = qMin(forColumns, room - between - leastPaths);
        forColumns = qMax(forColumns, 60 * s);
    }
    qreal width = r.columnWidth;
    if (width <= 0)
        width = p.columns ? qBound(narrowestColumn * s, forColumns / p.columns, widestColumn * s) : widestColumn * s;
    width = qBound(narrowestColumn * s, width, 3 * widestColumn * s);
    const qreal usedWidth = p.fill ? forColumns : qMin(forColumns, qMax(p.columns, 1) * width);
    out.columnWidth = width;
    out.inSight = usedWidth / width;
    const auto across = [&](QRectF band) {
        return QRectF(band.left() + labelWidth, band.top(), usedWidth, band.height());
    };
    out.labels = {rows.left(), rows.top(), labelWidth, rows.height()};
    out.cells = across(rows);
    out.heads = across(heads);
    out.bars = across(bars);
    out.barTexts = across(texts);
    double from = r.from;
    if (from < 0)
        from = p.current >= 0 ? p.current - out.inSight / 2 + 0.5 : 0;
    out.from = clampedFrom(from, p.columns, out.inSight);
    if (!p.fill && out.inSight + 1e-6 < p.columns)
        out.scroll = across(scroll).adjusted(0, 3 * s, 0, -2 * s);
    if (paths) {
        const qreal left = out.cells.right() + between;
        const auto beside = [&](QRectF band) { return QRectF(left, band.top(), rows.right() - left, band.height()); };
        out.pathHeading = {left, heads.top(), rows.right() - left, r.smallHeight};
        out.pathHeads = {left, heads.top() + r.smallHeight, rows.right() - left, heads.height() - r.smallHeight};
        out.paths = beside(rows);
        out.pathBars = beside(bars);
        out.pathTexts = beside(texts);
    }
    return out;
}

} // namespace

LanesLayout layoutLanes(const LanesRequest& r) {
    LanesLayout out;
    const qreal s = r.scale;
    if (r.bare) {
        const qreal room = r.area.height() - (2 * r.smallHeight + 2 * s) - 8 * s;
        out.panels.push_back(layoutPanel(r, r.panels[0], r.area, qBound(qreal(2), room / lanes, 17 * s), 0));
        return out;
    }
    QRectF area = r.area.adjusted(22 * s, 14 * s, -22 * s, -12 * s);
    int summaryRows = 0;
    for (const LanesPanelRequest& p : r.panels)
        summaryRows = std::max(summaryRows, p.summaryRows);
    // Large type in a small area: lanes that can be told apart come before the words about them.
    const qreal summary = summaryRows * (r.bodyHeight + 6 * s);
    const qreal always = r.titleHeight + 8 * s + (r.bodyHeight + 4 * s) + (2 * r.smallHeight + 2 * s) + 8 * s + 36 * s +
                         (r.smallHeight + 4 * s) + 4 * s + 4 * s + lanes * leastRow;
    qreal spare = area.height() - always;
    const auto fits = [&spare](qreal height) {
        const bool fit = spare >= height;
        spare -= fit ? height : 0;
        return fit;
    };
    const bool told = fits(summary);
    const qreal legendHeight = fits(r.legendHeight) ? r.legendHeight : 0;
    const bool asked = fits(r.smallHeight + 2 * s), noted = r.noteHeight > 0 && fits(r.noteHeight + 6 * s);
    out.title = cut(area, r.titleHeight);
    if (asked)
        out.question = cut(area, r.smallHeight + 2 * s);
    if (noted) {
        cut(area, 6 * s);
        out.note = cut(area, r.noteHeight);
    }
    cut(area, 8 * s);
    out.legend = QRectF(area.left(), area.bottom() - legendHeight, area.width(), legendHeight);
    area.setBottom(out.legend.top() - 4 * s);

    // Down: what is not lanes and not table is fixed; lanes get the rest, the table at most two fifths of it.
    const qreal fixed = (r.bodyHeight + 4 * s) + (2 * r.smallHeight + 2 * s) + 8 * s + 36 * s +
                        (r.smallHeight + 4 * s) + (told ? summary : 0) + 4 * s;
    const qreal flexible = qMax(qreal(0), area.height() - fixed);
    const qreal tableRow = r.smallHeight + 7 * s;
    int tableRows = 0;
    for (const LanesPanelRequest& p : r.panels)
        tableRows = std::max(tableRows, p.tableRows);
    const qreal forTable = tableRows ? qMin((tableRows + 1) * tableRow, flexible * 0.4) : 0;
    const qreal rowHeight = qBound(qreal(2), std::floor((flexible - forTable) / lanes * 2) / 2, 17 * s);
    const qreal left = flexible - lanes * rowHeight;
    const int rowsThatFit = qMax(0, int(left / tableRow) - 1);

    const int n = int(r.panels.size());
    const qreal between = 34 * s;
    const qreal width = n ? (area.width() - (n - 1) * between) / n : 0;
    for (int i = 0; i < n; ++i) {
        const QRectF panel(area.left() + i * (width + between), area.top(), width, area.height());
        LanesPanelRequest one = r.panels[i];
        one.summaryRows = told ? one.summaryRows : 0;
        out.panels.push_back(layoutPanel(r, one, panel, rowHeight, qMin(one.tableRows, rowsThatFit)));
    }
    return out;
}

qreal LanesPanel::gap() const {
    return columnWidth >= 24 ? 4 : columnWidth >= 10 ? 2 : columnWidth >= 7 ? 1 : 0;
}

QRectF LanesPanel::cell(int column, int lane) const {
    const qreal vertical = rowHeight >= 9 ? 1.5 : rowHeight >= 5 ? 1 : 0;
    return {cells.left() + (column - from) * columnWidth, cells.top() + lane * rowHeight, columnWidth - gap(),
            rowHeight - vertical};
}

QRectF LanesPanel::columnRect(int column) const {
    return {cells.left() + (column - from) * columnWidth, cells.top(), columnWidth - gap(), cells.height()};
}

QRectF LanesPanel::pathRow(int lane) const {
    const qreal vertical = rowHeight >= 9 ? 1.5 : rowHeight >= 5 ? 1 : 0;
    return {paths.left(), paths.top() + lane * rowHeight, paths.width(), rowHeight - vertical};
}

int LanesPanel::columnAt(qreal x) const {
    if (x < cells.left() || x >= cells.right() || columnWidth <= 0)
        return -1;
    const int column = int(std::floor(from + (x - cells.left()) / columnWidth));
    return column >= 0 && column < columns ? column : -1;
}

int LanesPanel::laneAt(qreal y) const {
    if (y < cells.top() || y >= cells.bottom() || rowHeight <= 0)
        return -1;
    return std::min(lanes - 1, int((y - cells.top()) / rowHeight));
}

int LanesPanel::firstColumn() const {
    return std::max(0, int(std::floor(from + 1e-9)));
}
int LanesPanel::endColumn() const {
    return std::min(columns, int(std::ceil(from + inSight - 1e-9)));
}

QVector<qreal> stretchEdges(const QVector<double>& lengths, qreal left, qreal width, qreal least) {
    QVector<qreal> edges{left};
    const auto n = lengths.size();
    if (n == 0)
        return edges;
    double total = 0;
    for (const double l : lengths)
        total += qMax(0.0, l);
    const qreal base = n * least <= width ? least : 0;
    const qreal rest = width - n * base;
    qreal x = left;
    for (const double l : lengths) {
        x += base + (total > 0 ? rest * qMax(0.0, l) / total : rest / n);
        edges.push_back(x);
    }
    edges.back() = left + width;
    return edges;
}

double fromAfterZoom(double from, qreal pointerOffset, qreal oldWidth, qreal newWidth) {
    return from + pointerOffset / oldWidth - pointerOffset / newWidth;
}

double clampedFrom(double from, int columns, double inSight) {
    return qBound(0.0, from, qMax(0.0, columns - inSight));
}

} // namespace warpglass
