// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/backend.h"

#include "gpu/base/messages/launch.h"
#include "gpu/base/quantity.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace warpglass {

namespace {

constexpr std::uint64_t autoLimit = 64; // as many as a person can look at, and few enough to record everywhere
constexpr std::uint64_t autoFirst = 32; // of these the first: neighbours, which the even spread does not show

std::vector<std::uint64_t> allBlocks(std::uint64_t gridBlocks) {
    std::vector<std::uint64_t> blocks(gridBlocks);
    std::iota(blocks.begin(), blocks.end(), std::uint64_t(0));
    return blocks;
}

} // namespace

std::vector<std::uint64_t> autoBlocks(std::uint64_t gridBlocks) {
    if (gridBlocks <= autoLimit)
        return allBlocks(gridBlocks);
    std::vector<std::uint64_t> blocks = allBlocks(autoFirst);
    // The spread ends with the grid's last block: block autoFirst - 1 + k/spread of what remains. Since more blocks
    // remain than are chosen, no two are the same. Division first, so that no grid is large enough to overflow.
    const std::uint64_t spread = autoLimit - autoFirst;
    const std::uint64_t remaining = gridBlocks - autoFirst;
    for (std::uint64_t k = 1; k <= spread; ++k)
        blocks.push_back(autoFirst - 1 + remaining / spread * k + remaining % spread * k / spread);
    return blocks;
}

Result<std::vector<std::uint64_t>> chosenBlocks(const Detail& detail, std::uint64_t gridBlocks) {
    switch (detail.kind) {
    case Detail::Kind::None:
        return std::vector<std::uint64_t>{};
    case Detail::Kind::Auto:
        return autoBlocks(gridBlocks);
    case Detail::Kind::All:
        return allBlocks(gridBlocks);
    case Detail::Kind::Blocks:
        break;
    }
    std::vector<std::uint64_t> blocks = detail.blocks;
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    if (!blocks.empty() && blocks.back() >= gridBlocks)
        return Error{.message = say::DetailOutside(blocks.back(), gridBlocks),
                     .remedy = gridBlocks < 2 ? say::ChooseBlockZero : say::ChooseBlocks(gridBlocks - 1)};
    return blocks;
}

} // namespace warpglass
