// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/join.h"

#include <algorithm>
#include <numeric>

namespace warpglass::program {

namespace {

std::uint32_t moved(std::uint32_t row, std::size_t by) {
    return row == noIndex ? noIndex : std::uint32_t(row + by);
}

bool isSame(const ProgramKernel& a, const ProgramKernel& b) {
    return a.entry == b.entry && a.maker == b.maker && a.unrecorded == b.unrecorded &&
           std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(), b.parameters.end(),
                      [](const Parameter& x, const Parameter& y) {
                          return x.type == y.type && x.offset == y.offset && x.bytes == y.bytes;
                      });
}

// Rows of `all` for rows of another table: a row that is there already, or a new one.
template <class T, class Same>
std::vector<std::uint32_t> added(std::vector<T>& all, std::vector<T>& more, Same same) {
    std::vector<std::uint32_t> rows;
    for (T& one : more) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const T& other) { return same(one, other); });
        rows.push_back(std::uint32_t(found - all.begin()));
        if (found == all.end())
            all.push_back(std::move(one));
    }
    return rows;
}

void add(ProgramTrace& all, ProgramTrace& one, std::int64_t later) {
    const auto kernels = added(all.kernels, one.kernels, isSame);
    const auto shapes = added(all.shapes, one.shapes, [](const auto& a, const auto& b) { return a == b; });
    const std::size_t streams = all.streams.size(), processes = all.info.processes.size();
    const std::size_t operations = all.operations.size(), recordings = all.recordings.size();
    if (one.info.processes.empty())
        one.info.processes.push_back({one.info.rank, one.info.process, one.info.exitStatus});
    all.info.processes.insert(all.info.processes.end(), one.info.processes.begin(), one.info.processes.end());
    for (ProgramStream& s : one.streams) {
        s.process += std::uint32_t(processes);
        all.streams.push_back(std::move(s));
    }
    const std::size_t own = all.streams.size() - streams;
    for (Operation o : one.operations) {
        for (std::int64_t* time : {&o.start, &o.end, &o.called, &o.returned})
            *time += later;
        o.stream = std::uint32_t(streams) + (o.stream < own ? o.stream : 0);
        o.kernel = o.kernel < kernels.size() ? kernels[o.kernel] : noIndex;
        o.shape = o.shape < shapes.size() ? shapes[o.shape] : noIndex;
        o.recording = moved(o.recording, recordings);
        o.arguments += all.arguments.size();
        all.operations.push_back(o);
    }
    all.arguments.insert(all.arguments.end(), one.arguments.begin(), one.arguments.end());
    for (ProgramRecording& r : one.recordings)
        all.recordings.push_back({moved(r.operation, operations), std::move(r.file)});
    for (ProgramMessage& m : one.messages) {
        m.operation = moved(m.operation, operations);
        all.messages.push_back(std::move(m));
    }
    const std::size_t graphs = all.graphs.size(), graphLaunches = all.graphLaunches.size();
    for (ProgramGraph& g : one.graphs) {
        for (ProgramGraphNode& n : g.nodes) {
            n.kernel = n.kernel < kernels.size() ? kernels[n.kernel] : noIndex;
            n.shape = n.shape < shapes.size() ? shapes[n.shape] : noIndex;
        }
        all.graphs.push_back(std::move(g));
    }
    for (const GraphLaunch& l : one.graphLaunches)
        all.graphLaunches.push_back({l.called + later, std::uint32_t(l.graph + graphs),
                                     std::uint32_t(streams + (l.stream < own ? l.stream : 0))});
    for (const GraphStep& s : one.graphSteps)
        all.graphSteps.push_back({moved(s.operation, operations), std::uint32_t(s.launch + graphLaunches), s.node});
    const std::size_t collectives = all.collectives.size();
    for (Collective c : one.collectives) {
        c.called += later;
        c.stream = std::uint32_t(streams + (c.stream < own ? c.stream : 0));
        all.collectives.push_back(c);
    }
    for (const CollectiveStep& s : one.collectiveSteps)
        all.collectiveSteps.push_back({moved(s.operation, operations), moved(s.collective, collectives)});
    all.info.lost += one.info.lost;
}

// Operations in the order of their calls, and what names them by their rows.
void sortByCall(ProgramTrace& p) {
    std::vector<std::uint32_t> order(p.operations.size()), rows(order.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return p.operations[a].called < p.operations[b].called; });
    std::vector<Operation> sorted;
    sorted.reserve(order.size());
    for (std::size_t n = 0; n < order.size(); ++n) {
        rows[order[n]] = std::uint32_t(n);
        sorted.push_back(p.operations[order[n]]);
    }
    p.operations = std::move(sorted);
    const auto follow = [&](std::uint32_t& row) { row = row < rows.size() ? rows[row] : noIndex; };
    for (ProgramRecording& r : p.recordings)
        follow(r.operation);
    for (ProgramMessage& m : p.messages)
        follow(m.operation);
    for (CollectiveStep& s : p.collectiveSteps)
        follow(s.operation);
    std::stable_sort(p.collectiveSteps.begin(), p.collectiveSteps.end(),
                     [](const CollectiveStep& a, const CollectiveStep& b) { return a.operation < b.operation; });
    for (GraphStep& s : p.graphSteps)
        follow(s.operation);
    std::sort(p.graphSteps.begin(), p.graphSteps.end(),
              [](const GraphStep& a, const GraphStep& b) { return a.operation < b.operation; });
}

} // namespace

ProgramTrace join(std::vector<ProgramTrace> processes) {
    std::stable_sort(processes.begin(), processes.end(), [](const ProgramTrace& a, const ProgramTrace& b) {
        return std::pair(std::uint64_t(a.info.rank), a.info.began) <
               std::pair(std::uint64_t(b.info.rank), b.info.began);
    });
    std::int64_t first = 0; // when the earliest clock began
    for (const ProgramTrace& p : processes)
        if (p.info.began > 0)
            first = first == 0 ? p.info.began : std::min(first, p.info.began);
    ProgramTrace all;
    if (!processes.empty()) {
        all.info = processes.front().info;
        all.info.processes.clear();
        all.info.origin = {};
        all.info.lost = 0;
        all.info.rank = -1;
        all.info.began = first;
    }
    for (ProgramTrace& p : processes)
        add(all, p, p.info.began > 0 ? p.info.began - first : 0);
    // The worst end of all: the last that is none of the good ones.
    for (const ProgramProcess& p : all.info.processes)
        if (p.exitStatus > 0)
            all.info.exitStatus = p.exitStatus;
    sortByCall(all);
    listAllocations(all);
    return all;
}

} // namespace warpglass::program
