// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ttgir/ttgir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace warpglass::ttgir;

namespace {

Ttgir moduleIn(const char* name) {
    std::ifstream in(std::string(WARPGLASS_SOURCE_DIR) + "/tests/ttgir/data/" + name);
    const auto read = readTtgir(std::string(std::istreambuf_iterator<char>(in), {}));
    EXPECT_TRUE(read);
    return read ? *read : Ttgir();
}

const TensorOperation& operationNamed(const Ttgir& module, const std::string& name) {
    const auto at = std::find_if(module.operations.begin(), module.operations.end(),
                                 [&](const TensorOperation& o) { return o.name == name; });
    EXPECT_NE(at, module.operations.end()) << name;
    return at == module.operations.end() ? module.operations.front() : *at;
}

} // namespace

// As the file has it, line by line.
TEST(TtgirText, operationsHaveTheirTensorsAndLines) {
    const Ttgir module = moduleIn("rowsum.ttgir");
    EXPECT_EQ(module.kernel, "rowsum");
    EXPECT_EQ(module.warps, 4u);
    EXPECT_EQ(module.blocks, 1u);
    EXPECT_EQ(module.threadsPerWarp, 32u);
    EXPECT_EQ(module.aliases.size(), 4u);
    ASSERT_EQ(module.operations.size(), 7u); // the constant and the scalars in the reduction have no tensors
    const TensorOperation& load = operationNamed(module, "tt.load");
    EXPECT_EQ(load.places, (std::vector<SourceLine>{{"/home/someone/rows.py", 13}}));
    ASSERT_EQ(load.tensors.size(), 1u);
    EXPECT_EQ(load.tensors[0].shape, (Place{32, 64}));
    EXPECT_EQ(load.tensors[0].type, "*f32");
    EXPECT_EQ(load.tensors[0].bits, 32u);
    EXPECT_EQ(load.tensors[0].encoding, "#blocked");
    const TensorOperation& range = operationNamed(module, "tt.make_range");
    EXPECT_EQ(range.tensors[0].encoding, "#ttg.slice<{dim = 1, parent = #blocked}>");
    const TensorOperation& keep = operationNamed(module, "ttg.local_alloc");
    ASSERT_EQ(keep.tensors.size(), 2u);
    EXPECT_TRUE(keep.tensors[1].shared);
    EXPECT_EQ(keep.tensors[1].encoding, "#shared");
    EXPECT_EQ(keep.tensors[1].bits, 16u);
}

// What tl.sum is made of stands in Triton's own file, and is called from line 14. Of "tt.reduce" the types stand behind its body.
TEST(TtgirText, aFunctionsLineHasThoseThatCalledIt) {
    const Ttgir module = moduleIn("rowsum.ttgir");
    const TensorOperation& reduced = operationNamed(module, "tt.reduce");
    ASSERT_EQ(reduced.places.size(), 2u);
    EXPECT_EQ(reduced.places[0], (SourceLine{"/usr/lib/triton/language/standard.py", 290}));
    EXPECT_EQ(reduced.places[1], (SourceLine{"/home/someone/rows.py", 14}));
    ASSERT_EQ(reduced.tensors.size(), 2u);
    EXPECT_EQ(reduced.tensors[1].shape, Place{32});
}

// A product that Triton 3.6.0 compiled for sm_80: kernels.py:47 multiplies a 64 x 32 by a 32 x 64 tile out of two stages in
// shared memory.
TEST(TtgirText, aProductsTilesAreAllKnown) {
    const Ttgir module = moduleIn("matmul.ttgir");
    EXPECT_EQ(module.kernel, "matmul");
    const TensorOperation& dot = operationNamed(module, "tt.dot");
    ASSERT_EQ(dot.places.size(), 1u);
    EXPECT_EQ(dot.places[0], (SourceLine{"/home/someone/kernels.py", 47}));
    ASSERT_EQ(dot.tensors.size(), 3u);
    EXPECT_EQ(dot.tensors[0].encoding, "#ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>");
    EXPECT_EQ(dot.tensors[2].shape, (Place{64, 64}));
    const TensorOperation& copy = operationNamed(module, "ttg.async_copy_global_to_local");
    ASSERT_EQ(copy.tensors.size(), 2u);
    EXPECT_TRUE(copy.tensors[1].shared);
    EXPECT_EQ(copy.tensors[1].shape, (Place{64, 32}));
    for (const TensorOperation& o : module.operations)
        for (const Tensor& t : o.tensors) {
            if (t.shared)
                EXPECT_TRUE(sharedLayout(t.encoding, t.shape, t.bits, module.aliases)) << o.textLine;
            else
                EXPECT_TRUE(tileLayout(t.encoding, t.shape, module.aliases)) << o.textLine;
        }
}

TEST(TtgirText, whatIsNoneIsSaid) {
    EXPECT_FALSE(readTtgir(""));
    EXPECT_FALSE(readTtgir("module {\n  tt.func public @f() {\n    tt.return\n  }\n}\n"));
}

TEST(TtgirText, whatATensorCopyBringsLiesInSharedMemory) {
    const auto read =
        readTtgir("#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>\n"
                  "module attributes {\"ttg.num-warps\" = 4 : i32} {\n"
                  "  ttng.async_tma_copy_global_to_local %d[%i, %j] %m, %b, %t : !tt.tensordesc<tensor<128x64xf16, "
                  "#shared>>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>\n");
    ASSERT_TRUE(read);
    ASSERT_EQ(read->operations.size(), 1u);
    ASSERT_EQ(read->operations[0].tensors.size(), 1u); // both are alike
    EXPECT_TRUE(read->operations[0].tensors[0].shared);
}

// Brackets that never end, locations in a circle, and lists of anything end all the same.
TEST(TtgirText, strangeTextIsPassedOver) {
    const auto read = readTtgir("#blocked = #ttg.blocked<{sizePerThread = [1\n"
                                "#loc1 = loc(callsite(#loc2 at #loc1))\n#loc2 = loc(\"x\"(#loc1))\n"
                                "module attributes {\"ttg.num-warps\" = 4 : i32} {\n"
                                "  %a = tt.load %b : tensor<32x, #blocked> loc(#loc1)\n"
                                "  %a = tt.load %b : tensor<32xf32, #blocked loc(#loc1)\n"
                                "  %a = tt.load %b : tensor<32xf32, #blocked> loc(#loc1)\n");
    ASSERT_TRUE(read);
    ASSERT_FALSE(read->operations.empty());
    EXPECT_TRUE(read->operations.back().places.empty());
    EXPECT_FALSE(tileLayout("#blocked", {32}, read->aliases));
}
