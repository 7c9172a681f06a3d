// SPDX-License-Identifier: GPL-3.0-or-later
// The microbenchmarks of tests/timing/kernels as launch plans, and what an H200 measured for each (h200-micro.csv).
#pragma once

#include "gpu/launch/plan.h"

#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace warpglass::testing {

// A file of this folder; on another machine than the one that built, the folder is looked for below the current one.
inline std::string microText(const std::string& file) {
    for (const std::string root : {WARPGLASS_SOURCE_DIR, "."}) {
        std::ifstream in(root + "/tests/timing/" + file);
        if (!in)
            continue;
        std::stringstream text;
        text << in.rdbuf();
        return text.str();
    }
    return {};
}

// case -> value, as the card measured it.
inline std::map<std::string, double> measuredCases() {
    std::map<std::string, double> all;
    std::istringstream in(microText("h200-micro.csv"));
    for (std::string line; std::getline(in, line);) {
        const auto comma = line.find(',');
        if (comma == std::string::npos || line[0] == '#' || line.starts_with("case,"))
            continue;
        all[line.substr(0, comma)] = std::stod(line.substr(comma + 1));
    }
    return all;
}

inline Argument microBuffer(const char* name, std::uint64_t bytes) {
    Argument a;
    a.name = name;
    a.isBuffer = true;
    a.type = ElementType::U64;
    a.count = bytes / 8;
    return a;
}

template <class T>
Argument microValue(const char* name, T v) {
    Argument a;
    a.name = name;
    a.type = std::is_same_v<T, float>    ? ElementType::F32
             : std::is_same_v<T, double> ? ElementType::F64
             : sizeof v == 8             ? ElementType::U64
                                         : ElementType::U32;
    a.scalar.resize(sizeof v);
    std::memcpy(a.scalar.data(), &v, sizeof v);
    return a;
}

// One case of h200-micro.csv and how to launch it. Every kernel's first two arguments are its result and a sink.
struct Micro {
    std::string name;           // case
    std::string file, entry;    // kernels/FILE.ptx
    std::uint32_t threads = 32; // of its one block
    std::vector<Argument> more; // arguments behind the first two
    std::string op;             // text of the PTX line whose issues are timed
    double tolerance = 0.3;     // of the model, relative to the card
    // What the operation is asked for: cycles from one to the next in warp 0, over `count` at the end of the run; or,
    // if warps > 0, issues a cycle of all of them together.
    std::uint32_t count = 96;
    std::uint32_t warps = 0;
};

inline LaunchPlan microPlan(const Micro& m) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = m.entry;
    plan.moduleName = m.file + ".ptx";
    plan.ptx = microText("kernels/" + plan.moduleName);
    plan.grid = {1, 1, 1};
    plan.block = {m.threads, 1, 1};
    plan.arguments = {microBuffer("result", 4096), microBuffer("sink", 8192)};
    plan.arguments.insert(plan.arguments.end(), m.more.begin(), m.more.end());
    return plan;
}

// What is measured. Tolerances say how far the model may be off.
inline std::vector<Micro> microCases() {
    using U = std::uint32_t;
    const auto v = [](U x) { return microValue("x", x); };
    std::vector<Micro> all = {
        {"latency_add_two_pipes", "latency", "latency_add_two_pipes", 32, {v(3)}, "add.u32 t"},
        {"latency_mul", "latency", "latency_mul", 32, {v(3)}, "mul.lo.u32"},
        {"latency_mad", "latency", "latency_mad", 32, {v(3)}, "mad.lo.u32"},
        {"latency_shl", "latency", "latency_shl", 32, {v(1)}, "shl.b32"},
        {"latency_min", "latency", "latency_min", 32, {v(3)}, "min.u32"},
        {"latency_setp_selp", "latency", "latency_setp_selp", 32, {v(3)}, "selp.u32"},
        {"latency_fadd", "latency", "latency_fadd", 32, {microValue("x", 1.0F)}, "add.f32"},
        {"latency_fma", "latency", "latency_fma", 32, {microValue("x", 0.5F)}, "fma.rn.f32"},
        {"latency_dadd", "latency", "latency_dadd", 32, {microValue("x", 1.0)}, "add.f64"},
        {"latency_dfma", "latency", "latency_dfma", 32, {microValue("x", 0.5)}, "fma.rn.f64"},
        {"latency_rsqrt", "latency", "latency_rsqrt", 32, {microValue("x", 1.0F)}, "rsqrt.approx", 0.55},
        {"latency_ex2", "latency", "latency_ex2", 32, {microValue("x", 1.0F)}, "ex2.approx", 0.55},
        {"latency_popc", "latency", "latency_popc", 32, {v(3)}, "popc.b32"},
        {"latency_shfl", "latency", "latency_shfl", 32, {v(1)}, "shfl.sync"},
        {"latency_vote", "latency", "latency_vote", 32, {v(1)}, "vote.sync"},
        {"chase_shared_index/steps:1024", "memory", "chase_shared_index", 32, {v(1024)}, "ld.volatile.shared"},
        {"chase_l1_index/stride:32",
         "memory",
         "chase_l1_index",
         1,
         {microBuffer("ring", 65536), v(32), v(32)},
         "ld.global"},
        {"chase_l2_index/stride:32",
         "memory",
         "chase_l2_index",
         1,
         {microBuffer("ring", 65536), v(32), v(64)},
         "ld.global"},
        {"chase_shared/ways:1", "memory", "chase_shared", 32, {v(1)}, "ld.shared"},
        {"chase_l1/stride:128", "memory", "chase_l1", 1, {microBuffer("ring", 65536), v(128), v(32)}, "ld.global"},
        {"chase_l2/stride:128", "memory", "chase_l2", 1, {microBuffer("ring", 65536), v(128), v(64)}, "ld.global"},
        {"chase_fresh/stride:4096",
         "memory",
         "chase_fresh",
         1,
         {microBuffer("buffer", 1 << 20), v(4096), v(250)},
         "ld.global",
         0.5,
         64},
        {"chase_constant", "memory", "chase_constant", 1, {}, "ld.const"},
        {"chase_atomic_global/threads:1/spread:0",
         "memory",
         "chase_atomic_global",
         1,
         {microBuffer("target", 4096), v(0)},
         "atom.global"},
        {"chase_atomic_shared/threads:1/spread:0", "memory", "chase_atomic_shared", 1, {v(0)}, "atom.shared"},
    };
    for (const U ways : {2u, 4u, 8u, 16u, 32u})
        all.push_back(
            {"chase_shared/ways:" + std::to_string(ways), "memory", "chase_shared", 32, {v(ways)}, "ld.shared"});
    for (const U warps : {1u, 2u, 4u, 8u, 16u, 32u})
        all.push_back({"barrier_block/warps:" + std::to_string(warps),
                       "control",
                       "barrier_block",
                       32 * warps,
                       {},
                       "bar.sync",
                       0.15});
    for (const U warps : {4u, 8u, 32u}) {
        const auto rate = [&](const char* entry, std::vector<Argument> more, const char* op, std::string middle = "",
                              double tolerance = 0.3) {
            all.push_back({entry + middle + "/warps:" + std::to_string(warps), "issue", entry, 32 * warps,
                           std::move(more), op, tolerance, 0, warps});
        };
        rate("rate_add", {v(16), v(3)}, "add.u32");
        rate("rate_mad", {v(16), v(3)}, "mad.lo.u32");
        rate("rate_shift", {v(16), v(3)}, "shf.l");
        rate("rate_fma", {v(16), microValue("x", 0.5F)}, "fma.rn.f32");
        rate("rate_dfma", {v(16), microValue("x", 0.5)}, "fma.rn.f64");
        rate("rate_rsqrt", {v(16), microValue("x", 1.0F)}, "rsqrt", "",
             0.55); // the model takes the form with .ftz as the plain one
        rate("rate_popc", {v(16), v(3)}, "popc");
        rate("rate_shfl", {v(16), v(1)}, "shfl.sync");
        rate("rate_shared", {v(16), v(1), v(0)}, "ld.volatile.shared", "/ways:1");
        rate("rate_shared", {v(16), v(32), v(0)}, "ld.volatile.shared", "/ways:32");
        for (const U stride : {4u, 32u})
            rate("rate_l1", {v(64), microBuffer("data", 65536), v(stride), microValue("zero", std::uint64_t(0))},
                 "ld.global", "/stride:" + std::to_string(stride),
                 // A warp alone on its scheduler loads every 6.8 cycles on the card, however many loads it may have
                 // under way; why is not known, and the model does not slow it down.
                 warps == 4 ? 0.55 : 0.3);
    }
    return all;
}

} // namespace warpglass::testing
