// SPDX-License-Identifier: GPL-3.0-or-later
// What a thread is certain to touch, worked out by hand from each kernel's text.
#include "gpu/ptx/certain_accesses.h"
#include "gpu/ptx/parse.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warpglass::ptx {
namespace {

struct CertainKernel {
    Module module;
    std::vector<std::byte> parameters;

    CertainKernel(const std::string& declared, const std::string& body) {
        auto parsed = parse(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(" + declared + ")\n{\n" +
                                ".reg .pred %p<8>;\n.reg .b32 %r<16>;\n.reg .f32 %f<4>;\n.reg .b64 %rd<16>;\n" + body +
                                "ret;\n}\n",
                            "k");
        EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().text());
        if (parsed)
            module = std::move(*parsed);
    }
    template <class T>
    CertainKernel& with(T value) {
        parameters.resize((parameters.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
        parameters.resize(parameters.size() + sizeof(T));
        std::memcpy(parameters.data() + parameters.size() - sizeof(T), &value, sizeof(T));
        return *this;
    }
    std::string touched(Dim3 index, Dim3 thread, std::size_t instructions = 20'000) const {
        std::string all;
        for (const CertainAccess& a : certainAccesses(*module.findFunction("k"), parameters,
                                                      {{4, 1, 1}, {64, 1, 1}, index, thread}, instructions)) {
            char text[64];
            std::snprintf(text, sizeof text, "%s%s%llx+%u", a.strong ? "!" : "", a.writes ? "w" : "r",
                          static_cast<unsigned long long>(a.address), a.bytes);
            all += (all.empty() ? "" : " ") + std::string(text);
        }
        return all;
    }
};

// out[i] = in[i] for i < n, i = block * 64 + thread: as nvcc writes it.
const char* const certainCopy =
    "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [in];\nld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"
    "mad.lo.s32 %r5, %r2, %r3, %r4;\nsetp.ge.s32 %p1, %r5, %r1;\n@%p1 bra DONE;\n"
    "cvta.to.global.u64 %rd3, %rd2;\nmul.wide.s32 %rd4, %r5, 4;\nadd.s64 %rd5, %rd3, %rd4;\n"
    "ld.global.f32 %f1, [%rd5];\ncvta.to.global.u64 %rd6, %rd1;\nadd.s64 %rd7, %rd6, %rd4;\n"
    "st.global.f32 [%rd7+8], %f1;\nDONE:\n";
const char* const certainPointers = ".param .u64 out, .param .u64 in, .param .u32 n";

// Thread 3 of block 2 is 2 * 64 + 3 = 131, 524 bytes behind the beginning: 0x20c.
TEST(CertainAccesses, FollowAnIndexToItsAddresses) {
    CertainKernel k(certainPointers, certainCopy);
    k.with<std::uint64_t>(0x10000).with<std::uint64_t>(0x20000).with<std::uint32_t>(200);
    EXPECT_EQ(k.touched({0, 0, 0}, {0, 0, 0}), "r20000+4 w10008+4");
    EXPECT_EQ(k.touched({2, 0, 0}, {3, 0, 0}), "r2020c+4 w10214+4");
    EXPECT_EQ(k.touched({3, 0, 0}, {8, 0, 0}), ""); // 200: beyond the end
}

// A loop of three rounds: i = thread; i < 3 * 64; i += 64.
TEST(CertainAccesses, GoRoundALoopWhoseEndIsKnown) {
    CertainKernel k(".param .u64 out",
                    "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nL:\nmul.wide.u32 %rd2, %r1, 8;\n"
                    "add.s64 %rd3, %rd1, %rd2;\nst.global.u64 [%rd3], %rd1;\nadd.s32 %r1, %r1, 64;\n"
                    "setp.lt.u32 %p1, %r1, 192;\n@%p1 bra L;\n");
    k.with<std::uint64_t>(0x1000);
    EXPECT_EQ(k.touched({0, 0, 0}, {1, 0, 0}), "w1008+8 w1208+8 w1408+8");
    EXPECT_EQ(k.touched({0, 0, 0}, {1, 0, 0}, 5), "w1008+8"); // the five first instructions
}

// What memory holds is not known: neither an address made of it, nor which way a branch on it goes, nor whether a guarded store
// is carried out.
TEST(CertainAccesses, EndWhereMemoryDecides) {
    CertainKernel k(".param .u64 out",
                    "ld.param.u64 %rd1, [out];\nld.global.u32 %r1, [%rd1];\nmul.wide.u32 %rd2, %r1, 4;\n"
                    "add.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r1;\nsetp.eq.u32 %p1, %r1, 0;\n"
                    "@%p1 st.global.u32 [%rd1+4], %r1;\nst.global.u32 [%rd1+8], %r1;\n@%p1 bra L;\n"
                    "st.global.u32 [%rd1+12], %r1;\nL:\n");
    k.with<std::uint64_t>(0x1000);
    EXPECT_EQ(k.touched({0, 0, 0}, {0, 0, 0}), "r1000+4 w1008+4");
}

// A register that is overwritten by what is not known is not known any more, under a guard as well.
TEST(CertainAccesses, ForgetWhatIsOverwritten) {
    CertainKernel k(".param .u64 out",
                    "ld.param.u64 %rd1, [out];\nmov.u64 %rd2, %rd1;\nmov.u64 %rd3, %rd1;\nld.shared.u64 %rd2, [0];\n"
                    "ld.shared.u32 %r1, [8];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 add.s64 %rd3, %rd3, 16;\n"
                    "st.global.u32 [%rd2], 1;\nst.global.u32 [%rd3], 1;\nst.global.u32 [%rd1], 1;\n");
    k.with<std::uint64_t>(0x1000);
    EXPECT_EQ(k.touched({0, 0, 0}, {0, 0, 0}), "w1000+4");
}

// Signs: -1 as a 32-bit index is 8 bytes before, by .s32, and 4 Gi places behind, by .u32. A shift to the right keeps the sign.
TEST(CertainAccesses, KeepSignsAndWidths) {
    CertainKernel k(
        ".param .u64 out, .param .s32 i",
        "ld.param.u64 %rd1, [out];\nld.param.s32 %r1, [i];\nmul.wide.s32 %rd2, %r1, 8;\nadd.s64 %rd3, %rd1, %rd2;\n"
        "st.global.u8 [%rd3], 1;\nmul.wide.u32 %rd4, %r1, 8;\nadd.s64 %rd5, %rd1, %rd4;\n"
        "st.global.u8 [%rd5], 1;\nshr.s32 %r2, %r1, 31;\ncvt.s64.s32 %rd6, %r2;\nadd.s64 %rd7, %rd1, %rd6;\n"
        "st.global.u8 [%rd7], 1;\ncvt.u64.u32 %rd8, %r1;\nshl.b64 %rd9, %rd8, 2;\nadd.s64 %rd10, %rd1, %rd9;\n"
        "ld.volatile.global.v2.u32 {%r3, %r4}, [%rd10];\nred.global.add.u32 [%rd1], 1;\n");
    k.with<std::uint64_t>(0x1'0000'0000).with<std::int32_t>(-1);
    EXPECT_EQ(k.touched({0, 0, 0}, {0, 0, 0}),
              "wfffffff8+1 w8fffffff8+1 wffffffff+1 !r4fffffffc+8 !r100000000+4 !w100000000+4");
}

TEST(CertainAccesses, KnowWhoMayListen) {
    const auto listens = [](const char* body) {
        CertainKernel k(".param .u64 out", std::string("ld.param.u64 %rd1, [out];\n") + body);
        return mayListen(*k.module.findFunction("k"));
    };
    EXPECT_FALSE(
        listens("ld.global.u32 %r1, [%rd1];\nred.global.add.u32 [%rd1], 1;\natom.shared.add.u32 %r1, [0], 1;\n"));
    EXPECT_TRUE(listens("ld.volatile.global.u32 %r1, [%rd1];\n"));
    EXPECT_TRUE(listens("ld.acquire.gpu.global.u32 %r1, [%rd1];\n"));
    EXPECT_TRUE(listens("atom.global.cas.b32 %r1, [%rd1], 0, 1;\n"));
}

} // namespace
} // namespace warpglass::ptx
