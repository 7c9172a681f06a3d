// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/messages/launch.h"
#include "gpu/kernels/data.h"
#include "gpu/kernels/families.h"
#include "gpu/kernels/shape.h"

namespace warpglass::kernels {

namespace {

using PlanMaker = std::function<Result<LaunchPlan>(const LaunchRequest&)>;

constexpr std::uint64_t depths = 32; // more than any nesting reaches

Parameter pendingParameter() {
    return {"pending",
            1,
            1 << 20,
            2048,
            "launches that may wait at once (cudaLimitDevRuntimePendingLaunchCount)",
            "允许同时等待的设备端启动数（cudaLimitDevRuntimePendingLaunchCount）"};
}

// ---- greetings ----

enum class Greeting { EachBlock, EachBlockOfSize, OneChild, Limited };

// Threads that must have greeted at each depth.
std::vector<int> greetings(Greeting kind, const ProblemShape& shape, std::int64_t maxDepth) {
    std::vector<int> threads(depths, 0);
    const std::int64_t blocks = shape.grid.x, length = shape.block.x;
    threads[0] = int(blocks * length);
    if (kind == Greeting::OneChild) {
        for (std::int64_t depth = 1, size = blocks * length; size != blocks && size / 2 > 0; ++depth) {
            size /= 2;
            threads[std::size_t(depth)] =
                int(std::int64_t(divideUp(std::uint64_t(size), std::uint64_t(length))) * length);
        }
        return threads;
    }
    const std::int64_t first = kind == Greeting::EachBlockOfSize ? shape.size : length;
    for (std::int64_t depth = 1, size = first; size / 2 > 0 && depth <= maxDepth; ++depth) {
        size /= 2;
        threads[std::size_t(depth)] = int(blocks * size);
    }
    return threads;
}

PlanMaker greetingPlan(Greeting kind) {
    return [kind](const LaunchRequest& request) -> Result<LaunchPlan> {
        auto shape = lineShape(request);
        if (!shape)
            return shape.error();
        const std::int64_t largest = kind == Greeting::EachBlockOfSize ? 2048 : 1 << 16;
        if (shape->size > largest)
            return Error{
                .message = say::SizeImpossible(shape->size), .file = "--size", .remedy = say::PrintsLine(largest)};
        const std::int64_t maxDepth =
            kind == Greeting::Limited ? parameter(request, "maxDepth") : std::int64_t(depths) - 1;
        LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
        plan.pendingLaunchLimit = std::uint32_t(parameter(request, "pending"));
        const int length = int(shape->block.x), blocks = int(shape->grid.x);
        switch (kind) {
        case Greeting::EachBlock:
            plan.arguments = {scalar("size", length), scalar("depth", 0)};
            break;
        case Greeting::EachBlockOfSize:
            plan.arguments = {scalar("size", int(shape->size)), scalar("depth", 0)};
            break;
        case Greeting::OneChild:
            plan.arguments = {scalar("size", length * blocks), scalar("minSize", blocks), scalar("depth", 0)};
            break;
        case Greeting::Limited:
            plan.arguments = {scalar("size", length), scalar("depth", 0), scalar("maxDepth", int(maxDepth))};
            break;
        }
        const std::size_t counter = plan.arguments.size();
        plan.arguments.push_back(counterBuffer<int>("threadsAtDepth", depths));
        plan.check = expect<int>(counter, "threadsAtDepth", depths,
                                 [threads = greetings(kind, *shape, maxDepth)](std::uint64_t i) { return threads[i]; });
        return plan;
    };
}

CatalogueEntry greeting(std::string name, Greeting kind, std::vector<Reference> references, std::string storyEn,
                        std::string storyZh) {
    CatalogueEntry entry{.name = name,
                         .family = "nested",
                         .entry = name,
                         .source = "nested.cu",
                         .references = std::move(references),
                         .storyEn = std::move(storyEn),
                         .storyZh = std::move(storyZh),
                         .parameters = {pendingParameter()},
                         .look = {.size = 8, .block = Dim3{8}},
                         .document = {.size = 8, .block = Dim3{8}},
                         .plan = greetingPlan(kind)};
    if (kind == Greeting::Limited)
        entry.parameters.push_back({"maxDepth", 0, 24, 2, "deepest nesting", "最大嵌套深度"});
    if (kind == Greeting::EachBlockOfSize) {
        entry.look = {.size = 8, .block = Dim3{2}};
        entry.document = {.size = 64, .block = Dim3{2}};
    }
    return entry;
}

// ---- sums ----

PlanMaker sumPlan(bool oneChild) {
    return [oneChild](const LaunchRequest& request) -> Result<LaunchPlan> {
        const auto shape = lineShape(request);
        if (!shape)
            return shape.error();
        if (auto ok = powerOfTwoBlock(*shape, 2); !ok)
            return ok.error();
        const std::uint64_t size = std::uint64_t(shape->size), tile = shape->block.x, blocks = shape->grid.x;
        const std::uint64_t padded = std::max(roundUp(size, tile), blocks * tile);
        LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
        plan.pendingLaunchLimit = std::uint32_t(parameter(request, "pending"));
        plan.arguments = {inBuffer<int>("g_idata", padded, size, byteOf), outBuffer<int>("g_odata", blocks)};
        if (oneChild) {
            plan.block = Dim3{shape->block.x / 2};
            plan.arguments.push_back(scalar("stride", int(tile / 2)));
            plan.arguments.push_back(scalar("dim", int(tile)));
        } else {
            plan.arguments.push_back(scalar("size", std::uint32_t(tile)));
        }
        plan.check = expect<int>(1, "g_odata", blocks, [size, tile](std::uint64_t b) {
            int sum = 0;
            for (std::uint64_t i = b * tile; i < std::min(size, (b + 1) * tile); ++i)
                sum += byteOf(i);
            return sum;
        });
        return plan;
    };
}

CatalogueEntry sum(std::string name, bool oneChild, std::vector<Reference> references, std::string storyEn,
                   std::string storyZh) {
    return {.name = name,
            .family = "nested",
            .entry = name,
            .source = "nested.cu",
            .references = std::move(references),
            .storyEn = std::move(storyEn),
            .storyZh = std::move(storyZh),
            .parameters = {pendingParameter()},
            .look = {.size = 32, .block = Dim3{8}},
            .document = {.size = 1024 * 512, .block = Dim3{512}},
            .plan = sumPlan(oneChild)};
}

} // namespace

std::vector<CatalogueEntry> nestedKernels() {
    const Reference d0{"D0", "6.2 在GPU上嵌套 Hello World Nested Hello World on the GPU"},
        d2{"D2", "GPU上嵌套的Hello World"}, d4{"D4", "在GPU上嵌套Hello World"}, d2r{"D2", "嵌套规约"},
        d4r{"D4", "嵌套归约"};
    return {
        greeting("nestedHelloWorld", Greeting::EachBlock, {d2, d4},
                 "8 threads launch 4, those 2, those 1: a parent ends after its children.",
                 "8 个线程启动 4 个，再到 2 个、1 个：父网格在子网格之后结束。"),
        greeting("nesthelloworld", Greeting::EachBlockOfSize, {d0},
                 "Every block starts a chain of its own: count the grids at each depth.",
                 "每个线程块各自开始一条链：数一数每层有多少网格。"),
        greeting("nestedHelloWorldOneChild", Greeting::OneChild, {{"D2", "习题 8"}},
                 "One child for the whole grid: far fewer launches.", "整个网格只启动一个子网格：启动次数少得多。"),
        greeting("nestedHelloWorldLimited", Greeting::Limited, {{"D2", "习题 9"}},
                 "The nesting stops at a given depth.", "嵌套在给定深度停止。"),
        sum("gpuRecursiveReduce", false, {d2r, d4r},
            "Every block hands its half to a child of its own: thousands of tiny grids.",
            "每个线程块把一半交给自己的子网格：成千上万个小网格。"),
        sum("gpuRecursiveReduceNosync", false, {d2r, d4r},
            "Without barriers it is as right, until more than 2048 launches are pending: then sums are silently "
            "missing.",
            "去掉同步同样正确，直到待启动网格超过 2048 个：之后结果悄悄缺失。"),
        sum("gpuRecursiveReduce2", true, {d2r, d4r},
            "One child with all the blocks: a handful of launches does the whole sum.",
            "一个子网格带上所有线程块：几次启动就完成求和。"),
    };
}

} // namespace warpglass::kernels
