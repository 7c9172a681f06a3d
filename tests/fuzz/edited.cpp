// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/edited.h"

#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <sqlite3.h>
#include <string>
#include <tuple>
#include <vector>
#include <zstd.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace warpglass::fuzz {

namespace {

namespace fs = std::filesystem;

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

// Words that mean something in one column or another: what was asked for, roles, kinds, names.
constexpr const char* meaningful[] = {"",
                                      "optimised",
                                      "emulator",
                                      "cuda",
                                      "file",
                                      "catalogue",
                                      "kernel",
                                      "arg",
                                      "global",
                                      "buffer",
                                      "texture",
                                      "surface",
                                      "set",
                                      "size",
                                      "grid",
                                      "block",
                                      "cluster",
                                      "shared",
                                      "memory",
                                      "kept",
                                      "size",
                                      "textures",
                                      "heap",
                                      "heap-limit",
                                      "pending-launches",
                                      "variable",
                                      "constant",
                                      "parameters",
                                      "detail",
                                      "all",
                                      "block:0,1",
                                      "timing",
                                      "without",
                                      "check",
                                      "race",
                                      "on-fault",
                                      "report",
                                      "reconvergence",
                                      "independent",
                                      "max-events",
                                      "max-instructions",
                                      "device",
                                      "h200",
                                      "nanoseconds",
                                      "steps",
                                      "measured",
                                      "k.ptx",
                                      "k.cu",
                                      "reduceInterleaved",
                                      "64",
                                      "3,2,1",
                                      "-1",
                                      "x:f32[64]=iota",
                                      "{\"operation\":0}",
                                      "{\"name\":7,\"parameters\":[{\"offset\":4294967295,\"bytes\":65536}]}"};

class Statement {
public:
    Statement(sqlite3* db, const std::string& sql) { sqlite3_prepare_v2(db, sql.c_str(), -1, &m_statement, nullptr); }
    ~Statement() { sqlite3_finalize(m_statement); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    sqlite3_stmt* get() const { return m_statement; }
    bool step() { return sqlite3_step(m_statement) == SQLITE_ROW; }
    void done() {
        sqlite3_step(m_statement);
        reset();
    }
    void reset() {
        sqlite3_reset(m_statement);
        sqlite3_clear_bindings(m_statement);
    }

private:
    sqlite3_stmt* m_statement = nullptr;
};

std::vector<std::string> textsOf(sqlite3* db, const std::string& sql) {
    std::vector<std::string> texts;
    for (Statement select(db, sql); select.step();)
        texts.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(select.get(), 0)));
    return texts;
}

struct Column {
    Column(sqlite3* db, const std::string& table, const std::string& name)
        : select(db, "SELECT \"" + name + "\" FROM \"" + table + "\" WHERE rowid = ?1"),
          update(db, "UPDATE \"" + table + "\" SET \"" + name + "\" = ?1 WHERE rowid = ?2") {}
    Statement select, update;
};

struct Table {
    Table(sqlite3* db, const std::string& its)
        : name(its), erase(db, "DELETE FROM \"" + its + "\" WHERE rowid = ?1"),
          repeat(db, "INSERT INTO \"" + its + "\" SELECT * FROM \"" + its + "\" WHERE rowid = ?1") {
        for (const std::string& column : textsOf(db, "SELECT name FROM pragma_table_info('" + its + "')"))
            columns.push_back(std::make_unique<Column>(db, its, column));
        for (Statement select(db, "SELECT rowid FROM \"" + its + "\""); select.step();)
            rows.push_back(sqlite3_column_int64(select.get(), 0));
    }
    std::string name;
    Statement erase, repeat;
    std::vector<std::unique_ptr<Column>> columns;
    std::vector<std::int64_t> rows;
};

// One of an edit's eight bytes.
struct Edit {
    const std::uint8_t* bytes;
    std::size_t table() const { return bytes[0]; }
    std::size_t column() const { return bytes[1]; }
    std::size_t row() const { return bytes[2] | std::size_t(bytes[3]) << 8; }
    int kind() const { return bytes[4] % 8; }
    // Of the first to the last.
    std::size_t place(std::size_t places) const {
        constexpr std::size_t steps = 1 << 13;
        const std::size_t at = std::size_t(bytes[4] / 8) << 8 | bytes[5];
        return places <= steps ? at % places : at * places / steps;
    }
    std::int16_t value() const {
        std::int16_t value = 0;
        std::memcpy(&value, bytes + 6, sizeof value);
        return value;
    }
};

// The bytes that a packed cell says, with one of them changed; empty if it is not packed.
std::vector<std::uint8_t> changedInside(std::span<const std::uint8_t> packed, const Edit& edit) {
    constexpr unsigned long long most = 1 << 20;
    const unsigned long long bytes = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (bytes == 0 || bytes > most) // nor if that is not known
        return {};
    static ZSTD_DCtx* const unpacker = ZSTD_createDCtx();
    static ZSTD_CCtx* const packer = ZSTD_createCCtx();
    std::vector<std::uint8_t> plain(bytes);
    if (ZSTD_decompressDCtx(unpacker, plain.data(), plain.size(), packed.data(), packed.size()) != bytes)
        return {};
    plain[edit.place(plain.size())] = std::uint8_t(edit.value());
    std::vector<std::uint8_t> out(ZSTD_compressBound(plain.size()));
    out.resize(ZSTD_compressCCtx(packer, out.data(), out.size(), plain.data(), plain.size(), 1));
    return out;
}

class Base {
public:
    Base(const fs::path& file, int number)
        : m_contents(contentsOf(file)), m_path(scratchFolder() / ("it-" + std::to_string(number) + ".wgt")) {
        if (m_contents.size() < headBytes)
            wrong(("a recording to begin with is missing: " + file.string()).c_str());
        std::ofstream(m_path, std::ios::binary) << m_contents;
        m_file = open(m_path.c_str(), O_RDWR | O_CLOEXEC);
        void* seen = mmap(nullptr, m_contents.size(), PROT_READ | PROT_WRITE, MAP_SHARED, m_file, 0);
        // Nobody else opens it while it is written: no locks are needed.
        if (m_file < 0 || seen == MAP_FAILED ||
            sqlite3_open_v2(m_path.c_str(), &m_db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none") !=
                SQLITE_OK)
            wrong("the scratch file cannot be opened");
        m_seen = static_cast<char*>(seen);
        run("PRAGMA journal_mode = MEMORY");
        run("PRAGMA synchronous = OFF");
        for (const std::string& name :
             textsOf(m_db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"))
            m_tables.push_back(std::make_unique<Table>(m_db, name));
        const bool counts =
            std::any_of(m_tables.begin(), m_tables.end(), [](const auto& t) { return t->name == "tables"; });
        if (counts)
            m_promise =
                std::make_unique<Statement>(m_db, "UPDATE tables SET row_count = row_count + ?1 WHERE name = ?2");
    }

    const fs::path& path() const { return m_path; }

    void edit(std::string_view edits) {
        restore();
        constexpr std::size_t step = 8, mostEdits = 12;
        const auto each = [&](auto what) {
            for (std::size_t at = 0, n = 0; at + step <= edits.size() && n < mostEdits; at += step, ++n) {
                const Edit edit{reinterpret_cast<const std::uint8_t*>(edits.data()) + at};
                what(edit, edit.table() % (m_tables.size() + 2));
            }
        };
        run("BEGIN");
        each([&](const Edit& edit, std::size_t table) {
            if (table < m_tables.size())
                cell(*m_tables[table], edit);
        });
        run("COMMIT");
        m_isSound = edits.size() < step;
        each([&](const Edit& edit, std::size_t table) {
            if (table == m_tables.size())
                m_seen[versionAt] = char(edit.value());
            else if (table > m_tables.size())
                m_seen[(edit.column() | edit.row() << 8) % m_contents.size()] = char(edit.value());
        });
    }

private:
    static constexpr std::size_t headBytes = 100, versionAt = 63; // SQLite's user_version, its lowest byte

    void run(const char* sql) { sqlite3_exec(m_db, sql, nullptr, nullptr, nullptr); }

    // SQLite sees by the counter in the first page that its own copies of pages are old.
    void restore() {
        if (m_isSound)
            return;
        if (ftruncate(m_file, off_t(m_contents.size())) != 0)
            wrong("the scratch file cannot be cut");
        constexpr std::size_t page = 4096;
        for (std::size_t at = 0; at < m_contents.size(); at += page) {
            const std::size_t bytes = std::min(page, m_contents.size() - at);
            if (std::memcmp(m_seen + at, m_contents.data() + at, bytes) != 0)
                std::memcpy(m_seen + at, m_contents.data() + at, bytes);
        }
    }

    void promise(const Table& table, std::int64_t more) {
        if (!m_promise)
            return;
        sqlite3_bind_int64(m_promise->get(), 1, more);
        sqlite3_bind_text(m_promise->get(), 2, table.name.c_str(), -1, SQLITE_STATIC);
        m_promise->done();
    }

    void cell(Table& table, const Edit& edit) {
        if (table.rows.empty() || table.columns.empty())
            return;
        const std::int64_t row = table.rows[edit.row() % table.rows.size()];
        Column& column = *table.columns[edit.column() % table.columns.size()];
        if (edit.kind() == 5 && edit.value() % 3 != 0) { // the whole row
            const bool less = edit.value() % 3 == 1;
            Statement& change = less ? table.erase : table.repeat;
            sqlite3_bind_int64(change.get(), 1, row);
            change.done();
            promise(table, less ? -1 : 1);
            return;
        }
        sqlite3_bind_int64(column.select.get(), 1, row);
        if (column.select.step()) {
            put(column.update.get(), column.select.get(), edit);
            sqlite3_bind_int64(column.update.get(), 2, row);
            column.update.done();
        }
        column.select.reset();
    }

    // What is put into a cell: bounds of all widths, its own value moved a little, words, nothing, another byte.
    void put(sqlite3_stmt* update, sqlite3_stmt* select, const Edit& edit) {
        const std::int16_t value = edit.value();
        const int type = sqlite3_column_type(select, 0);
        const bool isBytes = type == SQLITE_BLOB || type == SQLITE_TEXT;
        if (isBytes && edit.kind() != 0 && edit.kind() != 4) {
            const auto* old = static_cast<const std::uint8_t*>(sqlite3_column_blob(select, 0));
            const std::span<const std::uint8_t> bytes(old, std::size_t(sqlite3_column_bytes(select, 0)));
            m_cell.clear();
            if (type == SQLITE_BLOB && edit.kind() != 1)
                m_cell = changedInside(bytes, edit);
            if (m_cell.empty() && !bytes.empty()) {
                m_cell.assign(bytes.begin(), bytes.end());
                m_cell[edit.place(m_cell.size())] = std::uint8_t(value);
            }
            if (type == SQLITE_BLOB)
                sqlite3_bind_blob(update, 1, m_cell.data(), int(m_cell.size()), SQLITE_STATIC);
            else
                sqlite3_bind_text(update, 1, reinterpret_cast<const char*>(m_cell.data()), int(m_cell.size()),
                                  SQLITE_STATIC);
            return;
        }
        switch (edit.kind()) {
        case 0:
            sqlite3_bind_int64(update, 1, extremes[std::uint16_t(value) % std::size(extremes)]);
            break;
        case 2:
            sqlite3_bind_int64(update, 1, std::uint16_t(value));
            break;
        case 3:
            sqlite3_bind_double(update, 1, value % 3 == 0 ? std::numeric_limits<double>::infinity() : value * 1e300);
            break;
        case 4:
            sqlite3_bind_text(update, 1, meaningful[std::uint16_t(value) % std::size(meaningful)], -1, SQLITE_STATIC);
            break;
        case 5:
            sqlite3_bind_null(update, 1);
            break;
        default:
            sqlite3_bind_int64(
                update, 1,
                std::int64_t(std::uint64_t(sqlite3_column_int64(select, 0)) + std::uint64_t(std::int64_t(value))));
            break;
        }
    }

    std::string m_contents;
    fs::path m_path;
    int m_file = -1;
    char* m_seen = nullptr; // the file's bytes
    bool m_isSound = true;
    sqlite3* m_db = nullptr;
    std::vector<std::unique_ptr<Table>> m_tables;
    std::unique_ptr<Statement> m_promise; // of how many rows a table has
    std::vector<std::uint8_t> m_cell;     // what is put there, until it is
};

std::vector<std::unique_ptr<Base>>& bases() {
    // Made by warpglass-record, see README.md. They stay until the process ends.
    static auto& all = *[] {
        auto* made = new std::vector<std::unique_ptr<Base>>;
        int number = 0;
        for (const char* name : {"timed.wgt", "tree.wgt", "program.wgt", "launch.wgt"})
            made->push_back(std::make_unique<Base>(filesToBeginWith() / "bases" / name, number++));
        return made;
    }();
    return all;
}

} // namespace

fs::path editedRecording(std::string_view bytes) {
    Base& base = *bases()[std::uint8_t(bytes[0]) % bases().size()];
    base.edit(bytes.substr(1));
    return base.path();
}

} // namespace warpglass::fuzz
