// SPDX-License-Identifier: GPL-3.0-or-later
// Where the nodes of a graph and its edges lie. Nodes that wait for none are at the top, each other one below those that it
// waits for; a node that is a graph holds its nodes inside. An edge that goes past a row of nodes has a lane of its own
// there, so that it crosses none of them.
#pragma once

#include "gpu/program/program.h"

#include <QPolygonF>
#include <QRectF>

#include <vector>

namespace warpglass {

struct GraphSizes {
    double box = 40;     // height of a node, and of the head of one that holds others
    double widest = 240; // of a node that holds none
    double gap = 14;     // between nodes of a row
    double between = 26; // between rows: the edges'
    double lane = 12;    // of an edge that goes past a row
    double inset = 10;   // of nodes in another one
};

struct GraphEdge {
    std::uint32_t from = 0, to = 0;
    QPolygonF points; // from the lower side of one to the upper side of the other
};

struct GraphDrawing {
    std::vector<QRectF> boxes; // [node]
    std::vector<GraphEdge> edges;
    double height = 0;
};

GraphDrawing drawGraph(const program::ProgramGraph& graph, double width, const GraphSizes& sizes);

} // namespace warpglass
