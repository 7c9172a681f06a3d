// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/variables.h"

#include "app/session/kernel_names.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/messages/session.h"
#include "gpu/base/quantity.h"
#include "gpu/launch/arguments.h"
#include "gpu/launch/elements.h"
#include "gpu/ptx/join.h"
#include "gpu/ptx/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpglass::session {

namespace {

bool isVariable(const ptx::Variable& v) {
    return (v.space == ptx::StateSpace::Global || v.space == ptx::StateSpace::Const) && !v.isExtern &&
           v.opaque == ptx::Opaque::None;
}

// A variable of the module as the source calls it.
const ptx::Variable* findGlobal(const ptx::Module& module, std::string_view wanted) {
    for (const ptx::Variable& variable : module.variables)
        if (isVariable(variable) && matches(kernelName(variable.name), wanted) > 0)
            return &variable;
    return nullptr;
}

// What "i32[64]" a variable of the PTX is; empty where the PTX has only bytes.
std::string typeOf(const ptx::Variable& variable) {
    using ptx::Type;
    constexpr std::pair<Type, const char*> names[] = {{Type::F32, "f32"}, {Type::F64, "f64"}, {Type::S32, "i32"},
                                                      {Type::B32, "i32"}, {Type::U32, "u32"}, {Type::S64, "i64"},
                                                      {Type::B64, "i64"}, {Type::U64, "u64"}};
    const auto* named =
        std::find_if(std::begin(names), std::end(names), [&](const auto& pair) { return pair.first == variable.type; });
    if (named == std::end(names))
        return {};
    const std::uint64_t count = variable.sizeBytes() / std::uint64_t(ptx::bytesOf(variable.type));
    return fmt::format("{}[{}]", named->second, std::max<std::uint64_t>(count, 1));
}

std::string namesOfVariables(const ptx::Module& module) {
    std::string names;
    for (const ptx::Variable& variable : module.variables)
        if (isVariable(variable) && !variable.name.starts_with('$')) // not a compiler's texts
            names += (names.empty() ? "" : ", ") + kernelName(variable.name).plain;
    return names;
}

} // namespace

Result<GlobalPatch> parseGlobal(const ptx::Module& module, const std::string& spec) {
    const std::size_t equals = spec.find('=');
    // The colon of a type, not one of "demo::table".
    std::size_t colon = spec.find(':');
    while (colon != std::string::npos && colon < equals && spec.substr(colon).starts_with("::"))
        colon = spec.find(':', colon + 2);
    const bool typed = colon != std::string::npos && colon < equals;
    const std::string name = spec.substr(0, typed ? colon : equals);
    const ptx::Variable* variable = findGlobal(module, name);
    if (!variable) {
        const std::string names = namesOfVariables(module);
        return Error{.message = say::NoVariableNamed(name),
                     .file = "--global " + spec,
                     .remedy = names.empty() ? say::NoVariablesAtAll : say::ItsVariables(names)};
    }
    const std::string type = typeOf(*variable);
    if (equals == std::string::npos || (!typed && type.empty()))
        return Error{.message = say::KnownWithoutType(name, variable->sizeBytes()),
                     .file = "--global " + spec,
                     .remedy = say::WriteGlobal(name, variable->sizeBytes() / 4)};
    auto value = parseArgument(typed ? "global:" + spec.substr(colon + 1)
                                     : fmt::format("global:{}={}", type, spec.substr(equals + 1)));
    if (!value)
        return value.error();
    GlobalPatch patch{.symbol = variable->name, .bytes = std::move(value->scalar), .pointers = value->pointers};
    if (value->isBuffer) {
        const std::uint64_t bytes = value->count * std::uint64_t(bytesOf(value->type));
        patch.bytes.resize(std::min(bytes, variable->sizeBytes() + 1)); // one more is already too many
        if (value->fill && bytes <= variable->sizeBytes())
            value->fill(patch.bytes);
    }
    if (patch.bytes.size() > variable->sizeBytes())
        return Error{.message = say::LessThanGiven(name, variable->sizeBytes()), .file = "--global " + spec};
    return patch;
}

Result<std::vector<Argument>> addDumps(LaunchPlan& plan, std::span<const DumpRequest> dumps) {
    std::vector<Argument> all = plan.arguments; // in the order of the recording's buffers
    all.insert(all.end(), plan.globalBuffers.begin(), plan.globalBuffers.end());
    for (const TexelArray& array : plan.arrays)
        all.push_back({.name = array.name, .isBuffer = true, .type = ElementType::U8, .count = array.bytes()});
    std::optional<ptx::Module> module; // read only if a name is none of these
    for (const DumpRequest& wanted : dumps) {
        if (std::any_of(all.begin(), all.end(),
                        [&](const Argument& a) { return a.isBuffer && a.name == wanted.argument; }))
            continue;
        if (!module) {
            auto parsed =
                plan.kept ? ptx::parseJoined(plan.ptx, plan.moduleName) : ptx::parse(plan.ptx, plan.moduleName);
            if (!parsed)
                return parsed.error();
            module = std::move(*parsed);
        }
        const ptx::Variable* variable = findGlobal(*module, wanted.argument);
        if (!variable) { // told before a long run, not after it
            Error error = dump(wanted, all, Buffers(all.size())).error();
            if (const std::string names = namesOfVariables(*module); !names.empty())
                error.remedy = say::OneAfterAnother(error.remedy, say::VariablesOfFile(names));
            return error;
        }
        plan.dumped.push_back({variable->name, variable->sizeBytes()});
        all.push_back(
            {.name = wanted.argument, .isBuffer = true, .type = ElementType::U8, .count = variable->sizeBytes()});
    }
    return all;
}

} // namespace warpglass::session
