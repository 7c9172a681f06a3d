// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/parallel.h"
#include "gpu/base/utf8.h"
#include "gpu/trace/chunk_rows.h"
#include "gpu/trace/database.h"
#include "gpu/trace/event_chunks.h"
#include "gpu/trace/file.h"
#include "gpu/trace/file_header.h"
#include "gpu/trace/file_layout.h"

#include <fmt/format.h>
#include <limits>
#include <map>
#include <mutex>

namespace warpglass {

namespace {

template <typename Enum>
bool parseWord(std::string_view word, Enum& value) {
    for (unsigned n = 0; n < 256; ++n) {
        const std::string_view known = name(Enum(n));
        if (known == "unknown")
            return false;
        if (known == word) {
            value = Enum(n);
            return true;
        }
    }
    return false;
}

// Takes one field after the other from a row; remembers the first column that does not hold what it should.
struct Taker {
    const Statement& statement;
    int column = 0;
    const char* wrong = nullptr;

    template <typename T>
    void operator()(const char* columnName, T& field, const char*) {
        const int at = column++;
        bool good = true;
        if constexpr (std::is_same_v<T, std::string>) {
            good = statement.isText(at);
            field = std::string(statement.text(at));
        } else if constexpr (std::is_enum_v<T>) {
            good = statement.isText(at) && parseWord(statement.text(at), field);
        } else if constexpr (std::is_same_v<T, double>) {
            // SQLite keeps no NaN; it comes back as NULL.
            field = statement.isNull(at) ? std::numeric_limits<double>::quiet_NaN() : statement.real(at);
        } else {
            good = statement.isInteger(at);
            const std::int64_t n = statement.integer(at);
            if constexpr (std::is_same_v<T, LaneMask>) {
                field.bits = std::uint32_t(n);
                good = good && std::int64_t(field.bits) == n;
            } else if constexpr (std::is_same_v<T, Time>) {
                field.value = n;
            } else {
                field = T(n);
                good = good && std::int64_t(field) == n;
            }
        }
        if (!good && !wrong)
            wrong = columnName;
    }
};

struct TableLine {
    std::int64_t rows = 0, digest = 0;
    bool wide = false;
};

class Reader {
public:
    Reader(Database& database, Progress& progress) : m_database(database), m_progress(progress) {}

    Result<void> readTables() {
        auto version = m_database.prepare("PRAGMA user_version");
        if (!version)
            return version.error();
        auto row = version->step();
        if (!row)
            return row.error();
        m_version = *row ? version->integer(0) : 0;
        auto select = m_database.prepare("SELECT name, row_count, digest, wide FROM tables");
        if (!select)
            return select.error();
        for (;;) {
            auto more = select->step();
            if (!more)
                return more.error();
            if (!*more)
                return {};
            if (!select->isText(0) || !select->isInteger(1) || !select->isInteger(2) || !select->isInteger(3) ||
                select->integer(1) < 0 || m_tables.size() > 1000)
                return Error{"table tables is damaged"};
            m_tables[std::string(select->text(0))] = {select->integer(1), select->integer(2), select->integer(3) != 0};
        }
    }

    Result<void> readTrace(Trace& trace) {
        FlatRows flat;
        Result<void> result;
        forEachSmallTable(trace, flat, [&](const char* table, auto& rows) {
            if (result)
                result = readRows(table, rows);
        });
        if (!result)
            return result;
        if (result = unflatten(std::move(flat), trace); !result)
            return result;
        if (result = readRowChunks("blocks", trace.blocks); !result)
            return result;
        if (result = readRowChunks("warps", trace.warps); !result)
            return result;
        if (result = readEvents(trace); !result)
            return result;
        if (result = readRowChunks("states", trace.states); !result)
            return result;
        if (result = readRowChunks("accesses", trace.accesses); !result)
            return result;
        if (result = readRowChunks("access_addresses", trace.accessAddresses); !result)
            return result;
        return readRowChunks("access_values", trace.accessValues);
    }

    Result<void> readLod(Lod& lod) {
        auto ok = readRows("lod_lanes", lod.lanes);
        if (ok)
            ok = readRowChunks("lod_warps", lod.warps);
        if (ok)
            ok = readRowChunks("lod_nodes", lod.nodes);
        if (ok)
            ok = readRowChunks("lod_states", lod.stateNodes);
        return ok;
    }

private:
    Result<TableLine> line(const char* table) const {
        const auto at = m_tables.find(table);
        if (at == m_tables.end())
            return Error{fmt::format("table tables is damaged: it does not list table {}", table)};
        return at->second;
    }

    template <typename Row>
    Result<void> readRows(const char* table, std::vector<Row>& rows) {
        if (m_version < 2 && std::is_same_v<Row, TimingRow>) // came with version 2
            return {};
        const auto promised = line(table);
        if (!promised)
            return promised.error();
        auto select =
            m_database.prepare(fmt::format("SELECT {} FROM {} ORDER BY rowid", columnNames<Row>(false).list, table));
        if (!select)
            return inTable(table, select.error());
        Digest digest;
        for (;;) {
            auto more = select->step();
            if (!more)
                return inTable(table, more.error());
            if (!*more)
                break;
            if (std::int64_t(rows.size()) >= promised->rows)
                return Error{fmt::format("table {} is damaged: it has more than its {} rows", table, promised->rows)};
            Row& row = rows.emplace_back();
            Taker taker{*select};
            describe(taker, row);
            if (taker.wrong)
                return Error{
                    fmt::format("table {} is damaged in row {}, column {}", table, rows.size() - 1, taker.wrong)};
            describe(digest, row);
        }
        if (std::int64_t(rows.size()) != promised->rows)
            return Error{
                fmt::format("table {} is damaged: it has {} rows instead of {}", table, rows.size(), promised->rows)};
        if (digest.value() != promised->digest)
            return Error{fmt::format("table {} is damaged: its rows are not those that were written", table)};
        return {};
    }

    static Error inTable(const char* table, Error error) {
        error.message = fmt::format("table {}: {}", table, error.message);
        return error;
    }

    // Reads the chunks of a table in batches; unpack(chunk, columns) runs on several threads. makeRoom(rows) is called
    // first.
    template <typename MakeRoom, typename Unpack>
    Result<void> readChunks(const char* table, std::size_t columns, MakeRoom&& makeRoom, Unpack&& unpack) {
        const auto promised = line(table);
        if (!promised)
            return promised.error();
        auto select =
            m_database.prepare("SELECT number, first_row, row_count, time_begin, time_end, first_warp, last_warp, "
                               "data FROM chunks WHERE name = ? ORDER BY rowid");
        if (!select)
            return inTable("chunks", select.error());
        select->bind(0, std::string_view(table));

        struct Packed {
            Chunk chunk;
            std::vector<std::byte> data;
        };
        std::vector<Packed> all;
        std::int64_t rows = 0;
        Digest digest;
        for (;;) {
            auto more = select->step();
            if (!more)
                return inTable(table, more.error());
            if (!*more)
                break;
            Packed& p = all.emplace_back();
            int column = 0;
            for (std::int64_t* n : {&p.chunk.number, &p.chunk.firstRow, &p.chunk.rows, &p.chunk.timeBegin,
                                    &p.chunk.timeEnd, &p.chunk.firstWarp, &p.chunk.lastWarp})
                *n = select->integer(column++);
            if (p.chunk.number != std::int64_t(all.size()) - 1 || p.chunk.firstRow != rows || p.chunk.rows < 1 ||
                p.chunk.rows > std::int64_t(chunkRows))
                return Error{fmt::format("table {} is damaged: chunk {} is not in its place", table, all.size() - 1)};
            rows += p.chunk.rows;
            const auto blob = select->blob(column);
            p.data.assign(blob.begin(), blob.end());
            digest.chunk(p.chunk);
        }
        if (rows != promised->rows)
            return Error{fmt::format("table {} is damaged: it has {} rows instead of {}", table, rows, promised->rows)};
        if (digest.value() != promised->digest)
            return Error{fmt::format("table {} is damaged: its chunks are not those that were written", table)};

        makeRoom(std::size_t(rows), promised->wide);
        std::mutex mutex;
        std::size_t firstBad = all.size(), done = 0;
        std::string why;
        parallelFor(all.size(), 0, [&](std::size_t i) {
            if (m_progress.cancelled())
                return;
            const Chunk& c = all[i].chunk;
            auto unpacked = unpackColumns(all[i].data, columns, std::size_t(c.rows));
            const bool fits = unpacked.ok() && unpack(c, *unpacked);
            const std::lock_guard lock(mutex);
            m_progress.report(double(++done) / double(all.size()));
            if (!fits && i < firstBad) {
                firstBad = i;
                why = unpacked.ok() ? "its numbers do not fit" : unpacked.error().message;
            }
        });
        if (m_progress.cancelled())
            return Error{"reading was cancelled"};
        if (firstBad < all.size())
            return Error{fmt::format("table {}, chunk {} is damaged: {}", table, firstBad, why)};
        return {};
    }

    template <typename Row>
    Result<void> readRowChunks(const char* table, std::vector<Row>& rows) {
        return readChunks(
            table, columnsOf<Row>, [&](std::size_t count, bool) { rows.resize(count); },
            [&](const Chunk& c, const Columns& columns) {
                fromColumns(columns, std::span(rows).subspan(std::size_t(c.firstRow), std::size_t(c.rows)));
                return true;
            });
    }

    Result<void> readEvents(Trace& trace) {
        return readChunks(
            "events", TraceFileAccess::columns,
            [&](std::size_t rows, bool wide) { TraceFileAccess::makeRoom(trace.events, rows, wide); },
            [&](const Chunk& c, const Columns& columns) {
                return TraceFileAccess::fromColumns(columns, trace, std::uint64_t(c.firstRow), std::size_t(c.rows));
            });
    }

    Database& m_database;
    Progress& m_progress;
    std::int64_t m_version = 0;
    std::map<std::string, TableLine> m_tables;
};

Error told(Error error, const std::filesystem::path& path) {
    error.message = validUtf8(error.message); // SQLite quotes names out of a damaged file as they are
    error.file = path.string();
    return error;
}

// Opens a file, has `read` take what it wants from it, and names the file in any error.
template <typename Read>
Result<void> withFile(const std::filesystem::path& path, Progress& progress, Read&& read) {
    if (auto ok = checkFileHeader(path); !ok)
        return ok;
    auto database = Database::openReadOnly(path);
    if (!database)
        return told(database.error(), path);
    Reader reader(*database, progress);
    auto ok = reader.readTables();
    if (ok)
        ok = read(reader);
    if (!ok)
        return told(ok.error(), path);
    return {};
}

} // namespace

Result<TracePtr> readTrace(const std::filesystem::path& path, Progress& progress) {
    auto trace = std::make_shared<Trace>();
    auto ok = withFile(path, progress, [&](Reader& reader) {
        auto done = reader.readTrace(*trace);
        return done ? validate(*trace) : done;
    });
    if (!ok)
        return ok.error();
    return TracePtr(std::move(trace));
}

Result<Lod> readLod(const std::filesystem::path& path, Progress& progress) {
    Lod lod;
    if (auto ok = withFile(path, progress, [&](Reader& reader) { return reader.readLod(lod); }); !ok)
        return ok.error();
    return lod;
}

} // namespace warpglass
