// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/kept_memory.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace warpglass {

namespace {

class Reached {
public:
    explicit Reached(ReachableMemory& memory) : m_memory(memory) {}

    void lookThrough(std::span<const std::byte> bytes) {
        for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + at, 8);
            m_textures |= m_memory.isTexture(word);
            if (const auto piece = m_memory.pieceAt(word))
                add(*piece);
        }
    }
    void add(const MemoryPiece& piece) {
        if (piece.bytes > 0 && m_pieces.emplace(piece.address, piece.bytes).second)
            m_open.push_back(piece);
    }
    // All that what was added leads to. Size: it is more than `most` bytes.
    Result<Keeping> follow(std::uint64_t most) {
        std::uint64_t bytes = 0;
        while (!m_open.empty()) {
            const MemoryPiece piece = m_open.back();
            m_open.pop_back();
            bytes += piece.bytes;
            if (bytes > most)
                return Keeping::Size;
            const auto contents = m_memory.contents(piece);
            if (!contents)
                return contents.error();
            lookThrough(*contents);
        }
        return m_textures ? Keeping::Textures : Keeping::Kept;
    }
    const std::map<std::uint64_t, std::uint64_t>& pieces() const { return m_pieces; } // [address] bytes

private:
    ReachableMemory& m_memory;
    std::map<std::uint64_t, std::uint64_t> m_pieces;
    std::vector<MemoryPiece> m_open; // reached, and not looked through yet
    bool m_textures = false;         // an object was among the words
};

class Writer {
public:
    void add(KeptArea area, std::span<const std::byte> bytes) {
        const std::size_t first = m_words.size();
        area.bytes = bytes.size();
        m_words.resize(first + area.words());
        std::copy(bytes.begin(), bytes.end(),
                  std::as_writable_bytes(std::span(m_words)).begin() + std::ptrdiff_t(first * 8));
        m_areas.push_back(std::move(area));
    }
    KeptMemory take() { return {std::move(m_areas), LargeTable<std::uint64_t>(std::move(m_words))}; }

private:
    std::vector<KeptArea> m_areas;
    std::vector<std::uint64_t> m_words;
};

} // namespace

Result<Keep> keepMemory(ReachableMemory& memory, std::uint64_t most) {
    const auto constants = memory.constants();
    std::map<std::uint64_t, std::string> variables;
    Reached reached(memory);
    for (const auto& v : memory.variables()) {
        variables[v.piece.address] = v.name;
        reached.add(v.piece);
    }
    reached.lookThrough(memory.parameters());
    for (const auto& c : constants)
        reached.lookThrough(c.bytes);
    const auto keeping = reached.follow(most);
    if (!keeping)
        return keeping.error();
    if (*keeping != Keeping::Kept)
        return Keep{*keeping, {}};

    Writer kept;
    kept.add({.role = KeptRole::Parameters, .name = "parameters"}, memory.parameters());
    for (const auto& c : constants)
        kept.add({.role = KeptRole::Constant, .name = c.name}, c.bytes);
    for (const auto& [address, bytes] : reached.pieces()) {
        const MemoryPiece piece{address, bytes};
        const auto contents = memory.contents(piece);
        if (!contents)
            return contents.error();
        const auto variable = variables.find(address);
        if (variable == variables.end())
            kept.add({.role = memory.roleOf(piece), .address = address, .name = memory.nameOf(piece)}, *contents);
        else
            kept.add({.role = KeptRole::Variable, .address = address, .name = variable->second}, *contents);
    }
    return Keep{Keeping::Kept, kept.take()};
}

} // namespace warpglass
