// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and types as a person types them in an argument, and arguments made of several of them (structs, addresses).
#pragma once

#include "gpu/launch/plan.h"

#include <optional>
#include <string_view>

namespace warpglass {

const ElementType* findType(std::string_view text); // "f32"; nullptr if it is none
std::string typeList();                             // "i8 u8 ... ptr"
bool isFloat(ElementType type);
double floatOf(std::uint64_t bits, ElementType type);    // of a type that isFloat()
std::uint64_t floatBits(double value, ElementType type); // the same back, rounded to nearest
bool isSigned(ElementType type);

// Decimal or 0x hexadecimal.
std::optional<std::uint64_t> parseUnsigned(std::string_view text);
// The element's bits in the low bytesOf(type) bytes; nothing if it is no number or does not fit the type.
std::optional<std::uint64_t> parseElement(std::string_view text, ElementType type);
Message rangeOf(ElementType type); // "a whole number from 0 to 255"

// The error that quotes an argument's text.
Error wrongArgument(std::string_view spec, Message what);

// NAME[+BYTES], or 0 for a null pointer, as many as there is room for; text parted by separator. The first stands at
// offset.
Result<void> parsePointers(std::string_view spec, std::string_view text, char separator, std::uint64_t offset,
                           std::uint64_t count, std::vector<BufferPointer>& pointers);

// {x:f32=1.5,n:i32=3,in:ptr=in,w:f32[4]=1;2;3;4}: a value of several fields, each aligned to its type as C++ lays out a
// struct; the whole is as long as its alignment asks for. Values that are left out are zero.
Result<Argument> parseStruct(std::string_view spec, std::string name, std::string_view text);

} // namespace warpglass
