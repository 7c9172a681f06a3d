// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/graphs.h"
#include "gpu/program/join.h"
#include "gpu/program/journal.h"
#include "gpu/program/program_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include <unistd.h>

using namespace warpglass;
using namespace warpglass::program;

namespace {

namespace fs = std::filesystem;

Operation graphWork(OperationKind kind, std::int64_t start, std::int64_t end) {
    Operation o;
    o.kind = kind;
    o.start = start, o.end = end;
    o.called = start, o.returned = start + 1;
    return o;
}

// 0 -> 1 (a graph, holding 2 and 3, 2 -> 3), 0 -> 4, 1 and 4 -> 5.
ProgramGraph graphOfSix() {
    ProgramGraph g;
    g.nodes.resize(6);
    g.nodes[0] = {.kind = GraphNodeKind::Copy, .direction = Direction::HostToDevice, .bytes = 128};
    g.nodes[1] = {.kind = GraphNodeKind::Child, .behind = {0}};
    g.nodes[2] = {.kind = GraphNodeKind::Fill, .parent = 1, .bytes = 64};
    g.nodes[3] = {.kind = GraphNodeKind::Kernel, .parent = 1, .kernel = 0, .shape = 0, .behind = {2}};
    g.nodes[4] = {.kind = GraphNodeKind::Host, .behind = {0}};
    g.nodes[5] = {.kind = GraphNodeKind::Empty, .behind = {1, 4}};
    return g;
}

struct GraphFolder {
    static inline int made = 0;
    fs::path path = fs::temp_directory_path() / fmt::format("warpglass_graphs_{}_{}", getpid(), ++made);
    GraphFolder() { fs::create_directories(path); }
    ~GraphFolder() { fs::remove_all(path); }
};

// A fill of its own, then the graph twice: operations 1 to 3 at 100 to 190 ns, 4 to 6 at 1,000 to 1,050.
ProgramTrace graphTrace() {
    const GraphFolder folder;
    const fs::path file = folder.path / "program.journal";
    auto journal = Journal::create(file, ProgramInfo{});
    EXPECT_TRUE(journal);
    Journal& j = **journal;
    j.add(ProgramStream{.name = "default"});
    j.add(ProgramKernel{.name = "scale", .entry = "scale"});
    j.shape({{2, 1, 1}, {256, 1, 1}});
    j.add(graphWork(OperationKind::Fill, 0, 10));
    const std::int64_t ends[2][3] = {{120, 150, 190}, {1'010, 1'050, 1'040}};
    for (int launch = 0; launch < 2; ++launch) {
        EXPECT_EQ(j.graph(graphOfSix()), 0u); // one row, however often
        const std::int64_t begin = launch == 0 ? 100 : 1'000;
        const std::uint32_t l = j.add(GraphLaunch{begin - 5, 0, 0});
        const std::uint32_t nodes[] = {0, 2, 3};
        const OperationKind kinds[] = {OperationKind::Copy, OperationKind::Fill, OperationKind::Launch};
        for (int n = 0; n < 3; ++n) {
            Operation o = graphWork(kinds[n], begin + 10 * n, ends[launch][n]);
            o.kernel = kinds[n] == OperationKind::Launch ? 0 : noIndex;
            j.add(GraphStep{j.add(o), l, nodes[n]});
        }
    }
    journal->reset();
    auto read = readJournal(file);
    EXPECT_TRUE(read);
    return std::move(*read);
}

} // namespace

TEST(Graphs, journalAndFileTellNodesEdgesAndWhoDidWhat) {
    const GraphFolder folder;
    ASSERT_TRUE(writeProgram(graphTrace(), folder.path / "graphs.wgt"));
    const auto p = readProgram(folder.path / "graphs.wgt");
    ASSERT_TRUE(p);
    ASSERT_EQ(p->graphs.size(), 1u);
    const ProgramGraph expected = graphOfSix();
    ASSERT_EQ(p->graphs[0].nodes.size(), 6u);
    for (std::size_t n = 0; n < 6; ++n) {
        const ProgramGraphNode &a = p->graphs[0].nodes[n], &b = expected.nodes[n];
        EXPECT_EQ(a.kind, b.kind) << n;
        EXPECT_EQ(a.direction, b.direction) << n;
        EXPECT_EQ(a.parent, b.parent) << n;
        EXPECT_EQ(a.kernel, b.kernel) << n;
        EXPECT_EQ(a.bytes, b.bytes) << n;
        EXPECT_EQ(a.behind, b.behind) << n;
    }
    ASSERT_EQ(p->graphLaunches.size(), 2u);
    EXPECT_EQ(p->graphLaunches[1].called, 995);
    EXPECT_EQ(stepOf(*p, 0), nullptr);
    ASSERT_NE(stepOf(*p, 6), nullptr);
    EXPECT_EQ(stepOf(*p, 6)->launch, 1u);
    EXPECT_EQ(stepOf(*p, 6)->node, 3u);
    const GraphRuns runs(*p);
    EXPECT_EQ(runs.runs[0].start, 100);
    EXPECT_EQ(runs.runs[0].end, 190);
    EXPECT_EQ(runs.runs[1].end, 1'050); // of the node that ended last, not of the last one
    ASSERT_EQ(runs.of(1).size(), 3u);
    EXPECT_EQ(runs.of(1)[0].operation, 4u);
    EXPECT_EQ(runs.launchesOf(*p, 0), (std::vector<std::uint32_t>{0, 1}));
}

// Below node 0 lie 1 and 4, below those 5; within node 1 its own begin at 0.
TEST(Graphs, depthsAreThoseOfTheLongestWay) {
    EXPECT_EQ(depthsOf(graphOfSix()), (std::vector<std::uint32_t>{0, 1, 0, 1, 1, 2}));
}

// A file that was damaged names rows that are not there.
TEST(Graphs, rowsThatAreNotThereAreLeftOut) {
    ProgramTrace p = graphTrace();
    p.graphs[0].nodes[0].behind = {0, 77, 2}; // itself, none, and one of another graph
    p.graphs[0].nodes[2].parent = 5;          // behind it
    p.graphLaunches.push_back({0, 3, 9});
    p.graphSteps.push_back({2, 2, 0});  // of the launch of no graph
    p.graphSteps.push_back({99, 0, 0}); // no operation
    p.graphSteps.push_back({0, 0, 6});  // no node
    const GraphFolder folder;
    ASSERT_TRUE(writeProgram(p, folder.path / "damaged.wgt"));
    const auto read = readProgram(folder.path / "damaged.wgt");
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->graphs[0].nodes[0].behind == std::vector<std::uint32_t>{2}); // whose parent is none now
    EXPECT_EQ(read->graphs[0].nodes[2].parent, noIndex);
    EXPECT_TRUE(read->graphs[0].nodes[3].behind.empty());
    EXPECT_EQ(read->graphLaunches.size(), 2u);
    EXPECT_EQ(read->graphSteps.size(), 6u);
}

// Rank 1 began 40 ns after rank 0: its launches of graphs stand 40 ns later, and its graph is a second row.
TEST(Graphs, ofSeveralProcessesStandBesideEachOther) {
    std::vector<ProgramTrace> ranks{graphTrace(), graphTrace()};
    ranks[0].info.rank = 0, ranks[0].info.began = 1'000;
    ranks[1].info.rank = 1, ranks[1].info.began = 1'040;
    const ProgramTrace all = join(std::move(ranks));
    ASSERT_EQ(all.graphs.size(), 2u);
    ASSERT_EQ(all.graphLaunches.size(), 4u);
    EXPECT_EQ(all.graphLaunches[2].called, 135);
    EXPECT_EQ(all.graphLaunches[2].graph, 1u);
    EXPECT_EQ(all.graphLaunches[2].stream, 1u);
    ASSERT_EQ(all.graphSteps.size(), 12u);
    for (const GraphStep& s : all.graphSteps) {
        EXPECT_EQ(stepOf(all, s.operation)->node, s.node);
        EXPECT_EQ(all.processOf(all.operations[s.operation]), all.graphLaunches[s.launch].graph);
    }
}
