// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor memory of a block and of a pair: results, and what is told of a program that does not wait or reaches too far. What
// each instruction does is held to tests/ptx/tensor.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warpglass::testing {
namespace {

using Floats = std::vector<float>;

Kernel tensorKernel(const std::string& entry, Dim3 grid, Dim3 block, std::vector<Argument> arguments) {
    Kernel k(entry, grid, block, std::move(arguments), "tensor.ptx");
    k.options.detail.kind = Detail::Kind::All;
    return k;
}

Kernel productKernel(int waits) {
    return tensorKernel("product", {1}, {128}, {buffer(Floats(128)), value(waits)});
}

TEST(Tensor, MakesAProductThatIsWaitedFor) {
    for (const Reconvergence way : {Reconvergence::PostDominatorStack, Reconvergence::IndependentThreads}) {
        Kernel k = productKernel(1);
        k.options.reconvergence = way;
        const Recording r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        EXPECT_EQ(values<float>(r, 0), Floats(128, 16.0f)); // sixteen products of ones
        EXPECT_TRUE(r.trace->diagnostics.empty());
        ASSERT_TRUE(validate(*r.trace)) << validate(*r.trace).error().text();
    }
}

TEST(Tensor, ProductIsUnderWayFromItsThreadToItsBarrier) {
    const Recording r = productKernel(1).run();
    ASSERT_EQ(r.trace->copies.size(), 1u);
    const AsyncCopy& work = r.trace->copies[0];
    EXPECT_EQ(work.kind, AsyncCopyKind::Product);
    EXPECT_EQ(work.lanes.bits, 1u);
    EXPECT_TRUE(work.issued < work.complete);
    EXPECT_EQ(work.bytes, 32u * (128 + 32)); // 32 bytes along k of 128 rows of a and of 32 columns of b
    EXPECT_NE(work.barrier, noIndex);
}

TEST(Tensor, TellsWhoReadsBeforeTheProductHasCome) {
    const Recording r = productKernel(0).run();
    const Diagnostic* d = find(r, DiagnosticKind::AsyncHazard);
    ASSERT_TRUE(d);
    EXPECT_FALSE(d->fatal);
    EXPECT_NE(d->message.find("reaches for column 0 of tensor memory"), std::string::npos) << d->message;
    EXPECT_NE(d->message.find("tcgen05.commit"), std::string::npos) << d->message;
}

std::string faultOf(int first, int second, int lane, int column) {
    const Recording r =
        tensorKernel("reach", {1}, {32}, {value(first), value(second), value(lane), value(column)}).run();
    return r.fault ? r.fault->message.text() : std::string();
}

TEST(Tensor, TellsWhoReachesWhereItMustNot) {
    EXPECT_EQ(faultOf(64, 0, 0, 0), "");
    EXPECT_NE(faultOf(64, 0, 32, 0).find("Warp 0 asks for lane 32 of tensor memory: it reaches lanes 0 to 31"),
              std::string::npos);
    EXPECT_NE(faultOf(64, 0, 0, 64).find("Column 64 of tensor memory is not allocated"), std::string::npos);
    EXPECT_NE(faultOf(48, 0, 0, 0).find("48 columns of tensor memory"), std::string::npos);
    EXPECT_NE(faultOf(256, 512, 0, 0).find("512 columns of tensor memory are asked for, but 256 of 512 are left"),
              std::string::npos);
    EXPECT_NE(faultOf(32, 0, 0, 0).find("64 columns of tensor memory from column 0 on are given back"),
              std::string::npos);
}

TEST(Tensor, HasNoTimingModel) {
    Kernel k = productKernel(1);
    k.options.timing = true;
    Progress progress;
    const auto r = makeEmulator()->run(k.plan, k.options, progress);
    ASSERT_FALSE(r);
    EXPECT_NE(r.error().text().find("no timing model of tensor memory"), std::string::npos) << r.error().text();
}

// Each block's eight kilobytes hold one number, so that nothing depends on where which element lies.
TEST(Tensor, MultipliesMatricesOfAPairOfBlocks) {
    TensorMap map = *parseTensorMap("map", "{base=tensor,type=f16,dims=64;128,box=64;64}");
    Argument argument;
    argument.name = "map";
    argument.scalar.resize(tensorMapBytes);
    argument.tensorMap = std::move(map);
    Kernel k = tensorKernel("pair", {2}, {128}, {argument, buffer(Floats(512))});
    std::vector<std::uint16_t> numbers(std::size_t(64) * 128, 0x3c00);          // 1
    std::fill(numbers.begin() + 64 * 64, numbers.end(), std::uint16_t(0x4000)); // 2
    k.plan.globalBuffers.push_back(buffer(numbers, "tensor"));
    k.plan.cluster = Dim3{2};
    const Recording r = k.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    const Floats out = values<float>(r, 1);
    for (std::size_t row = 0; row < 256; ++row) {
        const float a = row < 128 ? 1 : 2; // the block's own half of a, times 1 and 2 in the halves of b
        EXPECT_EQ(out[2 * row], 16 * a) << row;
        EXPECT_EQ(out[2 * row + 1], 16 * a * 2) << row;
    }
    for (const Diagnostic& d : r.trace->diagnostics)
        ADD_FAILURE() << d.message;
}

} // namespace
} // namespace warpglass::testing
