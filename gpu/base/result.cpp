// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/result.h"

#include <fmt/format.h>

namespace warpglass {

std::string Error::text() const {
    std::string place;
    if (!file.empty())
        place = file;
    if (line > 0)
        place += fmt::format("{}{}", place.empty() ? "line " : ":", line);
    if (line > 0 && column > 0)
        place += fmt::format(":{}", column);
    std::string all = place.empty() ? message : place + ": " + message;
    if (!remedy.empty())
        all += (all.empty() || all.back() == '.' ? " " : ". ") + remedy;
    return all;
}

} // namespace warpglass
