// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/kernel_text.h"

#include "gpu/ptx/source_lines.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

namespace warpglass {

namespace {

// Where the parameters of a demangled name begin; its end if it has none. They are what the last parenthesis closes:
// others stand in "(anonymous namespace)::f(int)", "f<(Mode)1>(int)" and "f<g(int)::{lambda(int)#1}>(int)", too.
std::size_t parametersOf(std::string_view name) {
    std::size_t at = name.rfind(')');
    for (int depth = 0; at != std::string_view::npos && at < name.size(); --at) {
        depth += name[at] == ')';
        depth -= name[at] == '(';
        if (depth == 0)
            return at == 0 || name.substr(at).starts_with("(anonymous namespace)") ? name.size() : at;
    }
    return name.size();
}

} // namespace

std::string demangled(const std::string& name) {
    if (!name.starts_with("_Z")) // "f" would be the type float
        return {};
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 && text ? text.get() : "";
}

std::string plainName(const std::string& mangled) {
    std::string name = demangled(mangled);
    if (name.empty())
        return mangled;
    name.resize(parametersOf(name));
    if (name.starts_with("void "))
        name.erase(0, 5);
    return name;
}

std::string shortName(const std::string& plain, std::size_t most) {
    if (plain.size() <= most)
        return plain;
    std::string text;
    int depth = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const bool arrow = plain[i] == '>' && i > 0 && plain[i - 1] == '-';
        if (plain[i] == '>' && !arrow && --depth < 0)
            return plain; // "operator>" and the like
        if (depth == 0)
            text += plain[i];
        if (plain[i] == '<' && depth++ == 0)
            text += "\u2026";
    }
    return depth == 0 ? text : plain;
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
    kernel.ttgir = plan.ttgir;
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
