// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes that begin as SQLite's files do are a file. All others are edits of a sound recording, eight bytes each: which
// recording (the first byte of all), then again and again a table, a row, a column, and what is put there. The program
// for libFuzzer is built without the comparison of digests (gpu/trace/read.cpp): who forges a file works them out anew.
#include "gpu/metrics/metrics.h"
#include "gpu/program/program_file.h"
#include "gpu/trace/cut.h"
#include "gpu/trace/export.h"
#include "gpu/trace/file.h"

#include "tests/fuzz/targets.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <sqlite3.h>
#include <sstream>

#include <unistd.h>

namespace warpglass::fuzz {

namespace {

namespace fs = std::filesystem;

std::string contentsOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct Bases {
    std::vector<std::string> files;
    fs::path scratch; // in memory where there is such a place
    Bases() {
        setenv("WARPGLASS_MEMORY", "512M", 1);
        for (const char* name : {"timed.wgt", "tree.wgt", "program.wgt"}) // made by warpglass-record, see README.md
            files.push_back(contentsOf(fs::path(WARPGLASS_SOURCE_DIR) / "tests/fuzz/bases" / name));
        const fs::path memory = "/dev/shm";
        std::error_code failed;
        std::string name =
            ((fs::is_directory(memory, failed) ? memory : fs::temp_directory_path()) / "warpglass-fuzz-XXXXXX")
                .string();
        if (!mkdtemp(name.data()))
            wrong("no scratch folder");
        scratch = name;
        for (const std::string& file : files)
            if (file.empty())
                wrong("a recording to begin with is missing");
    }
    ~Bases() {
        std::error_code failed;
        fs::remove_all(scratch, failed);
    }
};

const Bases& bases() {
    static const Bases all;
    return all;
}

// What is put into a cell: bounds of all widths, the cell's own value moved a little, words, nothing.
void putInto(sqlite3_stmt* update, std::int64_t old, std::uint8_t kind, std::int16_t value) {
    constexpr std::int64_t extremes[] = {0,
                                         -1,
                                         1,
                                         std::numeric_limits<std::int64_t>::max(),
                                         std::numeric_limits<std::int64_t>::min(),
                                         std::numeric_limits<std::int32_t>::max(),
                                         std::numeric_limits<std::int32_t>::min(),
                                         std::numeric_limits<std::uint32_t>::max(),
                                         65535,
                                         65536,
                                         std::int64_t(1) << 62,
                                         std::int64_t(1) << 33};
    switch (kind % 6) {
    case 0:
        sqlite3_bind_int64(update, 1, extremes[std::uint16_t(value) % std::size(extremes)]);
        break;
    case 1:
        sqlite3_bind_int64(update, 1, std::int64_t(std::uint64_t(old) + std::uint64_t(std::int64_t(value))));
        break;
    case 2:
        sqlite3_bind_int64(update, 1, std::uint16_t(value));
        break;
    case 3:
        sqlite3_bind_double(update, 1, value % 3 == 0 ? std::numeric_limits<double>::infinity() : value * 1e300);
        break;
    case 4:
        sqlite3_bind_text(update, 1, value % 2 ? "" : "optimised", -1, SQLITE_STATIC);
        break;
    default:
        sqlite3_bind_null(update, 1);
        break;
    }
}

std::vector<std::string> namesOf(sqlite3* db, const char* sql) {
    std::vector<std::string> names;
    sqlite3_stmt* select = nullptr;
    if (sqlite3_prepare_v2(db, sql, -1, &select, nullptr) == SQLITE_OK)
        while (sqlite3_step(select) == SQLITE_ROW)
            names.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(select, 0)));
    sqlite3_finalize(select);
    return names;
}

struct Table {
    std::string name;
    std::vector<std::string> columns;
};

std::vector<Table> tablesOf(sqlite3* db) {
    std::vector<Table> tables;
    for (const std::string& name : namesOf(db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"))
        tables.push_back({name, namesOf(db, ("SELECT name FROM pragma_table_info('" + name + "')").c_str())});
    return tables;
}

void edit(sqlite3* db, const std::vector<Table>& tables, const std::uint8_t* bytes) {
    const auto& [table, columns] = tables[bytes[0] % tables.size()];
    const std::string& column = columns[bytes[1] % columns.size()];
    const std::string cell = " WHERE rowid = (SELECT rowid FROM \"" + table + "\" LIMIT 1 OFFSET " +
                             std::to_string(bytes[2] | bytes[3] << 8) + " % max(1, (SELECT count(*) FROM \"" + table +
                             "\")))";
    sqlite3_stmt* select = nullptr;
    if (sqlite3_prepare_v2(db, ("SELECT \"" + column + "\" FROM \"" + table + "\"" + cell).c_str(), -1, &select,
                           nullptr) != SQLITE_OK ||
        sqlite3_step(select) != SQLITE_ROW) {
        sqlite3_finalize(select);
        return;
    }
    std::int16_t value = 0;
    std::memcpy(&value, bytes + 6, sizeof value);
    sqlite3_stmt* update = nullptr;
    sqlite3_prepare_v2(db, ("UPDATE \"" + table + "\" SET \"" + column + "\" = ?1" + cell).c_str(), -1, &update,
                       nullptr);
    std::string blob;
    if (sqlite3_column_type(select, 0) == SQLITE_BLOB && bytes[4] % 8 != 0) { // a byte of it
        blob.assign(static_cast<const char*>(sqlite3_column_blob(select, 0)),
                    std::size_t(sqlite3_column_bytes(select, 0)));
        if (!blob.empty())
            blob[(std::size_t(bytes[5]) << 8 | bytes[4]) % blob.size()] = char(value);
        sqlite3_bind_blob(update, 1, blob.data(), int(blob.size()), SQLITE_STATIC);
    } else {
        putInto(update, sqlite3_column_int64(select, 0), bytes[4], value);
    }
    sqlite3_step(update);
    sqlite3_finalize(update);
    sqlite3_finalize(select);
}

void writeEdited(const fs::path& path, std::string_view bytes) {
    const auto& files = bases().files;
    const std::size_t base = std::uint8_t(bytes[0]) % files.size();
    std::ofstream(path, std::ios::binary) << files[base];
    sqlite3* db = nullptr;
    if (sqlite3_open(path.c_str(), &db) != SQLITE_OK)
        wrong("the scratch file cannot be opened");
    sqlite3_exec(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", nullptr, nullptr, nullptr);
    static std::map<std::size_t, std::vector<Table>> known;
    std::vector<Table>& tables = known[base];
    if (tables.empty())
        tables = tablesOf(db);
    constexpr std::size_t step = 8, mostEdits = 12;
    for (std::size_t at = 1, n = 0; at + step <= bytes.size() && n < mostEdits; at += step, ++n)
        edit(db, tables, reinterpret_cast<const std::uint8_t*>(bytes.data()) + at);
    sqlite3_exec(db, "COMMIT", nullptr, nullptr, nullptr);
    sqlite3_close(db);
}

// What is done to a recording without a window. The ways out take longer than all else: one in four times, by the dice.
void use(const Trace& trace, const fs::path& scratch, std::size_t dice) {
    for (std::uint32_t launch = 0; launch < trace.launches.size() && launch < 3; ++launch)
        (void)metrics(trace, launch);
    Progress progress;
    if (dice % 16 == 0) {
        std::ostringstream csv;
        for (const std::string& table : exportTables())
            writeCsv(trace, table, csv);
    }
    if (dice % 16 == 1)
        (void)exportPerfetto(trace, scratch / "perfetto", progress);
    if (dice % 16 == 2)
        (void)exportJson(trace, scratch / "json", progress);
    if (dice % 16 == 3 && !trace.launches.empty()) {
        const Launch& all = trace.launches[0];
        const std::int64_t middle = all.start.value / 2 + all.end.value / 2;
        if (const auto part = cut(trace, TimeRange{all.start, Time{middle}}); part)
            if (const auto ok = validate(**part); !ok)
                wrong(("a part of a recording is not sound: " + ok.error().text()).c_str());
    }
}

void useProgram(const program::ProgramTrace& program) {
    for (std::uint32_t row = 0; row < program.operations.size() && row < 64; ++row) {
        (void)program.argumentsOf(program.operations[row]);
        (void)argumentWords(program, row);
    }
}

} // namespace

void recording(std::string_view bytes) {
    constexpr std::size_t most = 1 << 20;
    if (bytes.empty() || bytes.size() > most)
        return;
    const fs::path path = bases().scratch / "it.wgt";
    if (bytes.starts_with("SQLite format 3"))
        std::ofstream(path, std::ios::binary) << bytes;
    else
        writeEdited(path, bytes);
    Progress progress;
    if (const auto read = readTrace(path, progress); read) {
        if (const auto ok = validate(**read); !ok)
            wrong(("what was read is not sound: " + ok.error().text()).c_str());
        use(**read, bases().scratch, std::hash<std::string_view>()(bytes));
    } else if (const auto opened = openTrace(path, progress); opened) { // all that is read was opened first
        (void)metrics(**opened, 0);
    }
    if (const auto read = program::readProgram(path); read)
        useProgram(*read);
}

} // namespace warpglass::fuzz
