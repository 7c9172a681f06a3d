// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code that is shipped is that of the PTX that is shipped: it has each kernel of the catalogue, with the registers
// that `ptxas -v` told (resources/ptx/registers.json), and names lines of the text at which an instruction or a body stands.
#include "gpu/kernels/catalogue.h"
#include "gpu/kernels/machine_code.h"
#include "gpu/kernels/texts.h"
#include "gpu/machine/cubin.h"
#include "gpu/ptx/parse.h"
#include "gpu/trace/columns.h"
#include "tests/kernels/both_modes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace warpglass::testing {

TEST(ShippedCode, IsOfTheShippedText) {
    std::size_t kernels = 0, instructions = 0;
    for (const CatalogueEntry& entry : catalogue())
        for (const CompileMode mode : {CompileMode::Optimised, CompileMode::AsWritten}) {
            const std::string_view text = kernels::ptxText(entry.source, mode);
            const auto packed = kernels::packedMachineCode(text);
            ASSERT_FALSE(packed.empty()) << entry.source << ": resources/machine/ship.py makes it";
            const auto bytes = decompress(std::as_bytes(packed), 1, 1 << 20);
            ASSERT_TRUE(bytes) << entry.source;
            const auto cubin = machine::readCubin(std::as_bytes(std::span(*bytes)));
            ASSERT_TRUE(cubin) << entry.source;
            EXPECT_EQ(cubin->arch, 90u);
            EXPECT_TRUE(cubin->compiler.starts_with("ptxas V")) << cubin->compiler;
            const auto plan = makePlan(entry, LaunchRequest{.mode = mode});
            ASSERT_TRUE(plan) << entry.name;
            const auto f = std::ranges::find(cubin->functions, plan->entry, &machine::Function::name);
            ASSERT_TRUE(f != cubin->functions.end()) << entry.name;
            EXPECT_EQ(f->registers, kernels::entryResources(entry.source, plan->entry, mode).registers) << entry.name;
            const auto module = ptx::parse(std::string(text));
            ASSERT_TRUE(module);
            std::set<int> lines;
            for (const ptx::Function& function : module->functions) {
                lines.insert(function.bodyLine);
                for (const ptx::Instruction& i : function.body)
                    lines.insert(i.line);
            }
            for (std::size_t i = 0; i < f->helpers(); ++i) {
                const machine::LineRow* row = f->ptx.at(i * machine::instructionBytes);
                ASSERT_TRUE(row) << entry.name << " " << i;
                EXPECT_TRUE(lines.contains(int(row->line))) << entry.name << " " << i << ": " << row->line;
                ++instructions;
            }
            ++kernels;
        }
    EXPECT_GT(kernels, 100u);
    EXPECT_GT(instructions, 10'000u);
    EXPECT_TRUE(kernels::packedMachineCode("// no text of ours").empty());
}

} // namespace warpglass::testing
