// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/seal.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>
#include <vector>

namespace warpglass {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// The paper's own example (appendix A): key 00 01 ... 0f, text 00 01 ... 0e.
TEST(Seal, IsSipHash24) {
    std::vector<unsigned char> text;
    for (unsigned char c = 0; c < 15; ++c)
        text.push_back(c);
    EXPECT_EQ(sipHash({0x0706050403020100u, 0x0f0e0d0c0b0a0908u}, text), 0xa129ca6149be45e5u);
}

class SealKey : public testing::Test {
protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() / fmt::format("warpglass_seal_{}", getpid());
        use("one");
    }
    void TearDown() override {
        unsetenv("XDG_DATA_HOME");
        fs::remove_all(m_folder);
    }
    void use(const char* user) const { setenv("XDG_DATA_HOME", (m_folder / user).c_str(), 1); }
    fs::path m_folder;
};

TEST_F(SealKey, KnowsItsOwnWordsAndNoOthers) {
    const std::string seal = sealOf("run", Words{"a", "bc"});
    ASSERT_EQ(seal.size(), 16u);
    EXPECT_TRUE(isSealed(seal, "run", Words{"a", "bc"}));
    EXPECT_FALSE(isSealed(seal, "run", Words{"ab", "c"}));
    EXPECT_FALSE(isSealed(seal, "run", Words{"a", "bc", ""}));
    EXPECT_FALSE(isSealed(seal, "options", Words{"a", "bc"}));
    EXPECT_FALSE(isSealed("", "run", Words{"a", "bc"}));
}

TEST_F(SealKey, IsEachUsersOwn) {
    const std::string seal = sealOf("run", Words{"a"});
    use("two");
    EXPECT_FALSE(isSealed(seal, "run", Words{"a"}));
    use("one");
    EXPECT_TRUE(isSealed(seal, "run", Words{"a"}));
}

TEST_F(SealKey, IsReadableByNobodyElseAndNotUsedWhereItIs) {
    const std::string seal = sealOf("run", Words{"a"});
    const fs::path file = m_folder / "one/warpglass/seal.key";
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), fs::directory_iterator()), 1);
    fs::permissions(file, fs::perms::group_read, fs::perm_options::add);
    EXPECT_FALSE(isSealed(seal, "run", Words{"a"}));
}

TEST_F(SealKey, SealsNothingWhereNoKeyCanBeKept) {
    fs::create_directories(m_folder);
    std::ofstream(m_folder / "three") << "no folder";
    use("three");
    EXPECT_EQ(sealOf("run", Words{"a"}), "");
    EXPECT_FALSE(isSealed("", "run", Words{"a"}));
}

} // namespace
} // namespace warpglass
