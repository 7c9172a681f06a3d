// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/instruction_set.h"

#include "gpu/ptx/module.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::ptx {
namespace {

// Words of the forms that stand for several.
constexpr std::pair<std::string_view, std::string_view> groups[] = {
    {"@int", "u16 u32 u64 s16 s32 s64"},
    {"@any", "u8 u16 u32 u64 s8 s16 s32 s64"},
    {"@plain", "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64"},
    {"@round", "rn rz rm rp"},
    {"@integral", "rni rzi rmi rpi"},
    {"@unordered", "eq ne lt le gt ge equ neu ltu leu gtu geu num nan"},
    {"@space", "global shared shared::cta shared::cluster"},
    {"@order", "weak relaxed acquire release volatile mmio cta cluster gpu sys"},
    {"@atomic", "global shared shared::cta shared::cluster relaxed acquire release acq_rel cta cluster gpu sys "
                "L2::cache_hint"},
    {"@hint", "unified L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate "
              "L2::evict_normal L2::evict_first L2::evict_last L2::cache_hint L2::64B L2::128B L2::256B"},
};

// clang-format off
constexpr Row rows[] = {
    {Opcode::Unknown, "", Family::Unknown, "*", 0, {}},

    {Opcode::Add, "add", Family::Arithmetic, "dtt", 1, {
        "@int",
        "s32 : sat",
        "u32 s32 u64 s64 : cc",
        "f32 : @round ftz sat",
        "f64 : @round",
        "f16 f16x2 : rn ftz sat",
        "bf16 bf16x2 : rn",
        "- u16x2 s16x2",
        "- f32x2 : @round ftz",
        "- f32 < f16 bf16 : @round sat"}},
    {Opcode::Sub, "sub", Family::Arithmetic, "dtt", 1, {
        "@int",
        "s32 : sat",
        "u32 s32 u64 s64 : cc",
        "f32 : @round ftz sat",
        "f64 : @round",
        "f16 f16x2 : rn ftz sat",
        "bf16 bf16x2 : rn",
        "- f32x2 : @round ftz",
        "- f32 < f16 bf16 : @round sat"}},
    {Opcode::Mul, "mul", Family::Arithmetic, "dtt", 1, {
        "u16 u32 s16 s32 : lo hi wide",
        "u64 s64 : lo hi",
        "f32 : @round ftz sat",
        "f64 : @round",
        "f16 f16x2 : rn ftz sat",
        "bf16 bf16x2 : rn",
        "- f32x2 : @round ftz"}},
    {Opcode::Mad, "mad", Family::Arithmetic, "dttw", 2, {
        "u16 u32 s16 s32 : lo hi wide",
        "u64 s64 : lo hi",
        "u32 s32 u64 s64 : lo hi cc",
        "f32 : @round ftz sat",
        "f64 : @round",
        "s32 : hi sat"}},
    {Opcode::Fma, "fma", Family::Arithmetic, "dttt", 2, {
        "f32 : @round ftz sat",
        "f64 : @round",
        "f16 f16x2 : rn ftz sat relu",
        "bf16 bf16x2 : rn relu",
        "- f16 f16x2 bf16 bf16x2 : rn oob relu",
        "- f32x2 : @round ftz",
        "- f32 < f16 bf16 : @round sat"}},
    {Opcode::Div, "div", Family::Arithmetic, "dtt", 1, {
        "@int",
        "f32 : approx full @round ftz",
        "f64 : @round"}},
    {Opcode::Rem, "rem", Family::Arithmetic, "dtt", 1, {"@int"}},
    {Opcode::Abs, "abs", Family::Arithmetic, "dt", 1, {
        "s16 s32 s64", "f32 f16 f16x2 : ftz", "f64 bf16 bf16x2"}},
    {Opcode::Neg, "neg", Family::Arithmetic, "dt", 1, {
        "s16 s32 s64", "f32 f16 f16x2 : ftz", "f64 bf16 bf16x2"}},
    {Opcode::Min, "min", Family::Arithmetic, "dtt?t", 1, {
        "@int",
        "s32 : relu",
        "f32 f16 f16x2 : ftz NaN xorsign abs",
        "bf16 bf16x2 : NaN xorsign abs",
        "f64",
        "- u16x2 s16x2 : relu"}},
    {Opcode::Max, "max", Family::Arithmetic, "dtt?t", 1, {
        "@int",
        "s32 : relu",
        "f32 f16 f16x2 : ftz NaN xorsign abs",
        "bf16 bf16x2 : NaN xorsign abs",
        "f64",
        "- u16x2 s16x2 : relu"}},
    {Opcode::Sad, "sad", Family::Arithmetic, "dttt", 1, {"u32 u64 s32 s64", "- u16 s16"}},
    {Opcode::Mul24, "mul24", Family::Arithmetic, "dtt", 1, {"u32 s32 : lo hi"}},
    {Opcode::Mad24, "mad24", Family::Arithmetic, "dttt", 2, {"u32 s32 : lo hi", "- s32 : hi sat"}},
    {Opcode::Dp4a, "dp4a", Family::Arithmetic, "duuu", 0, {"u32 s32 < u32 s32"}},
    {Opcode::Dp2a, "dp2a", Family::Arithmetic, "duuu", 0, {"u32 s32 < u32 s32 : lo hi"}},
    {Opcode::Copysign, "copysign", Family::Arithmetic, "dtt", 0, {"f32 f64"}},
    {Opcode::Addc, "addc", Family::Arithmetic, "dtt", 0, {"u32 s32 u64 s64 : cc"}},
    {Opcode::Subc, "subc", Family::Arithmetic, "dtt", 0, {"u32 s32 u64 s64 : cc"}},
    {Opcode::Madc, "madc", Family::Arithmetic, "dttt", 0, {"u32 s32 u64 s64 : lo hi cc"}},
    {Opcode::Rcp, "rcp", Family::Arithmetic, "dt", 1, {
        "f32 : approx @round ftz", "f64 : @round", "f64 : approx ftz"}},
    {Opcode::Sqrt, "sqrt", Family::Arithmetic, "dt", 1, {"f32 : approx @round ftz", "f64 : @round"}},
    {Opcode::Rsqrt, "rsqrt", Family::Arithmetic, "dt", 1, {"f32 f64 : approx ftz"}},
    {Opcode::Sin, "sin", Family::Arithmetic, "dt", 1, {"f32 : approx ftz"}},
    {Opcode::Cos, "cos", Family::Arithmetic, "dt", 1, {"f32 : approx ftz"}},
    {Opcode::Lg2, "lg2", Family::Arithmetic, "dt", 1, {"f32 : approx ftz"}},
    {Opcode::Ex2, "ex2", Family::Arithmetic, "dt", 1, {
        "f32 : approx ftz", "f16 f16x2 : approx", "bf16 bf16x2 : approx ftz"}},
    {Opcode::Tanh, "tanh", Family::Arithmetic, "dt", 1, {"f32 f16 f16x2 bf16 bf16x2 : approx"}},

    {Opcode::And, "and", Family::Arithmetic, "dtt", 0, {"pred b16 b32 b64"}},
    {Opcode::Or, "or", Family::Arithmetic, "dtt", 0, {"pred b16 b32 b64"}},
    {Opcode::Xor, "xor", Family::Arithmetic, "dtt", 0, {"pred b16 b32 b64"}},
    {Opcode::Not, "not", Family::Arithmetic, "dt", 0, {"pred b16 b32 b64"}},
    {Opcode::Cnot, "cnot", Family::Arithmetic, "dt", 0, {"b16 b32 b64"}},
    {Opcode::Lop3, "lop3", Family::Arithmetic, "dttti", 0, {"b32", "- b32 : and or"}},
    {Opcode::Shl, "shl", Family::Arithmetic, "dtu", 0, {"b16 b32 b64"}},
    {Opcode::Shr, "shr", Family::Arithmetic, "dtu", 0, {"b16 b32 b64 @int"}},
    {Opcode::Shf, "shf", Family::Arithmetic, "dttu", 0, {"b32 : l r clamp wrap"}},
    {Opcode::Popc, "popc", Family::Arithmetic, "dt", 0, {"b32 b64"}},
    {Opcode::Clz, "clz", Family::Arithmetic, "dt", 0, {"b32 b64"}},
    {Opcode::Brev, "brev", Family::Arithmetic, "dt", 0, {"b32 b64"}},
    {Opcode::Bfind, "bfind", Family::Arithmetic, "dt", 0, {"u32 u64 s32 s64 : shiftamt"}},
    {Opcode::Fns, "fns", Family::Arithmetic, "duuu", 0, {"b32"}},
    {Opcode::Bfe, "bfe", Family::Arithmetic, "dtuu", 0, {"u32 u64 s32 s64"}},
    {Opcode::Bfi, "bfi", Family::Arithmetic, "dttuu", 0, {"b32 b64"}},
    {Opcode::Szext, "szext", Family::Arithmetic, "dtu", 0, {"u32 s32 : wrap clamp"}},
    {Opcode::Bmsk, "bmsk", Family::Arithmetic, "duu", 0, {"b32 : wrap clamp"}},
    {Opcode::Prmt, "prmt", Family::Arithmetic, "dttu", 0, {"b32 : f4e b4e rc8 ecl ecr rc16"}},

    {Opcode::Setp, "setp", Family::Compare, "Dtt?p", 0, {
        "b16 b32 b64 : eq ne and or xor",
        "@int : eq ne lt le gt ge lo ls hi hs and or xor",
        "f32 : @unordered and or xor ftz",
        "f64 : @unordered and or xor",
        "f16 bf16 : @unordered",
        "- f16 bf16 f16x2 bf16x2 : @unordered and or xor ftz"}},
    {Opcode::Set, "set", Family::Compare, "dtt?p", 0, {
        "- b32 u32 s32 f32 u16 s16 f16 f16x2 bf16 bf16x2 < b16 b32 b64 @int f32 f64 f16 f16x2 bf16 "
        "bf16x2 : eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz"}},
    {Opcode::Selp, "selp", Family::Select, "dttp", 0, {"b16 b32 b64 @int f32 f64"}},
    {Opcode::Slct, "slct", Family::Arithmetic, "dsst", 0, {
        "b16 b32 b64 @int f32 f64 < s32 f32", "b32 b64 u32 u64 s32 s64 f32 f64 < f32 : ftz"}},
    {Opcode::Testp, "testp", Family::Predicate, "qt", 0, {
        "f32 f64 : finite infinite number notanumber normal subnormal"}},

    {Opcode::Mov, "mov", Family::Move, "dt", 0, {
        "pred b16 b32 b64 @int f32 f64 f16 f16x2 bf16 bf16x2", "- b128"}},
    {Opcode::Cvt, "cvt", Family::Convert, "dt?*", 0, {
        "@any < @any : sat",
        "@any < f16 bf16 f32 f64 : @integral ftz sat",
        "f16 f32 f64 < @any : @round ftz sat",
        "bf16 < @any : rn rz",
        "f32 f64 f16 < f16 f32 f64 : @integral ftz sat",
        "f32 f64 f16 < f16 bf16 f32 f64 : @round ftz sat",
        "f16 < f32 : rn rz relu satfinite",
        "bf16 < f32 : rn rz relu satfinite",
        "bf16 < f16 f64 : rn rz",
        "f16x2 bf16x2 < f32 : rn rz relu satfinite",
        "- f16x2 bf16x2 < f32 : rs relu satfinite",
        "- tf32 < f32 : rna rn rz relu satfinite",
        "- f16 f16x2 bf16 bf16x2 f32 e4m3x2 e5m2x2 e2m1x2 e2m3x2 e3m2x2 ue8m0x2 < f16 bf16 f32 f16x2 bf16x2 e4m3x2 "
        "e5m2x2 e2m1x2 e2m3x2 e3m2x2 ue8m0x2 : rn rz rp relu satfinite",
        "- u16 s16 u8 s8 u4 s4 u2 s2 < s32 b32 : pack sat"}},
    {Opcode::Cvta, "cvta", Family::Address, "dt", 0, {
        "u64 : to global shared shared::cta shared::cluster local const param param::entry",
        "- u32 : to global shared shared::cta shared::cluster local const param param::entry"}},
    {Opcode::Isspacep, "isspacep", Family::Address, "qt", 0, {
        ": global shared shared::cta shared::cluster local const param param::entry"}},

    {Opcode::Ld, "ld", Family::Load, "dm?*", 0, {
        "@plain : @space local const param param::entry param::func v2 v4 ca cg cs lu cv nc @order @hint",
        "- @plain b128 : @space v2 v4 v8 ca cg cs lu cv nc @order @hint"}},
    {Opcode::Ldu, "ldu", Family::Load, "dm", 0, {"@plain : global v2 v4", "- b128 : global"}},
    {Opcode::St, "st", Family::Store, "mt?*", 0, {
        "@plain : @space local param param::func v2 v4 wb cg cs wt @order @hint",
        "- @plain b128 : @space v2 v4 v8 async bulk wb cg cs wt mbarrier::complete_tx::bytes @order @hint"}},
    {Opcode::Atom, "atom", Family::Atomic, "dmt?t*", 0, {
        "b32 b64 : and or xor exch cas @atomic",
        "u32 u64 s32 s64 f32 f64 : add @atomic",
        "u32 u64 s32 s64 : min max @atomic",
        "u32 : inc dec @atomic",
        "- b16 b128 : exch cas @atomic",
        "- f16 f16x2 bf16 bf16x2 f32 : add min max noftz v2 v4 v8 @atomic"}},
    {Opcode::Red, "red", Family::Atomic, "mt?*", 0, {
        "b32 b64 : and or xor @atomic",
        "u32 u64 s32 s64 f32 f64 : add @atomic",
        "u32 u64 s32 s64 : min max @atomic",
        "u32 : inc dec @atomic",
        "- f16 f16x2 bf16 bf16x2 f32 : add min max noftz v2 v4 v8 @atomic",
        "- b32 b64 u32 u64 s32 s64 f32 f64 : and or xor add min max inc dec shared::cluster "
        "async mbarrier::complete_tx::bytes relaxed release cta cluster gpu sys"}},
    {Opcode::Prefetch, "prefetch", Family::Hint, "m", 0, {
        ": global local L1 L2 L2::evict_last L2::evict_normal", "- : const param tensormap"}},
    {Opcode::Prefetchu, "prefetchu", Family::Hint, "m", 0, {": L1"}},
    {Opcode::Discard, "discard", Family::Hint, "mi", 0, {": global L2"}},
    {Opcode::Applypriority, "applypriority", Family::Hint, "mi", 0, {": global L2::evict_normal"}},
    {Opcode::Membar, "membar", Family::Fence, "", 0, {": cta gl sys", "- : proxy alias"}},
    {Opcode::Fence, "fence", Family::Fence, "?*", 0, {
        ": sc acq_rel acquire release cta cluster gpu sys",
        ": proxy alias async async::generic generic global shared::cta shared::cluster tensormap::generic acquire release "
        "acq_rel cta cluster gpu sys mbarrier_init sync_restrict::shared::cta sync_restrict::shared::cluster"}},

    {Opcode::Bra, "bra", Family::Branch, "l", 0, {": uni"}},
    {Opcode::Brx, "brx", Family::Branch, "ul", 0, {": idx uni"}},
    {Opcode::Call, "call", Family::Call, "?*", 0, {": uni"}},
    {Opcode::Ret, "ret", Family::End, "", 0, {": uni"}},
    {Opcode::Exit, "exit", Family::End, "", 0, {":"}},
    {Opcode::Trap, "trap", Family::End, "", 0, {":"}},
    {Opcode::Brkpt, "brkpt", Family::End, "", 0, {":"}},
    {Opcode::Bar, "bar", Family::Barrier, "?*", 0, {
        ": sync arrive cta", ": warp sync", "u32 : red popc cta", "pred : red and or cta"}},
    {Opcode::Barrier, "barrier", Family::Barrier, "?*", 0, {
        ": sync arrive aligned cta", "u32 : red popc aligned cta", "pred : red and or aligned cta",
        "- : cluster arrive wait acquire release relaxed aligned"}},
    {Opcode::Nanosleep, "nanosleep", Family::Hint, "u", 0, {"u32"}},
    {Opcode::Pmevent, "pmevent", Family::Hint, "i", 0, {": mask"}},
    {Opcode::Griddepcontrol, "griddepcontrol", Family::Hint, "", 0, {": wait launch_dependents"}},
    {Opcode::Setmaxnreg, "setmaxnreg", Family::Hint, "i", 0, {"u32 : inc dec sync aligned"}},

    {Opcode::Shfl, "shfl", Family::Warp, "Duuu?u", 0, {"b32 : sync up down bfly idx"}},
    {Opcode::Vote, "vote", Family::Warp, "dp?u", 0, {"pred : sync all any uni", "b32 : sync ballot"}},
    {Opcode::Match, "match", Family::Warp, "Dt?u", 0, {"b32 b64 : sync any all"}},
    {Opcode::Redux, "redux", Family::Warp, "dtu", 0, {
        "u32 s32 : sync add min max", "b32 : sync and or xor", "- f32 : sync min max abs NaN"}},
    {Opcode::Elect, "elect", Family::Warp, "Du", 0, {": sync"}},
    {Opcode::Activemask, "activemask", Family::Warp, "d", 0, {"b32"}},

    {Opcode::Alloca, "alloca", Family::Stack, "dt?*", 0, {}},
    {Opcode::Stacksave, "stacksave", Family::Stack, "d", 0, {}},
    {Opcode::Stackrestore, "stackrestore", Family::Stack, "t", 0, {}},

    {Opcode::Mapa, "mapa", Family::Cluster, "dtu", 0, {}},
    {Opcode::Getctarank, "getctarank", Family::Cluster, "dt", 0, {}},
    {Opcode::Mbarrier, "mbarrier", Family::Async, "*", 0, {}},
    {Opcode::Cp, "cp", Family::Async, "*", 0, {}},
    {Opcode::Createpolicy, "createpolicy", Family::Async, "*", 0, {}},
    {Opcode::Tensormap, "tensormap", Family::Async, "*", 0, {}},
    {Opcode::Multimem, "multimem", Family::Async, "*", 0, {}},
    {Opcode::Clusterlaunchcontrol, "clusterlaunchcontrol", Family::Cluster, "*", 0, {}},

    {Opcode::Ldmatrix, "ldmatrix", Family::Matrix, "*", 0, {}},
    {Opcode::Stmatrix, "stmatrix", Family::Matrix, "*", 0, {}},
    {Opcode::Movmatrix, "movmatrix", Family::Matrix, "*", 0, {}},
    {Opcode::Mma, "mma", Family::Matrix, "*", 0, {}},
    {Opcode::Wmma, "wmma", Family::Matrix, "*", 0, {}},
    {Opcode::Wgmma, "wgmma", Family::Matrix, "*", 0, {}},
    {Opcode::Tcgen05, "tcgen05", Family::Matrix, "*", 0, {}},

    {Opcode::Tex, "tex", Family::Texture, "*", 0, {}},
    {Opcode::Tld4, "tld4", Family::Texture, "*", 0, {}},
    {Opcode::Txq, "txq", Family::Texture, "*", 0, {}},
    {Opcode::Istypep, "istypep", Family::Texture, "*", 0, {}},
    {Opcode::Suld, "suld", Family::Surface, "*", 0, {}},
    {Opcode::Sust, "sust", Family::Surface, "*", 0, {}},
    {Opcode::Sured, "sured", Family::Surface, "*", 0, {}},
    {Opcode::Suq, "suq", Family::Surface, "*", 0, {}},

    {Opcode::Vadd, "vadd", Family::Video, "*", 0, {}},
    {Opcode::Vsub, "vsub", Family::Video, "*", 0, {}},
    {Opcode::Vabsdiff, "vabsdiff", Family::Video, "*", 0, {}},
    {Opcode::Vmin, "vmin", Family::Video, "*", 0, {}},
    {Opcode::Vmax, "vmax", Family::Video, "*", 0, {}},
    {Opcode::Vshl, "vshl", Family::Video, "*", 0, {}},
    {Opcode::Vshr, "vshr", Family::Video, "*", 0, {}},
    {Opcode::Vmad, "vmad", Family::Video, "*", 0, {}},
    {Opcode::Vset, "vset", Family::Video, "*", 0, {}},
    {Opcode::Vadd2, "vadd2", Family::Video, "*", 0, {}},
    {Opcode::Vsub2, "vsub2", Family::Video, "*", 0, {}},
    {Opcode::Vavrg2, "vavrg2", Family::Video, "*", 0, {}},
    {Opcode::Vabsdiff2, "vabsdiff2", Family::Video, "*", 0, {}},
    {Opcode::Vmin2, "vmin2", Family::Video, "*", 0, {}},
    {Opcode::Vmax2, "vmax2", Family::Video, "*", 0, {}},
    {Opcode::Vset2, "vset2", Family::Video, "*", 0, {}},
    {Opcode::Vadd4, "vadd4", Family::Video, "*", 0, {}},
    {Opcode::Vsub4, "vsub4", Family::Video, "*", 0, {}},
    {Opcode::Vavrg4, "vavrg4", Family::Video, "*", 0, {}},
    {Opcode::Vabsdiff4, "vabsdiff4", Family::Video, "*", 0, {}},
    {Opcode::Vmin4, "vmin4", Family::Video, "*", 0, {}},
    {Opcode::Vmax4, "vmax4", Family::Video, "*", 0, {}},
    {Opcode::Vset4, "vset4", Family::Video, "*", 0, {}},
};
// clang-format on

constexpr bool inOrder() {
    for (std::size_t k = 0; k < std::size(rows); ++k)
        if (rows[k].opcode != Opcode(k))
            return false;
    return std::size(rows) == std::size_t(Opcode::Count);
}
static_assert(inOrder(), "the rows stand in the order of Opcode");

constexpr std::string_view modifierNames[] = {
    "",
#define X(name, text) text,
#include "gpu/ptx/modifiers.inl"
#undef X
};
static_assert(Modifier(Type::Pred) == Modifier::Pred && Modifier(Type::B1) == Modifier::B1,
              "the types are the first modifiers, in the order of Type");

// Words to numbers by open addressing, made while compiling; a file of PTX asks some hundred thousand times.
template <std::size_t slots>
struct Words {
    std::array<std::uint16_t, slots> at{}; // 0 = free

    static constexpr std::size_t hash(std::string_view word) {
        std::uint32_t h = 2166136261u;
        for (const char c : word)
            h = (h ^ std::uint8_t(c)) * 16777619u;
        return (h ^ h >> 15) % slots;
    }
    template <typename NameOf>
    constexpr void fill(std::size_t count, NameOf nameOf) {
        for (std::size_t k = 1; k < count; ++k) {
            std::size_t slot = hash(nameOf(k));
            while (at[slot] != 0)
                slot = (slot + 1) % slots;
            at[slot] = std::uint16_t(k);
        }
    }
    template <typename NameOf>
    constexpr std::size_t find(std::string_view word, NameOf nameOf) const {
        for (std::size_t slot = hash(word); at[slot] != 0; slot = (slot + 1) % slots)
            if (nameOf(at[slot]) == word)
                return at[slot];
        return 0;
    }
};
constexpr auto opcodeName = [](std::size_t k) { return rows[k].name; };
constexpr auto modifierName = [](std::size_t k) { return modifierNames[k]; };
constexpr auto opcodeWords = [] {
    Words<512> words;
    words.fill(std::size(rows), opcodeName);
    return words;
}();
constexpr auto modifierWords = [] {
    Words<1024> words;
    words.fill(std::size(modifierNames), modifierName);
    return words;
}();

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

ModifierSet readWords(std::string_view text) {
    ModifierSet set;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        const auto* group =
            std::find_if(std::begin(groups), std::end(groups), [&](const auto& g) { return g.first == word; });
        if (group != std::end(groups))
            set |= readWords(group->second);
        else
            set.set(std::size_t(parseModifier(word)));
        text.remove_prefix(end);
    }
    return set;
}

Form readForm(std::string_view text) {
    Form form;
    form.emulated = !text.starts_with('-');
    if (!form.emulated)
        text.remove_prefix(1);
    text = trimmed(text);
    // A word may have colons ("shared::cta"): the one that divides stands first, or behind a blank.
    const std::size_t divides = text.starts_with(':') ? 0 : std::min(text.find(" :"), text.size());
    const std::string_view types = text.substr(0, divides);
    if (divides < text.size())
        form.modifiers = readWords(text.substr(text.find(':', divides) + 1));
    const std::size_t from = types.find('<');
    form.types = readWords(types.substr(0, from));
    if (from != std::string_view::npos)
        form.sources = readWords(types.substr(from + 1));
    form.untyped = form.types.none();
    return form;
}

using Forms = std::array<std::vector<Form>, std::size(rows)>;
const Forms& allForms() {
    static const Forms forms = [] {
        Forms made;
        for (std::size_t k = 0; k < std::size(rows); ++k)
            for (const std::string_view text : rows[k].forms)
                if (!text.empty())
                    made[k].push_back(readForm(text));
        return made;
    }();
    return forms;
}

} // namespace

Opcode parseOpcode(std::string_view text) {
    return Opcode(opcodeWords.find(text, opcodeName));
}
Modifier parseModifier(std::string_view text) {
    return Modifier(modifierWords.find(text, modifierName));
}
std::string_view name(Opcode opcode) {
    return rows[std::size_t(opcode)].name;
}
std::string_view name(Modifier modifier) {
    return modifierNames[std::size_t(modifier)];
}
Type typeOf(Modifier modifier) {
    return modifier <= Modifier(Type::B1) ? Type(modifier) : Type::None;
}
const Row& row(Opcode opcode) {
    return rows[std::size_t(opcode)];
}
std::span<const Row> allRows() {
    return rows;
}
std::span<const Form> formsOf(Opcode opcode) {
    return allForms()[std::size_t(opcode)];
}

Support support(const Instruction& i) {
    using Kind = Support::Kind;
    if (i.opcode == Opcode::Unknown)
        return {Kind::Unknown, fmt::format("PTX has no instruction {}", i.opcodeName())};
    if (!i.otherModifiers.empty())
        return {Kind::Unknown, fmt::format("the modifier .{} is not known", i.otherModifiers.front())};
    ModifierSet words;
    std::array<Modifier, 2> types{};
    std::size_t typeCount = 0;
    for (const Modifier m : i.modifiers) {
        if (typeOf(m) == Type::None)
            words.set(std::size_t(m));
        else if (typeCount++ < types.size())
            types[typeCount - 1] = m;
    }
    const std::span<const Form> forms = formsOf(i.opcode);
    if (forms.empty())
        return {Kind::NotEmulated, "the emulator does not know it"};

    const auto takesTypes = [&](const Form& f) {
        if (typeCount == 0)
            return f.untyped;
        if (typeCount == 1)
            return f.sources.none() && f.types.test(std::size_t(types[0]));
        return typeCount == 2 && f.types.test(std::size_t(types[0])) && f.sources.test(std::size_t(types[1]));
    };
    ModifierSet known, run; // of the forms with these types
    bool anyTypes = false, emulatedTypes = false;
    for (const Form& f : forms) {
        if (!takesTypes(f))
            continue;
        anyTypes = true;
        emulatedTypes |= f.emulated;
        if (f.emulated && (words & ~f.modifiers).none())
            return {};
        known |= f.modifiers;
        if (f.emulated)
            run |= f.modifiers;
    }
    std::string typeNames;
    for (std::size_t k = 0; k < std::min(typeCount, types.size()); ++k)
        typeNames += fmt::format(".{}", name(types[k]));
    if (!anyTypes)
        return {Kind::NotEmulated,
                typeCount == 0 ? std::string("it has no type") : fmt::format("not known for the type {}", typeNames)};
    if (!emulatedTypes)
        return {Kind::NotEmulated, fmt::format("the emulator does not run it for the type {}", typeNames)};
    for (const Modifier m : i.modifiers)
        if (typeOf(m) == Type::None && !known.test(std::size_t(m)))
            return {Kind::Unknown, fmt::format("{}{} has no modifier .{}", name(i.opcode), typeNames, name(m))};
    for (const Modifier m : i.modifiers)
        if (typeOf(m) == Type::None && !run.test(std::size_t(m)))
            return {Kind::NotEmulated, fmt::format("the emulator does not know the modifier .{} of {}{}", name(m),
                                                   name(i.opcode), typeNames)};
    std::string together;
    for (const Modifier m : i.modifiers)
        if (typeOf(m) == Type::None)
            together += fmt::format(".{}", name(m));
    return {Kind::NotEmulated, fmt::format("the modifiers {} do not go together", together)};
}

} // namespace warpglass::ptx
