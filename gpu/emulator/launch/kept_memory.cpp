// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/launch/kept_memory.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/files.h"
#include "gpu/emulator/state/heap_rooms.h"

#include "gpu/base/memory_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace warpglass::emulator {

namespace {

class KeptLaunchMemory : public ReachableMemory {
public:
    KeptLaunchMemory(const ptx::Module& module, LaunchMemory& image) : m_module(module), m_image(image) {}

    std::span<const std::byte> parameters() const override { return m_image.params; }
    std::vector<Variable> constants() override {
        std::vector<Variable> all;
        std::set<std::string_view> names;
        const auto add = [&](const ptx::Variable& v) {
            if (v.space != ptx::StateSpace::Const || v.opaque != ptx::Opaque::None || !names.insert(v.name).second)
                return;
            const std::uint64_t at = m_image.symbols.variables.at(v.name).address;
            const auto from = std::span(m_image.constants).subspan(at);
            all.push_back({v.name, {}, from.first(std::min<std::uint64_t>(v.sizeBytes(), from.size()))});
        };
        for (const ptx::Variable& v : m_module.variables)
            add(v);
        for (const ptx::Function& f : m_module.functions)
            for (const ptx::Variable& v : f.locals)
                add(v);
        return all;
    }
    std::vector<Variable> variables() override {
        std::vector<Variable> all;
        for (const auto& [name, place] : m_image.symbols.variables)
            if (place.space == ptx::StateSpace::Global)
                if (const Area* area = m_image.memory.nearest(place.address); area && area->base == place.address)
                    all.push_back({name, {area->base, area->bytes}, {}});
        return all;
    }
    std::optional<MemoryPiece> pieceAt(std::uint64_t word) override {
        if (windowOf(word) != Window::Global)
            return std::nullopt;
        const Area* area = m_image.memory.nearest(word);
        if (!area || word - area->base > area->bytes)
            return std::nullopt;
        return MemoryPiece{area->base, area->bytes};
    }
    Result<std::span<const std::byte>> contents(const MemoryPiece& piece) override {
        return std::span<const std::byte>(areaOf(piece).whole()).first(piece.bytes);
    }
    bool isTexture(std::uint64_t word) const override { return m_image.textures.find(word) != nullptr; }
    KeptRole roleOf(const MemoryPiece& piece) const override {
        return areaOf(piece).heap ? KeptRole::Heap : KeptRole::Memory;
    }
    std::string nameOf(const MemoryPiece& piece) const override { return areaOf(piece).name.text(); }

private:
    const Area& areaOf(const MemoryPiece& piece) const { return *m_image.memory.nearest(piece.address); }
    const ptx::Module& m_module;
    LaunchMemory& m_image;
};

std::uint64_t wordsOf(const KeptMemory& kept) {
    std::uint64_t words = 0;
    for (const KeptArea& area : kept.areas)
        words += area.words();
    return words;
}

Error unlike(const ptx::Module& module, const Message& what) {
    return Error{.message = say::KeptUnlike(what), .file = module.name};
}

} // namespace

Keep keepMemory(const ptx::Module& module, LaunchMemory& image, std::uint64_t most) {
    if (std::any_of(module.variables.begin(), module.variables.end(),
                    [](const ptx::Variable& v) { return v.opaque != ptx::Opaque::None; }))
        return {Keeping::Textures, {}};
    KeptLaunchMemory memory(module, image);
    return std::move(*warpglass::keepMemory(memory, most)); // its contents are always there
}

Result<std::unique_ptr<LaunchMemory>> launchMemoryOf(const ptx::Module& module, const KeptMemory& kept) {
    constexpr std::uint64_t highest = std::uint64_t(1) << 62, gap = 1 << 20, alignment = 512;
    if (wordsOf(kept) * 8 > memoryLimit())
        return Error{.message = say::KeptBegan(memoryWords(wordsOf(kept) * 8), memoryWords(memoryLimit())),
                     .remedy = say::MemoryRemedy};
    std::uint64_t end = globalBase;
    for (const KeptArea& area : kept.areas) {
        if (area.role == KeptRole::Constant || area.role == KeptRole::Parameters)
            continue;
        if (area.address < globalLowest || area.address > highest || area.bytes > highest)
            return unlike(module, say::NoGlobalAt(fmt::format("{:#x}", area.address)));
        end = std::max(end, area.address + area.bytes);
    }
    auto image = std::make_unique<LaunchMemory>();
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
        if (area.role == KeptRole::Constant) {
            const auto place = image->symbols.variables.find(area.name);
            if (place == image->symbols.variables.end() || place->second.space != ptx::StateSpace::Const ||
                bytes.size() > image->constants.size() - place->second.address)
                return unlike(module, say::NoConstant(area.name, area.bytes));
            std::copy(bytes.begin(), bytes.end(), image->constants.begin() + std::ptrdiff_t(place->second.address));
            continue;
        }
        Said name = area.role == KeptRole::Memory ? say::MemoryAt(fmt::format("{:#x}", area.address)) : Said(area.name);
        if (area.role == KeptRole::Variable) {
            const auto place = image->symbols.variables.find(area.name);
            if (place == image->symbols.variables.end() || place->second.space != ptx::StateSpace::Global)
                return unlike(module, say::NoVariable(area.name));
            if (const ptx::Variable* variable = module.findVariable(area.name);
                variable && area.bytes < variable->sizeBytes()) // of which others read and write all
                return unlike(module, say::VariableLarger(area.name, area.bytes));
            image->memory.remove(place->second.address);
            place->second.address = area.address;
            name = say::VariableNamed(area.name);
        }
        Area& placed = image->memory.place(area.address, area.bytes, std::move(name));
        placed.heap = area.role == KeptRole::Heap;
        std::copy(bytes.begin(), bytes.end(), placed.whole().begin());
    }
    if (kept.words.firstBad())
        return Error{say::KeptDamaged};
    return image;
}

void putBack(const KeptMemory& kept, LaunchMemory& image) {
    std::size_t word = 0;
    Area* hint = nullptr;
    for (const KeptArea& area : kept.areas) {
        const auto words = kept.words.rows(word, area.words());
        word += area.words();
        if (area.role == KeptRole::Constant || area.role == KeptRole::Parameters) // no kernel writes there
            continue;
        if (const Area* to = image.memory.find(area.address, area.bytes, hint))
            std::copy_n(std::as_bytes(words).begin(), area.bytes, to->whole().data() + (area.address - to->base));
    }
}

std::uint64_t heapRoomOf(const KeptMemory& kept) {
    std::uint64_t room = 0;
    for (const KeptArea& area : kept.areas)
        room += area.role == KeptRole::Heap ? heapRoom(area.bytes) : 0;
    return room;
}

} // namespace warpglass::emulator
