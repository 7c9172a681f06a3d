// SPDX-License-Identifier: GPL-3.0-or-later
// wgmma, sparse too: 64 x n products of four warps, b (and perhaps a) read from shared memory by a descriptor
// (state/shared_matrix.h).
#include "gpu/emulator/lanes/alu.h"
#include "gpu/emulator/lanes/fragment_products.h"
#include "gpu/emulator/matrix/matrix_ops.h"
#include "gpu/emulator/matrix/sparse_rows.h"
#include "gpu/emulator/matrix/tiles.h"
#include "gpu/emulator/ops/barrier_ops.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/watch/async_proxy.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace warpglass::emulator {

using ptx::MatrixForm;
using ptx::MatrixRole;
using ptx::Type;

namespace {

// Elements of k at most: an instruction takes 32 bytes of it, sparse ones 64, of which half are there in a.
constexpr std::uint32_t mostRow = 32, mostSparse = 64;

const std::byte* sharedPiece(Exec& x, const Inst& in, std::uint64_t at) {
    const std::byte* const found = x.block->shared.find(at, 16);
    if (!found)
        faultAccess(x, in, 0, at, 16, MemorySpace::Shared, x.block->shared.size(), AccessKind::Load);
    return found;
}

// Rows `first` to `first + rows` of a, or of b turned: to[row * k + column], k elements by pieces of 16 bytes.
template <class T>
bool readAlongK(Exec& x, const Inst& in, const SharedMatrix& matrix, Type type, std::uint32_t first, std::uint32_t rows,
                std::uint32_t k, T* to) {
    const std::uint32_t each = 128 / ptx::bitsOf(type);
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t piece = 0; piece < k / each; ++piece) {
            const std::byte* from = sharedPiece(x, in, matrix.alongK(first + row, piece));
            if (!from)
                return false;
            elementsOf(type, from, each, to + row * k + piece * each);
        }
    return true;
}

// One matrix, `rows` x k whatever its layout.
template <class T>
bool readShared(Exec& x, const Inst& in, std::uint64_t descriptor, Type type, bool turned, std::uint32_t first,
                std::uint32_t rows, std::uint32_t k, T* to) {
    const SharedMatrix matrix(descriptor);
    if (!turned)
        return readAlongK(x, in, matrix, type, first, rows, k, to);
    for (std::uint32_t row = 0; row < k; ++row)
        for (std::uint32_t piece = 0; piece < rows / 8; ++piece) {
            const std::byte* from = sharedPiece(x, in, matrix.acrossK(row, first / 8 + piece));
            if (!from)
                return false;
            T elements[8];
            elementsOf(type, from, 8, elements);
            for (std::uint32_t j = 0; j < 8; ++j)
                to[(piece * 8 + j) * k + row] = elements[j];
        }
    return true;
}

std::uint32_t ownRow(const Exec& x) {
    return x.warp->number % 4 * 16;
}

// a: 16 rows of this warp; b: k x n; turned: room for b as it lies in memory, before.
template <class T>
bool operandsOf(Exec& x, const Inst& in, const MatrixCode& code, T* a, T* b, T* turned) {
    const MatrixForm& form = code.form;
    const std::uint32_t k = form.sparse ? form.k / 2 : form.k; // of a, what is there
    alignas(64) T there[16 * mostRow];
    T* const to = form.sparse ? there : a;
    if (code.descriptorA == noRow)
        gatherA(x, form, code.a, to, k);
    else if (!readShared(x, in, *rowAt<const std::uint64_t>(x, code.descriptorA), form.a, code.turnsA, ownRow(x), 16, k,
                         to))
        return false;
    if (form.sparse)
        spreadRows(x, code, there, a);
    if (!readShared(x, in, *rowAt<const std::uint64_t>(x, code.descriptorB), form.b, code.turnsB, 0, form.n, form.k,
                    turned))
        return false;
    turnMatrix(turned, form.k, form.n, form.k, b, form.n);
    return true;
}

// Of a matrix in shared memory, what a product reads: turned, pieces of eight rows for each k; else of sixteen bytes along k
// for each row.
MatrixPieces piecesOf(std::uint64_t descriptor, bool turned, std::uint32_t first, std::uint32_t rows, Type type,
                      std::uint32_t k) {
    const std::uint32_t bytes = k * (type == Type::B1 ? 1 : ptx::bitsOf(type)) / 8;
    return {SharedMatrix(descriptor), turned, first, turned ? k : rows, turned ? rows / 8 : bytes / 16};
}

void tellReads(Exec& x, const Inst& in, const MatrixCode& code) {
    if (!x.checkMemory)
        return;
    const MatrixForm& form = code.form;
    const MatrixPieces b =
        piecesOf(*rowAt<const std::uint64_t>(x, code.descriptorB), code.turnsB, 0, form.n, form.b, form.k);
    if (code.descriptorA == noRow)
        return readByProduct(x, in, {&b, 1});
    const MatrixPieces both[] = {piecesOf(*rowAt<const std::uint64_t>(x, code.descriptorA), code.turnsA, ownRow(x), 16,
                                          form.a, form.sparse ? form.k / 2 : form.k),
                                 b};
    readByProduct(x, in, both);
}

bool adds(const Exec& x, const MatrixCode& code) {
    return ((predicate(x, code.scaleD) & 1) != 0) != code.scaleDNegated;
}

// Eight rows of a shared matrix (columns, of b), 16 bytes along k of each, one behind the other as the lanes of a fragment's
// register have them: where they lie, or brought to `to`. nullptr: not all of them lie in the block's memory.
const std::byte* coreOf(const Exec& x, const SharedMatrix& matrix, bool turned, std::uint32_t row, std::uint32_t piece,
                        std::byte* to) {
    const Addressed shared = x.block->shared.numbered();
    if (!turned && matrix.width == 0)
        return shared.find(matrix.alongK(row, piece), 128);
    for (std::uint32_t i = 0; i < 8; ++i) {
        const std::uint64_t at = turned ? matrix.acrossK(8 * piece + i, row / 8) : matrix.alongK(row + i, piece);
        const std::byte* const found = shared.find(at, 16);
        if (!found)
            return nullptr;
        std::memcpy(to + 16 * i, found, 16);
    }
    if (turned)
        x.passes->turnHalves(to, to);
    return to;
}

// The same product as mma's, sixteen columns at a time, where the processor has a quick one. False: nothing is done.
bool multiplyFragments(Exec& x, const MatrixCode& code) {
    using Element = FragmentProduct::Element;
    const FragmentProducts* const fast = fragmentProducts();
    const MatrixForm& form = code.form;
    FragmentProduct p;
    if (!fast || form.sparse || code.negatesA != code.negatesB || !fragmentElements(form, p))
        return false;
    constexpr std::size_t bytesOfRegister = 128;
    alignas(64) std::array<std::byte, 4 * bytesOfRegister> a;
    alignas(64) std::array<std::byte, 64 * bytesOfRegister> b; // of 256 columns
    alignas(64) std::array<std::byte, 128 * bytesOfRegister> d;
    alignas(64) static constexpr std::array<std::byte, bytesOfRegister> zeros{};
    for (std::uint32_t r = 0; r < 4; ++r) {
        p.rowsA[r] = code.descriptorA == noRow
                         ? x.rows + code.a[r]
                         : coreOf(x, SharedMatrix(*rowAt<const std::uint64_t>(x, code.descriptorA)), code.turnsA,
                                  ownRow(x) + r % 2 * 8, r / 2, a.data() + r * bytesOfRegister);
        if (!p.rowsA[r])
            return false;
    }
    const SharedMatrix matrix(*rowAt<const std::uint64_t>(x, code.descriptorB));
    const std::byte* cores[64];
    for (std::uint32_t k = 0; k < form.n / 4; ++k)
        if (cores[k] = coreOf(x, matrix, code.turnsB, k / 2 * 8, k % 2, b.data() + k * bytesOfRegister); !cores[k])
            return false;
    const bool sums = adds(x, code), areFloats = p.a != Element::S8 && p.a != Element::U8;
    const std::uint32_t each = form.d == Type::F16 ? 2 : 4; // registers of eight columns
    p.m = 16;
    p.k = form.k;
    p.halvesC = p.halvesD = form.d == Type::F16;
    p.saturates = form.satfinite;
    for (std::uint32_t tile = 0; tile < form.n / 8; tile += 2) {
        const std::uint32_t tiles = std::min(form.n / 8 - tile, 2u);
        p.n = 8 * tiles;
        for (std::uint32_t r = 0; r < 2 * tiles; ++r)
            p.rowsB[r] = cores[2 * tile + r];
        for (std::uint32_t r = 0; r < each * tiles; ++r) {
            const std::uint32_t number = each * tile + r;
            p.rowsC[r] = sums ? x.rows + code.d[number] : zeros.data();
            p.rowsD[r] = d.data() + number * bytesOfRegister; // until all of them are known
        }
        if (!areFloats)
            fast->wholes(p);
        else if (!fast->floats(p))
            return false;
    }
    for (std::uint32_t r = 0; r < each * (form.n / 8); ++r)
        std::memcpy(x.rows + code.d[r], d.data() + r * bytesOfRegister, bytesOfRegister);
    return true;
}

bool asyncFloats(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const MatrixCode& code = x.program->matrices[in.memory.site];
    const MatrixForm& form = code.form;
    tellReads(x, in, code);
    if (multiplyFragments(x, code))
        return true;
    alignas(64) float a[16 * mostSparse], b[mostSparse * 256], c[16 * 256];
    alignas(64) float other[mostSparse * 256];
    if (!operandsOf(x, in, code, a, b, other))
        return false;
    if (code.negatesA != code.negatesB)
        for (float& v : std::span(a, 16 * form.k))
            v = -v;
    if (!adds(x, code))
        std::fill_n(c, 16 * form.n, 0.0f);
    else
        gatherSums(x, form.d, 16, form.n, code.d, c);
    const bool isFp8 = ptx::bitsOf(form.a) == 8;
    const FloatTiles tiles{
        form.a, form.b, form.d, form.d, 16, form.n, form.k, form.k, isFp8 ? 13 : 25, isFp8 ? 13u : 23u, -6};
    const float* const sums = multiplyFloats(tiles, a, b, c, other);
    scatterSums(x, form.d, 16, form.n, sums, code.d);
    return true;
}

bool asyncWholes(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const MatrixCode& code = x.program->matrices[in.memory.site];
    const MatrixForm& form = code.form;
    tellReads(x, in, code);
    if (multiplyFragments(x, code))
        return true;
    alignas(64) std::int32_t a[16 * mostSparse], b[mostSparse * 256], turned[mostSparse * 256], c[16 * 256];
    if (!operandsOf(x, in, code, a, b, turned))
        return false;
    if (adds(x, code))
        gatherC(x, 16, form.n, code.d, c);
    else
        std::fill_n(c, 16 * form.n, 0);
    products().wholes({16, form.n, form.k, form.satfinite, a, b, c, c});
    scatterD(x, 16, form.n, c, code.d);
    return true;
}

bool asyncBits(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const MatrixCode& code = x.program->matrices[in.memory.site];
    const MatrixForm& form = code.form;
    tellReads(x, in, code);
    constexpr std::uint32_t words = mostRow / 4;
    std::int32_t a[16 * words], b[256 * words];
    alignas(64) std::int32_t c[16 * 256];
    if (code.descriptorA == noRow) {
        for (std::uint32_t r = 0; r < 4; ++r)
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                a[(r % 2 * 8 + lane / 4) * words + r / 2 * 4 + lane % 4] =
                    rowAt<const std::int32_t>(x, code.a[r])[lane];
    } else if (!readAlongK(x, in, SharedMatrix(*rowAt<const std::uint64_t>(x, code.descriptorA)), Type::S32, ownRow(x),
                           16, words, a)) {
        return false;
    }
    if (!readAlongK(x, in, SharedMatrix(*rowAt<const std::uint64_t>(x, code.descriptorB)), Type::S32, 0, form.n, words,
                    b))
        return false;
    if (adds(x, code))
        gatherC(x, 16, form.n, code.d, c);
    else
        std::fill_n(c, 16 * form.n, 0);
    for (std::uint32_t m = 0; m < 16; ++m)
        for (std::uint32_t n = 0; n < form.n; ++n)
            for (std::uint32_t w = 0; w < words; ++w)
                c[m * form.n + n] += std::popcount(std::uint32_t(a[m * words + w] & b[n * words + w]));
    scatterD(x, 16, form.n, c, code.d);
    return true;
}

template <MatrixOrder order>
bool inOrder(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    if (order == MatrixOrder::Commit && x.checkMemory)
        commitProducts(x);
    if (order == MatrixOrder::Wait && x.checkMemory)
        waitForProducts(x, std::uint32_t(in.memory.offset));
    return order == MatrixOrder::Commit || meetWarpgroup(x, in);
}

} // namespace

Handler matrixAsyncHandler(const MatrixForm& form) {
    return form.a == Type::B1 ? &asyncBits : form.a == Type::U8 || form.a == Type::S8 ? &asyncWholes : &asyncFloats;
}
Handler matrixOrderHandler(MatrixOrder order) {
    return order == MatrixOrder::Fence    ? &inOrder<MatrixOrder::Fence>
           : order == MatrixOrder::Commit ? &inOrder<MatrixOrder::Commit>
                                          : &inOrder<MatrixOrder::Wait>;
}

} // namespace warpglass::emulator
