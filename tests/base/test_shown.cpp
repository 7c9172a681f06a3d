// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/shown.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace {

TEST(Shown, SaysWhatATerminalWouldObey) {
    EXPECT_EQ(shown("\x1b[31mred\a"), "\\x1b[31mred\\x07");
    EXPECT_EQ(shown("a\rb"), "a\\x0db");
    EXPECT_EQ(shown(std::string_view("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(shown("\x7f\xc2\x9b"), "\\u007f\\u009b"); // DEL; C1's beginning of a sequence, U+009B
    EXPECT_EQ(shown("\x9b\xff"), "\\x9b\\xff");         // the same as a byte, which is no UTF-8
}

// RFC 3629: U+202E is e2 80 ae, U+2066 e2 81 a6, U+200F e2 80 8f, U+061C d8 9c.
TEST(Shown, SaysWhatTurnsTheOrderOfLetters) {
    EXPECT_EQ(shown("a\xe2\x80\xae"
                    "b"),
              "a\\u202eb");
    EXPECT_EQ(shown("\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c"), "\\u2066\\u200f\\u061c");
    for (const char32_t mark : {0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x200e})
        EXPECT_TRUE(isShownByNumber(mark)) << std::uint32_t(mark);
    for (const char32_t other : {0x2029, 0x202f, 0x2065, 0x206a, 0x200d, 0x2010})
        EXPECT_FALSE(isShownByNumber(other)) << std::uint32_t(other);
}

TEST(Shown, LeavesAllOtherWordsAsTheyAre) {
    for (const char* text : {"", "a\tb\n", "\xe6\xa0\xb8", "\xf0\x9f\x98\x80", "\xc2\xa0", "\\x1b"})
        EXPECT_EQ(shown(text), text);
}

} // namespace
} // namespace warpglass
