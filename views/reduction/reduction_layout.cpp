// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reduction/reduction_layout.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpglass {
namespace {

using Kind = ReductionValue::Kind;

// What kind of place a value stands in: registers, or a space of memory.
int placeOf(const ReductionTree& tree, const ReductionValue& v) {
    if (v.cell == noIndex || (v.kind == Kind::Sum && tree.cells[v.cell].column < 0))
        return -1; // a register, or a result that was written away from its thread's register
    return int(tree.cells[v.cell].space);
}

} // namespace

std::uint32_t drawnInput(const ReductionTree& tree, std::uint32_t value) {
    std::uint32_t at = value;
    while (tree.values[at].kind == Kind::Copy)
        at = tree.values[at].inputs[0];
    return tree.values[at].kind == Kind::Sum ? at : value;
}

std::vector<ReductionRow> reductionRows(const ReductionTree& tree) {
    std::vector<ReductionRow> rows(tree.steps.size() + 1);
    for (ReductionRow& r : rows) {
        r.values.assign(std::size_t(tree.columns), noIndex);
        r.fresh.assign(std::size_t(tree.columns), false);
    }
    // Row 0: the given numbers of the kind of place that most first inputs stand in.
    std::array<int, 8> votes{};
    const auto vote = [&](const ReductionValue& v) { return std::size_t(placeOf(tree, v) + 1) % votes.size(); };
    const auto inputsOf = [&](auto&& visit) {
        for (const ReductionStep& step : tree.steps) {
            for (const std::uint32_t s : step.sums) {
                for (const std::uint32_t in : tree.values[s].inputs) {
                    const std::uint32_t at = drawnInput(tree, in);
                    if (tree.values[at].kind != Kind::Sum && tree.values[at].column >= 0)
                        visit(at);
                }
            }
        }
    };
    inputsOf([&](std::uint32_t at) { ++votes[vote(tree.values[at])]; });
    const auto most = std::size_t(std::max_element(votes.begin(), votes.end()) - votes.begin());
    inputsOf([&](std::uint32_t at) {
        const ReductionValue& v = tree.values[at];
        auto& place = rows[0].values[v.column];
        if (vote(v) == most && (place == noIndex || at < place))
            place = at;
    });
    for (std::size_t i = 0; i < tree.steps.size(); ++i) {
        const ReductionStep& step = tree.steps[i];
        const auto placeOfRow = [&](const ReductionRow& row) {
            for (const std::uint32_t v : row.values)
                if (v != noIndex)
                    return placeOf(tree, tree.values[v]);
            return -2;
        };
        bool same = false;
        for (const std::uint32_t s : step.sums)
            same = same || placeOf(tree, tree.values[s]) == placeOfRow(rows[i]) || s == tree.root;
        if (same)
            rows[i + 1].values = rows[i].values;
        for (const std::uint32_t s : step.sums) {
            const auto column = std::size_t(tree.values[s].column);
            rows[i + 1].values[column] = s;
            rows[i + 1].fresh[column] = true;
        }
    }
    return rows;
}

ReductionLayout reductionLayout(const QRectF& area, qreal line, int columns, int steps, const ReductionZoom& zoom,
                                qreal widest) {
    ReductionLayout l;
    l.columns = std::max(columns, 1);
    l.steps = steps;
    const qreal margin = 1.1 * line;
    const QRectF in = area.adjusted(margin, 0.7 * margin, -margin, -0.7 * margin);
    l.title = QRectF(in.left(), in.top(), in.width(), zoom.bare ? 0 : 1.8 * line);
    const qreal sideWidth = std::min(13 * line, in.width() * 0.28), rowLabel = 4.2 * line;
    constexpr qreal lowLines = 14;
    const bool low = area.height() < lowLines * line;
    const qreal foot = zoom.bare ? 0 : (low ? 1.5 : 3.2) * line;
    l.verdict = QRectF(in.left(), in.bottom() - 1.5 * line, in.width(), 1.5 * line);
    l.legend = QRectF(in.left(), in.bottom() - foot, in.width(), low ? 0 : 1.5 * line);
    const qreal top = l.title.bottom() + 1.6 * line; // room for the warps' names
    l.plot = QRectF(in.left() + rowLabel, top, in.width() - rowLabel - sideWidth - line,
                    in.bottom() - foot - 0.6 * line - top);
    l.side = QRectF(l.plot.right() + line, top, sideWidth, l.plot.height());

    const double fit = std::min(l.plot.width() / l.columns, double(widest));
    const double largest = std::max(1.0, double(widest) / fit);
    l.zoom.factor = std::clamp(zoom.factor, 1.0, largest);
    l.pitch = fit * l.zoom.factor;
    const double content = l.pitch * l.columns;
    if (content <= l.plot.width() + 1e-6) {
        l.left = l.plot.left();
        l.zoom.centre = 0.5;
    } else {
        const double half = 0.5 * l.plot.width() / content;
        l.zoom.centre = std::clamp(zoom.centre, half, 1 - half);
        l.left = l.plot.center().x() - l.zoom.centre * content;
    }
    // Rows fill the height, within what is pleasant; if they do not fit at their least, the plot scrolls.
    const qreal rows = steps + 0.45;
    l.zoom.whole = zoom.whole;
    l.zoom.bare = zoom.bare;
    const double each = l.plot.height() / std::max(rows, 1.0);
    l.step = std::clamp(each, zoom.whole ? std::min(each, 4.6 * line) : 4.6 * line, 10.4 * line);
    l.cell = std::min(2.5 * line, l.step * 0.36);
    const qreal height = l.step * steps + l.cell;
    l.zoom.top = std::clamp(zoom.top, 0.0, std::max(0.0, double(height - l.plot.height())));
    l.top = l.plot.top() - l.zoom.top;
    return l;
}

QRectF ReductionLayout::cellRect(int row, int column) const {
    const qreal gap = pitch >= 12 ? std::min(pitch * 0.12, 8.0) : pitch >= 4 ? 0.5 : 0;
    return {left + column * pitch + gap, top + row * step, pitch - 2 * gap, cell};
}

QPointF ReductionLayout::node(int stepIndex, int column) const {
    return {x(column), top + stepIndex * step + cell + (step - cell) * 0.52};
}

qreal ReductionLayout::nodeRadius() const {
    return std::max(1.5, std::min({pitch * 0.36, (step - cell) * 0.24, 15.0}));
}

QRectF ReductionLayout::sideRect(int stepIndex) const {
    return {side.left(), top + stepIndex * step + cell * 0.5, side.width(), step - cell * 0.5 - 2};
}

std::optional<int> ReductionLayout::columnAt(qreal at) const {
    const double c = std::floor((at - left) / pitch);
    return c >= 0 && c < columns && at >= plot.left() && at <= plot.right() ? std::optional(int(c)) : std::nullopt;
}

ReductionZoom zoomedAt(const ReductionLayout& l, QPointF at, double steps) {
    ReductionZoom z = l.zoom;
    z.factor = std::max(1.0, l.zoom.factor * std::pow(1.25, steps));
    const double content = l.pitch * l.columns, ratio = z.factor / l.zoom.factor;
    const double under = (at.x() - l.left) / content;
    z.centre = under + (l.plot.center().x() - at.x()) / (content * ratio);
    return z;
}

ReductionZoom panned(const ReductionLayout& l, QPointF delta) {
    ReductionZoom z = l.zoom;
    z.centre -= delta.x() / (l.pitch * l.columns);
    z.top -= delta.y();
    return z;
}

ReductionZoom framed(const ReductionLayout& l, int column, qreal pitch) {
    ReductionZoom z = l.zoom;
    z.factor = std::max(1.0, l.zoom.factor * pitch / l.pitch);
    z.centre = (column + 0.5) / l.columns;
    return z;
}

std::uint32_t sumAt(const ReductionTree& tree, const ReductionLayout& l, QPointF at) {
    if (!l.plot.contains(at))
        return noIndex;
    for (int i = 0; i < l.steps; ++i) {
        if (std::abs(at.y() - l.node(i, 0).y()) > l.nodeRadius() + 3)
            continue;
        for (const std::uint32_t s : tree.steps[i].sums)
            if (std::abs(at.x() - l.x(tree.values[s].column)) <= std::max(l.nodeRadius() + 2, 3.0))
                return s;
    }
    return noIndex;
}

std::uint32_t valueAt(const std::vector<ReductionRow>& rows, const ReductionLayout& l, QPointF at) {
    const auto column = l.columnAt(at.x());
    if (!l.plot.contains(at) || !column)
        return noIndex;
    for (int row = 0; row <= l.steps; ++row)
        if (at.y() >= l.cellRect(row, 0).top() && at.y() <= l.cellRect(row, 0).bottom())
            return rows[row].values[*column];
    return noIndex;
}

} // namespace warpglass
