// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of bulk copies and mbarriers, for a card (copies.cpp) and for the timing model (tests/timing/test_operations.cpp).
#pragma once
#include "operation_text.h"

inline constexpr int barrierAt = 196608; // in shared memory, behind the tiles

inline std::string initialised(int barriers) {
    std::string text = say("add.u32 x10, sm, %d;\n", barrierAt);
    for (int k = 0; k < barriers; ++k)
        text += say("@first mbarrier.init.shared::cta.b64 [x10+%d], 1;\n", 8 * k);
    return text + "fence.mbarrier_init.release.cluster;\nmov.u32 x20, 0;\n";
}

enum class From { L2, Same, Dram };
inline const char* nameOf(From f) {
    return f == From::L2 ? "l2" : f == From::Same ? "l2_same" : "dram";
}

// y2: where copy number x20 of this block begins. Out of L2: 128 KB of each block's own, or of all; else nobody comes twice.
inline std::string place(From from, int bytes) {
    if (from == From::Dram)
        return say("mad.lo.u32 x21, x20, ctas, cta;\nmul.wide.u32 y2, x21, %d;\nadd.u64 y2, y2, data;\n", bytes);
    return say("mul.lo.u32 x21, x20, %d;\nand.b32 x21, x21, 131071;\n", bytes) +
           (from == From::L2 ? "mad.lo.u32 x21, cta, 131072, x21;\n" : "") +
           "cvt.u64.u32 y2, x21;\nadd.u64 y2, y2, data;\n";
}

// One thread keeps `flying` copies under way: each has its place and its mbarrier.
inline Text ring(int flying, int rounds, int bytes, const std::string& where, const std::string& copy) {
    Text t;
    t.copies = flying;
    t.rounds = rounds;
    const std::string issue = where + say("mbarrier.arrive.expect_tx.shared::cta.b64 _, [x10+8*#], %d;\n", bytes) +
                              copy + "add.u32 x20, x20, 1;\n";
    t.before = initialised(flying) + "@!first bra BEGIN;\n";
    for (int k = 0; k < flying; ++k)
        t.before += all(issue, "#", std::to_string(k));
    t.before += "BEGIN:\n";
    t.each = "@!first bra NEXT#;\nand.b32 x24, round, 1;\n" + waitFor("R#", "x10+8*#", "x24") + issue + "NEXT#:\n";
    t.drain = "@!first bra DONE;\nand.b32 x24, round, 1;\n";
    for (int k = 0; k < flying; ++k)
        t.drain += waitFor(say("D%d", k), say("x10+%d", 8 * k), "x24");
    t.drain += "DONE:\n";
    return t;
}

inline Text bulkLoads(int bytes, int flying, From from, int rounds) {
    return ring(flying, rounds, bytes, place(from, bytes),
                say("add.u32 x25, sm, %d*#;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [x25], "
                    "[y2], %d, [x10+8*#];\n",
                    bytes, bytes));
}

// Two warps wake each other: there and back.
inline Text thereAndBack(bool tries) {
    Text t;
    t.before = "@first mbarrier.init.shared::cta.b64 [sm], 32;\n@first mbarrier.init.shared::cta.b64 [sm+8], "
               "32;\nadd.u32 x10, sm, 8;\nbar.sync 0;\nsetp.eq.u32 p1, warp, 0;\n";
    const auto side = [&](const char* label, const char* at) {
        const std::string text = waitFor(label, at, "x24");
        return tries ? text : all(text, "try_wait", "test_wait");
    };
    t.each = "and.b32 x24, round, 1;\n@!p1 bra OTHER#;\nmbarrier.arrive.shared::cta.b64 _, [x10];\n" +
             side("A#", "sm") + "bra BOTH#;\nOTHER#:\n" + side("B#", "x10") +
             "mbarrier.arrive.shared::cta.b64 _, [sm];\nBOTH#:\n";
    t.rounds = 256;
    return t;
}

// A thread asks an mbarrier, or arrives there: what is written eight times in a row. Its first phase is open: the one before
// it, of parity 1, is over.
inline Text atBarrier(const std::string& each) {
    Text t;
    t.before = say("add.u32 x10, sm, 0;\n@first mbarrier.init.shared::cta.b64 [x10], %d;\n@first "
                   "mbarrier.init.shared::cta.b64 [x10+8], 1;\n@first mbarrier.init.shared::cta.b64 [x10+16], "
                   "32;\nbar.sync 0;\nmov.u32 x5, 0;\n",
                   1 << 19);
    t.each = each;
    t.copies = 8;
    t.rounds = 32;
    t.keep = "setp.eq.u32 p0, x5, 77;\n@p0 st.global.u64 [to], y5;\n";
    return t;
}
