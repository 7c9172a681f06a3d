// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels as PTX text around one operation: what products.cpp, copies.cpp and clusters.cpp give a card, and tests the
// timing model. An operation is one line, whatever its registers are.
#pragma once
#include <cstdarg>
#include <cstdio>
#include <string>

inline std::string say(const char* format, ...) {
    char text[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return text;
}
inline std::string all(const std::string& text, const std::string& what, const std::string& by) {
    std::string result = text;
    for (size_t at = 0; (at = result.find(what, at)) != std::string::npos; at += by.size())
        result.replace(at, what.size(), by);
    return result;
}
// "{a0, a1, a2}"
inline std::string list(const std::string& name, int count, int from = 0) {
    std::string text = "{";
    for (int k = 0; k < count; ++k)
        text += (k ? ", " : "") + name + std::to_string(from + k);
    return text + "}";
}

// Until the barrier's phase of this parity is over.
inline std::string waitFor(const std::string& label, const std::string& barrier, const std::string& parity) {
    return say("{\n.reg .pred done;\nWAIT_%s:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%s], %s;\n@!done bra "
               "WAIT_%s;\n}\n",
               label.c_str(), barrier.c_str(), parity.c_str(), label.c_str());
}

// In the texts stand: tid, warp, lane, cta (in the grid), ctas, rank (in the cluster), round; sm, where dynamic shared memory begins (zeros);
// data, where global memory does; map; the predicates first (thread 0) and lead (lane 0); x0 ... x63 of 32 bits, y0 ... y31 of 64, p0 ... p7.
// # is the number of the copy of `each` in a round.
struct Text {
    std::string declare, before, each, after, keep;
    int copies = 1, rounds = 64;
    std::string directives = {}; // behind the parameters
    bool cluster = false;        // blocks begin and end together
    std::string drain = {};      // inside the time, behind all rounds
};
inline std::string ptxOf(const Text& t) {
    std::string loop;
    for (int k = 0; k < t.copies; ++k)
        loop += all(t.each, "#", std::to_string(k));
    const std::string together = t.cluster ? "barrier.cluster.arrive;\nbarrier.cluster.wait;\n" : "bar.sync 0;\n";
    return ".version 8.6\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 s[];\n"
           ".visible .entry k(.param .u64 out, .param .u64 where, .param .align 64 .b8 map_[128])\n" +
           t.directives +
           "{\n.reg .pred p<8>, first, lead, more;\n.reg .b32 x<64>, tid, warp, lane, cta, ctas, rank, round, sm, "
           "slot;\n"
           ".reg .b64 y<32>, data, map, begin, end, to;\n" +
           t.declare +
           "\nmov.u32 tid, %tid.x;\nshr.u32 warp, tid, 5;\nand.b32 lane, tid, 31;\nmov.u32 cta, %ctaid.x;\n"
           "mov.u32 ctas, %nctaid.x;\nmov.u32 rank, %cluster_ctarank;\nmov.u32 sm, s;\nsetp.eq.u32 first, tid, 0;\n"
           "setp.eq.u32 lead, lane, 0;\nld.param.u64 data, [where];\nmov.b64 map, map_;\ncvta.param.u64 map, map;\n"
           "mov.u32 x63, tid;\nmov.u32 x62, %dynamic_smem_size;\nmov.u32 x60, %ntid.x;\nshl.b32 x60, x60, 2;\nshl.b32 "
           "x61, x63, 2;\n"
           "ZERO:\nsetp.ge.u32 more, x61, x62;\n@more bra ZEROED;\nadd.u32 x63, sm, x61;\nst.shared.u32 [x63], "
           "0;\nadd.u32 x61, x61, x60;\n"
           "bra ZERO;\nZEROED:\nbar.sync 0;\n" +
           t.before + "\nbar.sync 0;\nfence.proxy.async;\n" + together +
           "mov.u64 begin, %clock64;\nmov.u32 round, 0;\nLOOP:\n" + loop +
           say("add.u32 round, round, 1;\nsetp.lt.u32 more, round, %d;\n@more bra.uni LOOP;\n", t.rounds) + t.drain +
           "\nmov.u64 end, %clock64;\n" + t.after + "\n" + together +
           "ld.param.u64 to, [out];\nmad.lo.u32 slot, cta, 32, warp;\nmul.wide.u32 y31, slot, 16;\nadd.u64 to, to, "
           "y31;\n"
           "@lead st.global.u64 [to], begin;\n@lead st.global.u64 [to+8], end;\n" +
           t.keep + "\nret;\n}\n";
}
