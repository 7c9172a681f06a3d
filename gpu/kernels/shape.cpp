// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/shape.h"

#include "gpu/base/messages/launch.h"

#include <fmt/format.h>

#include <bit>

namespace warpglass::kernels {

namespace {

constexpr std::int64_t largestLine = std::int64_t(1) << 29;
constexpr std::int64_t largestSide = 1 << 15;

Result<void> sizeWithin(std::int64_t size, std::int64_t largest) {
    if (size < 1 || size > largest)
        return Error{.message = say::SizeImpossible(size), .file = "--size", .remedy = say::ChooseSize(1, largest)};
    return {};
}

Result<void> noZero(MessageForm<1> what, const char* option, Dim3 shape) {
    if (shape.count() == 0)
        return Error{.message = what(shape.text()), .file = option, .remedy = say::EachDimension};
    return {};
}

Error blockError(const ProblemShape& shape, Message remedy) {
    return {.message = say::NotWithBlock(shape.block.text()), .file = "--block", .remedy = std::move(remedy)};
}

} // namespace

Result<ProblemShape> lineShape(const LaunchRequest& request, std::int64_t perThread) {
    ProblemShape shape{.block = request.block.value_or(Dim3{256})};
    if (auto ok = noZero(say::BlockHoldsNothing, "--block", shape.block); !ok)
        return ok.error();
    if (shape.block.y != 1 || shape.block.z != 1)
        return blockError(shape, say::CountsThreadsX);
    const std::int64_t tile = std::int64_t(shape.block.x) * perThread;
    if (request.grid) {
        shape.grid = *request.grid;
        if (auto ok = noZero(say::GridHoldsNothing, "--grid", shape.grid); !ok)
            return ok.error();
        if (shape.grid.y != 1 || shape.grid.z != 1)
            return Error{
                .message = say::NotWithGrid(shape.grid.text()), .file = "--grid", .remedy = say::CountsBlocksX};
    }
    shape.size = request.size.value_or(std::int64_t(shape.grid.x) * tile);
    if (auto ok = sizeWithin(shape.size, largestLine); !ok)
        return ok.error();
    if (!request.grid)
        shape.grid = {std::uint32_t(divideUp(std::uint64_t(shape.size), std::uint64_t(tile)))};
    if (std::int64_t(shape.grid.x) * tile > largestLine * 4)
        return Error{
            .message = say::MoreThanData(shape.grid.x, shape.block.x), .file = "--grid", .remedy = say::FewerBlocks};
    return shape;
}

Result<ProblemShape> squareShape(const LaunchRequest& request) {
    ProblemShape shape{.block = request.block.value_or(Dim3{16, 16})};
    if (auto ok = noZero(say::BlockHoldsNothing, "--block", shape.block); !ok)
        return ok.error();
    if (shape.block.z != 1)
        return blockError(shape, say::WorksOnMatrix);
    if (request.grid) {
        shape.grid = *request.grid;
        if (auto ok = noZero(say::GridHoldsNothing, "--grid", shape.grid); !ok)
            return ok.error();
    }
    shape.size = request.size.value_or(std::int64_t(shape.grid.x) * shape.block.x);
    if (auto ok = sizeWithin(shape.size, largestSide); !ok)
        return ok.error();
    if (!request.grid)
        shape.grid = {std::uint32_t(divideUp(std::uint64_t(shape.size), shape.block.x)),
                      std::uint32_t(divideUp(std::uint64_t(shape.size), shape.block.y))};
    return shape;
}

Result<void> powerOfTwoBlock(const ProblemShape& shape, std::uint32_t least, std::uint32_t most) {
    const std::uint64_t threads = shape.block.count();
    if (!std::has_single_bit(threads) || threads < least || (threads > most && most < 1024))
        return blockError(shape, say::HalvesThreads(least, most));
    return {};
}

Result<void> wholeWarps(const ProblemShape& shape) {
    if (shape.block.count() % 32 != 0)
        return blockError(shape, say::AllLanesShuffle);
    return {};
}

Result<void> exactBlock(const ProblemShape& shape, Dim3 block) {
    if (!(shape.block == block))
        return blockError(shape, say::WrittenForBlock(block.text()));
    return {};
}

std::int64_t parameter(const LaunchRequest& request, const std::string& name) {
    const auto found = request.set.find(name);
    return found == request.set.end() ? 0 : found->second;
}

} // namespace warpglass::kernels
