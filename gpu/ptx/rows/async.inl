// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the instruction table: Clusters and asynchronous work. instruction_set.h says how to read them.
// clang-format off
{Opcode::Mapa, "mapa", Family::Cluster, "dtu", 0, {"u32 u64 : shared::cluster"}},
{Opcode::Getctarank, "getctarank", Family::Cluster, "dt", 0, {"u32 u64 : shared::cluster"}},
{Opcode::Mbarrier, "mbarrier", Family::Async, "*", 0, {
    "b64 : init! shared shared::cta", "b64 : inval! shared shared::cta", "b64 : pending_count!",
    "b64 : arrive|arrive_drop expect_tx shared shared::cta shared::cluster",
    "b64 : arrive|arrive_drop expect_tx release|relaxed cta|cluster shared shared::cta shared::cluster",
    "b64 : arrive|arrive_drop noComplete! shared shared::cta",
    "b64 : arrive|arrive_drop noComplete! release! cta! shared shared::cta",
    "b64 : expect_tx|complete_tx shared shared::cta shared::cluster",
    "b64 : expect_tx|complete_tx relaxed! cta|cluster shared shared::cta shared::cluster",
    "b64 : test_wait|try_wait parity shared shared::cta",
    "b64 : test_wait|try_wait parity acquire|relaxed cta|cluster shared shared::cta"}},
{Opcode::Cp, "cp", Family::Async, "*", 0, {
    ": async ca shared shared::cta global L2::cache_hint L2::64B L2::128B L2::256B",
    ": async cg shared shared::cta global L2::cache_hint L2::64B L2::128B L2::256B",
    ": async commit_group", ": async wait_group", ": async wait_all",
    "b64 : async mbarrier arrive noinc shared shared::cta",
    ": async bulk shared::cluster shared::cta global mbarrier::complete_tx::bytes multicast::cluster L2::cache_hint",
    ": async bulk global shared::cta bulk_group L2::cache_hint cp_mask",
    ": async bulk commit_group", ": async bulk wait_group read", ": async bulk prefetch L2 global L2::cache_hint",
    "u32 s32 u64 : reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes add",
    "u32 s32 : reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes min max inc dec",
    "b32 : reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes and or xor",
    "u32 s32 u64 s64 f16 bf16 f32 f64 : reduce async bulk global shared::cta bulk_group L2::cache_hint add noftz",
    "u32 s32 u64 s64 f16 bf16 : reduce async bulk global shared::cta bulk_group L2::cache_hint min max",
    "u32 u64 : reduce async bulk global shared::cta bulk_group L2::cache_hint inc dec",
    "b32 b64 : reduce async bulk global shared::cta bulk_group L2::cache_hint and or xor",
    ": async bulk tensor 1d 2d 3d 4d 5d shared::cluster shared::cta global tile mbarrier::complete_tx::bytes "
    "multicast::cluster L2::cache_hint @group",
    ": async bulk tensor 3d 4d 5d shared::cluster shared::cta global im2col mbarrier::complete_tx::bytes "
    "multicast::cluster L2::cache_hint @group",
    ": async bulk tensor 3d 4d 5d global shared::cta im2col_no_offs bulk_group L2::cache_hint",
    ": async bulk prefetch tensor 3d 4d 5d L2 global im2col L2::cache_hint",
    ": async bulk tensor 1d 2d 3d 4d 5d global shared::cta tile bulk_group L2::cache_hint",
    ": async bulk prefetch tensor 1d 2d 3d 4d 5d L2 global tile L2::cache_hint",
    ": reduce async bulk tensor 1d 2d 3d 4d 5d global shared::cta tile bulk_group L2::cache_hint add min max inc dec "
    "and or xor",
    ": reduce async bulk tensor 3d 4d 5d global shared::cta im2col_no_offs bulk_group L2::cache_hint add min max inc dec "
    "and or xor",
    ": async bulk tensor 2d shared::cluster shared::cta global tile::gather4 mbarrier::complete_tx::bytes "
    "multicast::cluster L2::cache_hint @group",
    ": async bulk tensor 2d global shared::cta tile::scatter4 bulk_group L2::cache_hint",
    ": async bulk prefetch tensor 2d L2 global tile::gather4 L2::cache_hint",
    ": async bulk tensor 3d 4d 5d shared::cluster shared::cta global im2col::w mbarrier::complete_tx::bytes "
    "multicast::cluster L2::cache_hint @group",
    ": async bulk tensor 3d 4d 5d shared::cluster shared::cta global im2col::w::128 mbarrier::complete_tx::bytes "
    "multicast::cluster L2::cache_hint @group",
    ": async bulk prefetch tensor 3d 4d 5d L2 global im2col::w im2col::w::128 L2::cache_hint",
    "- : async bulk prefetch cta_group::1 cta_group::2 tensor 1d 2d 3d 4d 5d shared::cluster shared::cta global L2 tile tile::gather4 "
    "tile::scatter4 im2col im2col::w im2col::w::128 im2col_no_offs mbarrier::complete_tx::bytes multicast::cluster "
    "bulk_group L2::cache_hint ignore_oob"}},
{Opcode::Createpolicy, "createpolicy", Family::Async, "d?*", 0, {
    "b64 : fractional L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged",
    "b64 : range global L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged", "b64 : cvt L2"}},
{Opcode::Tensormap, "tensormap", Family::Async, "*", 0, {
    "b32 : b1024 replace tile global shared::cta rank box_dim global_dim element_stride elemtype interleave_layout "
    "swizzle_mode fill_mode swizzle_atomicity",
    "b64 : b1024 replace tile global shared::cta global_address global_stride",
    ": cp_fenceproxy global shared::cta tensormap::generic release acquire cta cluster gpu sys sync aligned"}},
// A multicast address of a team of one device, the only team that there is here, acts on that device's memory.
{Opcode::Multimem, "multimem", Family::Async, "*", 0, {
    "u32 s32 u64 : ld_reduce! weak global min|max|add",
    "u32 s32 u64 : ld_reduce! relaxed|acquire cta|cluster|gpu|sys global min|max|add",
    "s64 : ld_reduce! weak global min|max",
    "s64 : ld_reduce! relaxed|acquire cta|cluster|gpu|sys global min|max",
    "b32 b64 : ld_reduce! weak global and|or|xor",
    "b32 b64 : ld_reduce! relaxed|acquire cta|cluster|gpu|sys global and|or|xor",
    "f32 : ld_reduce! weak global add! v2 v4",
    "f32 : ld_reduce! relaxed|acquire cta|cluster|gpu|sys global add! v2 v4",
    "f64 : ld_reduce! weak global add!",
    "f64 : ld_reduce! relaxed|acquire cta|cluster|gpu|sys global add!",
    "f16x2 bf16x2 : ld_reduce! weak global min|max|add acc::f32 v2 v4",
    "f16x2 bf16x2 : ld_reduce! relaxed|acquire cta|cluster|gpu|sys global min|max|add acc::f32 v2 v4",
    "f16 bf16 : ld_reduce! weak global min|max|add acc::f32 v2|v4|v8",
    "f16 bf16 : ld_reduce! relaxed|acquire cta|cluster|gpu|sys global min|max|add acc::f32 v2|v4|v8",
    "e5m2 e5m2x2 e5m2x4 e4m3 e4m3x2 e4m3x4 : ld_reduce! weak global min|max|add acc::f16 v2 v4 v8",
    "e5m2 e5m2x2 e5m2x4 e4m3 e4m3x2 e4m3x4 : ld_reduce! relaxed|acquire cta|cluster|gpu|sys global min|max|add acc::f16 v2 v4 v8",
    "b32 b64 u32 s32 u64 s64 f64 : st! weak global",
    "b32 b64 u32 s32 u64 s64 f64 : st! relaxed|release cta|cluster|gpu|sys global",
    "f32 f16 f16x2 bf16 bf16x2 e5m2 e5m2x2 e5m2x4 e4m3 e4m3x2 e4m3x4 : st! weak global v2 v4 v8",
    "f32 f16 f16x2 bf16 bf16x2 e5m2 e5m2x2 e5m2x4 e4m3 e4m3x2 e4m3x4 : st! relaxed|release cta|cluster|gpu|sys global v2 v4 v8",
    "u32 s32 u64 : red! global min|max|add",
    "u32 s32 u64 : red! relaxed|release cta|cluster|gpu|sys global min|max|add",
    "s64 : red! global min|max",
    "s64 : red! relaxed|release cta|cluster|gpu|sys global min|max",
    "b32 b64 : red! global and|or|xor",
    "b32 b64 : red! relaxed|release cta|cluster|gpu|sys global and|or|xor",
    "f32 : red! global add! v2 v4",
    "f32 : red! relaxed|release cta|cluster|gpu|sys global add! v2 v4",
    "f64 : red! global add!",
    "f64 : red! relaxed|release cta|cluster|gpu|sys global add!",
    "f16x2 bf16x2 : red! global add! v2 v4",
    "f16x2 bf16x2 : red! relaxed|release cta|cluster|gpu|sys global add! v2 v4",
    "f16x2 bf16x2 : red! global min|max v2|v4",
    "f16x2 bf16x2 : red! relaxed|release cta|cluster|gpu|sys global min|max v2|v4",
    "f16 bf16 : red! global min|max|add v2|v4|v8",
    "f16 bf16 : red! relaxed|release cta|cluster|gpu|sys global min|max|add v2|v4|v8"}},
{Opcode::Clusterlaunchcontrol, "clusterlaunchcontrol", Family::Async, "*", 0, {
    "b128 : try_cancel async shared::cta mbarrier::complete_tx::bytes multicast::cluster::all",
    "pred < b128 : query_cancel is_canceled",
    "b32 < b128 : query_cancel get_first_ctaid v4 get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z"}},
// clang-format on
