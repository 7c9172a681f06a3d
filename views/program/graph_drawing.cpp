// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/graph_drawing.h"

#include "gpu/program/graphs.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace warpglass {

namespace {

using program::ProgramGraph;

constexpr std::size_t mostLanes = 20'000; // of a graph; what is longer than that goes straight

// A node in a row, or a place where an edge goes past.
struct Item {
    std::uint32_t node = noIndex;
    double x = 0, wish = 0;     // its middle; where those that it is tied to would have it
    double top = 0, bottom = 0; // of its row
    std::vector<std::size_t> above, below;
};

class Drawer {
public:
    Drawer(const ProgramGraph& of, const GraphSizes& with)
        : graph(of), sizes(with), depths(program::depthsOf(of)), drawing{std::vector<QRectF>(of.nodes.size()), {}, 0} {
        for (std::uint32_t n = 0; n < graph.nodes.size(); ++n)
            members[{graph.nodes[n].parent, graph.nodes[n].body}].push_back(n);
    }

    // Of the nodes of one parent and body; the lower end of them.
    double layOut(std::uint32_t parent, std::uint32_t body, double left, double top, double width) {
        const auto found = members.find({parent, body});
        if (found == members.end())
            return top;
        std::vector<Item> items;
        std::vector<std::vector<std::size_t>> rows;
        const auto place = [&](std::uint32_t node, std::uint32_t row) {
            rows.resize(std::max<std::size_t>(rows.size(), row + 1));
            rows[row].push_back(items.size());
            items.push_back({.node = node});
            return items.size() - 1;
        };
        std::map<std::uint32_t, std::size_t> at;
        for (const std::uint32_t n : found->second)
            at[n] = place(n, depths[n]);
        std::vector<std::vector<std::size_t>> ways; // items of an edge, from its first node to its last
        for (const std::uint32_t n : found->second)
            for (const std::uint32_t b : graph.nodes[n].behind) {
                std::vector<std::size_t> way{at[b]};
                if (lanes + depths[n] <= mostLanes + depths[b])
                    for (std::uint32_t row = depths[b] + 1; row < depths[n]; ++row, ++lanes)
                        way.push_back(place(noIndex, row));
                way.push_back(at[n]);
                for (std::size_t k = 1; k < way.size(); ++k) {
                    items[way[k]].above.push_back(way[k - 1]);
                    items[way[k - 1]].below.push_back(way[k]);
                }
                ways.push_back(std::move(way));
            }
        arrange(items, rows, left, width);
        const double bottom = stand(items, rows, left, top, width);
        for (const auto& way : ways)
            lead(items, way);
        return bottom;
    }

    const ProgramGraph& graph;
    const GraphSizes& sizes;
    const std::vector<std::uint32_t> depths;
    GraphDrawing drawing;

private:
    bool holds(std::uint32_t node) const {
        const auto at = members.lower_bound({node, 0});
        return at != members.end() && at->first.first == node;
    }

    double widthOf(const std::vector<std::size_t>& row, const std::vector<Item>& items, double width,
                   bool holding) const {
        const auto nodes =
            double(std::count_if(row.begin(), row.end(), [&](std::size_t k) { return items[k].node != noIndex; }));
        const double room = width - (double(row.size()) - nodes) * sizes.lane - double(row.size() - 1) * sizes.gap;
        return std::max(4.0, std::min(room / std::max(1.0, nodes), holding ? width : sizes.widest));
    }

    // Each row side by side, in the middle; in the order that has fewest crossings, as the mean of what is above (then below)
    // tells it.
    void arrange(std::vector<Item>& items, std::vector<std::vector<std::size_t>>& rows, double left, double width) {
        const auto spread = [&](std::vector<std::size_t>& row) {
            const double box = widthOf(row, items, width, false);
            double all = double(row.size() - 1) * sizes.gap;
            for (const std::size_t k : row)
                all += items[k].node == noIndex ? sizes.lane : box;
            double x = left + (width - all) / 2;
            for (const std::size_t k : row) {
                const double own = items[k].node == noIndex ? sizes.lane : box;
                items[k].x = x + own / 2;
                x += own + sizes.gap;
            }
        };
        for (auto& row : rows)
            spread(row);
        const auto sort = [&](std::vector<std::size_t>& row, std::vector<std::size_t> Item::*ties) {
            for (const std::size_t k : row) {
                const auto& to = items[k].*ties;
                items[k].wish = to.empty() ? items[k].x
                                           : std::accumulate(to.begin(), to.end(), 0.0, [&](double sum, std::size_t t) {
                                                 return sum + items[t].x;
                                             }) / double(to.size());
            }
            std::stable_sort(row.begin(), row.end(),
                             [&](std::size_t a, std::size_t b) { return items[a].wish < items[b].wish; });
            spread(row);
        };
        constexpr int sweeps = 3;
        for (int n = 0; n < sweeps; ++n) {
            for (std::size_t r = 1; r < rows.size(); ++r)
                sort(rows[r], &Item::above);
            for (std::size_t r = rows.size() - 1; r-- > 0 && n + 1 < sweeps;)
                sort(rows[r], &Item::below);
        }
    }

    double stand(std::vector<Item>& items, const std::vector<std::vector<std::size_t>>& rows, double left, double top,
                 double width) {
        double y = top;
        for (const auto& row : rows) {
            const bool holding = std::any_of(row.begin(), row.end(), [&](std::size_t k) {
                return items[k].node != noIndex && holds(items[k].node);
            });
            const double box = widthOf(row, items, width, holding);
            double lower = y + sizes.box, all = double(row.size() - 1) * sizes.gap;
            for (const std::size_t k : row)
                all += items[k].node == noIndex ? sizes.lane : box;
            double x = left + (width - all) / 2;
            for (const std::size_t k : row) {
                const double own = items[k].node == noIndex ? sizes.lane : box;
                items[k].x = x + own / 2;
                if (items[k].node != noIndex) {
                    const double bottom = inside(items[k].node, x, y, own);
                    drawing.boxes[items[k].node] = {x, y, own, bottom - y};
                    lower = std::max(lower, bottom);
                }
                x += own + sizes.gap;
            }
            for (const std::size_t k : row)
                items[k].top = y, items[k].bottom = lower;
            y = lower + sizes.between;
        }
        return y - sizes.between;
    }

    // Bodies of a condition stand beside each other.
    double inside(std::uint32_t node, double left, double top, double width) {
        const double below = top + sizes.box;
        std::vector<std::uint32_t> bodies;
        for (auto at = members.lower_bound({node, 0}); at != members.end() && at->first.first == node; ++at)
            bodies.push_back(at->first.second);
        double bottom = below;
        const double own = (width - sizes.inset * double(bodies.size() + 1)) / std::max(1.0, double(bodies.size()));
        for (std::size_t k = 0; k < bodies.size(); ++k)
            bottom = std::max(bottom, layOut(node, bodies[k], left + sizes.inset + double(k) * (own + sizes.inset),
                                             below, std::max(4.0, own)) +
                                          sizes.inset);
        return bottom;
    }

    void lead(const std::vector<Item>& items, const std::vector<std::size_t>& way) {
        GraphEdge edge{items[way.front()].node, items[way.back()].node, {}};
        const QRectF from = drawing.boxes[edge.from], to = drawing.boxes[edge.to];
        edge.points << QPointF(from.center().x(), from.bottom());
        edge.points << QPointF(from.center().x(), items[way.front()].bottom);
        for (std::size_t k = 1; k + 1 < way.size(); ++k)
            edge.points << QPointF(items[way[k]].x, items[way[k]].top)
                        << QPointF(items[way[k]].x, items[way[k]].bottom);
        edge.points << QPointF(to.center().x(), to.top());
        drawing.edges.push_back(std::move(edge));
    }

    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> members; // [parent, body]
    std::size_t lanes = 0;
};

} // namespace

GraphDrawing drawGraph(const ProgramGraph& graph, double width, const GraphSizes& sizes) {
    Drawer drawer(graph, sizes);
    drawer.drawing.height = drawer.layOut(noIndex, 0, 0, 0, width);
    return std::move(drawer.drawing);
}

} // namespace warpglass
