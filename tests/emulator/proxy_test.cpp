// SPDX-License-Identifier: GPL-3.0-or-later
// Shared memory between threads and the asynchronous proxy: fences, phases, copies and products that still read; threads that
// a barrier leaves out; and who used a word. Each beside its like that is right, of which nothing is told.
#include "tests/emulator/run_kernel.h"

#include "gpu/base/messages/emulator.h"

#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

using Words = std::vector<int>;

Kernel proxy(const char* entry, std::uint32_t threads, std::vector<Argument> arguments) {
    return Kernel(entry, {1}, {threads}, std::move(arguments), "proxy.ptx");
}
// The product of warpgroup.ptx, with a barrier before it, and a line of it instead of another.
Kernel product(const std::string& from, const std::string& to) {
    Kernel k("twice", {1}, {128}, {buffer(std::vector<float>(512))}, "warpgroup.ptx");
    const auto replace = [&](const std::string& old, const std::string& by) {
        const std::size_t at = k.plan.ptx.find(old);
        EXPECT_NE(at, std::string::npos) << old;
        k.plan.ptx.replace(at, old.size(), by);
    };
    replace(from, to);
    replace("wgmma.fence.sync.aligned;", "bar.sync 0; wgmma.fence.sync.aligned;");
    return k;
}

void isQuiet(Kernel k) {
    for (const Reconvergence way : {Reconvergence::PostDominatorStack, Reconvergence::IndependentThreads}) {
        k.options.reconvergence = way;
        const Recording r = k.run();
        EXPECT_FALSE(r.fault) << r.fault->text();
        for (const Diagnostic& d : r.trace->diagnostics)
            ADD_FAILURE() << k.plan.entry << ": " << d.message;
    }
}
// Told once, and nothing else.
void isTold(Kernel k, DiagnosticKind kind, const std::vector<std::string>& parts) {
    const Recording r = k.run();
    ASSERT_EQ(r.trace->diagnostics.size(), 1u) << k.plan.entry;
    const Diagnostic& d = r.trace->diagnostics.front();
    EXPECT_EQ(d.kind, kind) << d.message;
    for (const std::string& part : parts)
        EXPECT_NE(d.message.find(part), std::string::npos) << part << " is missing in: " << d.message;
}

Argument sums() {
    return buffer(Words(64));
}

TEST(AsyncProxy, ReadsWhatWasStoredBehindAFenceAlone) {
    isQuiet(proxy("addsFenced", 64, {sums()}));
    isQuiet(proxy("addsFencedBehind", 64, {sums()})); // by who asks, behind the barrier
    isQuiet(proxy("addsByAWarp", 32, {sums()}));      // likewise, behind __syncwarp
    isTold(proxy("addsUnfenced", 64, {sums()}), DiagnosticKind::AsyncHazard,
           {"No fence.proxy.async stands between the store of tile[0] by thread (0) at line 44 of proxy.cu",
            "the asynchronous copy that reads it here", "line 14 of proxy.cu"});
    // The first warp stored before its lane's fence, the second one is not known to.
    isTold(proxy("addsFencedByOne", 64, {sums()}), DiagnosticKind::AsyncHazard, {"store of tile[32] by thread (32)"});
    // tile[0] was written by thread 0, fenced, and then by thread 63.
    isTold(proxy("addsWhatWasWrittenAgain", 64, {sums()}), DiagnosticKind::AsyncHazard,
           {"store of tile[0] by thread (63) at line 64 of proxy.cu"});
}

TEST(AsyncProxy, ProductsReadWhatIsFenced) {
    isQuiet(product("fence.proxy.async;", "fence.proxy.async.shared::cta;"));
    for (const char* other : {"", "fence.proxy.async.global;", "membar.cta;"})
        isTold(product("fence.proxy.async;", other), DiagnosticKind::AsyncHazard,
               {"No fence.proxy.async stands between the store of", "PTX line 30 (st.shared.v4.b32",
                "the product of matrices that reads it here"});
}

TEST(AsyncProxy, NothingIsWrittenUnderAProduct) {
    // The first four bytes of a, which the first warp's product alone reads, before the wait and not behind it.
    isTold(product("wgmma.wait_group.sync.aligned 0;",
                   "@!%p2 st.shared.b32 [%r1], %r0;\nwgmma.wait_group.sync.aligned 0;"),
           DiagnosticKind::AsyncHazard,
           {"(a[0]) was overwritten by thread (0) (PTX line 56", "wgmma.wait_group has to come before"});
}

TEST(AsyncProxy, RegistersOfAProductWaitForIt) {
    // Moves hand them on; a sum uses them. %f4 is nobody's.
    isQuiet(product("wgmma.wait_group.sync.aligned 0;", "mov.f32 %f4, %f0;\nwgmma.wait_group.sync.aligned 0;"));
    isQuiet(product("wgmma.wait_group.sync.aligned 0;", "wgmma.wait_group.sync.aligned 0;\nadd.f32 %f4, %f0, %f1;"));
    for (const char* use : {"add.f32 %f4, %f0, %f1;\n", "mov.f32 %f4, %f3;\nadd.f32 %f5, %f4, %f4;\n"})
        isTold(product("wgmma.wait_group.sync.aligned 0;", use + std::string("wgmma.wait_group.sync.aligned 0;")),
               DiagnosticKind::AsyncHazard,
               {"uses a register of the product of matrices at PTX line 54", "before wgmma.wait_group"});
}

// The product with an mbarrier, made by the first thread, and 16 bytes that it asks for of `out`: to a[0] or b[0].
Kernel copying(const std::vector<std::pair<std::string, std::string>>& changes) {
    Kernel k = product("mov.f32 %f0, 0f00000000;",
                       "mov.u32 %r10, bar;\n@!%p2 mbarrier.init.shared::cta.b64 [%r10], 1;\nmov.f32 %f0, 0f00000000;");
    const auto replace = [&](const std::string& old, const std::string& by) {
        const std::size_t at = k.plan.ptx.find(old);
        EXPECT_NE(at, std::string::npos) << old;
        k.plan.ptx.replace(at, old.size(), by);
    };
    replace(".shared .align 128 .b8 b[256];", ".shared .align 128 .b8 b[256];\n.shared .align 8 .b64 bar;");
    for (const auto& [old, by] : changes)
        replace(old, by);
    return k;
}
const std::string waitsForProduct = "wgmma.wait_group.sync.aligned 0;";
std::string bringTo(const std::string& address) {
    return "@!%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [" + address +
           "], [%d0], 16, [%r10];\n";
}

// 16 bytes are announced and waited for, phase 0 of one arrival, before the next copy is asked for.
const std::string andWaits = "@!%p2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r10], 16;\n"
                             "wait: mbarrier.try_wait.parity.shared::cta.b64 %p0, [%r10], 0;\n@!%p0 bra wait;\n";

TEST(AsyncProxy, ACopyGoesWhereAnotherIsUnderWay) {
    isTold(copying({{waitsForProduct, waitsForProduct + "\n" + bringTo("%r1") + bringTo("%r1")}}),
           DiagnosticKind::AsyncHazard,
           {"(a[0]) is asked for while another one that was asked for at PTX line",
            "that one has to be waited for first"});
    isQuiet(copying({{waitsForProduct, waitsForProduct + "\n" + bringTo("%r1") + bringTo("%r1+16")}})); // beside it
}

TEST(AsyncProxy, ACopyGoesWhereAProductReads) {
    isTold(copying({{waitsForProduct, bringTo("%r1") + waitsForProduct}}), DiagnosticKind::AsyncHazard,
           {"(a[0]) is asked for while the product of matrices at PTX line", "wgmma.wait_group has to come first"});
    isQuiet(copying({{waitsForProduct, waitsForProduct + "\n" + bringTo("%r1")}}));
}

// Thread 112 writes b's first 16 bytes no longer (112 -> 113): a copy is to bring them.
TEST(AsyncProxy, AProductReadsWhatACopyHasBrought) {
    const std::pair<std::string, std::string> leavesOut{"setp.lt.u32 %p1, %r0, 112;", "setp.lt.u32 %p1, %r0, 113;"};
    const std::string fence = "bar.sync 0; wgmma.fence.sync.aligned;"; // behind the barrier the mbarrier is there
    isTold(copying({leavesOut, {fence, fence + "\n" + bringTo("%r2")}}), DiagnosticKind::AsyncHazard,
           {"(b[0]) before the asynchronous copy into it has been waited for (asked for by warp 0 at PTX line",
            "the mbarrier that the copy reports to"});
    isQuiet(copying({leavesOut, {fence, fence + "\n" + bringTo("%r2") + andWaits}}));
}

TEST(AsyncPhases, OfAWaitThatIsSatisfiedByAnOlderOneAreNamed) {
    const auto rows = [](const char* entry) {
        return proxy(entry, 64, {buffer(Words(6 * 64, 1)), buffer(Words(64)), value(6)});
    };
    isQuiet(rows("stagesFlip"));
    const Recording r = rows("stagesDoNot").run();
    // Row 2 comes in phase 1 of stage 0, whose phase 0 was row 0's: so the wait for parity 0 passes.
    // Row 4 is asked for while row 2's phase is under way: the same wait let the thread come there. One cause, one message.
    ASSERT_TRUE(r.fault);
    for (const char* part :
         {"was satisfied by phase 0 that ended before the copy was asked for at line 24 of proxy.cu",
          "reads stage[0] before that copy has come (line ",
          "and arrives at the mbarrier full[0] again while phase 1, to which it belongs, still waits for 256 bytes"})
        EXPECT_NE(r.fault->message.find(part), std::string::npos) << part << " is missing in: " << r.fault->message;
    EXPECT_EQ(r.fault->message.find("too many threads"), std::string::npos) << r.fault->message;
    for (const Diagnostic& d : r.trace->diagnostics)
        EXPECT_TRUE(d.fatal || d.message.find("satisfied by phase") == std::string::npos) << d.message;
}

TEST(AsyncPhases, ARowIsNotAskedForWhileOthersMayReadTheLast) {
    const auto rows = [](const char* entry) {
        return proxy(entry, 64, {buffer(Words(5 * 64, 1)), buffer(Words(64)), value(5)});
    };
    isQuiet(rows("refillsWhenAllHaveRead"));
    EXPECT_TRUE(find(rows("refillsEarly").run(), DiagnosticKind::AsyncHazard));
}

TEST(Barriers, TellWhoHasWorkElsewhereAndNotWhoReturns) {
    isQuiet(proxy("othersReturn", 64, {sums(), value(40)}));
    isQuiet(proxy("othersReturnBeforeALoop", 64, {sums(), value(40)}));
    isQuiet(proxy("othersWork", 64, {sums(), value(64)})); // nobody else is there
    isTold(proxy("othersWork", 64, {sums(), value(40)}), DiagnosticKind::BarrierDivergence,
           {"24 of the block's 64 threads have taken another way", "line 154 of proxy.cu"});
}

// 300,000 rows of 8,192 bytes; row 270,000 begins at byte 2,211,840,000, which is 2^31 + 64,356,352 and so, as an int,
// -2,083,127,296: 2^32 bytes lower.
TEST(Addresses, OfAnIndexThatWrappedSayWhereTheyWereToLead) {
    Argument table = buffer(std::vector<std::uint8_t>(1), "table");
    table.count = std::uint64_t(300000) * 8192;
    table.fill = {};
    Kernel k = proxy("wraps", 1, {table, value(270000), value(8192)});
    k.options.results = false;
    const Recording r = k.run();
    ASSERT_TRUE(r.fault);
    EXPECT_NE(r.fault->message.find(
                  "2^32 elements of 1 byte below byte 2211840000 of buffer \"table\": a 32-bit index wrapped"),
              std::string::npos)
        << r.fault->message;
}

struct Use {
    std::string does, value;
    std::uint32_t thread;
    bool operator==(const Use&) const = default;
};
std::vector<Use> usesOf(const WatchedWord& word) {
    Kernel k = proxy("doubles", 64, {buffer(Words(64), "out")});
    k.options.word = word;
    const Recording r = k.run();
    std::vector<Use> uses;
    for (const Diagnostic& d : r.trace->diagnostics) {
        const Message whole = d.message.message();
        if (whole.id != say::OfThread.id)
            continue;
        const Message& what = std::get<std::vector<Message>>(whole.arguments[0]).front();
        uses.push_back({Said(std::get<std::vector<Message>>(what.arguments[0]).front()).text(),
                        std::get<std::string>(what.arguments[1]), d.thread});
    }
    return uses;
}

// The last first. Thread 63 writes 2 * 3 * 63 = 378; thread 0 then 3 * 62 = 186. Thread 62 writes 372, to which thread 1 adds 5.
TEST(WhoUsed, AWordIsToldWithItsValuesLastFirst) {
    using Uses = std::vector<Use>;
    EXPECT_EQ(usesOf({.object = "out", .index = 63}), (Uses{{"writes", "186", 0}, {"writes", "378", 63}}));
    const Uses sum = usesOf({.object = "out", .index = 62});
    ASSERT_EQ(sum.size(), 2u);
    EXPECT_EQ(sum[0], (Use{"changes", "377", 1}));
    EXPECT_EQ(sum[1], (Use{"writes", "372", 62}));
    // Element 62 of shared memory: thread 62 writes 186 and reads it, then thread 0 does.
    EXPECT_EQ(usesOf({.shared = true, .object = "tile", .index = 62}),
              (Uses{{"reads", "186", 0}, {"reads", "186", 62}, {"writes", "186", 62}}));
    EXPECT_EQ(usesOf({.shared = true, .block = 1, .object = "tile", .index = 62}), Uses{}); // there is no such block
    Kernel k = proxy("doubles", 64, {buffer(Words(64), "out")});
    k.options.word = WatchedWord{.object = "in", .index = 0};
    EXPECT_THROW(k.run(), std::runtime_error);
}

} // namespace
} // namespace warpglass::testing
