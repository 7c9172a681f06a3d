// SPDX-License-Identifier: GPL-3.0-or-later
// What lies in shared memory goes by its member where the source tells how the struct is laid out, without debug information
// (data/laid_out.cu, data/steps.cu).
#include "tests/emulator/hang_of.h"
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

Kernel laidOut(const char* name, int wrong) {
    Kernel k(name, {1}, {64}, {buffer(std::vector<float>(64), "out"), value(12), value(wrong)}, "laid_out.ptx");
    k.plan.source = readText("laid_out.cu");
    k.plan.sourceName = "laid_out.cu";
    k.plan.sharedBytes = std::string(name) == "overBytes" ? 1024 : 0;
    return k;
}

// Tile 6 is the second in stage 2, which the writer needs again for tile 10: phase 1 of empty[2] never ends.
TEST(SharedLayout, MembersAreNamedWithoutDebugInformation) {
    for (const auto& [kernel, name] :
         {std::pair("overBytes", "ring.empty[2]"), std::pair("withoutName", "store.empty[2]")}) {
        EXPECT_FALSE(laidOut(kernel, 0).run().fault);
        const Diagnostic d = hangIn(laidOut(kernel, 1).run());
        expectIn(d.waits[0].what, (std::string("phase 1 of the mbarrier ") + name).c_str());
    }
}

// Two arrays of 3 x 32 floats before them: full[0] is byte 768.
TEST(SharedLayout, AVariableOfItsOwn) {
    Kernel k("ring", {1}, {160}, {buffer(std::vector<float>(32)), buffer(std::vector<float>(128)), value(10), value(2)},
             "steps.ptx");
    k.plan.source = readText("steps.cu");
    const Diagnostic d = hangIn(k.run());
    expectIn(d.waits[0].what, "phase 3 of the mbarrier ring.full[0]");
    expectIn(d.waits[0].why, "were told to the mbarrier ring.full[1]");
}

// Eight bytes more than the PTX says: not that struct. The sixth of what is taken for an array is empty[2].
TEST(SharedLayout, AnotherSourceIsNotBelieved) {
    Kernel k = laidOut("withoutName", 1);
    const std::string what = "uint64_t full[stages], empty[stages];\n        __half";
    k.plan.source.replace(k.plan.source.find(what), what.size(),
                          "uint64_t full[stages + 1], empty[stages];\n        __half");
    expectIn(hangIn(k.run()).waits[0].what, "the mbarrier store[6]");
}

} // namespace
} // namespace warpglass::testing
