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

TEST(TtgirText, whatIsNoneIsSaid) {
    EXPECT_FALSE(readTtgir(""));
    EXPECT_FALSE(readTtgir("module {\n  tt.func public @f() {\n    tt.return\n  }\n}\n"));
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
