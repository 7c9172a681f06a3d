// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/launches_graphs.h"

#include "gpu/base/catalogue.h"
#include "gpu/base/quantity.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/program/graphs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpglass::record {

namespace {

namespace prog = program;

constexpr std::size_t mostLaunchesListed = 20; // launches of a graph in the text; JSON has all

std::string nodeText(const prog::ProgramTrace& p, const prog::ProgramGraph& graph, std::uint32_t number) {
    const prog::ProgramGraphNode& n = graph.nodes[number];
    std::string text = name(n.kind);
    if (n.kernel != noIndex)
        text += " " + shortName(p.kernels[n.kernel].name);
    if (n.shape != noIndex)
        text += fmt::format(" <<<{}, {}>>>", p.shapes[n.shape].grid.text(), p.shapes[n.shape].block.text());
    if (n.direction != prog::Direction::None)
        text += fmt::format(" {}", name(n.direction));
    if (n.bytes)
        text += " " + quantity(n.bytes, "byte");
    if (n.parent != noIndex)
        text += graph.nodes[n.parent].kind == prog::GraphNodeKind::Condition
                    ? fmt::format(", in {} (body {})", n.parent, n.body)
                    : fmt::format(", in {}", n.parent);
    if (!n.behind.empty())
        text += fmt::format(", behind {}", fmt::join(n.behind, ", "));
    return text;
}

std::size_t edgesOf(const prog::ProgramGraph& graph) {
    std::size_t edges = 0;
    for (const prog::ProgramGraphNode& n : graph.nodes)
        edges += n.behind.size();
    return edges;
}

} // namespace

std::string graphsText(const prog::ProgramTrace& p, double unit, const char* unitName) {
    const prog::GraphRuns runs(p);
    std::string text;
    for (std::uint32_t g = 0; g < p.graphs.size(); ++g) {
        const prog::ProgramGraph& graph = p.graphs[g];
        const std::vector<std::uint32_t> launches = runs.launchesOf(p, g);
        text += fmt::format("\ngraph {}: {}, {}, {}\n", g, quantity(graph.nodes.size(), "node", "nodes"),
                            quantity(edgesOf(graph), "edge", "edges"), quantity(launches.size(), "launch", "launches"));
        for (std::uint32_t n = 0; n < graph.nodes.size(); ++n)
            text += fmt::format("{:>6} {}\n", n, nodeText(p, graph, n));
        for (std::size_t k = 0; k < launches.size() && k < mostLaunchesListed; ++k) {
            const prog::GraphRun& run = runs.runs[launches[k]];
            const auto steps = runs.of(launches[k]);
            text += fmt::format("  launch {}, stream {}: {:.3f} to {:.3f} {}", launches[k],
                                p.graphLaunches[launches[k]].stream, double(run.start) / unit, double(run.end) / unit,
                                unitName);
            if (!steps.empty())
                text += fmt::format(", operations {} to {}", steps.front().operation, steps.back().operation);
            text += "\n";
        }
        if (launches.size() > mostLaunchesListed)
            text += fmt::format("  and {} more launches\n", launches.size() - mostLaunchesListed);
    }
    return text;
}

nlohmann::json graphsJson(const prog::ProgramTrace& p) {
    const prog::GraphRuns runs(p);
    nlohmann::json all = nlohmann::json::array();
    for (std::uint32_t g = 0; g < p.graphs.size(); ++g) {
        nlohmann::json nodes = nlohmann::json::array(), launches = nlohmann::json::array();
        for (const prog::ProgramGraphNode& n : p.graphs[g].nodes) {
            nlohmann::json node{{"kind", name(n.kind)}, {"behind", n.behind}};
            if (n.kernel != noIndex)
                node["kernel"] = p.kernels[n.kernel].name;
            if (n.shape != noIndex) {
                const prog::RecordedShape& s = p.shapes[n.shape];
                node["grid"] = {s.grid.x, s.grid.y, s.grid.z};
                node["block"] = {s.block.x, s.block.y, s.block.z};
            }
            if (n.direction != prog::Direction::None)
                node["direction"] = name(n.direction);
            if (n.bytes)
                node["bytes"] = n.bytes;
            if (n.parent != noIndex) {
                node["parent"] = n.parent;
                node["body"] = n.body;
            }
            nodes.push_back(std::move(node));
        }
        for (const std::uint32_t l : runs.launchesOf(p, g))
            launches.push_back({{"launch", l},
                                {"stream", p.graphLaunches[l].stream},
                                {"called_ns", p.graphLaunches[l].called},
                                {"start_ns", runs.runs[l].start},
                                {"end_ns", runs.runs[l].end}});
        all.push_back({{"nodes", std::move(nodes)}, {"launches", std::move(launches)}});
    }
    return all;
}

nlohmann::json stepJson(const prog::ProgramTrace& p, std::uint32_t operation) {
    const prog::GraphStep* step = prog::stepOf(p, operation);
    return step ? nlohmann::json{{"graph", p.graphLaunches[step->launch].graph},
                                 {"launch", step->launch},
                                 {"node", step->node}}
                : nlohmann::json();
}

std::string stepText(const prog::ProgramTrace& p, std::uint32_t operation) {
    const prog::GraphStep* step = prog::stepOf(p, operation);
    return step ? fmt::format("graph {}, launch {}, node {}", p.graphLaunches[step->launch].graph, step->launch,
                              step->node)
                : std::string();
}

} // namespace warpglass::record
