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
    m_mipmapped[handle] = std::move(array);
    return handle;
}

Array* Arrays::level(const Array& mipmapped, std::uint32_t number) {
    auto level = std::make_unique<Array>();
    level->shape = mipmapped.shape;
    level->shape.extent = mipmapped.shape.extentOf(number);
    level->shape.levels = 1;
    const auto there = [](std::size_t size, std::uint32_t now) { return size ? std::size_t(now) : 0; };
    const Extent e = level->shape.extent;
    level->extent = {e.width, there(mipmapped.extent.height, e.height), there(mipmapped.extent.depth, e.depth)};
    level->format = mipmapped.format, level->flags = mipmapped.flags, level->device = mipmapped.device;
    level->address = mipmapped.address + mipmapped.levelOffsets()[number];
    level->of = &mipmapped;
    return add(std::move(level));
}

Array* Arrays::find(const void* handle) {
    const auto found = m_arrays.find(handle);
    return found == m_arrays.end() ? nullptr : found->second.get();
}

Array* Arrays::mipmapped(const void* handle) {
    const auto found = m_mipmapped.find(handle);
    return found == m_mipmapped.end() ? nullptr : found->second.get();
}

void Arrays::erase(const Array* array) {
    std::erase_if(m_arrays, [array](const auto& one) { return one.second->of == array || one.first == array; });
    m_mipmapped.erase(array);
}

const ObjectWords* Arrays::words(unsigned device, std::uint64_t handle) const {
    const auto found = m_objects.find({device, handle});
    return found == m_objects.end() ? nullptr : &found->second;
}

void Arrays::forget(unsigned device) {
    for (auto* arrays : {&m_arrays, &m_mipmapped})
        std::erase_if(*arrays, [device](const auto& one) { return one.second->device == device; });
    std::erase_if(m_objects, [device](const auto& object) { return object.first.first == device; });
}

} // namespace warpglass::virtual_device
