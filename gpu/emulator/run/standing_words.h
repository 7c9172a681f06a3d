// SPDX-License-Identifier: GPL-3.0-or-later
// What sentences of a hang are put together from.
#pragma once

#include "gpu/base/messages/emulator.h"
#include "gpu/base/number_ranges.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpglass::emulator {

inline void addOnce(std::vector<std::size_t>& list, std::size_t value) {
    if (std::find(list.begin(), list.end(), value) == list.end())
        list.push_back(value);
}

// One sentence of all; there is one at least.
inline Message joined(const std::vector<Message>& all) {
    Message text = all.front();
    for (std::size_t k = 1; k < all.size(); ++k)
        text = say::AndAlso(std::move(text), all[k]);
    return text;
}

} // namespace warpglass::emulator
