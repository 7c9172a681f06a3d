// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/machine/compact.h"

#include "gpu/base/messages/files.h"

#include <algorithm>

namespace warpglass::machine {

namespace {

// Of ELF's header and of a section's.
constexpr std::uint64_t elfHead = 64, sectionHead = 64, programHeadsAt = 32, sectionsAt = 40, programHeadCount = 56,
                        sectionCount = 60, sectionOffset = 24, sectionSize = 32;
constexpr std::uint32_t symbolsType = 2, stringsType = 3, withoutBytes = 8; // SHT_SYMTAB, SHT_STRTAB, SHT_NOBITS
constexpr std::size_t mostSections = 0xff00;                                // more of them ELF counts elsewhere

template <class T>
void put(std::vector<std::uint8_t>& bytes, std::uint64_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

bool isRead(std::string_view name) {
    static const std::set<std::string_view> read{".shstrtab",
                                                 ".strtab",
                                                 ".symtab",
                                                 ".debug_line",
                                                 ".rel.debug_line",
                                                 ".rela.debug_line",
                                                 ".nv.info",
                                                 ".nv_debug_line_sass",
                                                 ".note.nv.tkinfo",
                                                 ".rel.nv_debug_line_sass",
                                                 ".rela.nv_debug_line_sass"};
    return read.contains(name);
}

} // namespace

Result<std::vector<std::uint8_t>> compact(Bytes cubin, const std::set<std::string, std::less<>>& kernels) {
    const auto elf = readElf(cubin);
    if (!elf)
        return elf.error();
    std::set<std::string_view> gone; // functions
    if (!kernels.empty())
        for (const Symbol& s : elf->symbols)
            if (s.entry && !kernels.contains(s.name))
                gone.insert(s.name);
    if (elf->sections.size() > mostSections)
        return Error{.message = say::CodeUnreadable(say::UnknownContainer)};
    const auto kept = [&](std::string_view name) {
        for (const std::string_view prefix : {std::string_view(".text."), std::string_view(".nv.info.")})
            if (name.starts_with(prefix))
                return !gone.contains(name.substr(prefix.size()));
        return isRead(name);
    };
    const auto* begin = reinterpret_cast<const std::uint8_t*>(cubin.data());
    std::vector<std::uint8_t> out(begin, begin + std::min<std::uint64_t>(elfHead, cubin.size()));
    std::vector<std::uint8_t> heads;
    std::uint64_t taken = 0;
    const auto headsAt = valueAt<std::uint64_t>(cubin, sectionsAt);
    for (std::size_t n = 0; n < elf->sections.size(); ++n) {
        const Section& section = elf->sections[n];
        const std::uint64_t head = *headsAt + n * sectionHead; // which readElf has found inside
        heads.insert(heads.end(), begin + head, begin + head + sectionHead);
        const std::uint64_t own = heads.size() - sectionHead;
        out.resize((out.size() + 15) / 16 * 16);
        put(heads, own + sectionOffset, std::uint64_t(out.size()));
        if (section.type == withoutBytes)
            continue;
        const bool names = section.type == symbolsType || section.type == stringsType; // whatever they are called
        const Bytes bytes = names || kept(section.name) ? section.bytes : Bytes();
        put(heads, own + sectionSize, std::uint64_t(bytes.size()));
        if (bytes.size() > cubin.size() - std::min<std::uint64_t>(taken, cubin.size())) // sections over each other
            return Error{.message = say::CodeUnreadable(say::ImageOutside)};
        taken += bytes.size();
        const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
        out.insert(out.end(), first, first + bytes.size());
    }
    out.resize((out.size() + 15) / 16 * 16);
    put(out, sectionsAt, std::uint64_t(out.size()));
    put(out, programHeadsAt, std::uint64_t(0));
    put(out, programHeadCount, std::uint16_t(0));
    put(out, sectionCount, std::uint16_t(elf->sections.size()));
    out.insert(out.end(), heads.begin(), heads.end());
    return out;
}

} // namespace warpglass::machine
