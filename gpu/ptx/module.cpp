// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/module.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

namespace warpglass::ptx {
namespace {

struct TypeRow {
    Type type;
    const char* name;
    int bytes;
};
constexpr TypeRow types[] = {
    {Type::None, "", 0},           {Type::B8, "b8", 1},         {Type::B16, "b16", 2},
    {Type::B32, "b32", 4},         {Type::B64, "b64", 8},       {Type::B128, "b128", 16},
    {Type::U8, "u8", 1},           {Type::U16, "u16", 2},       {Type::U32, "u32", 4},
    {Type::U64, "u64", 8},         {Type::S8, "s8", 1},         {Type::S16, "s16", 2},
    {Type::S32, "s32", 4},         {Type::S64, "s64", 8},       {Type::F16, "f16", 2},
    {Type::F16x2, "f16x2", 4},     {Type::BF16, "bf16", 2},     {Type::BF16x2, "bf16x2", 4},
    {Type::F32, "f32", 4},         {Type::F64, "f64", 8},       {Type::Pred, "pred", 0},
    {Type::F32x2, "f32x2", 8},     {Type::U16x2, "u16x2", 4},   {Type::S16x2, "s16x2", 4},
    {Type::U8x4, "u8x4", 4},       {Type::S8x4, "s8x4", 4},     {Type::TF32, "tf32", 4},
    {Type::E4M3, "e4m3", 1},       {Type::E5M2, "e5m2", 1},     {Type::E2M1, "e2m1", 0},
    {Type::E2M3, "e2m3", 1},       {Type::E3M2, "e3m2", 1},     {Type::E4M3x2, "e4m3x2", 2},
    {Type::E5M2x2, "e5m2x2", 2},   {Type::E2M1x2, "e2m1x2", 1}, {Type::E2M3x2, "e2m3x2", 2},
    {Type::E3M2x2, "e3m2x2", 2},   {Type::UE8M0, "ue8m0", 1},   {Type::UE4M3, "ue4m3", 1},
    {Type::UE8M0x2, "ue8m0x2", 2}, {Type::E4M3x4, "e4m3x4", 4}, {Type::E5M2x4, "e5m2x4", 4},
    {Type::E2M1x4, "e2m1x4", 2},   {Type::E2M3x4, "e2m3x4", 4}, {Type::E3M2x4, "e3m2x4", 4},
    {Type::U4, "u4", 0},           {Type::S4, "s4", 0},         {Type::U2, "u2", 0},
    {Type::S2, "s2", 0},           {Type::B1, "b1", 0},
};
static_assert(std::size(types) == std::size_t(Type::B1) + 1);

template <typename List>
auto* findNamed(const List& list, std::string_view wanted) {
    const auto it = std::find_if(list.begin(), list.end(), [&](const auto& row) { return row.name == wanted; });
    return it == list.end() ? nullptr : &*it;
}

} // namespace

int bytesOf(Type type) {
    return types[std::size_t(type)].bytes;
}

const char* name(Type type) {
    return types[std::size_t(type)].name;
}

std::optional<Type> parseType(std::string_view text) {
    const Type type = typeOf(parseModifier(text));
    return type == Type::None ? std::nullopt : std::optional(type);
}

bool isFloat(Type type) {
    return type == Type::F32 || type == Type::F64;
}
bool isHalf(Type type) {
    return type == Type::F16 || type == Type::F16x2 || type == Type::BF16 || type == Type::BF16x2;
}
bool isSigned(Type type) {
    return type >= Type::S8 && type <= Type::S64;
}

std::uint64_t Variable::sizeBytes() const {
    // Saturates: a hostile file must not make a huge array look small.
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t size = std::uint64_t(bytesOf(type)) * std::uint64_t(vector);
    for (const std::uint64_t extent : dimensions) {
        if (extent == 0)
            return 0;
        size = size > most / extent ? most : size * extent;
    }
    return size;
}

std::optional<Part> Part::read(std::string_view text) {
    Part part;
    if (text.size() < 2 || text.size() > 5 || (text[0] != 'b' && text[0] != 'h'))
        return std::nullopt;
    part.isHalf = text[0] == 'h';
    for (const char digit : text.substr(1)) {
        if (digit < '0' || digit > (part.isHalf ? '3' : '7'))
            return std::nullopt;
        part.digits[part.count++] = std::uint8_t(digit - '0');
    }
    return part;
}

std::string Part::text() const {
    std::string text = count == 0 ? "" : isHalf ? ".h" : ".b";
    for (std::size_t k = 0; k < count; ++k)
        text += char('0' + digits[k]);
    return text;
}

const Operand& Instruction::operand(std::size_t n) const {
    static const Operand missing{.kind = Operand::Kind::Sink};
    return n < operands.size() ? operands[n] : missing;
}

bool Instruction::has(Modifier modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

LabelMap::LabelMap(const Function& function) : m_labels(&function.labels) {
    m_slots.resize(std::bit_ceil(2 * function.labels.size() + 1));
    for (std::uint32_t k = 0; k < function.labels.size(); ++k)
        if (std::uint32_t& slot = m_slots[slotOf(function.labels[k].name)]; slot == 0)
            slot = k + 1;
}

// Where it stands, or a free one.
std::size_t LabelMap::slotOf(std::string_view name) const {
    std::size_t slot = std::hash<std::string_view>()(name) & (m_slots.size() - 1);
    while (m_slots[slot] != 0 && (*m_labels)[m_slots[slot] - 1].name != name)
        slot = (slot + 1) & (m_slots.size() - 1);
    return slot;
}

std::optional<std::uint32_t> LabelMap::find(std::string_view name) const {
    const std::uint32_t label = m_slots.empty() ? 0 : m_slots[slotOf(name)];
    return label == 0 ? std::nullopt : std::optional((*m_labels)[label - 1].instruction);
}

const TargetList* Function::findTargets(std::string_view list) const {
    return findNamed(targetLists, list);
}

const Function* Module::findFunction(std::string_view function) const {
    return findNamed(functions, function);
}

const Variable* Module::findVariable(std::string_view variable) const {
    return findNamed(variables, variable);
}

const Module::File* Module::findFile(int number) const {
    const auto it = std::find_if(files.begin(), files.end(), [&](const File& f) { return f.number == number; });
    return it == files.end() ? nullptr : &*it;
}

} // namespace warpglass::ptx
