// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/branch_sides.h"

#include <algorithm>

namespace warpglass {

std::string jumpTarget(const std::string& instruction) {
    const auto end = instruction.find_last_not_of(" \t;\r\n");
    if (end == std::string::npos || instruction.find("bra") == std::string::npos)
        return {};
    const auto begin = instruction.find_last_of(" \t", end);
    return begin == std::string::npos ? std::string() : instruction.substr(begin + 1, end - begin);
}

std::uint32_t labelLine(const Kernel& kernel, const std::string& label) {
    if (label.empty())
        return 0;
    const std::string mark = label + ":";
    std::size_t at = 0;
    while ((at = kernel.ptx.find(mark, at)) != std::string::npos) {
        const bool whole =
            at == 0 || kernel.ptx[at - 1] == '\n' || kernel.ptx[at - 1] == ' ' || kernel.ptx[at - 1] == '\t';
        if (whole)
            return std::uint32_t(1 + std::count(kernel.ptx.begin(), kernel.ptx.begin() + std::ptrdiff_t(at), '\n'));
        ++at;
    }
    return 0;
}

bool jumpsBack(const Kernel& kernel, const Site& site) {
    const std::uint32_t target = labelLine(kernel, jumpTarget(site.text));
    return target && target < site.ptxLine;
}

LaneMask entering(const Kernel& kernel, const Site& site, const Event& event) {
    return entering(event.active, event.taken, jumpsBack(kernel, site));
}

} // namespace warpglass
