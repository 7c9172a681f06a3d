// SPDX-License-Identifier: GPL-3.0-or-later
// The grid, what the programmer wrote. Large tiles are shapes; below 6 px the panel is filled pixel by pixel. Where a
// pixel holds many blocks, a few of them are looked at: if one is resident the pixel says so (the front of the work
// must not vanish), else the commoner state; never a mean colour. The cost is that of the pixels, whatever the grid.
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/launchmap/launchmap_scene.h"
#include "views/launchmap/launchmap_text.h"

#include <QImage>
#include <QPaintDevice>

#include <algorithm>
#include <cmath>

namespace warpglass {
namespace {

constexpr double smallestShape = 6;                // px a side; below, pixels
constexpr int sampledColumns = 2, sampledRows = 4; // blocks looked at in a pixel

// Which tiles a column (or row) of pixels shows; a pixel of a gap shows none.
struct PixelSpan {
    std::int64_t slice = -1;          // across or down
    std::int64_t first = 0, last = 0; // tiles
};

std::vector<PixelSpan> pixelSpans(int pixels, double ratio, double start, double origin, double tile,
                                  std::uint64_t tiles, double gap, std::uint64_t slices) {
    std::vector<PixelSpan> spans(static_cast<std::size_t>(pixels));
    const double period = tile * double(tiles) + gap, line = tile * ratio >= 3 ? 1.0 / ratio : 0;
    for (int p = 0; p < pixels; ++p) {
        const double at = start + (p + 0.5) / ratio - origin, slice = std::floor(at / period);
        if (slice < 0 || slice >= double(slices)) {
            continue;
        }
        const double in = at - slice * period;
        const double from = (in - 0.5 / ratio) / tile, to = (in + 0.5 / ratio) / tile;
        const auto middle = std::int64_t(std::floor(in / tile));
        if (middle < 0 || middle >= std::int64_t(tiles) || (line > 0 && in - double(middle) * tile < line)) {
            continue;
        }
        PixelSpan& s = spans[std::size_t(p)];
        s.slice = std::int64_t(slice);
        s.first = s.last = middle;
        if (tile * ratio < 1) {
            s.first = std::max<std::int64_t>(0, std::int64_t(std::ceil(from)));
            s.last = std::min(std::int64_t(tiles) - 1, std::max(s.first, std::int64_t(std::ceil(to)) - 1));
        }
    }
    return spans;
}

double blocksAPixel(const GridGeometry& g) {
    return 1.0 / (std::clamp(g.tile.width(), 1e-6, 1.0) * std::clamp(g.tile.height(), 1e-6, 1.0));
}

// Colours by state and category, looked up instead of mixed for every pixel.
struct Palette {
    std::array<QRgb, 8> resident, done;
    QRgb waiting, hatch; // hatch: strokes over those that never ran
    explicit Palette(const LaunchMapScene& s) {
        Block b;
        b.start = {0};
        b.end = {1};
        LaunchMapScene at;
        at.theme = s.theme;
        at.colourBySm = s.colourBySm && blocksAPixel(s.grid) < 1.5; // the SM of many blocks is no SM
        for (std::size_t i = 0; i < 8; ++i) {
            b.sm = std::uint16_t(i);
            at.now = {0};
            resident[i] = blockColour(at, b).rgb();
            at.now = {1};
            done[i] = blockColour(at, b).rgb();
        }
        at.now = {-1};
        waiting = blockColour(at, b).rgb();
        hatch = s.theme.textMuted.rgb();
    }
};

// stroke: the pixel lies on a stroke of the hatch, which goes over all tiles where none has room for one of its own.
QRgb pixelColour(const LaunchMapScene& s, const Palette& palette, const PixelSpan& x, const PixelSpan& y, bool stroke) {
    const auto slice = std::uint64_t(y.slice) * s.grid.sliceColumns + std::uint64_t(x.slice);
    if (slice >= s.grid.slices) {
        return 0;
    }
    const Block* blocks = s.trace->blocks.data() + s.launch->firstBlock;
    const std::int64_t stepX = std::max<std::int64_t>(1, (x.last - x.first + sampledColumns) / sampledColumns);
    const std::int64_t stepY = std::max<std::int64_t>(1, (y.last - y.first + sampledRows) / sampledRows);
    std::array<int, 4> states{};
    std::array<std::array<int, 8>, 4> sms{};
    int seen = 0;
    for (std::int64_t row = y.first; row <= y.last; row += stepY) {
        for (std::int64_t column = x.first; column <= x.last; column += stepX) {
            const std::uint64_t n = s.grid.blockAtCell(slice, std::uint64_t(column), std::uint64_t(row));
            if (n >= s.launch->blockCount) {
                continue;
            }
            const Block& b = blocks[n];
            const auto state = std::size_t(s.stateOf(b));
            ++states[state];
            ++sms[state][b.sm % 8u];
            ++seen;
            if (state == std::size_t(BlockState::Resident)) {
                return palette.resident[b.sm % 8u];
            }
        }
    }
    if (seen == 0) {
        return 0;
    }
    const auto state = std::size_t(std::max_element(states.begin(), states.end()) - states.begin());
    const auto sm = std::size_t(std::max_element(sms[state].begin(), sms[state].end()) - sms[state].begin());
    if (state == std::size_t(BlockState::Done))
        return palette.done[sm];
    return stroke && state == std::size_t(BlockState::NotRun) ? palette.hatch : palette.waiting;
}

QImage gridImage(const LaunchMapScene& s, double ratio) {
    const GridGeometry& g = s.grid;
    const int width = int(std::ceil(g.area.width() * ratio)), height = int(std::ceil(g.area.height() * ratio));
    QImage image(std::max(1, width), std::max(1, height), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    const Palette palette(s);
    const std::uint64_t down = (g.slices + g.sliceColumns - 1) / g.sliceColumns;
    const auto xs =
        pixelSpans(image.width(), ratio, g.area.left(), g.origin.x(), g.tile.width(), g.columns, g.gap, g.sliceColumns);
    const auto ys = pixelSpans(image.height(), ratio, g.area.top(), g.origin.y(), g.tile.height(), g.rows, g.gap, down);
    const int stroke = std::max(1, int(std::lround(ratio))), apart = 5 * stroke; // of the hatch
    for (int y = 0; y < image.height(); ++y) {
        if (ys[std::size_t(y)].slice < 0) {
            continue;
        }
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            if (xs[std::size_t(x)].slice >= 0) {
                line[x] = pixelColour(s, palette, xs[std::size_t(x)], ys[std::size_t(y)], (x + y) % apart < stroke);
            }
        }
    }
    return image;
}

void paintTileText(QPainter& painter, const LaunchMapScene& s, const QRectF& tile, const Block& b, BlockState state) {
    const QFont font = s.theme.small();
    const qreal line = lineHeight(font);
    const QString index = indexText(s.launch->grid.at(b.index), s.launch->grid);
    const QString widest =
        indexText({s.launch->grid.x - 1, s.launch->grid.y - 1, s.launch->grid.z - 1}, s.launch->grid);
    if (tile.height() < line + 4 || textWidth(font, widest) > tile.width() - 8) { // all tiles or none
        return;
    }
    const bool placed = state == BlockState::Resident || state == BlockState::Done;
    const QColor ink = !placed ? s.theme.textMuted : inkOn(blockColour(s, b));
    const bool two =
        tile.height() >= 2 * line + 12 && placed && textWidth(font, QStringLiteral("SM 000")) + 14 <= tile.width();
    const QRectF first(tile.left(), tile.center().y() - (two ? line : line / 2), tile.width(), line);
    paintText(painter, first, index, font, ink, Qt::AlignCenter);
    if (two) {
        paintText(painter, first.translated(0, line), QStringLiteral("SM %1").arg(b.sm), font, ink, Qt::AlignCenter);
    }
}

void paintShapes(QPainter& painter, const LaunchMapScene& s) {
    const GridGeometry& g = s.grid;
    for (std::uint64_t slice = 0; slice < g.slices; ++slice) {
        const QPointF at = g.sliceOrigin(slice);
        const auto clampTo = [](double v, std::uint64_t n) { return std::uint64_t(std::clamp(v, 0.0, double(n))); };
        const std::uint64_t x0 = clampTo(std::floor((g.area.left() - at.x()) / g.tile.width()), g.columns);
        const std::uint64_t x1 = clampTo(std::ceil((g.area.right() - at.x()) / g.tile.width()), g.columns);
        const std::uint64_t y0 = clampTo(std::floor((g.area.top() - at.y()) / g.tile.height()), g.rows);
        const std::uint64_t y1 = clampTo(std::ceil((g.area.bottom() - at.y()) / g.tile.height()), g.rows);
        for (std::uint64_t y = y0; y < y1; ++y) {
            for (std::uint64_t x = x0; x < x1; ++x) {
                const std::uint64_t n = g.blockAtCell(slice, x, y);
                const Block* b = n < g.grid.count() ? s.blockRow(std::uint32_t(n)) : nullptr;
                if (b) {
                    const QRectF tile(at.x() + double(x) * g.tile.width(), at.y() + double(y) * g.tile.height(),
                                      g.tile.width(), g.tile.height());
                    const BlockState state = s.stateOf(*b);
                    paintTile(painter, tile, state, blockColour(s, *b), s.theme);
                    paintTileText(painter, s, tile, *b, state);
                }
            }
        }
    }
}

void paintSliceLabels(QPainter& painter, const LaunchMapScene& s) {
    const QFont font = s.theme.small();
    for (std::uint64_t slice = 0; s.grid.slices > 1 && slice < s.grid.slices; ++slice) {
        const QPointF at = s.grid.sliceOrigin(slice);
        const QRectF where(at.x(), at.y() - s.grid.gap, s.grid.tile.width() * double(s.grid.columns), s.grid.gap);
        if (where.intersects(s.grid.area) && where.width() > 14) {
            paintText(painter, {where.left(), where.bottom() - lineHeight(font), where.width(), lineHeight(font)},
                      QStringLiteral("z = %1").arg(slice), font, s.theme.textMuted);
        }
    }
}

void paintGridLegend(QPainter& painter, const LaunchMapScene& s) {
    const QRectF& where = s.layout.gridLegend;
    if (where.isEmpty()) {
        return;
    }
    const BlockCounts counts = s.counts();
    const QFont font = s.theme.small();
    const qreal side = lineHeight(font) * 0.85, y = where.center().y();
    qreal x = where.left();
    const bool bySm = s.colourBySm && blocksAPixel(s.grid) < 1.5;
    const QColor shown = bySm ? s.theme.category(0) : s.theme.accent;
    const QColor gone = bySm ? mixed(shown, s.theme.panel, 0.68) : mixed(s.theme.textMuted, s.theme.panel, 0.6);
    // Where they have no room, the gaps shrink first, then states that nobody is in go, then the names: the tiles'
    // shapes tell them, too. At last those that are done go, for they are what the others leave of the grid.
    constexpr qreal usualGap = 14, leastGap = 7;
    bool named = true, all = true, done = true;
    const auto shows = [&](BlockState state, std::uint64_t n) {
        return (n > 0 || (all && state != BlockState::NotRun)) && (done || state != BlockState::Done);
    };
    const auto textOf = [&](BlockState state, std::uint64_t n) {
        return named ? stateName(state) + QLatin1Char(' ') + numberText(n) : numberText(n);
    };
    int entries = 0;
    const auto room = [&] { // without the gaps
        qreal width = 0;
        entries = 0;
        for (const auto& [state, n] :
             {std::pair(BlockState::Done, counts.done), std::pair(BlockState::Resident, counts.resident),
              std::pair(BlockState::Waiting, counts.waiting), std::pair(BlockState::NotRun, counts.notRun)})
            if (shows(state, n)) {
                width += side + 5 + textWidth(font, textOf(state, n)) + 2;
                ++entries;
            }
        return width;
    };
    const auto fits = [&] {
        const qreal width = room();
        return width + (entries - 1) * leastGap <= where.width();
    };
    all = fits();
    named = fits();
    done = fits() || counts.resident + counts.waiting + counts.notRun == 0;
    const qreal words = room();
    const qreal gap = entries > 1 ? std::clamp((where.width() - words) / (entries - 1), leastGap, usualGap) : usualGap;
    const auto entry = [&](BlockState state, std::uint64_t n, const QColor& colour) {
        if (!shows(state, n))
            return;
        const QString text = textOf(state, n);
        paintTile(painter, {x, y - side / 2, side, side}, state, colour, s.theme);
        const qreal width = textWidth(font, text) + 2;
        paintText(painter, {x + side + 5, where.top(), width, where.height()}, text, font,
                  state == BlockState::Resident ? s.theme.text : s.theme.textMuted);
        x += side + 5 + width + gap;
    };
    entry(BlockState::Done, counts.done, gone);
    entry(BlockState::Resident, counts.resident, shown);
    entry(BlockState::Waiting, counts.waiting, s.theme.border);
    entry(BlockState::NotRun, counts.notRun, s.theme.border);
    const double perPixel = blocksAPixel(s.grid);
    QString remark;
    if (perPixel > 1.5) {
        remark = LaunchMapText::tr("a pixel is %1 blocks; zoom in for SMs")
                     .arg(numberText(std::int64_t(std::llround(perPixel))));
    } else if (s.colourBySm) {
        remark = LaunchMapText::tr("colour = SM (8 colours, repeated)");
        if (textWidth(font, remark) > where.right() - x) {
            remark = LaunchMapText::tr("colour = SM");
        }
    }
    if (textWidth(font, remark) <= where.right() - x) {
        paintText(painter, {x, where.top(), where.right() - x, where.height()}, remark, font, s.theme.textMuted,
                  Qt::AlignRight | Qt::AlignVCenter);
    }
}

} // namespace

void paintGrid(QPainter& painter, const LaunchMapScene& s) {
    if (s.layout.grid.isEmpty()) {
        return;
    }
    QString title = s.launch->grid.count() == 1 ? LaunchMapText::tr("Grid: 1 block")
                                                : LaunchMapText::tr("Grid: %1 blocks").arg(shapeText(s.launch->grid));
    if (s.grid.wrapped && s.grid.rows > 1) {
        title += LaunchMapText::tr(", %1 a row").arg(numberText(s.grid.columns));
    }
    QFont bold = s.theme.body();
    bold.setBold(true);
    // Beside another run the number alone says what it is.
    if (textWidth(bold, fittedTitle(title, bold, s.layout.gridTitle.width())) + 2 > s.layout.gridTitle.width() &&
        s.launch->grid.count() > 1)
        title = LaunchMapText::tr("%1 blocks").arg(shapeText(s.launch->grid));
    paintPanelTitle(painter, s.layout.gridTitle, title, LaunchMapText::tr("as written"), std::nullopt, s.theme);
    painter.save();
    painter.setClipRect(s.grid.area, Qt::IntersectClip);
    if (std::min(s.grid.tile.width(), s.grid.tile.height()) >= smallestShape) {
        paintShapes(painter, s);
        paintGhostTiles(painter, s);
    } else {
        const double ratio = painter.device() ? std::max(1.0, painter.device()->devicePixelRatioF()) : 1.0;
        painter.drawImage(s.grid.area.topLeft(), gridImage(s, ratio));
    }
    paintSliceLabels(painter, s);
    painter.restore();
    paintGridLegend(painter, s);
}

} // namespace warpglass
