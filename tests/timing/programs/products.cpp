// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor cores operation by operation, and what brings their tiles from shared memory: the rows mma, wmma, wgmma,
// ldmatrix and stmatrix of h200-micro.csv. g++ -O2 -std=c++20 products.cpp -lcuda.
#include "operations.h"
#include "product_text.h"

namespace {

// Rows of matrices lie `ways` x 16 bytes from each other. Loads wait for what they loaded a round before, or (chain) just before.
Text matrixMove(bool load, int count, bool transposed, bool chain, int ways) {
    Text t;
    const std::string shape = say("matrix.sync.aligned.m8n8.x%d%s.shared.b16", count, transposed ? ".trans" : "");
    constexpr int copies = 16; // each with registers of its own
    t.declare = ".reg .b32 v<64>, a<16>;\n";
    t.before = say("mul.lo.u32 x1, lane, %d;\nmul.lo.u32 x2, warp, 1024;\nand.b32 x2, x2, 16383;\nadd.u32 x1, x1, "
                   "x2;\nadd.u32 x1, x1, sm;\n",
                   16 * ways);
    for (int k = 0; k < copies; ++k)
        t.before += say("mov.u32 a%d, x1;\n", k);
    for (int k = 0; k < 64; ++k)
        t.before += say("mov.b32 v%d, 0;\n", k);
    for (int k = 0; k < copies; ++k) {
        const std::string values = list("v", count, chain ? 0 : 4 * k);
        const int at = chain ? 0 : k;
        t.each += load ? "ld" + shape + " " + values +
                             say(", [a%d];\nadd.u32 a%d, a%d, v%d;\n", at, at, at, chain ? 0 : 4 * k)
                       : "st" + shape + say(" [a%d], ", at) + values + ";\n";
    }
    t.rounds = 64;
    t.keep = "mov.u32 x3, 0;\n";
    for (int k = 0; k < 16; ++k)
        t.keep += say("or.b32 x3, x3, a%d;\n", k);
    t.keep += "setp.eq.u32 p0, x3, 77;\n@p0 st.global.u32 [to], x3;\n";
    return t;
}

} // namespace

int main(int argc, char** argv) {
    begin(argc, argv, 1 << 20);
    for (const Form& f : forms) {
        row(say("product/%s/warps:1/chains:1", f.name), productText(f, 1), {.warps = 1, .shared = 1024});
        for (const int warps : {1, 4, 8, 16})
            for (const int chains : {2, 4, 8})
                if (f.c * chains <= 64 && (chains == 4 || warps == 4 || warps == 1))
                    row(say("product/%s/warps:%d/chains:%d", f.name, warps, chains), productText(f, chains),
                        {.warps = warps, .shared = 1024}, 1.0 / chains);
    }
    for (const Wide& w : wide)
        for (const int n : {8, 16, 32, 64, 96, 128, 192, 256}) {
            const bool all = w.types == std::string("f32.bf16.bf16");
            if (!all && n != 64 && n != 128 && n != 256)
                continue;
            for (const bool registers : {false, true})
                for (const int groups : {1, 2, 3}) {
                    if (groups == 3 && n > 192)
                        continue;
                    const std::string name =
                        say("wgmma/%s/n:%d/a:%s/warpgroups:%d", w.name, n, registers ? "registers" : "shared", groups);
                    const Shape shape{.warps = 4 * groups, .shared = 65536};
                    row(name + "/alone", wideText(w, n, registers, 1, 0), shape);
                    row(name + "/fours", wideText(w, n, registers, 4, 0), shape, 0.25);
                    row(name + "/stream", wideText(w, n, registers, 4, 1), shape, 0.25);
                }
        }
    for (const int count : {1, 2, 4})
        for (const bool transposed : {false, true}) {
            const std::string name = say("x%d%s", count, transposed ? ".trans" : "");
            row("ldmatrix/" + name + "/latency", matrixMove(true, count, transposed, true, 1),
                {.warps = 1, .shared = 65536}, 1.0 / 16);
            for (const int warps : {1, 4, 8, 16}) {
                row("ldmatrix/" + name + say("/warps:%d", warps), matrixMove(true, count, transposed, false, 1),
                    {.warps = warps, .shared = 65536}, 1.0 / 16 / warps);
                row("stmatrix/" + name + say("/warps:%d", warps), matrixMove(false, count, transposed, false, 1),
                    {.warps = warps, .shared = 65536}, 1.0 / 16 / warps);
            }
        }
    for (const int ways : {2, 4, 8})
        row(say("ldmatrix/x4/stride:%d/warps:8", 16 * ways), matrixMove(true, 4, false, false, ways),
            {.warps = 8, .shared = 65536}, 1.0 / 16 / 8);
}
