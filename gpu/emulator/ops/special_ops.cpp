// SPDX-License-Identifier: GPL-3.0-or-later
// Special registers: what each is called, and what it reads.
#include "gpu/emulator/ops/special_ops.h"
#include "gpu/emulator/ops/device_launch.h"
#include "gpu/emulator/state/cluster.h"

#include <bit>
#include <utility>

namespace warpglass::emulator {

namespace {

constexpr std::uint32_t sharedUnit = 128; // in which shared memory is given, from compute capability 8.0 on

std::uint64_t specialValue(const Exec& x, Special s, int lane) {
    const Dim3 &g = x.launch->grid, &b = x.launch->block, &i = x.block->blockIdx, &c = x.launch->cluster;
    const auto l = std::size_t(lane);
    const std::uint32_t bit = 1u << lane;
    // Times are steps of this warp, or the timing model's cycles: repeatable, and growing as a program expects.
    const auto clock = std::uint64_t(x.warp->clock + x.block->clockBase);
    switch (s) {
    case Special::TidX:
        return x.warp->tid[0][l];
    case Special::TidY:
        return x.warp->tid[1][l];
    case Special::TidZ:
        return x.warp->tid[2][l];
    case Special::NtidX:
        return b.x;
    case Special::NtidY:
        return b.y;
    case Special::NtidZ:
        return b.z;
    case Special::CtaidX:
        return i.x;
    case Special::CtaidY:
        return i.y;
    case Special::CtaidZ:
        return i.z;
    case Special::NctaidX:
        return g.x;
    case Special::NctaidY:
        return g.y;
    case Special::NctaidZ:
        return g.z;
    case Special::ClusterIdX:
        return i.x / c.x;
    case Special::ClusterIdY:
        return i.y / c.y;
    case Special::ClusterIdZ:
        return i.z / c.z;
    case Special::NClusterIdX:
        return g.x / c.x;
    case Special::NClusterIdY:
        return g.y / c.y;
    case Special::NClusterIdZ:
        return g.z / c.z;
    case Special::ClusterCtaidX:
        return i.x % c.x;
    case Special::ClusterCtaidY:
        return i.y % c.y;
    case Special::ClusterCtaidZ:
        return i.z % c.z;
    case Special::ClusterNctaidX:
        return c.x;
    case Special::ClusterNctaidY:
        return c.y;
    case Special::ClusterNctaidZ:
        return c.z;
    case Special::ClusterCtaRank:
        return i.x % c.x + c.x * (i.y % c.y + c.y * (i.z % c.z));
    case Special::ClusterNctaRank:
        return c.count();
    case Special::LaneId:
        return l;
    case Special::WarpId:
        return x.warp->number;
    case Special::NWarpId:
        return x.device->maxWarpsPerSm;
    case Special::SmId:
        return x.block->sm;
    case Special::NSmId:
        return std::uint64_t(x.device->smCount);
    case Special::GridId:
        return x.launch->launch == 0 ? 1 : ~std::uint64_t(3) - x.launch->launch;
    case Special::LanemaskEq:
        return bit;
    case Special::LanemaskLe:
        return bit | (bit - 1);
    case Special::LanemaskLt:
        return bit - 1;
    case Special::LanemaskGe:
        return std::uint32_t(~(bit - 1));
    case Special::LanemaskGt:
        return std::uint32_t(~(bit | (bit - 1)));
    case Special::Clock:
        return std::uint32_t(clock);
    case Special::ClockHi:
        return clock >> 32;
    case Special::Clock64:
        return clock;
    case Special::GlobalTimerLo:
    case Special::GlobalTimerHi:
    case Special::GlobalTimer: {
        const auto timer = std::uint64_t(double(clock) * x.block->nsPerCycle);
        return s == Special::GlobalTimerLo ? std::uint32_t(timer) : s == Special::GlobalTimerHi ? timer >> 32 : timer;
    }
    case Special::TotalSmem:
        return (x.launch->sharedBytes + sharedUnit - 1) / sharedUnit * sharedUnit;
    case Special::AggregateSmem:
        return x.launch->sharedBytes + reservedSharedBytes; // not in units, on an H200
    case Special::DynamicSmem:
        return x.launch->dynamicShared;
    case Special::ReservedSmem:
        return reservedSharedAt(x.launch->sharedBytes);
    case Special::ReservedSmemEnd:
        return reservedSharedAt(x.launch->sharedBytes) + reservedSharedBytes;
    case Special::ReservedSmemBytes:
        return reservedSharedBytes;
    case Special::WarpSize:
        return 32;
    case Special::WorkspaceHigh:
        return x.launch->workspace >> 32;
    case Special::WorkspaceLow:
        return std::uint32_t(x.launch->workspace);
    case Special::Zero:
        return 0;
    }
    return 0;
}

bool special(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    const auto s = Special(in.special.what);
    const bool whole = in.special.bytes >= in.special.rowBytes;
    if (whole && in.special.rowBytes == 4 && s <= Special::TidZ) {
        const std::uint32_t* t = x.warp->tid[std::size_t(s)].data();
        storeLanes(x, m, rowAt<std::uint32_t>(x, in.dst), [=](int i) { return t[i]; });
        return true;
    }
    const bool ofLane =
        s <= Special::TidZ || s == Special::LaneId || (s >= Special::LanemaskEq && s <= Special::LanemaskGt);
    if (whole && !ofLane) {
        const std::uint64_t value = specialValue(x, s, 0);
        if (in.special.rowBytes == 8)
            storeLanes(x, m, rowAt<std::uint64_t>(x, in.dst), [=](int) { return value; });
        else
            storeLanes(x, m, rowAt<std::uint32_t>(x, in.dst), [=](int) { return value; });
        return true;
    }
    const int unused = 64 - 8 * in.special.bytes;
    eachLane(m, [&](int lane) {
        const std::uint64_t high = specialValue(x, s, lane) << unused;
        const std::uint64_t value = in.special.isSigned ? std::uint64_t(std::int64_t(high) >> unused) : high >> unused;
        if (in.special.rowBytes == 8)
            rowAt<std::uint64_t>(x, in.dst)[lane] = value;
        else
            rowAt<std::uint32_t>(x, in.dst)[lane] = std::uint32_t(value);
    });
    return true;
}

bool specialVector(Exec& x, const Inst& in) {
    const auto& to = x.program->vectors[in.memory.vector];
    eachLane(activeMask(x, in), [&](int lane) {
        for (std::size_t k = 0; k < in.memory.elements; ++k)
            if (to[k] != noRow)
                rowAt<std::uint32_t>(x, to[k])[lane] =
                    k < 3 ? std::uint32_t(specialValue(x, Special(in.memory.site + k), lane)) : 0u;
    });
    return true;
}

} // namespace

Handler specialVectorHandler() {
    return &specialVector;
}
Handler specialHandler() {
    return &special;
}

bool parseSpecial(std::string_view name, int component, Special& out) {
    const auto c = std::uint8_t(component < 0 ? 0 : component);
    const std::pair<std::string_view, Special> vectors[] = {{"%tid", Special::TidX},
                                                            {"%ntid", Special::NtidX},
                                                            {"%ctaid", Special::CtaidX},
                                                            {"%nctaid", Special::NctaidX},
                                                            {"%clusterid", Special::ClusterIdX},
                                                            {"%nclusterid", Special::NClusterIdX},
                                                            {"%cluster_ctaid", Special::ClusterCtaidX},
                                                            {"%cluster_nctaid", Special::ClusterNctaidX}};
    for (const auto& [n, s] : vectors)
        if (n == name) { // PTX ISA: the fourth element is unused and always 0
            out = component == 3 ? Special::Zero : Special(std::uint8_t(s) + c);
            return true;
        }
    const std::pair<std::string_view, Special> scalars[] = {{"%laneid", Special::LaneId},
                                                            {"%warpid", Special::WarpId},
                                                            {"%nwarpid", Special::NWarpId},
                                                            {"%smid", Special::SmId},
                                                            {"%nsmid", Special::NSmId},
                                                            {"%gridid", Special::GridId},
                                                            {"%lanemask_eq", Special::LanemaskEq},
                                                            {"%lanemask_le", Special::LanemaskLe},
                                                            {"%lanemask_lt", Special::LanemaskLt},
                                                            {"%lanemask_ge", Special::LanemaskGe},
                                                            {"%lanemask_gt", Special::LanemaskGt},
                                                            {"%clock", Special::Clock},
                                                            {"%clock_hi", Special::ClockHi},
                                                            {"%clock64", Special::Clock64},
                                                            {"%globaltimer", Special::GlobalTimer},
                                                            {"%globaltimer_lo", Special::GlobalTimerLo},
                                                            {"%globaltimer_hi", Special::GlobalTimerHi},
                                                            {"%total_smem_size", Special::TotalSmem},
                                                            {"%dynamic_smem_size", Special::DynamicSmem},
                                                            {"%aggr_smem_size", Special::AggregateSmem},
                                                            {"%reserved_smem_offset_end", Special::ReservedSmemEnd},
                                                            {"%reserved_smem_offset_cap", Special::ReservedSmemBytes},
                                                            {"%current_graph_exec", Special::Zero},
                                                            {"%reserved_smem_offset_begin", Special::ReservedSmem},
                                                            {"%reserved_smem_offset_0", Special::ReservedSmem},
                                                            {"%reserved_smem_offset_1", Special::ReservedSmem},
                                                            {"WARP_SZ", Special::WarpSize},
                                                            {"%envreg1", Special::WorkspaceHigh},
                                                            {"%envreg2", Special::WorkspaceLow},
                                                            {"%cluster_ctarank", Special::ClusterCtaRank},
                                                            {"%cluster_nctarank", Special::ClusterNctaRank}};
    for (const auto& [n, s] : scalars)
        if (n == name) {
            out = s;
            return true;
        }
    if (name.starts_with("%envreg") || name.starts_with("%pm")) {
        out = Special::Zero;
        return true;
    }
    return false;
}

} // namespace warpglass::emulator
