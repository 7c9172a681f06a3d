// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ttgir/tile_layout.h"

#include <algorithm>

namespace warpglass::ttgir {

namespace {

void put(Place& into, const std::vector<Place>& bases, std::uint32_t number) {
    for (std::size_t bit = 0; bit < bases.size(); ++bit)
        if (number >> bit & 1)
            for (std::size_t d = 0; d < into.size(); ++d)
                into[d] ^= bases[bit][d];
}

} // namespace

Place TileLayout::element(std::uint32_t warp, std::uint32_t lane, std::uint32_t reg, std::uint32_t block) const {
    Place at(shape.size(), 0);
    put(at, registers, reg);
    put(at, lanes, lane);
    put(at, warps, warp);
    put(at, blocks, block);
    return at;
}

std::vector<Holder> holdersOf(const TileLayout& layout, const Place& element) {
    std::vector<Holder> all;
    const std::uint32_t lanes = 1u << layout.lanes.size();
    for (std::uint32_t w = 0; w < layout.warpCount(); ++w)
        for (std::uint32_t l = 0; l < lanes; ++l)
            for (std::uint32_t r = 0; r < layout.registerCount(); ++r)
                if (layout.element(w, l, r) == element)
                    all.push_back({w, l, r});
    return all;
}

// Gauss and Jordan, over bits: the offset whose bases come to the element. Layouts of shared memory have one for each.
std::uint64_t SharedLayout::offsetOf(const Place& element) const {
    struct Row {
        Place value;
        std::uint64_t offset = 0;
    };
    std::vector<Row> reduced;
    const auto lead = [](const Place& value) { // its highest bit: dimension, then bit
        for (std::size_t d = 0; d < value.size(); ++d)
            for (int bit = 31; bit >= 0; --bit)
                if (value[d] >> bit & 1)
                    return std::pair(int(d), bit);
        return std::pair(-1, -1);
    };
    const auto take = [](Row& from, const Row& row) {
        for (std::size_t d = 0; d < from.value.size(); ++d)
            from.value[d] ^= row.value[d];
        from.offset ^= row.offset;
    };
    const auto reduce = [&](Row row) {
        for (auto at = lead(row.value); at.first >= 0; at = lead(row.value)) {
            const auto known =
                std::find_if(reduced.begin(), reduced.end(), [&](const Row& r) { return lead(r.value) == at; });
            if (known == reduced.end())
                break;
            take(row, *known);
        }
        return row;
    };
    for (std::size_t bit = 0; bit < offsets.size(); ++bit)
        if (Row row = reduce({offsets[bit], std::uint64_t(1) << bit}); lead(row.value).first >= 0)
            reduced.push_back(std::move(row));
    const Row found = reduce({element, 0});
    return lead(found.value).first < 0 ? found.offset : ~std::uint64_t(0);
}

} // namespace warpglass::ttgir
