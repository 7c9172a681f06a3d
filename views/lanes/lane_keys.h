// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/lane_mask.h"
#include "views/common/picture.h"

#include <algorithm>
#include <optional>

namespace warpglass {

// The lane that an arrow key goes to from `lane`: one on, or four, as many as hold a row of a fragment. nullopt: it is no arrow key.
inline std::optional<int> laneByKey(const Input& input, int lane) {
    const auto* key = std::get_if<KeyInput>(&input);
    if (!key || key->modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return std::nullopt;
    const int by = key->key == Qt::Key_Left    ? -1
                   : key->key == Qt::Key_Right ? 1
                   : key->key == Qt::Key_Up    ? -4
                   : key->key == Qt::Key_Down  ? 4
                                               : 0;
    return by == 0 ? std::nullopt : std::optional(std::clamp(lane + by, 0, lanesPerWarp - 1));
}

} // namespace warpglass
