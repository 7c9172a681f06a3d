// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"
#include "gpu/launch/plan.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

// A kernel parameter in words, as a person types it: NAME:TYPE[COUNT]=INITIAL for a buffer, NAME:TYPE=VALUE for a
// value, NAME:{FIELD:TYPE=VALUE,...} for a struct passed by value (elements of an array field are parted by ;). TYPE is
// i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 or ptr, whose values are names of the launch's buffers, NAME+BYTES,
// names of its textures and surfaces, or 0.
// NAME:tensormap={base=BUFFER,type=f32,dims=64;32,box=16;16,...} is a CUtensorMap passed by value (tensor_map.h).
// INITIAL of a buffer is
//   5              every element 5
//   1,2,3          the first elements; the rest are zero
//   iota           0, 1, 2, ... (wrapping in the type)
//   random(A,B,seed=S)
//                  integers from A to B inclusive, floats from A up to B; seed 1 if left out. Element n is A plus the
//                  n-th draw of a 32-bit Mersenne twister (std::mt19937) modulo B - A + 1, or scaled by 2^-32 for
//                  floats; a range of more than 32 bits takes two draws an element, low word first
//   file:PATH      the file's bytes, little-endian; it must hold at least COUNT elements
//   hex:00803f...  these bytes, two digits each; the rest are zero
// and a buffer without INITIAL is undefined before the launch: reading it first is reported.
// Numbers may be decimal or 0x hexadecimal. The error quotes the spec and says what was expected at the place that is
// wrong.
Result<Argument> parseArgument(std::string_view spec);
Result<std::vector<Argument>> parseArguments(std::span<const std::string> specs); // refuses a name used twice

// What INITIAL writes, if no file is needed for it: who hands a launch on to another process hands on the words.
struct FillOfWords {
    std::string initial;
    ElementType type = ElementType::U8;
    std::uint64_t count = 0;
    std::function<void(std::span<std::byte>)> fill;
    void operator()(std::span<std::byte> to) const { fill(to); }
};

// What INITIAL of a buffer of count elements writes; a FillOfWords but for file:PATH.
Result<std::function<void(std::span<std::byte>)>> parseInitial(std::string_view spec, std::string_view initial,
                                                               ElementType type, std::uint64_t count);

// Error: an address of a buffer, texture or surface that the plan does not have.
Result<void> checkPointers(const LaunchPlan& plan);

// ARG=FILE of --dump.
struct DumpRequest {
    std::string argument;
    std::filesystem::path file;
};
Result<DumpRequest> parseDump(std::string_view spec);

// Writes the buffer that argument names, raw, little-endian. The buffers are in the order of the arguments.
Result<void> dump(const DumpRequest& request, std::span<const Argument> arguments, const Buffers& buffers);

} // namespace warpglass
