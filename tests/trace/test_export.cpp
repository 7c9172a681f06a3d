// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/export.h"
#include "tests/trace/random_trace.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <unistd.h>

namespace warpglass {
namespace {

namespace fs = std::filesystem;

std::string csvOf(const Trace& trace, std::string_view table) {
    std::ostringstream out;
    EXPECT_TRUE(writeCsv(trace, table, out));
    return out.str();
}

// A reader of RFC 4180, written for this test alone.
std::vector<std::vector<std::string>> parsed(const std::string& csv) {
    std::vector<std::vector<std::string>> rows(1, {""});
    bool quoted = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        const char c = csv[i];
        if (quoted && c == '"' && i + 1 < csv.size() && csv[i + 1] == '"')
            rows.back().back() += csv[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == ',')
            rows.back().emplace_back();
        else if (!quoted && c == '\n')
            rows.push_back({""});
        else
            rows.back().back() += c;
    }
    rows.pop_back(); // after the last line break
    return rows;
}

Trace smallTrace() {
    Trace t;
    t.info.timeUnit = TimeUnit::Nanoseconds;
    t.info.timeOrigin = Origin::Measured;
    Kernel kernel;
    kernel.name = "sum, \"of\" rows";
    kernel.source = "line one\nline two";
    t.kernels.push_back(kernel);
    t.sites.push_back({0, SiteKind::Branch, 12, {}, "@%p2 bra $L;"});
    Launch launch;
    launch.start = {5};
    launch.end = {95};
    launch.blockCount = 1;
    t.launches.push_back(launch);
    Block block;
    block.sm = 3;
    block.warpCount = 2;
    t.blocks.push_back(block);
    Warp w;
    w.slot = 9;
    w.start = {10};
    w.end = {50};
    w.eventCount = 2;
    t.events.push(0, 0, EventKind::Entry, LaneMask::all(), {});
    t.events.push(30, 0, EventKind::Branch, LaneMask::all(), {0xaaaaaaaa});
    t.warps.push_back(w);
    w.start = {40}; // overlaps the first in the same slot
    w.firstEvent = 2;
    w.eventCount = 0;
    t.warps.push_back(w);
    return t;
}

TEST(Export, CsvNamesColumnsWithUnitAndOrigin) {
    const std::string csv = csvOf(smallTrace(), "events");
    EXPECT_EQ(csv, "row,warp,\"time [ns, measured]\",site,kind,active,taken\n"
                   "0,0,10,0,entry,ffffffff,00000000\n"
                   "1,0,40,0,branch,ffffffff,aaaaaaaa\n");
}

TEST(Export, CsvLeavesNoIndexEmptyAndNamesUnits) {
    const auto rows = parsed(csvOf(smallTrace(), "launches"));
    ASSERT_EQ(rows.size(), 2u);
    std::map<std::string, std::string> launch;
    for (std::size_t i = 0; i < rows[0].size(); ++i)
        launch[rows[0][i]] = rows[1][i];
    EXPECT_EQ(launch["start [ns, measured]"], "5");
    EXPECT_EQ(launch["parent_launch"], "");
    EXPECT_EQ(launch["dynamic_shared [B]"], "0");
    EXPECT_EQ(launch["stream"], "host");
}

TEST(Export, CsvQuotesTextSoThatItComesBack) {
    const auto rows = parsed(csvOf(smallTrace(), "kernels"));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1][1], "sum, \"of\" rows");
    EXPECT_EQ(rows[1][4], "line one\nline two");
}

TEST(Export, CsvRowsHaveAsManyFieldsAsTheHeader) {
    const Trace t = randomTrace(3);
    for (const std::string& table : exportTables()) {
        const auto rows = parsed(csvOf(t, table));
        for (const auto& row : rows)
            ASSERT_EQ(row.size(), rows[0].size()) << table;
    }
    EXPECT_EQ(parsed(csvOf(t, "warps")).size(), t.warps.size() + 1);
    EXPECT_EQ(parsed(csvOf(t, "events")).size(), t.events.size() + 1);
    EXPECT_EQ(parsed(csvOf(t, "access_values")).size(), t.accessValues.size() + 1);
    std::ostringstream nothing;
    EXPECT_FALSE(writeCsv(t, "no_such_table", nothing));
}

class ExportFiles : public testing::Test {
protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() / ("warpglass_export_" + std::to_string(getpid()));
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }
    fs::path m_folder;
    Progress m_progress;
};

TEST_F(ExportFiles, CsvFolderHasAFileForEachTableWithRows) {
    ASSERT_TRUE(exportCsv(smallTrace(), m_folder / "csv", m_progress));
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(m_folder / "csv"))
        files.insert(entry.path().filename().string());
    EXPECT_EQ(files, (std::set<std::string>{"trace.csv", "kernels.csv", "sites.csv", "launches.csv", "blocks.csv",
                                            "warps.csv", "events.csv"}));
}

TEST_F(ExportFiles, JsonHoldsEveryTable) {
    const Trace t = randomTrace(9);
    ASSERT_TRUE(exportJson(t, m_folder / "t.json", m_progress));
    std::ifstream in(m_folder / "t.json");
    const auto json = nlohmann::json::parse(in);
    EXPECT_EQ(json["units"]["time"], name(t.info.timeUnit));
    EXPECT_EQ(json["warps"].size(), t.warps.size());
    EXPECT_EQ(json["events"].size(), t.events.size());
    EXPECT_EQ(json["blocks"][3]["sm"], t.blocks[3].sm);
    EXPECT_TRUE(json["launches"][0]["parent_launch"].is_null());
    for (const std::string& table : exportTables())
        EXPECT_TRUE(json.contains(table)) << table;
}

TEST_F(ExportFiles, SaysWhereItCannotWrite) {
    EXPECT_NE(
        exportJson(smallTrace(), m_folder / "no" / "t.json", m_progress).error().text().find("could not be written"),
        std::string::npos);
    std::ofstream(m_folder / "file") << "x";
    EXPECT_FALSE(exportCsv(smallTrace(), m_folder / "file", m_progress));
    EXPECT_FALSE(exportPerfetto(smallTrace(), m_folder / "no" / "t.pftrace", m_progress));
}

} // namespace
} // namespace warpglass
