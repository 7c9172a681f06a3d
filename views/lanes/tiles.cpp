// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/tiles.h"

#include "gpu/base/dim3.h"
#include "views/lanes/lanes_paint.h"
#include "views/lanes/lanes_text.h"

#include <QFileInfo>

#include <algorithm>
#include <bit>

namespace warpglass {

namespace {

constexpr int rowOfOne = 64; // elements in a row of a tile of one dimension
constexpr std::size_t mostElements = 1 << 20;
constexpr std::uint32_t lanesOfWarp = 32;

// Row and column in the drawing, of an element in the shown part.
struct Spread {
    int rows = 0, columns = 0;
    explicit Spread(const ttgir::Place& shape) {
        columns = int(shape.back());
        rows = shape.size() > 1 ? int(shape[shape.size() - 2]) : 1;
        if (shape.size() == 1 && columns > rowOfOne) {
            rows = columns / rowOfOne;
            columns = rowOfOne;
        }
    }
    std::pair<int, int> at(const ttgir::Place& element) const {
        if (element.size() == 1)
            return {int(element[0]) / columns, int(element[0]) % columns};
        return {int(element[element.size() - 2]), int(element.back())};
    }
};

bool isShown(const ttgir::Place& element, std::size_t before) {
    return std::all_of(element.begin(), element.begin() + std::ptrdiff_t(before),
                       [](std::uint32_t n) { return n == 0; });
}

bool isStep(const ttgir::Place& basis, std::size_t dimension, std::uint32_t by) {
    for (std::size_t d = 0; d < basis.size(); ++d)
        if (basis[d] != (d == dimension ? by : 0))
            return false;
    return true;
}

// How many values of a lane follow each other along a dimension, no more than a drawn row has.
int together(const std::vector<ttgir::Place>& bases, std::size_t dimension, int most) {
    std::uint32_t count = 1;
    while (std::size_t(std::countr_zero(count)) < bases.size() && int(count) < most &&
           isStep(bases[std::size_t(std::countr_zero(count))], dimension, count))
        count *= 2;
    return int(count);
}

bool isNothing(const ttgir::Place& basis) {
    return std::all_of(basis.begin(), basis.end(), [](std::uint32_t n) { return n == 0; });
}

int copiesOf(const ttgir::TileLayout& layout) {
    int copies = 1;
    for (const auto* bases : {&layout.registers, &layout.lanes, &layout.warps})
        copies <<= std::count_if(bases->begin(), bases->end(), isNothing);
    return copies;
}

void fillRegisters(LaidTile& tile, const ttgir::TileLayout& layout, const Spread& spread, std::uint32_t warp,
                   std::uint32_t lane) {
    const std::size_t last = tile.shape.size() - 1;
    tile.valuesALane = int(layout.registerCount());
    tile.holders = copiesOf(layout);
    tile.cellColumns = together(layout.registers, last, std::min(spread.columns, 8));
    if (tile.cellColumns == 1 && last > 0)
        tile.cellRows = together(layout.registers, last - 1, std::min(spread.rows, 8));
    tile.cells.resize(tile.across() * tile.down());
    const int each = tile.cellRows * tile.cellColumns;
    const auto put = [&](std::uint32_t w, std::uint32_t l) {
        for (int r = tile.valuesALane - each; r >= 0; r -= each) {
            const ttgir::Place element = layout.element(w, l, std::uint32_t(r));
            const auto [row, column] = spread.at(element);
            const int at = row / tile.cellRows * tile.across() + column / tile.cellColumns;
            if (isShown(element, last > 1 ? last - 1 : 0) && at < tile.cells.size())
                tile.cells[at] = {int(w), int(l), r, -1};
        }
    };
    for (std::uint32_t w = layout.warpCount(); w-- > 0;) // of copies the first stays
        for (std::uint32_t l = lanesOfWarp; l-- > 0;)
            put(w, l);
    if (warp < layout.warpCount())
        put(warp, lane);
}

void fillShared(LaidTile& tile, const ttgir::SharedLayout& layout, const Spread& spread) {
    const std::size_t last = tile.shape.size() - 1;
    tile.cellColumns = together(layout.offsets, last, std::min(spread.columns, 8));
    tile.cells.resize(tile.across() * tile.down());
    const std::uint64_t each = std::uint64_t(tile.cellColumns), all = std::uint64_t(1) << layout.offsets.size();
    for (std::uint64_t offset = 0; offset < all; offset += each) {
        ttgir::Place element(tile.shape.size(), 0);
        for (std::size_t bit = 0; bit < layout.offsets.size(); ++bit)
            for (std::size_t d = 0; (offset >> bit & 1) && d < element.size(); ++d)
                element[d] ^= layout.offsets[bit][d];
        const auto [row, column] = spread.at(element);
        const int at = row * tile.across() + column / tile.cellColumns;
        if (isShown(element, last > 1 ? last - 1 : 0) && at < tile.cells.size())
            tile.cells[at].byte = std::int64_t(offset * layout.elementBytes);
    }
}

// What the chosen lane reached in global memory by this line, in its order; the first time the line ran.
QVector<TileAccess> accessesOf(const Trace& trace, const Kernel& kernel, std::uint32_t line, std::uint32_t warp,
                               int lane) {
    QVector<TileAccess> found;
    if (warp == noIndex)
        return found;
    const Warp& of = trace.warps[warp];
    std::vector<std::uint32_t> before; // lines of PTX
    for (std::uint64_t row = of.firstEvent; row < of.firstEvent + of.eventCount; ++row) {
        const Event event = trace.events.get(row, of.start);
        if (event.kind != EventKind::Access || !event.active.has(lane))
            continue;
        const Site& site = trace.sites[event.site];
        if (sourceLineOf(kernel, site.ptxLine) != line)
            continue;
        const AccessRow* access = trace.accessOfEvent(row);
        if (!access || access->space != MemorySpace::Global)
            continue;
        if (std::find(before.begin(), before.end(), site.ptxLine) != before.end())
            break; // the loop's next turn
        before.push_back(site.ptxLine);
        const auto at = std::size_t(std::popcount(event.active.bits & ((1u << unsigned(lane)) - 1)));
        const auto addresses = trace.addresses(*access);
        if (at < addresses.size())
            found << TileAccess{addresses[at], std::uint32_t(access->bytesPerElement) * access->elements,
                                access->kind == AccessKind::Store};
    }
    return found;
}

} // namespace

QString LaidTile::elements(int row, int column) const {
    QStringList words;
    for (const std::uint32_t n : front)
        words << QString::number(n);
    const auto range = [](int first, int count) {
        return count > 1 ? QStringLiteral("%1..%2").arg(first).arg(first + count - 1) : QString::number(first);
    };
    if (shape.size() == 1)
        words << range(row * columns + column * cellColumns, cellColumns);
    else
        words << range(row * cellRows, cellRows) << range(column * cellColumns, cellColumns);
    return QStringLiteral("[%1]").arg(words.join(QStringLiteral(", ")));
}

LaidTile tileOf(const ttgir::Tensor& tensor, const ttgir::Aliases& aliases, int warp, int lane) {
    LaidTile tile;
    tile.shape = tensor.shape;
    tile.shared = tensor.shared;
    tile.bits = tensor.bits;
    tile.layout = QString::fromStdString(ttgir::writtenOut(tensor.encoding, aliases));
    QStringList sides;
    std::size_t elements = 1;
    for (const std::uint32_t side : tensor.shape) {
        sides << QString::number(side);
        elements *= std::max(side, 1u);
    }
    tile.type = sides.join(u'x') + u' ' + QString::fromStdString(tensor.type);
    if (tensor.shape.empty() || elements > mostElements)
        return tile;
    if (tensor.shape.size() > 2)
        tile.front.assign(tensor.shape.size() - 2, 0);
    const Spread spread(tensor.shape);
    tile.rows = spread.rows;
    tile.columns = spread.columns;
    if (tensor.shared) {
        const auto layout = ttgir::sharedLayout(tensor.encoding, tensor.shape, tensor.bits, aliases);
        if (layout && layout->elementBytes) {
            fillShared(tile, *layout, spread);
            tile.known = true;
        }
    } else if (const auto layout = ttgir::tileLayout(tensor.encoding, tensor.shape, aliases);
               layout && (std::size_t(1) << layout->lanes.size()) == lanesOfWarp) {
        fillRegisters(tile, *layout, spread, std::uint32_t(warp), std::uint32_t(lane));
        tile.known = true;
    }
    return tile;
}

std::optional<Tiles> selectedTiles(const Trace& trace, const Selection& selection) {
    if (selection.launch >= trace.launches.size() || !selection.sourceLine || selection.ptxLine)
        return std::nullopt;
    const Kernel& kernel = trace.kernelOf(trace.launches[selection.launch]);
    if (kernel.ttgir.empty())
        return std::nullopt;
    const auto module = ttgir::readTtgir(kernel.ttgir);
    if (!module)
        return std::nullopt;
    const auto nameOf = [](const std::string& path) { return QFileInfo(QString::fromStdString(path)).fileName(); };
    const QString own = nameOf(kernel.sourceName);
    Tiles found;
    const std::uint32_t warp = warpToShow(selection, trace);
    found.lane = std::max(selection.lane, 0);
    found.warp = warp == noIndex ? 0 : int(trace.warps[warp].warpInBlock);
    std::vector<ttgir::Tensor> before;
    for (const ttgir::TensorOperation& o : module->operations) {
        const auto here = [&](const ttgir::SourceLine& l) {
            return l.line == selection.sourceLine && nameOf(l.file) == own;
        };
        if (std::none_of(o.places.begin(), o.places.end(), here))
            continue;
        for (const ttgir::Tensor& tensor : o.tensors) {
            if (std::find(before.begin(), before.end(), tensor) != before.end())
                continue;
            before.push_back(tensor);
            found.tiles << tileOf(tensor, module->aliases, found.warp, found.lane);
            found.tiles.last().operation = QString::fromStdString(o.name);
        }
    }
    if (found.tiles.isEmpty())
        return std::nullopt;
    found.place = LanesText::tr("%1, line %2").arg(own, QString::number(selection.sourceLine));
    found.text = sourceText(kernel, selection.sourceLine);
    found.warps = module->warps;
    if (warp != noIndex) {
        const Dim3 at = trace.blockIndex(trace.blockOf(trace.warps[warp]));
        found.program = QStringLiteral("%1, %2, %3").arg(at.x).arg(at.y).arg(at.z);
        found.accesses = accessesOf(trace, kernel, selection.sourceLine, warp, found.lane);
    }
    return found;
}

} // namespace warpglass
