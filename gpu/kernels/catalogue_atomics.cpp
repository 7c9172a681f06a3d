// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/data.h"
#include "gpu/kernels/families.h"
#include "gpu/kernels/shape.h"

namespace warpglass::kernels {

namespace {

Result<LaunchPlan> countPlan(const LaunchRequest& request) {
    const auto shape = lineShape(request);
    if (!shape)
        return shape.error();
    const auto size = std::uint64_t(shape->size);
    const int threshold = int(parameter(request, "threshold"));
    LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
    plan.arguments = {inBuffer<int>("data", size, byteOf), counterBuffer<int>("counter", 1),
                      scalar("threshold", threshold), scalar("n", int(size))};
    plan.check = expect<int>(1, "counter", 1, [threshold, reached = std::min(size, shape->threads())](std::uint64_t) {
        int count = 0;
        for (std::uint64_t i = 0; i < reached; ++i)
            count += byteOf(i) > threshold;
        return count;
    });
    return plan;
}

CatalogueEntry count(std::string name, std::string storyEn, std::string storyZh) {
    return {.name = name,
            .family = "atomics",
            .entry = name,
            .source = "atomics.cu",
            .references = {{"D1", "原子操作对性能的影响"}},
            .storyEn = std::move(storyEn),
            .storyZh = std::move(storyZh),
            .parameters = {{"threshold", -1, 255, 127, "elements over it are counted; -1 counts all",
                            "统计大于它的元素；-1 统计全部"}},
            .look = {.size = 128, .block = Dim3{64}},
            .document = {.size = 1 << 20, .block = Dim3{256}},
            .plan = countPlan};
}

} // namespace

std::vector<CatalogueEntry> atomicKernels() {
    return {
        count("atomicGlobal", "All threads of the grid queue at one address.", "网格中的所有线程都在同一个地址排队。"),
        count("atomicTwoLevel", "Threads queue in their block first; each block then adds once.",
              "线程先在线程块内排队，每个线程块再向全局计数器加一次。"),
    };
}

} // namespace warpglass::kernels
