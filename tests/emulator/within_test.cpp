// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of a kernel and the host's memory (docs/security.md, "Numbers that become places"): what does not compile, and where
// the checks that make places draw their lines.
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/async/tensor_map.h"
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

constexpr Number most = ~Number(0);

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
    ASSERT_TRUE(memory.each(numbers, ~0u, 32, places));
    EXPECT_EQ(places[9], 128u + 36u);
    EXPECT_FALSE(memory.each(numbers, ~0u, 28, places)) << "below the limit of the running function";
    EXPECT_TRUE(memory.each(numbers, ~0u, 1000, places)) << "a limit makes no memory";
    for (const Number wrong : {Number(32), Number(2), Number(1) << 62, most, most - 3}) {
        numbers[5] = wrong;
        EXPECT_FALSE(memory.each(numbers, ~0u, 1000, places)) << wrong;
        EXPECT_TRUE(memory.each(numbers, ~(1u << 5), 1000, places)) << wrong;
    }
}

} // namespace
} // namespace warpglass::emulator
