// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/messages/launch.h"
#include "gpu/kernels/data.h"
#include "gpu/kernels/families.h"
#include "gpu/kernels/shape.h"

namespace warpglass::kernels {

namespace {

// The grid a number of elements needs when its blocks are laid along x; other shapes are asked for with --grid.
Result<LaunchPlan> indexPlan(const LaunchRequest& request) {
    ProblemShape shape{.block = request.block.value_or(Dim3{64})};
    if (shape.block.count() == 0 || (request.grid && request.grid->count() == 0))
        return Error{.message = say::ShapeWithZero, .file = "--block", .remedy = say::EachDimension};
    shape.size = request.size.value_or(std::int64_t((request.grid ? request.grid->count() : 1) * shape.block.count()));
    if (shape.size < 1 || shape.size > (1 << 28))
        return Error{.message = say::ThisSizeImpossible, .file = "--size", .remedy = say::ChooseSize(1, 268435456)};
    shape.grid = request.grid.value_or(Dim3{std::uint32_t(divideUp(std::uint64_t(shape.size), shape.block.count()))});

    // With several rows of threads the grid may hold more places than elements: rows are as long as the grid is wide.
    const Dim3 block = shape.block;
    const Dim3 whole{shape.grid.x * block.x, shape.grid.y * block.y, shape.grid.z * block.z};
    const std::uint64_t count = std::min<std::uint64_t>(std::uint64_t(shape.size), whole.count());
    LaunchPlan plan{.grid = shape.grid, .block = block, .size = shape.size};
    plan.arguments = {outBuffer<int>("warpOf", std::uint64_t(shape.size)), scalar("n", int(shape.size))};
    plan.check = expect<int>(0, "warpOf", count, [block, whole](std::uint64_t i) {
        const Dim3 place = whole.at(i);
        return int(block.linear({place.x % block.x, place.y % block.y, place.z % block.z}) / 32);
    });
    return plan;
}

CatalogueEntry index(std::string name, std::string entry, Dim3 grid, Dim3 block, std::vector<Reference> references,
                     std::string storyEn, std::string storyZh) {
    return {.name = std::move(name),
            .family = "index",
            .entry = std::move(entry),
            .source = "index.cu",
            .references = std::move(references),
            .storyEn = std::move(storyEn),
            .storyZh = std::move(storyZh),
            .look = {.grid = grid, .block = block},
            .document = {.grid = grid, .block = block},
            .plan = indexPlan};
}

} // namespace

std::vector<CatalogueEntry> indexKernels() {
    const Reference d3thread{"D3", "2 Thread：最小执行单元"}, d3block{"D3", "2 Block：可调度的最小单位"},
        d3warp{"D3", "3 Warp 的本质"};
    const Reference d0{"D0", "2.1 线程束和线程块 Warps and Thread Blocks"}, d2{"D2", "线程束和线程块"},
        d4{"D4", "线程束和线程块"};
    return {
        index("index1D", "index1D", {2}, {80}, {d0, d2, d3thread},
              "80 threads make two full warps and a half one: 16 lanes of the third never work.",
              "80 个线程构成两个半线程束：第三个线程束有 16 个线程永远空闲。"),
        index("index2D40x2", "index2D", {2, 1}, {40, 2}, {d4, d3thread},
              "Rows of 40: the second warp takes the end of one row and the start of the next.",
              "每行 40 个线程：第二个线程束取上一行的末尾和下一行的开头。"),
        index("index2D16x16", "index2D", {2, 2}, {16, 16}, {d3warp, d3block},
              "A 16 x 16 block folds into 8 warps of two rows each.", "16×16 的线程块折叠成 8 个线程束，每个占两行。"),
        index("index3D", "index3D", {2, 1, 1}, {8, 8, 4}, {d3block, d3thread},
              "In an 8 x 8 x 4 block each warp is half of one z slice: x runs first, then y, then z.",
              "8×8×4 的线程块中每个线程束是一个 z 层的一半：先 x，再 y，后 z。"),
    };
}

} // namespace warpglass::kernels
