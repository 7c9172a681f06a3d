// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_traces.h"

#include <algorithm>

namespace warpglass::samples {

TraceMaker::TraceMaker(std::string name, std::string source, std::string ptx,
                       std::vector<std::pair<std::uint32_t, std::uint32_t>> ptxToSource) {
    m_trace.info.deviceName = "NVIDIA H200";
    m_trace.info.ccMajor = 9;
    m_trace.info.smCount = 132;
    m_trace.info.program = "warpglass";
    m_trace.info.mode = CompileMode::AsWritten;
    m_trace.info.recordedPaths = true;
    Kernel k;
    k.name = std::move(name);
    k.entry = k.name;
    k.source = std::move(source);
    k.sourceName = k.name + ".cu";
    k.ptx = std::move(ptx);
    k.files = {k.sourceName};
    for (const auto& [from, to] : ptxToSource)
        k.lines.push_back({from, {0, to, 5}, to});
    m_trace.kernels.push_back(std::move(k));
}

std::uint32_t TraceMaker::site(SiteKind kind, std::uint32_t ptxLine) {
    const Kernel& k = m_trace.kernels.front();
    Site s;
    s.kind = kind;
    s.ptxLine = ptxLine;
    std::size_t at = 0;
    for (std::uint32_t n = 1; n < ptxLine; ++n)
        at = k.ptx.find('\n', at) + 1;
    s.text = k.ptx.substr(at, k.ptx.find('\n', at) - at);
    s.text.erase(0, s.text.find_first_not_of(" \t"));
    for (const LineLink& l : k.lines)
        if (l.ptxLine == ptxLine)
            s.where = {l.source};
    m_trace.sites.push_back(std::move(s));
    return std::uint32_t(m_trace.sites.size() - 1);
}

void TraceMaker::launch(Dim3 grid, Dim3 block) {
    Launch l;
    l.grid = grid;
    l.block = block;
    l.firstBlock = std::uint32_t(m_trace.blocks.size());
    m_trace.launches.push_back(l);
}

void TraceMaker::block(std::uint32_t index, std::uint16_t sm) {
    Block b;
    b.launch = std::uint32_t(m_trace.launches.size() - 1);
    b.index = index;
    b.sm = sm;
    b.firstWarp = std::uint32_t(m_trace.warps.size());
    ++m_trace.launches.back().blockCount;
    m_trace.blocks.push_back(b);
}

void TraceMaker::warp(LaneMask live, Time start) {
    Warp w;
    w.block = std::uint32_t(m_trace.blocks.size() - 1);
    w.warpInBlock = m_trace.blocks.back().warpCount++;
    w.liveLanes = live;
    w.start = w.end = start;
    w.firstEvent = m_trace.events.size();
    m_trace.warps.push_back(w);
}

void TraceMaker::event(std::int64_t time, std::uint32_t site, EventKind kind, LaneMask active, LaneMask taken) {
    Warp& w = m_trace.warps.back();
    m_trace.events.push(time - w.start.value, site, kind, active, taken);
    ++w.eventCount;
    w.end = std::max(w.end, Time{time});
}

void TraceMaker::endWarp(std::int64_t time) {
    m_trace.warps.back().end = {time};
    Block& b = m_trace.blocks.back();
    b.end = std::max(b.end, Time{time});
    Launch& l = m_trace.launches.back();
    l.end = std::max(l.end, b.end);
}

TracePtr TraceMaker::finish() {
    // Totals of each branch, from the events.
    std::vector<InstructionCount> branches;
    for (const Site& s : m_trace.sites) {
        if (s.kind != SiteKind::Branch)
            continue;
        InstructionCount c;
        c.ptxLine = s.ptxLine;
        c.isBranch = c.isConditional = true;
        branches.push_back(c);
        ++m_trace.kernels.front().ptxBranches;
    }
    for (std::size_t row = 0; row < m_trace.events.size(); ++row) {
        if (m_trace.events.kind(row) != EventKind::Branch)
            continue;
        const std::uint32_t line = m_trace.sites[m_trace.events.site(row)].ptxLine;
        const LaneMask active = m_trace.events.active(row), taken = m_trace.events.taken(row);
        for (InstructionCount& c : branches) {
            if (c.ptxLine != line)
                continue;
            ++c.executions;
            c.lanes += std::uint64_t(active.count());
            c.takenLanes += std::uint64_t(taken.count());
            c.divergent += !taken.empty() && taken != active;
        }
    }
    m_trace.counts.insert(m_trace.counts.end(), branches.begin(), branches.end());
    std::stable_sort(m_trace.counts.begin(), m_trace.counts.end(),
                     [](const InstructionCount& a, const InstructionCount& b) { return a.ptxLine < b.ptxLine; });
    return std::make_shared<const Trace>(std::move(m_trace));
}

namespace {

const char* const mathSource = "__global__ void mathKernel1(float* c) {\n"
                               "    int tid = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "    float a = 0.0f, b = 0.0f;\n"
                               "    if (tid % 2 == 0) {\n"
                               "        a = 100.0f;\n"
                               "    } else {\n"
                               "        b = 200.0f;\n"
                               "    }\n"
                               "    c[tid] = a + b; // both paths meet here\n"
                               "}\n";

const char* const mathPtx = ".visible .entry mathKernel1(.param .u64 c)\n"
                            "{\n"
                            "\t.reg .pred %p<2>;\n"
                            "\tmov.u32 %r1, %tid.x;\n"
                            "\tand.b32 %r2, %r1, 1;\n"
                            "\tsetp.ne.s32 %p1, %r2, 0;\n"
                            "\t@%p1 bra $L_else;\n"
                            "\tmov.f32 %f1, 0f42C80000;\n"
                            "\tbra.uni $L_end;\n"
                            "$L_else:\n"
                            "\tmov.f32 %f2, 0f43480000;\n"
                            "$L_end:\n"
                            "\tadd.f32 %f3, %f1, %f2;\n"
                            "\tst.global.f32 [%rd1], %f3;\n"
                            "\tret;\n"
                            "}\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

InstructionCount plain(std::uint32_t line, std::uint64_t executions, std::uint64_t lanes) {
    InstructionCount c;
    c.ptxLine = line;
    c.executions = executions;
    c.lanes = lanes;
    return c;
}

} // namespace

TracePtr mathKernel(bool byWarp) {
    const std::string name = byWarp ? "mathKernel2" : "mathKernel1";
    std::string source = replaced(mathSource, "mathKernel1", name);
    if (byWarp)
        source = replaced(source, "tid % 2 == 0", "(tid / warpSize) % 2 == 0");
    TraceMaker m(name, source, replaced(mathPtx, "mathKernel1", name),
                 {{4, 2}, {5, 4}, {6, 4}, {7, 4}, {8, 5}, {9, 5}, {11, 7}, {13, 9}, {14, 9}, {15, 10}});
    const auto entry = m.site(SiteKind::Entry, 4), branch = m.site(SiteKind::Branch, 7),
               then = m.site(SiteKind::Path, 8), otherwise = m.site(SiteKind::Path, 11),
               meet = m.site(SiteKind::Path, 13), exit = m.site(SiteKind::Exit, 15);
    m.launch({1}, {64});
    m.block(0, 3);
    const LaneMask odd{0xaaaaaaaau}, all = LaneMask::all();
    for (int w = 0; w < 2; ++w) {
        m.warp(all);
        m.event(0, entry, EventKind::Entry, all);
        const LaneMask jump = byWarp ? (w == 0 ? LaneMask::none() : all) : odd;
        m.event(3, branch, EventKind::Branch, all, jump);
        std::int64_t t = 4;
        if (!byWarp) {
            m.event(4, then, EventKind::Path, ~odd);
            m.event(6, otherwise, EventKind::Path, odd);
            m.event(7, meet, EventKind::Path, all);
            t = 7;
        } else {
            t = w == 0 ? 6 : 5;
        }
        m.event(t + 2, exit, EventKind::Exit, all, all);
        m.endWarp(t + 3);
    }
    m.count(plain(4, 2, 64));
    m.count(plain(5, 2, 64));
    m.count(plain(6, 2, 64));
    m.count(plain(8, byWarp ? 1 : 2, 32));
    m.count(plain(9, byWarp ? 1 : 2, 32));
    m.count(plain(11, byWarp ? 1 : 2, 32));
    m.count(plain(13, 2, 64));
    InstructionCount store = plain(14, 2, 64);
    store.isMemory = true;
    store.access = AccessKind::Store;
    store.requests = 2;
    store.bytesRequested = store.bytesDistinct = 256;
    store.sectors = 8; // 32 lanes x 4 bytes in a row: 4 sectors each
    store.lines = 2;
    m.count(store);
    m.count(plain(15, 2, 64));
    return m.finish();
}

TracePtr mathKernelSelects() {
    TraceMaker m("mathKernel1", mathSource,
                 ".visible .entry mathKernel1(.param .u64 c)\n{\n\tmov.u32 %r1, %tid.x;\n\tand.b32 %r2, %r1, "
                 "1;\n\tsetp.eq.b32 %p1, %r2, 1;\n"
                 "\tselp.f32 %f1, 0f43480000, 0f42C80000, %p1;\n\tst.global.f32 [%rd1], %f1;\n\tret;\n}\n",
                 {{3, 2}, {4, 4}, {5, 4}, {6, 9}, {7, 9}, {8, 10}});
    const auto entry = m.site(SiteKind::Entry, 3), exit = m.site(SiteKind::Exit, 8);
    m.trace().info.mode = CompileMode::Optimised;
    m.trace().kernels.front().ptxSelects = 1;
    m.launch({1}, {64});
    m.block(0);
    for (int w = 0; w < 2; ++w) {
        m.warp(LaneMask::all());
        m.event(0, entry, EventKind::Entry, LaneMask::all());
        m.event(5, exit, EventKind::Exit, LaneMask::all(), LaneMask::all());
        m.endWarp(6);
    }
    for (std::uint32_t line = 3; line <= 8; ++line)
        m.count(plain(line, 2, 64));
    return m.finish();
}

TracePtr divergent20of32() {
    TraceMaker m("divergent_kernel",
                 "__global__ void divergent_kernel(int* data, int threshold) {\n    int value = data[threadIdx.x];\n   "
                 " if (value > threshold) {\n"
                 "        for (int i = 0; i < 100; i++)\n            value = value * value + i;\n    } else {\n        "
                 "value = value + 1;\n    }\n"
                 "    data[threadIdx.x] = value;\n}\n",
                 ".visible .entry divergent_kernel()\n{\n\tld.global.s32 %r1, [%rd1];\n\tsetp.le.s32 %p1, %r1, "
                 "%r9;\n\t@%p1 bra $L_small;\n$L_loop:\n"
                 "\t@%p2 bra $L_loop;\n\tbra.uni $L_end;\n$L_small:\n\tadd.s32 %r1, %r1, 1;\n$L_end:\n\tst.global.s32 "
                 "[%rd1], %r1;\n\tret;\n}\n",
                 {{3, 2}, {4, 3}, {5, 3}, {7, 4}, {8, 5}, {10, 7}, {12, 9}, {13, 10}});
    const auto entry = m.site(SiteKind::Entry, 3), branch = m.site(SiteKind::Branch, 5),
               loop = m.site(SiteKind::Branch, 7), body = m.site(SiteKind::Path, 7), small = m.site(SiteKind::Path, 10),
               meet = m.site(SiteKind::Path, 12), exit = m.site(SiteKind::Exit, 13);
    const LaneMask all = LaneMask::all(), long20{0xb6db656du}; // scattered, as data are
    m.launch({1}, {32});
    m.block(0);
    m.warp(all);
    m.event(0, entry, EventKind::Entry, all);
    m.event(2, branch, EventKind::Branch, all, ~long20);
    m.event(3, body, EventKind::Path, long20);
    for (int i = 0; i < 100; ++i)
        m.event(3 + i, loop, EventKind::Branch, long20, i < 99 ? long20 : LaneMask::none());
    m.event(103, small, EventKind::Path, ~long20);
    m.event(104, meet, EventKind::Path, all);
    m.event(106, exit, EventKind::Exit, all, all);
    m.endWarp(107);
    return m.finish();
}

TracePtr neighbored(bool less) {
    const std::string name = less ? "reduceNeighboredLess" : "reduceNeighbored";
    const std::string condition = less ? "index < blockDim.x" : "tid % (2 * stride) == 0";
    TraceMaker m(name,
                 "__global__ void " + name +
                     "(int* g, int* o, unsigned n) {\n    unsigned tid = threadIdx.x;\n    int* data = g + blockIdx.x "
                     "* blockDim.x;\n"
                     "    if (blockIdx.x * blockDim.x + tid >= n)\n        return;\n    for (int stride = 1; stride < "
                     "blockDim.x; stride *= 2) {\n" +
                     (less ? "        int index = 2 * stride * tid;\n" : "        // the lane decides\n") +
                     "        if (" + condition +
                     ")\n            data[tid] += data[tid + stride];\n"
                     "        __syncthreads();\n    }\n    if (tid == 0)\n        o[blockIdx.x] = data[0];\n}\n",
                 ".visible .entry " + name +
                     "()\n{\n\tmov.u32 %r1, %tid.x;\n\tsetp.ge.u32 %p1, %r1, %r9;\n\t@%p1 bra "
                     "$L_exit;\n$L_loop:\n\tsetp.ne.s32 %p2, %r3, 0;\n"
                     "\t@%p2 bra $L_skip;\n\tld.global.u32 %r4, [%rd2];\n\tst.global.u32 [%rd2], "
                     "%r4;\n$L_skip:\n\tbar.sync 0;\n\tsetp.lt.u32 %p3, %r2, %r8;\n"
                     "\t@%p3 bra $L_loop;\n\tsetp.ne.s32 %p4, %r1, 0;\n\t@%p4 bra $L_exit;\n\tst.global.u32 [%rd3], "
                     "%r4;\n$L_exit:\n\tret;\n}\n",
                 {{3, 2},
                  {4, 4},
                  {5, 4},
                  {7, 8},
                  {8, 8},
                  {9, 9},
                  {10, 9},
                  {12, 10},
                  {13, 6},
                  {14, 6},
                  {15, 12},
                  {16, 12},
                  {17, 13},
                  {19, 14}});
    const auto entry = m.site(SiteKind::Entry, 3), bound = m.site(SiteKind::Branch, 5),
               decide = m.site(SiteKind::Branch, 8), body = m.site(SiteKind::Path, 9),
               meet = m.site(SiteKind::Path, 12), barrier = m.site(SiteKind::Barrier, 12),
               again = m.site(SiteKind::Branch, 14), last = m.site(SiteKind::Branch, 16),
               store = m.site(SiteKind::Path, 17), end = m.site(SiteKind::Path, 19), exit = m.site(SiteKind::Exit, 19);
    const LaneMask all = LaneMask::all();
    m.launch({4}, {64});
    for (std::uint32_t b = 0; b < 4; ++b) {
        m.block(b, std::uint16_t(b));
        for (int w = 0; w < 2; ++w) {
            m.warp(all);
            m.event(0, entry, EventKind::Entry, all);
            m.event(2, bound, EventKind::Branch, all, LaneMask::none());
            std::int64_t t = 3;
            for (int stride = 1; stride < 64; stride *= 2) {
                LaneMask enters;
                for (int lane = 0; lane < 32; ++lane) {
                    const int tid = w * 32 + lane;
                    if (less ? 2 * stride * tid < 64 : tid % (2 * stride) == 0)
                        enters = enters | LaneMask::of(lane);
                }
                m.event(t + 1, decide, EventKind::Branch, all, ~enters);
                t += 2;
                const bool parted = !enters.empty() && enters != all;
                if (parted)
                    m.event(t, body, EventKind::Path, enters);
                t += enters.empty() ? 0 : 2;
                if (parted)
                    m.event(t, meet, EventKind::Path, all);
                m.event(t, barrier, EventKind::BarrierArrive, all);
                t = 3 + 6 * (stride == 1    ? 1
                             : stride == 2  ? 2
                             : stride == 4  ? 3
                             : stride == 8  ? 4
                             : stride == 16 ? 5
                                            : 6); // the slower warp
                m.event(t, barrier, EventKind::BarrierLeave, all);
                m.event(t + 1, again, EventKind::Branch, all, stride < 32 ? all : LaneMask::none());
                t += 2;
            }
            const LaneMask first = w == 0 ? LaneMask::of(0) : LaneMask::none();
            m.event(t + 1, last, EventKind::Branch, all, ~first);
            if (w == 0) {
                m.event(t + 2, store, EventKind::Path, first);
                m.event(t + 3, end, EventKind::Path, all);
            }
            m.event(t + 3, exit, EventKind::Exit, all, all);
            m.endWarp(t + 4);
        }
    }
    InstructionCount load =
        plain(9, less ? 24 : 44, 252); // 63 additions a block; neighbored: 6 + 5 warps of each block, less: 6 + 0
    load.isMemory = true;
    load.requests = load.executions;
    load.bytesRequested = load.bytesDistinct = load.lanes * 4;
    load.sectors = load.executions * (less ? 3 : 4);
    m.count(plain(3, 8, 256));
    m.count(load);
    m.count(plain(12, 48, 48 * 32));
    return m.finish();
}

TracePtr manyBranches(std::uint32_t executions) {
    TraceMaker m("longLoop",
                 "__global__ void longLoop(int* data) {\n    do {\n        step(data);\n    } while (more(data));\n}\n",
                 ".visible .entry longLoop()\n{\n$L_loop:\n\tadd.s32 %r1, %r1, 1;\n\t@%p1 bra $L_loop;\n\tret;\n}\n",
                 {{4, 3}, {5, 4}, {6, 5}});
    const auto branch = m.site(SiteKind::Branch, 5), exit = m.site(SiteKind::Exit, 6);
    m.launch({1}, {32});
    m.block(0);
    m.warp(LaneMask::all());
    for (std::uint32_t i = 0; i < executions; ++i)
        m.event(std::int64_t(i) * 2 + 1, branch, EventKind::Branch, LaneMask::all(),
                i % 3 == 0 ? LaneMask{0x0000ffffu} : LaneMask::all());
    m.event(std::int64_t(executions) * 2 + 1, exit, EventKind::Exit, LaneMask::all(), LaneMask::all());
    m.endWarp(std::int64_t(executions) * 2 + 2);
    return m.finish();
}

TracePtr partialAndExited() {
    TraceMaker m("edge", "__global__ void edge(int n) {\n    if (i >= n) return;\n    if (i % 2)\n        work();\n}\n",
                 ".visible .entry edge()\n{\n\tmov.u32 %r1, %tid.x;\n\t@%p1 ret;\n\t@%p2 bra $L_end;\n\tadd.s32 %r1, "
                 "%r1, 1;\n$L_end:\n\tret;\n}\n",
                 {{3, 1}, {4, 2}, {5, 3}, {6, 4}, {8, 5}});
    const auto entry = m.site(SiteKind::Entry, 3), out = m.site(SiteKind::Exit, 4),
               branch = m.site(SiteKind::Branch, 5), body = m.site(SiteKind::Path, 6), meet = m.site(SiteKind::Path, 8),
               exit = m.site(SiteKind::Exit, 8);
    m.launch({1}, {48});
    m.block(0);
    for (int w = 0; w < 2; ++w) {
        const LaneMask live = LaneMask::firstLanes(w ? 16 : 32), stay = LaneMask::firstLanes(8), odd{0xaau};
        m.warp(live);
        m.event(0, entry, EventKind::Entry, live);
        m.event(1, out, EventKind::Exit, live & ~stay, live & ~stay);
        m.event(2, branch, EventKind::Branch, stay, stay & ~odd);
        m.event(3, body, EventKind::Path, odd);
        m.event(4, meet, EventKind::Path, stay);
        m.event(5, exit, EventKind::Exit, stay, live);
        m.endWarp(6);
    }
    return m.finish();
}

} // namespace warpglass::samples
