// SPDX-License-Identifier: GPL-3.0-or-later
// The passes over 32 addresses that every load, store and atomic begins with.
#include "gpu/emulator/ops/alu/lanes.h"

#include <bit>

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

inline u64 wide(u32 bits) {
    return u64(i64(i32(bits)));
}

void fill(Exec& x, const Inst& in) {
    const auto offset = u64(in.memory.offset);
    u64* const to = x.address.data();
    if (in.memory.wideAddress) {
        const auto* a = rowAt<const u64>(x, in.a);
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            to[i] = a[i] + offset;
    } else if (in.memory.noBase) {
        for (int i = 0; i < 32; ++i)
            to[i] = offset;
    } else {
        const auto* a = rowAt<const u32>(x, in.a);
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            to[i] = u32(a[i] + u32(offset));
    }
}

bool atOne(Exec& x, u32 m) {
    const u64* a = x.address.data();
    const u64 base = a[std::countr_zero(m)];
    u64 differs = 0;
    if (m == ~0u) {
        for (int i = 0; i < 32; ++i)
            differs |= a[i] ^ base;
        return differs == 0;
    }
    if (x.laneBitsOf != m)
        x.expand(m);
    for (int i = 0; i < 32; ++i)
        differs |= (a[i] ^ base) & wide(x.laneBits[std::size_t(i)]);
    return differs == 0;
}

// Compared with where each lane would be: to compare neighbours one would read across what was just written by vectors,
// and wait for it.
bool inOrder(Exec& x, u32 m, u32 size) {
    const u64* a = x.address.data();
    const int first = std::countr_zero(m);
    if (((m >> first) & ((m >> first) + 1)) != 0)
        return false; // a hole
    const u64 start = a[first] - u64(first) * size;
    if (m == ~0u) {
        using Four = u64 __attribute__((vector_size(32)));
        Four there = {start, start + size, start + 2 * u64(size), start + 3 * u64(size)}, differs = {};
        for (int i = 0; i < 32; i += 4, there += 4 * u64(size)) {
            Four own;
            std::memcpy(&own, a + i, sizeof own);
            differs |= own ^ there;
        }
        return (differs[0] | differs[1] | differs[2] | differs[3]) == 0;
    }
    if (x.laneBitsOf != m)
        x.expand(m);
    u64 differs = 0;
    for (int i = 0; i < 32; ++i)
        differs |= (a[i] ^ (start + u64(i) * size)) & wide(x.laneBits[std::size_t(i)]);
    return differs == 0;
}

// Two lanes tell which of the two orders can be.
Lanes order(Exec& x, u32 m, u32 size) {
    const u32 others = m & (m - 1);
    if (others == 0)
        return Lanes::InOrder;
    const u64 step = x.address[std::size_t(std::countr_zero(others))] - x.address[std::size_t(std::countr_zero(m))];
    if (step == 0)
        return atOne(x, m) ? Lanes::AtOne : Lanes::Scattered;
    return step == size && inOrder(x, m, size) ? Lanes::InOrder : Lanes::Scattered;
}

bool liesAs(Exec& x, u32 m, const u64* distance) {
    const u64* a = x.address.data();
    const u64 first = a[std::countr_zero(m)];
    u64 differs = 0;
    if (m == ~0u) {
        for (int i = 0; i < 32; ++i)
            differs |= (a[i] - first) ^ distance[i];
        return differs == 0;
    }
    if (x.laneBitsOf != m)
        x.expand(m);
    for (int i = 0; i < 32; ++i)
        differs |= ((a[i] - first) ^ distance[i]) & wide(x.laneBits[std::size_t(i)]);
    return differs == 0;
}

} // namespace

const AddressPasses addressPasses = {&fill, &atOne, &order, &liesAs};

} // namespace warpglass::emulator::WARPGLASS_ALU
