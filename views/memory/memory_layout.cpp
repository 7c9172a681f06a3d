// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory/memory_layout.h"

#include <algorithm>

namespace warpglass {

namespace {

// A small picture keeps its words close: summary and legend follow the last row instead of lying at the bottom.
void moveUnder(MemoryLayout& layout, double bottom, double lineHeight) {
    const double up = layout.summary.top() - (bottom + lineHeight * 1.4);
    if (up <= 0)
        return;
    layout.summary.translate(0, -up);
    layout.legend.translate(0, -up);
}

// Of a row: a large picture has larger cells, not a void below small ones.
double tallest(const MemoryLayout& layout, double lineHeight) {
    return std::clamp(layout.map.height() * 0.2, lineHeight * 2.6, lineHeight * 6);
}

} // namespace

MemoryLayout memoryLayout(const QRectF& area, const ShownAccess* access, double lineHeight) {
    MemoryLayout layout;
    const double gap = lineHeight * 0.8;
    const QRectF inner = area.adjusted(gap * 1.5, gap, -gap * 1.5, -gap);
    layout.title = QRectF(inner.left(), inner.top(), inner.width(), lineHeight * 1.8);
    const double top = layout.title.bottom() + gap * 0.5;
    const bool beside = inner.width() > lineHeight * 52; // else the table goes below
    const double tableWidth =
        beside ? std::clamp(inner.width() * 0.36, lineHeight * 22, lineHeight * 34) : inner.width();
    const double tableHeight = beside ? inner.bottom() - top : (inner.bottom() - top) * 0.32;
    layout.table = QRectF(inner.right() - tableWidth, inner.bottom() - tableHeight, tableWidth, tableHeight);
    const QRectF left(inner.left(), top, beside ? inner.width() - tableWidth - gap * 2 : inner.width(),
                      beside ? inner.bottom() - top : layout.table.top() - gap - top);

    layout.heading = QRectF(left.left(), left.top(), left.width(), lineHeight * 1.5);
    const double labelWidth = lineHeight * 5.5;
    const double width = left.width() - labelWidth;
    layout.laneWidth = width / lanesPerWarp;
    layout.lanes = QRectF(left.left() + labelWidth, layout.heading.bottom() + gap * 0.5, width, lineHeight * 1.5);
    layout.legend = QRectF(left.left(), left.bottom() - lineHeight * 1.5, left.width(), lineHeight * 1.5);
    layout.summary = QRectF(left.left(), layout.legend.top() - lineHeight * 3.4, left.width(), lineHeight * 3.2);
    layout.map = QRectF(left.left(), layout.lanes.bottom() + lineHeight * 2.4, left.width(),
                        std::max(0.0, layout.summary.top() - gap - layout.lanes.bottom() - lineHeight * 2.4));
    if (!access)
        return layout;

    if (access->isShared) {
        const int passes = std::max(access->shared.passes, 1);
        const double pitch = std::clamp(layout.map.height() / passes, lineHeight * 0.5, tallest(layout, lineHeight));
        layout.bankWidth = width / 32;
        for (int pass = 0; pass < passes; ++pass)
            layout.passRows.emplace_back(layout.lanes.left(), layout.map.top() + pass * pitch, width,
                                         std::max(pitch - 2.0, pitch * 0.8));
        moveUnder(layout, layout.passRows.back().bottom(), lineHeight);
        return layout;
    }
    std::vector<std::uint64_t> lines;
    for (const SectorUse& sector : access->global.sectors)
        if (lines.empty() || lines.back() != sector.address / 128 * 128)
            lines.push_back(sector.address / 128 * 128);
    const double pitch = std::clamp(layout.map.height() / std::max<double>(1, double(lines.size())), lineHeight * 0.5,
                                    tallest(layout, lineHeight));
    layout.byteWidth = width / 128;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const double y = layout.map.top() + double(i) * pitch;
        const double height = std::max(pitch - 4.0, pitch * 0.75);
        layout.lineRows.push_back({lines[i], QRectF(left.left(), y, labelWidth - gap, height),
                                   QRectF(layout.lanes.left(), y, width, height)});
    }
    if (!lines.empty())
        moveUnder(layout, layout.lineRows.back().cells.bottom(), lineHeight);
    return layout;
}

} // namespace warpglass
