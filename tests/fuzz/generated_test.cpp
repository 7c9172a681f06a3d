// SPDX-License-Identifier: GPL-3.0-or-later
// What the generator of kernels is worth: that its kernels assemble, and that no form of the instruction table is out of its
// reach. A row that is added with '*' for its operands needs a shape (shapes.inl).
#include "gpu/emulator/emulator.h"
#include "gpu/ptx/instruction_set.h"

#include "tests/fuzz/generated.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace warpglass::fuzz {
namespace {

std::string bytesOf(std::mt19937& random, std::size_t count) {
    std::string bytes(count, '\0');
    for (char& byte : bytes)
        byte = char(random());
    return bytes;
}

int linesLeftOut(const Generated& it) {
    return int(std::count(it.lines.begin(), it.lines.end(), std::string()));
}

TEST(Generated, EveryFormIsReached) {
    std::mt19937 random(1);
    const auto emulator = makeEmulator();
    const auto rows = ptx::allRows();
    for (std::size_t row = 1; row < rows.size(); ++row) {
        const auto forms = ptx::formsOf(rows[row].opcode);
        for (std::size_t form = 0; form < forms.size(); ++form) {
            if (!forms[form].emulated || rows[row].operands.find('l') != std::string_view::npos ||
                rows[row].opcode == ptx::Opcode::Call) // jumps and calls: pieces.cpp
                continue;
            bool reached = false;
            std::string text;
            for (int n = 0; n < 60 && !reached; ++n) {
                Generated it = generatedOne(bytesOf(random, 400), row, form);
                text = it.plan.ptx;
                reached = it.run(*emulator) && linesLeftOut(it) == 0;
            }
            EXPECT_TRUE(reached) << rows[row].name << " " << rows[row].forms[form] << "\n" << text;
        }
    }
}

TEST(Generated, NearlyEveryInputRuns) {
    std::mt19937 random(2);
    const auto emulator = makeEmulator();
    int ran = 0, whole = 0, numbered = 0;
    constexpr int all = 300;
    for (int n = 0; n < all; ++n) {
        Generated it = generated(bytesOf(random, 300));
        const bool runs = it.run(*emulator);
        EXPECT_TRUE(runs) << it.plan.ptx;
        ran += runs;
        whole += runs && linesLeftOut(it) == 0;
        numbered += !it.numbers.empty();
        if (runs)
            it.again(2);
    }
    EXPECT_GE(ran, all * 98 / 100);
    EXPECT_GE(whole, all / 4);
    EXPECT_GE(numbered, all * 9 / 10);
}

} // namespace
} // namespace warpglass::fuzz
