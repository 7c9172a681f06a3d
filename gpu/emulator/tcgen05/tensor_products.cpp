// SPDX-License-Identifier: GPL-3.0-or-later
// tcgen05.mma: d = a * b + d of one block or of a pair, d in tensor memory, b in shared memory, a in either.
//
// Of a pair each block has half of the rows of a and d, and half of the columns of b, which both use. Where row m and
// column n of a block's part of d lie (PTX ISA, "Data path layout organization"; N columns in all):
//   128 rows                 lane m, column n
//   64 rows, of one block    lane m / 16 * 32 + m % 16, column n
//   64 rows, of a pair, .ws  lane m + 64 * (n / (N / 2)), column n % (N / 2)
//   32 rows (.ws)            lane m + 32 * (n / (N / 4)), column n % (N / 4)
// How exactly this hardware adds is not published: here as Hopper does for f16, bf16 and tf32, sixteen products at once;
// with block scales in double precision, cut to f32 at the end.
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/lanes/half.h"
#include "gpu/emulator/matrix/tiles.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/tcgen05/tensor_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace warpglass::emulator {

using ptx::Type;

namespace {

constexpr std::uint32_t rowsAtOnce = 32, bytesOfK = 32;

// What the 32 bits of the instruction's descriptor say.
struct TensorForm {
    Type a = Type::None, b = Type::None, d = Type::F32, scale = Type::None;
    std::uint32_t packedA = 8, packedB = 8; // bits of an element in shared memory, of those with room behind them
    std::uint32_t m = 0, n = 0, k = 0;      // m: of a block
    bool turnsA = false, turnsB = false, negates = false, saturates = false;
    std::uint32_t byteA = 0, byteB = 0; // of the first scale in its word
    std::uint32_t half = 0;             // sparsity selector
    Said wrong;
};

// Four bits in a byte are those of e2m3 with two zeros behind them.
Type smallFloat(std::uint32_t number, std::uint32_t& packed) {
    constexpr Type types[] = {Type::E4M3, Type::E5M2, Type::None, Type::E2M3,
                              Type::E3M2, Type::E2M3, Type::None, Type::None};
    packed = number == 5 ? 4 : number >= 3 ? 6 : 8;
    return types[number];
}

TensorForm tensorForm(const TensorInst& t, std::uint32_t bits) {
    TensorForm f;
    const std::uint32_t a = bits >> 7 & 7, b = bits >> 10 & 7, d = bits >> 4 & 3, whole = (bits >> 24 & 31) * 16;
    const bool scaled = t.scaleBlock != 0;
    f.n = (bits >> 17 & 63) * 8;
    f.m = t.pair ? whole / 2 : whole;
    f.turnsA = bits >> 15 & 1;
    f.turnsB = bits >> 16 & 1;
    f.negates = (bits >> 13 & 1) != (bits >> 14 & 1);
    f.half = bits & 3;
    if ((bits >> 2 & 1) != std::uint32_t(t.sparse))
        f.wrong = t.sparse ? say::SaysNotSparse : say::SaysSparse;
    switch (t.kind) {
    case TensorKind::F16:
        f.a = a == 0 ? Type::F16 : a == 1 ? Type::BF16 : Type::None;
        f.b = b == 0 ? Type::F16 : b == 1 ? Type::BF16 : Type::None;
        break;
    case TensorKind::Tf32:
        f.a = a == 2 ? Type::TF32 : Type::None;
        f.b = b == 2 ? Type::TF32 : Type::None;
        break;
    case TensorKind::I8:
        f.a = a == 0 ? Type::U8 : a == 1 ? Type::S8 : Type::None;
        f.b = b == 0 ? Type::U8 : b == 1 ? Type::S8 : Type::None;
        f.saturates = bits >> 3 & 1;
        break;
    case TensorKind::F8f6f4:
    case TensorKind::Mxf8f6f4:
        f.a = smallFloat(a, f.packedA);
        f.b = smallFloat(b, f.packedB);
        break;
    case TensorKind::Mxf4:
    case TensorKind::Mxf4nvf4:
        f.a = a == 1 ? Type::E2M1 : Type::None;
        f.b = b == 1 ? Type::E2M1 : Type::None;
        break;
    }
    if (f.a == Type::None || f.b == Type::None)
        f.wrong = say::NamesTypesOfAB(a, b);
    f.k = f.a == Type::None ? 0 : f.a == Type::E2M1 ? 64 : f.a == Type::TF32 ? 8 : t.kind == TensorKind::F16 ? 16 : 32;
    if (t.sparse) {
        f.k *= 2;
        if (f.m != 128)
            f.wrong = say::AsksSparseRows(f.m);
    }
    if (scaled) {
        f.scale = bits >> 23 & 1 ? Type::UE8M0 : Type::UE4M3;
        f.byteA = bits >> 29 & 3;
        f.byteB = bits >> 4 & 3;
        if (bits >> 31)
            f.wrong = say::AsksAlongK;
        if (t.pair && f.m == 64)
            f.wrong = say::AsksScalesOfTwo;
    } else {
        f.d = d == 0 ? Type::F16 : d == 1 ? Type::F32 : Type::S32;
        if (d == 3 || (t.kind == TensorKind::I8) != (d == 2) || (t.kind == TensorKind::Tf32 && d != 1))
            f.wrong = say::NamesTypeOfD(d);
    }
    const bool rows = t.stationary ? whole == 32 || whole == 64 || whole == 128
                      : t.pair     ? whole == 128 || whole == 256
                                   : whole == 64 || whole == 128;
    const std::uint32_t by = t.pair ? 16 : whole == 64 || t.stationary ? 8 : 16;
    if (!rows || f.n == 0 || f.n > 256 || f.n % by != 0)
        f.wrong = say::AsksShape(whole, f.n);
    return f;
}

struct Place {
    std::uint32_t lane = 0, column = 0;
};
Place placeOf(const TensorInst& t, const TensorForm& f, std::uint32_t m, std::uint32_t n) {
    if (f.m == 128)
        return {m, n};
    if (f.m == 32)
        return {m + 32 * (n / (f.n / 4)), n % (f.n / 4)};
    if (t.pair || t.stationary)
        return {m + 64 * (n / (f.n / 2)), n % (f.n / 2)};
    return {m / 16 * 32 + m % 16, n};
}
std::uint32_t columnsOfD(const TensorInst& t, const TensorForm& f) {
    return f.m == 128 ? f.n : f.m == 32 ? f.n / 4 : t.pair || t.stationary ? f.n / 2 : f.n;
}

// Elements of sixteen bytes.
std::uint32_t elementsOfPiece(Type type) {
    const std::uint32_t bits = type == Type::E2M3 || type == Type::E3M2 ? 8 : ptx::bitsOf(type);
    return 128 / bits;
}

// rows x k of a matrix in the block's shared memory: to[row * k + j].
template <class T>
bool readOperand(Exec& x, const Inst& in, int lane, const BlockState& block, std::uint64_t descriptor, Type type,
                 std::uint32_t packed, bool turned, std::uint32_t rows, std::uint32_t k, T* to) {
    const TensorMatrix matrix(descriptor);
    if (!matrix.valid)
        return tensorFault(x, in, lane, say::NoLayout);
    const std::uint32_t each = elementsOfPiece(type);
    T elements[32];
    const auto take = [&](std::uint64_t at) {
        const std::byte* const found = block.shared.find(at, 16);
        if (!found)
            return faultAccess(x, in, lane, at, 16, MemorySpace::Shared, block.shared.size(), AccessKind::Load);
        std::byte bytes[16];
        std::memcpy(bytes, found, 16);
        if (packed != 8)
            unpackElements(packed, bytes);
        elementsOf(type, bytes, each, elements);
        return true;
    };
    if (!turned) {
        for (std::uint32_t row = 0; row < rows; ++row)
            for (std::uint32_t piece = 0; piece < k / each; ++piece) {
                if (!take(matrix.alongK(row, piece)))
                    return false;
                std::copy_n(elements, each, to + row * k + piece * each);
            }
        return true;
    }
    if (packed != 8 || type == Type::E2M1)
        return tensorFault(x, in, lane, say::NarrowAlongK);
    for (std::uint32_t j = 0; j < k; ++j)
        for (std::uint32_t piece = 0; piece < rows / each; ++piece) {
            if (!take(matrix.acrossK(j, piece)))
                return false;
            for (std::uint32_t e = 0; e < each; ++e)
                to[(piece * each + e) * k + j] = elements[e];
        }
    return true;
}

// One product under way.
struct Product {
    Exec& x;
    const Inst& in;
    int lane;
    const TensorInst& t;
    TensorForm f;
    std::vector<BlockState*> blocks;
    TensorAddress to;
    TensorColumns columns; // from there on, of d
    bool adds;

    template <class T>
    bool operandA(BlockState& block, std::vector<T>& a) {
        if (!t.sparse)
            return storedA(block, f.k, a);
        std::vector<T> there;
        return storedA(block, f.k / 2, there) && spread(block, there, a);
    }
    // The four bits of metadata that say which elements of a group are there: of four elements, of two of tf32, of four pairs
    // of four bits. With one bit an element (tf32: two; four bits: a half), elements of 8 and 4 bits of row r are those of
    // lane r; rows r and r + 8 of larger ones share lanes: one half of k in the lower eight of sixteen, the other above it.
    bool large() const { return f.a == Type::F16 || f.a == Type::BF16 || f.a == Type::TF32; }
    std::uint32_t metadata(BlockState& block, TensorColumns at, std::uint32_t row, std::uint32_t group) const {
        std::uint32_t of = row, bit = 4 * group, column = f.half;
        if (large()) {
            of = row / 16 * 16 + row % 8 + 8 * (bit / 16);
            bit = bit % 16 + 16 * (row / 8 % 2);
        }
        column += bit / 32;
        return tensorOf(block).row(of, at)[column] >> bit % 32 & 15;
    }
    template <class T>
    bool spread(BlockState& block, const std::vector<T>& there, std::vector<T>& a) const {
        const TensorAddress first(tensorAddress(x, t.metadata, lane));
        const TensorColumns at = tensorColumns(x, in, lane, block, first.column, f.half + (large() ? 1 : 2));
        if (!at)
            return false;
        a.assign(std::size_t(f.m) * f.k, T(0));
        const std::uint32_t together = f.a == Type::E2M1 ? 2 : 1, kept = f.a == Type::TF32 ? 1 : 2;
        const std::uint32_t dense = 2 * kept * together; // elements of a group
        for (std::uint32_t m = 0; m < f.m; ++m)
            for (std::uint32_t group = 0; group < f.k / dense; ++group) {
                const std::uint32_t bits = metadata(block, at, m, group);
                const T* const from = there.data() + std::size_t(m) * (f.k / 2) + std::size_t(group) * dense / 2;
                T* const spreadTo = a.data() + std::size_t(m) * f.k + std::size_t(group) * dense;
                for (std::uint32_t i = 0; i < kept * together; ++i) {
                    const std::uint32_t place = bits >> (2 * (i / together)) & 3;
                    spreadTo[f.a == Type::TF32 ? place / 2 : place * together + i % together] = from[i];
                }
            }
        return true;
    }
    template <class T>
    bool storedA(BlockState& block, std::uint32_t k, std::vector<T>& a) {
        a.resize(std::size_t(f.m) * k);
        if (t.descriptorA != noRow)
            return readOperand(x, in, lane, block, rowAt<const std::uint64_t>(x, t.descriptorA)[lane], f.a, f.packedA,
                               f.turnsA, f.m, k, a.data());
        const TensorAddress at(tensorAddress(x, t.a, lane));
        const TensorColumns own = tensorColumns(x, in, lane, block, at.column, bytesOfK / 4);
        if (!own)
            return false;
        for (std::uint32_t m = 0; m < f.m; ++m) {
            const std::uint32_t row = placeOf(t, f, m, 0).lane + at.lane;
            if (row >= TensorMemory::lanes)
                return tensorFault(x, in, lane, say::RowBehindLanes(m));
            elementsOf(f.a, tensorOf(block).row(row, own), k, a.data() + std::size_t(m) * k);
        }
        return true;
    }
    // PTX ISA, zero-column mask descriptor, by its examples: columns that are skipped and columns that are used take turns,
    // from the first span on, of which the start count is gone; anew in each of 128 / m parts of the columns.
    std::vector<bool> zeroColumns(std::uint64_t descriptor) const {
        std::vector<bool> zero(f.n);
        if ((descriptor >> 39 & 1) == 0)
            return zero;
        const std::uint32_t skipped = std::uint32_t(descriptor >> 40 & 255) + 1,
                            used = std::uint32_t(descriptor >> 48 & 255) + 1, part = f.n * f.m / 128;
        for (std::uint32_t n = 0; n < f.n; ++n) {
            const std::uint32_t number = n / part;
            const bool skipsFirst = descriptor >> (32 + number) & 1;
            const std::uint32_t at = (n % part + std::uint32_t(descriptor >> 8 * number & 255)) % (skipped + used);
            zero[n] = skipsFirst ? at < skipped : at >= used;
        }
        return zero;
    }
    // k x n, of both blocks.
    template <class T>
    bool operandB(std::vector<T>& b) {
        const std::uint64_t descriptor = rowAt<const std::uint64_t>(x, t.descriptorB)[lane];
        const auto part = f.n / std::uint32_t(blocks.size());
        std::vector<T> turned(std::size_t(f.n) * f.k);
        for (std::size_t i = 0; i < blocks.size(); ++i)
            if (!readOperand(x, in, lane, *blocks[i], descriptor, f.b, f.packedB, f.turnsB, part, f.k,
                             turned.data() + i * part * f.k))
                return false;
        b.resize(turned.size());
        std::vector<bool> zero(f.n);
        if (t.zeroColumns != noRow)
            zero = zeroColumns(rowAt<const std::uint64_t>(x, t.zeroColumns)[lane]);
        for (std::uint32_t n = 0; n < f.n; ++n)
            for (std::uint32_t j = 0; j < f.k; ++j)
                b[j * f.n + n] = zero[n] ? T(0) : turned[n * f.k + j];
        return true;
    }
    std::uint32_t* cell(BlockState& block, std::uint32_t m, std::uint32_t n) const {
        const Place p = placeOf(t, f, m, n);
        return tensorOf(block).row(p.lane + to.lane, columns) + p.column;
    }
    // What is added to; rows from `first` on.
    template <class T>
    void gather(BlockState& block, std::uint32_t first, std::uint32_t rows, T* c) const {
        if (!adds) {
            std::fill_n(c, rows * f.n, T(0));
            return;
        }
        const float by = std::ldexp(1.0f, -int(t.shift));
        for (std::uint32_t m = 0; m < rows; ++m)
            for (std::uint32_t n = 0; n < f.n; ++n) {
                const std::uint32_t bits = *cell(block, first + m, n);
                if constexpr (std::is_same_v<T, std::int32_t>)
                    c[m * f.n + n] = std::int32_t(bits);
                else
                    c[m * f.n + n] =
                        T(f.d == Type::F16 ? halfToFloat(std::uint16_t(bits)) : std::bit_cast<float>(bits)) * T(by);
            }
    }
    template <class T>
    void scatter(std::size_t number, std::uint32_t first, std::uint32_t rows, const T* d) const {
        for (std::uint32_t m = 0; m < rows; ++m)
            for (std::uint32_t n = 0; n < f.n; ++n) {
                const std::uint32_t at = placeOf(t, f, first + m, n).lane + to.lane;
                if (!t.skipped.empty() &&
                    rowAt<const std::uint32_t>(x, t.skipped[4 * number + at / 32])[lane] >> at % 32 & 1)
                    continue;
                std::uint32_t bits = 0;
                if constexpr (std::is_same_v<T, std::int32_t>)
                    bits = std::uint32_t(d[m * f.n + n]);
                else
                    bits =
                        f.d == Type::F16 ? floatToHalf(d[m * f.n + n]) : std::bit_cast<std::uint32_t>(d[m * f.n + n]);
                *cell(*blocks[number], first + m, n) = bits;
            }
    }

    bool floats() {
        std::vector<float> a, b, c(rowsAtOnce * f.n), other(rowsAtOnce * f.n);
        if (!operandB(b))
            return false;
        const std::uint32_t step = std::min(f.k, t.sparse ? 32u : 16u); // no more than sixteen products are not zero
        const Type sums = f.d == Type::F16 && f.k == step ? Type::F16 : Type::F32;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (!operandA(*blocks[i], a))
                return false;
            if (f.negates)
                for (float& v : a)
                    v = -v;
            for (std::uint32_t m = 0; m < f.m; m += rowsAtOnce) {
                gather(*blocks[i], m, rowsAtOnce, c.data());
                const FloatTiles tiles{f.a, f.b, f.d, sums, rowsAtOnce, f.n, f.k, step};
                scatter(i, m, rowsAtOnce,
                        multiplyFloats(tiles, a.data() + std::size_t(m) * f.k, b.data(), c.data(), other.data()));
            }
        }
        return true;
    }
    bool wholes() {
        std::vector<std::int32_t> a, b, c(rowsAtOnce * f.n);
        if (!operandB(b))
            return false;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (!operandA(*blocks[i], a))
                return false;
            for (std::uint32_t m = 0; m < f.m; m += rowsAtOnce) {
                gather(*blocks[i], m, rowsAtOnce, c.data());
                products().wholes(
                    {rowsAtOnce, f.n, f.k, f.saturates, a.data() + std::size_t(m) * f.k, b.data(), c.data(), c.data()});
                scatter(i, m, rowsAtOnce, c.data());
            }
        }
        return true;
    }

    // Scale `number` of a row: row r of 128 stands in lane r % 32 of each quarter, column r / 32; one behind the other in
    // the word, from byte `first` on.
    double scale(BlockState& block, TensorColumns at, std::uint32_t row, std::uint32_t byte) const {
        const std::uint32_t word = tensorOf(block).row(row % 32, at)[row / 32];
        return scaleOf(f.scale, std::uint8_t(word >> 8 * (byte % 4)));
    }
    bool scaled() {
        const std::uint32_t each = t.scaleBlock * (t.sparse ? 2 : 1), count = f.k / each; // of the dense row
        const TensorAddress firstA(tensorAddress(x, t.scalesA, lane)), firstB(tensorAddress(x, t.scalesB, lane));
        std::vector<float> a, b, result(rowsAtOnce * f.n);
        if (!operandB(b))
            return false;
        std::vector<double> wideA(std::size_t(rowsAtOnce) * f.k), wideB(b.size()), sums(rowsAtOnce * f.n);
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            BlockState& block = *blocks[i];
            const TensorColumns atA = tensorColumns(x, in, lane, block, firstA.column, (f.m + 31) / 32);
            if (!atA)
                return false;
            const TensorColumns atB = tensorColumns(x, in, lane, block, firstB.column, (f.n + 31) / 32);
            if (!atB || !operandA(block, a))
                return false;
            for (std::uint32_t n = 0; n < f.n; ++n)
                for (std::uint32_t s = 0; s < count; ++s) {
                    const double by = scale(block, atB, n, f.byteB + s) * (f.negates ? -1 : 1);
                    for (std::uint32_t j = s * each; j < (s + 1) * each; ++j)
                        wideB[j * f.n + n] = double(b[j * f.n + n]) * by;
                }
            for (std::uint32_t first = 0; first < f.m; first += rowsAtOnce) {
                for (std::uint32_t m = 0; m < rowsAtOnce; ++m)
                    for (std::uint32_t j = 0; j < f.k; ++j)
                        wideA[m * f.k + j] = double(a[std::size_t(first + m) * f.k + j]) *
                                             scale(block, atA, first + m, f.byteA + j / each);
                gather(block, first, rowsAtOnce, sums.data());
                products().doubles({rowsAtOnce, f.n, f.k, wideA.data(), wideB.data(), sums.data(), sums.data()});
                for (std::size_t e = 0; e < sums.size(); ++e) {
                    result[e] = float(sums[e]);
                    if (std::abs(double(result[e])) > std::abs(sums[e]) && std::isfinite(result[e]))
                        result[e] = std::nextafter(result[e], 0.0f);
                }
                scatter(i, first, rowsAtOnce, result.data());
            }
        }
        return true;
    }
};

bool makeProduct(Exec& x, const Inst& in, const TensorInst& t, int lane) {
    std::vector<BlockState*> blocks = tensorBlocks(x, in, lane, t.pair);
    if (blocks.empty())
        return false;
    const std::uint32_t bits = rowAt<const std::uint32_t>(x, t.instruction)[lane];
    const TensorForm form = tensorForm(t, bits);
    if (!form.wrong.empty())
        return tensorFault(x, in, lane, say::InstructionDescriptor(fmt::format("{:#x}", bits), form.wrong));
    if (t.zeroColumns != noRow && rowAt<const std::uint64_t>(x, t.zeroColumns)[lane] >> 56 & 63)
        return tensorFault(x, in, lane, say::ZeroColumnsShift);
    const TensorAddress to(tensorAddress(x, t.address, lane));
    const std::uint32_t columns = columnsOfD(t, form);
    const std::uint32_t last = form.m == 64 && !t.pair && !t.stationary ? 111 : 127;
    if (to.lane + last >= TensorMemory::lanes)
        return tensorFault(x, in, lane, say::NoRoomForD(to.lane));
    const auto work = newTensorWork(x, in, lane);
    if (!work)
        return false;
    std::optional<TensorColumns> found; // the same in both blocks of a pair
    for (BlockState* block : blocks) {
        found = tensorColumns(x, in, lane, *block, to.column, columns);
        if (!*found)
            return false;
        tensorOf(*block).written.push_back({work, found->from(), found->end()});
    }
    if (work->note)
        work->note->bytes = bytesOfK * (std::uint64_t(t.descriptorA == noRow ? 0 : form.m * blocks.size()) + form.n);
    const bool adds = ((predicate(x, t.adds) >> lane & 1) != 0) != t.addsNegated;
    Product product{x, in, lane, t, form, std::move(blocks), to, *found, adds};
    return t.scaleBlock != 0 ? product.scaled() : form.d == Type::S32 ? product.wholes() : product.floats();
}

} // namespace

bool tensorProduct(Exec& x, const Inst& in) {
    const TensorInst& t = x.program->tensors[in.async.site];
    for (std::uint32_t rest = activeMask(x, in); rest; rest &= rest - 1)
        if (!makeProduct(x, in, t, std::countr_zero(rest)))
            return false;
    return true;
}

} // namespace warpglass::emulator
