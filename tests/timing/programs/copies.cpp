// SPDX-License-Identifier: GPL-3.0-or-later
// Copies that a thread asks for and does not wait for: cp.async, bulk and tensor copies, to shared memory and from it, and
// the mbarriers that they come to: the rows lane_copy, bulk, tensor, bulk_store, bulk_sum, tensor_store and mbarrier of
// h200-micro.csv. g++ -O2 -std=c++20 copies.cpp -lcuda.
#include "copy_text.h"
#include "operations.h"

namespace {

constexpr uint64_t gigabyte = 1ull << 30;
// Warps copy 4, 8 or 16 bytes a lane; `flying` groups are under way.
Text laneCopies(int bytes, bool past, int flying, From from) {
    Text t;
    t.before = "mov.u32 x20, 0;\nshl.b32 x1, tid, 4;\nadd.u32 x1, x1, sm;\n";
    const std::string one =
        say("mad.lo.u32 x22, x20, %%ntid.x, tid;\n") +
        (from == From::Dram ? say("mul.lo.u32 x23, %%ntid.x, 4096;\nmad.lo.u32 x22, cta, x23, x22;\nmul.wide.u32 y2, "
                                  "x22, %d;\nadd.u64 y2, y2, data;\n",
                                  bytes)
                            : say("mul.lo.u32 x22, x22, %d;\nand.b32 x22, x22, 131071;\nmad.lo.u32 x22, cta, 131072, "
                                  "x22;\ncvt.u64.u32 y2, x22;\nadd.u64 y2, y2, data;\n",
                                  bytes)) +
        say("cp.async.%s.shared.global [x1], [y2], %d;\ncp.async.commit_group;\nadd.u32 x20, x20, 1;\n",
            past ? "cg" : "ca", bytes);
    t.each = one + say("cp.async.wait_group %d;\n", flying - 1);
    t.before += "mov.u32 x40, %ntid.x;\n";
    t.each = all(t.each, "%ntid.x", "x40");
    t.drain = "cp.async.wait_group 0;\n";
    t.copies = 4;
    t.rounds = 64;
    return t;
}

struct Box {
    int width, height, elementBytes;
    CUtensorMapSwizzle swizzle;
    const char* swizzled;
};
// Tiles of a matrix of 64 of them side by side.
CUtensorMap mapOf(const Box& box, uint64_t rows) {
    CUtensorMap map{};
    if (writeText)
        return map;
    const cuuint64_t size[] = {cuuint64_t(box.width) * 64, rows},
                     pitch[] = {cuuint64_t(box.width) * 64 * cuuint64_t(box.elementBytes)};
    const cuuint32_t tile[] = {cuuint32_t(box.width), cuuint32_t(box.height)}, one[] = {1, 1};
    CHECK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, reinterpret_cast<void*>(memory), size,
                                 pitch, tile, one, CU_TENSOR_MAP_INTERLEAVE_NONE, box.swizzle,
                                 CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    return map;
}
// x26, x27: the tile's corner. Out of L2: among 8 tiles of a block's own.
std::string corner(From from, const Box& box) {
    const std::string number =
        from == From::Dram ? "mad.lo.u32 x21, x20, ctas, cta;\n"
                           : say("and.b32 x21, x20, 7;\n") + (from == From::L2 ? "mad.lo.u32 x21, cta, 8, x21;\n" : "");
    return number +
           say("and.b32 x26, x21, 63;\nmul.lo.u32 x26, x26, %d;\nshr.u32 x27, x21, 6;\nmul.lo.u32 x27, x27, %d;\n",
               box.width, box.height);
}
Text tensorLoads(const Box& box, int flying, From from, int rounds) {
    const int bytes = box.width * box.height * box.elementBytes;
    return ring(
        flying, rounds, bytes, corner(from, box),
        say("add.u32 x25, sm, %d*#;\ncp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
            "[x25], [map, {x26, x27}], [x10+8*#];\n",
            bytes));
}

// Blocks of a cluster share tiles: each loads its part of a tile for all. They meet before each tile.
Text multicast(int cluster, const Box& part, int flying, bool shared, From from) {
    const int bytes = part.width * part.height * 2;
    const int parts = cluster; // of a tile
    Text t;
    t.cluster = true;
    t.rounds = 64;
    t.before = initialised(flying) + say("shr.u32 x50, cta, %d;\nmov.u16 h0, %d;\n",
                                         cluster == 1   ? 0
                                         : cluster == 2 ? 1
                                                        : 2,
                                         (1 << cluster) - 1);
    t.declare = ".reg .b16 h0;\n";
    t.each = "barrier.cluster.arrive;\nbarrier.cluster.wait;\n@!first bra AFTER;\n";
    for (int k = 0; k < flying; ++k) {
        t.each += say("mbarrier.arrive.expect_tx.shared::cta.b64 _, [x10+%d], %d;\n", 8 * k, bytes * parts);
        for (int p = 0; p < (shared ? 1 : parts); ++p) {
            // Part `rank` of the cluster's tile to all; or all parts of it for itself.
            t.each += shared ? "mad.lo.u32 x21, x20, " + std::to_string(cluster) + ", rank;\n"
                             : say("mad.lo.u32 x21, x20, %d, %d;\n", parts, p);
            t.each += from == From::Dram
                          ? say("mul.lo.u32 x52, x50, %d;\nmad.lo.u32 x21, x52, 64, x21;\n", parts * flying)
                          : say("and.b32 x21, x21, 31;\nmad.lo.u32 x21, x50, 32, x21;\n");
            t.each +=
                say("and.b32 x26, x21, 63;\nmul.lo.u32 x26, x26, %d;\nshr.u32 x27, x21, 6;\nmul.lo.u32 x27, x27, %d;\n",
                    part.width, part.height);
            t.each += shared ? say("mad.lo.u32 x25, rank, %d, sm;\n", bytes) : say("add.u32 x25, sm, %d;\n", p * bytes);
            t.each += say("add.u32 x25, x25, %d;\n", k * bytes * parts);
            t.each += say("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes%s [x25], "
                          "[map, {x26, x27}], [x10+%d]%s;\n",
                          shared ? ".multicast::cluster" : "", 8 * k, shared ? ", h0" : "");
        }
        t.each += "add.u32 x20, x20, 1;\n";
    }
    t.each += "and.b32 x24, round, 1;\n";
    for (int k = 0; k < flying; ++k)
        t.each += waitFor(say("M%d", k), say("x10+%d", 8 * k), "x24");
    t.each += "AFTER:\n";
    return t;
}

// One thread stores pieces; `flying` groups may be under way; read: it waits only until they were read.
Text bulkStores(const std::string& what, int bytes, int flying, bool read, const std::string& where, int rounds) {
    Text t;
    t.before = "mov.u32 x20, 0;\n";
    t.each = "@!first bra NEXT#;\n" + where + say("add.u32 x25, sm, %d*#;\n", bytes * (flying > 1)) + what +
             say("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group%s %d;\nadd.u32 x20, x20, 1;\nNEXT#:\n",
                 read ? ".read" : "", flying - 1);
    t.drain = "@!first bra DONE;\ncp.async.bulk.wait_group 0;\nDONE:\n";
    t.copies = flying;
    t.rounds = rounds;
    return t;
}

void mbarriers() {
    const auto one = [](const std::string& name, const std::string& each, int warps = 1) {
        row("mbarrier/" + name, atBarrier(each), {.warps = warps, .shared = 1024});
    };
    one("arrive", "@first mbarrier.arrive.shared::cta.b64 _, [x10];\n");
    one("arrive_state", "@first mbarrier.arrive.shared::cta.b64 y5, [x10];\n@first cvt.u32.u64 x6, y5;\n@first and.b32 "
                        "x6, x6, 0;\n@first add.u32 x10, x10, x6;\n");
    for (const int warps : {1, 4, 8})
        one(say("arrive_all/warps:%d", warps), "mbarrier.arrive.shared::cta.b64 _, [x10];\n", warps);
    one("expect_tx", "@first mbarrier.arrive.expect_tx.shared::cta.b64 _, [x10], 0;\n");
    // The barrier's first phase is open: the one before it, of parity 1, is over.
    one("test_done",
        "mbarrier.test_wait.parity.shared::cta.b64 p0, [x10], 1;\nselp.u32 x6, 0, 1, p0;\nadd.u32 x10, x10, x6;\n");
    one("try_done",
        "mbarrier.try_wait.parity.shared::cta.b64 p0, [x10], 1;\nselp.u32 x6, 0, 1, p0;\nadd.u32 x10, x10, x6;\n");
    one("test_open",
        "mbarrier.test_wait.parity.shared::cta.b64 p0, [x10], 0;\nselp.u32 x6, 1, 0, p0;\nadd.u32 x10, x10, x6;\n");
    for (const int warps : {1, 4, 8})
        one(say("test_done/warps:%d", warps),
            "mbarrier.test_wait.parity.shared::cta.b64 p0, [x10], 1;\nselp.u32 x6, 0, 1, p0;\nadd.u32 x10, x10, x6;\n",
            warps);
    {
        Text t;
        t.before = "@first mbarrier.init.shared::cta.b64 [sm], 1;\nbar.sync 0;\n";
        t.each = "mbarrier.try_wait.parity.shared::cta.b64 p0, [sm], 0;\n@p0 add.u32 sm, sm, 8;\n"; // never
        t.rounds = 8;
        row("mbarrier/try_open", t, {.warps = 1, .shared = 1024});
        for (const int hint : {0, 100, 1000, 10000}) {
            t.each = say("mbarrier.try_wait.parity.shared::cta.b64 p0, [sm], 0, %d;\n@p0 add.u32 sm, sm, 8;\n", hint);
            row(say("mbarrier/try_open/hint_ns:%d", hint), t, {.warps = 1, .shared = 1024});
        }
    }
    for (const bool tries : {true, false})
        row(say("mbarrier/there_and_back/%s", tries ? "try" : "test"), thereAndBack(tries),
            {.warps = 2, .shared = 1024});
}

} // namespace

int main(int argc, char** argv) {
    begin(argc, argv, 16 * gigabyte);
    for (const int bytes : {4, 8, 16})
        for (const bool past : {false, true})
            for (const From from : {From::L2, From::Dram})
                for (const int flying : {1, 4, 16})
                    for (const int warps : {1, 8})
                        for (const int sms : {1, 132})
                            if (!(past && bytes < 16) && (sms == 1 || warps == 8))
                                row(say("lane_copy/bytes:%d/%s/from:%s/flying:%d/warps:%d/sms:%d", bytes,
                                        past ? "cg" : "ca", nameOf(from), flying, warps, sms),
                                    laneCopies(bytes, past, flying, from),
                                    {.warps = warps, .grid = sms, .shared = 65536, .cold = from == From::Dram});
    for (const From from : {From::L2, From::Same, From::Dram})
        for (const int bytes : {16, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768})
            for (const int flying : {1, 2, 4, 8, 16})
                for (const int sms : {1, 132})
                    if (bytes * flying <= 131072 && !(from == From::Same && sms == 1))
                        row(say("bulk/from:%s/bytes:%d/flying:%d/sms:%d", nameOf(from), bytes, flying, sms),
                            bulkLoads(bytes, flying, from, 256 / flying),
                            {.warps = 1, .grid = sms, .shared = barrierAt + 1024, .cold = from == From::Dram});
    const Box boxes[] = {
        {16, 64, 2, CU_TENSOR_MAP_SWIZZLE_NONE, "none"}, {16, 64, 2, CU_TENSOR_MAP_SWIZZLE_32B, "32"},
        {32, 64, 2, CU_TENSOR_MAP_SWIZZLE_NONE, "none"}, {32, 64, 2, CU_TENSOR_MAP_SWIZZLE_64B, "64"},
        {64, 8, 2, CU_TENSOR_MAP_SWIZZLE_128B, "128"},   {64, 64, 2, CU_TENSOR_MAP_SWIZZLE_NONE, "none"},
        {64, 64, 2, CU_TENSOR_MAP_SWIZZLE_128B, "128"},  {64, 128, 2, CU_TENSOR_MAP_SWIZZLE_128B, "128"},
        {64, 256, 2, CU_TENSOR_MAP_SWIZZLE_128B, "128"}, {128, 64, 2, CU_TENSOR_MAP_SWIZZLE_NONE, "none"},
        {256, 32, 2, CU_TENSOR_MAP_SWIZZLE_NONE, "none"}};
    for (const Box& box : boxes) {
        const uint64_t rows = 12 * gigabyte / (uint64_t(box.width) * 128);
        const CUtensorMap map = mapOf(box, std::min<uint64_t>(rows, 1 << 24));
        const std::string name = say("box:%dx%d/swizzle:%s", box.width, box.height, box.swizzled);
        for (const From from : {From::L2, From::Same, From::Dram})
            for (const int flying : {1, 2, 4, 8})
                for (const int sms : {1, 132})
                    if (box.width * box.height * 2 * flying <= 131072 && !(from == From::Same && sms == 1))
                        row("tensor/" + name + say("/from:%s/flying:%d/sms:%d", nameOf(from), flying, sms),
                            tensorLoads(box, flying, from, 256 / flying),
                            {.warps = 1,
                             .grid = sms,
                             .shared = barrierAt + 1024,
                             .map = &map,
                             .cold = from == From::Dram});
        for (const int flying : {1, 4})
            for (const int sms : {1, 132})
                for (const bool read : {false, true})
                    if (box.width * box.height * 2 * flying <= 131072)
                        row("tensor_store/" + name +
                                say("/flying:%d/until:%s/sms:%d", flying, read ? "read" : "written", sms),
                            bulkStores("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [map, {x26, x27}], "
                                       "[x25];\n",
                                       box.width * box.height * 2, flying, read, corner(From::L2, box), 256 / flying),
                            {.warps = 1, .grid = sms, .shared = barrierAt + 1024, .map = &map});
    }
    const Box part{64, 32, 2, CU_TENSOR_MAP_SWIZZLE_128B, "128"};
    const CUtensorMap map = mapOf(part, 1 << 20);
    for (const int cluster : {1, 2, 4})
        for (const bool shared : {false, true})
            for (const int flying : {1, 4})
                for (const From from : {From::L2, From::Dram})
                    if (cluster > 1 || !shared)
                        row(say("multicast/cluster:%d/%s/KB:%d/from:%s/flying:%d", cluster, shared ? "shared" : "own",
                                4 * cluster, nameOf(from), flying),
                            multicast(cluster, part, flying, shared, from),
                            {.warps = 1,
                             .grid = 128,
                             .cluster = cluster,
                             .shared = barrierAt + 1024,
                             .map = &map,
                             .cold = from == From::Dram},
                            1.0 / flying);
    for (const int bytes : {16, 128, 1024, 4096, 16384})
        for (const int flying : {1, 4})
            for (const int sms : {1, 132})
                for (const bool read : {false, true}) {
                    const Shape shape{.warps = 1, .grid = sms, .shared = barrierAt + 1024};
                    const std::string tail =
                        say("/bytes:%d/flying:%d/until:%s/sms:%d", bytes, flying, read ? "read" : "written", sms);
                    row("bulk_store" + tail,
                        bulkStores(say("cp.async.bulk.global.shared::cta.bulk_group [y2], [x25], %d;\n", bytes), bytes,
                                   flying, read, place(From::L2, bytes), 256 / flying),
                        shape);
                    if (!read)
                        for (const char* op : {"add.f32", "add.s32", "add.noftz.f16", "max.s32"})
                            row(say("bulk_sum/%s", op) + tail,
                                bulkStores(
                                    say("cp.reduce.async.bulk.global.shared::cta.bulk_group.%s [y2], [x25], %d;\n", op,
                                        bytes),
                                    bytes, flying, read, place(From::L2, bytes), 256 / flying),
                                shape);
                }
    mbarriers();
}
