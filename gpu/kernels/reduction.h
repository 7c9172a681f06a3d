// SPDX-License-Identifier: GPL-3.0-or-later
// The launch that all reductions share: n numbers in, one sum a block out.
#pragma once

#include "gpu/kernels/catalogue.h"

namespace warpglass::kernels {

struct Reduction {
    std::string name;
    std::string entry = {}; // in PTX; empty = name. With "{}" the block's length takes its place
    int perThread = 1;      // elements a thread takes before the block folds them
    bool isFloat = false;
    std::uint32_t leastBlock = 2, mostBlock = 1024;
    bool sizeArgument = true;        // the kernel has a third argument n
    bool wholeTilesOnly = false;     // its guard drops a tile that is not full: n is then the length with the zeros
    bool gridStride = false;         // blocks walk over the data: the grid need not cover it
    int dynamicShared = 0;           // bytes a thread
    std::uint32_t twiceSharedTo = 0; // blocks up to this length get twice as much
    std::uint32_t lookBlock = 64;
    std::int64_t lookSize = 256;
    std::uint32_t documentBlock = 512;
    std::int64_t documentSize = std::int64_t(1) << 24;
    std::uint32_t documentGrid = 0; // 0 = what the size needs
    bool anyBlock = false;          // warps are summed apart: a multiple of 32 will do
};

CatalogueEntry reductionEntry(std::string family, std::string source, Reduction reduction,
                              std::vector<Reference> references, std::string storyEn, std::string storyZh);

} // namespace warpglass::kernels
