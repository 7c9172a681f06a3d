// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA arrays, mipmapped ones and their levels, and what texture and surface objects were made of. An array lies row by
// row in memory of its own, a mipmapped one level after level; a level is an array by itself that looks at its part.
#pragma once

#include "gpu/launch/texture.h"
#include "gpu/virtual/core/abi.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace warpglass::virtual_device {

struct Array {
    TexelArray shape; // with all levels
    CallFormat format{};
    CallExtent extent{}; // as the program gave it: 0 where there is no such axis
    unsigned flags = 0;
    unsigned device = 0;
    std::uint64_t address = 0; // of the device's memory
    const Array* of = nullptr; // of a level: the mipmapped one

    std::size_t rowBytes() const { return std::size_t(shape.extent.width) * shape.texelBytes(); }
    std::vector<std::uint64_t> levelOffsets() const;
};

// A texture or surface object as the program described it.
struct ObjectWords {
    CallResource resource{};
    CallTexture texture{};
    std::optional<CallView> view;
    bool isSurface = false;
};

class Arrays {
public:
    Array* add(std::unique_ptr<Array> array);
    Array* addMipmapped(std::unique_ptr<Array> array);
    // Each time a handle of its own: programs give them back one by one, or leave them to the mipmapped array.
    Array* level(const Array& mipmapped, std::uint32_t number);
    Array* find(const void* handle); // an array or a level; nullptr if it is none
    Array* mipmapped(const void* handle);
    void erase(const Array* array); // of any kind, with its levels

    void describe(unsigned device, std::uint64_t handle, ObjectWords words) { m_objects[{device, handle}] = words; }
    const ObjectWords* words(unsigned device, std::uint64_t handle) const;
    bool forget(unsigned device, std::uint64_t handle) { return m_objects.erase({device, handle}) > 0; }
    void forget(unsigned device); // all that it has

private:
    std::map<const void*, std::unique_ptr<Array>> m_arrays, m_mipmapped;
    std::map<std::pair<unsigned, std::uint64_t>, ObjectWords> m_objects;
};

} // namespace warpglass::virtual_device
