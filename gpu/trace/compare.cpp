// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/compare.h"

#include "gpu/trace/rows.h"

#include <cmath>
#include <deque>
#include <fmt/format.h>

namespace warpglass {

namespace {

template <typename T>
std::string shown(const T& field) {
    if constexpr (std::is_enum_v<T>)
        return name(field);
    else if constexpr (std::is_same_v<T, LaneMask>)
        return fmt::format("{:08x}", field.bits);
    else if constexpr (std::is_same_v<T, Time>)
        return fmt::format("{}", field.value);
    else if constexpr (std::is_same_v<T, std::string>)
        return field.size() > 40 ? fmt::format("\"{}...\"", field.substr(0, 40)) : fmt::format("\"{}\"", field);
    else
        return fmt::format("{}", field);
}

// All fields of a row as text-free copies would cost too much on millions of rows, so the second row is walked by
// position: the visitor remembers where each field of the first lay.
struct Fields {
    std::vector<const void*> at;
    std::deque<std::string> texts; // of their own: some are made while they are walked
    void clear() {
        at.clear();
        texts.clear();
    }
    template <typename T>
    void operator()(const char*, const T& field, const char*) {
        if constexpr (std::is_same_v<T, std::string>)
            at.push_back(&texts.emplace_back(field));
        else
            at.push_back(&field);
    }
};

struct Comparison {
    const char* table;
    std::size_t row;
    const Fields& first;
    std::size_t column = 0;
    std::optional<std::string> difference = {};

    template <typename T>
    void operator()(const char* columnName, const T& b, const char*) {
        const T& a = *static_cast<const T*>(first.at[column++]);
        if (difference)
            return;
        bool same = a == b;
        if constexpr (std::is_floating_point_v<T>)
            same = same || (std::isnan(a) && std::isnan(b));
        if constexpr (std::is_same_v<T, std::string>)
            same = same || std::string_view(columnName) == "recorded_at";
        if (!same)
            difference =
                fmt::format("table {}, row {}, column {}: {} and {}", table, row, columnName, shown(a), shown(b));
    }
};

template <typename Rows>
std::optional<std::string> differentRows(const char* table, const Rows& a, const Rows& b) {
    Fields fields;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        fields.clear();
        describe(fields, a[i]);
        Comparison comparison{table, i, fields};
        describe(comparison, b[i]);
        if (comparison.difference)
            return comparison.difference;
    }
    if (a.size() != b.size())
        return fmt::format("table {}: {} rows and {} rows", table, a.size(), b.size());
    return {};
}

std::optional<std::string> differentNumbers(const char* table, const LargeTable<std::uint64_t>& a,
                                            const LargeTable<std::uint64_t>& b) {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        if (a[i] != b[i])
            return fmt::format("table {}, row {}: {:x} and {:x}", table, i, a[i], b[i]);
    if (a.size() != b.size())
        return fmt::format("table {}: {} rows and {} rows", table, a.size(), b.size());
    return {};
}

std::optional<std::string> differentEvents(const EventTable& a, const EventTable& b) {
    if (a == b)
        return {};
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const Event x = a.get(i, {}), y = b.get(i, {});
        Fields fields;
        describe(fields, x);
        Comparison comparison{"events", i, fields};
        describe(comparison, y);
        if (comparison.difference)
            return comparison.difference;
    }
    if (a.size() != b.size())
        return fmt::format("table events: {} rows and {} rows", a.size(), b.size());
    return {};
}

} // namespace

std::optional<std::string> firstDifference(const Trace& a, const Trace& b) {
    std::optional<std::string> difference;
    const FlatRows flatA = flatten(a), flatB = flatten(b);
    // Walk both sets of tables in step: collect the first's, then compare with the second's.
    std::vector<const void*> tables;
    forEachSmallTable(a, flatA, [&](const char*, const auto& rows) { tables.push_back(&rows); });
    std::size_t n = 0;
    forEachSmallTable(b, flatB, [&](const char* table, const auto& rows) {
        const auto& other = *static_cast<const std::remove_reference_t<decltype(rows)>*>(tables[n++]);
        if (!difference)
            difference = differentRows(table, other, rows);
    });
    if (!difference)
        difference = differentRows("blocks", a.blocks, b.blocks);
    if (!difference)
        difference = differentRows("warps", a.warps, b.warps);
    if (!difference)
        difference = differentEvents(a.events, b.events);
    if (!difference)
        difference = differentRows("states", a.states, b.states);
    if (!difference)
        difference = differentRows("accesses", a.accesses, b.accesses);
    if (!difference)
        difference = differentNumbers("access_addresses", a.accessAddresses, b.accessAddresses);
    if (!difference)
        difference = differentNumbers("access_values", a.accessValues, b.accessValues);
    if (!difference)
        difference = differentNumbers("kept_words", a.kept.words, b.kept.words);
    if (!difference && a.codes.bytes != b.codes.bytes)
        difference = "table machine_bytes: other bytes";
    return difference;
}

} // namespace warpglass
