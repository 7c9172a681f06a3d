// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/emulator/texture: textures and surfaces, from a launch's bindings to what a lane gets.
//
// texture_memory.h holds what is bound, found by the 64-bit handle that a kernel passes about; texels.h reads and writes
// one texel in its format; sampling.h turns coordinates into a result (the formulas of the CUDA C++ Programming Guide,
// "Texture Fetching"); texture_ops and surface_ops are the handlers of the instructions, decode/decode_texture.cpp fills
// their TextureOp.
//
// How a device lays an array out is not published. Here it lies row by row in an area of global memory of its own, which
// no pointer of the kernel leads to; therefore accesses are counted as requests of the texture space with the bytes asked
// for, and no sectors are told.
#pragma once

#include "gpu/emulator/state/memory_map.h"
#include "gpu/launch/plan.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace warpglass::emulator {

// Handles lie in a window of their own: no pointer is one, and none is a pointer.
inline constexpr std::uint64_t textureWindow = 0x0000'0006'0000'0000ull, handleStep = 64;

struct BoundArray {
    TexelArray array; // without its contents
    std::byte* data = nullptr;
    std::uint64_t base = 0;                 // address of the first byte
    std::vector<std::uint64_t> levelOffset; // bytes
    std::uint64_t rowBytes = 0;             // from row to row, where they are not close together; of level 0 alone

    std::uint64_t offsetOf(std::uint32_t level, std::int64_t x, std::int64_t y, std::int64_t z) const {
        const Extent e = array.extentOf(level);
        const std::uint64_t row = std::uint64_t(z) * e.height + std::uint64_t(y);
        if (rowBytes)
            return row * rowBytes + std::uint64_t(x) * array.texelBytes();
        return levelOffset[level] + (row * e.width + std::uint64_t(x)) * array.texelBytes();
    }
};

// One object that a handle names.
struct BoundObject {
    enum class Kind : std::uint8_t { Texture, Surface, Sampler } kind = Kind::Texture;
    std::string name;
    const BoundArray* array = nullptr; // of a sampler: none
    Sampler sampler;
    bool gone = false; // its handle names nothing any more
};

class TextureMemory {
public:
    // Takes memory for the plan's arrays and fills it.
    void bind(const LaunchPlan& plan, GlobalMemory& memory);
    void bindSampler(const std::string& name, const Sampler& sampler);
    // An object over memory of somebody else's, which outlives it; its handle.
    std::uint64_t add(BoundObject::Kind kind, BoundArray array, const Sampler& sampler);
    bool remove(std::uint64_t handle);
    void removeOver(std::uint64_t address, std::uint64_t bytes); // objects that look at this memory
    std::optional<std::uint64_t> handleOf(const std::string& name) const;
    const BoundObject* find(std::uint64_t handle) const {
        const std::uint64_t n = (handle - textureWindow) / handleStep;
        return handle >= textureWindow && handle % handleStep == 0 && n < m_objects.size() && !m_objects[n].gone
                   ? &m_objects[n]
                   : nullptr;
    }
    const std::vector<Area*>& areas() const { return m_areas; } // as LaunchPlan::arrays

private:
    std::deque<BoundArray> m_arrays; // objects point to them
    std::vector<Area*> m_areas;
    std::vector<BoundObject> m_objects;
};

} // namespace warpglass::emulator
