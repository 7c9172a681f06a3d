// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/expression.h"
#include "gpu/metrics/claims.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace warpglass;

namespace {

Claim claimed(double number, DependsOn dependsOn = DependsOn::Pattern) {
    return {.id = "c", .statement = {"s", "s"}, .claimed = number, .tolerance = 0.5, .near = 2, .dependsOn = dependsOn};
}

} // namespace

TEST(Expressions, followTheRulesOfArithmetic) {
    EXPECT_EQ(*evaluateExpression("2 + 3 * 4"), 14);
    EXPECT_EQ(*evaluateExpression("(2 + 3) * -4"), -20);
    EXPECT_EQ(*evaluateExpression("2^14 * 2^14 * 4"), 1073741824);
    EXPECT_EQ(*evaluateExpression("ceil(80 / 32)"), 3);
    EXPECT_EQ(*evaluateExpression("floor(65536 / (40 * 32))"), 51);
    EXPECT_EQ(*evaluateExpression("min(3, max(1, 2))"), 2);
    EXPECT_DOUBLE_EQ(*evaluateExpression("100 * (20*100 + 12*1) / (32*101)"), 201200.0 / 3232);
    EXPECT_EQ(*evaluateExpression("10 - 4 - 3"), 3);
    EXPECT_EQ(*evaluateExpression("-2 ^ 2"), -4);     // as in mathematics
    EXPECT_EQ(*evaluateExpression("2 ^ 3 ^ 2"), 512); // 2^9
    EXPECT_EQ(*evaluateExpression("2 ^ -1 + 0x10"), 16.5);
    EXPECT_EQ(*evaluateExpression("sum(a, 0, 3, sum(b, 0, a, 10 * a + b))"), 10 + 20 + 21); // (1,0) (2,0) (2,1)
    EXPECT_EQ(*evaluateExpression("1 < 2 && 7 % 4 == 3 ? 5 : 1 / 0"), 5);
}

TEST(Expressions, sayWhatIsWrong) {
    const std::string power = "2" + [] {
        std::string s;
        for (int k = 0; k < 1000; ++k)
            s += "^2";
        return s;
    }();
    for (const std::string& wrong :
         {std::string(), std::string("2 +"), std::string("(2"), std::string("2 3"), std::string("log(2)"),
          std::string("min(1)"), std::string("1 / 0"), std::string("5 % 0"), std::string("1e999"), std::string("3x"),
          std::string("sum(k, 0, k, 1)"), std::string("sum(k, 0, 1e18, k)"), std::string(100000, '('),
          std::string(1000, '-') + "1", power, "1" + std::string(100000, '+') + "1"})
        EXPECT_FALSE(evaluateExpression(wrong)) << wrong.substr(0, 40);
    EXPECT_LT(evaluateExpression(std::string(100000, '(')).error().text().size(), 300U);
    EXPECT_NE(evaluateExpression("2 * x").error().text().find("there is no \"x\""), std::string::npos);
}

TEST(Verdicts, ofAPatternComeFromTheExactCount) {
    EXPECT_EQ(judge(claimed(80), {}, 80.4).verdict, Verdict::Holds);
    EXPECT_EQ(judge(claimed(80), {}, 81).verdict, Verdict::HoldsWithDifference);
    EXPECT_EQ(judge(claimed(80), {}, 90).verdict, Verdict::Wrong);
    EXPECT_EQ(judge(claimed(80), 90, 80).verdict, Verdict::Holds) << "the count decides, not the other machine";
    EXPECT_EQ(judge(claimed(80), 90, {}).verdict, Verdict::Wrong);
    EXPECT_EQ(judge(claimed(80), {}, {}).verdict, Verdict::NotMeasured);
}

TEST(Verdicts, ofTimesComeFromHardwareAlone) {
    EXPECT_EQ(judge(claimed(80, DependsOn::Device), 80, 1).verdict, Verdict::Holds);
    EXPECT_EQ(judge(claimed(80, DependsOn::Device), 20, 80).verdict, Verdict::OtherHardware);
    EXPECT_EQ(judge(claimed(80, DependsOn::Device), {}, 80).verdict, Verdict::NotMeasured);
    EXPECT_EQ(judge(claimed(80, DependsOn::Compiler), 60, 80).verdict, Verdict::OtherHardware);
}

TEST(Verdicts, areWrongWhereTheDevicesOwnLimitsForbidTheNumber) {
    Claim tooFast = claimed(342, DependsOn::Device); // TFLOP/s of a chip with 67
    tooFast.possibleTo = 67;
    EXPECT_EQ(judge(tooFast, 7, {}).verdict, Verdict::Wrong);
    EXPECT_EQ(judge(tooFast, {}, {}).verdict, Verdict::Wrong);
    Claim tooShort = claimed(0.002, DependsOn::Device);
    tooShort.possibleFrom = 0.35;
    EXPECT_EQ(judge(tooShort, 0.0021, {}).verdict, Verdict::Wrong);
}

TEST(Verdicts, ofBoundsLookInOneDirectionOnly) {
    Claim faster = claimed(1, DependsOn::Device);
    faster.comparison = Comparison::AtLeast;
    EXPECT_EQ(judge(faster, 30, {}).verdict, Verdict::Holds);
    EXPECT_EQ(judge(faster, -5, {}).verdict, Verdict::OtherHardware);
    faster.comparison = Comparison::AtMost;
    EXPECT_EQ(judge(faster, -5, {}).verdict, Verdict::Holds);
}

TEST(Verdicts, areExplainedOnlyByTheSentenceOfTheirOwn) {
    Claim claim = claimed(80);
    claim.why["wrong"] = {"Because.", "因为。"};
    EXPECT_EQ(judge(claim, {}, 10).why.en, "Because.");
    EXPECT_EQ(judge(claim, {}, 80).why.en, "");
}

TEST(Claims, areReadAndRefusedByName) {
    const char* const good =
        R"({"claims": [{"id": "a", "document": "D0", "place": "p", "statement": {"en": "e", "zh": "z"},
        "metric": "m", "unit": "%", "claimed": "5 / 4", "tolerance": 0.005, "how": {"expression": "1.25"}}]})";
    const auto claims = readClaims(good);
    ASSERT_TRUE(claims);
    EXPECT_EQ(claims->front().claimed, 1.25);
    const auto measure = [](const nlohmann::json& how) {
        return evaluateExpression(how["expression"].get<std::string>());
    };
    const CheckedClaim checked = check(claims->front(), measure);
    EXPECT_EQ(checked.judgement.verdict, Verdict::Holds);
    const auto json = claimJson(checked);
    EXPECT_EQ(json["verdict"], "holds");
    EXPECT_EQ(json["emulated"], 1.25);
    EXPECT_TRUE(json["measured"].is_null());

    std::string twice = good;
    twice.replace(twice.rfind("]}"), 2, ", " + std::string(good).substr(12));
    EXPECT_NE(readClaims(twice).error().text().find("used twice"), std::string::npos);
    EXPECT_FALSE(readClaims("{"));
    EXPECT_NE(readClaims(R"({"claims": [{"id": "b"}]})").error().text().find("claim b"), std::string::npos);
}
