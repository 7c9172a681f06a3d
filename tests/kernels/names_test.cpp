// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/catalogue.h"
#include "gpu/kernels/texts.h"

#include <gtest/gtest.h>

#include <set>

using namespace warpglass;

namespace {

// Every kernel the documents print or ask for, by family, written down from the documents and not from the catalogue.
const std::map<std::string, std::vector<std::string>> documented = {
    {"divergence",
     {"warmup", "mathKernel1", "mathKernel2", "mathKernel3", "mathKernel3Bool", "divergent_kernel", "divergentMixed",
      "divergentSorted", "halfWarp", "loopDivergence", "branchHint", "sqrtBranch", "sqrtSelect", "sumByLaneZero",
      "sumByShuffle", "rayHitBranches", "rayHitCommonTask"}},
    {"index", {"index1D", "index2D40x2", "index2D16x16", "index3D"}},
    {"vector-matrix",
     {"vectorAdd", "sumMatrix2D", "sumMatrixOnGPU2D", "matmul", "matmul_naive", "matmul_tiled", "matmul_optimized"}},
    {"reduction-global",
     {"reduceNeighbored",
      "reduceNeighboredTidGuard",
      "reduceNeighboredLess",
      "reduceInterleaved",
      "reduceUnrolling2",
      "reduceUnrolling4",
      "reduceUnrolling8",
      "reduceUnrolling16",
      "reduceUnrolling8Pointer",
      "reduceUnrollWarps8",
      "reduceCompleteUnrollWarps8",
      "reduceCompleteUnrollWarps8Sync",
      "reduceCompleteUnroll",
      "reduceInterleavedFloat",
      "reduceCompleteUnrollWarps8Float",
      "reduceUnroll2",
      "reduceUnroll4",
      "reduceUnroll8",
      "reduceUnrollWarp8",
      "reduceCompleteUnrollWarp8"}},
    {"reduction-shared",
     {"reduce0", "reduce1", "reduce2", "reduce3", "reduce4", "reduce5", "reduce6", "reduceSum", "reduce_v1",
      "reduce_v2", "reduce_v3"}},
    {"memory",
     {"transpose_naive", "transpose_smem", "transpose_padded", "strided", "offsetCopy", "offsetCopyL1", "offsetCopyL2",
      "offsetCopyReadOnly", "aos12", "aos16", "soa"}},
    {"atomics", {"atomicGlobal", "atomicTwoLevel"}},
    {"nested",
     {"nestedHelloWorld", "nesthelloworld", "nestedHelloWorldOneChild", "nestedHelloWorldLimited", "gpuRecursiveReduce",
      "gpuRecursiveReduceNosync", "gpuRecursiveReduce2"}},
    {"device", {"simpleDeviceQuery"}},
};
const std::string ours = "pipelines"; // what no document has
const std::vector<std::string> pipelines = {"matmul_two_stages", "matmul_four_stages", "matmul_producer",
                                            "matmul_pingpong"};

} // namespace

TEST(Catalogue, HoldsEveryKernelOfTheDocumentsInItsFamily) {
    std::size_t count = 0;
    for (const auto& [family, names] : documented)
        for (const auto& name : names) {
            ++count;
            const CatalogueEntry* entry = findKernel(name);
            ASSERT_NE(entry, nullptr) << name;
            EXPECT_EQ(entry->family, family) << name;
        }
    for (const std::string& name : pipelines) {
        ASSERT_NE(findKernel(name), nullptr) << name;
        EXPECT_EQ(findKernel(name)->family, ours) << name;
    }
    EXPECT_EQ(catalogue().size(), count + pipelines.size())
        << "an entry that no document asks for, or a name that is there twice";
}

TEST(Catalogue, EveryFamilyIsKnownAndNamedInBothLanguages) {
    std::set<std::string> keys;
    for (const Family& family : families()) {
        keys.insert(family.key);
        EXPECT_TRUE(documented.contains(family.key) || family.key == ours) << family.key;
        EXPECT_FALSE(family.nameEn.empty());
        EXPECT_FALSE(family.nameZh.empty());
    }
    EXPECT_EQ(keys.size(), documented.size() + 1);
}

TEST(Catalogue, EveryEntryTellsAStoryAndWhereItComesFrom) {
    for (const CatalogueEntry& entry : catalogue()) {
        EXPECT_FALSE(entry.storyEn.empty()) << entry.name;
        EXPECT_FALSE(entry.storyZh.empty()) << entry.name;
        EXPECT_EQ(entry.storyEn.find('\n'), std::string::npos) << entry.name;
        EXPECT_EQ(entry.references.empty(), entry.family == ours) << entry.name;
        for (const Reference& reference : entry.references) {
            EXPECT_TRUE(reference.document.size() == 2 && reference.document[0] == 'D') << entry.name;
            EXPECT_FALSE(reference.section.empty()) << entry.name;
        }
        EXPECT_FALSE(kernels::sourceText(entry.source).empty()) << entry.source;
    }
}

TEST(Catalogue, KnowsNoOtherName) {
    EXPECT_EQ(findKernel("reduceneighbored"), nullptr);
    EXPECT_EQ(findKernel(""), nullptr);
}
