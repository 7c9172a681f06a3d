// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of clusters and fences, for a card (clusters.cpp) and for the timing
// model (tests/timing/test_operations.cpp).
#pragma once
#include "operation_text.h"

// x10: the beginning of shared memory of the block `distance` further on.
inline std::string neighbour(int cluster, int distance) {
    return say("add.u32 x11, rank, %d;\nrem.u32 x11, x11, "
               "%d;\nmapa.shared::cluster.u32 x10, sm, x11;\n",
               distance, cluster);
}

// p1: not the first block.
inline Text reaching(int cluster, int distance) {
    Text t;
    t.cluster = true;
    t.copies = 8;
    t.rounds = 32;
    t.before = neighbour(cluster, distance) + "setp.ne.u32 p1, rank, 0;\nmov.u32 x5, 0;\n";
    t.keep = "xor.b32 x5, x5, x10;\nsetp.eq.u32 p0, x5, 77;\n@p0 st.global.u32 "
             "[to], x5;\n";
    return t;
}
inline Text ofFirstBlock(const Text& t, const std::string& text) {
    Text only = t;
    only.each = "@p1 bra OVER#;\n" + text + "OVER#:\n";
    return only;
}
inline constexpr const char* loadChase = "ld.relaxed.cluster.shared::cluster.u32 x6, [x10];\nadd.u32 x10, x10, "
                                         "x6;\n";
inline constexpr const char* atomicChase = "atom.shared::cluster.add.u32 x6, [x10], 0;\nadd.u32 x10, x10, x6;\n";

inline Text clusterBarrier(bool relaxed) {
    Text t;
    t.cluster = true;
    t.rounds = 64;
    t.each = say("barrier.cluster.arrive%s.aligned;\nbarrier.cluster.wait.aligned;\n", relaxed ? ".relaxed" : "");
    return t;
}

// stored: behind a store to global memory.
inline Text fenceText(const std::string& fence, bool stored) {
    Text t;
    t.before = "mul.wide.u32 y0, tid, 4;\nadd.u64 y0, y0, data;\n";
    t.each = std::string(stored ? "st.global.u32 [y0], tid;\n" : "") + fence + ";\n";
    t.copies = 4;
    t.rounds = 32;
    return t;
}
