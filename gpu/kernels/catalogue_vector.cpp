// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/data.h"
#include "gpu/kernels/families.h"
#include "gpu/kernels/shape.h"

namespace warpglass::kernels {

namespace {

Result<LaunchPlan> vectorAddPlan(const LaunchRequest& request) {
    const auto shape = lineShape(request);
    if (!shape)
        return shape.error();
    const auto size = std::uint64_t(shape->size);
    LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
    plan.arguments = {inBuffer<float>("A", size, leftInput), inBuffer<float>("B", size, rightInput),
                      outBuffer<float>("C", size), scalar("N", int(size))};
    plan.check = expect<float>(2, "C", std::min(size, shape->threads()),
                               [](std::uint64_t i) { return leftInput(i) + rightInput(i); });
    return plan;
}

} // namespace

std::vector<CatalogueEntry> vectorKernels() {
    return {
        {.name = "vectorAdd",
         .family = "vector-matrix",
         .entry = "vectorAdd",
         .source = "vector.cu",
         .references = {{"D3", "2 Kernel：GPU 上的\"程序\""}, {"D3", "6 案例 1：向量加法"}},
         .storyEn = "One thread, one element; the last block's bound check is the only thing that can divide a warp.",
         .storyZh = "一个线程处理一个元素；只有最后一个线程块的边界检查可能造成分化。",
         .look = {.size = 250, .block = Dim3{64}},
         .document = {.size = 1 << 20, .block = Dim3{256}},
         .plan = vectorAddPlan},
    };
}

} // namespace warpglass::kernels
