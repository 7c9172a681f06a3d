// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/csv.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace {

using Fields = std::vector<std::string>;

TEST(Csv, QuotesWhereItMust) {
    EXPECT_EQ(csvField("plain text"), "plain text");
    EXPECT_EQ(csvField(""), "");
    EXPECT_EQ(csvField("a, b"), "\"a, b\"");
    EXPECT_EQ(csvField("say \"b\""), "\"say \"\"b\"\"\"");
    EXPECT_EQ(csvField("two\nlines"), "\"two\nlines\"");
    EXPECT_EQ(csvField("two\rlines"), "\"two\rlines\"");
}

TEST(Csv, ReadsRecordsOneByOne) {
    std::string_view text = "a,b c,\r\n\n1,\"2,\"\"3\n4\",5\nlast";
    int line = 1;
    EXPECT_EQ(nextCsvRecord(text, line), (Fields{"a", "b c", ""}));
    EXPECT_EQ(line, 2);
    EXPECT_EQ(nextCsvRecord(text, line), (Fields{""})); // the empty line
    EXPECT_EQ(nextCsvRecord(text, line), (Fields{"1", "2,\"3\n4", "5"}));
    EXPECT_EQ(line, 5); // the quoted line end counts
    EXPECT_EQ(nextCsvRecord(text, line), (Fields{"last"}));
    EXPECT_TRUE(text.empty());
}

// As Excel, LibreOffice and Google's sheets do it: =, +, - and @ begin a formula, a tab or line end before them is passed over.
TEST(Csv, NoFieldIsAFormula) {
    EXPECT_EQ(csvField("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
    EXPECT_EQ(csvField("@SUM(1,2)"), "\"'@SUM(1,2)\"");
    EXPECT_EQ(csvField("-2+cmd"), "'-2+cmd");
    EXPECT_EQ(csvField("+1"), "'+1");
    EXPECT_EQ(csvField("\t=1"), "'\t=1");
    EXPECT_EQ(csvField("\r=1"), "\"'\r=1\"");
    EXPECT_EQ(csvField("'=1"), "''=1"); // or it would be read back as =1
    for (const char* plain : {"-2.5", "-1e9", "-", "'a'", "a=b", "'"})
        EXPECT_EQ(csvField(plain), plain);
}

TEST(Csv, ReadsWhatItWrote) {
    const Fields fields{"a, b", "\"", "", "x\r\ny", "plain", "=1", "'=1", "'''@a", "'", "-3", "\r-x", "-"};
    std::string record;
    for (const std::string& field : fields) {
        record += record.empty() ? "" : ",";
        appendCsvField(record, field);
    }
    std::string_view text = record;
    int line = 1;
    EXPECT_EQ(nextCsvRecord(text, line), fields);
}

} // namespace
} // namespace warpglass
