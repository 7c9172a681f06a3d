// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/data.h"
#include "gpu/kernels/families.h"
#include "gpu/kernels/shape.h"

#include <cmath>

namespace warpglass::kernels {

namespace {

const char* const family = "divergence";
const char* const source = "divergence.cu";

// ---- mathKernels: 100 or 200 by rule ----

std::function<Result<LaunchPlan>(const LaunchRequest&)> hundredsPlan(std::function<bool(std::uint64_t)> hundred) {
    return [hundred](const LaunchRequest& request) -> Result<LaunchPlan> {
        const auto shape = lineShape(request);
        if (!shape)
            return shape.error();
        const std::uint64_t count = std::max<std::uint64_t>(shape->threads(), std::uint64_t(shape->size));
        LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
        plan.arguments = {outBuffer<float>("c", count)};
        plan.check = expect<float>(0, "c", shape->threads(),
                                   [hundred](std::uint64_t i) { return hundred(i) ? 100.0f : 200.0f; });
        return plan;
    };
}

bool evenThread(std::uint64_t i) {
    return i % 2 == 0;
}
bool evenWarp(std::uint64_t i) {
    return i / 32 % 2 == 0;
}

CatalogueEntry hundreds(std::string name, std::vector<Reference> references, std::string storyEn, std::string storyZh,
                        bool (*hundred)(std::uint64_t)) {
    return {.name = name,
            .family = family,
            .entry = name,
            .source = source,
            .references = std::move(references),
            .storyEn = std::move(storyEn),
            .storyZh = std::move(storyZh),
            .look = {.size = 64, .block = Dim3{64}},
            .document = {.size = 64, .block = Dim3{64}},
            .plan = hundredsPlan(hundred)};
}

// ---- a threshold and a long path ----

enum class Order : std::int64_t { FirstLanes, Mixed, Sorted };

constexpr int threshold = 50;
constexpr int above = 100, below = 1;

// Element i of n is above the threshold: the first lanes of each warp, any elements in that proportion, or the first
// ones.
bool isAbove(Order order, std::int64_t lanes, std::uint64_t i, std::uint64_t n) {
    switch (order) {
    case Order::FirstLanes:
        return std::int64_t(i % 32) < lanes;
    case Order::Mixed:
        return byteOf(i) < lanes * 8;
    case Order::Sorted:
        return i < n * std::uint64_t(lanes) / 32;
    }
    return false;
}

// What the kernel makes of an element; overflow wraps as on the GPU.
int afterLoop(int value, int loops) {
    if (value <= threshold)
        return value + 1;
    auto v = std::uint32_t(value);
    for (int i = 0; i < loops; ++i)
        v = v * v + std::uint32_t(i);
    return int(v);
}

enum class Bound { None, Size, LoopsAndSize };

std::function<Result<LaunchPlan>(const LaunchRequest&)> thresholdPlan(Bound bound) {
    return [bound](const LaunchRequest& request) -> Result<LaunchPlan> {
        const auto shape = lineShape(request);
        if (!shape)
            return shape.error();
        const auto order = Order(parameter(request, "order"));
        const auto lanes = parameter(request, "lanes");
        const int loops = bound == Bound::LoopsAndSize ? int(parameter(request, "loops")) : 100;
        const std::uint64_t size = std::uint64_t(shape->size);
        const std::uint64_t count = std::max(shape->threads(), size);
        auto value = [=](std::uint64_t i) { return isAbove(order, lanes, i, size) ? above : below; };
        LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
        plan.arguments = {inBuffer<int>("data", count, value), scalar("threshold", threshold)};
        if (bound == Bound::LoopsAndSize)
            plan.arguments.push_back(scalar("loops", loops));
        if (bound != Bound::None)
            plan.arguments.push_back(scalar("n", int(size)));
        const std::uint64_t reached = bound == Bound::None ? shape->threads() : std::min(shape->threads(), size);
        const int longResult = afterLoop(above, loops), shortResult = afterLoop(below, loops);
        plan.check = expect<int>(0, "data", count, [=](std::uint64_t i) {
            return i >= reached ? value(i) : value(i) > threshold ? longResult : shortResult;
        });
        return plan;
    };
}

Parameter lanesParameter(std::int64_t standard) {
    return {"lanes",
            0,
            32,
            standard,
            "lanes of 32 whose value is over the threshold and takes the long path",
            "每 32 个线程中数值超过阈值、走长路径的线程数"};
}
Parameter orderParameter(Order standard) {
    return {"order",
            0,
            2,
            std::int64_t(standard),
            "where they lie: 0 the first lanes of each warp, 1 mixed, 2 sorted to the front of the data",
            "它们的位置：0 每个线程束的前几个线程，1 混杂，2 排序后集中在数据前部"};
}
Parameter loopsParameter(std::int64_t standard) {
    return {"loops", 0, 100000, standard, "iterations of the long path", "长路径的循环次数"};
}

CatalogueEntry thresholdKernel(std::string name, std::string entry, Bound bound, std::vector<Parameter> parameters,
                               std::vector<Reference> references, std::string storyEn, std::string storyZh) {
    return {.name = std::move(name),
            .family = family,
            .entry = std::move(entry),
            .source = source,
            .references = std::move(references),
            .storyEn = std::move(storyEn),
            .storyZh = std::move(storyZh),
            .parameters = std::move(parameters),
            .look = {.size = 128, .block = Dim3{64}},
            .document = {.size = 1024 * 256, .block = Dim3{256}},
            .plan = thresholdPlan(bound)};
}

// ---- one element in, one element out ----

template <typename In, typename Out>
std::function<Result<LaunchPlan>(const LaunchRequest&)> mapPlan(std::string in, std::string out,
                                                                std::function<In(std::uint64_t)> value,
                                                                std::function<Out(std::uint64_t, Dim3)> expected) {
    return [=](const LaunchRequest& request) -> Result<LaunchPlan> {
        const auto shape = lineShape(request);
        if (!shape)
            return shape.error();
        const auto size = std::uint64_t(shape->size);
        LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
        plan.arguments = {inBuffer<In>(in, size, value), outBuffer<Out>(out, size), scalar("n", int(size))};
        plan.check = expect<Out>(1, out, std::min(size, shape->threads()),
                                 [expected, block = shape->block](std::uint64_t i) { return expected(i, block); });
        return plan;
    };
}

float signedValue(std::uint64_t i) {
    return float(byteOf(i) - 96); // about five of eight are positive, as 20 lanes of 32
}
float rootOrZero(std::uint64_t i, Dim3) {
    const float x = signedValue(i);
    return x > 0.0f ? std::sqrt(x) : 0.0f;
}
int halfWarpValue(std::uint64_t i, Dim3 block) {
    const int in = byteOf(i);
    return i % block.x % 32 < 16 ? in * 3 : in + 7;
}
int tripsValue(std::uint64_t i) {
    return byteOf(i) % 33;
}
int loopSum(std::uint64_t i, Dim3) {
    int sum = 0;
    for (int k = 0; k < tripsValue(i); ++k)
        sum += k ^ int(i);
    return sum;
}

CatalogueEntry map(std::string name, std::vector<Reference> references, std::string storyEn, std::string storyZh,
                   std::function<Result<LaunchPlan>(const LaunchRequest&)> plan) {
    return {.name = name,
            .family = family,
            .entry = name,
            .source = source,
            .references = std::move(references),
            .storyEn = std::move(storyEn),
            .storyZh = std::move(storyZh),
            .look = {.size = 128, .block = Dim3{64}},
            .document = {.size = 1024 * 256, .block = Dim3{256}},
            .plan = std::move(plan)};
}

// ---- one sum a warp ----

Result<LaunchPlan> warpSumPlan(const LaunchRequest& request) {
    const auto shape = lineShape(request);
    if (!shape)
        return shape.error();
    if (auto ok = wholeWarps(*shape); !ok)
        return ok.error();
    const auto size = std::uint64_t(shape->size);
    const std::uint64_t warps = shape->threads() / 32;
    LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
    plan.arguments = {inBuffer<float>("value", size, [](std::uint64_t i) { return float(byteOf(i)); }),
                      outBuffer<float>("sums", warps), scalar("n", int(size))};
    plan.check = expect<float>(1, "sums", warps, [size](std::uint64_t w) {
        int sum = 0;
        for (std::uint64_t i = w * 32; i < std::min(size, w * 32 + 32); ++i)
            sum += byteOf(i);
        return float(sum);
    });
    return plan;
}

// ---- rays and quads ----

// Corner c of the quad a ray meets, component k; small whole numbers, so that the area is exact.
float corner(std::uint64_t quad, int c, int k) {
    constexpr int square[4][2] = {{0, 8}, {0, 0}, {8, 8}, {8, 0}};
    const int lift = byteOf(quad * 4 + std::uint64_t(c)) % 7;
    return float(k < 2 ? square[c][k] : lift);
}
float rayValue(std::uint64_t ray, int k) {
    return float(byteOf(ray * 3 + std::uint64_t(k) + 7) % 8);
}
float twiceAreaSquared(std::uint64_t quad, int a, int b, int c) {
    float u[3], v[3];
    for (int k = 0; k < 3; ++k) {
        u[k] = corner(quad, b, k) - corner(quad, a, k);
        v[k] = corner(quad, c, k) - corner(quad, a, k);
    }
    const float x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
    return x * x + y * y + z * z;
}
bool hitsFirst(std::uint64_t i) {
    const float ex = corner(i, 2, 0) - corner(i, 1, 0), ey = corner(i, 2, 1) - corner(i, 1, 1);
    return ex * (rayValue(i, 1) - corner(i, 1, 1)) - ey * (rayValue(i, 0) - corner(i, 1, 0)) > 0.0f;
}

// As the kernel's paths are written: the first takes p1 p2 p3, the second p2 p3 p4 in either order.
Result<LaunchPlan> rayPlan(const LaunchRequest& request) {
    const auto shape = lineShape(request);
    if (!shape)
        return shape.error();
    const auto size = std::uint64_t(shape->size);
    LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
    plan.arguments = {inBuffer<float>("rays", size * 3, [](std::uint64_t i) { return rayValue(i / 3, int(i % 3)); }),
                      inBuffer<float>("quads", size * 12,
                                      [](std::uint64_t i) { return corner(i / 12, int(i % 12 / 3), int(i % 3)); }),
                      outBuffer<float>("out", size), scalar("n", int(size))};
    plan.check = expect<float>(2, "out", std::min(size, shape->threads()), [](std::uint64_t i) {
        return hitsFirst(i) ? twiceAreaSquared(i, 0, 1, 2) : twiceAreaSquared(i, 3, 1, 2);
    });
    return plan;
}

} // namespace

std::vector<CatalogueEntry> divergenceKernels() {
    const Reference d0{"D0", "2.2 线程束分化 Warp Divergence"}, d2{"D2", "线程束分化"}, d4{"D4", "线程束分化"};
    const Reference d3{"D3", "3 线程分歧（Divergence）：性能杀手"}, d3avoid{"D3", "3 如何避免或减少分歧"};
    const Reference d3simt{"D3", "4 SIMT：更灵活的并行模型"}, d1{"D1", "提取共同任务"};
    return {
        hundreds("warmup", {d0}, "Whole warps choose the path: look for a branch that never divides a warp.",
                 "整个线程束一起选择路径：看看这个从不使线程束分化的分支。", evenWarp),
        hundreds("mathKernel1", {d0, d2, d4},
                 "Even and odd lanes want different paths: every warp walks both, half empty.",
                 "奇偶线程走不同路径：每个线程束两条路都要走，每次都有一半线程空闲。", evenThread),
        hundreds("mathKernel2", {d0, d2, d4},
                 "The same work split by warp number: no lane ever waits for another path.",
                 "同样的工作按线程束编号划分：没有线程需要等待另一条路径。", evenWarp),
        hundreds("mathKernel3", {d4}, "Two ifs in place of if and else: twice as many branches divide the warp.",
                 "用两个 if 代替 if-else：分化的分支多了一倍。", evenThread),
        hundreds("mathKernel3Bool", {d0}, "If and else on a bool computed first: the same division as mathKernel1.",
                 "先算出布尔值再 if-else：分化与 mathKernel1 相同。", evenThread),
        thresholdKernel("divergent_kernel", "divergent_kernel", Bound::None,
                        {lanesParameter(20), orderParameter(Order::FirstLanes)}, {d3},
                        "20 lanes loop a hundred times while 12 wait; try 1 lane, none, and all 32.",
                        "20 个线程循环一百次，另外 12 个等待；试试 1 个、0 个和全部 32 个。"),
        thresholdKernel("divergentMixed", "divergentLoops", Bound::LoopsAndSize,
                        {lanesParameter(16), orderParameter(Order::Mixed), loopsParameter(1000)}, {d3avoid},
                        "Long and short elements mixed: nearly every warp pays for the long path.",
                        "长短数据混在一起：几乎每个线程束都要为长路径付出代价。"),
        thresholdKernel(
            "divergentSorted", "divergentLoops", Bound::LoopsAndSize,
            {lanesParameter(16), orderParameter(Order::Sorted), loopsParameter(1000)}, {d3avoid},
            "The same elements sorted: half of the warps loop with all lanes, the other half are done at once.",
            "同样的数据排序之后：一半线程束满员循环，另一半立即完成。"),
        map("halfWarp", {d3}, "The lane number decides: each warp splits 16 to 16, and the compiler can see it.",
            "由线程号决定：每个线程束分成 16 对 16，编译器可以预见。",
            mapPlan<int, int>(
                "in", "out", [](std::uint64_t i) { return byteOf(i); }, halfWarpValue)),
        map("loopDivergence", {d3},
            "Each lane loops as often as its element says: the longest lane decides for its warp.",
            "每个线程的循环次数由数据决定：最慢的线程决定整个线程束的时间。",
            mapPlan<int, int>("data", "out", tripsValue, loopSum)),
        thresholdKernel("branchHint", "branchHint", Bound::Size,
                        {lanesParameter(20), orderParameter(Order::FirstLanes)}, {d3avoid},
                        "A hint tells the compiler which path is likely: the masks stay exactly as they were.",
                        "提示编译器哪条路径更可能：活跃掩码完全不变。"),
        map("sqrtBranch", {d3simt, d3avoid}, "A square root only for positive elements: a branch that the data divide.",
            "只对正数开方：由数据决定分化的分支。", mapPlan<float, float>("x", "y", signedValue, rootOrZero)),
        map("sqrtSelect", {d3avoid}, "Compute both and take one: a select has no path to wait for.",
            "两个结果都算，再选一个：选择指令不需要等待任何路径。",
            mapPlan<float, float>("x", "y", signedValue, rootOrZero)),
        map("sumByLaneZero", {d3avoid}, "Lane 0 adds 32 elements while 31 lanes watch.",
            "0 号线程独自相加 32 个元素，其余 31 个旁观。", warpSumPlan),
        map("sumByShuffle", {d3avoid}, "Five shuffles add 32 elements with every lane at work.",
            "五次洗牌指令完成 32 个元素的求和，所有线程都参与。", warpSumPlan),
        map("rayHitBranches", {d1}, "Both paths do the same long work: a divided warp does it twice.",
            "两条路径都做同样的长任务：分化的线程束要做两遍。", rayPlan),
        map("rayHitCommonTask", {d1}, "Only the choice of a corner is left in the branch: the long work is done once.",
            "分支里只剩下选点：长任务只做一遍。", rayPlan),
    };
}

} // namespace warpglass::kernels
