// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/enum_words.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace {

enum class Fruit : std::uint8_t { Apple, Pear, Plum, Count_ };
enum class Wordless : std::uint8_t { One };
struct Basket {
    enum class Size { Small, Large };
};

} // namespace

template <>
inline constexpr auto enumWords<Fruit> = EnumWords("fruit", {"apple", "pear", "plum"});
template <>
inline constexpr auto enumWords<Basket::Size> = EnumWords("size", {"small", "large"});

namespace {

static_assert(Worded<Fruit> && Worded<Basket::Size>);
static_assert(!Worded<Wordless> && !Worded<int>);
static_assert(allOf<Fruit>.size() == 3 && allOf<Fruit>[2] == Fruit::Plum);

TEST(EnumWords, NameAValue) {
    EXPECT_STREQ(name(Fruit::Pear), "pear");
    EXPECT_STREQ(name(Basket::Size::Large), "large");
}

TEST(EnumWords, CallAValueWithoutAWordUnknown) {
    EXPECT_STREQ(name(Fruit::Count_), "unknown");
    EXPECT_STREQ(name(Fruit(200)), "unknown");
}

TEST(EnumWords, AreReadBack) {
    for (const Fruit fruit : allOf<Fruit>)
        EXPECT_EQ(*parseEnum<Fruit>(name(fruit)), fruit);
    EXPECT_EQ(parseEnum<Fruit>("nut").valueOr(Fruit::Plum), Fruit::Plum);
    EXPECT_EQ(parseEnum<Fruit>("pear").valueOr(Fruit::Plum), Fruit::Pear);
}

TEST(EnumWords, RefuseOtherWordsAndListTheirOwn) {
    for (const char* word : {"", "Pear", "pea", "pears", "unknown", "Count_"})
        EXPECT_FALSE(parseEnum<Fruit>(word)) << word;
    const auto wrong = parseEnum<Fruit>("nut", "--fruit");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().text(), "--fruit: \"nut\" is no fruit. Choose apple, pear or plum.");
    EXPECT_EQ(wordsText<Basket::Size>(), "small or large");
}

} // namespace
} // namespace warpglass
