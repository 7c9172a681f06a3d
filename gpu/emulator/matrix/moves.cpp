// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices between memory and lanes: ldmatrix, stmatrix, movmatrix, wmma.load, wmma.store.
//
// Memory is moved by pieces of up to 16 bytes, one a lane, as an access like any other (MatrixCode::pieces): with its
// checks, its counts and its event; wmma's matrices in global memory register by register (MatrixCode::places), as the card
// does. The lanes then share out what all of them brought, or bring together what is stored.
#include "gpu/emulator/access/shared_access.h"
#include "gpu/emulator/lanes/alu.h"
#include "gpu/emulator/lanes/turned.h"
#include "gpu/emulator/matrix/matrix_ops.h"
#include "gpu/emulator/matrix/rounds.h"
#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/state/cluster.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

using ptx::MatrixForm;

namespace {

// Where the pieces of an access that has been made are to be taken: those of other blocks of the cluster are in the rows,
// as those of other spaces are.
enum class Pieces : std::uint8_t { InRows, InPlace, OneBehindTheOther };
Pieces piecesOf(const Exec& x, const MatrixCode& code) {
    if (!code.pieces.memory.inPlace || x.access.active.empty())
        return Pieces::InRows;
    if (!x.lanesReach) // another block's
        return Pieces::InRows;
    return x.lanesLie == Lanes::InOrder ? Pieces::OneBehindTheOther : Pieces::InPlace;
}
// The pieces of `count` lanes, a multiple of eight, from `first` on; nothing of lanes with a fault.
[[gnu::always_inline]] inline void takePieces(const Exec& x, std::uint32_t first, std::uint32_t count, std::byte* to) {
    const Reach shared = x.lanesReach;
    const std::uint32_t lanes = lanesOf(count) << first;
    if (x.lanesLie == Lanes::InOrder &&
        x.access.active.bits == ~0u) { // of whom the first one's address alone may be there
        std::memcpy(to, shared.at(x.address[0]) + std::size_t(16) * first, std::size_t(16) * count);
        return;
    }
    if ((x.access.active.bits & lanes) == lanes) [[likely]] {
        for (std::size_t k = 0; k < count; k += 8)
            if (x.lanesAbove)
                x.passes->takeEightAbove(x.lanesLowest, x.lanesAbove + first + k, to + 16 * k);
            else
                x.passes->takeEight(shared, x.address.data() + first + k, to + 16 * k);
        return;
    }
    std::memset(to, 0, 16 * std::size_t(count));
    eachLane(x.access.active.bits & lanes, [&](int lane) {
        std::memcpy(to + 16 * (std::size_t(lane) - first), shared.at(x.address[std::size_t(lane)]), 16);
    });
}

// A row of 16 elements of four or six bits, one behind the other -> bytes with the element below, 0 above.
void unpackRow(std::uint32_t bits, std::byte* row) {
    std::array<std::uint64_t, 2> words;
    std::memcpy(words.data(), row, sizeof words);
    for (std::uint32_t i = 0; i < 16; ++i) {
        const std::uint32_t at = i * bits, shift = at % 64;
        std::uint64_t v = words[at / 64] >> shift;
        if (shift + bits > 64)
            v |= words[1] << (64 - shift);
        row[i] = std::byte(v & ((1u << bits) - 1));
    }
}

// Eight pieces from number `first` on, one behind the other: from the rows of an access that did not find them in place.
void takeRows(Exec& x, const MatrixCode& code, std::uint32_t first, EightHalves* rows) {
    const auto& words = x.program->vectors[code.pieces.memory.vector];
    for (std::uint32_t half = 0; half < 2; ++half) {
        FourWords v[4]; // of four rows: their first words, their second ones ...
        for (std::size_t w = 0; w < 4; ++w)
            v[w] = fourWords(rowAt<const std::uint32_t>(x, words[w]) + first + 4 * half);
        turn(v);
        for (std::uint32_t i = 0; i < 4; ++i)
            rows[4 * half + i] = reinterpret_cast<EightHalves>(v[i]);
    }
}

// m16n16: a register has four bytes of a column, column g of memory and then g + 8.
void shareBytesOut(Exec& x, const MatrixCode& code, Pieces pieces) {
    for (std::uint32_t matrix = 0; matrix < code.form.count; ++matrix) {
        alignas(16) std::array<std::byte, 256> lines;
        for (std::uint32_t eight = 0; eight < 2; ++eight) {
            const std::uint32_t first = 16 * matrix + 8 * eight;
            if (pieces == Pieces::InRows) {
                EightHalves rows[8];
                takeRows(x, code, first, rows);
                std::memcpy(lines.data() + std::size_t(128) * eight, rows, sizeof rows);
            } else {
                takePieces(x, first, 8, lines.data() + std::size_t(128) * eight);
            }
        }
        for (std::size_t line = 0; code.form.packed < 8 && line < 16; ++line)
            unpackRow(code.form.packed, lines.data() + 16 * line);
        for (std::size_t half = 0; half < 2; ++half) {
            std::byte* const to = x.rows + code.d[2 * matrix + half];
            for (std::size_t lane = 0; lane < 32; ++lane)
                for (std::size_t j = 0; j < 4; ++j)
                    to[4 * lane + j] = lines[16 * (lane % 4 * 4 + j) + lane / 4 + 8 * half];
        }
    }
}

// A lane of ldmatrix has two neighbours of a row, or, transposed, of a column.
bool loadRows(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const MatrixCode& code = x.program->matrices[in.memory.site];
    const std::uint32_t lanes = lanesOf(code.form.linesOfMatrix() * code.form.count);
    if (!accessPieces(x, code, lanes))
        return false;
    const Pieces pieces = piecesOf(x, code);
    if (code.form.m == 16) {
        shareBytesOut(x, code, pieces);
        return true;
    }
    const bool inOrder = pieces == Pieces::OneBehindTheOther && x.access.active.bits == lanes;
    for (std::uint32_t matrix = 0; matrix < code.form.count; ++matrix) {
        std::byte* const to = x.rows + code.d[matrix];
        if (inOrder) {
            const std::byte* const from = x.lanesReach.at(x.address[0]);
            if (code.form.transposed)
                x.passes->turnHalves(from + 128 * matrix, to);
            else
                std::memcpy(to, from + 128 * matrix, 128);
            continue;
        }
        if (pieces != Pieces::InRows) { // as they are
            takePieces(x, 8 * matrix, 8, to);
            if (code.form.transposed)
                x.passes->turnHalves(to, to);
            continue;
        }
        EightHalves rows[8];
        takeRows(x, code, 8 * matrix, rows);
        if (code.form.transposed)
            turn(rows);
        std::memcpy(to, rows, sizeof rows); // the words are the decoder's own rows
    }
    for (std::uint32_t row = 0; code.form.packed < 8 && row < 8 * code.form.count; ++row)
        unpackRow(code.form.packed, x.rows + code.d[row / 8] + 16 * (row % 8));
    return true;
}

// Word w of line r, of what the lanes have of a matrix. m16n8: of lane (column / 2) in group (row % 8), bytes by columns and
// then by the other eight rows.
std::uint32_t wordOf(const MatrixForm& form, const std::uint32_t* from, std::uint32_t r, std::uint32_t w) {
    std::uint32_t to = 0;
    if (form.m == 16) {
        for (std::uint32_t row = 4 * w; row < 4 * w + 4; ++row)
            to |= (from[row % 8 * 4 + r / 2] >> 8 * (r % 2 + row / 8 * 2) & 0xffu) << 8 * (row % 4);
        return to;
    }
    if (!form.transposed)
        return from[4 * r + w];
    for (std::uint32_t column = 2 * w; column < 2 * w + 2; ++column)
        to |= (from[4 * column + r / 2] >> 16 * (r % 2) & 0xffffu) << 16 * (column % 2);
    return to;
}

bool storeRows(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const MatrixCode& code = x.program->matrices[in.memory.site];
    const auto& words = x.program->vectors[in.memory.vector];
    // Row r of a matrix is the piece of lane 8 * matrix + r.
    const auto matrixAt = [&](std::uint32_t matrix) { return rowAt<const std::uint32_t>(x, code.d[matrix]); };
    std::uint32_t* const rows[4] = {rowAt<std::uint32_t>(x, words[0]), rowAt<std::uint32_t>(x, words[1]),
                                    rowAt<std::uint32_t>(x, words[2]), rowAt<std::uint32_t>(x, words[3])};
    for (std::uint32_t matrix = 0; code.form.m == 8 && matrix < code.form.count; matrix += 2) { // words from row to row
        const std::uint32_t* const first = matrixAt(matrix);
        const std::uint32_t* const second = matrixAt(std::min(matrix + 1, code.form.count - 1));
        const std::size_t lane = std::size_t(8) * matrix;
        if (!code.form.transposed) {
            x.passes->turnLines(first, second, rows, lane);
            continue;
        }
        alignas(64) std::array<std::array<std::uint32_t, 32>, 2> lines;
        x.passes->turnHalves(first, lines[0].data());
        x.passes->turnHalves(second, lines[1].data());
        x.passes->turnLines(lines[0].data(), lines[1].data(), rows, lane);
    }
    for (std::uint32_t matrix = 0; code.form.m != 8 && matrix < code.form.count; ++matrix)
        for (std::uint32_t r = 0; r < 8; ++r)
            for (std::uint32_t w = 0; w < 4; ++w)
                rows[w][8 * matrix + r] = wordOf(code.form, matrixAt(matrix), r, w);
    return accessPieces(x, code, lanesOf(8 * code.form.count));
}

bool transpose(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    std::array<std::uint32_t, 32> from;
    std::copy_n(rowAt<const std::uint32_t>(x, in.a), 32, from.begin());
    const auto half = [&](std::uint32_t row, std::uint32_t column) {
        return from[4 * row + column / 2] >> (column % 2 * 16) & 0xffffu;
    };
    auto* to = rowAt<std::uint32_t>(x, in.dst);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const std::uint32_t g = lane / 4, t = lane % 4;
        to[lane] = half(2 * t, g) | half(2 * t + 1, g) << 16;
    }
    return true;
}

// An element of less than a byte.
std::uint32_t elementAt(const MatrixLines& lines, std::uint32_t position, std::uint32_t bits) {
    return std::uint32_t(lines.at[position * bits / 8]) >> (position * bits % 8) & ((1u << bits) - 1);
}

// Each round moves a piece a lane between the lines and shared memory.
template <bool isStore>
bool rounds(Exec& x, const Inst& in, const MatrixCode& code, MatrixLines& lines) {
    const auto& words = x.program->vectors[in.memory.vector];
    const std::uint32_t size = 4u * in.memory.elements, pieces = code.lines * code.piecesOfLine;
    const std::uint64_t base = baseOf(x, in), stride = strideOf(x, code, std::uint64_t(size) * code.piecesOfLine);
    AccessSummary all;
    lines.at = lines.bytes.data();
    for (std::uint32_t first = 0; first < pieces; first += 32) {
        const std::uint32_t count = std::min(pieces - first, 32u);
        if (!isStore && pieces == 32 && stride == std::uint64_t(size) * code.piecesOfLine &&
            quietPieces(x, code.pieces, base)) {
            lines.at = x.lanesReach.at(base);
            return true;
        }
        auto* addresses = rowAt<std::uint64_t>(x, code.pieces.a);
        x.passes->pieces(addresses, base, first, std::uint32_t(std::countr_zero(code.piecesOfLine)), size, stride);
        if (isStore && size == 16 && count % 4 == 0)
            for (std::uint32_t lane = 0; lane < count; lane += 4) {
                FourWords v[4];
                std::memcpy(v, lines.bytes.data() + (first + lane) * size, sizeof v);
                turn(v);
                for (std::size_t w = 0; w < 4; ++w)
                    std::memcpy(rowAt<std::uint32_t>(x, words[w]) + lane, &v[w], sizeof v[w]);
            }
        else if constexpr (isStore)
            for (std::uint32_t lane = 0; lane < count; ++lane)
                for (std::uint32_t w = 0; w < size / 4; ++w)
                    std::memcpy(rowAt<std::uint32_t>(x, words[w]) + lane,
                                lines.bytes.data() + (first + lane) * size + 4 * w, 4);
        if (first > 0 && x.recorder && x.recorder->recordsAccesses())
            x.recorder->access(x, in, x.warp->clock - 1); // of the round before; the last one is told by who runs us
        if (!accessPieces(x, code, lanesOf(count)))
            return false;
        addCounts(all, x.access);
        const Pieces there = isStore ? Pieces::InRows : piecesOf(x, code);
        if (there == Pieces::OneBehindTheOther && count == pieces && x.access.active.bits == lanesOf(count))
            lines.at = x.lanesReach.at(x.address[0]);
        else if (there != Pieces::InRows)
            takePieces(x, 0, count, lines.bytes.data() + first * size);
        else if (!isStore && size == 16 && count % 4 == 0)
            for (std::uint32_t lane = 0; lane < count; lane += 4) {
                FourWords v[4];
                for (std::size_t w = 0; w < 4; ++w)
                    v[w] = fourWords(rowAt<const std::uint32_t>(x, words[w]) + lane);
                turn(v);
                std::memcpy(lines.bytes.data() + (first + lane) * size, v, sizeof v);
            }
        else if constexpr (!isStore)
            for (std::uint32_t lane = 0; lane < count; ++lane)
                for (std::uint32_t w = 0; w < size / 4; ++w)
                    std::memcpy(lines.bytes.data() + (first + lane) * size + 4 * w,
                                rowAt<const std::uint32_t>(x, words[w]) + lane, 4);
    }
    tellCounts(x.access, all);
    return true;
}

// A register of all lanes that lies in the lines as words (FragmentLayout): what goes which way is copy's affair, of
// bytes in the lines and a row.
template <std::size_t bytes, class Bytes, class Row>
[[gnu::always_inline]] inline void eachPiece(Bytes* lines, const std::uint16_t* starts, Row* row, auto copy) {
    constexpr std::size_t words = bytes / 4;
#pragma GCC unroll 8
    for (std::size_t lane = 0; lane < 32; lane += words)
        copy(lines + starts[lane], row + lane);
}
// An 8 x 8 of halves: two neighbours of a column of the lines are a lane's, which lies in its row by rows.
void gatherTurned(const Exec& x, const MatrixLines& lines, const std::uint16_t* positions, std::uint32_t* row) {
    EightHalves v[8];
    for (std::size_t k = 0; k < 8; ++k)
        std::memcpy(&v[k], lines.at + 2 * positions[k % 2 * 32 + k / 2], sizeof v[k]);
    x.passes->turnHalves(v, row);
}
void scatterTurned(const Exec& x, MatrixLines& lines, const std::uint16_t* positions, const std::uint32_t* row) {
    EightHalves v[8];
    x.passes->turnHalves(row, v);
    for (std::size_t k = 0; k < 8; ++k)
        std::memcpy(lines.bytes.data() + 2 * positions[k % 2 * 32 + k / 2], &v[k], sizeof v[k]);
}
// [element of a lane][lane] of a register: its number in the lines.
const std::uint16_t* fragmentOf(const MatrixCode& code, std::uint32_t r) {
    return code.positions.data() + std::size_t(r) * code.fragment.perRegister() * 32;
}
// False: each element has to be looked for.
bool gatherWords(const Exec& x, const MatrixLines& lines, const MatrixCode& code, std::uint32_t r, std::uint32_t* row) {
    const std::byte* from = lines.at;
    const std::uint16_t* starts = code.starts.data() + std::size_t(r) * 32;
    switch (code.layouts[r]) {
    case FragmentLayout::Rows:
        eachPiece<16>(from, starts, row, [](const std::byte* at, std::uint32_t* to) { std::memcpy(to, at, 16); });
        return true;
    case FragmentLayout::Words:
        eachPiece<4>(from, starts, row, [](const std::byte* at, std::uint32_t* to) { std::memcpy(to, at, 4); });
        return true;
    case FragmentLayout::Turned:
        gatherTurned(x, lines, fragmentOf(code, r), row);
        return true;
    case FragmentLayout::Anyhow:
        return false;
    }
    return false;
}
bool scatterWords(const Exec& x, MatrixLines& lines, const MatrixCode& code, std::uint32_t r,
                  const std::uint32_t* row) {
    std::byte* to = lines.bytes.data();
    const std::uint16_t* starts = code.starts.data() + std::size_t(r) * 32;
    switch (code.layouts[r]) {
    case FragmentLayout::Rows:
        eachPiece<16>(to, starts, row, [](std::byte* at, const std::uint32_t* from) { std::memcpy(at, from, 16); });
        return true;
    case FragmentLayout::Words:
        eachPiece<4>(to, starts, row, [](std::byte* at, const std::uint32_t* from) { std::memcpy(at, from, 4); });
        return true;
    case FragmentLayout::Turned:
        scatterTurned(x, lines, fragmentOf(code, r), row);
        return true;
    case FragmentLayout::Anyhow:
        return false;
    }
    return false;
}

// A register of all lanes: `together` elements from their places in the lines, and back.
template <class Part, class Register>
void gatherRegister(const MatrixLines& lines, const std::uint16_t* positions, std::uint32_t together, Register* row) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        Register v = 0;
        for (std::uint32_t j = 0; j < together; ++j) {
            Part part;
            std::memcpy(&part, lines.at + positions[j * 32 + lane] * sizeof part, sizeof part);
            v |= Register(part) << (8 * sizeof part * j);
        }
        row[lane] = v;
    }
}
template <class Part, class Register>
void scatterRegister(MatrixLines& lines, const std::uint16_t* positions, std::uint32_t together, const Register* row) {
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        for (std::uint32_t j = 0; j < together; ++j) {
            const auto part = Part(row[lane] >> (8 * sizeof(Part) * j));
            std::memcpy(lines.bytes.data() + positions[j * 32 + lane] * sizeof part, &part, sizeof part);
        }
}

bool loadMatrix(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const MatrixCode& code = x.program->matrices[in.memory.site];
    const ptx::Fragment& f = code.fragment;
    MatrixLines lines;
    if (!(code.places.empty() ? rounds<false>(x, in, code, lines) : laneRounds<false>(x, in, code, lines)))
        return false;
    if (code.allByRows) {
        for (std::uint32_t r = 0; r < f.registers; ++r) {
            std::byte* const row = x.rows + code.d[r];
            const std::uint32_t other = r + f.registers; // more registers than elements: the first ones again
            x.passes->takeFours(lines.at, code.starts.data() + std::size_t(r) * 32, row,
                                other < f.written ? x.rows + code.d[other] : row);
        }
        return true;
    }
    const std::uint32_t e = f.perRegister();
    for (std::uint32_t r = 0; r < f.written; ++r) {
        auto* row = rowAt<std::uint32_t>(x, code.d[r]);
        if (r >= f.registers && f.bits < 64) { // as above
            std::memcpy(row, x.rows + code.d[r - f.registers], 128);
            continue;
        }
        if (f.bits < 64 && gatherWords(x, lines, code, r, row))
            continue;
        const std::uint16_t* positions = fragmentOf(code, r % f.registers);
        switch (f.bits) {
        case 64:
            gatherRegister<std::uint64_t>(lines, positions, 1, rowAt<std::uint64_t>(x, code.d[r]));
            break;
        case 16:
            gatherRegister<std::uint16_t>(lines, positions, 2, row);
            break;
        case 8:
            gatherRegister<std::uint8_t>(lines, positions, 4, row);
            break;
        default:
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                row[lane] = 0;
                for (std::uint32_t j = 0; j < e; ++j)
                    row[lane] |= elementAt(lines, positions[j * 32 + lane], f.bits) << (j * f.bits);
            }
        }
    }
    return true;
}

bool storeMatrix(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const MatrixCode& code = x.program->matrices[in.memory.site];
    const ptx::Fragment& f = code.fragment;
    MatrixLines lines;
    for (std::uint32_t r = 0; r < f.registers; ++r) { // sums: 16 bits and more
        const std::uint16_t* positions = fragmentOf(code, r);
        if (f.bits == 64)
            scatterRegister<std::uint64_t>(lines, positions, 1, rowAt<const std::uint64_t>(x, code.d[r]));
        else if (!scatterWords(x, lines, code, r, rowAt<const std::uint32_t>(x, code.d[r])))
            scatterRegister<std::uint16_t>(lines, positions, 2, rowAt<const std::uint32_t>(x, code.d[r]));
    }
    return code.places.empty() ? rounds<true>(x, in, code, lines) : laneRounds<true>(x, in, code, lines);
}

} // namespace

Handler matrixMoveHandler(const MatrixForm& form) {
    switch (form.kind) {
    case MatrixForm::Kind::LoadRows:
        return &loadRows;
    case MatrixForm::Kind::StoreRows:
        return &storeRows;
    case MatrixForm::Kind::Transpose:
        return &transpose;
    case MatrixForm::Kind::Load:
        return &loadMatrix;
    case MatrixForm::Kind::Store:
        return &storeMatrix;
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator
