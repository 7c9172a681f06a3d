// SPDX-License-Identifier: GPL-3.0-or-later
// What a struct is made of that a kernel takes by value or keeps in shared memory, told from the source without a compiler:
// plain members of numbers, pointers, arrays, CUDA's vector types and other such structs, laid out as C++ does on the device.
// What is more than that (bit fields, unions, bases, templates, virtual functions, sizes that are no product or sum of known
// numbers) is not told; and what the PTX then says about the size is held against it, so that a wrong guess is never used.
#pragma once

#include "gpu/launch/plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpglass::cuda_text {

// One number of a struct, or an array of them; what lies in inner structs is named with dots.
struct StructField {
    std::string name; // "x", "at.y"
    std::string type; // as in the source: "float", "const int*"
    ElementType element = ElementType::I32;
    std::uint64_t count = 1;                    // of an array
    std::uint64_t offset = 0;                   // bytes from the struct's beginning
    std::vector<std::uint64_t> dimensions = {}; // of an array of arrays, all of them
    // Of a pointer: what lies behind it, and how many of these are one thing: 4 of a float4. 0: not known.
    ElementType pointee = ElementType::I32;
    std::uint64_t pointeeElements = 0;
    bool pointsToConst = false;
    bool operator==(const StructField&) const = default;
};

struct StructLayout {
    std::vector<StructField> fields;
    std::uint64_t bytes = 0, alignment = 1;
    // The same type throughout, without gaps; then a buffer of such structs is one of these.
    std::optional<ElementType> uniform() const;
};

// By name, without namespaces. No fields: the name stands for two different structs, or for one that is not understood.
struct StructLayouts : std::map<std::string, StructLayout> {
    std::map<std::string, std::uint64_t> numbers; // constants that sizes are written with; 0: not one number
};
void addStructs(const std::string& text, StructLayouts& layouts);

// Variables of the device at file scope, as fields that all begin at 0: __device__, __constant__ and __managed__ ones
// of numbers and arrays of numbers.
std::vector<StructField> globalsIn(const std::string& text, const StructLayouts& layouts);

// What kernels of the text keep in shared or constant memory as a struct: a variable of that type, or a name for what lies at the beginning of
// bytes that are declared there ("Ring& ring = *reinterpret_cast<Ring*>(bytes);").
struct SharedStruct {
    std::string name, bytes; // as it is called; of the bytes' variable, empty for a variable of its own
    StructLayout layout;
};
std::vector<SharedStruct> sharedStructsIn(const std::string& text, const StructLayouts& layouts);
// The member that begins at that byte and has so many: "full[1]", "tile[2][0]". Nothing: there is none.
std::optional<std::string> memberAt(const StructLayout& layout, std::uint64_t offset, std::uint64_t bytes);

// A type as source or mangled name has it: "const Pair", "demo::Pair", "float3", "unsigned long". Nothing: not known.
std::optional<StructLayout> layoutOf(const std::string& type, const StructLayouts& layouts);

} // namespace warpglass::cuda_text
