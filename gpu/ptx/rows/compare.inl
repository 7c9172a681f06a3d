// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the instruction table: Comparison, choice, moves and conversions. instruction_set.h says how to read them.
// clang-format off
{Opcode::Setp, "setp", Family::Compare, "Dtt?p", 0, {
    "b16 b32 b64 : eq ne and or xor",
    "@int : eq ne lt le gt ge lo ls hi hs and or xor",
    "f32 : @unordered and or xor ftz",
    "f64 : @unordered and or xor",
    "f16 f16x2 : @unordered and or xor ftz",
    "bf16 bf16x2 : @unordered and or xor"}},
{Opcode::Set, "set", Family::Compare, "dtt?p", 0, {
    "u32 s32 f32 f16 bf16 < b16 b32 b64 : eq ne and or xor",
    "u32 s32 f32 f16 bf16 < @int : eq ne lt le gt ge lo ls hi hs and or xor",
    "u32 s32 f32 f16 bf16 < f32 : @unordered and or xor ftz",
    "u32 s32 f32 f16 bf16 < f64 : @unordered and or xor",
    "u16 s16 u32 s32 f16 bf16 < f16 : @unordered and or xor ftz",
    "u16 s16 u32 s32 f16 bf16 < bf16 : @unordered and or xor",
    "f16x2 u32 s32 < f16x2 : @unordered and or xor ftz",
    "bf16x2 u32 s32 < bf16x2 : @unordered and or xor"}},
{Opcode::Selp, "selp", Family::Select, "dttp", 0, {"b16 b32 b64 @int f32 f64"}},
{Opcode::Slct, "slct", Family::Arithmetic, "dsst", 0, {
    "b16 b32 b64 @int f32 f64 < s32 f32", "b32 b64 u32 u64 s32 s64 f32 f64 < f32 : ftz"}},
{Opcode::Testp, "testp", Family::Predicate, "qt", 0, {
    "f32 f64 : finite infinite number notanumber normal subnormal"}},

{Opcode::Mov, "mov", Family::Move, "dt", 0, {
    "pred b16 b32 b64 b128 @int f32 f64 f16 f16x2 bf16 bf16x2", "b16 b32 b64 @int f32 f64 : v2 v4 v8"}},
{Opcode::Cvt, "cvt", Family::Convert, "dt?*", 0, {
    "@any < @any : sat",
    "@any < f16 bf16 f32 f64 : @integral ftz sat",
    "f16 f32 f64 < @any : @round ftz sat",
    "bf16 < @any : @round",
    "f32 f64 f16 < f16 f32 f64 : @integral ftz sat",
    "f32 f64 f16 < f16 bf16 f32 f64 : @round ftz sat",
    "bf16 < bf16 : @integral",
    "f16 bf16 < f32 : rn rz relu satfinite",
    "bf16 < f16 f32 f64 : @round ftz",
    "f16x2 bf16x2 < f32 : rn rz rs relu satfinite",
    "tf32 < f32 : rna satfinite",
    "tf32 < f32 : rn rz relu satfinite",
    "e4m3x2 e5m2x2 e2m1x2 e2m3x2 e3m2x2 < f32 f16x2 bf16x2 : rn relu satfinite",
    "e4m3x4 e5m2x4 e2m1x4 e2m3x4 e3m2x4 < f32 : rs relu satfinite",
    "f16x2 < e4m3x2 e5m2x2 e2m1x2 e2m3x2 e3m2x2 : rn relu",
    "ue8m0x2 < f32 bf16x2 : rz rp satfinite",
    "- ue8m0x2 < bf16x2 : rz rp relu satfinite",
    "bf16x2 < ue8m0x2 : rn",
    "u16 s16 < s32 : pack sat",
    "u8 s8 u4 s4 u2 s2 < s32 < b32 : pack sat"}},
{Opcode::Cvta, "cvta", Family::Address, "dt", 0, {
    "u64 : to global shared shared::cta shared::cluster local const param param::entry",
    "- u32 : to global shared shared::cta shared::cluster local const param param::entry"}},
{Opcode::Isspacep, "isspacep", Family::Address, "qt", 0, {
    ": global shared shared::cta shared::cluster local const param param::entry"}},
// clang-format on
