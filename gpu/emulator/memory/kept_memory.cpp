// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/kept_memory.h"

#include "gpu/base/memory_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <span>

namespace warpglass::emulator {

namespace {

// Global memory that is reached from words that have been looked through.
class Reached {
public:
    explicit Reached(Image& image) : m_image(image) {}

    void lookThrough(std::span<const std::byte> bytes) {
        for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + at, 8);
            m_textures |= m_image.textures.find(word) != nullptr;
            if (windowOf(word) != Window::Global)
                continue;
            // The end of a piece is where many a loop stops: it belongs to the piece.
            const Area* area = m_image.memory.nearest(word);
            if (area && area->bytes > 0 && word - area->base <= area->bytes)
                add(*area);
        }
    }
    void add(const Area& area) {
        if (m_areas.insert(&area).second)
            m_open.push_back(&area);
    }
    // All that what was added leads to. False: it is more than `most` bytes.
    bool follow(std::uint64_t most) {
        std::uint64_t bytes = 0;
        while (!m_open.empty()) {
            const Area& area = *m_open.back();
            m_open.pop_back();
            bytes += area.bytes;
            if (bytes > most)
                return false;
            lookThrough({area.data, area.bytes});
        }
        return true;
    }
    bool has(const Area& area) const { return m_areas.contains(&area); }
    bool textures() const { return m_textures; } // an object was among the words

private:
    Image& m_image;
    std::set<const Area*> m_areas;
    std::vector<const Area*> m_open; // reached, and not looked through yet
    bool m_textures = false;
};

std::uint64_t wordsOf(const KeptMemory& kept) {
    std::uint64_t words = 0;
    for (const KeptArea& area : kept.areas)
        words += area.words();
    return words;
}

Error unlike(const ptx::Module& module, const std::string& what) {
    return Error{.message = fmt::format("no launch of this module began with the memory that is kept: {}", what),
                 .file = module.name};
}

} // namespace

Result<KeptMemory> keepMemory(const ptx::Module& module, Image& image, std::uint64_t most) {
    if (std::any_of(module.variables.begin(), module.variables.end(),
                    [](const ptx::Variable& v) { return v.opaque != ptx::Opaque::None; }))
        return Error{"textures"};
    Reached reached(image);
    std::map<const Area*, std::string> variables;
    for (const auto& [name, place] : image.symbols.variables)
        if (place.space == ptx::StateSpace::Global)
            if (const Area* area = image.memory.nearest(place.address); area && area->base == place.address) {
                variables[area] = name;
                reached.add(*area);
            }
    reached.lookThrough(image.params);
    reached.lookThrough(image.constants);
    if (!reached.follow(most))
        return Error{"size"};
    if (reached.textures())
        return Error{"textures"};

    KeptMemory kept;
    std::vector<std::uint64_t> words;
    const auto add = [&](KeptArea area, std::span<const std::byte> bytes) {
        const std::size_t first = words.size();
        area.bytes = bytes.size();
        words.resize(first + area.words());
        std::copy(bytes.begin(), bytes.end(),
                  std::as_writable_bytes(std::span(words)).begin() + std::ptrdiff_t(first * 8));
        kept.areas.push_back(std::move(area));
    };
    add({.role = KeptRole::Parameters, .name = "parameters"}, image.params);
    if (!image.constants.empty())
        add({.role = KeptRole::Constants, .name = "constants"}, image.constants);
    for (const auto& area : image.memory.areas()) {
        if (!reached.has(*area))
            continue;
        const auto variable = variables.find(area.get());
        const bool isVariable = variable != variables.end();
        add({.role = isVariable   ? KeptRole::Variable
                     : area->heap ? KeptRole::Heap
                                  : KeptRole::Memory,
             .address = area->base,
             .name = isVariable ? variable->second : area->name},
            {area->data, area->bytes});
    }
    kept.words = LargeTable<std::uint64_t>(std::move(words));
    return kept;
}

Result<std::unique_ptr<Image>> imageOf(const ptx::Module& module, const KeptMemory& kept) {
    constexpr std::uint64_t highest = std::uint64_t(1) << 62, gap = 1 << 20, alignment = 512;
    if (wordsOf(kept) * 8 > memoryLimit())
        return Error{.message = fmt::format("the launch began with {} of memory, and {} is the limit",
                                            memoryWords(wordsOf(kept) * 8), memoryWords(memoryLimit())),
                     .remedy = memoryRemedy};
    std::uint64_t end = globalBase;
    for (const KeptArea& area : kept.areas) {
        if (area.role == KeptRole::Constants || area.role == KeptRole::Parameters)
            continue;
        if (area.address < globalBase || area.address > highest || area.bytes > highest)
            return unlike(module, fmt::format("there is no global memory at 0x{:x}", area.address));
        end = std::max(end, area.address + area.bytes);
    }
    auto image = std::make_unique<Image>();
    image->memory.startAt((end + gap + alignment - 1) / alignment * alignment);
    placeModule(module, *image);
    std::size_t word = 0;
    for (const KeptArea& area : kept.areas) {
        const auto words = kept.words.rows(word, area.words());
        word += area.words();
        const auto bytes = std::as_bytes(words).first(area.bytes);
        if (area.role == KeptRole::Parameters) {
            image->params.assign(bytes.begin(), bytes.end());
            continue;
        }
        if (area.role == KeptRole::Constants) {
            if (bytes.size() != image->constants.size())
                return unlike(module, fmt::format("{} bytes of constants", bytes.size()));
            image->constants.assign(bytes.begin(), bytes.end());
            continue;
        }
        std::string name = area.name;
        if (area.role == KeptRole::Variable) {
            const auto place = image->symbols.variables.find(area.name);
            if (place == image->symbols.variables.end() || place->second.space != ptx::StateSpace::Global)
                return unlike(module, fmt::format("it has no variable {}", area.name));
            image->memory.remove(place->second.address);
            place->second.address = area.address;
            name = fmt::format("variable {}", area.name);
        }
        Area& placed = image->memory.place(area.address, area.bytes, std::move(name));
        placed.heap = area.role == KeptRole::Heap;
        std::copy(bytes.begin(), bytes.end(), placed.data);
    }
    if (kept.words.firstBad())
        return Error{"the memory that the recording keeps is damaged"};
    return image;
}

std::uint64_t heapBytesOf(const KeptMemory& kept) {
    std::uint64_t bytes = 0;
    for (const KeptArea& area : kept.areas)
        bytes += area.role == KeptRole::Heap ? area.bytes : 0;
    return bytes;
}

} // namespace warpglass::emulator
