// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/profilers/tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::profilers {

std::string nameOf(const std::string& signature) {
    // The parameters are the last brackets; the result is what stands before the last space outside of < > and ( ).
    if (!signature.ends_with(')'))
        return signature;
    std::size_t end = signature.size();
    int depth = 0;
    while (end-- > 0) {
        depth += signature[end] == ')' ? 1 : signature[end] == '(' ? -1 : 0;
        if (depth == 0)
            break;
    }
    if (end == 0 || end == std::string::npos)
        return signature;
    std::size_t begin = 0;
    depth = 0;
    for (std::size_t n = 0; n < end; ++n) {
        depth += signature[n] == '<' || signature[n] == '(' ? 1 : signature[n] == '>' || signature[n] == ')' ? -1 : 0;
        if (signature[n] == ' ' && depth == 0)
            begin = n + 1;
    }
    return signature.substr(begin, end - begin);
}

std::string streamName(std::uint32_t number) {
    constexpr std::uint32_t legacy = 7; // CUPTI's number of it
    return number == legacy ? "default" : fmt::format("stream {}", number);
}

std::uint32_t kernelRow(program::ProgramTrace& p, const std::string& signature) {
    const auto found = std::ranges::find(p.kernels, signature, &program::ProgramKernel::signature);
    if (found != p.kernels.end())
        return std::uint32_t(found - p.kernels.begin());
    const std::string name = nameOf(signature);
    p.kernels.push_back({.name = name, .signature = signature, .entry = name});
    return std::uint32_t(p.kernels.size() - 1);
}

std::uint32_t shapeRow(program::ProgramTrace& p, const program::RecordedShape& shape) {
    const auto found = std::ranges::find(p.shapes, shape);
    const auto row = std::uint32_t(found - p.shapes.begin());
    if (found == p.shapes.end())
        p.shapes.push_back(shape);
    return row;
}

} // namespace warpglass::profilers
