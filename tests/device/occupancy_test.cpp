// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/occupancy.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

using namespace warpglass;

namespace {

std::vector<std::string> splitCsv(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            cells.emplace_back();
        else if (c != '\r')
            cells.back() += c;
    }
    return cells;
}

std::uint32_t limitOf(const std::string& cell) {
    return cell == "none" ? unlimited : std::uint32_t(std::stoul(cell));
}

} // namespace

// Each row was computed by NVIDIA's calculator (CUDA 13.0), those of 2.0 by the rules of its spreadsheet.
TEST(Occupancy, equalsEveryWorkedCase) {
    std::ifstream in(WARPGLASS_SOURCE_DIR "/tests/device/data/occupancy-cases.csv");
    std::string line;
    ASSERT_TRUE(std::getline(in, line));
    const auto header = splitCsv(line);
    int rows = 0;
    while (std::getline(in, line)) {
        const auto cells = splitCsv(line);
        ASSERT_EQ(cells.size(), header.size()) << line;
        std::map<std::string, std::string> row;
        for (std::size_t i = 0; i < header.size(); ++i)
            row[header[i]] = cells[i];
        SCOPED_TRACE(line);
        const std::string cc = row["cc"];
        const auto dot = cc.find('.');
        const auto* limits = capabilityLimits(std::stoi(cc.substr(0, dot)), std::stoi(cc.substr(dot + 1)));
        ASSERT_NE(limits, nullptr);
        const Occupancy o =
            occupancy(*limits, {.threads = limitOf(row["threads_per_block"]),
                                .registers = limitOf(row["regs_per_thread"]),
                                .sharedStatic = limitOf(row["static_smem"]),
                                .sharedDynamic = limitOf(row["dynamic_smem"]),
                                .sharedLimit = row["smem_limit"] == "optin" ? SharedLimit::OptIn : SharedLimit::Default,
                                .carveoutPercent = std::stoi(row["carveout"]),
                                .barriers = limitOf(row["num_block_barriers"])});
        EXPECT_EQ(o.blocksPerSm, limitOf(row["expected_blocks_per_sm"]));
        EXPECT_EQ(o.activeWarps, limitOf(row["active_warps"]));
        EXPECT_EQ(o.maxWarps, limitOf(row["max_warps"]));
        EXPECT_NEAR(o.percent, std::stod(row["occupancy_pct"]), 0.0501);
        EXPECT_EQ(o.limitWarps, limitOf(row["limit_warps"]));
        EXPECT_EQ(o.limitRegisters, limitOf(row["limit_regs"]));
        EXPECT_EQ(o.limitShared, limitOf(row["limit_smem"]));
        EXPECT_EQ(o.limitBlocks, limitOf(row["limit_blocks"]));
        EXPECT_EQ(o.limitBarriers, limitOf(row["limit_barriers"]));
        EXPECT_EQ(o.registersPerBlock, limitOf(row["alloc_regs_per_block"]));
        EXPECT_EQ(o.sharedPerBlock, limitOf(row["alloc_smem_per_block"]));
        std::string limitedBy;
        for (const std::string& what : o.limitedBy)
            limitedBy += (limitedBy.empty() ? "" : "+") + what;
        EXPECT_EQ(limitedBy, row["limiting_factor"]);
        ++rows;
    }
    EXPECT_GE(rows, 11);
}

// 100 KB of opted-in shared memory on 9.0: 101 KB as allocated, 228 / 101 = 2 blocks of 8 warps. Without: nothing runs.
TEST(Occupancy, letsALargeBlockRunOnlyWhenItOptsIn) {
    const auto& hopper = *capabilityLimits(9, 0);
    OccupancyInput input{.threads = 256, .registers = 32, .sharedDynamic = 100 * 1024};
    EXPECT_EQ(occupancy(hopper, input).blocksPerSm, 0u);
    input.sharedLimit = SharedLimit::OptIn;
    EXPECT_EQ(occupancy(hopper, input).blocksPerSm, 2u);
    input.sharedDynamic = 227 * 1024;
    EXPECT_EQ(occupancy(hopper, input).blocksPerSm, 1u);
    input.sharedDynamic += 1;
    EXPECT_EQ(occupancy(hopper, input).blocksPerSm, 0u);
}

// 64 barriers an SM on 9.0; 16 a block leave room for 4 blocks of 2 warps, nothing else is that tight.
TEST(Occupancy, countsNamedBarriersFromHopperOn) {
    const Occupancy hopper = occupancy(*capabilityLimits(9, 0), {.threads = 64, .registers = 16, .barriers = 16});
    EXPECT_EQ(hopper.blocksPerSm, 4u);
    EXPECT_EQ(hopper.limitedBy, std::vector<std::string>{"barriers"});
    EXPECT_EQ(occupancy(*capabilityLimits(8, 0), {.threads = 64, .registers = 16, .barriers = 16}).limitBarriers,
              unlimited);
}

TEST(Occupancy, isNothingForABlockThatCannotLaunch) {
    const auto& ada = *capabilityLimits(8, 9);
    EXPECT_EQ(occupancy(ada, {.threads = 0}).blocksPerSm, 0u);
    EXPECT_EQ(occupancy(ada, {.threads = 1025}).blocksPerSm, 0u);
    EXPECT_EQ(occupancy(ada, {.threads = 1024, .registers = 65}).limitRegisters, 0u); // 72 * 1024 > 65536
    EXPECT_EQ(occupancy(ada, {.threads = 0xffffffffu, .registers = 0xffffffffu}).percent, 0.0);
}

TEST(Devices, areTheNineOfTheContractWithKnownCapabilities) {
    const char* keys[] = {"h200", "h100", "a100", "v100", "rtx4070", "rtx3090", "gtx1060", "k20x", "m2070"};
    ASSERT_EQ(devices().size(), std::size(keys));
    for (const char* key : keys) {
        const DeviceSpec* device = findDevice(key);
        ASSERT_NE(device, nullptr) << key;
        EXPECT_NE(capabilityLimits(device->ccMajor, device->ccMinor), nullptr) << key;
        EXPECT_FALSE(device->source.empty()) << key;
        // The peak that clock and bus allow: two transfers a clock. Vendors round; 3 % covers all of them.
        EXPECT_NEAR(device->dramGBs, device->memoryClockMHz * 2e6 * device->busBits / 8 / 1e9, 0.03 * device->dramGBs)
            << key;
    }
    EXPECT_EQ(findDevice("rtx5090"), nullptr);
}

TEST(Devices, knowEveryCapabilityFrom20To121Once) {
    const std::pair<int, int> known[] = {{2, 0}, {2, 1}, {3, 5},  {3, 7},  {5, 0},  {5, 2},  {5, 3},  {6, 0},
                                         {6, 1}, {6, 2}, {7, 0},  {7, 2},  {7, 5},  {8, 0},  {8, 6},  {8, 7},
                                         {8, 9}, {9, 0}, {10, 0}, {10, 1}, {10, 3}, {11, 0}, {12, 0}, {12, 1}};
    for (auto [major, minor] : known)
        EXPECT_NE(capabilityLimits(major, minor), nullptr) << major << "." << minor;
    EXPECT_EQ(capabilityLimits(13, 0), nullptr);
    EXPECT_EQ(capabilityLimits(1, 3), nullptr);
}
