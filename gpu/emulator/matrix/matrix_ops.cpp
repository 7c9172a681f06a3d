// SPDX-License-Identifier: GPL-3.0-or-later
// mma, mma.sp and wmma.mma: matrices in registers.
#include "gpu/emulator/matrix/matrix_ops.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/lanes/fragment_products.h"
#include "gpu/emulator/lanes/half.h"
#include "gpu/emulator/matrix/sparse_rows.h"
#include "gpu/emulator/matrix/tiles.h"
#include "gpu/emulator/ops/barrier_ops.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/watch/shared_races.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace warpglass::emulator {

using ptx::MatrixForm;
using ptx::MatrixRole;
using ptx::Type;

bool comeTogether(Exec& x, const Inst& in, bool& result) {
    result = true;
    const std::uint32_t m = activeMask(x, in);
    if (m == 0)
        return false;
    if (m == 0xffffffffu) {
        whatLanesReadIsRead(x);
        return true;
    }
    result = false;
    if (!in.guard && !gather(x, in, 0xffffffffu))
        return false;
    x.diagnostics->add(x, DiagnosticKind::BarrierDivergence, in.index, std::countr_zero(m), 0,
                       say::LanesMissing(std::popcount(m), ptx::name(x.program->info[in.index].is.opcode)), true);
    return false;
}

bool fragmentElements(const ptx::MatrixForm& form, FragmentProduct& p) {
    using Element = FragmentProduct::Element;
    const auto element = [](Type t, Element& e) {
        e = t == Type::F16    ? Element::F16
            : t == Type::BF16 ? Element::BF16
            : t == Type::TF32 ? Element::TF32
            : t == Type::S8   ? Element::S8
                              : Element::U8;
        return e != Element::U8 || t == Type::U8;
    };
    return element(form.a, p.a) && element(form.b, p.b);
}

namespace {

// The most elements that an instruction has of each matrix: m8n32k16, m16n8k128 (sparse, four bits).
constexpr std::uint32_t mostA = 2048, mostB = 1024, mostC = 256;

template <class T>
void gatherBoth(Exec& x, const MatrixCode& code, T* a, T* b) {
    if (code.form.sparse) {
        alignas(64) T there[mostA / 2];
        gatherA(x, code.form, code.a, there, code.form.k / 2);
        spreadRows(x, code, there, a);
    } else {
        gatherA(x, code.form, code.a, a, code.form.k);
    }
    gatherB(x, code.form, code.b, b);
}

// ptxas makes what Hopper does not have itself of smaller products: mma.sp on fp8 of two products of halves, wmma on tf32 of
// two of four columns.
std::uint32_t stepOf(const MatrixForm& form) {
    if (form.sparse && ptx::bitsOf(form.a) == 8)
        return std::min(form.k, 32u);
    return form.a == Type::TF32 && form.n == 16 ? 4 : form.k;
}

bool isByteFloat(Type type) {
    return type == Type::E4M3 || type == Type::E5M2;
}

template <class Rows>
void takeRows(Exec& x, const std::vector<Row>& registers, Rows& rows) {
    for (std::size_t i = 0; i < std::min(registers.size(), std::size(rows)); ++i)
        rows[i] = x.rows + registers[i];
}

// Whether the product is one that goes from fragments to fragments, and its registers.
bool fragmentsOf(Exec& x, const MatrixCode& code, FragmentProduct& p) {
    const MatrixForm& form = code.form;
    if (form.m % 16 != 0 || form.m * form.n > 256 || !fragmentElements(form, p))
        return false;
    p.sparse = form.sparse;
    if (form.sparse) {
        if (form.m != 16 || form.n != 8 ||
            (p.a != FragmentProduct::Element::F16 && p.a != FragmentProduct::Element::BF16))
            return false;
        const auto* lanes = rowAt<const std::uint32_t>(x, code.metadata);
        for (std::uint32_t row = 0; row < 16; ++row)
            p.places[row] = std::uint32_t(metadataOf(lanes, code, row));
    }
    takeRows(x, code.a, p.rowsA);
    takeRows(x, code.b, p.rowsB);
    takeRows(x, code.c, p.rowsC);
    takeRows(x, code.d, p.rowsD);
    p.m = form.m;
    p.n = form.n;
    p.k = form.k;
    p.halvesC = form.c == Type::F16;
    p.halvesD = form.d == Type::F16;
    p.saturates = form.satfinite;
    return true;
}

// On Hopper, ptxas makes mma on bytes of floats of two products of halves, of the lower two bytes of all registers and of
// the upper ones, from zero on; c is added at the end (by FADD or HADD2).

// With NVIDIA's NaN.
void addFloats(float* to, const float* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const float sum = to[i] + values[i];
        to[i] = sum == sum ? sum : std::bit_cast<float>(0x7fffffffu);
    }
}

// False, and nothing is done, as FragmentProducts::floats.
bool byteFragments(Exec& x, const MatrixCode& code, const FragmentProducts& fast) {
    const MatrixForm& form = code.form;
    if (form.m != 16 || form.n != 8 || (form.k != 16 && form.k != 32))
        return false;
    alignas(64) static constexpr std::byte zeros[128]{};
    alignas(64) std::byte a[2][4][128], b[2][2][128], sums[4][128];
    FragmentProduct p;
    p.m = 16;
    p.n = 8;
    p.k = form.k / 2;
    p.halvesC = p.halvesD = form.d == Type::F16;
    const auto widen = [&](Type type, Row row, std::byte* lower, std::byte* upper) {
        (type == Type::E4M3 ? fast.widenE4m3 : fast.widenE5m2)(x.rows + row, lower, upper);
    };
    for (std::size_t i = 0; i < code.a.size(); ++i)
        widen(form.a, code.a[i], a[0][i], a[1][i]);
    for (std::size_t i = 0; i < code.b.size(); ++i)
        widen(form.b, code.b[i], b[0][i], b[1][i]);
    for (std::size_t part = 0; part < 2; ++part) {
        for (std::size_t i = 0; i < 4; ++i) {
            p.rowsA[i] = a[part][i];
            p.rowsC[i] = part == 0 ? zeros : sums[i];
            p.rowsD[i] = sums[i];
        }
        for (std::size_t i = 0; i < 2; ++i)
            p.rowsB[i] = b[part][i];
        if (!fast.floats(p))
            return false;
    }
    for (std::size_t i = 0; i < code.d.size(); ++i) {
        if (p.halvesD) {
            auto* const own = reinterpret_cast<std::uint16_t*>(sums[i]);
            products().addHalves(own, rowAt<const std::uint16_t>(x, code.c[i]), nullptr);
            std::memcpy(x.rows + code.d[i], own, 128);
        } else {
            alignas(64) float added[32], own[32];
            std::memcpy(added, x.rows + code.c[i], 128);
            std::memcpy(own, sums[i], 128);
            addFloats(added, own, 32);
            std::memcpy(x.rows + code.d[i], added, 128);
        }
    }
    return true;
}

void byteFloats(Exec& x, const MatrixCode& code) {
    const MatrixForm& form = code.form;
    if (const FragmentProducts* fast = fragmentProducts(); fast && byteFragments(x, code, *fast))
        return;
    alignas(64) float a[16 * 32], b[32 * 8], partA[16 * 16], partB[16 * 8], c[16 * 8]{}, other[16 * 8];
    gatherBoth(x, code, a, b);
    const std::uint32_t half = form.k / 2;
    float* sums = c;
    for (std::uint32_t part = 0; part < 2; ++part) {
        for (std::uint32_t k = 0; k < half; ++k) {
            const std::uint32_t from = k / 2 * 4 + 2 * part + k % 2;
            for (std::uint32_t row = 0; row < 16; ++row)
                partA[row * half + k] = a[row * form.k + from];
            std::copy_n(b + from * 8, 8, partB + k * 8);
        }
        sums = multiplyFloats({form.a, form.b, form.d, form.d, 16, 8, half, half}, partA, partB, sums,
                              sums == c ? other : c);
    }
    alignas(64) float added[16 * 8];
    gatherSums(x, form.c, 16, 8, code.c, added);
    addFloats(added, sums, 16 * 8);
    scatterSums(x, form.d, 16, 8, added, code.d);
}

// wmma with .satfinite: no infinity and no NaN.
void saturate(Type type, std::span<float> sums) {
    const float most = type == Type::F16 ? 65504.0f : std::numeric_limits<float>::max();
    for (float& v : sums)
        v = std::isnan(v) ? 0.0f : std::clamp(v, -most, most);
}

bool floatProduct(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const MatrixCode& code = x.program->matrices[in.memory.site];
    const MatrixForm& form = code.form;
    if (!form.sparse && isByteFloat(form.a) && isByteFloat(form.b)) {
        byteFloats(x, code);
        return true;
    }
    if (const FragmentProducts* fast = form.satfinite ? nullptr : fragmentProducts())
        if (FragmentProduct p; stepOf(form) == form.k && fragmentsOf(x, code, p) && fast->floats(p))
            return true;
    alignas(64) float a[mostA], b[mostB], c[mostC], other[mostC];
    gatherBoth(x, code, a, b);
    gatherSums(x, form.c, form.m, form.n, code.c, c);
    float* const sums =
        multiplyFloats({form.a, form.b, form.c, form.d, form.m, form.n, form.k, stepOf(form)}, a, b, c, other);
    if (form.satfinite)
        saturate(form.d, {sums, form.m * form.n});
    scatterSums(x, form.d, form.m, form.n, sums, code.d);
    return true;
}

// Hopper has no m8n8k4 on halves: with f32 sums ptxas makes it of fused multiply-adds from zero on, and adds c at the end.
const float* fusedChain(const float* a, const float* b, float* c) {
    for (std::uint32_t i = 0; i < 64; ++i) {
        float sum = 0;
        for (std::uint32_t k = 0; k < 4; ++k)
            sum = std::fma(a[i / 8 * 4 + k], b[k * 8 + i % 8], sum);
        addFloats(c + i, &sum, 1);
    }
    return c;
}

// m8n8k4 on halves: four small products, whose lanes lie as nobody else's do.
bool quadProduct(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const MatrixCode& code = x.program->matrices[in.memory.site];
    const MatrixForm& form = code.form;
    const auto half = [&](const std::vector<Row>& rows, std::uint32_t lane, std::uint32_t i) -> std::uint16_t& {
        return rowAt<std::uint16_t>(x, rows[i / 2])[2 * lane + i % 2];
    };
    for (std::uint32_t quad = 0; quad < 4; ++quad) {
        float a[32], b[32], c[64], other[64];
        const auto eachLane = [&](auto f) {
            for (std::uint32_t l = 0; l < 8; ++l)
                f(4 * quad + l % 4 + l / 4 * 16);
        };
        eachLane([&](std::uint32_t lane) {
            for (std::uint32_t i = 0; i < 8; ++i) {
                if (i < 4) {
                    const ptx::MatrixCell at = cellOf(form, MatrixRole::A, lane, i);
                    const ptx::MatrixCell bt = cellOf(form, MatrixRole::B, lane, i);
                    a[at.row * 4 + at.column] = halfToFloat(half(code.a, lane, i));
                    b[bt.row * 8 + bt.column] = halfToFloat(half(code.b, lane, i));
                }
                const ptx::MatrixCell ct = cellOf(form, MatrixRole::C, lane, i);
                c[ct.row * 8 + ct.column] =
                    form.c == Type::F16 ? halfToFloat(half(code.c, lane, i)) : rowAt<const float>(x, code.c[i])[lane];
            }
        });
        const float* const sums = form.d == Type::F32
                                      ? fusedChain(a, b, c)
                                      : multiplyFloats({form.a, form.b, form.c, form.d, 8, 8, 4, 4}, a, b, c, other);
        eachLane([&](std::uint32_t lane) {
            for (std::uint32_t i = 0; i < 8; ++i) {
                const ptx::MatrixCell at = cellOf(form, MatrixRole::D, lane, i);
                if (form.d == Type::F16)
                    half(code.d, lane, i) = floatToHalf(sums[at.row * 8 + at.column]); // is one
                else
                    rowAt<float>(x, code.d[i])[lane] = sums[at.row * 8 + at.column];
            }
        });
    }
    return true;
}

bool wholeProduct(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const MatrixCode& code = x.program->matrices[in.memory.site];
    const MatrixForm& form = code.form;
    if (const FragmentProducts* fast = fragmentProducts(); fast && ptx::bitsOf(form.a) == 8 && form.k <= 32)
        if (FragmentProduct p; fragmentsOf(x, code, p)) {
            fast->wholes(p);
            return true;
        }
    alignas(64) std::int32_t a[mostA], b[mostB], c[mostC];
    gatherBoth(x, code, a, b);
    gatherC(x, form.m, form.n, code.c, c);
    products().wholes({form.m, form.n, form.k, form.satfinite, a, b, c, c});
    scatterD(x, form.m, form.n, c, code.d);
    return true;
}

// Single bits: a register has 32 of a row, so that words are multiplied.
bool bitProduct(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const MatrixCode& code = x.program->matrices[in.memory.site];
    const MatrixForm& form = code.form;
    const std::uint32_t words = form.k / 32, halves = form.m / 8;
    std::uint32_t a[16 * 8]{}, b[8 * 8]{};
    std::int32_t c[16 * 8]{};
    for (std::uint32_t r = 0; r < code.a.size(); ++r)
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            a[(r % halves * 8 + lane / 4) * words + r / halves * 4 + lane % 4] =
                rowAt<const std::uint32_t>(x, code.a[r])[lane];
    for (std::uint32_t r = 0; r < code.b.size(); ++r)
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            b[lane / 4 * words + r * 4 + lane % 4] = rowAt<const std::uint32_t>(x, code.b[r])[lane];
    gatherC(x, form.m, form.n, code.c, c);
    products().bits({form.m, words, form.exclusive, a, b, c});
    scatterD(x, form.m, form.n, c, code.d);
    return true;
}

bool doubleProduct(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const MatrixCode& code = x.program->matrices[in.memory.site];
    const MatrixForm& form = code.form;
    if (const FragmentProducts* fast = fragmentProducts(); fast && form.rounding == ptx::Rounding::Nearest) {
        DoubleFragments p;
        p.m = form.m;
        p.k = form.k;
        takeRows(x, code.a, p.a);
        takeRows(x, code.b, p.b);
        takeRows(x, code.c, p.c);
        takeRows(x, code.d, p.d);
        fast->doubles(p);
        return true;
    }
    alignas(64) double a[16 * 16], b[16 * 8], c[16 * 8];
    gatherA(x, form, code.a, a, form.k);
    gatherB(x, form, code.b, b);
    gatherC(x, form.m, form.n, code.c, c);
    if (form.rounding == ptx::Rounding::Nearest)
        products().doubles({form.m, form.n, form.k, a, b, c, c});
    else
        for (std::uint32_t i = 0; i < form.m * form.n; ++i)
            for (std::uint32_t k = 0; k < form.k; ++k)
                // All of a, b and c that the form has was gathered above, which clang-tidy cannot see.
                c[i] =
                    roundedFma(form.rounding, a[i / form.n * form.k + k], // NOLINT(clang-analyzer-core.CallAndMessage)
                               b[k * form.n + i % form.n], c[i]);
    scatterD(x, form.m, form.n, c, code.d);
    return true;
}

// Scales of a: with t = lane % 4, lanes t = 2 * L give those of row g, t = 2 * L + 1 those of row g + 8; of b lane t = L
// those of column g (PTX ISA, "Block Scaling for mma.sync"). A row's follow each other in a word, from the byte named on.
// How exactly hardware adds is not published: here in double precision, cut to f32 at the end.
bool scaledProduct(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const MatrixCode& code = x.program->matrices[in.memory.site];
    const MatrixForm& form = code.form;
    alignas(64) float a[mostA], b[mostB], c[16 * 8];
    alignas(64) double wideA[mostA], wideB[mostB], sums[16 * 8];
    gatherBoth(x, code, a, b);
    gatherC(x, form.m, form.n, code.c, c);
    const auto number = [&](Row row) { return std::uint32_t(rowAt<const std::uint16_t>(x, row)[0]); };
    const auto scale = [&](const MatrixCode::Scales& s, std::uint32_t lane, std::uint32_t block) {
        const std::uint32_t word = rowAt<const std::uint32_t>(x, s.words)[lane];
        return scaleOf(form.scale, std::uint8_t(word >> 8 * ((number(s.byte) + block) % 4)));
    };
    const std::uint32_t pair = number(code.scalesA.lanes) % 2 * 2, one = number(code.scalesB.lanes) % 4;
    for (std::uint32_t block = 0; block < form.scales; ++block) {
        const std::uint32_t from = block * form.k / form.scales, to = (block + 1) * form.k / form.scales;
        for (std::uint32_t row = 0; row < form.m; ++row) {
            const double s = scale(code.scalesA, row % 8 * 4 + pair + row / 8, block);
            for (std::uint32_t k = from; k < to; ++k)
                wideA[row * form.k + k] = double(a[row * form.k + k]) * s;
        }
        for (std::uint32_t column = 0; column < form.n; ++column) {
            const double s = scale(code.scalesB, column * 4 + one, block);
            for (std::uint32_t k = from; k < to; ++k)
                wideB[k * form.n + column] = double(b[k * form.n + column]) * s;
        }
    }
    std::copy_n(c, form.m * form.n, sums);
    products().doubles({form.m, form.n, form.k, wideA, wideB, sums, sums});
    for (std::uint32_t i = 0; i < form.m * form.n; ++i) {
        c[i] = float(sums[i]);
        if (std::abs(double(c[i])) > std::abs(sums[i]) && std::isfinite(c[i]))
            c[i] = std::nextafter(c[i], 0.0f);
    }
    scatterD(x, form.m, form.n, c, code.d);
    return true;
}

} // namespace

Handler matrixProductHandler(const MatrixForm& form) {
    if (form.scale != Type::None)
        return &scaledProduct;
    if (form.quads())
        return &quadProduct;
    switch (form.a) {
    case Type::F64:
        return &doubleProduct;
    case Type::B1:
        return &bitProduct;
    case Type::U8:
    case Type::S8:
    case Type::U4:
    case Type::S4:
        return &wholeProduct;
    default:
        return &floatProduct;
    }
}

} // namespace warpglass::emulator
