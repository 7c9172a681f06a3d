// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of a kernel and the host's memory (docs/security.md, "Numbers that become places"): what does not compile, and where
// the checks that make places draw their lines.
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/async/tensor_map.h"
#include "gpu/emulator/code/inst.h"
#include "gpu/emulator/state/local_memory.h"
#include "gpu/emulator/state/memory_map.h"
#include "gpu/emulator/tcgen05/tensor_memory.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace warpglass::emulator {
namespace {

using Number = std::uint64_t;

// Only the checks make these: not a number, not an address of the host, not one memory's of another's.
static_assert(!std::is_constructible_v<Reach, Number> && !std::is_constructible_v<Reach, std::byte*, Number>);
static_assert(!std::is_constructible_v<Addressed, std::byte*, Number, Number>);
static_assert(!std::is_constructible_v<Found, Area*, Number> && !std::is_convertible_v<Number, Found>);
static_assert(!std::is_constructible_v<CheckedMap, UnpackedMap> && !std::is_convertible_v<UnpackedMap, CheckedMap>);
static_assert(!std::is_default_constructible_v<TensorColumns> &&
              !std::is_constructible_v<TensorColumns, std::uint32_t, std::uint32_t>);
static_assert(std::is_trivially_copyable_v<Reach> && sizeof(Reach) == 16); // two registers

// Memory has no address of its own to count from.
template <class T>
concept hasData = requires(T& memory) {
    memory.data();
}
|| requires(T& memory) {
    memory.data;
}
|| requires(T& memory) {
    memory.host;
};
template <class T>
concept countsBytes = requires(T& memory, Number n) {
    memory + n;
}
|| requires(T& memory, Number n) {
    memory[n];
};
static_assert(!hasData<AddressedBytes> && !hasData<Addressed> && !hasData<Area> && !hasData<LocalMemory>);
static_assert(!countsBytes<AddressedBytes> && !countsBytes<Addressed> && !countsBytes<LocalMemory>);

// What moves bytes by the lanes' numbers takes where they were found.
template <class T>
concept movesBy = requires(Exec& x, const Inst& in, T memory) {
    moveElements<true>(x, in, 1u, memory);
};
static_assert(movesBy<Reach> && !movesBy<std::byte*> && !movesBy<Number> && !movesBy<Addressed>);
template <class T>
concept cutsBoxes = requires(const T& map, const BoxPlace& place) {
    boxParts(map, place, 0);
};
static_assert(cutsBoxes<CheckedMap> && !cutsBoxes<UnpackedMap>);
template <class T>
concept isColumns = requires(TensorMemory& memory, T columns) {
    memory.row(0, columns);
};
static_assert(isColumns<TensorColumns> && !isColumns<std::uint32_t>);

// A row is where the frame's layout has put it: no number becomes one, none is made of one, and none is reckoned with.
static_assert(!std::is_constructible_v<Row, std::uint32_t> && !std::is_constructible_v<Row, int> &&
              !std::is_constructible_v<Row, Number> && !std::is_constructible_v<Row, Guard>);
static_assert(!std::is_constructible_v<std::uint32_t, Row> && !std::is_constructible_v<Number, Row> &&
              !std::is_constructible_v<bool, Row> && !std::is_assignable_v<Row&, std::uint32_t>);
static_assert(!std::is_constructible_v<Guard, std::uint32_t, bool> && !std::is_constructible_v<Guard, Row>);
template <class T, class N>
concept addsTo = requires(T row, N n) {
    row + n;
}
|| requires(T row, N n) {
    n - row;
};
static_assert(!addsTo<Row, std::uint32_t> && !addsTo<Row, Row> && addsTo<std::byte*, Number>);
static_assert(std::is_same_v<decltype(std::declval<std::byte*>() + Row()), std::byte*>);
static_assert(std::is_same_v<decltype(Inst::a), Row> && std::is_same_v<decltype(Inst::guard), Guard>);
static_assert(sizeof(Row) == 4 && sizeof(Guard) == 4 && sizeof(Inst) == 64);
static_assert(std::is_trivially_copyable_v<Row> && std::is_trivially_copyable_v<Guard>);
template <class T>
concept isRowOfFrame = requires(Exec& x, T row) {
    rowAt<std::uint32_t>(x, row);
};
static_assert(isRowOfFrame<Row> && !isRowOfFrame<std::uint32_t> && !isRowOfFrame<Number>);

constexpr Number most = ~Number(0);

// Three predicates take 12 bytes, which makes 128; then come 128, 256 and, for three words of each lane, 384 bytes.
TEST(Places, OfRegistersAreTheFramesOwn) {
    std::vector<std::byte> bytes(1024);
    const std::byte* const frame = bytes.data();
    FrameLayout layout;
    layout.predicate();
    layout.predicate();
    const Row third = layout.predicate();
    layout.endPredicates();
    const Row word = layout.row(1), wide = layout.row(8), words = layout.rows(3);
    EXPECT_EQ(frame + third, frame + 8);
    EXPECT_EQ(frame + word, frame + 128);
    EXPECT_EQ(frame + wide, frame + 256);
    EXPECT_EQ(frame + words, frame + 512);
    EXPECT_EQ(layout.bytes(), 896u);
    EXPECT_EQ(wide.bytesBefore(896), 640u);
    EXPECT_EQ(wide.bytesBefore(256), 0u);
    EXPECT_EQ(noRow.bytesBefore(896), 0u);
    EXPECT_NE(noRow, Row());
    const Guard guard(third, true);
    EXPECT_TRUE(guard && guard.negated() && guard.row() == third);
    EXPECT_TRUE(Guard(Row(), false));
    EXPECT_FALSE(Guard() || Guard(wide, false).negated());
}

// More than a frame may have: what it reaches is counted in full, so that the function is refused, and no row lies beyond.
TEST(Places, OfRegistersBeyondTheFrameAreTheFirst) {
    FrameLayout layout;
    EXPECT_NE(layout.rows(mostFrameBytes / 128 - 1), noRow);
    const Row last = layout.row(4);
    EXPECT_EQ(last.bytesBefore(std::uint32_t(mostFrameBytes)), 128u);
    for (const Number words : {Number(1), Number(1) << 25, Number(1) << 32, most / 4 + 1, most})
        EXPECT_EQ(layout.rows(words), Row()) << words;
    EXPECT_EQ(layout.row(16), Row());
    EXPECT_GT(layout.bytes(), mostFrameBytes);
}

TEST(Places, LieWithinTheirMemoryAsAWhole) {
    AddressedBytes memory;
    memory.resize(100);
    std::byte* const first = memory.find(0, 100);
    ASSERT_TRUE(first);
    EXPECT_EQ(memory.find(99, 1), first + 99);
    EXPECT_EQ(memory.find(100, 0), first + 100);
    for (const auto& [number, length] : {std::pair<Number, Number>{100, 1},
                                         {97, 4},
                                         {101, 0},
                                         {0, 101},
                                         {most, 1},
                                         {most, 2},
                                         {most - 3, 8},
                                         {50, most},
                                         {50, most - 49},
                                         {Number(1) << 32, 1}})
        EXPECT_EQ(memory.find(number, length), nullptr) << number << ", " << length;
    // The same from 1000 on: what is below it goes around, and is nowhere.
    const Addressed moved = memory.numbered(1000);
    EXPECT_EQ(moved.find(1000, 100), first);
    EXPECT_EQ(moved.find(999, 1), nullptr);
    EXPECT_EQ(moved.find(0, 1), nullptr);
    EXPECT_EQ(moved.find(1096, 5), nullptr);
    EXPECT_EQ(moved.among(1096, 4).at(1096), first + 96);
    EXPECT_EQ(moved.among(1000, 8).behind(4).at(1000), first + 4);
    EXPECT_FALSE(moved.among(1097, 4));
    EXPECT_EQ(Addressed().find(0, 1), nullptr);
}

TEST(Places, OfLanesAreFoundOneByOne) {
    AddressedBytes memory;
    memory.resize(256);
    std::array<std::uint32_t, 32> bits;
    for (std::size_t lane = 0; lane < 32; ++lane)
        bits[lane] = lane % 2 == 0 ? ~0u : 0u;
    constexpr std::uint32_t even = 0x55555555u;
    LaneNumbers numbers;
    for (std::size_t lane = 0; lane < 32; ++lane)
        numbers[lane] = 8 * lane;
    EXPECT_TRUE(memory.numbered().lanes(numbers, ~0u, bits, 8));
    EXPECT_FALSE(memory.numbered().lanes(numbers, ~0u, bits, 16)) << "the last one ends at 264";
    // One lane after the other is led astray: that is seen where it takes part, and only there.
    for (const Number wrong : {Number(249), Number(256), Number(1) << 32, Number(1) << 63, most, most - 7, Number(3)})
        for (std::size_t lane = 0; lane < 32; ++lane) {
            const Number right = std::exchange(numbers[lane], wrong);
            EXPECT_FALSE(memory.numbered().lanes(numbers, ~0u, bits, 8)) << wrong << ", lane " << lane;
            EXPECT_EQ(bool(memory.numbered().lanes(numbers, even, bits, 8)), lane % 2 != 0)
                << wrong << ", lane " << lane;
            numbers[lane] = right;
        }
    for (const std::uint32_t length : {3u, 12u, 512u}) // no power of two; more than there is
        EXPECT_FALSE(memory.numbered().lanes(numbers, ~0u, bits, length)) << length;
}

// Word w of lane l lies at 128 * w + 4 * l.
TEST(Places, InLocalMemoryAreOfOneLane) {
    LocalMemory memory;
    memory.reach(20); // stacks reach as far as a multiple of 16
    EXPECT_EQ(memory.bytes(), 32u);
    std::byte* const first = memory.find(0, 0);
    EXPECT_EQ(memory.find(31, 31), first + 7 * 128 + 31 * 4 + 3);
    EXPECT_EQ(memory.find(32, 0), nullptr);
    EXPECT_EQ(memory.find(most, 0), nullptr);
    EXPECT_EQ(reinterpret_cast<std::byte*>(memory.words(8, 8).values), first + 256);
    for (const auto& [number, length] :
         {std::pair<Number, Number>{28, 5}, {32, 1}, {0, 33}, {most, 1}, {most - 3, 8}, {4, most - 3}, {0, 0}})
        EXPECT_FALSE(memory.words(number, length)) << number << ", " << length;
    LaneNumbers numbers, places;
    for (std::size_t lane = 0; lane < 32; ++lane)
        numbers[lane] = lane % 8 * 4;
    ASSERT_TRUE(memory.each(numbers, ~0u, {0, 32}, places));
    EXPECT_EQ(places[9], 128u + 36u);
    EXPECT_FALSE(memory.each(numbers, ~0u, {0, 28}, places)) << "below the limit of the running function";
    EXPECT_TRUE(memory.each(numbers, ~0u, {0, 1000}, places)) << "a limit makes no memory";
    EXPECT_FALSE(memory.each(numbers, ~0u, {4, 1000}, places)) << "in front of the variable";
    for (const Number wrong : {Number(32), Number(2), Number(1) << 62, most, most - 3}) {
        numbers[5] = wrong;
        EXPECT_FALSE(memory.each(numbers, ~0u, {0, 1000}, places)) << wrong;
        EXPECT_TRUE(memory.each(numbers, ~(1u << 5), {0, 1000}, places)) << wrong;
    }
}

} // namespace
} // namespace warpglass::emulator
