// SPDX-License-Identifier: GPL-3.0-or-later
// Sections, symbols and relocations of an ELF file of 64 bits, as the toolkit's compilers write machine code into one.
// The bytes are a stranger's: nothing is read outside of them, and nothing in them is taken for a size to reserve.
#pragma once

#include "gpu/base/result.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpglass::machine {

using Bytes = std::span<const std::byte>;

// A value of bytes, least significant first, from offset at; nullopt if it does not lie inside.
template <class T>
std::optional<T> valueAt(Bytes bytes, std::uint64_t at) {
    if (at > bytes.size() || bytes.size() - at < sizeof(T))
        return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}
// The text from offset at to the next zero; empty if there is none.
std::string_view textAt(Bytes bytes, std::uint64_t at);

struct Section {
    std::string_view name;
    std::uint32_t type = 0, link = 0, info = 0; // as ELF has them
    Bytes bytes;                                // empty where the file has none of them
    std::uint64_t size = 0;                     // in memory
};
struct Symbol {
    std::string_view name;
    std::uint8_t type = 0; // 2: a function
    bool entry = false;    // a kernel: what the host may launch
    std::uint16_t section = 0;
    std::uint64_t value = 0; // its place in it
};
struct Relocation {
    std::uint64_t at = 0; // in the section it is of
    std::uint32_t symbol = 0;
    std::int64_t addend = 0;
};

struct Elf {
    std::uint32_t flags = 0;
    std::uint8_t abiVersion = 0;
    std::vector<Section> sections; // by their numbers
    std::vector<Symbol> symbols;
    std::unordered_map<std::string_view, std::uint32_t> byName; // sections: the first of each name

    const Section* find(std::string_view name) const;
    // Of the section of this name, from .rel or .rela, in the order of their places.
    std::vector<Relocation> relocationsOf(std::string_view section) const;
};

enum class Machine : std::uint16_t { X86 = 62, Arm = 183, Cuda = 190 };
bool isElfOf(Machine machine, Bytes bytes);

// Length in bytes of an image that is in memory whole, as a driver is given one: up to the end of what its tables name. 0 if
// it is none of 64 bits.
std::size_t lengthOfElf(const void* image);
// Views into bytes, which must outlive it. Error: it is none of 64 bits, or cut short.
Result<Elf> readElf(Bytes bytes);

} // namespace warpglass::machine
