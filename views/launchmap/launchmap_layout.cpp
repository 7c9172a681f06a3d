// SPDX-License-Identifier: GPL-3.0-or-later
// The panels. Geometry of what is inside them: launchmap_geometry.cpp.
#include "views/launchmap/launchmap_layout.h"

#include <algorithm>

namespace warpglass {
namespace {

// Takes slices off a rectangle, from the top down.
class Column {
public:
    explicit Column(const QRectF& r) : m_rest(r) {}
    QRectF take(qreal height) {
        const QRectF r(m_rest.left(), m_rest.top(), m_rest.width(),
                       std::clamp(height, 0.0, std::max(0.0, m_rest.height())));
        m_rest.setTop(r.bottom());
        return r;
    }
    void skip(qreal height) { take(height); }
    QRectF rest() const { return m_rest; }

private:
    QRectF m_rest;
};

void layDevice(LaunchMapLayout& l, const QRectF& area, qreal line, bool wanted = true) {
    const qreal gap = 2 * line;
    const bool withCharts = wanted && area.height() > 15 * line;
    const qreal chartHeight = withCharts ? std::clamp(area.height() * 0.2, 2.6 * line, 7 * line) : 0;
    const qreal charts = withCharts ? chartHeight + 3.4 * line : 0;
    const qreal left = (area.width() - gap) * 0.5;

    Column grid(QRectF(area.left(), area.top(), left, area.height() - charts));
    l.gridTitle = grid.take(1.5 * line);
    l.grid = grid.take(grid.rest().height() - 1.5 * line);
    l.gridLegend = grid.rest();
    Column device(QRectF(area.left() + left + gap, area.top(), area.width() - left - gap, area.height() - charts));
    l.deviceTitle = device.take(1.5 * line);
    l.device = device.take(device.rest().height() - 1.5 * line);
    l.deviceNote = device.rest();
    if (!withCharts) {
        return;
    }
    const qreal top = area.bottom() - charts + 0.4 * line, chartWidth = (area.width() - gap) * 0.68;
    Column chart(QRectF(area.left(), top, chartWidth, charts));
    l.chartTitle = chart.take(1.5 * line);
    l.chart = chart.take(chartHeight);
    l.chartRuler = chart.take(1.2 * line);
    const qreal balanceLeft = area.left() + chartWidth + gap;
    Column balance(QRectF(balanceLeft, top, area.right() - balanceLeft, charts));
    l.balanceTitle = balance.take(1.5 * line);
    l.balance = balance.take(chartHeight);
    l.balanceNote = balance.take(1.2 * line);
}

void layBlock(LaunchMapLayout& l, const QRectF& area, qreal line, int laneRows, std::uint32_t warpCount) {
    const qreal gap = 2 * line, left = (area.width() - gap) * (area.width() < 50 * line ? 0.28 : 0.32);
    Column threads(QRectF(area.left(), area.top(), left, area.height()));
    l.threadsTitle = threads.take(1.5 * line);
    l.threads = threads.take(threads.rest().height() - (area.width() < 80 * line ? 2.5 : 1.3) * line);
    l.threadsNote = threads.rest();

    Column warps(QRectF(area.left() + left + gap, area.top(), area.width() - left - gap, area.height()));
    const qreal table = (laneRows + 0.25) * line * 0.98 + 1.6 * line;
    const bool withTable = area.height() > table + 4.5 * line;
    l.warpsTitle = warps.take(1.5 * line);
    const qreal room = warps.rest().height() - (withTable ? table : 0);
    l.warps = warps.take(std::min(room, 2.4 * line * std::max(warpCount, 1u)));
    if (withTable) {
        l.lanesTitle = warps.take(1.6 * line);
        l.lanes = warps.take(std::min(warps.rest().height(), 1.5 * line * laneRows));
    }
}

} // namespace

LaunchMapLayout launchMapLayout(const QRectF& area, qreal line, LaunchMapParts parts, int laneRows, std::uint32_t warps,
                                bool withGhost) {
    LaunchMapLayout l;
    const qreal margin = 1.1 * line;
    const QRectF inner = area.adjusted(margin, 0.7 * margin, -margin, -0.7 * margin);
    if (parts == LaunchMapParts::Waves) {
        layDevice(l, area, line, false);
        l.deviceNote = {};
        return l;
    }
    Column page(inner);
    const QRectF head = page.take(1.7 * line);
    l.title = QRectF(head.left(), head.top(), head.width() * 0.62, head.height());
    l.chips = QRectF(l.title.right(), head.top(), head.right() - l.title.right(), head.height());
    if (withGhost)
        l.ghost = page.take(1.4 * line);
    page.skip(0.3 * line);
    const QRectF body = page.rest();
    if (parts == LaunchMapParts::Device) {
        layDevice(l, body, line);
    } else if (parts == LaunchMapParts::Block) {
        layBlock(l, body, line, laneRows, warps);
    } else {
        const qreal block = std::clamp(body.height() * 0.38, std::min(body.height() * 0.5, 13.5 * line), 24 * line);
        layDevice(l, QRectF(body.left(), body.top(), body.width(), body.height() - block - 0.4 * line), line);
        layBlock(l, QRectF(body.left(), body.bottom() - block, body.width(), block), line, laneRows, warps);
    }
    return l;
}

} // namespace warpglass
