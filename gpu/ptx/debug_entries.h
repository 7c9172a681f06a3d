// SPDX-License-Identifier: GPL-3.0-or-later
// The entries of .debug_info with their attributes: DWARF 2 to 4, 7.5. For debug_info.cpp, which knows what they mean.
#pragma once

#include "gpu/ptx/section_bytes.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass::ptx {

// Of DWARF's numbers those that are looked at (DWARF 4, 7.5 and 7.7.1).
namespace dwarf {
enum Tag : std::uint64_t {
    ArrayType = 0x01,
    ClassType = 0x02,
    EnumerationType = 0x04,
    FormalParameter = 0x05,
    Member = 0x0d,
    PointerType = 0x0f,
    ReferenceType = 0x10,
    StructureType = 0x13,
    TypedefType = 0x16,
    UnionType = 0x17,
    Subrange = 0x21,
    BaseType = 0x24,
    ConstType = 0x26,
    Variable = 0x34,
    VolatileType = 0x35,
    RestrictType = 0x37,
    RvalueReferenceType = 0x42
};
enum Attribute : std::uint64_t {
    Location = 0x02,
    Name = 0x03,
    ByteSize = 0x0b,
    LowPc = 0x11,
    HighPc = 0x12,
    ConstValue = 0x1c,
    UpperBound = 0x2f,
    AbstractOrigin = 0x31,
    Count = 0x37,
    MemberLocation = 0x38,
    DeclaredFile = 0x3a,
    DeclaredLine = 0x3b,
    Encoding = 0x3e,
    Type = 0x49
};
enum Operation : std::uint8_t { Address = 0x03, PlusConstant = 0x23, RegisterX = 0x90 };
} // namespace dwarf

struct DebugValue {
    bool there = false;
    std::uint64_t number = 0;
    std::uint64_t at = 0, length = 0; // of a block of bytes, in .debug_info
    std::string_view text;
    std::string_view symbol;
    bool isBlock = false, isText = false;
};

struct DebugEntry {
    static constexpr std::uint32_t none = 0xffffffffu;
    std::uint64_t tag = 0;
    std::uint64_t unit = 0;      // where its unit begins
    std::uint32_t parent = none; // children follow their parent
    std::map<std::uint64_t, DebugValue> values;

    const DebugValue& of(std::uint64_t attribute) const; // not `there` if it has none
};

struct DebugEntries {
    std::vector<DebugEntry> all;
    std::map<std::uint64_t, std::uint32_t> at; // [place in .debug_info]

    // What a reference in an entry means; none: nothing.
    std::uint32_t referred(const DebugEntry& from, const DebugValue& reference) const;
    // The entry's own, or that of what it is a copy of; owner: whose.
    const DebugValue& valueOf(std::uint32_t entry, std::uint64_t attribute, std::uint32_t* owner = nullptr) const;
    bool isBelow(std::uint32_t entry, std::uint32_t above) const;
};

// As far as they can be read. Texts and symbols are those of the sections, which must outlive them.
DebugEntries debugEntries(const std::map<std::string, SectionBytes, std::less<>>& sections);

} // namespace warpglass::ptx
