// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/graphs.h"

#include <algorithm>

namespace warpglass::program {

const GraphStep* stepOf(const ProgramTrace& program, std::uint32_t operation) {
    const auto at = std::lower_bound(program.graphSteps.begin(), program.graphSteps.end(), operation,
                                     [](const GraphStep& s, std::uint32_t o) { return s.operation < o; });
    return at != program.graphSteps.end() && at->operation == operation ? &*at : nullptr;
}

GraphRuns::GraphRuns(const ProgramTrace& program) : runs(program.graphLaunches.size()), steps(program.graphSteps) {
    std::stable_sort(steps.begin(), steps.end(),
                     [](const GraphStep& a, const GraphStep& b) { return a.launch < b.launch; });
    for (std::size_t l = 0; l < runs.size(); ++l)
        runs[l].start = runs[l].end = program.graphLaunches[l].called;
    for (std::size_t n = 0; n < steps.size(); ++n) {
        GraphRun& run = runs[steps[n].launch];
        const Operation& o = program.operations[steps[n].operation];
        if (run.count++ == 0) {
            run.first = n;
            run.start = o.start;
            run.end = o.end;
        }
        run.start = std::min(run.start, o.start);
        run.end = std::max(run.end, o.end);
    }
}

std::vector<std::uint32_t> GraphRuns::launchesOf(const ProgramTrace& program, std::uint32_t graph) const {
    std::vector<std::uint32_t> launches;
    for (std::uint32_t l = 0; l < runs.size(); ++l)
        if (program.graphLaunches[l].graph == graph)
            launches.push_back(l);
    return launches;
}

// Edges may go from a later node to an earlier one, so nodes are taken as those before them are done.
std::vector<std::uint32_t> depthsOf(const ProgramGraph& graph) {
    const std::size_t count = graph.nodes.size();
    std::vector<std::uint32_t> depth(count, 0), open(count, 0), ready;
    std::vector<std::vector<std::uint32_t>> after(count);
    for (std::uint32_t n = 0; n < count; ++n) {
        open[n] = std::uint32_t(graph.nodes[n].behind.size());
        for (const std::uint32_t b : graph.nodes[n].behind)
            after[b].push_back(n);
        if (open[n] == 0)
            ready.push_back(n);
    }
    while (!ready.empty()) {
        const std::uint32_t n = ready.back();
        ready.pop_back();
        for (const std::uint32_t next : after[n]) {
            depth[next] = std::max(depth[next], depth[n] + 1);
            if (--open[next] == 0)
                ready.push_back(next);
        }
    }
    return depth;
}

} // namespace warpglass::program
