// SPDX-License-Identifier: GPL-3.0-or-later
// Sparse matrices: which elements of a row are there, and the row with zeros between them.
//
// Two bits of metadata for each element that is there say where it stands among its four (two of two for tf32; pairs of
// elements for four bits). PTX ISA, "Sparse matrix storage" and the figures of each shape: rows of 16-bit and wider
// types have 16 bits in one lane of four, or in two; those of narrower ones 32 bits, rows g and g + 8 side by side. Each
// warp of wgmma has those of its own sixteen rows, in the same places.
#pragma once

#include "gpu/emulator/state/exec.h"

#include <algorithm>

namespace warpglass::emulator {

inline std::uint64_t metadataOf(const std::uint32_t* lanes, const MatrixCode& code, std::uint32_t row) {
    const std::uint32_t g = row % 8, half = row / 8;
    const bool narrow = ptx::bitsOf(code.form.a) <= 8;
    std::uint64_t bits = 0;
    const std::uint32_t given = narrow ? code.form.k / (ptx::bitsOf(code.form.a) == 4 ? 64 : 32)
                                       : code.form.k / (code.form.a == ptx::Type::TF32 ? 8 : 16);
    for (std::uint32_t part = 0; part < given; ++part) {
        if (narrow) {
            const std::uint32_t lane = 4 * g + 2 * (given == 1 ? code.selector : part) + half;
            bits |= std::uint64_t(lanes[lane]) << (32 * part);
        } else {
            const std::uint32_t lane = 4 * g + (given == 1 ? code.selector : 2 * code.selector + part);
            bits |= std::uint64_t(lanes[lane] >> (16 * half) & 0xffffu) << (16 * part);
        }
    }
    return bits;
}

// there: 16 x k/2, dense: 16 x k.
template <class T>
void spreadRows(Exec& x, const MatrixCode& code, const T* there, T* dense) {
    const std::uint32_t k = code.form.k;
    std::fill_n(dense, 16 * k, T(0));
    const auto* lanes = rowAt<const std::uint32_t>(x, code.metadata);
    for (std::uint32_t row = 0; row < 16; ++row) {
        const std::uint64_t bits = metadataOf(lanes, code, row);
        const T* from = there + row * (k / 2);
        T* to = dense + row * k;
        if (code.form.a == ptx::Type::TF32) {
            for (std::uint32_t q = 0; q < k / 2; ++q)
                to[2 * q + (bits >> (4 * q) & 3) / 2] = from[q];
        } else {
            const std::uint32_t together = ptx::bitsOf(code.form.a) == 4 ? 2 : 1;
            for (std::uint32_t i = 0; i < k / 2; ++i) {
                const std::uint32_t unit = i / together;
                const auto place = std::uint32_t(bits >> (2 * unit) & 3);
                to[(unit / 2 * 4 + place) * together + i % together] = from[i];
            }
        }
    }
}

} // namespace warpglass::emulator
