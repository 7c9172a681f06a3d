// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/line_marks.h"
#include "gpu/kernels/catalogue.h"
#include "gpu/ptx/parse.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace {

// Read again, each instruction of the marked text says the line it had in the text before, and none is lost.
TEST(LineMarks, LeadEachInstructionToItsOwnLine) {
    for (const CatalogueEntry& entry : catalogue())
        for (const CompileMode mode : {CompileMode::Optimised, CompileMode::AsWritten}) {
            SCOPED_TRACE(entry.name + " " + name(mode));
            LaunchRequest request = entry.look;
            request.mode = mode;
            const auto plan = makePlan(entry, request);
            ASSERT_TRUE(plan) << plan.error().text();
            const auto before = ptx::parse(plan->ptx, "before.ptx");
            ASSERT_TRUE(before) << before.error().text();
            const auto after = ptx::parse(cuda::markedByPtxLine(plan->ptx, *before), "after.ptx");
            ASSERT_TRUE(after) << after.error().text();
            ASSERT_EQ(after->functions.size(), before->functions.size());
            for (std::size_t f = 0; f < before->functions.size(); ++f) {
                const auto &was = before->functions[f].body, &is = after->functions[f].body;
                ASSERT_EQ(is.size(), was.size());
                for (std::size_t i = 0; i < was.size(); ++i) {
                    EXPECT_EQ(is[i].text, was[i].text);
                    ASSERT_NE(is[i].place, ptx::noPlace);
                    EXPECT_EQ(after->places[is[i].place].line, was[i].line);
                }
            }
        }
}

} // namespace
} // namespace warpglass
