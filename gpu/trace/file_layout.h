// SPDX-License-Identifier: GPL-3.0-or-later
// What writer and reader of a .wgt file must agree on.
//
// Three kinds of tables: the small ones, with a column for each of describe()'s, readable with any SQLite tool
// (enumerations as words, masks as numbers); `chunks`, with the packed rows of the large tables (blocks, warps, events,
// states, accesses, access_addresses, access_values, kept_words, event_nodes, state_nodes) and of `machine_bytes` in order; and `tables`, which says of
// each table how many rows it has and what their digest is (from format 3 on of the packed bytes, too), so that a
// flipped bit anywhere is told with the table's name before a chunk is unpacked.
#pragma once

#include "gpu/trace/file.h"
#include "gpu/trace/rows.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

inline constexpr std::uint32_t traceApplicationId = 0x57475431;   // "WGT1"
inline constexpr std::uint32_t programApplicationId = 0x57475031; // "WGP1": of a whole program (gpu/program)
inline constexpr std::size_t sqliteHeaderBytes = 100;

inline constexpr const char* chunksSchema =
    "CREATE TABLE chunks (name TEXT, number INTEGER, first_row INTEGER, row_count INTEGER, time_begin INTEGER, "
    "time_end INTEGER, first_warp INTEGER, last_warp INTEGER, data BLOB)";
inline constexpr const char* tablesSchema =
    "CREATE TABLE tables (name TEXT, row_count INTEGER, digest INTEGER, wide INTEGER)";
// Texts of the kernels, a zstd frame each: in rows of kernels of one module they would be most of the file.
inline constexpr const char* textsSchema = "CREATE TABLE texts (number INTEGER PRIMARY KEY, bytes INTEGER, data BLOB)";
// Formats 1 and 2 had a pyramid of another kind, which nobody reads any more.
inline constexpr const char* oldLanesSchema =
    "CREATE TABLE lod_lanes (\"sm\" INTEGER, \"slot\" INTEGER, \"scheduler\" INTEGER, \"first_warp\" INTEGER, "
    "\"warps\" INTEGER, \"events\" INTEGER, \"states\" INTEGER, \"first_node\" INTEGER, \"first_state_node\" INTEGER)";

// The longest text or blob: a source or a kernel's PTX; a chunk is never longer than its plain numbers, which are less.
inline constexpr std::int64_t longestValue = 64 << 20;
inline constexpr std::size_t outputPiece = 16 << 20; // what kernels print goes on in the next row

// Where a chunk lies. Times and warps only mean something for tables that have them; else 0.
struct Chunk {
    std::int64_t number = 0, firstRow = 0, rows = 0;
    std::int64_t timeBegin = 0, timeEnd = 0; // of the rows' own clock
    std::int64_t firstWarp = 0, lastWarp = 0;
};

// FNV-1a over the values of a table's fields, row after row.
class Digest {
public:
    void number(std::uint64_t n) {
        for (int i = 0; i < 8; ++i)
            byte(std::uint8_t(n >> (8 * i)));
    }
    void text(std::string_view text) {
        number(text.size());
        for (const char c : text)
            byte(std::uint8_t(c));
    }
    template <typename T>
    void operator()(const char*, const T& field, const char*) {
        if constexpr (std::is_same_v<T, std::string>)
            text(field);
        else if constexpr (std::is_same_v<T, double>)
            number(field == field ? std::bit_cast<std::uint64_t>(field + 0.0) : 1); // any NaN alike; -0 as 0
        else if constexpr (std::is_same_v<T, LaneMask>)
            number(field.bits);
        else if constexpr (std::is_same_v<T, Time>)
            number(std::uint64_t(field.value));
        else
            number(std::uint64_t(field));
    }
    void chunk(const Chunk& c) {
        for (const std::int64_t n : {c.number, c.firstRow, c.rows, c.timeBegin, c.timeEnd, c.firstWarp, c.lastWarp})
            number(std::uint64_t(n));
    }
    // Eight bytes at a time; each step can be undone, so no change of one of them goes unseen.
    void bytes(std::span<const std::byte> bytes) {
        number(bytes.size());
        std::size_t i = 0;
        for (std::uint64_t word; i + sizeof word <= bytes.size(); i += sizeof word) {
            std::memcpy(&word, bytes.data() + i, sizeof word);
            m_hash = std::rotl((m_hash ^ word) * 0x9e3779b97f4a7c15u, 29);
        }
        for (; i < bytes.size(); ++i)
            byte(std::uint8_t(bytes[i]));
    }
    std::int64_t value() const { return std::int64_t(m_hash); }

private:
    void byte(std::uint8_t b) { m_hash = (m_hash ^ b) * 0x100000001b3u; }
    std::uint64_t m_hash = 0xcbf29ce484222325u;
};

// "a", "b", ...: the names of a row's columns, quoted, with a declared type for CREATE TABLE or without for SELECT.
struct ColumnNames {
    bool types = false;
    std::string list = {};
    int count = 0;
    template <typename T>
    void operator()(const char* columnName, const T&, const char*) {
        list += (count++ > 0 ? ", \"" : "\"") + std::string(columnName) + "\"";
        if (types) {
            if constexpr (std::is_same_v<T, std::string> || std::is_enum_v<T>)
                list += " TEXT";
            else if constexpr (std::is_same_v<T, double>)
                list += " REAL";
            else
                list += " INTEGER";
        }
    }
};

// Those columns of a row that a file of this format has: the others came with later ones.
template <typename Row, typename V>
struct ColumnsOfVersion {
    V& visitor;
    int version;
    template <typename T>
    void operator()(const char* columnName, T& field, const char* unit) {
        if constexpr (std::is_same_v<Row, InstructionCount>)
            if (const std::string_view column = columnName;
                version < 7 && (column == "caller_line" || column == "turns"))
                return;
        if constexpr (std::is_same_v<Row, Diagnostic> || std::is_same_v<Row, Launch>)
            if (version < 8 && std::string_view(columnName).ends_with("_said"))
                return;
        if constexpr (std::is_same_v<Row, AsyncCopy>)
            if (version < 10 && std::string_view(columnName) == "place")
                return;
        if constexpr (std::is_same_v<Row, Kernel>)
            if (const std::string_view column = columnName;
                version < 11 ? column == "ttgir" : column == "source" || column == "ptx" || column == "ttgir")
                return;
        visitor(columnName, field, unit);
    }
};
template <typename V, typename R>
void describeOfVersion(V& visitor, R& row, int version) {
    describe(ColumnsOfVersion<std::remove_const_t<R>, V>{visitor, version}, row);
}

template <typename Row>
ColumnNames columnNames(bool types, int version) {
    const Row row{};
    ColumnNames names{types};
    describeOfVersion(names, row, version);
    return names;
}

template <typename Row>
std::string createStatement(const char* table, int version) {
    return std::string("CREATE TABLE ") + table + " (" + columnNames<Row>(true, version).list + ")";
}

// The statements of every table that a trace's file may have, in any format.
const std::vector<std::string>& traceTables();

} // namespace warpglass
