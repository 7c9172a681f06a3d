// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/families.h"
#include "gpu/kernels/reduction.h"

namespace warpglass::kernels {

namespace {

// The seven versions: 2^22 numbers, 128 threads a block.
CatalogueEntry version(Reduction reduction, std::string section, std::string storyEn, std::string storyZh) {
    reduction.sizeArgument = reduction.gridStride;
    reduction.wholeTilesOnly = !reduction.gridStride;
    reduction.dynamicShared = 4;
    reduction.twiceSharedTo = reduction.mostBlock == 512 ? 32 : 0; // the templates' last steps read past short blocks
    reduction.documentBlock = 128;
    reduction.documentSize = std::int64_t(1) << 22;
    reduction.leastBlock = std::max(reduction.leastBlock, 1u);
    reduction.lookSize = std::int64_t(reduction.lookBlock) * reduction.perThread * 2;
    return reductionEntry("reduction-shared", "reduce_shared.cu", std::move(reduction), {{"D1", std::move(section)}},
                          std::move(storyEn), std::move(storyZh));
}

CatalogueEntry shuffled(Reduction reduction, std::vector<Reference> references, std::string storyEn,
                        std::string storyZh) {
    reduction.isFloat = true;
    reduction.documentBlock = 256;
    return reductionEntry("reduction-shared", "reduce_shuffle.cu", std::move(reduction), std::move(references),
                          std::move(storyEn), std::move(storyZh));
}

} // namespace

std::vector<CatalogueEntry> reduceSharedKernels() {
    const Reference d3{"D3", "6 案例 3：Reduction 优化"}, d3block{"D3", "2 Block：可调度的最小单位"};
    return {
        version({.name = "reduce0", .leastBlock = 1}, "版本1：交错地址读取",
                "Scattered threads and a remainder: every warp is divided at every step.",
                "分散的线程加上取余：每一步每个线程束都分化。"),
        version({.name = "reduce1", .leastBlock = 1}, "版本2：交错地址读取",
                "The first threads work, but their stride makes them queue at the same banks.",
                "前面的线程工作，但步长让它们挤在同样的存储体上。"),
        version({.name = "reduce2", .leastBlock = 1}, "版本3：连续地址读取",
                "Neighbours take neighbouring words: no bank is asked twice.",
                "相邻线程访问相邻的字：没有存储体冲突。"),
        version({.name = "reduce3", .perThread = 2, .leastBlock = 1}, "版本4：每个线程加载两个数据执行一次加法",
                "The first addition happens while loading: no thread is idle from the start.",
                "加载时先加一次：不再有一开始就空闲的线程。"),
        version({.name = "reduce4", .perThread = 2, .leastBlock = 64}, "版本5：展开最后一个线程束",
                "The last warp needs no barrier and no condition: see the steps at the end run without a stop.",
                "最后一个线程束不需要屏障和判断：看看最后几步不再停顿。"),
        version(
            {.name = "reduce5", .entry = "_Z7reduce5ILj{}EEvPiS0_", .perThread = 2, .leastBlock = 1, .mostBlock = 512},
            "版本6：完全展开循环", "All steps written out for one block length by a template.",
            "用模板按线程块长度写出所有步骤。"),
        version({.name = "reduce6",
                 .entry = "_Z7reduce6ILj{}EEvPiS0_j",
                 .perThread = 2,
                 .leastBlock = 1,
                 .mostBlock = 512,
                 .gridStride = true,
                 .documentGrid = 1056},
                "版本7：每个线程载入多个数据并先行求和",
                "A fixed grid walks over the data: each thread adds many numbers before the fold.",
                "固定的网格走遍数据：每个线程先加许多数，再归约。"),
        shuffled({.name = "reduceSum", .leastBlock = 1, .mostBlock = 256}, {d3block},
                 "A block shares its partial sums and stops at a barrier after each step.",
                 "线程块共享部分和，每一步之后停在屏障处。"),
        shuffled({.name = "reduce_v1", .leastBlock = 1, .mostBlock = 256}, {d3},
                 "Float in shared memory with scattered threads.", "共享内存中的浮点归约，线程分散。"),
        shuffled({.name = "reduce_v2", .leastBlock = 1, .mostBlock = 256}, {d3},
                 "The same with the working threads together.", "同样的归约，工作线程集中。"),
        shuffled({.name = "reduce_v3", .leastBlock = 32, .anyBlock = true}, {d3},
                 "Shuffles fold each warp in registers: one barrier is left.",
                 "洗牌指令在寄存器中归约每个线程束：只剩一道屏障。"),
    };
}

} // namespace warpglass::kernels
