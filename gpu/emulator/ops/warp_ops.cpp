// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/ops/warp_ops.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/lanes/alu.h"
#include "gpu/emulator/ops/barrier_ops.h"
#include "gpu/emulator/ops/control_ops.h"
#include "gpu/emulator/ops/device_launch.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/state/cluster.h"
#include "gpu/emulator/watch/shared_races.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace warpglass::emulator {

using ptx::Operation;

namespace {

// Undefined by PTX ISA, and easily written: popc(ballot(lanemask_le)).
void hintOtherMembers(Exec& x, const Inst& in, std::uint32_t members) {
    if (x.diagnostics && !x.diagnostics->repeated(x, DiagnosticKind::Other, in.index))
        x.diagnostics->add(x, DiagnosticKind::Other, in.index, -1, 0, say::OtherMembers(fmt::format("{:#x}", members)));
}

// Lanes that take part: the running ones among the members. False: not now, or there is a fault.
bool participants(Exec& x, const Inst& in, std::uint32_t& m) {
    const Row row = in.warp.members;
    m = activeMask(x, in);
    if (m == 0 || row == noRow)
        return true;
    const auto* named = rowAt<const std::uint32_t>(x, row);
    std::uint32_t members = 0, others = 0;
    NotNamed notNamed;
    const auto look = [&](std::uint32_t group, std::uint32_t own) {
        members |= own;
        notNamed.look(group, own);
        if (own & m & ~group)
            others = own;
    };
    if (in.warp.constantMembers)
        look(m, named[std::countr_zero(m)]);
    else
        forEachGroup(x, named, m, look);
    if (notNamed.lanes) [[unlikely]] {
        if (!passNotNamed(x, in, notNamed, in.warp.constantMembers))
            return false;
    } else if (others) [[unlikely]] {
        hintOtherMembers(x, in, others);
    }
    if ((members & ~x.mask) != 0 && !gather(x, in, members))
        return false;
    whatLanesReadIsRead(x);
    if (!x.warp->volatiles.empty())
        x.warp->volatiles.clear(); // who meets has done what stood before
    return true;
}

// Lanes m wait: value(lane) is what those get that may meet them from another place.
template <class F>
void offer(Exec& x, std::uint32_t m, F value) {
    StackEntry& e = x.warp->stack[x.warp->current];
    if (e.state != EntryState::AtSync)
        return; // a fault
    e.offers = true;
    eachLane(m, [&](int lane) { x.warp->offered[std::size_t(lane)] = value(lane); });
}

// Lanes that take part with m from another place, and what each of them has offered.
struct Others {
    std::uint32_t lanes = 0;
    const std::uint64_t* values = nullptr;
};
Others elsewhere(Exec& x, std::uint32_t m) {
    StackEntry& e = x.warp->stack[x.warp->current];
    const std::uint32_t with = std::exchange(e.with, 0u) & ~m;
    return {with, with ? x.warp->meetings[e.meeting].data() : nullptr};
}

// The members that a group of lanes names.
std::uint32_t membersOf(Exec& x, const Inst& in, std::uint32_t group) {
    return rowAt<const std::uint32_t>(x, in.warp.members)[std::countr_zero(group)];
}

// Those of them that take part with a group of lanes.
std::uint32_t joining(Exec& x, const Inst& in, const Others& others, std::uint32_t group) {
    return others.lanes ? others.lanes & membersOf(x, in, group) : 0;
}

// f(lanes) for each set of lanes that look at each other: those of m that name the same members.
template <class F>
void eachGroup(Exec& x, const Inst& in, std::uint32_t m, F f) {
    if (in.warp.members == noRow || in.warp.constantMembers) {
        f(m);
        return;
    }
    forEachGroup(x, rowAt<const std::uint32_t>(x, in.warp.members), m,
                 [&](std::uint32_t group, std::uint32_t) { f(group); });
}

// PTX ISA, shfl.sync: segment and clamp come from c; a lane out of range gives the own value and a false predicate. One in
// range that does not take part is left open: an H200 then gives 0, and a true predicate.
// From where lane takes its value. False: out of range.
template <ShuffleMode mode>
[[gnu::always_inline]] inline bool sourceOf(int lane, std::uint32_t by, std::uint32_t c, int& from) {
    const int b = int(by & 31), clamp = int(c & 31), segment = int(c >> 8 & 31);
    const int maxLane = (lane & segment) | (clamp & ~segment), minLane = lane & segment;
    if constexpr (mode == ShuffleMode::Up) {
        from = lane - b;
        return from >= maxLane;
    }
    from = mode == ShuffleMode::Down ? lane + b : mode == ShuffleMode::Bfly ? lane ^ b : minLane | (b & ~segment);
    return from <= maxLane;
}

constexpr auto laneBit = [] {
    std::array<std::uint32_t, 32> bits{};
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        bits[lane] = 1u << lane;
    return bits;
}();

// Where a lane takes its value from, among those that take part with it.
template <ShuffleMode mode>
[[gnu::always_inline]] inline void plan(ShufflePlan& plan, int lane, std::uint32_t by, std::uint32_t c,
                                        std::uint32_t with) {
    int from = lane;
    const bool inRange = sourceOf<mode>(lane, by, c, from), there = with >> (from & 31) & 1u;
    plan.source[std::size_t(lane)] = std::uint32_t(inRange && there ? from : lane);
    plan.inRange |= std::uint32_t(inRange) << lane;
    plan.absent |= std::uint32_t(inRange && !there) << lane;
}

// The same for all lanes that name one distance and segment, as nearly all shuffles do; the last few are kept, since a
// reduction asks for five and begins again.
template <ShuffleMode mode>
const ShufflePlan& planOf(Exec& x, std::uint32_t m, std::uint32_t by, std::uint32_t c) {
    const std::uint32_t key = 0x80000000u | std::uint32_t(mode) << 24 | (c & 0x1f1f) << 8 | (by & 31);
    ShufflePlan& known = x.shuffles[(key * 2654435761u) >> 28];
    if (known.key == key && known.running == m)
        return known;
    known = {key, m};
    for (int lane = 0; lane < 32; ++lane)
        plan<mode>(known, lane, by, c, m);
    return known;
}

// All lanes, each with a distance or a source of its own; vector code.
template <ShuffleMode mode>
void planAll(ShufflePlan& plan, const std::uint32_t* by, const std::uint32_t* c) {
    std::uint32_t inRange = 0;
    for (int lane = 0; lane < 32; ++lane) {
        int from = lane;
        const bool is = sourceOf<mode>(lane, by[lane], c[lane], from);
        plan.source[std::size_t(lane)] = std::uint32_t(is ? from : lane) & 31u;
        inRange |= (0u - std::uint32_t(is)) & laneBit[std::size_t(lane)];
    }
    plan.inRange = inRange;
}

template <ShuffleMode mode>
bool shuffle(Exec& x, const Inst& in) {
    std::uint32_t m;
    const auto* a = rowAt<const std::uint32_t>(x, in.a);
    if (!participants(x, in, m)) {
        offer(x, m, [a](int lane) { return a[lane]; });
        return false;
    }
    if (m == 0)
        return true;
    const Others others = elsewhere(x, m);
    const auto* b = rowAt<const std::uint32_t>(x, in.b);
    const auto* c = rowAt<const std::uint32_t>(x, in.c);
    ShufflePlan each;
    const ShufflePlan* sources = &each;
    const auto first = std::size_t(std::countr_zero(m));
    const bool together = in.warp.members == noRow || in.warp.constantMembers ||
                          sameInAll(x, m, rowAt<const std::uint32_t>(x, in.warp.members));
    if (together && others.lanes == 0 && sameInAll(x, m, b) && sameInAll(x, m, c))
        sources = &planOf<mode>(x, m, b[first], c[first]);
    else if (together && m == ~0u)
        planAll<mode>(each, b, c);
    else
        eachGroup(x, in, m, [&](std::uint32_t group) {
            const std::uint32_t all = group | joining(x, in, others, group);
            eachLane(group, [&](int lane) { plan<mode>(each, lane, b[lane], c[lane], all); });
        });
    if (in.dst != noRow) {
        alignas(64) std::array<std::uint32_t, 32> value;
        x.passes->permute(a, sources->source.data(), value.data());
        eachLane(others.lanes ? m : 0, [&](int lane) {
            if (const std::uint32_t from = sources->source[std::size_t(lane)]; others.lanes >> from & 1)
                value[std::size_t(lane)] = std::uint32_t(others.values[from]);
        });
        if (const std::uint32_t absent = sources->absent & m) [[unlikely]]
            eachLane(absent, [&](int lane) { value[std::size_t(lane)] = 0; });
        storeLanes(x, m, rowAt<std::uint32_t>(x, in.dst), [&](int i) { return value[std::size_t(i)]; });
    }
    if (in.warp.second != noRow)
        setPredicate(x, in.warp.second, m, sources->inRange);
    if (x.recorder)
        x.recorder->shuffle(x, in, m, sources->source, x.warp->clock - 1);
    return true;
}

template <VoteMode mode>
bool vote(Exec& x, const Inst& in) {
    std::uint32_t m;
    const std::uint32_t p = predicate(x, in.a), says = in.warp.negated ? ~p : p;
    if (!participants(x, in, m)) {
        offer(x, m, [says](int lane) { return says >> lane & 1; });
        return false;
    }
    const Others others = elsewhere(x, m);
    std::uint32_t voted = m & says;
    eachLane(others.lanes, [&](int lane) { voted |= std::uint32_t(others.values[lane]) << lane; });
    eachGroup(x, in, m, [&](std::uint32_t group) {
        const std::uint32_t all = group | joining(x, in, others, group), yes = voted & all;
        if constexpr (mode == VoteMode::Ballot)
            storeLanes(x, group, rowAt<std::uint32_t>(x, in.dst), [=](int) { return yes; });
        else {
            const bool r = mode == VoteMode::All   ? yes == all
                           : mode == VoteMode::Any ? yes != 0
                                                   : yes == all || yes == 0;
            setPredicate(x, in.dst, group, r ? ~0u : 0u);
        }
    });
    return true;
}

bool spaceTest(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    const bool wide = in.special.rowBytes == 8;
    std::uint32_t inside = 0;
    eachLane(m, [&](int lane) {
        const std::uint64_t address =
            wide ? rowAt<const std::uint64_t>(x, in.a)[lane] : rowAt<const std::uint32_t>(x, in.a)[lane];
        const bool others = in.special.ownOnly && std::uint32_t(address) >> clusterRankShift != 0;
        inside |= std::uint32_t(windowOf(address) == Window(in.special.what) && !others) << lane;
    });
    setPredicate(x, in.dst, m, inside);
    return true;
}

bool activeMaskOp(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    storeLanes(x, m, rowAt<std::uint32_t>(x, in.dst), [=](int) { return m; });
    return true;
}

// For each lane the lanes of group that hold the same value. Byte by byte, those left out that are the same everywhere:
// of places in a small table, the usual values, one or two are left.
template <class T>
void lanesAlike(const T* a, std::uint32_t group, std::array<std::uint32_t, 32>& sets) {
    static const KeepEqual keepEqual = keepEqualFunction();
    T varies = 0;
    for (std::size_t i = 0; i < 32; ++i)
        varies |= a[i] ^ a[0];
    sets.fill(group);
    for (std::uint32_t shift = 0; shift < 8 * sizeof(T); shift += 8) {
        if ((varies >> shift & 0xff) == 0)
            continue;
        alignas(32) std::array<std::uint8_t, 32> bytes;
        for (std::size_t i = 0; i < 32; ++i)
            bytes[i] = std::uint8_t(a[i] >> shift);
        keepEqual(bytes.data(), sets.data());
    }
}

template <bool all, class T>
bool match(Exec& x, const Inst& in) {
    std::uint32_t m;
    const auto* a = rowAt<const T>(x, in.a);
    if (!participants(x, in, m)) {
        offer(x, m, [a](int lane) { return a[lane]; });
        return false;
    }
    if (m == 0)
        return true;
    const Others others = elsewhere(x, m);
    auto* d = rowAt<std::uint32_t>(x, in.dst);
    alignas(64) std::array<T, 32> values;
    if (others.lanes) [[unlikely]] {
        for (std::size_t i = 0; i < 32; ++i)
            values[i] = others.lanes >> i & 1 ? T(others.values[i]) : a[i];
        a = values.data();
    }
    std::uint32_t same = 0; // lanes of groups that agree
    eachGroup(x, in, m, [&](std::uint32_t group) {
        const std::uint32_t together = group | joining(x, in, others, group);
        if constexpr (all) {
            const std::uint32_t agree = sameInAll(x, together, a) ? together : 0;
            same |= agree;
            storeLanes(x, group, d, [=](int) { return agree; });
        } else {
            alignas(64) std::array<std::uint32_t, 32> sets;
            lanesAlike(a, together, sets);
            storeLanes(x, group, d, [&](int i) { return sets[std::size_t(i)]; });
        }
    });
    if (all && in.warp.second != noRow)
        setPredicate(x, in.warp.second, m, same);
    return true;
}

template <Operation op, class T>
bool redux(Exec& x, const Inst& in) {
    std::uint32_t m;
    const auto* a = rowAt<const T>(x, in.a);
    if (!participants(x, in, m)) {
        offer(x, m, [a](int lane) { return std::uint32_t(a[lane]); });
        return false;
    }
    if (m == 0)
        return true;
    const Others others = elsewhere(x, m);
    eachGroup(x, in, m, [&](std::uint32_t group) {
        const auto with = [](T r, T v) {
            if constexpr (op == Operation::Add)
                return T(std::uint32_t(r) + std::uint32_t(v));
            else if constexpr (op == Operation::Min)
                return std::min(r, v);
            else if constexpr (op == Operation::Max)
                return std::max(r, v);
            else if constexpr (op == Operation::And)
                return T(r & v);
            else if constexpr (op == Operation::Or)
                return T(r | v);
            else
                return T(r ^ v);
        };
        T r = a[std::countr_zero(group)];
        if (group == ~0u)
            for (int i = 1; i < 32; ++i)
                r = with(r, a[i]);
        else
            eachLane(group & (group - 1), [&](int lane) { r = with(r, a[lane]); });
        eachLane(joining(x, in, others, group), [&](int lane) { r = with(r, T(others.values[lane])); });
        storeLanes(x, group, rowAt<std::uint32_t>(x, in.dst), [=](int) { return std::uint32_t(r); });
    });
    return true;
}

// PTX ISA, redux.sync: a number beats NaN unless .NaN is asked for, -0 is less than +0. Ordered by their bits, the
// positive ones as they are, the negative ones backwards below them.
template <Operation op>
bool reduxFloat(Exec& x, const Inst& in) {
    std::uint32_t m;
    const auto* a = rowAt<const std::uint32_t>(x, in.a);
    if (!participants(x, in, m)) {
        offer(x, m, [a](int lane) { return a[lane]; });
        return false;
    }
    if (m == 0)
        return true;
    constexpr std::uint32_t canonicalNaN = 0x7fffffffu, infinity = 0x7f800000u;
    const std::uint32_t keeps = in.warp.absolute ? canonicalNaN : ~0u;
    const Others others = elsewhere(x, m);
    eachGroup(x, in, m, [&](std::uint32_t group) {
        bool anyNumber = false, anyNaN = false;
        std::int32_t best = 0;
        eachLane(group | joining(x, in, others, group), [&](int lane) {
            const std::uint32_t bits = group >> lane & 1 ? a[lane] : std::uint32_t(others.values[lane]);
            const std::uint32_t v = bits & keeps, magnitude = v & canonicalNaN;
            if (magnitude > infinity) {
                anyNaN = true;
                return;
            }
            const std::int32_t key = v >> 31 != 0 ? ~std::int32_t(magnitude) : std::int32_t(magnitude);
            best = !anyNumber ? key : op == Operation::Min ? std::min(best, key) : std::max(best, key);
            anyNumber = true;
        });
        const std::uint32_t number = best < 0 ? std::uint32_t(~best) | 0x80000000u : std::uint32_t(best);
        const std::uint32_t r = !anyNumber || (anyNaN && in.warp.nan) ? canonicalNaN : number;
        eachLane(group, [&](int lane) { rowAt<std::uint32_t>(x, in.dst)[lane] = r; });
    });
    return true;
}

bool elect(Exec& x, const Inst& in) {
    std::uint32_t m;
    if (!participants(x, in, m)) {
        offer(x, m, [](int) { return 0u; });
        return false;
    }
    if (m == 0)
        return true;
    const Others others = elsewhere(x, m);
    std::uint32_t leaders = 0;
    eachGroup(x, in, m, [&](std::uint32_t group) {
        const auto leader = std::uint32_t(std::countr_zero(group | joining(x, in, others, group)));
        leaders |= group & 1u << leader;
        if (in.dst != noRow)
            eachLane(group, [&](int lane) { rowAt<std::uint32_t>(x, in.dst)[lane] = leader; });
    });
    setPredicate(x, in.warp.second, m, leaders);
    return true;
}

} // namespace

Handler shuffleHandler(ShuffleMode mode) {
    switch (mode) {
    case ShuffleMode::Up:
        return &shuffle<ShuffleMode::Up>;
    case ShuffleMode::Down:
        return &shuffle<ShuffleMode::Down>;
    case ShuffleMode::Bfly:
        return &shuffle<ShuffleMode::Bfly>;
    case ShuffleMode::Idx:
        return &shuffle<ShuffleMode::Idx>;
    }
    return nullptr;
}
Handler voteHandler(VoteMode mode) {
    switch (mode) {
    case VoteMode::All:
        return &vote<VoteMode::All>;
    case VoteMode::Any:
        return &vote<VoteMode::Any>;
    case VoteMode::Uni:
        return &vote<VoteMode::Uni>;
    case VoteMode::Ballot:
        return &vote<VoteMode::Ballot>;
    }
    return nullptr;
}
Handler activeMaskHandler() {
    return &activeMaskOp;
}
Handler spaceTestHandler() {
    return &spaceTest;
}
Handler matchHandler(bool all, bool wide) {
    if (all)
        return wide ? &match<true, std::uint64_t> : &match<true, std::uint32_t>;
    return wide ? &match<false, std::uint64_t> : &match<false, std::uint32_t>;
}
template <Operation op>
static Handler reduxOf(bool isSigned) {
    return isSigned ? &redux<op, std::int32_t> : &redux<op, std::uint32_t>;
}
Handler reduxHandler(Operation op, bool isSigned) {
    switch (op) {
    case Operation::Add:
        return reduxOf<Operation::Add>(isSigned);
    case Operation::Min:
        return reduxOf<Operation::Min>(isSigned);
    case Operation::Max:
        return reduxOf<Operation::Max>(isSigned);
    case Operation::And:
        return reduxOf<Operation::And>(false);
    case Operation::Or:
        return reduxOf<Operation::Or>(false);
    case Operation::Xor:
        return reduxOf<Operation::Xor>(false);
    default:
        return nullptr;
    }
}
Handler reduxFloatHandler(Operation op) {
    return op == Operation::Min ? &reduxFloat<Operation::Min> : &reduxFloat<Operation::Max>;
}
Handler electHandler() {
    return &elect;
}

} // namespace warpglass::emulator
