// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/device_query.h"
#include "gpu/kernels/host_side.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace warpglass;
using namespace warpglass::kernels;

// 3 1 7 0 4 1 6 3 is 25 (the documents' figure); 1 to n is n (n + 1) / 2 for any n, power of two or not.
TEST(HostSide, RecursiveReduceSumsAnySize) {
    std::vector<int> figure{3, 1, 7, 0, 4, 1, 6, 3};
    EXPECT_EQ(recursiveReduce(std::span<int>(figure)), 25);
    for (const int n : {1, 2, 3, 5, 7, 8, 31, 33, 1000, 1023}) {
        std::vector<int> data(static_cast<std::size_t>(n));
        std::iota(data.begin(), data.end(), 1);
        EXPECT_EQ(recursiveReduce(std::span<int>(data)), n * (n + 1) / 2) << n;
        std::vector<float> floats(static_cast<std::size_t>(n));
        std::iota(floats.begin(), floats.end(), 1.0f);
        EXPECT_EQ(recursiveReduce(std::span<float>(floats)), float(n * (n + 1) / 2)) << n;
    }
}

TEST(HostSide, RowsAndColumnsGiveOneSum) {
    std::vector<int> matrix(9);
    std::iota(matrix.begin(), matrix.end(), 1);
    EXPECT_EQ(sumByRows(matrix, 3), 45);
    EXPECT_EQ(sumByColumns(matrix, 3), 45);
}

// (1 2; 3 4) (5 6; 7 8) = (19 22; 43 50)
TEST(HostSide, BothLoopOrdersMultiply) {
    const std::vector<int> a{1, 2, 3, 4}, b{5, 6, 7, 8}, c{19, 22, 43, 50};
    EXPECT_EQ(multiplyIjk(a, b, 2), c);
    EXPECT_EQ(multiplyIkj(a, b, 2), c);
}

TEST(HostSide, TransposesARectangle) {
    EXPECT_EQ(transposed(std::vector<int>{1, 2, 3, 4, 5, 6}, 2, 3), (std::vector<int>{1, 4, 2, 5, 3, 6}));
}

// The documents' printouts of two cards.
TEST(DeviceQuery, PrintsWhatTheDocumentsPrinted) {
    const struct {
        const char* key;
        std::vector<std::string> values;
    } cards[] = {
        {"rtx3090", {"NVIDIA GeForce RTX 3090", "82", "64.00 KB", "48.00 KB", "65536", "32", "1024", "1536", "48"}},
        {"rtx4070", {"NVIDIA GeForce RTX 4070", "46", "64.00 KB", "48.00 KB", "65536", "32", "1024", "1536", "48"}},
    };
    for (const auto& card : cards) {
        const DeviceSpec* device = findDevice(card.key);
        ASSERT_NE(device, nullptr) << card.key;
        std::vector<std::string> values;
        for (const DeviceFact& fact : deviceFacts(*device))
            values.push_back(fact.value);
        EXPECT_EQ(values, card.values);
    }
}
