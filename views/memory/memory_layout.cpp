// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory/memory_layout.h"

#include <algorithm>

namespace warpglass {

namespace {

// A small picture keeps its words close: summary and legend follow the last row instead of lying at the bottom, and a
// table below has the room.
void moveUnder(MemoryLayout& layout, double bottom, double lineHeight) {
    const double up = layout.summary.top() - (bottom + lineHeight * 1.4);
    if (up <= 0)
        return;
    layout.summary.translate(0, -up);
    layout.legend.translate(0, -up);
    if (!layout.table.isEmpty() && layout.table.top() > layout.legend.bottom())
        layout.table.setTop(layout.table.top() - up);
}

// Of a row: a large picture has larger cells, not a void below small ones.
double tallest(const MemoryLayout& layout, double lineHeight) {
    return std::clamp(layout.map.height() * 0.2, std::min(lineHeight * 2.6, std::max(4.0, layout.map.height())),
                      lineHeight * 6);
}

// From row to row: all of them have room.
double pitchOf(const MemoryLayout& layout, std::size_t rows, double lineHeight) {
    return std::min(layout.map.height() / double(std::max<std::size_t>(1, rows)), tallest(layout, lineHeight));
}

} // namespace

MemoryLayout memoryLayout(const QRectF& area, const ShownAccess* access, double lineHeight, const ShownAccess* pinned) {
    MemoryLayout layout;
    const double gap = lineHeight * 0.8;
    const QRectF inner = area.adjusted(gap * 1.5, gap, -gap * 1.5, -gap);
    const bool beside = inner.width() > lineHeight * 52; // else the table goes below
    // Large type in a small area: what the picture cannot be read without stays longest.
    const double lines = inner.height() / lineHeight;
    const bool table = beside || lines >= 24, title = lines >= 17, legend = lines >= 15;
    layout.title = QRectF(inner.left(), inner.top(), inner.width(), title ? lineHeight * 1.8 : 0);
    const double top = title ? layout.title.bottom() + gap * 0.5 : inner.top();
    const double tableWidth =
        beside ? std::clamp(inner.width() * 0.36, lineHeight * 22, lineHeight * 34) : inner.width();
    const double tableHeight = beside ? inner.bottom() - top : table ? (inner.bottom() - top) * 0.32 : 0;
    layout.table = QRectF(inner.right() - tableWidth, inner.bottom() - tableHeight, tableWidth, tableHeight);
    const QRectF left(inner.left(), top, beside ? inner.width() - tableWidth - gap * 2 : inner.width(),
                      beside ? inner.bottom() - top : layout.table.top() - (table ? gap : 0) - top);

    layout.heading = QRectF(left.left(), left.top(), left.width(), lineHeight * 1.5);
    const double labelWidth = lineHeight * 5.5;
    const double width = left.width() - labelWidth;
    layout.laneWidth = width / lanesPerWarp;
    layout.lanes = QRectF(left.left() + labelWidth, layout.heading.bottom() + gap * 0.5, width, lineHeight * 1.5);
    const bool narrow = left.width() < lineHeight * 20; // the legend has two rows there
    const double legendHeight = legend ? lineHeight * (narrow ? 2.6 : 1.5) : 0;
    layout.legend = QRectF(left.left(), left.bottom() - legendHeight, left.width(), legendHeight);
    double summary = // two lines of text, three or four
        lineHeight * (left.width() >= lineHeight * 34 ? 3.4
                      : narrow && legend              ? 5.8
                                                      : 4.8);
    // Where the text would leave no room for what it is about, the share stands alone.
    if (layout.legend.top() - summary - gap - layout.lanes.bottom() < lineHeight * 2.9)
        summary = lineHeight * 1.2;
    layout.summary = QRectF(left.left(), layout.legend.top() - summary, left.width(), summary - lineHeight * 0.2);
    const double below = layout.summary.top() - gap - layout.lanes.bottom();
    double edges = lineHeight * (legend ? 2.4 : 1.6); // from the lanes to what they ask for
    if (below - edges < lineHeight * 1.3)
        edges = std::max(lineHeight * 0.3, below - lineHeight * 1.3);
    layout.map = QRectF(left.left(), layout.lanes.bottom() + edges, left.width(), std::max(0.0, below - edges));
    if (!access)
        return layout;

    if (access->isShared) {
        const int passes = std::max({access->shared.passes, pinned ? pinned->shared.passes : 0, 1});
        const double pitch = pitchOf(layout, std::size_t(passes), lineHeight);
        layout.bankWidth = width / 32;
        for (int pass = 0; pass < passes; ++pass)
            layout.passRows.emplace_back(layout.lanes.left(), layout.map.top() + pass * pitch, width,
                                         std::max(pitch - 2.0, pitch * 0.8));
        moveUnder(layout, layout.passRows.back().bottom(), lineHeight);
        return layout;
    }
    std::vector<std::uint64_t> touched; // lines of 128 bytes
    for (const ShownAccess* one : {access, pinned})
        for (const SectorUse& sector : one ? one->global.sectors : std::vector<SectorUse>())
            touched.push_back(sector.address / 128 * 128);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    const double pitch = pitchOf(layout, touched.size(), lineHeight);
    layout.byteWidth = width / 128;
    for (std::size_t i = 0; i < touched.size(); ++i) {
        const double y = layout.map.top() + double(i) * pitch;
        const double height = std::max(pitch - 4.0, pitch * 0.75);
        layout.lineRows.push_back({touched[i], QRectF(left.left(), y, labelWidth - gap, height),
                                   QRectF(layout.lanes.left(), y, width, height)});
    }
    if (!touched.empty())
        moveUnder(layout, layout.lineRows.back().cells.bottom(), lineHeight);
    return layout;
}

MemoryStageLayout memoryStageLayout(const QRectF& area, const ShownAccess& access, int lines, double lineHeight) {
    constexpr double leastHeight = 12, leastWidth = 11; // px
    MemoryStageLayout stage;
    MemoryLayout& layout = stage.parts;
    const double labelWidth = lineHeight * 5.5, width = area.width() - labelWidth, gap = lineHeight * 0.8;
    layout.laneWidth = width / lanesPerWarp;
    layout.lanes = QRectF(area.left() + labelWidth, area.top(), width, lineHeight * 1.5);
    const double top = layout.lanes.bottom() + lineHeight * 1.8;
    layout.map = QRectF(area.left(), top, area.width(), std::max(0.0, area.bottom() - top));
    if (access.isShared) {
        const double banks = std::min(layout.map.height() * 0.4, lineHeight * 2.6);
        layout.bankWidth = width / 32;
        for (int bank = 0; bank < 32; ++bank)
            stage.cells.append(QRectF(layout.lanes.left() + bank * layout.bankWidth, top, layout.bankWidth, banks)
                                   .adjusted(0.5, 0, -0.5, 0));
        const int passes = std::max(access.shared.passes, 1);
        const double first = top + banks + gap, pitch = std::min((area.bottom() - first) / passes, lineHeight * 2);
        for (int pass = 0; pass < passes; ++pass)
            layout.passRows.emplace_back(layout.lanes.left(), first + pass * pitch, width,
                                         std::max(pitch - 2.0, pitch * 0.8));
    } else {
        const double pitch = std::min(layout.map.height() / std::max(1, lines), lineHeight * 3.2);
        layout.byteWidth = width / 128;
        const std::uint64_t begin = access.global.sectors.front().address / 128 * 128;
        for (int line = 0; line < lines; ++line) {
            const double y = top + line * pitch, height = std::max(pitch - 4.0, pitch * 0.75);
            layout.lineRows.push_back({begin + std::uint64_t(line) * 128,
                                       QRectF(area.left(), y, labelWidth - gap, height),
                                       QRectF(layout.lanes.left(), y, width, height)});
            for (int sector = 0; sector < 4; ++sector)
                stage.cells.append(layout.sectorCell(layout.lineRows.back(), sector).adjusted(1.5, 0, -1.5, 0));
        }
    }
    if (stage.cells.isEmpty() || stage.cells[0].height() < leastHeight || stage.cells[0].width() < leastWidth)
        stage.cells.clear();
    return stage;
}

} // namespace warpglass
