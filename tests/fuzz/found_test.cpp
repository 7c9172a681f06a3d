// SPDX-License-Identifier: GPL-3.0-or-later
// What fuzzers have found, each said in a test: the corpus keeps the inputs, this the reason.
#include "gpu/fatbin/fatbin.h"
#include "gpu/metrics/results.h"
#include "gpu/ptx/parse.h"
#include "gpu/ptx/write.h"
#include "tests/fuzz/bounded.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace warpglass::fuzz {
namespace {

// A launch that failed while it was timed left blocks that end before they start, and its recording could not be written.
TEST(Found, LaunchThatFailsInTimeHasASoundTrace) {
    session::RunRequest request = boundedRequest();
    request.kernel = "endless.ptx";
    request.text = ".version 8.1\n.target sm_90\n.address_size 64\n"
                   ".visible .entry k()\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n{\n"
                   ".reg .u32 %r;\n.reg .pred %p;\n"
                   "mov.u32 %r, %ctaid.x;\nsetp.eq.u32 %p, %r, 0;\n"
                   "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
                   "L:\n@%p bra L;\n"
                   "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\nret;\n}\n";
    request.launch.grid = Dim3{2, 1, 1};
    request.launch.block = Dim3{33, 1, 1};
    request.options.timing = true;
    Progress progress;
    const auto run = session::runRequest(request, progress);
    ASSERT_TRUE(run) << run.error().text();
    ASSERT_TRUE(run->fault);
    EXPECT_NE(run->fault->message.find("that nothing can end"), std::string::npos) << run->fault->text();
    const auto sound = validate(*run->trace);
    EXPECT_TRUE(sound) << sound.error().text();
}

// An image that says that it unpacks to 2^60 bytes asked for them before it was looked at.
TEST(Found, ImageThatCannotUnpackToWhatItSaysTakesNoMemory) {
    const std::byte packed[16]{};
    for (const auto packing : {fatbin::PackedImage::Packing::Lz4, fatbin::PackedImage::Packing::Zstd}) {
        const fatbin::PackedImage image{.kind = fatbin::PackedImage::Kind::Ptx,
                                        .packed = packed,
                                        .packing = packing,
                                        .unpackedBytes = std::uint64_t(1) << 60};
        EXPECT_FALSE(fatbin::ptxText(image));
    }
}

// A head that says it is longer than all there is led past the end.
TEST(Found, ContainerWhoseHeadIsLongerThanItIsCutShort) {
    std::vector<std::byte> bytes(64);
    const std::uint32_t magic = fatbin::containerMagic;
    const std::uint16_t version = 1, headBytes = 0x4000;
    std::memcpy(bytes.data(), &magic, sizeof magic);
    std::memcpy(bytes.data() + 4, &version, sizeof version);
    std::memcpy(bytes.data() + 6, &headBytes, sizeof headBytes);
    const auto container = fatbin::readContainer(bytes);
    ASSERT_FALSE(container);
    EXPECT_NE(container.error().message.find("cut short"), std::string::npos) << container.error().text();
}

// A module that names no target was written with an empty one, which nobody can read.
TEST(Found, ModuleWithoutATargetIsWrittenWithoutOne) {
    const auto module = ptx::parse(".version 8.0\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n");
    ASSERT_TRUE(module) << module.error().text();
    const auto again = ptx::parse(ptx::write(*module));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->target, "");
    EXPECT_EQ(again->functions.size(), 1u);
}

// A table's words were written without quotation marks, and numbers out of all ranges became others by accident.
TEST(Found, TableOfStrangersIsWrittenAsItWasRead) {
    const auto table = readResults("kernel,mode,policy,check,backend,size,repeats,duration_ns\n"
                                   "k,\"a,b\",\"c\nd\",\"e\"\"f\",\"g,h\",1e300,-7,inf\n");
    ASSERT_TRUE(table) << table.error().text();
    const ResultRow& row = table->rows[0];
    EXPECT_EQ(row.size, 0); // unknown
    EXPECT_EQ(row.find("duration_ns"), nullptr);
    const auto again = readResults(resultsCsv(*table));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->rows[0].mode, "a,b");
    EXPECT_EQ(again->rows[0].policy, "c\nd");
    EXPECT_EQ(again->rows[0].check, "e\"f");
    EXPECT_EQ(again->rows[0].backend, "g,h");
}

} // namespace
} // namespace warpglass::fuzz
