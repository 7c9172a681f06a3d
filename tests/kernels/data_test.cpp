// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/data.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace warpglass::kernels;

// Random bytes have mean 127.5 and standard deviation 73.9: over 65536 of them the mean is within 1.5 (five sigma), and
// neighbours are not correlated (correlation below 5 / 256).
TEST(Data, RandomBytesAreSpreadAndUnordered) {
    constexpr int n = 65536;
    double sum = 0, products = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
        const double a = byteOf(std::uint64_t(i)) - 127.5, b = byteOf(std::uint64_t(i) + 1) - 127.5;
        EXPECT_TRUE(a >= -127.5 && a <= 127.5);
        sum += a;
        products += a * b;
        squares += a * a;
    }
    EXPECT_LT(std::abs(sum / n), 1.5);
    EXPECT_LT(std::abs(products / squares), 0.02);
}

TEST(Data, KindsAreAsNamed) {
    EXPECT_EQ(dataAt(DataKind::Documents, 10), 7);
    EXPECT_EQ(dataAt(DataKind::Index, 0x1ff), 0xff);
    EXPECT_EQ(dataAt(DataKind::Ones, 5), 1);
}
