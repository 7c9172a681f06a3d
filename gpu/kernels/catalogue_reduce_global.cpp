// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/families.h"
#include "gpu/kernels/reduction.h"

namespace warpglass::kernels {

std::vector<CatalogueEntry> reduceGlobalKernels() {
    const Reference d0a{"D0", "4.2 并行规约中的分化 Divergence in Parallel Reduction"},
        d0b{"D0", "4.3 改善并行规约的分化 Improving Divergence in Parallel Reduction"},
        d0c{"D0", "4.4 交错配对的规约 Reducing with Interleaved Pairs"};
    const Reference d2a{"D2", "并行规约中的分化及改善"}, d2b{"D2", "交错配对的规约"};
    const Reference d4a{"D4", "并行归约中的分化"}, d4b{"D4", "改善并行归约的分化"}, d4c{"D4", "交错配对的归约"};
    auto entry = [](Reduction reduction, std::vector<Reference> references, std::string storyEn, std::string storyZh) {
        return reductionEntry("reduction-global", "reduce_global.cu", std::move(reduction), std::move(references),
                              std::move(storyEn), std::move(storyZh));
    };
    return {
        entry({.name = "reduceNeighbored"}, {d0a, d2a, d4a},
              "Every other thread works, then every fourth: all warps stay awake for ever fewer lanes.",
              "先是每隔一个线程工作，然后每四个一个：所有线程束都醒着，干活的线程却越来越少。"),
        entry({.name = "reduceNeighboredLess"}, {d0b, d2a, d4b},
              "The same pairs handed to the first threads: whole warps finish early instead of running half empty.",
              "同样的配对交给前面的线程：整个线程束提早结束，而不是半空着运行。"),
        entry({.name = "reduceInterleaved"}, {d0c, d2b, d4c},
              "The first half adds the second half: neighbours in the warp read neighbours in memory.",
              "前一半加上后一半：线程束里相邻的线程读取内存中相邻的数据。"),
    };
}

} // namespace warpglass::kernels
