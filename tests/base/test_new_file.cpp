// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/new_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace warpglass {
namespace {

namespace fs = std::filesystem;

class NewFileTest : public testing::Test {
protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() / fmt::format("warpglass_new_file_{}", getpid());
        fs::create_directories(m_folder);
        put("old", "the old text");
    }
    void TearDown() override { fs::remove_all(m_folder); }

    void put(const char* name, const char* text) const { std::ofstream(m_folder / name) << text; }
    std::string textOf(const char* name) const {
        std::ifstream in(m_folder / name);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    long files() const { return std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()); }

    fs::path m_folder;
};

TEST_F(NewFileTest, TakesItsNameWhenItIsWhole) {
    NewFile file(m_folder / "old");
    file.stream() << "the new";
    file.stream().flush();
    EXPECT_EQ(textOf("old"), "the old text");
    file.stream() << " text";
    ASSERT_TRUE(file.finish());
    EXPECT_EQ(textOf("old"), "the new text");
    EXPECT_EQ(files(), 1);
}

TEST_F(NewFileTest, LeavesTheOldOneWhereItIsGivenUp) {
    {
        NewFile file(m_folder / "old");
        file.stream() << "half";
    }
    EXPECT_EQ(textOf("old"), "the old text");
    EXPECT_EQ(files(), 1);
}

TEST_F(NewFileTest, LeavesTheOldOneWhereTheDiskIsFull) {
    NewFile file(m_folder / "old");
    file.stream() << "half";
    file.stream().setstate(std::ios::badbit);
    EXPECT_FALSE(file.finish());
    EXPECT_EQ(textOf("old"), "the old text");
}

TEST_F(NewFileTest, WritesWhatALinkLeadsTo) {
    fs::create_symlink("old", m_folder / "link");
    NewFile file(m_folder / "link");
    file.stream() << "new";
    ASSERT_TRUE(file.finish());
    EXPECT_TRUE(fs::is_symlink(m_folder / "link"));
    EXPECT_EQ(textOf("old"), "new");
}

TEST_F(NewFileTest, SaysWhyItCannot) {
    NewFile file(m_folder / "none/such");
    const auto ok = file.finish();
    ASSERT_FALSE(ok);
    EXPECT_NE(ok.error().text().find("No such file or directory"), std::string::npos) << ok.error().text();
    NewFile device("/dev/null");
    device.stream() << "gone";
    EXPECT_TRUE(device.finish());
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(NewFileTest, IsNeverTheInput) {
    fs::create_symlink("old", m_folder / "link");
    fs::create_hard_link(m_folder / "old", m_folder / "hard");
    for (const char* output : {"old", "./old", "link", "hard"})
        EXPECT_FALSE(differentFiles(m_folder / "old", m_folder / output)) << output;
    EXPECT_TRUE(differentFiles(m_folder / "old", m_folder / "new"));
    EXPECT_TRUE(differentFiles("/dev/stdin", "/dev/stdin")) << "a terminal is not harmed";
}

} // namespace
} // namespace warpglass
