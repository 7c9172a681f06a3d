// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the instruction table: Textures and surfaces. instruction_set.h says how to read them.
// clang-format off
{Opcode::Tex, "tex", Family::Texture, "*", 0, {}},
{Opcode::Tld4, "tld4", Family::Texture, "*", 0, {}},
{Opcode::Txq, "txq", Family::Texture, "*", 0, {}},
{Opcode::Istypep, "istypep", Family::Texture, "*", 0, {}},
{Opcode::Suld, "suld", Family::Surface, "*", 0, {}},
{Opcode::Sust, "sust", Family::Surface, "*", 0, {}},
{Opcode::Sured, "sured", Family::Surface, "*", 0, {}},
{Opcode::Suq, "suq", Family::Surface, "*", 0, {}},
// clang-format on
