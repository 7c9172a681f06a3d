// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/instruction_set.h"

#include "gpu/base/messages/code.h"
#include "gpu/ptx/module.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::ptx {
namespace {

// The shapes of wgmma for one k.
#define WARPGLASS_M64(k)                                                                                               \
    "m64n8" k " m64n16" k " m64n24" k " m64n32" k " m64n40" k " m64n48" k " m64n56" k " m64n64" k " m64n72" k          \
    " m64n80" k " m64n88" k " m64n96" k " m64n104" k " m64n112" k " m64n120" k " m64n128" k " m64n136" k " m64n144" k  \
    " m64n152" k " m64n160" k " m64n168" k " m64n176" k " m64n184" k " m64n192" k " m64n200" k " m64n208" k            \
    " m64n216" k " m64n224" k " m64n232" k " m64n240" k " m64n248" k " m64n256" k
// Whole numbers and bits go by sixteens from 32 on.
#define WARPGLASS_M64_WHOLE(k)                                                                                         \
    "m64n8" k " m64n16" k " m64n24" k " m64n32" k " m64n48" k " m64n64" k " m64n80" k " m64n96" k " m64n112" k         \
    " m64n128" k " m64n144" k " m64n160" k " m64n176" k " m64n192" k " m64n208" k " m64n224" k " m64n240" k            \
    " m64n256" k

// Words of the forms that stand for several.
constexpr std::pair<std::string_view, std::string_view> groups[] = {
    {"@int", "u16 u32 u64 s16 s32 s64"},
    {"@any", "u8 u16 u32 u64 s8 s16 s32 s64"},
    {"@plain", "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64"},
    {"@round", "rn rz rm rp"},
    {"@integral", "rni rzi rmi rpi"},
    {"@unordered", "eq ne lt le gt ge equ neu ltu leu gtu geu num nan"},
    {"@space", "global shared shared::cta shared::cluster"},
    {"@atomic", "global shared shared::cta shared::cluster relaxed acquire release acq_rel cta cluster gpu sys "
                "L2::cache_hint"},
    {"@reduction", "global shared shared::cta shared::cluster relaxed release cta cluster gpu sys L2::cache_hint"},
    {"@hint", "unified L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate "
              "L2::evict_normal L2::evict_first L2::evict_last L2::cache_hint L2::64B L2::128B L2::256B"},
    {"@together", "sync aligned"},
    {"@small", "e4m3 e5m2 e3m2 e2m3 e2m1"},
    {"@group", "cta_group::1 cta_group::2"},
    {"@times", "x1 x2 x4 x8 x16 x32 x64 x128"},
    {"@collector", "collector::a::fill collector::a::use collector::a::lastuse collector::a::discard"},
    {"@collectorB", "collector::b0::fill collector::b0::use collector::b0::lastuse collector::b0::discard "
                    "collector::b1::fill collector::b1::use collector::b1::lastuse collector::b1::discard "
                    "collector::b2::fill collector::b2::use collector::b2::lastuse collector::b2::discard "
                    "collector::b3::fill collector::b3::use collector::b3::lastuse collector::b3::discard"},
    {"@wmma", "m16n16k16 m8n32k16 m32n8k16"},
    {"@m64k8", WARPGLASS_M64("k8")},
    {"@m64k16", WARPGLASS_M64("k16")},
    {"@m64k32", WARPGLASS_M64("k32")},
    {"@m64k64", WARPGLASS_M64("k64")},
    {"@m64k32whole", WARPGLASS_M64_WHOLE("k32")},
    {"@m64k64whole", WARPGLASS_M64_WHOLE("k64")},
    {"@m64k256", WARPGLASS_M64_WHOLE("k256")},
};
#undef WARPGLASS_M64
#undef WARPGLASS_M64_WHOLE

// clang-format off
constexpr Row rows[] = {
    {Opcode::Unknown, "", Family::Unknown, "*", 0, {}},
#include "gpu/ptx/rows/arithmetic.inl"
#include "gpu/ptx/rows/bits.inl"
#include "gpu/ptx/rows/compare.inl"
#include "gpu/ptx/rows/memory.inl"
#include "gpu/ptx/rows/control.inl"
#include "gpu/ptx/rows/async.inl"
#include "gpu/ptx/rows/matrix.inl"
#include "gpu/ptx/rows/texture.inl"
#include "gpu/ptx/rows/video.inl"
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
    Words<2048> words;
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
        if (const std::size_t bar = word.find('|'); bar != std::string_view::npos)
            set |= readWords(word.substr(0, bar)) | readWords(word.substr(bar + 1));
        else if (word.ends_with('!'))
            set |= readWords(word.substr(0, word.size() - 1));
        else if (group != std::end(groups))
            set |= readWords(group->second);
        else
            set.set(std::size_t(parseModifier(word)));
        text.remove_prefix(end);
    }
    return set;
}

// Of the words with '|' and '!'.
std::vector<ModifierSet> readNeeds(std::string_view text) {
    std::vector<ModifierSet> needs;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        const std::string_view word = text.substr(0, text.find(' '));
        if (word.find('|') != std::string_view::npos || word.ends_with('!'))
            needs.push_back(readWords(word));
        text.remove_prefix(word.size());
    }
    return needs;
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
    if (divides < text.size()) {
        const std::string_view words = text.substr(text.find(':', divides) + 1);
        form.modifiers = readWords(words);
        form.needs = readNeeds(words);
    }
    ModifierSet* const sets[] = {&form.types, &form.sources, &form.further[0], &form.further[1], &form.further[2]};
    for (std::string_view rest = types; form.typeCount < std::size(sets);) {
        const std::size_t end = std::min(rest.find('<'), rest.size());
        ModifierSet& set = *sets[form.typeCount];
        set = readWords(rest.substr(0, end));
        form.typeCount += set.any();
        if (end == rest.size())
            break;
        rest.remove_prefix(end + 1);
    }
    form.untyped = form.typeCount == 0;
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

std::string namesOf(const ModifierSet& set) {
    std::string names;
    for (std::size_t k = 0; k < set.size(); ++k)
        if (set.test(k))
            names += fmt::format(" .{}", modifierNames[k]);
    return names;
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
        return {Kind::Unknown, say::NoInstruction(i.opcodeName())};
    const std::span<const Form> forms = formsOf(i.opcode);
    if (forms.empty())
        return {Kind::NotEmulated, say::NotKnownToEmulator};
    if (!i.otherModifiers.empty())
        return {Kind::Unknown, say::ModifierUnknown(i.otherModifiers.front())};
    ModifierSet words;
    std::array<Modifier, 5> types{};
    std::size_t typeCount = 0;
    for (const Modifier m : i.modifiers) {
        if (typeOf(m) == Type::None)
            words.set(std::size_t(m));
        else if (typeCount++ < types.size())
            types[typeCount - 1] = m;
    }
    // All operands of a video instruction but the result are of the second type.
    const bool repeats = row(i.opcode).family == Family::Video;
    const auto takesTypes = [&](const Form& f) {
        const ModifierSet* const sets[] = {&f.types, &f.sources, &f.further[0], &f.further[1], &f.further[2]};
        if (typeCount != f.typeCount && !(repeats && f.typeCount == 2 && typeCount == 3))
            return false;
        for (std::size_t k = 0; k < typeCount; ++k)
            if (!sets[std::min<std::size_t>(k, f.typeCount - 1u)]->test(std::size_t(types[k])))
                return false;
        return true;
    };
    ModifierSet known, run; // of the forms with these types
    bool anyTypes = false, emulatedTypes = false;
    const ModifierSet* missing = nullptr;
    for (const Form& f : forms) {
        if (!takesTypes(f))
            continue;
        anyTypes = true;
        emulatedTypes |= f.emulated;
        if (f.emulated && (words & ~f.modifiers).none()) {
            const auto need =
                std::find_if(f.needs.begin(), f.needs.end(), [&](const ModifierSet& n) { return (words & n).none(); });
            if (need == f.needs.end())
                return {};
            missing = missing ? missing : &*need;
        }
        known |= f.modifiers;
        if (f.emulated)
            run |= f.modifiers;
    }
    if (missing)
        return {Kind::Unknown, say::NamesNoneOf(namesOf(*missing))};
    std::string typeNames;
    for (std::size_t k = 0; k < std::min(typeCount, types.size()); ++k)
        typeNames += fmt::format(".{}", name(types[k]));
    if (!anyTypes)
        return {Kind::NotEmulated, typeCount == 0 ? Message(say::NoType) : say::NotForTypes(typeNames)};
    if (!emulatedTypes)
        return {Kind::NotEmulated, say::NotRunForTypes(typeNames)};
    for (const Modifier m : i.modifiers)
        if (typeOf(m) == Type::None && !known.test(std::size_t(m)))
            return {Kind::Unknown, say::HasNoModifier(std::string(name(i.opcode)) + typeNames, name(m))};
    for (const Modifier m : i.modifiers)
        if (typeOf(m) == Type::None && !run.test(std::size_t(m)))
            return {Kind::NotEmulated, say::ModifierNotEmulated(name(m), std::string(name(i.opcode)) + typeNames)};
    std::string together;
    for (const Modifier m : i.modifiers)
        if (typeOf(m) == Type::None)
            together += fmt::format(".{}", name(m));
    return {Kind::NotEmulated, say::ModifiersApart(together)};
}

} // namespace warpglass::ptx
