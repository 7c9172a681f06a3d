// SPDX-License-Identifier: GPL-3.0-or-later
// All tables of a trace as rows with their numbers, for the exports; but for the bytes of kept memory, which are as many as
// the program's.
#pragma once

#include "gpu/trace/rows.h"

#include <string>

namespace warpglass {

// Rows that only exist while they are exported: the event with its number and its warp, a number of a number column.
struct ExportedEvent {
    std::uint64_t row = 0;
    std::uint32_t warp = 0;
    Event event;
};
struct ExportedNumber {
    std::uint64_t row = 0;
    std::uint64_t number = 0;
};

template <typename V, RowOf<ExportedEvent> R>
void describe(V&& v, R& r) {
    v("row", r.row, "");
    v("warp", r.warp, "");
    describe(v, r.event);
}
template <typename V, RowOf<ExportedNumber> R>
void describe(V&& v, R& r) {
    v("row", r.row, "");
    v("number", r.number, "");
}

// Calls table(name, count, at) for each table: at(i) gives row i (a row struct or an Exported one). Tables whose rows
// are told apart by their place get a "row" column from the caller: hasRowColumn says which already have one.
template <typename V>
void forEachTable(const Trace& trace, V&& table) {
    const FlatRows flat = flatten(trace);
    const auto vector = [&](const char* tableName, const auto& rows) {
        table(
            tableName, rows.size(), [&](std::size_t i) -> const auto& { return rows[i]; });
    };
    forEachSmallTable(trace, flat, vector);
    vector("blocks", trace.blocks);
    vector("warps", trace.warps);
    table("events", trace.events.size(), [&, w = std::uint32_t(0)](std::size_t i) mutable {
        while (i >= trace.warps[w].firstEvent + trace.warps[w].eventCount)
            ++w;
        return ExportedEvent{i, w, trace.events.get(i, trace.warps[w].start)};
    });
    vector("states", trace.states);
    vector("accesses", trace.accesses);
    const auto numbers = [&](const char* tableName, const LargeTable<std::uint64_t>& all) {
        table(tableName, all.size(), [&](std::size_t i) { return ExportedNumber{i, all[i]}; });
    };
    numbers("access_addresses", trace.accessAddresses);
    numbers("access_values", trace.accessValues);
}

template <typename Row>
inline constexpr bool hasRowColumn = std::is_same_v<Row, ExportedEvent> || std::is_same_v<Row, ExportedNumber>;

} // namespace warpglass
