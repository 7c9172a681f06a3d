// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the instruction table: Matrices. instruction_set.h says how to read them.
// clang-format off
{Opcode::Ldmatrix, "ldmatrix", Family::Matrix, "*", 0, {}},
{Opcode::Stmatrix, "stmatrix", Family::Matrix, "*", 0, {}},
{Opcode::Movmatrix, "movmatrix", Family::Matrix, "*", 0, {}},
{Opcode::Mma, "mma", Family::Matrix, "*", 0, {}},
{Opcode::Wmma, "wmma", Family::Matrix, "*", 0, {}},
{Opcode::Wgmma, "wgmma", Family::Matrix, "*", 0, {}},
{Opcode::Tcgen05, "tcgen05", Family::Matrix, "*", 0, {}},
// clang-format on
