// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/record/shared_names.h"

#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/code/register_rows.h"
#include "gpu/emulator/record/object_text.h"
#include "gpu/emulator/state/async_state.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpglass::emulator {

namespace {

constexpr std::size_t mostViews = 64;

using Place = ptx::DebugInfo::Place;

// The variable of the text that debug information means by that name.
bool isCalled(const DeclaredObject& object, const std::string& name) {
    return object.source->name == name || object.source->name.starts_with(name + "__of_file_");
}

// A pointer that the lane holds there. Nothing: it can't be read.
std::optional<std::uint64_t> pointerAt(const Program& program, const WarpContext& warp, const Frame& frame,
                                       const Place& place, int lane) {
    std::uint64_t value = 0;
    if (place.kind == Place::Kind::Register) {
        FrameLayout layout;
        const RegisterRows rows = layoutRegisters(*program.functions[frame.function].source, layout);
        const auto row = rows.find(place.name);
        if (row == rows.end() || row->second.bytes() > 8)
            return std::nullopt;
        std::memcpy(&value, frame.rows.get() + row->second.row + std::size_t(lane) * row->second.bytes(),
                    row->second.bytes());
        return value;
    }
    if (place.kind != Place::Kind::Memory)
        return std::nullopt;
    for (const DeclaredObject& o : program.objects)
        if (o.space == ptx::StateSpace::Local && o.function == frame.function && isCalled(o, place.name)) {
            for (std::uint64_t k = 0; k < 8; ++k) {
                const std::byte* const byte = warp.local.find(frame.localBase + o.begin + place.offset + k, lane);
                if (!byte)
                    return std::nullopt;
                value |= std::uint64_t(*byte) << (8 * k);
            }
            return value;
        }
    return std::nullopt;
}

} // namespace

SharedNames::SharedNames(const LaunchState& launch)
    : m_program(*launch.program), m_info(ptx::debugInfo(*launch.program->module)) {
    const Program& program = m_program;
    for (const ptx::DebugInfo::Variable& v : m_info.variables)
        for (const Place& place : v.places)
            for (const DeclaredObject& o : program.objects)
                if (place.kind == Place::Kind::Memory && o.space == ptx::StateSpace::Shared && isCalled(o, place.name))
                    add({v.name, o.begin + place.offset, v.type});
    if (m_info.variables.empty() && launch.plan)
        m_members = membersIn(program, ptx::StateSpace::Shared, *launch.plan, launch.sharedBytes);
}

void SharedNames::add(View view) {
    const bool known = std::any_of(m_views.begin(), m_views.end(),
                                   [&](const View& v) { return v.base == view.base && v.type == view.type; });
    if (!known && m_views.size() < mostViews)
        m_views.push_back(std::move(view));
}

void SharedNames::look(const BlockState& block) {
    if (m_info.variables.empty())
        return;
    for (std::uint32_t w = 0; w < block.warpCount; ++w) {
        const WarpContext& warp = *block.warps[w];
        for (const StackEntry& e : warp.stack) {
            const std::uint32_t lanes = e.mask.bits & ~warp.exited.bits;
            if (warp.done || lanes == 0 || e.children > 0 || e.state == EntryState::Done || e.pc == 0)
                continue;
            std::uint32_t position = e.pc - 1;
            for (const Frame* f = e.frame; f; position = f->callPosition, f = f->parent)
                look(warp, *f, position, lanes);
        }
    }
}

void SharedNames::look(const WarpContext& warp, const Frame& frame, std::uint32_t position, std::uint32_t lanes) {
    const FunctionCode& code = m_program.functions[frame.function];
    if (position < code.first || position >= code.end)
        return;
    const std::uint32_t at = position - code.first;
    for (const ptx::DebugInfo::Variable& v : m_info.variables) {
        const auto function = m_program.functionOfModule.find(v.function);
        if (function == m_program.functionOfModule.end() || function->second != frame.function || at < v.begin ||
            at >= v.end || v.type >= m_info.types.size())
            continue;
        const ptx::DebugInfo::Type& type = m_info.types[v.type];
        if (type.kind != ptx::DebugInfo::Type::Kind::Pointer || type.of >= m_info.types.size() ||
            m_info.types[type.of].kind != ptx::DebugInfo::Type::Kind::Struct || v.name == "this")
            continue;
        for (const Place& place : v.places) {
            if (at < place.begin || at >= place.end)
                continue;
            const auto pointer = pointerAt(m_program, warp, frame, place, std::countr_zero(lanes));
            if (pointer && windowOf(*pointer) == Window::Shared)
                add({v.name, *pointer - sharedWindow, type.of});
        }
    }
}

std::optional<std::string> SharedNames::at(std::uint64_t offset, std::uint64_t bytes) const {
    for (const View& view : m_views)
        if (offset >= view.base && view.type < m_info.types.size())
            if (const auto path = ptx::pathAt(m_info, view.type, offset - view.base, bytes);
                path && path->part.offset == offset - view.base)
                return view.name + path->path;
    return m_members.at(offset, bytes);
}

// Its variable begins with one, as an array of them does, so that a place in it is its number.
bool isNamedMbarrier(const SharedNames& names, const Program& program, const BlockState& home, std::uint32_t at) {
    if (names.at(at, 8))
        return true;
    const DeclaredObject* const o = sharedDeclared(program, at);
    return o && o->bytes > 0 && o->bytes % 8 == 0 && home.async &&
           home.async->barriers.contains(std::uint32_t(o->begin));
}

Message mbarrierName(const SharedNames& names, const Program& program, const BlockState& home, std::uint32_t at) {
    if (const auto name = names.at(at, 8))
        return plain(*name);
    if (isNamedMbarrier(names, program, home, at))
        return sharedObjectAt(program, at, 8);
    const DeclaredObject* const o = sharedDeclared(program, at);
    return o ? say::ByteOf(at - o->begin, plain(nameOf(*o))) : say::AtByte(at);
}

} // namespace warpglass::emulator
