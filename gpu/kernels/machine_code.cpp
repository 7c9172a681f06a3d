// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/machine_code.h"

#include "gpu/kernels/texts.h"

#include <string>

namespace warpglass::kernels {

std::span<const std::uint8_t> packedMachineCode(std::string_view ptx) {
    constexpr std::string_view texts = "resources/ptx/", ending = ".ptx";
    for (std::size_t i = 0; i < embeddedTextCount; ++i) {
        const auto& [path, text] = embeddedTexts[i];
        if (!path.ends_with(ending) || text != ptx)
            continue;
        const std::string_view name = path.substr(texts.size(), path.size() - texts.size() - ending.size());
        const std::string code = "resources/machine/" + std::string(name) + ".cubin.zst";
        for (std::size_t c = 0; c < embeddedCodeCount; ++c)
            if (embeddedCodes[c].path == code)
                return embeddedCodes[c].bytes;
    }
    return {};
}

} // namespace warpglass::kernels
