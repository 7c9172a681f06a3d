// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/machine/elf.h"

#include "gpu/base/messages/files.h"

#include <algorithm>

namespace warpglass::machine {

namespace {

// The layout is that of the System V ABI's chapter "Object Files", for 64 bits.
constexpr std::size_t headBytes = 64, sectionBytes = 64, symbolBytes = 24;
constexpr std::string_view magic = "\x7f"
                                   "ELF\x02\x01";
constexpr std::uint32_t noBits = 8, symbolTable = 2, rel = 9, rela = 4;
constexpr std::uint8_t entryFlag = 0x10; // of a symbol's other byte

Error unreadable(MessageForm<0> why) {
    return Error{.message = say::CodeUnreadable(why)};
}

Bytes part(Bytes bytes, std::uint64_t at, std::uint64_t size) {
    if (at > bytes.size() || size > bytes.size() - at)
        return {};
    return bytes.subspan(at, size);
}

} // namespace

std::string_view textAt(Bytes bytes, std::uint64_t at) {
    if (at >= bytes.size())
        return {};
    const auto* begin = reinterpret_cast<const char*>(bytes.data()) + at;
    const void* end = std::memchr(begin, 0, bytes.size() - at);
    return end ? std::string_view(begin, std::size_t(static_cast<const char*>(end) - begin)) : std::string_view();
}

const Section* Elf::find(std::string_view name) const {
    const auto found = byName.find(name);
    return found == byName.end() ? nullptr : &sections[found->second];
}

std::vector<Relocation> Elf::relocationsOf(std::string_view section) const {
    std::vector<Relocation> found;
    for (const Section& s : sections) {
        if (s.type != rel && s.type != rela)
            continue;
        const std::string_view prefix = s.type == rela ? ".rela" : ".rel";
        if (!s.name.starts_with(prefix) || s.name.substr(prefix.size()) != section)
            continue;
        const std::size_t step = s.type == rela ? 24 : 16;
        for (std::size_t at = 0; at + step <= s.bytes.size(); at += step) {
            Relocation r{.at = *valueAt<std::uint64_t>(s.bytes, at),
                         .symbol = std::uint32_t(*valueAt<std::uint64_t>(s.bytes, at + 8) >> 32U)};
            if (s.type == rela)
                r.addend = *valueAt<std::int64_t>(s.bytes, at + 16);
            found.push_back(r);
        }
    }
    std::ranges::sort(found, {}, &Relocation::at);
    return found;
}

bool isElfOf(Machine machine, Bytes bytes) {
    return bytes.size() >= headBytes && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0 &&
           *valueAt<std::uint16_t>(bytes, 18) == std::uint16_t(machine);
}

std::size_t lengthOfElf(const void* image) {
    const auto* first = static_cast<const std::byte*>(image);
    const Bytes head(first, headBytes);
    if (std::memcmp(first, magic.data(), magic.size()) != 0)
        return 0;
    const auto half = [](Bytes bytes, std::uint64_t at) { return std::uint64_t(*valueAt<std::uint16_t>(bytes, at)); };
    const auto word = [](Bytes bytes, std::uint64_t at) { return *valueAt<std::uint64_t>(bytes, at); };
    const std::uint64_t segments = word(head, 32), table = word(head, 40);
    std::uint64_t end = std::max<std::uint64_t>(headBytes, segments + half(head, 54) * half(head, 56));
    if (table == 0 || half(head, 58) != sectionBytes)
        return end;
    end = std::max(end, table + half(head, 60) * sectionBytes);
    for (std::uint64_t i = 0; i < half(head, 60); ++i) {
        const Bytes section(first + table + i * sectionBytes, sectionBytes);
        if (*valueAt<std::uint32_t>(section, 4) != noBits)
            end = std::max(end, word(section, 24) + word(section, 32));
    }
    return end;
}

Result<Elf> readElf(Bytes bytes) {
    if (bytes.size() < headBytes)
        return unreadable(say::CutShort);
    if (std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
        return unreadable(say::UnknownContainer);
    Elf elf;
    elf.abiVersion = *valueAt<std::uint8_t>(bytes, 8);
    elf.flags = *valueAt<std::uint32_t>(bytes, 48);
    const std::uint64_t table = *valueAt<std::uint64_t>(bytes, 40);
    const std::uint16_t size = *valueAt<std::uint16_t>(bytes, 58), names = *valueAt<std::uint16_t>(bytes, 62);
    std::uint64_t count = *valueAt<std::uint16_t>(bytes, 60);
    if (size != sectionBytes || table > bytes.size())
        return unreadable(say::ImageOutside);
    if (count == 0) // more than 65,279: the first section has their number
        count = valueAt<std::uint64_t>(bytes, table + 32).value_or(0);
    if (count > (bytes.size() - table) / sectionBytes)
        return unreadable(say::CutShort);
    std::vector<std::uint32_t> nameAt;
    for (std::uint64_t i = 0; i < count; ++i) {
        const Bytes head = bytes.subspan(table + i * sectionBytes, sectionBytes);
        Section s{.type = *valueAt<std::uint32_t>(head, 4),
                  .link = *valueAt<std::uint32_t>(head, 40),
                  .info = *valueAt<std::uint32_t>(head, 44),
                  .size = *valueAt<std::uint64_t>(head, 32)};
        if (s.type != noBits) {
            s.bytes = part(bytes, *valueAt<std::uint64_t>(head, 24), s.size);
            if (s.bytes.size() != s.size)
                return unreadable(say::ImageOutside);
        }
        nameAt.push_back(*valueAt<std::uint32_t>(head, 0));
        elf.sections.push_back(s);
    }
    if (names < elf.sections.size()) {
        for (std::size_t i = 0; i < elf.sections.size(); ++i)
            elf.byName.emplace(elf.sections[i].name = textAt(elf.sections[names].bytes, nameAt[i]), std::uint32_t(i));
    }
    for (const Section& s : elf.sections) {
        if (s.type != symbolTable || s.link >= elf.sections.size())
            continue;
        for (std::size_t at = 0; at + symbolBytes <= s.bytes.size(); at += symbolBytes) {
            const Bytes symbol = s.bytes.subspan(at, symbolBytes);
            elf.symbols.push_back({.name = textAt(elf.sections[s.link].bytes, *valueAt<std::uint32_t>(symbol, 0)),
                                   .type = std::uint8_t(*valueAt<std::uint8_t>(symbol, 4) & 0xfU),
                                   .entry = (*valueAt<std::uint8_t>(symbol, 5) & entryFlag) != 0,
                                   .section = *valueAt<std::uint16_t>(symbol, 6),
                                   .value = *valueAt<std::uint64_t>(symbol, 8)});
        }
        break; // there is one
    }
    return elf;
}

} // namespace warpglass::machine
