// SPDX-License-Identifier: GPL-3.0-or-later
// Whole products by tensor cores, against the host; and how a warp that does not come together is told.
#include "tests/emulator/run_kernel.h"

#include "gpu/metrics/results.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

namespace warpglass::testing {
namespace {

constexpr std::size_t n = 64;
using Matrix = std::vector<int>; // n x n, small enough for every format

Matrix drawn(unsigned seed) {
    std::mt19937 source(seed);
    Matrix m(n * n);
    for (int& v : m)
        v = int(source() % 9) - 4;
    return m;
}
// -4 to 4 in a format of 16 bits: 1.0, its exponent's unit and the bits behind the point are all it takes.
std::vector<std::uint16_t> inHalves(const Matrix& m, int fractionBits, int bias) {
    std::vector<std::uint16_t> v;
    for (const int x : m) {
        const unsigned size = unsigned(std::abs(x)), exponent = size ? unsigned(std::bit_width(size)) - 1 : 0;
        const unsigned fraction = size ? (size << fractionBits >> exponent) & ((1u << fractionBits) - 1) : 0;
        const unsigned bits = size ? (exponent + unsigned(bias)) << fractionBits | fraction : 0;
        v.push_back(std::uint16_t(bits | (x < 0 ? 0x8000u : 0u)));
    }
    return v;
}
Matrix turned(const Matrix& m) {
    Matrix t(n * n);
    for (std::size_t i = 0; i < n * n; ++i)
        t[i % n * n + i / n] = m[i];
    return t;
}
std::vector<float> twiceTheProduct(const Matrix& a, const Matrix& b) {
    std::vector<float> c(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            int sum = 0;
            for (std::size_t k = 0; k < n; ++k)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = float(2 * sum);
        }
    return c;
}

std::string textOf(std::uint32_t ptxLine) {
    std::istringstream in(readText("matrix.ptx"));
    std::string line;
    for (std::uint32_t k = 0; k < ptxLine; ++k)
        std::getline(in, line);
    return line;
}

class MatrixProduct : public ::testing::TestWithParam<Reconvergence> {
protected:
    Recording run(const char* kernel, Dim3 grid, std::vector<std::uint16_t> left, std::vector<std::uint16_t> right,
                  bool timing = false) {
        Kernel k(kernel, grid, {128},
                 {buffer(std::move(left), "a"), buffer(std::move(right), "b"), buffer(std::vector<float>(n * n), "c"),
                  value(int(n))},
                 "matrix.ptx");
        k.options.reconvergence = GetParam();
        k.options.timing = timing;
        k.options.device = "h200";
        return k.run();
    }
    const Matrix a = drawn(1), b = drawn(2);
    const std::vector<float> wanted = twiceTheProduct(a, b);
};

TEST_P(MatrixProduct, ByWmmaIsTheHosts) {
    const auto r = run("productByWmma", {2, 2}, inHalves(a, 10, 15), inHalves(b, 10, 15));
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_EQ(values<float>(r, 2), wanted);
    EXPECT_TRUE(r.trace->diagnostics.empty()) << r.trace->diagnostics.front().message;
}

TEST_P(MatrixProduct, ByLdmatrixAndMmaIsTheHosts) {
    const auto r = run("productByMma", {2, 2}, inHalves(a, 10, 15), inHalves(b, 10, 15));
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_EQ(values<float>(r, 2), wanted);
    EXPECT_TRUE(r.trace->diagnostics.empty()) << r.trace->diagnostics.front().message;
}

TEST_P(MatrixProduct, ByWgmmaIsTheHosts) {
    const auto r = run("productByWgmma", {1, 1}, inHalves(a, 7, 127), inHalves(turned(b), 7, 127));
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_EQ(values<float>(r, 2), wanted);
}

// 64^3 multiplications and as many additions.
TEST_P(MatrixProduct, CountsItsOperations) {
    const auto r = run("productByMma", {2, 2}, inHalves(a, 10, 15), inHalves(b, 10, 15));
    ASSERT_FALSE(r.fault) << r.fault->text();
    const auto operations = arithmeticOperations(*r.trace, 0);
    ASSERT_TRUE(operations);
    EXPECT_GE(*operations, 2.0 * n * n * n);
    EXPECT_LE(*operations, 3.0 * n * n * n); // and the indices' own arithmetic
}

// A row of 24 halves is 48 bytes: eight rows begin in banks 0, 12, 24, 4, 16, 28, 8 and 20, four banks each: no two in
// one. 40 halves are 80 bytes: 0, 20, 8, 28, 16, 4, 24, 12. So each matrix of ldmatrix is one pass: four a request.
TEST_P(MatrixProduct, LdmatrixReadsItsRowsWithoutConflicts) {
    const auto r = run("productByMma", {2, 2}, inHalves(a, 10, 15), inHalves(b, 10, 15));
    ASSERT_FALSE(r.fault) << r.fault->text();
    int found = 0;
    for (const InstructionCount& count : r.trace->countsOf(0))
        if (textOf(count.ptxLine).find("ldmatrix") != std::string::npos) {
            EXPECT_EQ(count.requests, 64u); // four blocks of four warps, four steps
            EXPECT_EQ(count.passes, 4 * count.requests);
            ++found;
        }
    EXPECT_EQ(found, 2);
}

// The four steps of wgmma follow each other on one accumulator. m64n64k16 is 16 x 64 x 16 products a warp, 16 cycles at
// 1024 a cycle, and takes twice that. Products that take both factors from shared memory wait in the unit's queue, not in the
// warp, which asks for the next one meanwhile; who waits for them goes on behind the last: 4 * 32 cycles after the first was
// asked for.
TEST_P(MatrixProduct, TakesTimeOnTensorCores) {
    const auto r = run("productByWgmma", {1, 1}, inHalves(a, 7, 127), inHalves(turned(b), 7, 127), true);
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_EQ(values<float>(r, 2), wanted);
    std::vector<std::int64_t> issued;
    std::int64_t after = 0; // the first instruction behind the wait
    bool waited = false;
    for (const StateRow& state : r.trace->statesOf(r.trace->warps[0])) {
        if (state.state != WarpState::Selected)
            continue;
        if (textOf(state.ptxLine).find("mma_async") != std::string::npos)
            issued.push_back(state.begin.value);
        else if (waited && after == 0)
            after = state.begin.value;
        waited = waited || textOf(state.ptxLine).find("wait_group") != std::string::npos;
    }
    ASSERT_EQ(issued.size(), 4u);
    for (std::size_t k = 1; k < 4; ++k)
        EXPECT_LT(issued[k] - issued[k - 1], 32);
    EXPECT_GE(after - issued[0], 4 * 32);
    EXPECT_LE(after - issued[0], 4 * 32 + 80); // the way through the unit and back
}

INSTANTIATE_TEST_SUITE_P(Both, MatrixProduct,
                         ::testing::Values(Reconvergence::PostDominatorStack, Reconvergence::IndependentThreads));

// The product is of all four warps: it reads what each of them brought before wgmma.fence, and is done for all of them when
// one goes on behind wgmma.wait_group. a is made by all warps, 16 bytes a thread, of ones, by the last of twos: rows 48 to
// 63 are 2, the others 1. Times 16 ones that makes 32 and 16, whatever the column; thread t has rows 16 * (t / 32) and
// more. Whoever reads too early finds zeros of b, who reads too late those that the first thread writes over rows 16 and
// 17.
TEST(Matrix, FourWarpsMakeAProductTogether) {
    for (const Reconvergence way : {Reconvergence::PostDominatorStack, Reconvergence::IndependentThreads})
        for (const bool timing : {false, true}) {
            Kernel k("twice", {1}, {128}, {buffer(std::vector<float>(512))}, "warpgroup.ptx");
            k.options.reconvergence = way;
            k.options.timing = timing;
            const Recording r = k.run();
            ASSERT_FALSE(r.fault) << r.fault->text();
            const auto d = values<float>(r, 0);
            for (std::size_t i = 0; i < d.size(); ++i)
                EXPECT_EQ(d[i], i / 4 < 96 ? 16.0f : 32.0f) << i;
        }
}

TEST(Matrix, AWarpThatIsMissingFromItsWarpgroupIsTold) {
    const Recording r = Kernel("notAll", {1}, {128}, {buffer(std::vector<int>(1))}, "warpgroup.ptx").run();
    const Diagnostic* d = find(r, DiagnosticKind::Deadlock);
    ASSERT_TRUE(d);
    EXPECT_NE(d->message.find("3 warps (0-2) wait for the other warps of their warpgroup"), std::string::npos)
        << d->message;
}

TEST(Matrix, AWarpThatDoesNotComeTogetherIsTold) {
    Kernel k("notTogether", {1}, {32}, {buffer(std::vector<int>(32))}, "matrix.ptx");
    const auto r = k.run();
    const Diagnostic* d = find(r, DiagnosticKind::BarrierDivergence);
    ASSERT_TRUE(d);
    EXPECT_TRUE(d->fatal);
    EXPECT_NE(d->message.find("16 of the 32 lanes of a warp run movmatrix"), std::string::npos) << d->message;
}

// What ptxas of CUDA 13.0 makes of wmma in global memory for sm_90, and lines of 16 elements that are 32 apart:
//   halves, by rows or turned: 4 times 4 bytes a lane, each 8 lines of 16 bytes: 4 requests of 8 sectors
//   f32 by rows: 4 times 8 bytes a lane, 8 lines of 32 bytes: 4 requests of 8 sectors
//   f32 by columns: 8 times 4 bytes a lane, columns 2t (or 2t + 1) with rows g: 4 lines of 32 bytes: 8 requests of 4 sectors
TEST(Matrix, FragmentsInGlobalMemoryAreCountedAsTheCardDoes) {
    std::vector<std::uint16_t> halves(16 * 32);
    std::vector<float> sums(16 * 32);
    for (std::size_t k = 0; k < halves.size(); ++k)
        halves[k] = std::uint16_t(k), sums[k] = float(k);
    for (const bool timing : {false, true}) {
        Kernel k("moves", {1}, {32},
                 {buffer(halves), buffer(sums), buffer(std::vector<std::uint16_t>(16 * 32)),
                  buffer(std::vector<float>(16 * 32))},
                 "wmma_global.ptx");
        k.options.timing = timing;
        const Recording r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        std::vector<std::pair<std::uint64_t, std::uint64_t>> counts; // of the instructions, in order
        for (const InstructionCount& c : r.trace->counts)
            if (c.sectors > 0)
                counts.emplace_back(c.requests, c.sectors);
        EXPECT_EQ(counts, (decltype(counts){{4, 32}, {4, 32}, {4, 32}, {4, 32}, {8, 32}, {4, 32}}));
        for (std::size_t row = 0; row < 16; ++row)
            for (std::size_t column = 0; column < 16; ++column) {
                EXPECT_EQ(values<std::uint16_t>(r, 2)[row * 32 + column], row * 32 + column);
                EXPECT_EQ(values<float>(r, 3)[column * 32 + row], float(row * 32 + column));
            }
    }
}

} // namespace
} // namespace warpglass::testing
