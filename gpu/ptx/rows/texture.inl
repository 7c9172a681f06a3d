// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the instruction table: Textures and surfaces. instruction_set.h says how to read them.
// clang-format off
{Opcode::Tex, "tex", Family::Texture, "*", 0, {
    "u32 s32 f16 f32 < s32 f32 : 1d 2d 3d a1d a2d v4 base level grad",
    "u32 s32 f16 f32 < f32 : cube acube v4 base level grad",
    "f16x2 < s32 f32 : 1d 2d 3d a1d a2d v2 base level grad",
    "f16x2 < f32 : cube acube v2 base level grad",
    "- u32 s32 f16 f32 f16x2 < s32 : 2dms a2dms v2 v4"}},
{Opcode::Tld4, "tld4", Family::Texture, "*", 0, {
    "u32 s32 f32 < f32 : r g b a 2d a2d cube acube v4"}},
{Opcode::Txq, "txq", Family::Texture, "*", 0, {
    "b32 : width height depth array_size channel_data_type channel_order normalized_coords num_mipmap_levels level",
    "b32 : filter_mode addr_mode_0 addr_mode_1 addr_mode_2 force_unnormalized_coords",
    "- b32 : num_samples"}},
{Opcode::Istypep, "istypep", Family::Texture, "*", 0, {": texref samplerref surfref"}},
{Opcode::Suld, "suld", Family::Surface, "*", 0, {
    "b8 b16 b32 b64 : b 1d 2d 3d a1d a2d v2 v4 ca cg cs cv trap|clamp|zero"}},
{Opcode::Sust, "sust", Family::Surface, "*", 0, {
    "b8 b16 b32 b64 : b 1d 2d 3d a1d a2d v2 v4 wb cg cs wt trap|clamp|zero",
    "b32 : p 1d 2d 3d a1d a2d v2 v4 wb cg cs wt trap|clamp|zero"}},
{Opcode::Sured, "sured", Family::Surface, "*", 0, {
    "u32 s32 u64 : b add min max 1d 2d 3d trap|clamp|zero",
    "s64 : b min max 1d 2d 3d trap|clamp|zero",
    "b32 : b and or 1d 2d 3d trap|clamp|zero",
    "b32 b64 : p add min max and or 1d 2d 3d trap|clamp|zero"}},
{Opcode::Suq, "suq", Family::Surface, "*", 0, {
    "b32 : width height depth array_size channel_data_type channel_order",
    "- b32 : memory_layout"}},
// clang-format on
