// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/companion.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace {

namespace fs = std::filesystem;

struct CompanionTest : testing::Test {
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warpglass-companion-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        root = name;
        fs::create_directories(root / "bin");
        fs::create_directories(root / "lib/warpglass");
    }
    void TearDown() override { fs::remove_all(root); }
    void put(const fs::path& name) const { std::ofstream(root / name) << "x"; }
    fs::path root;
};

TEST_F(CompanionTest, LiesInTheLibraryFolderOfAnInstalledProgram) {
    put("lib/warpglass/part");
    EXPECT_EQ(warpglass::companionOf(root / "bin", "part"), fs::canonical(root) / "lib/warpglass/part");
}

TEST_F(CompanionTest, BesideTheProgramComesFirst) {
    put("lib/warpglass/part");
    put("bin/part");
    EXPECT_EQ(warpglass::companionOf(root / "bin", "part"), fs::canonical(root) / "bin/part");
}

// Companions look for each other, too: they lie in lib/warpglass themselves.
TEST_F(CompanionTest, CompanionsFindEachOther) {
    put("lib/warpglass/part");
    EXPECT_EQ(warpglass::companionOf(root / "lib/warpglass", "part"), fs::canonical(root) / "lib/warpglass/part");
}

TEST_F(CompanionTest, OneThatIsNowhereIsNamedBesideTheProgram) {
    EXPECT_EQ(warpglass::companionOf(root / "bin", "part"), root / "bin/part");
}

} // namespace
