// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/json_reading.h"

#include <gtest/gtest.h>

#include <string>

using namespace warpglass;
using namespace warpglass::session;

namespace {

std::string nested(std::size_t levels, char opens, char closes) {
    return std::string(levels, opens) + std::string(levels, closes);
}

} // namespace

TEST(JsonLines, ATextOfManyLevelsIsNestedDeeply) {
    EXPECT_FALSE(isNestedDeeply(nested(64, '[', ']')));
    EXPECT_TRUE(isNestedDeeply(nested(65, '[', ']')));
    EXPECT_TRUE(isNestedDeeply("{\"a\": " + nested(64, '{', '}') + "}"));
    std::string wide = "[";
    for (int n = 0; n < 1000; ++n)
        wide += "[{}],";
    EXPECT_FALSE(isNestedDeeply(wide + "1]"));
    EXPECT_FALSE(isNestedDeeply("[\"" + std::string(100, '[') + "\\\"" + std::string(100, '{') + "\"]")); // a word
}

// Three million levels fit the 16 MB that a lesson may have, and ended the program.
TEST(JsonLines, WhatIsNestedDeeplyIsNotRead) {
    const auto read = readJson(nested(3'000'000, '[', ']'), "deep.json", "the lesson",
                               [](const nlohmann::json&, const JsonLines&) { FAIL(); });
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().text().find("deep.json: the lesson cannot be used: it is nested too deeply"),
              std::string::npos)
        << read.error().text();
}
