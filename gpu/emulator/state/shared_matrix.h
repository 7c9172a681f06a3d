// SPDX-License-Identifier: GPL-3.0-or-later
// A matrix in shared memory consists of cores of 8 x 16 bytes, and the descriptor says how far apart they are (PTX ISA,
// "Asynchronous Warpgroup Level Matrix Shared Memory Layout"). Seen along k ("K-major"), with w bytes of swizzle:
//   no swizzle   row r, byte j of 32: (r / 8) * stride + (j / 16) * leading + (r % 8) * 16 + j % 16
//   w = 32 .. 128                     (r / 8) * stride + (r % 8) * w + j
// Turned ("MN-major", halves only), row k of the matrix, byte j along m or n:
//   no swizzle   (j / 16) * stride + (k / 8) * leading + (k % 8) * 16 + j % 16
//   w = 32 .. 128 (j / w) * leading + (k / 8) * stride + (k % 8) * w + j % w
// The swizzle then exchanges pieces of 16 bytes: bits 4 to 6 of the address are xor-ed with bits 7 to 9 (of them as many
// as w has pieces: three, two or one).
#pragma once

#include <cstdint>

namespace warpglass::emulator {

struct SharedMatrix {
    std::uint64_t start = 0, leading = 0, stride = 0; // bytes
    std::uint32_t width = 0;                          // of a swizzled row; 0: none
    std::uint32_t phase = 0;                          // of the first row of the pattern

    explicit SharedMatrix(std::uint64_t descriptor) {
        start = (descriptor & 0x3fff) << 4;
        leading = (descriptor >> 16 & 0x3fff) << 4;
        stride = (descriptor >> 32 & 0x3fff) << 4;
        phase = std::uint32_t(descriptor >> 49 & 7);
        constexpr std::uint32_t widths[] = {0, 128, 64, 32};
        width = widths[descriptor >> 62];
    }
    std::uint64_t swizzled(std::uint64_t at) const {
        if (width == 0)
            return at;
        return at ^ (((at >> 7) - phase) & (width / 16 - 1)) << 4;
    }
    // Sixteen bytes, the piece-th of a row along k.
    std::uint64_t alongK(std::uint32_t row, std::uint32_t piece) const {
        const std::uint64_t at = start + row / 8 * stride;
        return swizzled(width == 0 ? at + piece * leading + row % 8 * 16 : at + row % 8 * width + piece * 16);
    }
    // The same along m or n, for one k.
    std::uint64_t acrossK(std::uint32_t k, std::uint32_t piece) const {
        if (width == 0)
            return start + piece * stride + k / 8 * leading + k % 8 * 16;
        const std::uint32_t of = width / 16;
        return swizzled(start + piece / of * leading + k / 8 * stride + k % 8 * width + piece % of * 16);
    }
};

// Pieces of sixteen bytes of a matrix.
struct MatrixPieces {
    SharedMatrix matrix;
    bool turned = false;                 // it lies across k
    std::uint32_t first = 0;             // row
    std::uint32_t lines = 0, pieces = 0; // rows, or k where it is turned, and pieces of each
    std::uint64_t at(std::uint32_t line, std::uint32_t piece) const {
        return turned ? matrix.acrossK(line, first / 8 + piece) : matrix.alongK(first + line, piece);
    }
    std::uint64_t bytes() const { return std::uint64_t(16) * lines * pieces; }
};

} // namespace warpglass::emulator
