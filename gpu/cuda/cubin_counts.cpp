// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/cubin_counts.h"
#include "gpu/base/messages/gpu.h"

#include <cstring>
#include <elf.h>
#include <fmt/format.h>
#include <optional>
#include <string>

namespace warpglass::cuda {

namespace {

constexpr std::size_t instructionBytes = 16;
constexpr std::uint64_t opBra = 0x947, opBrx = 0x949, opBar = 0xb1d, opNop = 0x918;
constexpr std::uint64_t always = 7; // PT

template <typename T>
std::optional<T> at(std::span<const std::byte> file, std::uint64_t offset) {
    if (offset > file.size() || file.size() - offset < sizeof(T))
        return std::nullopt;
    T value;
    std::memcpy(&value, file.data() + offset, sizeof value);
    return value;
}

std::string_view nameAt(std::span<const std::byte> file, const Elf64_Shdr& names, std::uint32_t offset) {
    if (names.sh_offset > file.size() || names.sh_size > file.size() - names.sh_offset || offset >= names.sh_size)
        return {};
    const auto* text = reinterpret_cast<const char*>(file.data()) + names.sh_offset + offset;
    return {text, strnlen(text, names.sh_size - offset)};
}

CubinCounts counted(std::span<const std::byte> code) {
    CubinCounts result;
    for (std::size_t i = 0; i + instructionBytes <= code.size(); i += instructionBytes) {
        std::uint64_t low = 0, high = 0;
        std::memcpy(&low, code.data() + i, 8);
        std::memcpy(&high, code.data() + i + 8, 8);
        const std::uint64_t opcode = low & 0xfff, guard = low >> 12 & 7, second = high >> 23 & 7;
        if (opcode == opNop)
            continue; // padding, and what keeps alignment
        ++result.instructions;
        if ((opcode == opBra || opcode == opBrx) && (guard != always || second != always))
            ++result.conditionalBranches;
        if (opcode == opBar)
            ++result.barriers;
    }
    return result;
}

} // namespace

Result<CubinCounts> countCubin(std::span<const std::byte> cubin, std::string_view entry) {
    const auto head = at<Elf64_Ehdr>(cubin, 0);
    if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
        return Error{say::NoElf};
    const auto names = at<Elf64_Shdr>(cubin, head->e_shoff + std::uint64_t(head->e_shstrndx) * sizeof(Elf64_Shdr));
    const std::string wanted = fmt::format(".text.{}", entry);
    for (std::uint32_t i = 0; names && i < head->e_shnum; ++i) {
        const auto section = at<Elf64_Shdr>(cubin, head->e_shoff + std::uint64_t(i) * sizeof(Elf64_Shdr));
        if (!section)
            break;
        if (nameAt(cubin, *names, section->sh_name) != wanted)
            continue;
        if (section->sh_offset > cubin.size() || section->sh_size > cubin.size() - section->sh_offset)
            break;
        return counted(cubin.subspan(section->sh_offset, section->sh_size));
    }
    return Error{say::CodeNoKernel(entry)};
}

} // namespace warpglass::cuda
