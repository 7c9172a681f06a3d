// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code that is shipped is that of the PTX that is shipped: it has each kernel of the catalogue, with the registers
// that `ptxas -v` told (resources/ptx/registers.json), and names lines of the text at which an instruction or a body stands.
#include "gpu/kernels/catalogue.h"
#include "gpu/kernels/machine_code.h"
#include "gpu/kernels/texts.h"
#include "gpu/machine/cubin.h"
#include "gpu/machine/fate.h"
#include "gpu/ptx/parse.h"
#include "gpu/ptx/write.h"
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

// `if (value > threshold)` of divergentMixed (setp.gt and the branch behind it) is `@!P0 BRA` behind its ISETP, which ptxas
// gives to the line of the other side, as the listing of `sass divergentMixed.wgt` shows: so it is still a branch, not gone.
TEST(ShippedCode, ABranchIsFoundByItsPredicate) {
    const CatalogueEntry* entry = findKernel("divergentMixed");
    ASSERT_NE(entry, nullptr);
    const std::string text(kernels::ptxText(entry->source, CompileMode::Optimised));
    const auto bytes = decompress(std::as_bytes(kernels::packedMachineCode(text)), 1, 1 << 20);
    ASSERT_TRUE(bytes);
    const auto cubin = machine::readCubin(std::as_bytes(std::span(*bytes)));
    const auto module = ptx::parse(text);
    ASSERT_TRUE(cubin && module);
    const std::string name = makePlan(*entry, {})->entry;
    const ptx::Function* function = module->findFunction(name);
    const auto code = std::ranges::find(cubin->functions, name, &machine::Function::name);
    ASSERT_TRUE(function && code != cubin->functions.end());
    const auto compare = std::ranges::find_if(function->body, [](const ptx::Instruction& i) {
        return i.opcode == ptx::Opcode::Setp && ptx::write(i).find("setp.gt.s32") != std::string::npos;
    });
    ASSERT_TRUE(compare != function->body.end());
    const machine::Fates fates = machine::fatesOf(*code, cubin->arch, *module);
    const auto decision =
        std::ranges::find(fates.decisions, std::uint32_t((compare + 1)->line), &machine::Decision::line);
    ASSERT_TRUE(decision != fates.decisions.end());
    EXPECT_EQ(decision->fate, machine::BranchFate::Left);
    ASSERT_EQ(decision->code.size(), 1u);
    EXPECT_EQ(code->code[decision->code[0]].flow, machine::Flow::Branch);
    EXPECT_TRUE(decision->meets);
}

} // namespace warpglass::testing
