// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of a file's kernels, from format 11 on: each of them once and packed, since kernels of one module have the same.
#pragma once

#include "gpu/trace/database.h"
#include "gpu/trace/file_layout.h"

#include <functional>
#include <string>
#include <vector>

namespace warpglass {

struct KernelTexts {
    std::vector<KernelTextsRow> rows; // of the kernels, in order
    std::vector<std::string> texts;   // that they name

    // The table `texts`, and its digest.
    Result<Digest> write(Database& database) const;
    // fits: whether there is room for so many bytes more.
    Result<Digest> read(Database& database, const std::function<Result<void>(std::uint64_t)>& fits);
    // An Error if a row names a text that is not there.
    Result<void> give(std::vector<Kernel>& kernels);
};
KernelTexts textsOf(const std::vector<Kernel>& kernels);

} // namespace warpglass
