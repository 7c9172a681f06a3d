// SPDX-License-Identifier: GPL-3.0-or-later
// The types and state spaces of PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpglass::ptx {

// In the order of the first words of modifiers.inl: a modifier that names a type has the same number.
enum class Type : std::uint8_t {
    None,
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    BF16,
    BF16x2,
    F32,
    F64,
    Pred,
    // Of packed and of matrix instructions; no register is declared with one.
    F32x2,
    U16x2,
    S16x2,
    U8x4,
    S8x4,
    TF32,
    E4M3,
    E5M2,
    E2M1,
    E2M3,
    E3M2,
    E4M3x2,
    E5M2x2,
    E2M1x2,
    E2M3x2,
    E3M2x2,
    UE8M0,
    UE4M3,
    UE8M0x2,
    E4M3x4,
    E5M2x4,
    E2M1x4,
    E2M3x4,
    E3M2x4,
    U4,
    S4,
    U2,
    S2,
    B1,
};
int bytesOf(Type type);                               // 0 for None, Pred and what is smaller than a byte
const char* name(Type type);                          // "s32"
std::optional<Type> parseType(std::string_view text); // "s32" without the dot

bool isFloat(Type type);  // f32, f64
bool isHalf(Type type);   // f16, bf16 and their pairs
bool isSigned(Type type); // s8 to s64

enum class StateSpace : std::uint8_t { Generic, Reg, Global, Shared, Local, Const, Param };

} // namespace warpglass::ptx
