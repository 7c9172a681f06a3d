// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/module.h"

#include <algorithm>
#include <limits>

namespace warpglass::ptx {
namespace {

struct TypeRow {
    Type type;
    const char* name;
    int bytes;
};
constexpr TypeRow types[] = {
    {Type::None, "", 0},     {Type::B8, "b8", 1},         {Type::B16, "b16", 2}, {Type::B32, "b32", 4},
    {Type::B64, "b64", 8},   {Type::B128, "b128", 16},    {Type::U8, "u8", 1},   {Type::U16, "u16", 2},
    {Type::U32, "u32", 4},   {Type::U64, "u64", 8},       {Type::S8, "s8", 1},   {Type::S16, "s16", 2},
    {Type::S32, "s32", 4},   {Type::S64, "s64", 8},       {Type::F16, "f16", 2}, {Type::F16x2, "f16x2", 4},
    {Type::BF16, "bf16", 2}, {Type::BF16x2, "bf16x2", 4}, {Type::F32, "f32", 4}, {Type::F64, "f64", 8},
    {Type::Pred, "pred", 0},
};

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
    if (text.empty())
        return std::nullopt;
    for (const TypeRow& row : types)
        if (text == row.name)
            return row.type;
    return std::nullopt;
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

bool Instruction::has(std::string_view modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

const Label* Function::findLabel(std::string_view label) const {
    return findNamed(labels, label);
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
