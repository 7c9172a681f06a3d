// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/inlining.h"

#include "gpu/ptx/parse.h"
#include "gpu/ptx/source_lines.h"

#include <algorithm>
#include <string_view>

namespace warpglass {

namespace {

std::string_view fileName(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

void append(InlineChain& chain, std::uint32_t line) {
    if (line != 0 && std::find(chain.begin(), chain.end(), line) == chain.end())
        chain.push_back(line);
}

} // namespace

std::vector<InlineChain> inlineChains(const Kernel& kernel) {
    std::vector<InlineChain> chains(std::size_t(std::count(kernel.ptx.begin(), kernel.ptx.end(), '\n')) + 2);
    std::vector<bool> isOf(chains.size(), false);
    for (const LineLink& link : kernel.lines)
        if (link.ptxLine < chains.size() && link.callLine != 0) {
            isOf[link.ptxLine] = true;
            append(chains[link.ptxLine], sourceLineOf(kernel, link.ptxLine));
            append(chains[link.ptxLine], link.callLine);
        }
    const auto module = ptx::parse(kernel.ptx);
    if (!module)
        return chains;
    const auto own = [&](const ptx::Place& place) {
        const auto file = std::find_if(module->files.begin(), module->files.end(),
                                       [&](const auto& f) { return f.number == place.file; });
        return file != module->files.end() &&
               (kernel.sourceName.empty() || fileName(file->path) == fileName(kernel.sourceName));
    };
    for (const ptx::Function& function : module->functions)
        for (const ptx::Instruction& instruction : function.body) {
            const auto line = std::size_t(std::max(0, instruction.line));
            if (line >= chains.size() || !isOf[line])
                continue;
            InlineChain chain;
            for (const ptx::Place& place : ptx::sourceChain(*module, instruction))
                if (own(place))
                    append(chain, std::uint32_t(std::max(0, place.line)));
            if (!chain.empty())
                chains[line] = std::move(chain);
        }
    return chains;
}

} // namespace warpglass
