// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/tile_use.h"

#include <algorithm>
#include <map>

namespace warpglass {

namespace {

constexpr std::size_t mostRequests = 512; // of a side: hundreds of layouts are tried on each
constexpr std::uint64_t bankLine = 128;   // bytes, once through the banks

struct Bounds {
    std::uint64_t first = ~std::uint64_t(0), end = 0;
    bool isEmpty() const { return first >= end; }
    void add(const Bounds& other) {
        first = std::min(first, other.first);
        end = std::max(end, other.end);
    }
    bool meets(const Bounds& other) const { return first < other.end && other.first < end; }
    bool holds(const Bounds& other) const { return first <= other.first && other.end <= end; }
};

struct Asked { // one request
    const AccessRow* row;
    std::uint32_t line;
    Bounds bounds;
};

std::vector<Asked> askedOf(const Trace& trace, const Block& block) {
    std::vector<Asked> all;
    for (const Warp& warp : trace.warpsOf(block)) {
        auto row = std::lower_bound(trace.accesses.begin(), trace.accesses.end(), warp.firstEvent,
                                    [](const AccessRow& a, std::uint64_t event) { return a.event < event; });
        for (; row != trace.accesses.end() && row->event < warp.firstEvent + warp.eventCount; ++row) {
            const std::uint32_t site = trace.events.site(row->event);
            if (row->space != MemorySpace::Shared || row->shuffle || site >= trace.sites.size())
                continue;
            Asked asked{&*row, trace.sites[site].ptxLine, {}};
            for (const std::uint64_t address : trace.addresses(*row))
                asked.bounds.add({address, address + std::uint64_t(row->bytesPerElement) * row->elements});
            if (!asked.bounds.isEmpty())
                all.push_back(asked);
        }
    }
    return all;
}

// From lane to lane of the request that is served worst: how far apart the rows of the tile lie.
std::uint32_t pitchOf(const std::vector<TileRequest>& requests) {
    const std::uint32_t worst = worstOf(requests, {.order = TileOrder::Plain}, 1);
    if (worst == noIndex)
        return bankLine;
    const auto& bytes = requests[worst].bytes;
    std::map<std::uint64_t, int> steps;
    for (std::size_t n = 1; n < bytes.size(); ++n)
        if (bytes[n] > bytes[n - 1])
            ++steps[bytes[n] - bytes[n - 1]];
    const auto most =
        std::max_element(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == steps.end() || most->first < 32 || most->first > 16384 ? bankLine : std::uint32_t(most->first);
}

class TileFinder {
public:
    TileFinder(const Trace& trace, const Block& block) : m_trace(trace), m_all(askedOf(trace, block)) {}

    std::optional<RecordedTile> find(std::uint32_t ofLine) {
        Bounds own;
        for (const Asked& asked : m_all)
            if (asked.line == ofLine)
                own.add(asked.bounds);
        if (own.isEmpty())
            return std::nullopt;
        std::map<std::uint32_t, Bounds> lines;
        for (const Asked& asked : m_all)
            lines[asked.line].add(asked.bounds);
        Bounds tile = own;
        for (const auto& [number, bounds] : lines)
            if (bounds.meets(own))
                tile.add(bounds);
        RecordedTile found;
        found.base = tile.first / bankLine * bankLine;
        found.use.bytes = tile.end - found.base;
        take(found, tile, true);
        take(found, tile, false);
        const auto& worse = found.use.reads.empty() ? found.use.writes : found.use.reads;
        const std::uint32_t ofReads = pitchOf(worse), ofWrites = pitchOf(found.use.writes);
        found.use.rowBytes = std::max(ofReads, ofWrites);
        found.use.rows = std::uint32_t((found.use.bytes + found.use.rowBytes - 1) / found.use.rowBytes);
        return found;
    }

    Bounds boundsOf(const RecordedTile& tile) const { return {tile.base, tile.base + tile.use.bytes}; }

private:
    void take(RecordedTile& found, const Bounds& tile, bool writes) const {
        std::vector<const Asked*> own;
        for (const Asked& asked : m_all)
            if (tile.holds(asked.bounds) && (asked.row->kind == AccessKind::Store) == writes)
                own.push_back(&asked);
        auto& requests = writes ? found.use.writes : found.use.reads;
        std::vector<std::uint32_t> lineOf;
        const std::size_t every = (own.size() + mostRequests - 1) / mostRequests;
        for (std::size_t n = 0; n < own.size(); ++n) {
            if (every > 1 && n % every != 0) {
                ++found.left;
                continue;
            }
            const AccessRow& row = *own[n]->row;
            TileRequest request{.active = m_trace.events.active(row.event),
                                .bytesPerLane = std::uint32_t(row.bytesPerElement) * row.elements,
                                .kind = row.kind};
            for (const std::uint64_t address : m_trace.addresses(row))
                request.bytes.push_back(address - found.base);
            auto& bytes = writes ? found.writerBytes : found.readerBytes;
            bytes = std::max(bytes, request.bytesPerLane);
            found.use.elementBytes = row.bytesPerElement;
            requests.push_back(std::move(request));
            lineOf.push_back(own[n]->line);
        }
        found.requests += requests.size();
        if (const std::uint32_t worst = worstOf(requests, {.order = TileOrder::Plain}, 1); worst != noIndex)
            (writes ? found.writeLine : found.readLine) = lineOf[worst];
    }

    const Trace& m_trace;
    std::vector<Asked> m_all;
};

} // namespace

std::optional<RecordedTile> recordedTile(const Trace& trace, std::uint32_t block, std::uint32_t ofLine) {
    if (block >= trace.blocks.size())
        return std::nullopt;
    TileFinder finder(trace, trace.blocks[block]);
    auto found = finder.find(ofLine);
    if (!found)
        return std::nullopt;
    const Bounds tile = finder.boundsOf(*found);
    const Block& of = trace.blocks[block];
    for (const AsyncCopy& copy : trace.copies)
        found->copies += copy.warp >= of.firstWarp && copy.warp < of.firstWarp + of.warpCount &&
                         copy.place != noIndex && tile.meets({copy.place, copy.place + 1});
    return found;
}

} // namespace warpglass
