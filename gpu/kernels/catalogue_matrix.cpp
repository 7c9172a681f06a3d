// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/messages/launch.h"
#include "gpu/kernels/data.h"
#include "gpu/kernels/families.h"
#include "gpu/kernels/shape.h"

namespace warpglass::kernels {

namespace {

// ---- sums ----

Result<LaunchPlan> sumPlan(const LaunchRequest& request) {
    const auto shape = squareShape(request);
    if (!shape)
        return shape.error();
    const int n = int(shape->size);
    const std::uint64_t count = std::uint64_t(n) * std::uint64_t(n);
    LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
    plan.arguments = {inBuffer<float>("A", count, leftInput), inBuffer<float>("B", count, rightInput),
                      outBuffer<float>("C", count), scalar("num_x", n), scalar("num_y", n)};
    const bool whole = std::uint64_t(shape->grid.x) * shape->block.x >= std::uint64_t(n) &&
                       std::uint64_t(shape->grid.y) * shape->block.y >= std::uint64_t(n);
    if (whole)
        plan.check = expect<float>(2, "C", count, [](std::uint64_t i) { return leftInput(i) + rightInput(i); });
    return plan;
}

CatalogueEntry sum(std::string name, std::vector<Reference> references, std::string storyEn, std::string storyZh) {
    return {.name = name,
            .family = "vector-matrix",
            .entry = name,
            .source = "matrix_sum.cu",
            .references = std::move(references),
            .storyEn = std::move(storyEn),
            .storyZh = std::move(storyZh),
            .look = {.size = 32, .block = Dim3{16, 16}},
            .document = {.size = 1 << 14, .block = Dim3{32, 32}},
            .plan = sumPlan,
            .sizeMeaningEn = "rows and columns",
            .sizeMeaningZh = "行数与列数"};
}

// ---- products ----

float small1(std::uint64_t i) {
    return float(byteOf(i) % 8);
}
float small2(std::uint64_t i) {
    return float(byteOf(i + 77) % 8);
}

double productElement(std::uint64_t n, std::uint64_t row, std::uint64_t column) {
    double sum = 0;
    for (std::uint64_t k = 0; k < n; ++k)
        sum += double(small1(row * n + k)) * double(small2(k * n + column));
    return sum;
}

// C = A B is held against C r = A (B r) for a vector r of whole numbers: n^2 work in place of n^3, and exact. A row
// that differs is then computed to name its first wrong element.
CheckResult checkProduct(const Buffers& buffers, std::uint64_t n) {
    if (buffers.size() < 3 || buffers[2].size() < n * n * sizeof(float))
        return {Check::Wrong, say::NotWhole("C")};
    auto element = [&](std::uint64_t i) {
        float value;
        std::memcpy(&value, buffers[2].data() + i * sizeof(float), sizeof(float));
        return value;
    };
    auto r = [](std::uint64_t i) { return double(byteOf(i * 31 + 5) + 1); };
    std::vector<double> br(n, 0.0);
    for (std::uint64_t k = 0; k < n; ++k)
        for (std::uint64_t j = 0; j < n; ++j)
            br[k] += double(small2(k * n + j)) * r(j);
    for (std::uint64_t i = 0; i < n; ++i) {
        double want = 0, got = 0;
        for (std::uint64_t k = 0; k < n; ++k) {
            want += double(small1(i * n + k)) * br[k];
            got += double(element(i * n + k)) * r(k);
        }
        if (want == got)
            continue;
        for (std::uint64_t j = 0; j < n; ++j)
            if (const double right1 = productElement(n, i, j); double(element(i * n + j)) != right1)
                return {Check::Wrong,
                        say::CellWrong(i, j, fmt::format("{}", element(i * n + j)), fmt::format("{}", right1))};
    }
    return {Check::Ok, {}};
}

// tile 0: any block; else the block must be a tile.
std::function<Result<LaunchPlan>(const LaunchRequest&)> productPlan(std::uint32_t tile, bool threeSizes) {
    return [tile, threeSizes](const LaunchRequest& request) -> Result<LaunchPlan> {
        const auto shape = squareShape(request);
        if (!shape)
            return shape.error();
        if (tile)
            if (auto ok = exactBlock(*shape, {tile, tile}); !ok)
                return ok.error();
        const int n = int(shape->size);
        const std::uint64_t count = std::uint64_t(n) * std::uint64_t(n);
        LaunchPlan plan{.grid = shape->grid, .block = shape->block, .size = shape->size};
        plan.arguments = {inBuffer<float>("A", count, small1), inBuffer<float>("B", count, small2),
                          outBuffer<float>("C", count)};
        for (const char* size : {"M", "N", "K"})
            if (threeSizes || *size == 'N')
                plan.arguments.push_back(scalar(size, n));
        if (std::uint64_t(shape->grid.x) * shape->block.x >= std::uint64_t(n) &&
            std::uint64_t(shape->grid.y) * shape->block.y >= std::uint64_t(n))
            plan.check = [n](const Buffers& buffers) { return checkProduct(buffers, std::uint64_t(n)); };
        return plan;
    };
}

CatalogueEntry product(std::string name, std::uint32_t tile, std::uint32_t side, bool threeSizes,
                       std::vector<Reference> references, std::string storyEn, std::string storyZh) {
    return {.name = name,
            .family = "vector-matrix",
            .entry = name,
            .source = "matmul.cu",
            .references = std::move(references),
            .storyEn = std::move(storyEn),
            .storyZh = std::move(storyZh),
            .look = {.size = 2 * side, .block = Dim3{side, side}},
            .document = {.size = 4096, .block = Dim3{side, side}},
            .plan = productPlan(tile, threeSizes),
            .sizeMeaningEn = "rows and columns",
            .sizeMeaningZh = "行数与列数"};
}

} // namespace

std::vector<CatalogueEntry> matrixKernels() {
    const Reference d0{"D0", "3 并行性表现 Exposing Parallelism"}, d2{"D2", "并行性的表现"}, d4{"D4", "并行性表现"};
    const Reference d3grid{"D3", "2 Grid：整个 Kernel 的执行空间"}, d3{"D3", "6 案例 2：矩阵乘法的演进"};
    return {
        sum("sumMatrix2D", {d0},
            "Neighbouring threads read elements a whole column apart: most of each sector is thrown away.",
            "相邻线程读取相隔一整列的元素：每个扇区的大部分都浪费了。"),
        sum("sumMatrixOnGPU2D", {d2, d4},
            "The same sum along rows: whatever the block's shape, every byte moved is used.",
            "同样的求和按行进行：无论线程块形状如何，搬运的每个字节都有用。"),
        product("matmul", 0, 16, true, {d3grid},
                "A thread for each element of the product, a block for each 16 x 16 of them.",
                "每个线程算一个元素，每个线程块算 16×16 个。"),
        product("matmul_naive", 0, 16, false, {d3},
                "Each element of A and B is read again for every element of C that needs it.",
                "A 和 B 的每个元素，每次用到都重新读取。"),
        product("matmul_tiled", 16, 16, false, {d3}, "A block fetches a tile once and its 256 threads share it.",
                "线程块取一次分块，256 个线程共用。"),
        product("matmul_optimized", 32, 32, false, {d3}, "Tiles of 32 with padded rows, fetched four floats at a time.",
                "32×32 的分块，行末填充，一次取四个浮点数。"),
    };
}

} // namespace warpglass::kernels
