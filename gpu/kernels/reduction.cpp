// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/reduction.h"

#include "gpu/kernels/data.h"
#include "gpu/kernels/shape.h"

namespace warpglass::kernels {

namespace {

// The sum a block must write: its tile, or with a grid stride every gridDim-th tile from its own.
std::int64_t blockSum(DataKind kind, std::uint64_t size, std::uint64_t tile, std::uint64_t block, std::uint64_t step) {
    std::int64_t sum = 0;
    for (std::uint64_t start = block * tile; start < size; start += step) {
        for (std::uint64_t i = start; i < std::min(size, start + tile); ++i)
            sum += dataAt(kind, i);
        if (step == 0)
            break;
    }
    return sum;
}

std::string replaceBraces(std::string text, const std::string& with) {
    const auto at = text.find("{}");
    return at == std::string::npos ? text : text.replace(at, 2, with);
}

template <typename T>
LaunchPlan makeReduction(const Reduction& reduction, const ProblemShape& shape, DataKind kind) {
    const std::uint64_t size = std::uint64_t(shape.size), blocks = shape.grid.x;
    const std::uint64_t tile = std::uint64_t(shape.block.x) * std::uint64_t(reduction.perThread);
    const std::uint64_t padded = std::max(roundUp(size, tile), blocks * tile);
    LaunchPlan plan{.grid = shape.grid, .block = shape.block, .size = shape.size};
    plan.entry = replaceBraces(reduction.entry, std::to_string(shape.block.x));
    plan.sharedBytes =
        std::uint32_t(reduction.dynamicShared) * shape.block.x * (shape.block.x <= reduction.twiceSharedTo ? 2 : 1);
    plan.arguments = {inBuffer<T>("g_idata", padded, size, [kind](std::uint64_t i) { return T(dataAt(kind, i)); }),
                      outBuffer<T>("g_odata", blocks)};
    if (reduction.sizeArgument)
        plan.arguments.push_back(scalar("n", std::uint32_t(reduction.wholeTilesOnly ? padded : size)));
    const std::uint64_t step = reduction.gridStride ? blocks * tile : 0;
    // Blocks wholly behind the data return without writing unless they were given zeros to add.
    const std::uint64_t writing =
        reduction.gridStride || reduction.wholeTilesOnly ? blocks : std::min(blocks, divideUp(size, tile));
    plan.check =
        expect<T>(1, "g_odata", writing, [=](std::uint64_t b) { return T(blockSum(kind, size, tile, b, step)); });
    return plan;
}

} // namespace

CatalogueEntry reductionEntry(std::string family, std::string source, Reduction reduction,
                              std::vector<Reference> references, std::string storyEn, std::string storyZh) {
    if (reduction.entry.empty())
        reduction.entry = reduction.name;
    CatalogueEntry entry{.name = reduction.name,
                         .family = std::move(family),
                         .entry = replaceBraces(reduction.entry, std::to_string(reduction.lookBlock)),
                         .source = std::move(source),
                         .references = std::move(references),
                         .storyEn = std::move(storyEn),
                         .storyZh = std::move(storyZh)};
    entry.parameters = {{"data", 0, 3, 0,
                         "0 random bytes, 1 the documents' 3 1 7 0 4 1 6 3 repeated, 2 index & 255, 3 all ones",
                         "0 随机字节，1 文档中的 3 1 7 0 4 1 6 3 循环，2 下标 & 255，3 全为 1"}};
    entry.look = {.size = reduction.lookSize, .block = Dim3{reduction.lookBlock}};
    entry.document = {.size = reduction.documentSize, .block = Dim3{reduction.documentBlock}};
    if (reduction.documentGrid)
        entry.document.grid = Dim3{reduction.documentGrid};
    entry.plan = [reduction](const LaunchRequest& request) -> Result<LaunchPlan> {
        const auto shape = lineShape(request, reduction.perThread);
        if (!shape)
            return shape.error();
        if (auto ok = reduction.anyBlock ? wholeWarps(*shape)
                                         : powerOfTwoBlock(*shape, reduction.leastBlock, reduction.mostBlock);
            !ok)
            return ok.error();
        const auto kind = DataKind(parameter(request, "data"));
        return reduction.isFloat ? makeReduction<float>(reduction, *shape, kind)
                                 : makeReduction<int>(reduction, *shape, kind);
    };
    return entry;
}

} // namespace warpglass::kernels
