// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/fatbin/fatbin.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace warpglass;
using namespace warpglass::fatbin;

namespace {

using Bytes = std::vector<std::byte>;

Bytes bytesOf(std::string_view text) {
    const auto all = std::as_bytes(std::span(text.data(), text.size()));
    return {all.begin(), all.end()};
}
std::string textOf(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class T>
void put(Bytes& to, std::size_t at, T value) {
    if (to.size() < at + sizeof value)
        to.resize(at + sizeof value);
    std::memcpy(to.data() + at, &value, sizeof value);
}

// An image as nvcc 13 writes it: 64 bytes of head, then the bytes, padded to eight.
Bytes image(std::uint16_t kind, std::uint32_t arch, const Bytes& payload, std::uint64_t flags, std::uint64_t unpacked) {
    Bytes all;
    const std::uint64_t padded = (payload.size() + 7) / 8 * 8;
    put<std::uint16_t>(all, 0, kind);
    put<std::uint16_t>(all, 2, 0x0101);
    put<std::uint32_t>(all, 4, 64);
    put<std::uint64_t>(all, 8, padded);
    put<std::uint32_t>(all, 16, flags ? std::uint32_t(payload.size()) : 0);
    put<std::uint32_t>(all, 28, arch);
    put<std::uint64_t>(all, 40, flags);
    put<std::uint64_t>(all, 56, unpacked);
    all.insert(all.end(), payload.begin(), payload.end());
    all.resize(64 + padded);
    return all;
}

Bytes container(const std::vector<Bytes>& images) {
    Bytes all;
    put<std::uint32_t>(all, 0, 0xba55ed50);
    put<std::uint16_t>(all, 4, 1);
    put<std::uint16_t>(all, 6, 16);
    put<std::uint64_t>(all, 8, 0);
    for (const Bytes& i : images)
        all.insert(all.end(), i.begin(), i.end());
    put<std::uint64_t>(all, 8, all.size() - 16);
    return all;
}

} // namespace

// Three literals, then twelve minus three bytes from three back: nine, written as 9 - 4 in the low nibble.
TEST(Lz4, UnpacksAMatchThatOverlapsItself) {
    const Bytes packed = bytesOf(std::string_view("\x35"
                                                  "abc"
                                                  "\x03\x00"
                                                  "\x10"
                                                  "X",
                                                  8));
    const auto out = unpackLz4(packed, 13);
    ASSERT_TRUE(out) << out.error().text();
    EXPECT_EQ(textOf(*out), "abcabcabcabcX");
}

// A nibble of 15 goes on: 15 + 255 + 2 literals; and a match of 15 + 3 + 4.
TEST(Lz4, ReadsLongLengths) {
    const std::string literals(272, 'q');
    const std::string packed = std::string("\xff\xff\x02", 3) + literals + std::string("\x01\x00\x03", 3) + "\x10!";
    const auto out = unpackLz4(bytesOf(packed), 272 + 22 + 1);
    ASSERT_TRUE(out);
    EXPECT_EQ(textOf(*out), literals + std::string(22, 'q') + "!");
}

TEST(Lz4, RefusesWhatIsDamaged) {
    const std::string good("\x35"
                           "abc"
                           "\x03\x00"
                           "\x10"
                           "X",
                           8);
    EXPECT_FALSE(unpackLz4(bytesOf(good), 12));
    EXPECT_FALSE(unpackLz4(bytesOf(good), 14));
    EXPECT_FALSE(unpackLz4(bytesOf(good.substr(0, 5)), 13));
    std::string back = good;
    back[4] = 4; // four back where there are three
    EXPECT_FALSE(unpackLz4(bytesOf(back), 13));
    for (std::size_t n = 0; n < good.size(); ++n)
        for (int bit = 0; bit < 8; ++bit) { // whatever it is, it ends
            std::string bad = good;
            bad[n] = char(bad[n] ^ (1 << bit));
            (void)unpackLz4(bytesOf(bad), 13);
        }
}

TEST(Fatbin, ReadsPlainAndPackedPtxOfSeveralArchitectures) {
    const std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n";
    Bytes zstd(ZSTD_compressBound(text.size()));
    zstd.resize(ZSTD_compress(zstd.data(), zstd.size(), text.data(), text.size(), 3));
    const Bytes lz4 = bytesOf(std::string("\xf0\x1d", 2) + text); // 15 + 29 literals and nothing else
    ASSERT_EQ(text.size(), 44u);
    const Bytes all = container({image(2, 90,
                                       bytesOf("\x7f"
                                               "ELF"),
                                       0, 0),
                                 image(1, 75, bytesOf(text), 0, 0), image(1, 90, zstd, 0x8000, text.size()),
                                 image(1, 120, lz4, 0x2000, text.size())});
    const auto read = readContainer(all);
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_EQ(read->images.size(), 4u);
    EXPECT_EQ(read->images[0].kind, PackedImage::Kind::Elf);
    for (std::size_t n = 1; n < 4; ++n) {
        const auto ptx = ptxText(read->images[n]);
        ASSERT_TRUE(ptx) << ptx.error().text();
        EXPECT_EQ(*ptx, text);
    }
    EXPECT_EQ(bestPtx(*read, 90)->arch, 90u);
    EXPECT_EQ(bestPtx(*read, 89)->arch, 75u);
    EXPECT_EQ(bestPtx(*read, 70)->arch, 120u); // none fits: the newest
    EXPECT_EQ(containersAt(all.data())->front().images.size(), 4u);
}

// Two million zeros are a hundred bytes of zstd: a short image may ask for any memory.
TEST(Fatbin, UnpacksToNoMoreThanTheLimitOfMemory) {
    const std::string zeros(2'000'000, '\0');
    Bytes packed(ZSTD_compressBound(zeros.size()));
    packed.resize(ZSTD_compress(packed.data(), packed.size(), zeros.data(), zeros.size(), 3));
    ASSERT_LT(packed.size(), 500u);
    const Bytes all = container({image(1, 90, packed, 0x8000, zeros.size())});
    const auto read = readContainer(all);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_TRUE(ptxText(read->images[0]));
    setenv("WARPGLASS_MEMORY", "1M", 1);
    const auto refused = ptxText(read->images[0]);
    unsetenv("WARPGLASS_MEMORY");
    EXPECT_FALSE(refused);
}

TEST(Fatbin, FollowsTheListOfALinkedProgram) {
    const Bytes first = container({image(1, 90, bytesOf("a"), 0, 0)}),
                second = container({image(1, 90, bytesOf("b"), 0, 0)});
    const void* list[] = {first.data(), second.data(), nullptr};
    struct {
        std::uint32_t magic = 0x466243b1, version = 2;
        const void* linked = nullptr;
        const void* const* containers;
    } wrapper;
    wrapper.containers = list;
    const auto all = containersAt(&wrapper);
    ASSERT_TRUE(all);
    ASSERT_EQ(all->size(), 2u);
    EXPECT_EQ(*ptxText((*all)[1].images[0]), "b");
}

// Three files: PTX for 90 beside machine code, PTX for a newer device alone, and the device's part of the runtime.
TEST(Fatbin, GathersTheTextsThatSuitADevice) {
    const Bytes first = container({image(2, 90,
                                         bytesOf("\x7f"
                                                 "ELF"),
                                         0, 0),
                                   image(1, 90, bytesOf("a"), 0, 0)}),
                second = container({image(1, 120, bytesOf("b"), 0, 0)}),
                runtime = container({image(1, 90, bytesOf("call __cuda_syscall_cnp;"), 0, 0)});
    const void* list[] = {first.data(), second.data(), runtime.data(), nullptr};
    struct {
        std::uint32_t magic = 0x466243b1, version = 2;
        const void* linked = nullptr;
        const void* const* containers;
    } wrapper;
    wrapper.containers = list;
    const auto any = ptxTexts(&wrapper, 90, true), strict = ptxTexts(&wrapper, 90, false);
    ASSERT_TRUE(any && strict);
    EXPECT_EQ(any->texts, (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(any->others.empty() && any->isContainer);
    EXPECT_EQ(strict->texts, std::vector<std::string>{"a"});
    ASSERT_EQ(strict->others.size(), 1u);
    EXPECT_EQ(strict->others[0].arch, 120u);
    const auto none = ptxTexts("neither the one nor the other", 90, true);
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->isContainer);
}

TEST(Fatbin, RefusesWhatIsCutShort) {
    const Bytes all = container({image(1, 90, bytesOf("0123456789"), 0, 0)});
    for (std::size_t n = 0; n < all.size(); ++n)
        EXPECT_FALSE(readContainer(std::span(all).first(n))) << n;
    Bytes longer = all;
    put<std::uint64_t>(longer, 16 + 8, 1 << 20);
    EXPECT_FALSE(readContainer(longer));
    put<std::uint32_t>(longer, 16 + 4, 0xffffffff);
    EXPECT_FALSE(readContainer(longer));
}
