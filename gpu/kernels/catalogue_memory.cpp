// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/messages/launch.h"
#include "gpu/kernels/data.h"
#include "gpu/kernels/families.h"
#include "gpu/kernels/shape.h"

namespace warpglass::kernels {

namespace {

using PlanMaker = std::function<Result<LaunchPlan>(const LaunchRequest&)>;

// ---- transpose ----

// Without a tile any block will do; else its shape, 16 x 16 or 32 x 32, chooses the kernel.
PlanMaker transposePlan(std::string entryOfTile) {
    return [entryOfTile](const LaunchRequest& request) -> Result<LaunchPlan> {
        const auto shape = squareShape(request);
        if (!shape)
            return shape.error();
        LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
        if (!entryOfTile.empty()) {
            if (shape->block != Dim3{16, 16})
                if (auto ok = exactBlock(*shape, {32, 32}); !ok)
                    return Error{.message = ok.error().message, .file = "--block", .remedy = say::TilesAre};
            plan.entry = entryOfTile + std::to_string(shape->block.x);
        }
        const auto n = std::uint64_t(shape->size);
        plan.arguments = {outBuffer<int>("out", n * n),
                          inBuffer<int>("in", n * n, [](std::uint64_t i) { return int(i); }), scalar("n", int(n)),
                          scalar("m", int(n))};
        if (std::uint64_t(shape->grid.x) * shape->block.x >= n && std::uint64_t(shape->grid.y) * shape->block.y >= n)
            plan.check = expect<int>(0, "out", n * n, [n](std::uint64_t i) { return int(i % n * n + i / n); });
        return plan;
    };
}

CatalogueEntry transpose(std::string name, bool tiled, std::vector<Reference> references, std::string storyEn,
                         std::string storyZh) {
    return {.name = name,
            .family = "memory",
            .entry = tiled ? name + "32" : name,
            .source = "transpose.cu",
            .references = std::move(references),
            .storyEn = std::move(storyEn),
            .storyZh = std::move(storyZh),
            .look = {.size = 64, .block = Dim3{32, 32}}, // tiles of 16 need two passes even when padded
            .document = {.size = 4096, .block = Dim3{32, 32}},
            .plan = transposePlan(tiled ? name : ""),
            .sizeMeaningEn = "rows and columns",
            .sizeMeaningZh = "行数与列数"};
}

// ---- one load, its address moved ----

float value(std::uint64_t i) {
    return float(i % 65536);
}

// in[i * stride + offset]
PlanMaker copyPlan(const char* moved) {
    return [moved](const LaunchRequest& request) -> Result<LaunchPlan> {
        const auto shape = lineShape(request);
        if (!shape)
            return shape.error();
        const auto size = std::uint64_t(shape->size);
        const bool strides = std::string_view(moved) == "stride";
        const auto by = std::uint64_t(parameter(request, moved));
        const std::uint64_t stride = strides ? by : 1, offset = strides ? 0 : by;
        if ((size - 1) * stride + offset >= (std::uint64_t(1) << 31))
            return Error{.message = say::LastBehindInt, .file = "--size", .remedy = say::SmallerStride};
        LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
        plan.arguments = {inBuffer<float>("in", (size - 1) * stride + offset + 1, value), outBuffer<float>("out", size),
                          scalar(moved, int(by)), scalar("n", int(size))};
        plan.check = expect<float>(1, "out", std::min(size, shape->threads()),
                                   [=](std::uint64_t i) { return value(i * stride + offset); });
        return plan;
    };
}

CatalogueEntry line(std::string name, std::vector<Parameter> parameters, std::vector<Reference> references,
                    std::string storyEn, std::string storyZh, PlanMaker plan) {
    return {.name = name,
            .family = "memory",
            .entry = name,
            .source = "memory.cu",
            .references = std::move(references),
            .storyEn = std::move(storyEn),
            .storyZh = std::move(storyZh),
            .parameters = std::move(parameters),
            .look = {.size = 128, .block = Dim3{64}},
            .document = {.size = 1 << 20, .block = Dim3{256}},
            .plan = std::move(plan)};
}

Parameter offsetParameter(std::int64_t standard) {
    return {"offset", 0, 1024, standard, "elements by which the reads are shifted", "读取位置偏移的元素个数"};
}

// ---- structures ----

// Coordinate k of point i.
float coordinate(std::uint64_t i, int k) {
    return float(byteOf(i * 3 + std::uint64_t(k)));
}

// words: of 4 bytes a structure has; 0 = three arrays.
PlanMaker pointsPlan(std::uint64_t words) {
    return [words](const LaunchRequest& request) -> Result<LaunchPlan> {
        const auto shape = lineShape(request);
        if (!shape)
            return shape.error();
        const auto size = std::uint64_t(shape->size);
        LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
        if (words == 0) {
            const char* names[] = {"x", "y", "z"};
            for (int k = 0; k < 3; ++k)
                plan.arguments.push_back(
                    inBuffer<float>(names[k], size, [k](std::uint64_t i) { return coordinate(i, k); }));
        } else {
            plan.arguments.push_back(inBuffer<float>("points", size * words, [words](std::uint64_t i) {
                return i % words < 3 ? coordinate(i / words, int(i % words)) : 0.0f;
            }));
        }
        const std::size_t out = plan.arguments.size();
        plan.arguments.push_back(outBuffer<float>("out", size));
        plan.arguments.push_back(scalar("n", int(size)));
        plan.check = expect<float>(out, "out", std::min(size, shape->threads()), [](std::uint64_t i) {
            return coordinate(i, 0) + coordinate(i, 1) + coordinate(i, 2);
        });
        return plan;
    };
}

} // namespace

std::vector<CatalogueEntry> memoryKernels() {
    const Reference d1t{"D1", "GPU转置"}, d1s{"D1", "使用共享内存的CUDA矩阵转置"},
        d1c{"D1", "使用共享内存的CUDA矩阵转置：存储体冲突"};
    const Reference d1l2{"D1", "通过二级缓存的合并访问"}, d1l1{"D1", "通过一级缓存的合并访问"},
        d1a{"D1", "通过二级缓存的合并访问：Array of Structures (AoS) vs Structure of Arrays (SoA)"};
    const Parameter stride{
        "stride", 1, 1024, 2, "elements from one thread's read to the next", "相邻线程读取位置相隔的元素个数"};
    return {
        transpose("transpose_naive", false, {d1t}, "Rows are read side by side, but each store goes to another row.",
                  "按行连续读取，但每次写入落在不同的行。"),
        transpose("transpose_smem", true, {d1s},
                  "A tile turns the stores into rows; now the tile's columns fight for its banks.",
                  "共享内存分块让写入也连续；但读取分块的列会发生存储体冲突。"),
        transpose("transpose_padded", true, {d1c},
                  "In a tile of 32, one word more in each row gives every lane a bank of its own.",
                  "32×32 的分块每行多一个字，每个线程就各用一个存储体。"),
        line("strided", {stride}, {d1l2},
             "At stride 2 half of what is moved is used, at 8 and more one word of each sector.",
             "步长 2 时只用到一半，步长 8 以上每个扇区只用一个字。", copyPlan("stride")),
        line("offsetCopy", {offsetParameter(1)}, {d1l2},
             "Shifted by one element, a warp's 128 bytes touch a fifth sector.",
             "偏移一个元素，线程束的 128 字节就触及第五个扇区。", copyPlan("offset")),
        line("offsetCopyL1", {offsetParameter(1)}, {d1l1}, "The shifted load cached in L1 and L2: lines of 128 bytes.",
             "偏移加载经过一级和二级缓存：128 字节的缓存行。", copyPlan("offset")),
        line("offsetCopyL2", {offsetParameter(1)}, {d1l1, d1l2},
             "The shifted load past L1: sectors of 32 bytes from L2.",
             "偏移加载绕过一级缓存：从二级缓存取 32 字节扇区。", copyPlan("offset")),
        line("offsetCopyReadOnly", {offsetParameter(11)}, {{"D1", "对齐与合并访问：全局内存读取"}},
             "The load of data that no one writes, by the read-only path.", "经只读路径加载没有线程写入的数据。",
             copyPlan("offset")),
        line("aos12", {}, {d1a}, "Structures of 12 bytes: three loads, each using a third of what it moves.",
             "12 字节的结构体：三次加载，每次只用到三分之一。", pointsPlan(3)),
        line("aos16", {}, {d1a}, "Structures aligned to 16 bytes: one wide load in place of three.",
             "对齐到 16 字节的结构体：一次宽加载代替三次。", pointsPlan(4)),
        line("soa", {}, {d1a}, "Three arrays: every byte that is moved is used.", "三个数组：搬运的每个字节都有用。",
             pointsPlan(0)),
    };
}

} // namespace warpglass::kernels
