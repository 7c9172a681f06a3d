// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording says of graphs. Skipped without nvcc.
#include "run_program.h"

#include <gtest/gtest.h>

namespace {

class ProgramGraphs : public testing::Test {
protected:
    void SetUp() override {
        if (!hasCompiler())
            GTEST_SKIP() << "no nvcc";
    }
};

std::vector<std::uint32_t> nodesOfGraphLaunch(const nlohmann::json& list, std::uint32_t launch) {
    std::vector<std::uint32_t> nodes;
    for (const auto& o : list["operations"])
        if (o.contains("graph") && o["graph"]["launch"] == launch)
            nodes.push_back(o["graph"]["node"]);
    return nodes;
}

} // namespace

// Nodes in the order in which the source adds them: copyIn 0, fillB 1, fillOut 2, setWeight 3, setOffset 4, meet 5 (nothing),
// scaleA 6, sumUp 7, copyOut 8, callHost 9, readBack 10. Each runs once a launch, but for meet, which is no work; in the third
// launch fillOut is left out (cudaGraphNodeSetEnabled).
TEST_F(ProgramGraphs, tellNodesEdgesAndWhoDidWhat) {
    const ProgramAnswer answer = runSources("graph_nodes.cu", "graphs-nodes", "--detail none");
    ASSERT_EQ(answer.status, 0) << answer.out << answer.err;
    const auto list = listing("graphs-nodes");
    ASSERT_EQ(list["graphs"].size(), 1u);
    const auto& nodes = list["graphs"][0]["nodes"];
    ASSERT_EQ(nodes.size(), 11u);
    const char* kinds[] = {"copy", "fill", "fill", "copy", "copy", "empty", "kernel", "kernel", "copy", "host", "copy"};
    const nlohmann::json behind = {{}, {}, {}, {}, {}, {1, 2, 3, 6}, {0, 4}, {5}, {7}, {8}, {9}};
    for (std::size_t n = 0; n < 11; ++n) {
        EXPECT_EQ(nodes[n]["kind"], kinds[n]) << n;
        const auto expected = behind[n].empty() ? nlohmann::json::array() : behind[n];
        EXPECT_EQ(nodes[n]["behind"], expected) << n;
    }
    EXPECT_EQ(nodes[0]["bytes"], 128); // 32 ints
    EXPECT_EQ(nodes[0]["direction"], "htod");
    EXPECT_EQ(nodes[8]["direction"], "dtoh");
    EXPECT_EQ(nodes[6]["kernel"], "scale");
    EXPECT_EQ(nodes[6]["block"], nlohmann::json({32, 1, 1}));
    ASSERT_EQ(list["graphs"][0]["launches"].size(), 3u);
    EXPECT_EQ(nodesOfGraphLaunch(list, 0), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 6, 7, 8, 9, 10}));
    EXPECT_EQ(nodesOfGraphLaunch(list, 2), (std::vector<std::uint32_t>{0, 1, 3, 4, 6, 7, 8, 9, 10}));
    for (const auto& launch : list["graphs"][0]["launches"]) {
        EXPECT_LE(launch["called_ns"], launch["start_ns"]);
        EXPECT_LT(launch["start_ns"], launch["end_ns"]);
    }
}

// decide, a switch of three graphs, then a loop around countDown. In launch n the choice is n, so that the third runs body 2
// of the switch, and the loop takes 2 + n rounds: 4.
TEST_F(ProgramGraphs, bodiesOfConditionsLieInThem) {
    const ProgramAnswer answer = runSources("graph_conditions.cu", "graphs-conditions", "--detail none");
    ASSERT_EQ(answer.status, 0) << answer.out << answer.err;
    const auto list = listing("graphs-conditions");
    ASSERT_EQ(list["graphs"].size(), 2u);
    const auto& nodes = list["graphs"][0]["nodes"];
    ASSERT_EQ(nodes.size(), 7u);
    EXPECT_EQ(nodes[1]["kind"], "condition");
    for (std::uint32_t body = 0; body < 3; ++body) {
        EXPECT_EQ(nodes[2 + body]["parent"], 1);
        EXPECT_EQ(nodes[2 + body]["body"], body);
    }
    EXPECT_EQ(nodes[6]["parent"], 5);
    EXPECT_EQ(nodesOfGraphLaunch(list, 2), (std::vector<std::uint32_t>{0, 4, 6, 6, 6, 6}));
    EXPECT_EQ(nodesOfGraphLaunch(list, 3), (std::vector<std::uint32_t>{0, 6, 6, 6, 6, 6})); // no body for 3
}

// A launch of a kernel that no graph asked for says nothing of one.
TEST_F(ProgramGraphs, areNotSeenWhereThereAreNone) {
    const ProgramAnswer answer = runSources("vector_add.cu", "graphs-none", "--detail none");
    ASSERT_EQ(answer.status, 0) << answer.out << answer.err;
    const auto list = listing("graphs-none");
    EXPECT_TRUE(list["graphs"].empty());
    for (const auto& o : list["operations"])
        EXPECT_FALSE(o.contains("graph"));
}
