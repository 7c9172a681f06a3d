// SPDX-License-Identifier: GPL-3.0-or-later
// Variables of the source, as the debug information in a module's text tells of them (nvcc -G; -lineinfo tells none): DWARF 2
// and what later versions have of the same kind, read from .debug_info, .debug_abbrev and .debug_loc. Registers are named
// there by their letters (DW_OP_regx), memory by symbols. The text is a stranger's: what cannot be understood is left out.
#pragma once

#include "gpu/ptx/module.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass::ptx {

struct DebugInfo {
    static constexpr std::uint32_t none = 0xffffffffu;

    struct Member {
        std::string name;
        std::uint32_t type = none;
        std::uint64_t offset = 0; // bytes
    };
    struct Type {
        enum class Kind : std::uint8_t { Other, Float, Signed, Unsigned, Bool, Pointer, Array, Struct };
        Kind kind = Kind::Other;
        std::uint64_t bytes = 0;
        std::uint32_t of = none; // of an array's elements, of what a pointer or reference means: types
        std::uint64_t count = 0; // of them
        std::vector<Member> members;

        bool isScalar() const { return kind != Kind::Array && kind != Kind::Struct; }
    };
    // Where a variable is while the instructions [begin, end) of its function are next.
    struct Place {
        enum class Kind : std::uint8_t { Register, Memory, Constant };
        Kind kind = Kind::Register;
        std::uint32_t begin = 0, end = 0;
        std::string name;         // of the register, or of the variable in memory
        std::uint64_t offset = 0; // in that; of a constant its bits
        bool always = false;      // for as long as it is in scope: also before it has its first value
    };
    struct Variable {
        std::string name;
        std::uint32_t function = 0;       // Module::functions
        std::uint32_t begin = 0, end = 0; // instructions at which it is in scope
        int file = 0, line = 0;           // where it is declared; Module::files
        std::uint32_t type = none;
        bool isParameter = false;
        std::vector<Place> places; // none: the compiler keeps it nowhere
    };
    std::vector<Type> types;
    std::vector<Variable> variables;

    bool knows(std::string_view name) const;
};

DebugInfo debugInfo(const Module& module);

// Part of a variable: its bytes, and what they are.
struct DebugPart {
    std::uint64_t offset = 0;
    std::uint32_t type = DebugInfo::none;
};
// "[3]", ".x", ".a[3].b" of a type; "" is all of it. Nothing: it has no such part.
std::optional<DebugPart> partOf(const DebugInfo& info, std::uint32_t type, std::string_view path);
// The element or member that lies at that byte: ".a[3]" with it; its offset is where it begins. Nothing: none does. bytes: a
// struct or array of so many is not looked into; 0: each is.
struct DebugPath {
    std::string path;
    DebugPart part;
};
std::optional<DebugPath> pathAt(const DebugInfo& info, std::uint32_t type, std::uint64_t offset,
                                std::uint64_t bytes = 0);

} // namespace warpglass::ptx
