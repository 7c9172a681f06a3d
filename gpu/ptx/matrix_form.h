// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions on matrices: what their words mean, and which lane and register holds which element.
//
// A matrix instruction is one of the whole warp (wgmma: of four warps). Its matrices lie in pieces, "fragments", in the
// registers of the lanes. PTX ISA, "Matrix Fragments for mma" gives a table for each shape and type; all of them but
// m8n8k4 on halves follow from one picture. With g = lane / 4 and t = lane % 4, a register of 32 bits holds e = 32 / bits
// elements (64 bits: one), and one register of all 32 lanes is a tile:
//   A  8 rows of 4e elements: row g, columns t*e to t*e + e-1
//   B  the same turned: column g, rows t*e to t*e + e-1
//   C  8 rows of 8 elements in two elements of each lane: row g, columns 2t and 2t + 1
// Tiles follow each other: of A by rows of eight within sixteen, then to the right, then the next sixteen rows; of B
// downwards, then to the right; of C by rows of eight within sixteen, then to the right, then the next sixteen.
// ldmatrix and stmatrix have lines of 16 bytes in memory, and cells are those of memory; matrices of 16 rows (bytes, always
// turned) follow their own figures there: of m16n16 a register has four neighbours of a column of memory, column g and then
// g + 8; of m16n8 two neighbours of column g and the same two of column g + 8.
// The layout of wmma's fragments is nobody's business (the ISA leaves it open): here it is the same picture, so that a
// fragment means the same to wmma.load, wmma.mma and wmma.store. Known to the emulator and to views alike.
#pragma once

#include "gpu/ptx/describe.h"

#include <optional>
#include <span>
#include <string_view>

namespace warpglass::ptx {

enum class MatrixRole : std::uint8_t { A, B, C, D };

struct MatrixForm {
    enum class Kind : std::uint8_t {
        Product,      // mma, wmma.mma: d = a * b + c
        AsyncProduct, // wgmma.mma_async: d = a * b + d, of four warps; b and perhaps a in shared memory
        Load,         // wmma.load, `role`
        Store,        // wmma.store, `role`
        LoadRows,     // ldmatrix: `count` matrices of 8 rows, or of 16
        StoreRows,    // stmatrix
        Transpose,    // movmatrix
    };
    Kind kind = Kind::Product;
    std::uint32_t m = 8, n = 8, k = 8;
    Type a = Type::B16, b = Type::B16, c = Type::B16, d = Type::B16;
    MatrixRole role = MatrixRole::D;           // of Load and Store
    std::uint32_t count = 1;                   // of LoadRows and StoreRows
    bool wmma = false;                         // its fragments on f16 have eight registers, whatever the shape
    bool sparse = false;                       // of a, two of four elements (tf32: one of two) are there
    bool transposed = false;                   // .trans
    bool aByRows = true, bByRows = false;      // .row, .col; of Load and Store: aByRows is the layout in memory
    bool satfinite = false, exclusive = false; // b1: xor instead of and
    Rounding rounding = Rounding::Nearest;     // of f64
    Type scale = Type::None;                   // of block_scale: ue8m0 or ue4m3
    std::uint32_t scales = 1;                  // of a row of a and of a column of b, each for k / scales elements
    std::uint32_t packed = 8;                  // of LoadRows with 16 columns: bits of an element in memory

    // Of LoadRows, StoreRows and Transpose: lines of 16 bytes that a matrix has in memory. m16n8 is stored turned.
    std::uint32_t linesOfMatrix() const { return m == 16 && n == 16 ? 16 : 8; }
    bool quads() const { return kind == Kind::Product && !wmma && a == Type::F16 && k == 4; }
    std::uint32_t operationsOfThread() const; // multiplications and additions
};
// Nothing if it is no instruction with fragments.
std::optional<MatrixForm> matrixForm(Opcode opcode, std::span<const Modifier> modifiers);
std::optional<MatrixForm> matrixForm(std::string_view opcodeWithModifiers); // "mma.sync.aligned.m16n8k16.row.col..."

// How one of the matrices lies in registers.
struct Fragment {
    std::uint32_t rows = 0, columns = 0; // of the matrix; of a sparse one, the columns that are there
    std::uint32_t bits = 32;             // of an element
    std::uint32_t elements = 0;          // a lane
    std::uint32_t registers = 0;         // a lane; of 64 bits for f64, else of 32
    std::uint32_t written = 0;           // registers in the text: the first ones again where there are more
    std::uint32_t perRegister() const { return bits >= 32 ? 1 : 32 / bits; }
};
Fragment fragmentOf(const MatrixForm& form, MatrixRole role);

// Of a lane (of wgmma: a thread of the four warps) and the number of one of its elements.
struct MatrixCell {
    std::uint32_t row = 0, column = 0;
    bool operator==(const MatrixCell&) const = default;
};
MatrixCell cellOf(const MatrixForm& form, MatrixRole role, std::uint32_t lane, std::uint32_t element);

Type typeOf(const MatrixForm& form, MatrixRole role);
std::uint32_t bitsOf(Type type); // of an element; 32 for tf32, 4 and 1 for what is smaller than a byte

} // namespace warpglass::ptx
