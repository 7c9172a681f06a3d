// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/kernel_text.h"

#include "gpu/ptx/source_lines.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace warpglass {

std::string plainName(const std::string& mangled) {
    int status = 0;
    char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    std::string name = status == 0 && text ? text : mangled;
    std::free(text);
    if (const auto parenthesis = name.find('('); parenthesis != std::string::npos)
        name.resize(parenthesis);
    if (name.starts_with("void "))
        name.erase(0, 5);
    return name;
}

SourcePlace sourcePlace(const ptx::Module& module, const ptx::Place& place) {
    for (std::size_t f = 0; f < module.files.size(); ++f)
        if (module.files[f].number == place.file)
            return {std::uint32_t(f), std::uint32_t(std::max(0, place.line)), std::uint32_t(std::max(0, place.column))};
    return {};
}

Kernel kernelText(const ptx::Module& module, const std::string& entry, const LaunchPlan& plan, bool isHosts) {
    Kernel kernel;
    kernel.entry = entry;
    kernel.name = isHosts ? plan.kernelName : plainName(entry);
    kernel.source = plan.source;
    kernel.sourceName = plan.sourceName;
    kernel.ptx = plan.ptx;
    for (const auto& file : module.files)
        kernel.files.push_back(file.path);
    return kernel;
}

std::vector<LineLink> lineLinks(const ptx::Module& module, const Kernel& kernel,
                                const std::vector<const ptx::Instruction*>& instructions) {
    const auto fileName = [](const std::string& path) { return std::filesystem::path(path).filename(); };
    std::vector<LineLink> links;
    links.reserve(instructions.size());
    for (const ptx::Instruction* instruction : instructions) {
        LineLink link;
        link.ptxLine = std::uint32_t(instruction->line);
        if (const auto chain = ptx::sourceChain(module, *instruction); !chain.empty()) {
            link.source = sourcePlace(module, chain.front());
            const SourcePlace outer = sourcePlace(module, chain.back());
            const bool own =
                kernel.sourceName.empty() ||
                (outer.file < kernel.files.size() && fileName(kernel.files[outer.file]) == fileName(kernel.sourceName));
            link.callLine = own ? outer.line : 0;
        }
        links.push_back(link);
    }
    std::stable_sort(links.begin(), links.end(),
                     [](const LineLink& a, const LineLink& b) { return a.ptxLine < b.ptxLine; });
    return links;
}

} // namespace warpglass
