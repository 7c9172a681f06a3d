// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/machine/own_code.h"

#include "gpu/fatbin/fatbin.h"
#include "gpu/machine/kept.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace warpglass::machine {

namespace {

bool has(const std::string& cubin, const std::string& kernel) {
    const auto facts = readFacts(std::as_bytes(std::span(cubin)));
    if (!facts)
        return false;
    const auto of = facts->find(kernel);
    return of != facts->end() && of->second.registers;
}

// The cubin as a recording keeps it; nullopt: it does not have the kernel.
std::optional<Cubin> keptOf(MachineCodes& codes, const std::string& cubin, const std::string& kernel) {
    if (cubin.empty() || !keep(codes, std::as_bytes(std::span(cubin)), {kernel}))
        return std::nullopt;
    return codeWith(codes, kernel);
}

} // namespace

std::string ownCubin(const void* image, std::uint32_t capability, const std::string& kernel) {
    if (!image)
        return {};
    if (const std::size_t length = lengthOfElf(image)) {
        std::string cubin(static_cast<const char*>(image), length);
        return has(cubin, kernel) ? cubin : std::string();
    }
    const auto containers = fatbin::containersAt(image);
    if (!containers)
        return {};
    std::uint32_t newest = 0;
    std::string found;
    for (const fatbin::Container& container : *containers)
        for (const fatbin::PackedImage& packed : container.images) {
            const bool runs = packed.arch / 10 == capability / 10 && packed.arch <= capability;
            if (packed.kind != fatbin::PackedImage::Kind::Elf || !runs || packed.arch < newest)
                continue;
            if (auto cubin = fatbin::unpacked(packed); cubin && has(*cubin, kernel)) {
                newest = packed.arch;
                found = std::move(*cubin);
            }
        }
    return found;
}

MachineCodes ownCode(const std::string& cubin, const ptx::Function* kernel) {
    MachineCodes codes;
    const auto code = kernel && !kernel->body.empty() ? keptOf(codes, cubin, kernel->name) : std::optional<Cubin>();
    if (!code)
        return {};
    const auto first = std::uint32_t(kernel->body.front().line), last = std::uint32_t(kernel->body.back().line);
    const auto& rows = std::ranges::find(code->functions, kernel->name, &Function::name)->ptx.rows;
    const auto inside =
        std::ranges::count_if(rows, [&](const LineRow& row) { return row.line >= first && row.line <= last; });
    return std::size_t(inside) * 2 > rows.size() ? codes : MachineCodes(); // the others are of what was inlined
}

MachineCodes codeAlone(const std::string& cubin, const std::string& kernel) {
    MachineCodes codes;
    return keptOf(codes, cubin, kernel) ? codes : MachineCodes();
}

} // namespace warpglass::machine
