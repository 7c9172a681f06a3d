// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/arrays.h"

namespace warpglass::virtual_device {

std::vector<std::uint64_t> Array::levelOffsets() const {
    std::vector<std::uint64_t> offsets{0};
    for (std::uint32_t level = 0; level + 1 < shape.levels; ++level)
        offsets.push_back(offsets.back() + shape.bytesOfLevel(level));
    return offsets;
}

Array* Arrays::add(std::unique_ptr<Array> array) {
    Array* const handle = array.get();
    m_arrays[handle] = std::move(array);
    return handle;
}

Array* Arrays::addMipmapped(std::unique_ptr<Array> array) {
    Array* const handle = array.get();
    const std::vector<std::uint64_t> offsets = array->levelOffsets();
    const auto there = [](std::size_t size, std::uint32_t now) { return size ? std::size_t(now) : 0; };
    for (std::uint32_t level = 0; level < array->shape.levels; ++level) {
        auto part = std::make_unique<Array>();
        part->shape = array->shape;
        part->shape.extent = array->shape.extentOf(level);
        part->shape.levels = 1;
        part->format = array->format, part->flags = array->flags, part->device = array->device;
        const Extent e = part->shape.extent;
        part->extent = {e.width, there(array->extent.height, e.height), there(array->extent.depth, e.depth)};
        part->address = array->address + offsets[level];
        part->isLevel = true;
        m_levels[part.get()] = part.get();
        array->levels.push_back(std::move(part));
    }
    m_mipmapped[handle] = std::move(array);
    return handle;
}

Array* Arrays::find(const void* handle) {
    if (const auto level = m_levels.find(handle); level != m_levels.end())
        return level->second;
    const auto found = m_arrays.find(handle);
    return found == m_arrays.end() ? nullptr : found->second.get();
}

Array* Arrays::mipmapped(const void* handle) {
    const auto found = m_mipmapped.find(handle);
    return found == m_mipmapped.end() ? nullptr : found->second.get();
}

void Arrays::erase(const Array* array) {
    for (const auto& level : array->levels)
        m_levels.erase(level.get());
    if (m_mipmapped.erase(array) == 0)
        m_arrays.erase(array);
}

const ObjectWords* Arrays::words(unsigned device, std::uint64_t handle) const {
    const auto found = m_objects.find({device, handle});
    return found == m_objects.end() ? nullptr : &found->second;
}

void Arrays::forget(unsigned device) {
    std::vector<const Array*> all;
    for (const auto* arrays : {&m_arrays, &m_mipmapped})
        for (const auto& [handle, array] : *arrays)
            if (array->device == device)
                all.push_back(array.get());
    for (const Array* array : all)
        erase(array);
    std::erase_if(m_objects, [device](const auto& object) { return object.first.first == device; });
}

} // namespace warpglass::virtual_device
