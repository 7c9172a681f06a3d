// SPDX-License-Identifier: GPL-3.0-or-later
// Opening a .wgt file, in this order: the small tables row by row; all chunks, as they are packed, in one pass over the
// file, with the digests checked; blocks, warps and the pyramid unpacked; the other large tables as tables that unpack
// themselves (pages.h). Formats 1 and 2 have no digest of packed bytes, so all of theirs is unpacked here.
#include "gpu/base/memory_limit.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/parallel.h"
#include "gpu/base/utf8.h"
#include "gpu/trace/chunk_rows.h"
#include "gpu/trace/database.h"
#include "gpu/trace/event_chunks.h"
#include "gpu/trace/file.h"
#include "gpu/trace/file_header.h"
#include "gpu/trace/file_layout.h"
#include "gpu/trace/kernel_texts.h"
#include "gpu/trace/pyramid.h"
#include "gpu/trace/row_taker.h"
#include "gpu/trace/values.h"

#include <fmt/format.h>
#include <map>

namespace warpglass {

namespace {

struct TableLine {
    TableLine(std::int64_t rowCount, std::int64_t itsDigest) : rows(rowCount), digest(itsDigest) {}
    std::int64_t rows, digest;
};
constexpr std::int64_t mostRows = std::int64_t(1) << 40; // far beyond what a disk holds, and no sum of them overflows
constexpr std::size_t mostTables = 100;

#ifdef WARPGLASS_WITHOUT_DIGESTS // built for a fuzzer, which cannot work them out
constexpr bool comparesDigests = false;
#else
constexpr bool comparesDigests = true;
#endif

// The chunks of a large table as they lie in the file. Whoever unpacks one lets its bytes go.
struct Packed {
    std::size_t rows = 0;
    std::vector<std::int64_t> chunkRows;
    std::vector<std::vector<std::byte>> chunks;
    Digest digest = {};

    // The chunk's bytes, once.
    std::vector<std::byte> take(std::size_t chunk) { return std::exchange(chunks[chunk], {}); }
};
using PackedPtr = std::shared_ptr<Packed>;

constexpr std::uint32_t chunkRowBits = std::countr_zero(chunkRows);

template <typename Row>
bool unpackRows(std::span<const std::byte> bytes, std::span<Row> rows) {
    const auto columns = unpackColumns(bytes, columnsOf<Row>, rows.size());
    if (columns)
        fromColumns(*columns, rows);
    return columns.ok();
}

// What a reader of one row relies on; what several rows promise together only readTrace() checks.
bool sound(const StateRow& state) {
    return state.state < WarpState::Count_ && state.end >= state.begin && isSensible(state.begin) &&
           isSensible(state.end);
}
bool sound(const AccessRow& access) {
    return access.space <= MemorySpace::Texture && access.kind <= AccessKind::Atomic;
}
bool sound(std::uint64_t) {
    return true;
}

// A few bytes of a packed chunk can promise millions of rows.
Result<void> fits(std::uint64_t bytes) {
    if (bytes <= memoryLimit())
        return {};
    return Error{say::RecordingMemory(memoryWords(bytes), memoryWords(memoryLimit())), {}, 0, 0, say::MemoryRemedy};
}

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
        return m_database.forEachRow(
            "SELECT name, row_count, digest, wide FROM tables", [&](Statement& line) -> Result<void> {
                if (!line.isText(0) || !line.isInteger(1) || !line.isInteger(2) || !line.isInteger(3) ||
                    line.integer(1) < 0 || line.integer(1) > mostRows || m_tables.size() >= mostTables ||
                    !m_tables.try_emplace(std::string(line.text(0)), line.integer(1), line.integer(2)).second)
                    return Error{say::TableTables};
                return {};
            });
    }

    Result<void> open(Trace& trace) {
        FlatRows flat;
        Result<void> result;
        forEachSmallTable(trace, flat, [&](const char* table, auto& rows) {
            if (result)
                result = readRows(table, rows);
        });
        if (result && m_version >= 11)
            result = takeTexts(trace.kernels);
        if (result)
            result = unflatten(std::move(flat), trace);
        if (result)
            result = readChunks();
        if (result)
            result = unpack("blocks", trace.blocks);
        if (result)
            result = unpack("warps", trace.warps);
        if (result)
            result = takeEvents(trace);
        if (result)
            result = takeTable("states", trace.states);
        if (result)
            result = takeTable("accesses", trace.accesses, trace.events.size());
        if (result)
            result = takeTable("access_addresses", trace.accessAddresses);
        if (result)
            result = takeTable("access_values", trace.accessValues);
        if (result && m_version >= 6)
            result = takeTable("kept_words", trace.kept.words);
        if (result && m_version >= 10)
            result = takeCodes(trace.codes.bytes);
        if (result)
            result = validateOutline(trace);
        if (result && m_version >= 3)
            result = takePyramid(trace);
        if (result && m_progress.cancelled())
            result = Error{say::ReadingCancelled};
        return result;
    }

private:
    Result<TableLine> line(const char* table) const {
        const auto at = m_tables.find(table);
        if (at == m_tables.end())
            return Error{say::TableNotListed(table)};
        return at->second;
    }

    template <typename Row>
    Result<void> readRows(const char* table, std::vector<Row>& rows) {
        if (m_version < 2 && std::is_same_v<Row, TimingRow>) // came with version 2
            return {};
        if (m_version < 4 && (std::is_same_v<Row, AsyncCopy> || std::is_same_v<Row, PhaseEvent>)) // with version 4
            return {};
        if (m_version < 5 && std::is_same_v<Row, AskedWord>) // with version 5
            return {};
        if (m_version < 6 && std::is_same_v<Row, KeptArea>) // with version 6
            return {};
        if (m_version < 9 && (std::is_same_v<Row, HangWaitRow> || std::is_same_v<Row, HangEdgeRow>)) // with version 9
            return {};
        if (m_version < 10 && std::is_same_v<Row, MachineCode>) // with version 10
            return {};
        if (m_version < 11 && std::is_same_v<Row, MachineCount>) // with version 11
            return {};
        const auto promised = line(table);
        if (!promised)
            return promised.error();
        const auto version = int(m_version);
        auto select = m_database.prepare(
            fmt::format("SELECT {} FROM {} ORDER BY rowid", columnNames<Row>(false, version).list, table));
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
                return Error{say::TableMoreRows(table, promised->rows)};
            Row& row = rows.emplace_back();
            Taker taker{*select};
            const auto take = [&](const char* column, auto& field, const char* unit) {
                taker(column, field, unit);
                if constexpr (comparesDigests)
                    digest(column, field, unit); // as it stands there
            };
            describeOfVersion(take, row, version);
            if (taker.wrong)
                return Error{say::TableRowColumn(table, rows.size() - 1, taker.wrong)};
            m_held += sizeof(Row) + taker.bytes;
            if (auto ok = fits(m_held); !ok)
                return ok;
        }
        if (std::int64_t(rows.size()) != promised->rows)
            return Error{say::TableRowsInstead(table, rows.size(), promised->rows)};
        if (!digestHolds(digest, promised->digest))
            return Error{say::TableRowsOther(table)};
        return {};
    }

    Result<void> takeTexts(std::vector<Kernel>& kernels) {
        KernelTexts texts;
        if (auto ok = readRows("kernel_texts", texts.rows); !ok)
            return ok;
        const auto promised = line("texts");
        if (!promised)
            return promised.error();
        const auto digest = texts.read(m_database, [this](std::uint64_t bytes) { return fits(m_held += bytes); });
        if (!digest)
            return digest.error();
        if (std::int64_t(texts.texts.size()) != promised->rows)
            return Error{say::TableRowsInstead("texts", texts.texts.size(), promised->rows)};
        if (!digestHolds(*digest, promised->digest))
            return Error{say::TableRowsOther("texts")};
        return texts.give(kernels);
    }

    static bool digestHolds(const Digest& found, std::int64_t promised) {
        return !comparesDigests || found.value() == promised;
    }

    static Error inTable(const char* table, Error error) {
        error.message = say::TableOf(table, error.message);
        return error;
    }

    static Error damagedChunk(const char* table, std::size_t chunk) { return {say::TableChunkNumbers(table, chunk)}; }

    // All chunks of all tables, as they are packed.
    Result<void> readChunks() {
        auto select = m_database.prepare("SELECT name, number, first_row, row_count, time_begin, time_end, first_warp, "
                                         "last_warp, data FROM chunks ORDER BY rowid");
        if (!select)
            return inTable("chunks", select.error());
        std::int64_t promised = 1, rows = 0;
        for (const auto& [table, tableLine] : m_tables)
            promised += tableLine.rows;
        for (;;) {
            if (m_progress.cancelled())
                return Error{say::ReadingCancelled};
            auto more = select->step();
            if (!more)
                return inTable("chunks", more.error());
            if (!*more)
                break;
            const std::string table(select->text(0));
            if (!m_tables.contains(table))
                return Error{say::TableChunks};
            PackedPtr& packed = m_packed[table];
            if (!packed)
                packed = std::make_shared<Packed>();
            Chunk chunk;
            int column = 1;
            for (std::int64_t* n : {&chunk.number, &chunk.firstRow, &chunk.rows, &chunk.timeBegin, &chunk.timeEnd,
                                    &chunk.firstWarp, &chunk.lastWarp})
                *n = select->integer(column++);
            if (chunk.number != std::int64_t(packed->chunks.size()) || chunk.firstRow != std::int64_t(packed->rows) ||
                chunk.rows < 1 || chunk.rows > std::int64_t(chunkRows))
                return Error{say::TableChunkPlace(table, packed->chunks.size())};
            const auto blob = select->blob(column);
            m_held += blob.size();
            if (auto ok = fits(m_held); !ok)
                return ok;
            packed->chunks.emplace_back(blob.begin(), blob.end());
            packed->chunkRows.push_back(chunk.rows);
            packed->rows += std::size_t(chunk.rows);
            if constexpr (comparesDigests) {
                packed->digest.chunk(chunk);
                if (m_version >= 3)
                    packed->digest.bytes(blob);
            }
            m_progress.report(double(rows += chunk.rows) / double(promised));
        }
        return {};
    }

    // The chunks of one table, which are as many and as large as was promised.
    Result<PackedPtr> packedOf(const char* table, std::size_t rowsAChunk) {
        const auto promised = line(table);
        if (!promised)
            return promised.error();
        const PackedPtr packed = m_packed[table] ? m_packed[table] : std::make_shared<Packed>();
        if (std::int64_t(packed->rows) != promised->rows)
            return Error{say::TableRowsInstead(table, packed->rows, promised->rows)};
        if (!digestHolds(packed->digest, promised->digest))
            return Error{say::TableChunksOther(table)};
        for (std::size_t n = 0; n + 1 < packed->chunkRows.size(); ++n)
            if (packed->chunkRows[n] != std::int64_t(rowsAChunk))
                return Error{say::TableChunkSize(table, n)};
        if (!packed->chunkRows.empty() && packed->chunkRows.back() > std::int64_t(rowsAChunk))
            return Error{say::TableLastChunk(table)};
        return packed;
    }

    // A table that unpacks itself.
    template <typename Row, typename Sound>
    Result<LargeTable<Row>> paged(const char* table, Sound&& isSound) {
        auto packed = packedOf(table, chunkRows);
        if (!packed)
            return packed.error();
        return LargeTable<Row>::paged(
            (*packed)->rows, chunkRowBits, [packed = *packed, isSound](std::size_t chunk, std::span<Row> rows) {
                return unpackRows(packed->take(chunk), rows) && std::all_of(rows.begin(), rows.end(), isSound);
            });
    }

    // The same unpacked, which is how it stays.
    template <typename Row>
    Result<LargeTable<Row>> loaded(const char* table) {
        auto result = paged<Row>(table, [](const Row&) { return true; });
        if (!result)
            return result.error();
        m_held += result->size() * sizeof(Row);
        if (auto ok = fits(m_held); !ok)
            return ok.error();
        result->load();
        if (const auto bad = result->firstBad())
            return damagedChunk(table, *bad);
        return result;
    }

    template <typename Row>
    Result<void> unpack(const char* table, std::vector<Row>& rows) {
        const auto all = loaded<Row>(table);
        if (!all)
            return all.error();
        rows.assign(all->begin(), all->end());
        return {};
    }

    template <typename Row>
    Result<void> takeTable(const char* table, LargeTable<Row>& rows, std::size_t events = 0) {
        auto taken = paged<Row>(table, [events](const Row& row) {
            if constexpr (std::is_same_v<Row, AccessRow>)
                return sound(row) && row.event < events;
            else
                return sound(row);
        });
        if (!taken)
            return taken.error();
        rows = std::move(*taken);
        if (m_version < 3)
            rows.load();
        if (const auto bad = rows.firstBad())
            return damagedChunk(table, *bad);
        return {};
    }

    // A byte a row: code packs better as it is than as differences.
    Result<void> takeCodes(std::vector<std::uint8_t>& bytes) {
        const auto packed = packedOf("machine_bytes", chunkRows);
        if (!packed)
            return packed.error();
        m_held += (*packed)->rows;
        if (auto ok = fits(m_held); !ok)
            return ok;
        for (std::size_t n = 0; n < (*packed)->chunks.size(); ++n) {
            const auto rows = std::size_t((*packed)->chunkRows[n]);
            const auto plain = decompress((*packed)->take(n), rows, rows);
            if (!plain)
                return damagedChunk("machine_bytes", n);
            bytes.insert(bytes.end(), plain->begin(), plain->end());
        }
        return {};
    }

    Result<void> takeEvents(Trace& trace) {
        auto taken = packedOf("events", m_version < 3 ? chunkRows : eventChunkRows);
        if (!taken)
            return taken.error();
        const PackedPtr packed = *taken;
        const auto starts = std::make_shared<const WarpStarts>(warpStarts(trace.warps));
        if (m_version < 3)
            return unpackOldEvents(trace, *packed, *starts);
        trace.events = EventTable::paged(
            packed->rows, [packed, starts, sites = trace.sites.size()](std::size_t chunk, EventChunk& events) {
                return unpackEvents(packed->take(chunk), *starts, chunk << eventChunkBits,
                                    std::size_t(packed->chunkRows[chunk]), sites, events);
            });
        return {};
    }

    Result<void> unpackOldEvents(Trace& trace, Packed& packed, const WarpStarts& starts) {
        std::vector<EventChunk> chunks((packed.rows + eventChunkRows - 1) / eventChunkRows);
        const Pages all(packed.rows, chunkRowBits, [&](std::size_t n) {
            if (m_progress.cancelled())
                return true;
            const auto columns = unpackColumns(packed.take(n), oldEventColumns, std::size_t(packed.chunkRows[n]));
            const std::size_t first = n * chunksInOldOne;
            return columns.ok() &&
                   takeOldEvents(*columns, starts, n * chunkRows,
                                 std::span(chunks).subspan(first, std::min(chunksInOldOne, chunks.size() - first)));
        });
        all.needAll();
        if (const auto bad = all.firstBad())
            return damagedChunk("events", *bad);
        if (!m_progress.cancelled())
            trace.events = EventTable::of(std::move(chunks));
        return m_progress.cancelled() ? Result<void>(Error{say::ReadingCancelled}) : Result<void>();
    }

    Result<void> takePyramid(Trace& trace) {
        auto events = loaded<EventNode>("event_nodes");
        if (!events)
            return events.error();
        auto states = loaded<StateNode>("state_nodes");
        if (!states)
            return states.error();
        const auto pyramid = std::make_shared<const Pyramid>(Pyramid{std::move(*events), std::move(*states)});
        trace.pyramid = pyramid;
        return validate(*pyramid, trace);
    }

    Database& m_database;
    Progress& m_progress;
    std::int64_t m_version = 0;
    std::uint64_t m_held = 0; // bytes of rows, of packed chunks, and of what is unpacked at once
    std::map<std::string, TableLine> m_tables;
    std::map<std::string, PackedPtr> m_packed;
};

Error told(Error error, const std::filesystem::path& path) {
    if (!error.message.isTyped())
        error.message = validUtf8(error.message); // SQLite quotes names out of a damaged file as they are
    error.file = path.string();
    return error;
}

constexpr std::uint64_t eventBytes = 8; // of memory, about (event_table.h)

// The large tables of an opened trace, every row of them.
Result<void> loadAll(const Trace& trace) {
    if (auto ok = fits(trace.events.size() * eventBytes + trace.states.size() * sizeof(StateRow) +
                       trace.accesses.size() * sizeof(AccessRow) +
                       (trace.accessAddresses.size() + trace.accessValues.size() + trace.kept.words.size()) *
                           sizeof(std::uint64_t));
        !ok)
        return ok;
    const auto check = [](const char* table, const auto& rows) -> Result<void> {
        rows.load();
        if (const auto bad = rows.firstBad())
            return Error{say::TableChunkNumbers(table, *bad)};
        return {};
    };
    auto ok = check("events", trace.events);
    if (ok)
        ok = check("states", trace.states);
    if (ok)
        ok = check("accesses", trace.accesses);
    if (ok)
        ok = check("access_addresses", trace.accessAddresses);
    if (ok)
        ok = check("access_values", trace.accessValues);
    if (ok)
        ok = check("kept_words", trace.kept.words);
    return ok ? validate(trace) : ok;
}

} // namespace

Result<TracePtr> openTrace(const std::filesystem::path& path, Progress& progress) {
    if (auto ok = checkFileHeader(path); !ok)
        return ok.error();
    auto database = Database::openReadOnly(path, {traceTables(), longestValue, &progress});
    if (!database)
        return told(database.error(), path);
    auto trace = std::make_shared<Trace>();
    Reader reader(*database, progress);
    auto ok = reader.readTables();
    if (ok)
        ok = reader.open(*trace);
    if (!ok)
        return told(ok.error(), path);
    progress.report(1.0);
    return TracePtr(std::move(trace));
}

Result<TracePtr> readTrace(const std::filesystem::path& path, Progress& progress) {
    auto trace = openTrace(path, progress);
    if (trace)
        if (auto ok = loadAll(**trace); !ok)
            return told(ok.error(), path);
    return trace;
}

} // namespace warpglass
