// SPDX-License-Identifier: GPL-3.0-or-later
// Registers of 128 bits, which are only moved, packed and unpacked, and vectors of registers.
#include "gpu/emulator/ops/scalar_ops.h"
#include "gpu/emulator/state/exec.h"

#include <bit>

namespace warpglass::emulator {

namespace {

constexpr std::size_t wide = 16; // bytes of a lane

std::byte* lanePlace(Exec& x, Row row, int lane, std::size_t bytes) {
    return x.rows + row + std::size_t(lane) * bytes;
}

bool moveWide(Exec& x, const Inst& in) {
    for (std::uint32_t m = activeMask(x, in); m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        std::memcpy(lanePlace(x, in.dst, lane, wide), lanePlace(x, in.a, lane, wide), wide);
    }
    return true;
}

// The parts lie in memory's order: the first is the lowest. Their registers are at least as wide as they are.
template <bool packs>
bool pieces(Exec& x, const Inst& in) {
    const auto& rows = x.program->vectors[in.memory.vector];
    const std::size_t part = in.memory.bytes, width = part < 4 ? 4 : part;
    for (std::uint32_t m = activeMask(x, in); m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        std::byte whole[wide]{};
        if (!packs)
            std::memcpy(whole, lanePlace(x, in.a, lane, wide), wide);
        for (std::size_t k = 0; k < in.memory.elements; ++k) {
            if (rows[k] == noRow)
                continue;
            std::byte* at = lanePlace(x, rows[k], lane, width);
            if (packs) {
                std::memcpy(whole + k * part, at, part);
            } else {
                std::memset(at, 0, width);
                std::memcpy(at, whole + k * part, part);
            }
        }
        if (packs)
            std::memcpy(lanePlace(x, in.dst, lane, wide), whole, wide);
    }
    return true;
}

// All elements are read before the first is written: {a, b} may become {b, a}.
bool moveVector(Exec& x, const Inst& in) {
    const auto &to = x.program->vectors[in.memory.vector], &from = x.program->vectors[in.memory.site];
    const std::size_t width = in.memory.rowBytes;
    for (std::uint32_t m = activeMask(x, in); m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        std::array<std::uint64_t, mostElements> values{};
        for (std::size_t k = 0; k < in.memory.elements; ++k)
            std::memcpy(&values[k], lanePlace(x, from[k], lane, width), width);
        for (std::size_t k = 0; k < in.memory.elements; ++k)
            if (to[k] != noRow)
                std::memcpy(lanePlace(x, to[k], lane, width), &values[k], width);
    }
    return true;
}

} // namespace

Handler moveWideHandler() {
    return &moveWide;
}
Handler packWideHandler() {
    return &pieces<true>;
}
Handler unpackWideHandler() {
    return &pieces<false>;
}
Handler moveVectorHandler() {
    return &moveVector;
}

} // namespace warpglass::emulator
