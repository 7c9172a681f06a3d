// SPDX-License-Identifier: GPL-3.0-or-later
// Products from fragments to fragments against those of whole matrices, which products_test.cpp holds against arithmetic
// on whole numbers. Which lane holds what is asked of the table that the views draw.
#include "gpu/emulator/lanes/fragment_products.h"
#include "gpu/emulator/lanes/products.h"
#include "gpu/emulator/ops/scalar_ops.h"
#include "gpu/ptx/matrix_form.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace warpglass::emulator {
namespace {

using ptx::MatrixForm;
using ptx::MatrixRole;
using ptx::Type;
using Element = FragmentProduct::Element;

// The registers of a fragment, of all lanes.
struct RowsOfRegisters {
    std::vector<std::array<std::uint32_t, 32>> words = std::vector<std::array<std::uint32_t, 32>>(8);
    template <class Row>
    void rows(Row (&to)[8]) {
        for (std::size_t r = 0; r < 8; ++r)
            to[r] = reinterpret_cast<std::byte*>(words[r].data());
    }
};

// f(row, column, bits of the element): of all of them.
template <class F>
void eachElement(const MatrixForm& form, MatrixRole role, RowsOfRegisters& r, F f) {
    const ptx::Fragment fragment = ptx::fragmentOf(form, role);
    const std::uint32_t of = fragment.perRegister(), bits = fragment.bits;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        for (std::uint32_t i = 0; i < fragment.elements; ++i) {
            const ptx::MatrixCell at = ptx::cellOf(form, role, lane, i);
            std::uint32_t& word = r.words[i / of][lane];
            const std::uint32_t shift = i % of * bits, mask = bits == 32 ? ~0u : (1u << bits) - 1;
            std::uint32_t v = word >> shift & mask;
            f(at.row, at.column, v);
            word = (word & ~(mask << shift)) | (v & mask) << shift;
        }
}

// As drawn bits and, now and then, zero; magnitudes so that sums of all kinds of terms occur.
std::uint32_t draw(std::mt19937& random, Type type, std::uint32_t round) {
    const auto exponent = [&](std::uint32_t low, std::uint32_t high) { return low + random() % (high - low + 1); };
    const std::uint32_t sign = random() % 2, fraction = std::uint32_t(random());
    if (random() % 8 == 0)
        return 0;
    switch (type) {
    case Type::F16:
        return sign << 15 | (round % 3 ? exponent(0, 30) : exponent(13, 17)) << 10 | (fraction & 0x3ff);
    case Type::BF16:
        return sign << 15 | (round % 3 ? exponent(100, 150) : exponent(125, 129)) << 7 | (fraction & 0x7f);
    default:
        return sign << 31 | (round % 3 ? exponent(100, 150) : exponent(125, 129)) << 23 | (fraction & 0x7fffff);
    }
}
float valueOf(Type type, std::uint32_t bits) {
    switch (type) {
    case Type::F16:
        return halfToFloat(std::uint16_t(bits));
    case Type::BF16:
        return std::bit_cast<float>(bits << 16);
    case Type::TF32:
        return std::bit_cast<float>(bits & 0xffffe000u);
    default:
        return std::bit_cast<float>(bits);
    }
}

// d = a * b + c, of whole matrices, row-major.
void multiplyMatrices(const MatrixForm& form, const std::vector<float>& a, const std::vector<float>& b,
                      const std::vector<float>& c, std::vector<float>& d) {
    FloatProduct plain;
    plain.m = form.m;
    plain.n = form.n;
    plain.k = plain.strideA = form.k;
    plain.a = a.data();
    plain.b = b.data();
    plain.c = c.data();
    plain.d = d.data();
    plain.leastA = plain.leastB = form.a == Type::F16 ? -14 : -126;
    plain.leastC = form.c == Type::F16 ? -14 : -126;
    plain.toHalves = form.d == Type::F16;
    products().floats(plain);
}
void expectSums(const MatrixForm& form, RowsOfRegisters& registers, const std::vector<float>& d) {
    eachElement(form, MatrixRole::D, registers, [&](std::uint32_t row, std::uint32_t column, std::uint32_t& bits) {
        const float expected = d[row * form.n + column];
        const std::uint32_t e = form.d == Type::F16 ? floatToHalf(expected) : std::bit_cast<std::uint32_t>(expected);
        ASSERT_EQ(bits, e) << "row " << row << ", column " << column << ": " << valueOf(form.d, bits) << ", not "
                           << expected;
    });
}

TEST(FragmentProducts, OfFloatsAreThoseOfMatrices) {
    const FragmentProducts* fast = fragmentProducts();
    if (!fast)
        GTEST_SKIP() << "a processor without AVX-512";
    const char* const forms[] = {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                                 "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
                                 "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32",
                                 "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16",
                                 "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
                                 "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32",
                                 "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
                                 "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32",
                                 "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
                                 "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32",
                                 "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16",
                                 "wmma.mma.sync.aligned.row.col.m32n8k16.f32.f32",
                                 "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32",
                                 "wmma.mma.sync.aligned.row.col.m32n8k16.f32.bf16.bf16.f32"};
    std::mt19937 random(21);
    for (const char* text : forms) {
        const auto form = ptx::matrixForm(std::string_view(text));
        ASSERT_TRUE(form) << text;
        const std::uint32_t m = form->m, n = form->n, k = form->k;
        std::uint32_t done = 0;
        for (std::uint32_t round = 0; round < 60; ++round) {
            RowsOfRegisters ra, rb, rc, rd;
            std::vector<float> a(m * k), b(k * n), c(m * n), d(m * n);
            const auto fill = [&](MatrixRole role, Type type, RowsOfRegisters& r, std::vector<float>& to,
                                  std::uint32_t width, bool zeros) {
                eachElement(*form, role, r, [&](std::uint32_t row, std::uint32_t column, std::uint32_t& bits) {
                    bits = zeros ? 0 : draw(random, type, round);
                    to[row * width + column] = valueOf(type, bits);
                });
            };
            fill(MatrixRole::A, form->a, ra, a, k, round % 7 == 6);
            fill(MatrixRole::B, form->b, rb, b, n, false);
            fill(MatrixRole::C, form->c, rc, c, n, round % 11 == 10);
            multiplyMatrices(*form, a, b, c, d);
            FragmentProduct p;
            p.a = p.b = form->a == Type::F16 ? Element::F16 : form->a == Type::BF16 ? Element::BF16 : Element::TF32;
            p.halvesC = form->c == Type::F16;
            p.halvesD = form->d == Type::F16;
            p.m = m;
            p.n = n;
            p.k = k;
            ra.rows(p.rowsA);
            rb.rows(p.rowsB);
            rc.rows(p.rowsC);
            rd.rows(p.rowsD);
            if (!fast->floats(p))
                continue;
            ++done;
            ASSERT_NO_FATAL_FAILURE(expectSums(*form, rd, d)) << text << ", round " << round;
            // d in the place of c, as kernels have it.
            rc.rows(p.rowsD);
            ASSERT_TRUE(fast->floats(p));
            ASSERT_EQ(rc.words, [&] {
                RowsOfRegisters both = rc;
                for (std::uint32_t r = 0; r < ptx::fragmentOf(*form, MatrixRole::D).registers; ++r)
                    both.words[r] = rd.words[r];
                return both.words;
            }()) << text;
        }
        EXPECT_GT(done, 40u) << text;
    }
}

// Of each four elements of a row two are there, at places that differ from row to row.
TEST(FragmentProducts, OfSparseMatricesAreThoseOfMatricesWithZeros) {
    const FragmentProducts* fast = fragmentProducts();
    if (!fast)
        GTEST_SKIP() << "a processor without AVX-512";
    std::mt19937 random(23);
    for (const char* text : {"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
                             "mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
                             "mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32"}) {
        const auto form = ptx::matrixForm(std::string_view(text));
        ASSERT_TRUE(form && form->sparse) << text;
        const std::uint32_t k = form->k;
        std::uint32_t done = 0;
        for (std::uint32_t round = 0; round < 40; ++round) {
            RowsOfRegisters ra, rb, rc, rd;
            FragmentProduct p;
            std::vector<float> a(16 * k), b(k * 8), c(16 * 8), d(16 * 8);
            for (std::uint32_t& places : p.places)
                for (std::uint32_t four = 0; four < k / 4; ++four) {
                    const std::uint32_t first = random() % 3, second = first + 1 + random() % (3 - first);
                    places |= (first | second << 2) << 4 * four;
                }
            eachElement(*form, MatrixRole::A, ra, [&](std::uint32_t row, std::uint32_t column, std::uint32_t& bits) {
                bits = draw(random, form->a, round);
                const std::uint32_t place = p.places[row] >> 2 * column & 3;
                a[row * k + column / 2 * 4 + place] = valueOf(form->a, bits);
            });
            eachElement(*form, MatrixRole::B, rb, [&](std::uint32_t row, std::uint32_t column, std::uint32_t& bits) {
                bits = draw(random, form->b, round);
                b[row * 8 + column] = valueOf(form->b, bits);
            });
            eachElement(*form, MatrixRole::C, rc, [&](std::uint32_t row, std::uint32_t column, std::uint32_t& bits) {
                bits = draw(random, form->c, round);
                c[row * 8 + column] = valueOf(form->c, bits);
            });
            multiplyMatrices(*form, a, b, c, d);
            p.a = p.b = form->a == Type::F16 ? Element::F16 : Element::BF16;
            p.halvesC = p.halvesD = form->d == Type::F16;
            p.sparse = true;
            p.m = 16;
            p.n = 8;
            p.k = k;
            ra.rows(p.rowsA);
            rb.rows(p.rowsB);
            rc.rows(p.rowsC);
            rd.rows(p.rowsD);
            if (!fast->floats(p))
                continue;
            ++done;
            ASSERT_NO_FATAL_FAILURE(expectSums(*form, rd, d)) << text << ", round " << round;
        }
        EXPECT_GT(done, 25u) << text;
    }
}

// PTX ISA, "Alternate Floating-Point Data Formats": e4m3 has the bias 7, no infinity and one NaN of each sign; e5m2 is the
// upper byte of an f16.
TEST(FragmentProducts, BytesOfFloatsAreHalves) {
    const FragmentProducts* fast = fragmentProducts();
    if (!fast)
        GTEST_SKIP() << "a processor without AVX-512";
    std::array<std::uint32_t, 32> bytes, lower, upper;
    for (std::uint32_t from = 0; from < 256; from += 128) {
        for (std::uint32_t i = 0; i < 32; ++i)
            bytes[i] = (from + 4 * i) * 0x01010101u + 0x03020100u;
        for (const bool e4m3 : {true, false}) {
            (e4m3 ? fast->widenE4m3 : fast->widenE5m2)(reinterpret_cast<const std::byte*>(bytes.data()),
                                                       reinterpret_cast<std::byte*>(lower.data()),
                                                       reinterpret_cast<std::byte*>(upper.data()));
            for (std::uint32_t i = 0; i < 128; ++i) {
                const std::uint32_t byte = from + i, exponent = byte >> 3 & 15, fraction = byte & 7;
                const std::uint32_t word = (i % 4 < 2 ? lower : upper)[i / 4];
                const auto half = std::uint16_t(word >> 16 * (i % 2));
                if (!e4m3) {
                    ASSERT_EQ(half, byte << 8) << byte;
                    continue;
                }
                if ((byte & 0x7f) == 0x7f) {
                    ASSERT_EQ(half & 0x7fff, 0x7fff) << byte;
                    continue;
                }
                const double magnitude =
                    exponent ? std::ldexp(1.0 + fraction / 8.0, int(exponent) - 7) : std::ldexp(fraction / 8.0, -6);
                ASSERT_EQ(halfToFloat(half), byte & 0x80 ? -magnitude : magnitude) << byte;
            }
        }
    }
}

TEST(FragmentProducts, LeaveInfinitiesToOthers) {
    const FragmentProducts* fast = fragmentProducts();
    if (!fast)
        GTEST_SKIP() << "a processor without AVX-512";
    for (std::uint32_t where = 0; where < 4; ++where) {
        RowsOfRegisters ra, rb, rc, rd;
        for (RowsOfRegisters* r : {&ra, &rb})
            for (auto& words : r->words)
                words.fill(0x3c003c00u);
        rd.words[3].fill(77);
        if (where < 2)
            (where ? ra : rb).words[1][9] = where ? 0x7c003c00u : 0x3c00fe00u;
        else if (where == 2)
            rc.words[2][30] = 0x7f800000u;
        FragmentProduct p;
        p.m = 16;
        p.n = 8;
        p.k = 16;
        ra.rows(p.rowsA);
        rb.rows(p.rowsB);
        rc.rows(p.rowsC);
        rd.rows(p.rowsD);
        ASSERT_EQ(fast->floats(p), where == 3);
        ASSERT_EQ(rd.words[3][5], where == 3 ? 0x41800000u : 77u); // 16 times 1 times 1
    }
}

TEST(FragmentProducts, OfBytesAreExact) {
    const FragmentProducts* fast = fragmentProducts();
    if (!fast)
        GTEST_SKIP() << "a processor without AVX-512";
    std::mt19937 random(22);
    for (const char* shape : {"mma.sync.aligned.m16n8k32.row.col", "mma.sync.aligned.m16n8k16.row.col",
                              "wmma.mma.sync.aligned.row.col.m16n16k16", "wmma.mma.sync.aligned.row.col.m32n8k16"})
        for (const bool signedA : {false, true})
            for (const bool signedB : {false, true})
                for (std::uint32_t round = 0; round < 20; ++round) {
                    // wmma has both of one type; that the bytes lie alike is all that is asked of the form here.
                    const auto form = ptx::matrixForm(std::string(shape) + ".s32.s8.s8.s32");
                    ASSERT_TRUE(form) << shape;
                    FragmentProduct p;
                    p.a = signedA ? Element::S8 : Element::U8;
                    p.b = signedB ? Element::S8 : Element::U8;
                    p.saturates = round % 2 != 0;
                    p.m = form->m;
                    p.n = form->n;
                    p.k = form->k;
                    RowsOfRegisters ra, rb, rc, rd;
                    std::vector<std::int64_t> a(p.m * p.k), b(p.k * p.n), sums(p.m * p.n);
                    const auto byte = [&](std::uint32_t& bits, bool isSigned) {
                        bits = round < 4 ? (random() % 2 ? 0x80 : 0xff) : std::uint32_t(random() & 0xff);
                        return std::int64_t(isSigned ? std::int8_t(bits) : std::int64_t(bits));
                    };
                    eachElement(*form, MatrixRole::A, ra, [&](std::uint32_t row, std::uint32_t column, auto& bits) {
                        a[row * p.k + column] = byte(bits, signedA);
                    });
                    eachElement(*form, MatrixRole::B, rb, [&](std::uint32_t row, std::uint32_t column, auto& bits) {
                        b[row * p.n + column] = byte(bits, signedB);
                    });
                    eachElement(*form, MatrixRole::C, rc, [&](std::uint32_t row, std::uint32_t column, auto& bits) {
                        bits = random() % 2 ? std::uint32_t(random()) : random() % 2 ? 0x7ffffff0u : 0x80000010u;
                        std::int64_t sum = std::int32_t(bits);
                        for (std::uint32_t i = 0; i < p.k; ++i)
                            sum += a[row * p.k + i] * b[i * p.n + column];
                        sums[row * p.n + column] = sum;
                    });
                    ra.rows(p.rowsA);
                    rb.rows(p.rowsB);
                    rc.rows(p.rowsC);
                    rd.rows(p.rowsD);
                    fast->wholes(p);
                    eachElement(*form, MatrixRole::D, rd, [&](std::uint32_t row, std::uint32_t column, auto& bits) {
                        std::int64_t e = sums[row * p.n + column];
                        if (p.saturates)
                            e = std::clamp<std::int64_t>(e, INT32_MIN, INT32_MAX);
                        ASSERT_EQ(std::int32_t(bits), std::int32_t(e))
                            << shape << " round " << round << ", row " << row << ", column " << column;
                    });
                }
}

// Each number is put where gpu/ptx says that its lane has it; in order of k, fused.
TEST(FragmentProducts, OfDoublesAreFusedInOrder) {
    const FragmentProducts* fast = fragmentProducts();
    if (!fast)
        GTEST_SKIP() << "a processor without AVX-512";
    std::mt19937 random(23);
    for (const char* shape : {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"}) {
        const auto form = ptx::matrixForm("mma.sync.aligned." + std::string(shape) + ".row.col.f64.f64.f64.f64");
        ASSERT_TRUE(form) << shape;
        std::vector<double> a(form->m * form->k), b(form->k * form->n), c(form->m * form->n);
        std::vector<std::array<double, 32>> ra(8), rb(4), rc(4);
        const auto place = [&](MatrixRole role, std::vector<double>& matrix, std::uint32_t width,
                               std::vector<std::array<double, 32>>& registers) {
            for (double& v : matrix)
                v = std::ldexp(double(random()) - 2e9, int(random() % 20));
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                for (std::uint32_t i = 0; i < ptx::fragmentOf(*form, role).elements; ++i) {
                    const ptx::MatrixCell at = ptx::cellOf(*form, role, lane, i);
                    registers[i][lane] = matrix[at.row * width + at.column];
                }
        };
        place(MatrixRole::A, a, form->k, ra);
        place(MatrixRole::B, b, form->n, rb);
        place(MatrixRole::C, c, form->n, rc);
        DoubleFragments p;
        p.m = form->m;
        p.k = form->k;
        const auto bytes = [](std::array<double, 32>& row) { return reinterpret_cast<std::byte*>(row.data()); };
        for (std::size_t i = 0; i < 8; ++i)
            p.a[i] = bytes(ra[i]);
        for (std::size_t i = 0; i < 4; ++i) {
            p.b[i] = bytes(rb[i]);
            p.c[i] = p.d[i] = bytes(rc[i]);
        }
        fast->doubles(p);
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            for (std::uint32_t i = 0; i < ptx::fragmentOf(*form, MatrixRole::D).elements; ++i) {
                const ptx::MatrixCell at = ptx::cellOf(*form, MatrixRole::D, lane, i);
                double sum = c[at.row * form->n + at.column];
                for (std::uint32_t k = 0; k < form->k; ++k)
                    sum = std::fma(a[at.row * form->k + k], b[k * form->n + at.column], sum);
                ASSERT_EQ(rc[i][lane], sum) << shape << ", row " << at.row << ", column " << at.column;
            }
    }
}

} // namespace
} // namespace warpglass::emulator
