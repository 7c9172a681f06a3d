// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the instruction table: Bits. instruction_set.h says how to read them.
// clang-format off
{Opcode::And, "and", Family::Arithmetic, "dtt", 0, {"pred b16 b32 b64"}},
{Opcode::Or, "or", Family::Arithmetic, "dtt", 0, {"pred b16 b32 b64"}},
{Opcode::Xor, "xor", Family::Arithmetic, "dtt", 0, {"pred b16 b32 b64"}},
{Opcode::Not, "not", Family::Arithmetic, "dt", 0, {"pred b16 b32 b64"}},
{Opcode::Cnot, "cnot", Family::Arithmetic, "dt", 0, {"b16 b32 b64"}},
{Opcode::Lop3, "lop3", Family::Arithmetic, "Dttti?p", 0, {"b32", "b32 : and or"}},
{Opcode::Shl, "shl", Family::Arithmetic, "dtu", 0, {"b16 b32 b64"}},
{Opcode::Shr, "shr", Family::Arithmetic, "dtu", 0, {"b16 b32 b64 @int"}},
{Opcode::Shf, "shf", Family::Arithmetic, "dttu", 0, {"b32 : l|r clamp|wrap"}},
{Opcode::Popc, "popc", Family::Arithmetic, "dt", 0, {"b32 b64"}},
{Opcode::Clz, "clz", Family::Arithmetic, "dt", 0, {"b32 b64"}},
{Opcode::Brev, "brev", Family::Arithmetic, "dt", 0, {"b32 b64"}},
{Opcode::Bfind, "bfind", Family::Arithmetic, "dt", 0, {"u32 u64 s32 s64 : shiftamt"}},
{Opcode::Fns, "fns", Family::Arithmetic, "duuu", 0, {"b32"}},
{Opcode::Bfe, "bfe", Family::Arithmetic, "dtuu", 0, {"u32 u64 s32 s64"}},
{Opcode::Bfi, "bfi", Family::Arithmetic, "dttuu", 0, {"b32 b64"}},
{Opcode::Szext, "szext", Family::Arithmetic, "dtu", 0, {"u32 s32 : wrap|clamp"}},
{Opcode::Bmsk, "bmsk", Family::Arithmetic, "duu", 0, {"b32 : wrap|clamp"}},
{Opcode::Prmt, "prmt", Family::Arithmetic, "dttu", 0, {"b32 : f4e b4e rc8 ecl ecr rc16"}},
// clang-format on
