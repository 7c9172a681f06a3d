// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/messages/launch.h"
#include "gpu/kernels/data.h"
#include "gpu/kernels/families.h"
#include "gpu/kernels/shape.h"

namespace warpglass::kernels {

namespace {

// Three numbers a block; the number of SMs is the device's own, so only what must hold on any device is checked.
CheckResult checkFacts(const Buffers& buffers, std::uint64_t blocks) {
    if (buffers.empty() || buffers[0].size() < blocks * 3 * sizeof(int))
        return {Check::Wrong, say::NotWhole("facts")};
    for (std::uint64_t b = 0; b < blocks; ++b) {
        int facts[3];
        std::memcpy(facts, buffers[0].data() + b * sizeof(facts), sizeof(facts));
        if (facts[0] != 32)
            return {Check::Wrong, say::BlockFoundLanes(b, facts[0])};
        if (facts[1] < 1 || facts[2] < 0 || facts[2] >= facts[1])
            return {Check::Wrong, say::BlockSaysSm(b, facts[2], facts[1])};
    }
    return {Check::Ok, {}};
}

Result<LaunchPlan> queryPlan(const LaunchRequest& request) {
    const auto shape = lineShape(request);
    if (!shape)
        return shape.error();
    LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
    plan.arguments = {outBuffer<int>("facts", std::uint64_t(shape->grid.x) * 3)};
    plan.check = [blocks = std::uint64_t(shape->grid.x)](const Buffers& buffers) {
        return checkFacts(buffers, blocks);
    };
    return plan;
}

} // namespace

std::vector<CatalogueEntry> deviceKernels() {
    return {
        {.name = "simpleDeviceQuery",
         .family = "device",
         .entry = "simpleDeviceQuery",
         .source = "device.cu",
         .references = {{"D0", "2.5 占用率 Occupancy"}, {"D4", "占用率"}},
         .storyEn = "Each block tells which SM carries it: blocks are handed out to all SMs before one gets a second.",
         .storyZh = "每个线程块报告自己在哪个 SM 上：先给每个 SM 各分一个，然后才分第二个。",
         .look = {.size = 256, .block = Dim3{32}},
         .document = {.size = 1 << 15, .block = Dim3{32}},
         .plan = queryPlan},
    };
}

} // namespace warpglass::kernels
