// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/kernel_text.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace {

TEST(KernelText, NamesLoseTheirMangling) {
    EXPECT_EQ(plainName("_Z16nestedHelloWorldiii"), "nestedHelloWorld");
    EXPECT_EQ(plainName("_Z9mapKernelIfEvPT_"), "mapKernel<float>"); // void mapKernel<float>(float*)
    EXPECT_EQ(plainName("plain"), "plain");
    EXPECT_EQ(plainName(""), "");
    EXPECT_EQ(plainName("f"), "f"); // the letter that stands for float in a mangled name
    EXPECT_EQ(plainName("_ZN12_GLOBAL__N_13fooEPf"), "(anonymous namespace)::foo");
    EXPECT_EQ(plainName("_ZN2at6native12_GLOBAL__N_17kernelsIfLi3EEEvPT_"),
              "at::native::(anonymous namespace)::kernels<float, 3>");
    EXPECT_EQ(plainName("_Z4stepIL4Mode1EEvPi"), "step<(Mode)1>");
    EXPECT_EQ(plainName("_Z5applyPFiiE"), "apply"); // apply(int (*)(int))
}

// File 1 is the kernel's own, file 2 a header. Places: 0 in line 4 of its own; 1 in line 70 of the header, inlined at 2,
// which is line 5 of its own; 3 in line 8 of the header, inlined nowhere.
ptx::Module module() {
    ptx::Module m;
    m.files = {{.number = 2, .path = "/usr/include/helper.h"}, {.number = 1, .path = "/home/me/kernel.cu"}};
    const auto place = [&](std::uint32_t file, int line, std::uint32_t inlinedAt) {
        ptx::Place p;
        p.file = decltype(p.file)(file);
        p.line = line;
        p.column = 3;
        p.inlinedAt = inlinedAt;
        m.places.push_back(p);
    };
    const std::uint32_t nowhere = 0xffffffffu;
    place(1, 4, nowhere);
    place(1, 5, nowhere);
    place(2, 70, 1);
    place(2, 8, nowhere);
    return m;
}

TEST(KernelText, LinesAreLinkedWithTheKernelsOwnFile) {
    const ptx::Module m = module();
    LaunchPlan plan{.kernelName = "mine", .ptx = "text", .entry = "_Z4mineii", .sourceName = "kernel.cu"};
    Kernel kernel = kernelText(m, plan.entry, plan, true);
    EXPECT_EQ(kernel.name, "mine");
    EXPECT_EQ(kernelText(m, "_Z5childi", plan, false).name, "child");
    EXPECT_EQ(kernel.files, (std::vector<std::string>{"/usr/include/helper.h", "/home/me/kernel.cu"}));

    std::vector<ptx::Instruction> body(4);
    const std::uint32_t places[] = {3, 2, 0, 0xffffffffu}; // of PTX lines 13, 12, 11, 10
    std::vector<const ptx::Instruction*> instructions;
    for (std::size_t i = 0; i < body.size(); ++i) {
        body[i].line = 13 - int(i);
        body[i].place = places[i];
        instructions.push_back(&body[i]);
    }
    const auto links = lineLinks(m, kernel, instructions);
    ASSERT_EQ(links.size(), 4u);
    EXPECT_EQ(links[0].ptxLine, 10u);
    EXPECT_EQ(links[0].source.line, 0u); // no place is known
    EXPECT_EQ(links[0].callLine, 0u);
    EXPECT_EQ(links[1].source, (SourcePlace{1, 4, 3}));
    EXPECT_EQ(links[1].callLine, 4u);
    EXPECT_EQ(links[2].source, (SourcePlace{0, 70, 3}));
    EXPECT_EQ(links[2].callLine, 5u); // where its own file calls it
    EXPECT_EQ(links[3].source, (SourcePlace{0, 8, 3}));
    EXPECT_EQ(links[3].callLine, 0u); // a header's line is not the kernel's
}

} // namespace
} // namespace warpglass
