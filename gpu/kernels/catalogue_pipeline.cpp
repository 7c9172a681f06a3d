// SPDX-License-Identifier: GPL-3.0-or-later
// Products on tensor cores, of halves that are fetched while others are multiplied.
#include "gpu/base/messages/launch.h"
#include "gpu/kernels/data.h"
#include "gpu/kernels/families.h"
#include "gpu/kernels/shape.h"
#include "gpu/launch/half.h"

namespace warpglass::kernels {

namespace {

constexpr std::uint32_t pipelineTile = 64, pipelineDeep = 32; // of C; of K at a time

// A (N x K) by rows and B (K x N), by rows or by columns; each line begins at a multiple of 16 bytes, behind it lie zeros.
// Whole numbers from 0 to 7: sums of 65536 products are exact in float.
struct Matrix {
    std::uint64_t lines = 0, length = 0;
    std::uint64_t pitch() const { return roundUp(length, 8); }
};
double elementOfA(std::uint64_t row, std::uint64_t k) {
    return byteOf(row * 4099 + k) % 8;
}
double elementOfB(std::uint64_t k, std::uint64_t column) {
    return byteOf(column * 4111 + k + 77) % 8;
}

Argument halves(std::string name, Matrix of, double (*element)(std::uint64_t line, std::uint64_t at)) {
    Argument argument{
        .name = std::move(name), .isBuffer = true, .type = ElementType::F16, .count = of.lines * of.pitch()};
    argument.fill = [of, element](std::span<std::byte> bytes) {
        for (std::uint64_t line = 0; line < of.lines; ++line)
            for (std::uint64_t i = 0; i < of.length; ++i) {
                const std::uint16_t bits = bitsOf(element(line, i), binary16);
                std::memcpy(bytes.data() + (line * of.pitch() + i) * sizeof bits, &bits, sizeof bits);
            }
    };
    return argument;
}

// Boxes of 64 lines and 32 elements, whose rows of 64 bytes are swizzled over 64 bytes.
Argument boxes(std::string name, const std::string& buffer, Matrix of) {
    TensorMap map{.buffer = buffer, .type = TensorType::F16, .rank = 2, .swizzle = 64};
    map.dims[0] = of.length;
    map.dims[1] = of.lines;
    map.strides[0] = of.pitch() * 2;
    map.box[0] = pipelineDeep;
    map.box[1] = pipelineTile;
    return {.name = std::move(name), .scalar = std::vector<std::byte>(tensorMapBytes), .tensorMap = map};
}

// Every element that the host computes itself up to a size; of larger ones each 127th.
CheckResult checkHalves(const std::vector<std::byte>& c, std::uint64_t n, std::uint64_t depth) {
    if (c.size() < n * n * sizeof(float))
        return {Check::Wrong, say::NotWhole("C")};
    const std::uint64_t step = n * n * depth > 100'000'000 ? 127 : 1;
    for (std::uint64_t i = 0; i < n * n; i += step) {
        double want = 0;
        for (std::uint64_t k = 0; k < depth; ++k)
            want += elementOfA(i / n, k) * elementOfB(k, i % n);
        float got;
        std::memcpy(&got, c.data() + i * sizeof got, sizeof got);
        if (double(got) != want)
            return {Check::Wrong, say::CellWrong(i / n, i % n, fmt::format("{}", got), fmt::format("{}", want))};
    }
    return {Check::Ok, {}};
}

struct Way {
    std::uint32_t threads = 128;
    bool boxes = false;      // fetched by the copy unit
    std::uint32_t tiles = 1; // of C that a block works out, unless the grid is given
};

Result<LaunchPlan> pipelinePlan(const LaunchRequest& request, Way way) {
    LaunchRequest byTiles = request;
    byTiles.block = Dim3{pipelineTile, pipelineTile};
    const bool inARow = way.tiles > 1;
    if (inARow && request.grid && (request.grid->y != 1 || request.grid->z != 1))
        return Error{.message = say::NotWithGrid(request.grid->text()), .file = "--grid", .remedy = say::CountsBlocksX};
    auto shape = squareShape(byTiles);
    if (!shape)
        return shape.error();
    shape->block = request.block.value_or(Dim3{way.threads});
    if (auto ok = exactBlock(*shape, {way.threads}); !ok)
        return ok.error();
    const auto n = std::uint64_t(shape->size), depth = std::uint64_t(parameter(request, "k"));
    const std::uint64_t across = divideUp(n, pipelineTile);
    if (inARow && !request.grid)
        shape->grid = {std::uint32_t(divideUp(across * across, way.tiles))};
    LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
    const Matrix a{n, depth}, b = way.boxes ? Matrix{n, depth} : Matrix{depth, n};
    const auto byColumns = [](std::uint64_t column, std::uint64_t k) { return elementOfB(k, column); };
    std::vector<Argument> inputs{halves("A", a, elementOfA), halves("B", b, way.boxes ? +byColumns : elementOfB)};
    if (way.boxes) {
        plan.arguments = {boxes("mapA", "A", a), boxes("mapB", "B", b)};
        plan.globalBuffers = std::move(inputs);
    } else {
        plan.arguments = std::move(inputs);
    }
    plan.arguments.push_back(outBuffer<float>("C", n * n));
    plan.arguments.push_back(scalar("N", int(n)));
    plan.arguments.push_back(scalar("K", int(depth)));
    if (inARow || (shape->grid.x >= across && shape->grid.y >= across))
        plan.check = [n, depth](const Buffers& buffers) {
            return buffers.size() < 3 ? CheckResult{Check::Wrong, say::NotWhole("C")}
                                      : checkHalves(buffers[2], n, depth);
        };
    return plan;
}

CatalogueEntry pipelined(std::string name, std::string source, Way way, std::int64_t side, std::string storyEn,
                         std::string storyZh) {
    return {.name = name,
            .family = "pipelines",
            .entry = name,
            .source = std::move(source),
            .storyEn = std::move(storyEn),
            .storyZh = std::move(storyZh),
            .parameters = {{"k", 1, 1 << 16, 256, "columns of A and rows of B", "A 的列数，也是 B 的行数"}},
            .look = {.size = side, .block = Dim3{way.threads}},
            .document = {.size = 4096, .block = Dim3{way.threads}, .set = {{"k", 4096}}},
            .plan = [way](const LaunchRequest& request) { return pipelinePlan(request, way); },
            .sizeMeaningEn = "rows and columns of the product",
            .sizeMeaningZh = "乘积的行数与列数"};
}

} // namespace

std::vector<CatalogueEntry> pipelineKernels() {
    return {
        pipelined("matmul_two_stages", "pipeline.cu", {.threads = 128}, 128,
                  "cp.async fetches the next tile while tensor cores multiply this one: two stages.",
                  "张量核心计算当前分块时，cp.async 取下一块：两级流水。"),
        pipelined("matmul_four_stages", "pipeline.cu", {.threads = 128}, 128,
                  "The same with a ring of four stages: three tiles are on their way at a time.",
                  "同样的乘积，环形缓冲有四级：总有三个分块在途中。"),
        pipelined(
            "matmul_producer", "warpgroup.cu", {.threads = 160, .boxes = true}, 128,
            "One warp asks the copy unit (TMA) for tiles, a warpgroup multiplies them (wgmma); mbarriers lie between.",
            "一个线程束向拷贝单元（TMA）要分块，一个线程束组负责相乘（wgmma），两者之间是 mbarrier。"),
        pipelined("matmul_pingpong", "warpgroup.cu", {.threads = 288, .boxes = true, .tiles = 4}, 256,
                  "Two warpgroups take turns: while one stores its tile, the other one multiplies.",
                  "两个线程束组轮流：一个存结果时，另一个在相乘。"),
    };
}

} // namespace warpglass::kernels
