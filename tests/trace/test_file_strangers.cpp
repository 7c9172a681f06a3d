// SPDX-License-Identifier: GPL-3.0-or-later
// Files that somebody means harm with: SQL of their own, values without end, pages in a circle.
#include "gpu/trace/columns.h"
#include "gpu/trace/database.h"
#include "gpu/trace/file.h"
#include "gpu/trace/file_layout.h"
#include "tests/trace/random_trace.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace warpglass {
namespace {

namespace fs = std::filesystem;

class StrangersFile : public testing::Test {
protected:
    void SetUp() override {
        m_file = fs::temp_directory_path() / fmt::format("warpglass_stranger_{}.wgt", getpid());
        Progress progress;
        ASSERT_TRUE(writeTrace(randomTrace(3), m_file, progress));
    }
    void TearDown() override { fs::remove(m_file); }

    void change(const std::string& sql) const {
        auto database = Database::create(m_file);
        ASSERT_TRUE(database);
        const auto ok = database->run(sql);
        ASSERT_TRUE(ok) << sql << ": " << ok.error().text();
    }
    std::string error() const {
        Progress progress;
        const auto trace = openTrace(m_file, progress);
        return trace ? "" : trace.error().text();
    }

    fs::path m_file;
};

TEST_F(StrangersFile, RunsNoView) {
    change("DROP TABLE tables; CREATE VIEW tables AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
           "SELECT 'a' AS name, i AS row_count, 0 AS digest, 0 AS wide FROM n WHERE i < 0");
    EXPECT_NE(error().find("it has a view \"tables\""), std::string::npos) << error();
}

TEST_F(StrangersFile, HoldsNothingButTheTablesThatWeWrite) {
    const std::pair<const char*, const char*> changes[] = {
        {"CREATE TRIGGER t AFTER INSERT ON launches BEGIN DELETE FROM kernels; END", "it has a trigger \"t\""},
        {"CREATE INDEX i ON sites (upper(instruction))", "it has a index \"i\""},
        {"CREATE TABLE more (a)", "it has a foreign table \"more\""},
        {"CREATE VIEW v AS SELECT 1", "it has a view \"v\""},
        // The same columns, one of them worked out by the file's own SQL when it is read; or a row that is not ours.
        {"DROP TABLE losses; CREATE TABLE losses (warp INTEGER, events INTEGER AS (abs(warp)))",
         "it has a foreign table \"losses\""},
        {"DROP TABLE losses; CREATE TABLE losses (\"warp\" INTEGER PRIMARY KEY, \"events\" INTEGER) WITHOUT ROWID",
         "it has a foreign table \"losses\""},
        {"ALTER TABLE losses RENAME TO gains", "it has a foreign table \"gains\""},
        {"ALTER TABLE losses ADD COLUMN more TEXT", "it has a foreign table \"losses\""},
    };
    for (const auto& [sql, expected] : changes) {
        SetUp();
        EXPECT_EQ(error(), "");
        change(sql);
        EXPECT_NE(error().find(expected), std::string::npos) << sql << ": " << error();
    }
}

TEST_F(StrangersFile, ReadsNoValueThatIsLongerThanAnyOfOurs) {
    for (const char* sql :
         {"UPDATE kernels SET name = CAST(zeroblob(80000000) AS TEXT)", "UPDATE texts SET data = zeroblob(80000000)",
          "UPDATE chunks SET data = zeroblob(80000000) WHERE rowid = 1",
          "UPDATE trace SET device = zeroblob(80000000)"}) {
        SetUp();
        change(sql);
        EXPECT_NE(error().find("longer than any that Warpglass writes"), std::string::npos) << sql << ": " << error();
    }
}

TEST_F(StrangersFile, NamesEachTableOnceAndHasChunksOfNoOther) {
    change("INSERT INTO tables SELECT * FROM tables WHERE name = 'events'");
    EXPECT_NE(error().find("table tables is damaged"), std::string::npos) << error();
    SetUp();
    change("UPDATE tables SET row_count = 9223372036854775807 WHERE name = 'events'");
    EXPECT_NE(error().find("table tables is damaged"), std::string::npos) << error();
    SetUp();
    change("INSERT INTO chunks VALUES ('nothing', 0, 0, 1, 0, 0, 0, 0, x'00')");
    EXPECT_NE(error().find("table that there is none of"), std::string::npos) << error();
}

// A chunk of zeros is a hundred bytes for half a million rows.
TEST_F(StrangersFile, TakesNoMoreMemoryThanTheLimit) {
    Progress progress;
    ASSERT_TRUE(writeTrace(loopTrace(30000, 2), m_file, progress)); // 30,000 warps of 56 bytes
    EXPECT_EQ(error(), "");
    setenv("WARPGLASS_MEMORY", "1M", 1);
    const std::string refused = error();
    unsetenv("WARPGLASS_MEMORY");
    EXPECT_NE(refused.find("and 1 MB is the limit"), std::string::npos) << refused;
    EXPECT_NE(refused.find("WARPGLASS_MEMORY"), std::string::npos) << refused;
}

// Each value is as long as one may be, and there are many of them.
TEST_F(StrangersFile, TakesNoMoreMemoryThanTheLimitForTextsAndChunks) {
    for (const char* sql :
         {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) INSERT INTO output "
          "SELECT CAST(zeroblob(500000) AS TEXT) FROM n; UPDATE tables SET row_count = row_count + 4 WHERE name = "
          "'output'",
          "UPDATE chunks SET data = zeroblob(2000000) WHERE rowid = 1"}) {
        SetUp();
        change(sql);
        EXPECT_EQ(error().find("is the limit"), std::string::npos) << error(); // only damaged
        setenv("WARPGLASS_MEMORY", "1M", 1);
        const std::string refused = error();
        unsetenv("WARPGLASS_MEMORY");
        EXPECT_NE(refused.find("and 1 MB is the limit"), std::string::npos) << sql << ": " << refused;
    }
}

// Pages of a table that each name the next one 600 times: 10^44 rows, all of them the one at the end.
TEST_F(StrangersFile, EndsWhereItsPagesDoNot) {
    constexpr std::size_t page = 4096, levels = 16, children = 600;
    change("UPDATE tables SET row_count = 1099511627776 WHERE name = 'losses'");
    std::size_t root = 0;
    {
        auto database = Database::create(m_file);
        auto select = database->prepare("SELECT rootpage FROM sqlite_master WHERE name = 'losses'");
        ASSERT_TRUE(*select->step());
        root = std::size_t(select->integer(0));
    }
    std::string bytes;
    {
        std::ifstream in(m_file, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    const std::size_t pages = bytes.size() / page;
    bytes.resize((pages + levels) * page);
    const auto put = [&](std::size_t at, std::uint64_t n, int size) {
        for (int i = 0; i < size; ++i)
            bytes[at + std::size_t(i)] = char(n >> (8 * (size - 1 - i)));
    };
    put(28, pages + levels, 4);     // pages of the file
    constexpr std::size_t cell = 8; // bytes from a page's end
    for (std::size_t n = 0; n < levels; ++n) {
        const std::size_t start = n == 0 ? (root - 1) * page : (pages + n - 1) * page, next = pages + n + 1;
        put(start, 0x05, 1); // an inner page of a table
        put(start + 1, 0, 2);
        put(start + 3, children, 2);
        put(start + 5, page - cell, 2);
        put(start + 7, 0, 1);
        put(start + 8, next, 4); // the last child
        for (std::size_t c = 0; c < children; ++c)
            put(start + 12 + 2 * c, page - cell, 2);
        put(start + page - cell, next, 4); // a child, and the largest row number below it
        put(start + page - cell + 4, 1, 1);
    }
    // A page of one row: 5 bytes, number 1, of which 3 tell that two numbers of a byte follow.
    const std::size_t leaf = (pages + levels - 1) * page;
    put(leaf, 0x0d, 1);
    put(leaf + 3, 1, 2);
    put(leaf + 5, page - 7, 2);
    put(leaf + 8, page - 7, 2);
    put(leaf + page - 7, 0x05'01'03'01'01'00'00, 7);
    std::ofstream(m_file, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));

    const auto begin = std::chrono::steady_clock::now();
    const std::string refused = error();
    EXPECT_NE(refused.find("it does not come to an end"), std::string::npos) << refused;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

} // namespace
} // namespace warpglass
