// SPDX-License-Identifier: GPL-3.0-or-later
// wmma's matrices between memory and the lines that lanes take their elements from, an access of the warp at a time.
#pragma once

#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/state/exec.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace warpglass::emulator {

inline bool accessPieces(Exec& x, const MatrixCode& code, std::uint32_t lanes) {
    const std::uint32_t mask = x.mask;
    x.mask = lanes;
    const bool ok = code.pieces.run(x, code.pieces);
    x.mask = mask;
    return ok;
}
inline std::uint32_t lanesOf(std::uint32_t count) {
    return count >= 32 ? 0xffffffffu : (1u << count) - 1;
}

// wmma's matrix in memory, line by line: what is read may be taken where it lies.
struct MatrixLines {
    alignas(64) std::array<std::byte, 4096> bytes;
    const std::byte* at = nullptr;
};

// All lanes name the same matrix; the first one's words count.
inline std::uint64_t baseOf(Exec& x, const Inst& in) {
    const auto offset = std::uint64_t(in.memory.offset);
    return in.memory.noBase        ? offset
           : in.memory.wideAddress ? *rowAt<const std::uint64_t>(x, in.a) + offset
                                   : std::uint32_t(*rowAt<const std::uint32_t>(x, in.a) + offset);
}
// Bytes from line to line in memory, of lines of so many bytes.
inline std::uint64_t strideOf(Exec& x, const MatrixCode& code, std::uint64_t bytes) {
    return code.stride == noRow ? bytes
                                : std::uint64_t(*rowAt<const std::uint32_t>(x, code.stride)) * code.fragment.bits / 8;
}
inline void addCounts(AccessSummary& all, const AccessSummary& one) {
    all.sectors += one.sectors;
    all.lines += one.lines;
    all.bytesDistinct += one.bytesDistinct;
    all.passes += one.passes;
    all.idealPasses += one.idealPasses;
}
// The timing model sees one access, of all rounds.
inline void tellCounts(AccessSummary& one, const AccessSummary& all) {
    one.sectors = all.sectors;
    one.lines = all.lines;
    one.bytesDistinct = all.bytesDistinct;
    one.passes = all.passes;
    one.idealPasses = all.idealPasses;
}

// Each round moves what one instruction of the card does, as MatrixCode::places has it.
template <bool isStore>
bool laneRounds(Exec& x, const Inst& in, const MatrixCode& code, MatrixLines& lines) {
    const MemoryPart& memory = code.pieces.memory;
    const std::uint32_t words = memory.elements, part = memory.bytes;
    const Row* const rows = words == 1 ? &code.pieces.dst : x.program->vectors[memory.vector].data();
    const std::uint32_t bytes = code.piecesOfLine * code.pieceBytes, all = bytes * code.lines;
    const std::uint64_t base = baseOf(x, in), stride = strideOf(x, code, bytes);
    AccessSummary sum;
    lines.at = lines.bytes.data();
    for (std::size_t first = 0; first < code.places.size(); first += 32) {
        const std::uint16_t* const places = code.places.data() + first;
        auto* const addresses = rowAt<std::uint64_t>(x, code.pieces.a);
        for (std::size_t lane = 0; lane < 32; ++lane)
            addresses[lane] = base + places[lane] / bytes * stride + places[lane] % bytes;
        for (std::size_t lane = 0; isStore && lane < 32; ++lane)
            for (std::uint32_t w = 0; w < words; ++w)
                std::memcpy(x.rows + rows[w] + 4 * lane, lines.bytes.data() + places[lane] + std::size_t(w) * part,
                            part);
        if (!accessPieces(x, code, ~0u))
            return false;
        addCounts(sum, x.access);
        if (x.recorder && x.recorder->recordsAccesses())
            x.recorder->access(x, code.pieces, x.warp->clock - 1, true);
        for (std::size_t lane = 0; !isStore && lane < 32; ++lane)
            for (std::uint32_t w = 0; w < words; ++w)
                std::memcpy(lines.bytes.data() + places[lane] + std::size_t(w) * part, x.rows + rows[w] + 4 * lane,
                            part);
    }
    tellCounts(x.access, sum);
    if (x.access.active.bits != ~0u) // reported faults: what is left of the last round
        return true;
    // All of the matrix, in as many pieces as there are lanes, or in pieces of 16 bytes.
    const std::uint32_t piece = std::min(bytes, std::max(all / 32, 16u));
    const std::uint16_t last = code.places[code.places.size() - 32]; // x.address is as its space has it
    const std::uint64_t lowest = x.address[0] - (last / bytes * stride + last % bytes);
    x.access.active.bits = lanesOf(all / piece);
    x.access.bytes = piece;
    for (std::uint32_t k = 0; k < all / piece; ++k)
        x.address[k] = lowest + k * piece / bytes * stride + k * piece % bytes;
    return true;
}

} // namespace warpglass::emulator
