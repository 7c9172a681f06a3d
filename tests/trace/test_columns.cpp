// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/columns.h"

#include <gtest/gtest.h>
#include <random>

namespace warpglass {
namespace {

TEST(Columns, ComeBackForEveryWidth) {
    std::mt19937_64 random(1);
    for (const std::size_t rows : {std::size_t(0), std::size_t(1), std::size_t(255), chunkRows}) {
        Columns columns(9, std::vector<std::uint64_t>(rows));
        for (std::size_t width = 0; width < 9; ++width)
            for (auto& n : columns[width])
                n = width == 0 ? 0 : random() >> (64 - 8 * width);
        const auto bytes = packColumns(columns);
        const auto back = unpackColumns(bytes, 9, rows);
        ASSERT_TRUE(back) << back.error().text();
        EXPECT_EQ(*back, columns);
    }
}

TEST(Columns, AreRefusedInAnotherShape) {
    const auto bytes = packColumns({{1, 2, 3}, {400, 500, 600}});
    EXPECT_FALSE(unpackColumns(bytes, 2, 4));
    EXPECT_FALSE(unpackColumns(bytes, 2, 2));
    EXPECT_FALSE(unpackColumns(bytes, 40, 3));
    EXPECT_FALSE(unpackColumns({}, 2, 3));
    EXPECT_FALSE(unpackColumns(std::span(bytes).first(bytes.size() - 1), 2, 3));
}

TEST(Columns, EveryFlippedByteIsNoticed) {
    std::mt19937_64 random(2);
    Columns columns(2, std::vector<std::uint64_t>(300));
    for (auto& column : columns)
        for (auto& n : column)
            n = random() % 1000;
    const auto bytes = packColumns(columns);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        auto damaged = bytes;
        damaged[i] ^= std::byte(0x10);
        const auto back = unpackColumns(damaged, 2, 300);
        if (back) {
            EXPECT_EQ(*back, columns) << "byte " << i;
        }
    }
}

TEST(Columns, ResidualsWrapAround) {
    for (const std::uint64_t a : {std::uint64_t(0), std::uint64_t(5), ~std::uint64_t(0), std::uint64_t(1) << 63})
        for (const std::uint64_t b : {std::uint64_t(0), std::uint64_t(7), ~std::uint64_t(0), std::uint64_t(1) << 63})
            EXPECT_EQ(restored(residual(a, b), b), a);
    EXPECT_EQ(residual(3, 4), 1u);
    EXPECT_EQ(residual(4, 3), 2u);
}

} // namespace
} // namespace warpglass
