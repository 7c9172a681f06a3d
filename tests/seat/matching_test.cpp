// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/seat/matching.h"

#include <gtest/gtest.h>

namespace warpglass::seat {
namespace {

constexpr auto kernel = Expected::Kind::Kernel, copy = Expected::Kind::Copy;

// Two kernels (11, 22) and a copy of 11 bytes on stream 5, one of them without a record of its own (row 2).
TEST(Matching, TakesTheOldestOfAStreamThatCanBeMeant) {
    Matching m;
    m.expect(5, {kernel, 11}, 1);
    m.expect(5, {kernel, 22}, 2);
    m.expect(5, {copy, 11}, 3);
    m.expect(5, {kernel, 11}, 4);
    EXPECT_EQ(m.take(6, {kernel, 11}), std::nullopt); // another stream
    EXPECT_EQ(m.take(5, {kernel, 11}), 1u);
    EXPECT_EQ(m.take(5, {kernel, 11}), 4u); // over row 2, whose record would have come before
    EXPECT_EQ(m.take(5, {kernel, 22}), std::nullopt);
    EXPECT_EQ(m.take(5, {copy, 11}), 3u);
}

// A graph of kernels a, b, a (11, 22, 11), the seat's nodes 1 to 3, launched twice: rows 10 to 12 and 13 to 15. CUPTI numbers
// them 900, 901, 902. In the second launch the last begins first.
TEST(Matching, LearnsWhichNumberCuptiGaveANode) {
    Matching m;
    for (const std::uint64_t first : {10u, 13u}) {
        m.expect(5, {kernel, 11, 1}, first);
        m.expect(5, {kernel, 22, 2}, first + 1);
        m.expect(5, {kernel, 11, 3}, first + 2);
    }
    EXPECT_EQ(m.take(5, {kernel, 11}), std::nullopt); // not of a graph
    EXPECT_EQ(m.take(5, {kernel, 11, 900}), 10u);
    EXPECT_EQ(m.take(5, {kernel, 22, 901}), 11u);
    EXPECT_EQ(m.take(5, {kernel, 11, 902}), 12u);
    EXPECT_EQ(m.take(5, {kernel, 11, 902}), 15u);
    EXPECT_EQ(m.take(5, {kernel, 11, 900}), 13u);
    EXPECT_EQ(m.take(5, {kernel, 22, 901}), 14u);
    EXPECT_EQ(m.take(5, {kernel, 22, 903}), std::nullopt); // nothing is left that it could be
    // The same graph made executable again has numbers of its own.
    m.expect(5, {kernel, 11, 4}, 16);
    EXPECT_EQ(m.take(5, {kernel, 11, 950}), 16u);
}

} // namespace
} // namespace warpglass::seat
