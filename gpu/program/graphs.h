// SPDX-License-Identifier: GPL-3.0-or-later
// A program's graphs: which operations were whose node's work, launch by launch.
#pragma once

#include "gpu/program/program.h"

#include <span>
#include <vector>

namespace warpglass::program {

// nullptr: the operation was no graph's.
const GraphStep* stepOf(const ProgramTrace& program, std::uint32_t operation);

struct GraphRun {
    std::int64_t start = 0, end = 0;  // ns, of its operations; without any, when it was asked for
    std::size_t first = 0, count = 0; // of GraphRuns::steps
};
// Times as they stand in the program.
struct GraphRuns {
    explicit GraphRuns(const ProgramTrace& program);
    std::vector<GraphRun> runs;   // [row of ProgramTrace::graphLaunches]
    std::vector<GraphStep> steps; // by launch, then by operation
    std::span<const GraphStep> of(std::uint32_t launch) const {
        return std::span(steps).subspan(runs[launch].first, runs[launch].count);
    }
    std::vector<std::uint32_t> launchesOf(const ProgramTrace& program, std::uint32_t graph) const;
};

// [node] how many nodes lie one behind the other before it, of the same parent and body: 0 for those that wait for none.
std::vector<std::uint32_t> depthsOf(const ProgramGraph& graph);

} // namespace warpglass::program
