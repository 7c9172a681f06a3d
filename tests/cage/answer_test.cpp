// SPDX-License-Identifier: GPL-3.0-or-later
// What the cage answers, changed, cut off and without an end: who takes it makes a recording of it that keeps all
// promises, or nothing.
#include "gpu/cage/answer.h"
#include "gpu/cage/fields.h"
#include "gpu/cage/other_memory.h"
#include "gpu/emulator/emulator.h"
#include "tests/cage/plan_of_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include <sys/mman.h>
#include <unistd.h>

using namespace warpglass;

namespace {

// In pieces, as a line gives it.
cage::Source sourceOf(const std::vector<std::byte>& bytes) {
    return [&bytes, at = std::size_t(0)](std::span<std::byte> to) mutable {
        const std::size_t n = std::min({to.size(), bytes.size() - at, std::size_t(4000)});
        std::copy_n(bytes.begin() + std::ptrdiff_t(at), n, to.begin());
        at += n;
        return n;
    };
}

} // namespace

// An answer of which any byte is another is refused, or is a recording that keeps all promises: nothing else.
TEST(CagedEmulator, TakesNoForgedAnswer) {
    const LaunchPlan plan = tests::planOfKernel("reduceNeighbored");
    RunOptions options;
    options.timing = true;
    options.detail.accesses = true;
    Progress progress;
    auto run = makeEmulator()->run(plan, options, progress);
    ASSERT_TRUE(run.ok());
    const cage::OtherMemory memory(getpid(), progress);
    for (const bool byPlace : {true, false}) {
        SCOPED_TRACE(byPlace ? "by place" : "on the line");
        std::vector<std::byte> bytes;
        cage::Packer packer(
            [&](std::span<const std::byte> more) {
                bytes.insert(bytes.end(), more.begin(), more.end());
                return true;
            },
            std::numeric_limits<std::uint64_t>::max(), byPlace);
        ASSERT_TRUE(cage::putAnswer(packer, run));
        std::uint64_t most = std::uint64_t(64) << 20;
        const auto taken = [&](const std::vector<std::byte>& changed) {
            cage::Unpacker unpacker(sourceOf(changed), most,
                                    byPlace ? cage::Reach([&](auto to, auto from) { return memory.read(to, from); })
                                            : nullptr);
            auto answer = cage::takeAnswer(unpacker, plan, options);
            return unpacker.atEnd() ? std::move(answer) : std::nullopt;
        };
        ASSERT_TRUE(taken(bytes) && taken(bytes)->ok());
        EXPECT_EQ((**taken(bytes)).buffers.size(), plan.arguments.size());
        EXPECT_EQ(bytes.size() < (64 << 10), byPlace);
        const auto keepsItsPromises = [&](const std::vector<std::byte>& changed) {
            const auto answer = taken(changed);
            if (answer && answer->ok()) {
                EXPECT_TRUE(validateOutline(*(**answer).trace).ok());
                EXPECT_EQ((**answer).buffers.size(), plan.arguments.size());
            }
        };
        for (std::size_t n = 0; n < 2000; ++n) {
            std::vector<std::byte> changed = bytes;
            const std::size_t at = n < 500 ? n : n * 7919 % bytes.size(); // a prime: places all over it
            changed[at] ^= std::byte(n % 2 ? 0xff : 1 << n % 8);
            keepsItsPromises(changed);
            if (n % 20 == 0) { // cut off there
                EXPECT_FALSE(taken({bytes.begin(), bytes.begin() + std::ptrdiff_t(at)}));
            }
        }
        most = bytes.size() - 1;
        EXPECT_FALSE(taken(bytes)); // more than may come
        most *= 1000;
        bytes.push_back(std::byte{0});
        EXPECT_FALSE(taken(bytes)); // something behind its end
    }
}

// What the other side has is copied; what is not there, or is no place of a process at all, is refused.
TEST(CagedEmulator, ReachesNoMoreThanTheOtherSideHas) {
    constexpr std::size_t page = 1 << 16, most = 40 << 20; // in pieces, the last of which is not whole
    auto* const there =
        static_cast<std::byte*>(mmap(nullptr, most + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(there, MAP_FAILED);
    const auto at = reinterpret_cast<std::uint64_t>(there);
    for (std::size_t n = 0; n < most; ++n)
        there[n] = std::byte(n * 7919 >> 8);
    mprotect(there + most, page, PROT_NONE);
    Progress progress;
    const cage::OtherMemory memory(getpid(), progress);
    ASSERT_TRUE(memory.canBeReached());
    std::vector<std::byte> here(most - 5), more(most + 1);
    EXPECT_TRUE(memory.read(here, at + 5));
    EXPECT_TRUE(std::equal(here.begin(), here.end(), there + 5));
    EXPECT_FALSE(memory.read(more, at));
    EXPECT_FALSE(memory.write(more, at));
    for (const std::uint64_t nowhere : {std::uint64_t(0), at + most, std::uint64_t(1) << 47, ~std::uint64_t(0) - 4}) {
        EXPECT_FALSE(memory.read(std::span(here).first(16), nowhere)) << nowhere;
        EXPECT_FALSE(memory.write(std::span(here).first(16), nowhere)) << nowhere;
    }
    std::fill(here.begin(), here.end(), std::byte{3});
    EXPECT_TRUE(memory.write(here, at));
    EXPECT_TRUE(std::equal(here.begin(), here.end(), there));
    mprotect(there, most, PROT_READ); // who answers may not write there either
    EXPECT_FALSE(memory.write(here, at));
    progress.cancel();
    EXPECT_FALSE(memory.read(here, at));
    munmap(there, most + page);
}

// Nothing is made of a number but what has come, and no more comes than may: here a megabyte, of an answer without an end.
TEST(CagedEmulator, TakesNoMoreThanTheLimit) {
    constexpr std::uint64_t most = 1 << 20, many = std::uint64_t(1) << 40;
    LaunchPlan plan;
    RunOptions options;
    options.results = false;
    std::vector<std::byte> head;
    cage::Packer packer([&](std::span<const std::byte> more) {
        head.insert(head.end(), more.begin(), more.end());
        return true;
    });
    bool ran = true;
    Recording nothing;
    std::uint64_t buffers = 0, rows = many;
    cage::travelAll(packer, ran, nothing.warpInstructions, nothing.wallSeconds, nothing.estimatedNs, nothing.fault,
                    buffers, rows);
    ASSERT_TRUE(packer.finish());
    std::uint64_t given = 0;
    const auto endless = [&](std::span<std::byte> to) {
        for (std::byte& byte : to)
            byte = given < head.size() ? head[given++] : (++given, std::byte{0});
        return to.size();
    };
    cage::Unpacker ofAll(endless, most);
    EXPECT_FALSE(cage::takeAnswer(ofAll, plan, options));
    EXPECT_GT(given, most / 2);
    EXPECT_LE(given, most + (1 << 17));

    const std::vector<std::byte> number = [&] {
        std::vector<std::byte> bytes(8);
        std::memcpy(bytes.data(), &many, 8);
        return bytes;
    }();
    std::vector<std::uint32_t> words;
    cage::Unpacker ofWords(sourceOf(number), most);
    cage::travel(ofWords, words);
    EXPECT_FALSE(ofWords.good());
    EXPECT_EQ(words.capacity(), 0U);
    LargeTable<std::uint64_t> table;
    cage::Unpacker ofTable(sourceOf(number), most);
    cage::travel(ofTable, table);
    EXPECT_FALSE(ofTable.good());
    EXPECT_TRUE(table.empty());
}
