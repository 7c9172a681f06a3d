// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of a cluster: loads, stores, atomics and copies of each other's shared memory, arrivals at each other's mbarriers,
// barriers; fences, registers that warpgroups hand over, and where clusters find room: the rows cluster, fence, setmaxnreg
// and rooms of h200-micro.csv. g++ -O2 -std=c++20 clusters.cpp -lcuda.
#include "cluster_text.h"
#include "operations.h"

#include <map>
#include <set>

namespace {

// What other blocks have written before they arrived is seen, too.
std::string waitForOthers(const std::string& label, const std::string& barrier, const std::string& parity) {
    return all(waitFor(label, barrier, parity), "parity.shared", "parity.acquire.cluster.shared");
}

void reach(int cluster, int distance) {
    const auto name = [&](const std::string& what) {
        return say("cluster/%s/size:%d/distance:%d", what.c_str(), cluster, distance);
    };
    const Text t = reaching(cluster, distance);
    const Shape every{.warps = 1, .grid = cluster, .cluster = cluster, .shared = 65536};
    Shape one = every;
    one.first = true;
    row(name("load_chase"), ofFirstBlock(t, loadChase), one);
    row(name("atomic_chase"), ofFirstBlock(t, atomicChase), one);
    for (const int warps : {1, 4, 16})
        for (const bool both : {false, true}) // the first block alone, or all at once
            for (const int bytes : {4, 16}) {
                Text many = t;
                many.before += say("mul.lo.u32 x12, tid, %d;\nadd.u32 x10, x10, x12;\nmov.b32 x6, 0;\nmov.b32 x7, "
                                   "0;\nmov.b32 x8, 0;\nmov.b32 x9, 0;\n",
                                   bytes);
                const std::string load =
                    bytes == 4 ? "ld.relaxed.cluster.shared::cluster.u32 x6, [x10+#];\nor.b32 x5, x5, x6;\n"
                               : "ld.volatile.shared::cluster.v4.u32 {x6, x7, x8, x9}, [x10+#];\nor.b32 x5, x5, x6;\n";
                const std::string store = bytes == 4
                                              ? "st.relaxed.cluster.shared::cluster.u32 [x10+#], x6;\n"
                                              : "st.volatile.shared::cluster.v4.u32 [x10+#], {x6, x7, x8, x9};\n";
                for (const bool loads : {true, false}) {
                    many.each = all(loads ? load : store, "x10+#", "x10");
                    if (!both)
                        many.each = "@p1 bra OVER#;\n" + many.each + "OVER#:\n";
                    Shape shape = both ? every : one;
                    shape.warps = warps;
                    row(name(loads ? "load" : "store") +
                            say("/bytes:%d/warps:%d/%s", bytes, warps, both ? "all" : "one"),
                        many, shape, 1.0 / warps);
                }
            }
    // There and back: the first block and the other one wake each other.
    const std::string signals[] = {
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [x10];\n",
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [sm], "
        "4;\nst.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [x12], x5, [x10];\n"};
    for (const bool store : {false, true}) {
        Text t2;
        t2.cluster = true;
        t2.rounds = 128;
        t2.before =
            "@first mbarrier.init.shared::cta.b64 [sm], 1;\nfence.mbarrier_init.release.cluster;\nmov.u32 x5, 0;\n" +
            say("setp.ne.u32 p1, rank, 0;\nsetp.ne.u32 p2, rank, %d;\n", distance) +
            say("mov.u32 x11, 0;\n@!p1 mov.u32 x11, %d;\nmapa.shared::cluster.u32 x10, sm, x11;\nadd.u32 x12, x10, "
                "1024;\n",
                distance);
        t2.each = "@!first bra AFTER;\nand.b32 x24, round, 1;\n@p1 bra SECOND;\n" + signals[store] +
                  waitForOthers("A", "sm", "x24") + "bra AFTER;\nSECOND:\n@p2 bra AFTER;\n" +
                  (store ? all(waitForOthers("B", "sm", "x24"),
                               "WAIT_B:", "mbarrier.arrive.expect_tx.shared::cta.b64 _, [sm], 4;\nWAIT_B:")
                         : waitForOthers("B", "sm", "x24")) +
                  (store ? "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [x12], x5, [x10];\n"
                         : signals[0]) +
                  "AFTER:\n";
        row(name(store ? "there_and_back/st.async" : "there_and_back/arrive"), t2, one);
    }
    // Bulk copies of all blocks to the next.
    for (const int bytes : {16, 128, 1024, 4096, 16384})
        for (const int flying : {1, 4}) {
            Text t3;
            t3.cluster = true;
            t3.rounds = 32;
            t3.before = neighbour(cluster, distance);
            for (int k = 0; k < flying; ++k)
                t3.before += say("@first mbarrier.init.shared::cta.b64 [sm+%d], 1;\n", 8 * k);
            t3.before += "fence.mbarrier_init.release.cluster;\n";
            t3.each = "barrier.cluster.arrive;\nbarrier.cluster.wait;\n@!first bra AFTER;\nand.b32 x24, round, 1;\n";
            for (int k = 0; k < flying; ++k)
                t3.each += say(
                    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [sm+%d], %d;\nadd.u32 x12, x10, %d;\nadd.u32 x13, "
                    "sm, %d;\nadd.u32 x14, x10, %d;\n"
                    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [x12], [x13], %d, [x14];\n",
                    8 * k, bytes, 1024 + bytes * k, 1024 + 65536 + bytes * k, 8 * k, bytes);
            for (int k = 0; k < flying; ++k)
                t3.each += waitFor(say("C%d", k), say("sm+%d", 8 * k), "x24");
            t3.each += "AFTER:\n";
            Shape shape = every;
            shape.shared = 1024 + 131072;
            row(name("bulk") + say("/bytes:%d/flying:%d", bytes, flying), t3, shape, 1.0 / flying);
        }
}

void barriers() {
    for (const int cluster : {1, 2, 4, 8, 16})
        for (const int warps : {1, 4, 8, 16}) {
            row(say("cluster/barrier/size:%d/warps:%d", cluster, warps), clusterBarrier(false),
                {.warps = warps, .grid = cluster, .cluster = cluster, .shared = 1024});
            row(say("cluster/barrier_relaxed/size:%d/warps:%d", cluster, warps), clusterBarrier(true),
                {.warps = warps, .grid = cluster, .cluster = cluster, .shared = 1024});
        }
    for (const int warps : {1, 4, 8, 16}) {
        Text t;
        t.rounds = 64;
        t.each = "bar.sync 1;\n";
        row(say("cluster/bar_sync/warps:%d", warps), t, {.warps = warps, .shared = 1024});
    }
}

void fences() {
    for (const bool behind : {false, true}) // behind a store to global memory
        for (const char* what :
             {"fence.proxy.async", "fence.proxy.async.shared::cta", "fence.mbarrier_init.release.cluster",
              "fence.acq_rel.cta", "fence.acq_rel.cluster", "fence.acq_rel.gpu", "fence.acq_rel.sys", "fence.sc.cta",
              "fence.sc.cluster", "fence.sc.gpu", "wgmma.fence.sync.aligned"})
            for (const int warps : {4, 8})
                row(say("fence/%s/%s/warps:%d", what, behind ? "stored" : "alone", warps), fenceText(what, behind),
                    {.warps = warps, .shared = 1024});
    for (const int registers : {24, 40, 104}) {
        Text t;
        t.directives = ".maxntid 128\n.maxnreg 168\n";
        t.each = say("setmaxnreg.dec.sync.aligned.u32 %d;\nsetmaxnreg.inc.sync.aligned.u32 168;\n", registers);
        row(say("setmaxnreg/from:168/to:%d", registers), t, {.warps = 4, .shared = 1024});
    }
    Text t;
    t.declare = ".reg .pred e;\n";
    t.each = "elect.sync _|e, 0xffffffff;\n@e add.u32 x5, x5, 1;\n";
    t.before = "mov.u32 x5, 0;\n";
    t.keep = "setp.eq.u32 p0, x5, 77;\n@p0 st.global.u32 [to], x5;\n";
    t.copies = 8;
    row("elect", t, {.warps = 1, .shared = 1024});
}

// How many clusters the card holds at once, and which SMs blocks were on.
void rooms() {
    if (writeText)
        return;
    const std::string ptx =
        ".version 8.6\n.target sm_90a\n.address_size 64\n.extern .shared .align 16 .b8 s[];\n.visible .entry k(.param "
        ".u64 out) {\n"
        ".reg .b32 x<4>;\n.reg .b64 a<4>, now, end;\n.reg .pred p;\nld.param.u64 a0, [out];\nmov.u32 x0, "
        "%ctaid.x;\nmov.u32 x1, %smid;\nmul.wide.u32 a1, x0, 8;\n"
        "add.u64 a0, a0, a1;\nst.global.u32 [a0], x1;\nmov.u64 end, %globaltimer;\nadd.u64 end, end, "
        "200000;\nL:\nmov.u64 now, %globaltimer;\nsetp.lt.u64 p, now, end;\n@p bra L;\nret;\n}\n";
    CUmodule module;
    CUfunction function;
    CHECK(cuModuleLoadData(&module, ptx.c_str()));
    CHECK(cuModuleGetFunction(&function, module, "k"));
    CHECK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    CHECK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 200 << 10));
    for (const unsigned cluster : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 10u, 12u, 14u, 16u})
        for (const unsigned shared : {0u, 100u << 10, 200u << 10}) {
            CUlaunchAttribute attribute{};
            attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
            attribute.value.clusterDim = {cluster, 1, 1};
            CUlaunchConfig config{};
            config.gridDimX = cluster, config.gridDimY = config.gridDimZ = 1;
            config.blockDimX = 1024, config.blockDimY = config.blockDimZ = 1;
            config.sharedMemBytes = shared, config.attrs = &attribute, config.numAttrs = 1;
            int held = 0;
            const CUresult status = cuOccupancyMaxActiveClusters(&held, function, &config);
            printf("rooms/size:%u/KB:%u/held,%d,clusters\n", cluster, shared >> 10, status == CUDA_SUCCESS ? held : -1);
            if (status != CUDA_SUCCESS || held == 0)
                continue;
            config.gridDimX = unsigned(held) * cluster;
            void* arguments[] = {&results};
            CHECK(cuLaunchKernelEx(&config, function, arguments, nullptr));
            CHECK(cuCtxSynchronize());
            std::vector<uint64_t> back(config.gridDimX);
            CHECK(cuMemcpyDtoH(back.data(), results, back.size() * 8));
            std::set<unsigned> sms;
            std::map<unsigned, unsigned> many; // SMs by blocks of one cluster that they hold
            for (unsigned c = 0; c < unsigned(held); ++c) {
                std::set<unsigned> own;
                for (unsigned b = 0; b < cluster; ++b)
                    own.insert(unsigned(back[c * cluster + b]));
                ++many[unsigned(own.size())];
                sms.insert(own.begin(), own.end());
            }
            printf("rooms/size:%u/KB:%u/sms,%zu,SMs\n", cluster, shared >> 10, sms.size());
            for (const auto& [own, count] : many)
                printf("rooms/size:%u/KB:%u/clusters_on_sms:%u,%u,clusters\n", cluster, shared >> 10, own, count);
            if (cluster == 16 || cluster == 2) {
                fprintf(stderr, "cluster %u KB %u:", cluster, shared >> 10);
                for (unsigned b = 0; b < config.gridDimX; ++b)
                    fprintf(stderr, "%s%u", b % cluster ? " " : " | ", unsigned(back[b]));
                fprintf(stderr, "\n");
            }
        }
}

} // namespace

int main(int argc, char** argv) {
    begin(argc, argv, 1 << 20);
    for (const int cluster : {2, 4, 8, 16})
        for (int distance = 0; distance < cluster; distance = distance ? distance * 2 : 1)
            reach(cluster, distance);
    barriers();
    fences();
    rooms();
}
