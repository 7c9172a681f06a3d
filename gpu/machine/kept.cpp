// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/machine/kept.h"

#include "gpu/machine/compact.h"

#include <algorithm>

namespace warpglass::machine {

Bytes bytesWith(const MachineCodes& codes, const std::string& function) {
    std::uint64_t at = 0;
    for (const MachineCode& code : codes.all) {
        if (code.bytes > codes.bytes.size() - at)
            break;
        const Bytes bytes = std::as_bytes(std::span(codes.bytes)).subspan(at, code.bytes);
        at += code.bytes;
        const auto cubin = readCubin(bytes);
        if (cubin && std::ranges::find(cubin->functions, function, &Function::name) != cubin->functions.end())
            return bytes;
    }
    return {};
}

std::optional<Cubin> codeWith(const MachineCodes& codes, const std::string& function) {
    const Bytes bytes = bytesWith(codes, function);
    if (bytes.empty())
        return std::nullopt;
    auto cubin = readCubin(bytes);
    return cubin ? std::optional(std::move(*cubin)) : std::nullopt;
}

Result<void> keep(MachineCodes& codes, Bytes bytes, const std::set<std::string, std::less<>>& kernels) {
    const auto small = compact(bytes, kernels);
    if (!small)
        return small.error();
    const auto cubin = readCubin(std::as_bytes(std::span(*small)));
    if (!cubin)
        return cubin.error();
    codes.all.push_back({.arch = cubin->arch, .compiler = cubin->compiler, .bytes = small->size()});
    codes.bytes.insert(codes.bytes.end(), small->begin(), small->end());
    return {};
}

Result<void> keepAll(MachineCodes& codes, Bytes bytes, const std::vector<Kernel>& kernels) {
    std::set<std::string, std::less<>> entries;
    for (const Kernel& kernel : kernels)
        entries.insert(kernel.entry);
    return keep(codes, bytes, entries);
}

bool wasSampled(const Trace& trace, std::uint32_t launch,
                const std::function<std::uint32_t(std::uint32_t sassOffset, std::uint32_t line)>& lineAt) {
    constexpr double leastAgreeing = 0.95;
    std::uint64_t told = 0, agreeing = 0;
    const auto ask = [&](const auto& row, std::uint64_t weight) {
        const std::uint32_t line = row.site < trace.sites.size() ? trace.sites[row.site].ptxLine : 0;
        if (row.launch != launch || line == 0)
            return;
        told += weight;
        agreeing += lineAt(row.sassOffset, line) == line ? weight : 0;
    };
    for (const Sample& sample : trace.samples)
        ask(sample, sample.count);
    if (told == 0)
        for (const MachineCount& count : trace.machineCounts)
            ask(count, 1);
    return told > 0 && double(agreeing) >= leastAgreeing * double(told);
}

} // namespace warpglass::machine
