// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the instruction table: Clusters and asynchronous work. instruction_set.h says how to read them.
// clang-format off
{Opcode::Mapa, "mapa", Family::Cluster, "dtu", 0, {}},
{Opcode::Getctarank, "getctarank", Family::Cluster, "dt", 0, {}},
{Opcode::Mbarrier, "mbarrier", Family::Async, "*", 0, {}},
{Opcode::Cp, "cp", Family::Async, "*", 0, {}},
{Opcode::Createpolicy, "createpolicy", Family::Async, "*", 0, {}},
{Opcode::Tensormap, "tensormap", Family::Async, "*", 0, {}},
{Opcode::Multimem, "multimem", Family::Async, "*", 0, {}},
{Opcode::Clusterlaunchcontrol, "clusterlaunchcontrol", Family::Cluster, "*", 0, {}},
// clang-format on
