// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/included.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include <unistd.h>

namespace warpglass::cuda_text {
namespace {

namespace fs = std::filesystem;

// ring.h is beside the source and names common/bits.h, which stands beside ring.h; parts.h lies in a folder of its own. What is in
// angle brackets is not ours, and what is included twice, or includes itself, is there once.
TEST(Included, TextsOfWhatASourceNames) {
    const fs::path scratch = fs::temp_directory_path() / fmt::format("warpglass_included_{}", getpid());
    fs::create_directories(scratch / "common");
    fs::create_directories(scratch / "other");
    const auto write = [&](const char* name, const char* text) { std::ofstream(scratch / name) << text; };
    write("ring.h", "#include \"common/bits.h\"\nstruct Ring {};\n");
    write("common/bits.h", "#include \"bits.h\"\nstruct Bits {};\n");
    write("other/parts.h", "struct Parts {};\n");
    const std::string source = "#include <vector>\n #include \"ring.h\"\n# include \"parts.h\"\n#include \"ring.h\"\n"
                               "#include \"absent.h\"\n";
    const std::string all = includedTexts(source, scratch, {(scratch / "other").string()});
    const auto at = [&](const char* name) { return all.find(std::string("struct ") + name); };
    EXPECT_NE(at("Bits"), all.npos);
    EXPECT_LT(at("Bits"), at("Ring"));
    EXPECT_NE(at("Parts"), all.npos);
    EXPECT_EQ(all.find("struct Ring", at("Ring") + 1), all.npos);
    EXPECT_EQ(all.find("struct Bits", at("Bits") + 1), all.npos);
    EXPECT_EQ(includedTexts(source, scratch).find("Parts"), all.npos);
    fs::remove_all(scratch);
}

} // namespace
} // namespace warpglass::cuda_text
