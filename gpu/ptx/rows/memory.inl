// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the instruction table: Memory and fences. instruction_set.h says how to read them.
// clang-format off
{Opcode::Ld, "ld", Family::Load, "dm?*", 0, {
    "@plain : @space local const param param::entry param::func v2 v4 v8 ca cg cs lu cv nc weak @hint",
    "@plain : volatile! @space local const param v2 v4 v8 @hint",
    "@plain : relaxed|acquire cta|cluster|gpu|sys @space v2 v4 v8 @hint",
    "@plain : mmio! relaxed! sys! global v2 v4 v8",
    "b128 : @space local const param param::entry param::func ca cg cs lu cv nc weak @hint",
    "b128 : volatile! @space local const param @hint",
    "b128 : relaxed|acquire cta|cluster|gpu|sys @space @hint",
    "b128 : mmio! relaxed! sys! global"}},
{Opcode::Ldu, "ldu", Family::Load, "dm", 0, {"@plain : global v2 v4", "b128 : global"}},
{Opcode::St, "st", Family::Store, "mt?*", 0, {
    "@plain : @space local param param::func v2 v4 v8 wb cg cs wt weak @hint",
    "@plain : volatile! @space local param v2 v4 v8 @hint",
    "@plain : relaxed|release cta|cluster|gpu|sys @space v2 v4 v8 @hint",
    "@plain : mmio! relaxed! sys! global v2 v4 v8",
    "b32 b64 u32 u64 s32 s64 f32 f64 : async! weak shared shared::cta shared::cluster mbarrier::complete_tx::bytes! v2 v4",
    "b128 : @space local param param::func wb cg cs wt weak @hint",
    "b128 : volatile! @space local param @hint",
    "b128 : relaxed|release cta|cluster|gpu|sys @space @hint",
    "b128 : mmio! relaxed! sys! global",
    "@plain : async! mmio release! gpu|sys global",
    ": bulk! weak shared::cta",
    "- @plain b128 : @space v2 v4 v8 async bulk wb cg cs wt mbarrier::complete_tx::bytes release weak relaxed volatile mmio cta cluster gpu sys @hint"}},
{Opcode::Atom, "atom", Family::Atomic, "dmt?t*", 0, {
    "b32 b64 : and|or|xor|exch|cas @atomic",
    "u32 u64 s32 f32 f64 : add! @atomic",
    "u32 u64 s32 s64 : min|max @atomic",
    "u32 : inc|dec @atomic",
    "b16 : exch|cas @atomic",
    "f16 f16x2 bf16 bf16x2 : add! noftz! @atomic",
    "f16 bf16 : add|min|max noftz! v2|v4|v8 @atomic",
    "f16x2 bf16x2 : add|min|max noftz! v2|v4 @atomic",
    "f32 : add! v2|v4 @atomic",
    "b128 : exch|cas @atomic"}},
{Opcode::Red, "red", Family::Atomic, "mt?*", 0, {
    "b32 b64 : and|or|xor @reduction",
    "u32 u64 s32 f32 f64 : add! @reduction",
    "u32 u64 s32 s64 : min|max @reduction",
    "u32 : inc|dec @reduction",
    "f16 f16x2 bf16 bf16x2 : add! noftz! @reduction",
    "f16 bf16 : add|min|max noftz! v2|v4|v8 @reduction",
    "f16x2 bf16x2 : add|min|max noftz! v2|v4 @reduction",
    "f32 : add! v2|v4 @reduction",
    "u32 s32 u64 s64 : async relaxed cluster add shared::cluster mbarrier::complete_tx::bytes",
    "u32 s32 : async relaxed cluster min max inc dec shared::cluster mbarrier::complete_tx::bytes",
    "b32 : async relaxed cluster and or xor shared::cluster mbarrier::complete_tx::bytes",
    "u32 s32 u64 s64 : async! mmio release! gpu|sys global add!",
    "- b32 b64 u32 u64 s32 s64 f32 f64 : and or xor add min max inc dec shared::cluster "
    "async mbarrier::complete_tx::bytes relaxed release cta cluster gpu sys"}},
{Opcode::Prefetch, "prefetch", Family::Hint, "m", 0, {
    ": global local L1 L2 L2::evict_last L2::evict_normal", ": const param param::entry tensormap"}},
{Opcode::Prefetchu, "prefetchu", Family::Hint, "m", 0, {": L1"}},
{Opcode::Discard, "discard", Family::Hint, "mi", 0, {": global L2"}},
{Opcode::Applypriority, "applypriority", Family::Hint, "mi", 0, {": global L2::evict_normal"}},
{Opcode::Membar, "membar", Family::Fence, "", 0, {": cta|gl|sys", ": proxy! alias!"}},
{Opcode::Fence, "fence", Family::Fence, "?*", 0, {
    ": sc acq_rel acquire release cta|cluster|gpu|sys",
    ": acquire! sync_restrict::shared::cluster! cluster!", ": release! sync_restrict::shared::cta! cluster!",
    ": proxy|mbarrier_init alias async async::generic generic global shared::cta shared::cluster tensormap::generic acquire release "
    "acq_rel cta cluster gpu sys mbarrier_init sync_restrict::shared::cta sync_restrict::shared::cluster"}},
// clang-format on
