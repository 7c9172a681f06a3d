// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/families.h"
#include "gpu/kernels/reduction.h"

namespace warpglass::kernels {

namespace {

CatalogueEntry plain(Reduction reduction, std::vector<Reference> references, std::string storyEn, std::string storyZh) {
    return reductionEntry("reduction-global", "reduce_global.cu", std::move(reduction), std::move(references),
                          std::move(storyEn), std::move(storyZh));
}

// Several tiles a block; the guard asks for whole groups of them. A last warp that is written out needs a block of 64.
CatalogueEntry unrolled(Reduction reduction, std::vector<Reference> references, std::string storyEn,
                        std::string storyZh) {
    reduction.wholeTilesOnly = true;
    reduction.lookSize = std::int64_t(reduction.lookBlock) * reduction.perThread * 2;
    const char* source = reduction.leastBlock == 64 ? "reduce_unrolled_warps.cu" : "reduce_unrolled.cu";
    return reductionEntry("reduction-global", source, std::move(reduction), std::move(references), std::move(storyEn),
                          std::move(storyZh));
}

} // namespace

std::vector<CatalogueEntry> reduceGlobalKernels() {
    const Reference d0a{"D0", "4.2 并行规约中的分化 Divergence in Parallel Reduction"},
        d0b{"D0", "4.3 改善并行规约的分化 Improving Divergence in Parallel Reduction"},
        d0c{"D0", "4.4 交错配对的规约 Reducing with Interleaved Pairs"},
        d0u{"D0", "5.1 展开的归约 Reducing with Unrolling"},
        d0w{"D0", "5.2 展开线程的归约 Reducing with Unrolled Warps"},
        d0c8{"D0", "5.3 完全展开的归约 Reducing with Complete Unrolling"},
        d0t{"D0", "5.4 模板函数的归约 Reducing with Template Functions"};
    const Reference d2a{"D2", "并行规约中的分化及改善"}, d2b{"D2", "交错配对的规约"}, d2u{"D2", "展开的规约"},
        d2w{"D2", "展开线程束的规约"}, d2c8{"D2", "完全展开的规约"}, d2t{"D2", "模板函数的规约"}, d2e2{"D2", "习题 2"},
        d2e3{"D2", "习题 3"}, d2e4{"D2", "习题 4"}, d2e6{"D2", "习题 6"};
    const Reference d4a{"D4", "并行归约中的分化"}, d4b{"D4", "改善并行归约的分化"}, d4c{"D4", "交错配对的归约"},
        d4u{"D4", "展开的归约"}, d4w{"D4", "展开线程的归约"}, d4c8{"D4", "完全展开的归约"}, d4t{"D4", "模板函数的归约"};
    return {
        plain({.name = "reduceNeighbored"}, {d2a, d4a, d0a},
              "Every other thread works, then every fourth: all warps stay awake for ever fewer lanes.",
              "先是每隔一个线程工作，然后每四个一个：所有线程束都醒着，干活的线程却越来越少。"),
        plain({.name = "reduceNeighboredTidGuard"}, {d0a},
              "The guard compares the thread's number with n: it never turns away a thread behind the data.",
              "边界检查比较的是块内线程号与 n：它拦不住超出数据范围的线程。"),
        plain({.name = "reduceNeighboredLess"}, {d0b, d2a, d4b},
              "The same pairs handed to the first threads: whole warps finish early instead of running half empty.",
              "同样的配对交给前面的线程：整个线程束提早结束，而不是半空着运行。"),
        plain({.name = "reduceInterleaved"}, {d0c, d2b, d4c},
              "The first half adds the second half: neighbours in the warp read neighbours in memory.",
              "前一半加上后一半：线程束里相邻的线程读取内存中相邻的数据。"),
        unrolled({.name = "reduceUnrolling2", .perThread = 2}, {d2u, d4u},
                 "Each block takes two tiles: half as many blocks, and one addition before the first barrier.",
                 "每个线程块处理两块数据：线程块数减半，第一道屏障之前先做一次加法。"),
        unrolled({.name = "reduceUnrolling4", .perThread = 4}, {d4u},
                 "Four loads that do not wait for each other hide latency.", "四次互不等待的加载，隐藏延迟。"),
        unrolled({.name = "reduceUnrolling8", .perThread = 8}, {d4u, d2u},
                 "Eight independent loads a thread: the memory is kept busy.", "每个线程八次独立加载：内存一直忙碌。"),
        unrolled({.name = "reduceUnrolling16", .perThread = 16}, {d2e2},
                 "Sixteen tiles: see how little is left to gain over eight.", "十六块数据：与八块相比还能提高多少？"),
        unrolled({.name = "reduceUnrolling8Pointer", .perThread = 8}, {d2e3},
                 "The eight loads by a pointer in a loop: the same accesses, fewer registers.",
                 "用循环和指针完成八次加载：访存相同，寄存器更少。"),
        unrolled({.name = "reduceUnrollWarps8", .perThread = 8, .leastBlock = 64}, {d2w, d4w},
                 "The last warp goes on without barriers: it counts on its lanes running in step.",
                 "最后一个线程束不再经过屏障：它指望各通道步调一致。"),
        unrolled({.name = "reduceCompleteUnrollWarps8", .perThread = 8, .leastBlock = 64}, {d2c8, d4c8},
                 "No loop is left: each possible step is written out with its own condition.",
                 "不再有循环：每一步都展开写出，各带自己的条件。"),
        unrolled({.name = "reduceCompleteUnrollWarps8Sync", .perThread = 8, .leastBlock = 64}, {d2e4},
                 "Barriers in place of volatile: six more stops for every warp of the block.",
                 "用屏障代替 volatile：每个线程束多停六次。"),
        unrolled({.name = "reduceCompleteUnroll",
                  .entry = "_Z20reduceCompleteUnrollILj{}EEvPiS0_j",
                  .perThread = 8,
                  .leastBlock = 64},
                 {d0t, d2t, d4t},
                 "The block's length is a template argument: steps that cannot apply are gone from the code.",
                 "线程块长度是模板参数：用不到的步骤从代码中消失。"),
        plain({.name = "reduceInterleavedFloat", .isFloat = true}, {d2e6},
              "In float: the same accesses, another adder.", "浮点版本：访存相同，只是换了加法器。"),
        unrolled({.name = "reduceCompleteUnrollWarps8Float", .perThread = 8, .isFloat = true, .leastBlock = 64}, {d2e6},
                 "The unrolled sum in float: compare its time with that of the integers.",
                 "完全展开的浮点归约：与整数版本比较耗时。"),
        unrolled({.name = "reduceUnroll2", .perThread = 2, .documentBlock = 1024}, {d0u},
                 "One document's form of two tiles a block, with its guard on the thread's number.",
                 "某文档的写法：每个线程块处理两块数据，边界检查用线程号。"),
        unrolled({.name = "reduceUnroll4", .perThread = 4, .documentBlock = 1024}, {d0u}, "The same with four tiles.",
                 "同上，四块数据。"),
        unrolled({.name = "reduceUnroll8", .perThread = 8, .documentBlock = 1024}, {d0u}, "The same with eight tiles.",
                 "同上，八块数据。"),
        unrolled({.name = "reduceUnrollWarp8", .perThread = 8, .leastBlock = 64, .documentBlock = 1024}, {d0w},
                 "Eight tiles and the last warp unrolled: look for the barriers that are gone.",
                 "八块数据并展开最后的线程束：看看少了哪些屏障。"),
        unrolled({.name = "reduceCompleteUnrollWarp8", .perThread = 8, .leastBlock = 64, .documentBlock = 1024}, {d0c8},
                 "Eight tiles and no loop at all.", "八块数据，完全没有循环。"),
    };
}

} // namespace warpglass::kernels
