// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/state/texture_memory.h"

#include "gpu/base/messages/emulator.h"

#include <fmt/format.h>

namespace warpglass::emulator {

void TextureMemory::bind(const LaunchPlan& plan, GlobalMemory& memory) {
    for (const TexelArray& array : plan.arrays) {
        Area& area = memory.allocate(array.bytes(), say::ArrayNamed(array.name));
        if (array.fill)
            array.fill(area.whole());
        BoundArray bound{.array = array, .data = area.whole().data(), .base = area.base, .levelOffset = {}};
        bound.array.fill = nullptr;
        std::uint64_t offset = 0;
        for (std::uint32_t level = 0; level < array.levels; ++level) {
            bound.levelOffset.push_back(offset);
            offset += array.bytesOfLevel(level);
        }
        m_arrays.push_back(std::move(bound));
        m_areas.push_back(&area);
    }
    for (const TextureBinding& t : plan.textures)
        m_objects.push_back({BoundObject::Kind::Texture, t.name, &m_arrays[t.array], t.sampler});
    for (const SurfaceBinding& s : plan.surfaces)
        m_objects.push_back({BoundObject::Kind::Surface, s.name, &m_arrays[s.array], {}});
}

void TextureMemory::bindSampler(const std::string& name, const Sampler& sampler) {
    m_objects.push_back({BoundObject::Kind::Sampler, name, nullptr, sampler});
}

std::uint64_t TextureMemory::add(BoundObject::Kind kind, BoundArray array, const Sampler& sampler) {
    m_arrays.push_back(std::move(array));
    m_objects.push_back({kind, fmt::format("{}", m_objects.size() + 1), &m_arrays.back(), sampler});
    return textureWindow + (m_objects.size() - 1) * handleStep;
}

bool TextureMemory::remove(std::uint64_t handle) {
    const BoundObject* found = find(handle);
    if (found)
        m_objects[std::size_t(found - m_objects.data())].gone = true;
    return found;
}

void TextureMemory::removeOver(std::uint64_t address, std::uint64_t bytes) {
    for (BoundObject& o : m_objects)
        if (o.array && o.array->base - address < bytes)
            o.gone = true;
}

std::optional<std::uint64_t> TextureMemory::handleOf(const std::string& name) const {
    for (std::size_t n = 0; n < m_objects.size(); ++n)
        if (m_objects[n].name == name)
            return textureWindow + n * handleStep;
    return std::nullopt;
}

} // namespace warpglass::emulator
