// SPDX-License-Identifier: GPL-3.0-or-later
// Products of a warp (mma, wmma) and of a warpgroup (wgmma), each in a loop.
#pragma once
#include "operation_text.h"

struct Form {
    const char *name, *op;
    int a, b, c;
    char kind; // of the sums: f 32 bits of float, r any 32 bits, d doubles
    bool sparse = false;
};
inline const Form forms[] = {
    {"m16n8k8.f16", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 2, 1, 4, 'f'},
    {"m16n8k16.f16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4, 'f'},
    {"m16n8k16.f16.f16", "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2, 'r'},
    {"m16n8k8.bf16", "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 2, 1, 4, 'f'},
    {"m16n8k16.bf16", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4, 'f'},
    {"m16n8k4.tf32", "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 2, 1, 4, 'f'},
    {"m16n8k8.tf32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4, 'f'},
    {"m16n8k16.s8", "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32", 2, 1, 4, 'r'},
    {"m16n8k32.s8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 4, 2, 4, 'r'},
    {"m16n8k32.e4m3", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 2, 4, 'f'},
    {"m16n8k32.s4", "mma.sync.aligned.m16n8k32.row.col.s32.s4.s4.s32", 2, 1, 4, 'r'},
    {"m16n8k64.s4", "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", 4, 2, 4, 'r'},
    {"m16n8k256.b1", "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", 4, 2, 4, 'r'},
    {"m8n8k4.f64", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 1, 1, 2, 'd'},
    {"m16n8k4.f64", "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64", 2, 1, 4, 'd'},
    {"m16n8k8.f64", "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64", 4, 2, 4, 'd'},
    {"m16n8k16.f64", "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", 8, 4, 4, 'd'},
    {"m8n8k4.f16", "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", 2, 2, 8, 'f'},
    {"sp.m16n8k16.f16", "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 2, 2, 4, 'f', true},
    {"sp.m16n8k32.f16", "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", 4, 4, 4, 'f', true},
    {"sp.m16n8k64.s8", "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32", 4, 4, 4, 'r', true},
    {"wmma.m16n16k16.f16", "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", 8, 8, 8, 'f'},
    {"wmma.m16n16k16.f16.f16", "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16", 8, 8, 4, 'r'},
    {"wmma.m32n8k16.f16", "wmma.mma.sync.aligned.row.col.m32n8k16.f32.f32", 8, 8, 8, 'f'},
    {"wmma.m8n32k16.f16", "wmma.mma.sync.aligned.row.col.m8n32k16.f32.f32", 8, 8, 8, 'f'},
    {"wmma.m16n16k16.bf16", "wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32", 4, 4, 8, 'f'},
    {"wmma.m16n16k8.tf32", "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", 4, 4, 8, 'f'},
    {"wmma.m16n16k16.s8", "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32", 2, 2, 8, 'r'},
    {"wmma.m8n8k4.f64", "wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64.rn", 1, 1, 2, 'd'},
};

// Sums go through chains of their own, as many as `chains`; they begin differently, or ptxas would make one of them.
inline Text productText(const Form& f, int chains) {
    const char* type = f.kind == 'f' ? ".f32" : f.kind == 'd' ? ".f64" : ".b32";
    const char* input = f.kind == 'd' ? ".f64" : ".b32";
    Text t;
    t.declare = say(".reg %s a<8>, b<8>;\n.reg %s c<%d>;\n", input, type, f.c * chains);
    for (int k = 0; k < 8; ++k)
        t.before += f.kind == 'd' ? say("cvt.rn.f64.u32 a%d, x0;\nmov.f64 b%d, a%d;\n", k, k, k)
                                  : say("mov.b32 a%d, x0;\nmov.b32 b%d, x0;\n", k, k);
    t.before = "mov.u32 x0, 0;\nld.shared.u32 x0, [sm];\n" + t.before;
    for (int k = 0; k < f.c * chains; ++k)
        t.before += say("add.u32 x1, x0, %d;\n", k) + (f.kind == 'f'   ? say("cvt.rn.f32.u32 c%d, x1;\n", k)
                                                       : f.kind == 'd' ? say("cvt.rn.f64.u32 c%d, x1;\n", k)
                                                                       : say("mov.b32 c%d, x1;\n", k));
    for (int k = 0; k < chains; ++k) {
        const std::string c = list("c", f.c, f.c * k);
        t.each += say("%s %s, %s, %s, %s%s;\n", f.op, c.c_str(), list("a", f.a).c_str(), list("b", f.b).c_str(),
                      c.c_str(), f.sparse ? ", x0, 0" : "");
    }
    t.rounds = 128;
    t.copies = 4;
    t.keep = "setp.ne.u32 p0, x0, 0;\n";
    for (int k = 0; k < f.c * chains; ++k)
        t.keep += say("@p0 st.global%s [to], c%d;\n", type, k);
    return t;
}

struct Wide { // wgmma
    const char *name, *types, *tail;
    int k;
    char kind;
    int sumsOf64; // registers of a thread for 64 columns
};
inline const Wide wide[] = {{"f16", "f32.f16.f16", ", 1, 1, 0, 0", 16, 'f', 32},
                            {"f16.f16", "f16.f16.f16", ", 1, 1, 0, 0", 16, 'r', 16},
                            {"bf16", "f32.bf16.bf16", ", 1, 1, 0, 0", 16, 'f', 32},
                            {"tf32", "f32.tf32.tf32", ", 1, 1", 8, 'f', 32},
                            {"e4m3", "f32.e4m3.e4m3", ", 1, 1", 32, 'f', 32},
                            {"e4m3.f16", "f16.e4m3.e4m3", ", 1, 1", 32, 'r', 16},
                            {"s8", "s32.s8.s8", "", 32, 'r', 32}};

// `group` products in one group, of one tile; behind it all but `open` groups are waited for. A warpgroup has an A of its own.
inline Text wideText(const Wide& w, int n, bool registers, int group, int open) {
    const int sums = w.sumsOf64 * n / 64;
    const char* type = w.kind == 'f' ? ".f32" : ".b32";
    Text t;
    t.declare = say(".reg %s c<%d>;\n.reg .b32 a<4>;\n", type, sums);
    t.before = "shr.u32 x1, warp, 2;\nmul.lo.u32 x1, x1, 8192;\nadd.u32 x1, x1, sm;\nadd.u32 x1, x1, 32768;\nshr.u32 "
               "x1, x1, 4;\nand.b32 x1, x1, 0x3fff;\n"
               "cvt.u64.u32 y0, x1;\nor.b64 y0, y0, 0x4000004000010000;\nshr.u32 x2, sm, 4;\nand.b32 x2, x2, "
               "0x3fff;\ncvt.u64.u32 y1, x2;\n"
               "or.b64 y1, y1, 0x4000004000010000;\nld.shared.u32 x0, [sm];\nsetp.eq.u32 p1, x0, 0;\nmov.b32 a0, "
               "x0;\nmov.b32 a1, x0;\nmov.b32 a2, x0;\nmov.b32 a3, x0;\n";
    for (int k = 0; k < 4; ++k)
        t.before += say("add.u64 y%d, y0, %d;\nadd.u64 y%d, y1, %d;\n", 4 + k, 2 * k, 8 + k, 2 * k);
    for (int k = 0; k < sums; ++k)
        t.before += w.kind == 'f' ? say("mov.f32 c%d, 0f00000000;\n", k) : say("mov.b32 c%d, 0;\n", k);
    t.each = "wgmma.fence.sync.aligned;\n";
    const std::string c = list("c", sums);
    for (int k = 0; k < group; ++k) {
        const std::string a = registers ? list("a", 4) : say("y%d", 4 + k % 4);
        std::string tail = w.tail;
        if (registers && tail == ", 1, 1, 0, 0")
            tail = ", 1, 1, 0";
        t.each += "wgmma.mma_async.sync.aligned.m64n" + std::to_string(n) + "k" + std::to_string(w.k) + "." + w.types +
                  " " + c + ", " + a + say(", y%d, p1", 8 + k % 4) + tail + ";\n";
    }
    t.each += say("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned %d;\n", open);
    t.drain = "wgmma.wait_group.sync.aligned 0;\n";
    t.keep = "setp.ne.u32 p0, x0, 0;\n";
    for (int k = 0; k < sums; ++k)
        t.keep += say("@p0 st.global%s [to], c%d;\n", type, k);
    t.rounds = 128;
    return t;
}
