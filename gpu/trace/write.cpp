// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/messages/files.h"
#include "gpu/base/parallel.h"
#include "gpu/base/part.h"
#include "gpu/trace/chunk_rows.h"
#include "gpu/trace/database.h"
#include "gpu/trace/event_chunks.h"
#include "gpu/trace/file.h"
#include "gpu/trace/file_layout.h"
#include "gpu/trace/kernel_texts.h"
#include "gpu/trace/pyramid.h"

#include <fmt/format.h>
#include <system_error>

namespace warpglass {

namespace {

// Binds one field after the other.
struct Binder {
    Statement& statement;
    int parameter = 0;
    template <typename T>
    void operator()(const char*, const T& field, const char*) {
        const int at = parameter++;
        if constexpr (std::is_same_v<T, std::string>)
            statement.bind(at, std::string_view(field));
        else if constexpr (std::is_enum_v<T>)
            statement.bind(at, std::string_view(name(field)));
        else if constexpr (std::is_same_v<T, double>)
            statement.bind(at, field + 0.0);
        else if constexpr (std::is_same_v<T, LaneMask>)
            statement.bind(at, std::int64_t(field.bits));
        else if constexpr (std::is_same_v<T, Time>)
            statement.bind(at, field.value);
        else
            statement.bind(at, std::int64_t(field));
    }
};

// Times and warps that a chunk's rows span.
struct Span {
    bool any = false;
    Time begin{}, end{};
    void add(Time b, Time e) {
        begin = any ? std::min(begin, b) : b;
        end = any ? std::max(end, e) : e;
        any = true;
    }
};

class Writer {
public:
    Writer(const Trace& trace, Database& database, Progress& progress)
        : m_trace(trace), m_database(database), m_progress(progress) {}

    Result<void> writeAll() {
        for (const char* sql : {chunksSchema, tablesSchema})
            if (auto ok = m_database.run(sql); !ok)
                return ok;
        auto chunk = m_database.prepare("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
        if (!chunk)
            return chunk.error();
        m_chunk = std::move(*chunk);
        const FlatRows flat = flatten(m_trace);
        Result<void> result;
        forEachSmallTable(m_trace, flat, [&](const char* table, const auto& rows) {
            if (result)
                result = writeRows(table, rows);
        });
        if (result)
            result = writeTexts();
        if (result)
            result = writeLarge();
        return result ? writePyramid() : std::move(result);
    }

private:
    template <typename Row>
    Result<void> writeRows(const char* table, const std::vector<Row>& rows) {
        if (auto ok = m_database.run(createStatement<Row>(table, traceFileVersion)); !ok)
            return ok;
        std::string marks = "?";
        for (int i = 1; i < columnNames<Row>(false, traceFileVersion).count; ++i)
            marks += ", ?";
        auto insert = m_database.prepare(fmt::format("INSERT INTO {} VALUES ({})", table, marks));
        if (!insert)
            return insert.error();
        Digest digest;
        for (const Row& row : rows) {
            Binder binder{*insert};
            describeOfVersion(binder, row, traceFileVersion);
            if (auto ok = insert->run(); !ok)
                return ok;
            describeOfVersion(digest, row, traceFileVersion);
        }
        return writeTableLine(table, rows.size(), digest);
    }

    Result<void> writeTexts() {
        const KernelTexts texts = textsOf(m_trace.kernels);
        if (auto ok = writeRows("kernel_texts", texts.rows); !ok)
            return ok;
        const auto digest = texts.write(m_database);
        return digest ? writeTableLine("texts", texts.texts.size(), *digest) : Result<void>(digest.error());
    }

    Result<void> writeTableLine(const char* table, std::size_t rows, const Digest& digest) {
        auto insert = m_database.prepare("INSERT INTO tables VALUES (?, ?, ?, ?)");
        if (!insert)
            return insert.error();
        insert->bind(0, std::string_view(table));
        insert->bind(1, std::int64_t(rows));
        insert->bind(2, digest.value());
        insert->bind(3, std::int64_t(0)); // `wide`, of formats 1 and 2
        return insert->run();
    }

    // pack(first, rows) -> bytes; place(Chunk&) fills in times and warps. Chunks are packed side by side, a batch at a
    // time.
    template <typename Pack, typename Place>
    Result<void> writeChunks(const char* table, std::size_t rows, std::size_t rowsAChunk, Pack&& pack, Place&& place) {
        constexpr std::size_t batch = 128;
        const std::size_t chunks = (rows + rowsAChunk - 1) / rowsAChunk;
        Digest digest;
        for (std::size_t begin = 0; begin < chunks; begin += batch) {
            if (m_progress.cancelled())
                return Error{say::WritingCancelled};
            const std::size_t count = std::min(batch, chunks - begin);
            std::vector<std::vector<std::byte>> packed(count);
            std::vector<Chunk> places(count);
            parallelFor(count, 0, [&](std::size_t i) {
                Chunk& c = places[i];
                c.number = std::int64_t(begin + i);
                c.firstRow = c.number * std::int64_t(rowsAChunk);
                c.rows = std::int64_t(std::min(rowsAChunk, rows - std::size_t(c.firstRow)));
                packed[i] = pack(std::size_t(c.firstRow), std::size_t(c.rows));
                place(c);
            });
            for (std::size_t i = 0; i < count; ++i) {
                if (auto ok = writeChunk(table, places[i], packed[i]); !ok)
                    return ok;
                digest.chunk(places[i]);
                digest.bytes(packed[i]);
            }
            m_progress.report(double(begin + count) / double(chunks));
        }
        return writeTableLine(table, rows, digest);
    }

    Result<void> writeChunk(const char* table, const Chunk& c, std::span<const std::byte> data) {
        m_chunk.bind(0, std::string_view(table));
        int parameter = 1;
        for (const std::int64_t n : {c.number, c.firstRow, c.rows, c.timeBegin, c.timeEnd, c.firstWarp, c.lastWarp})
            m_chunk.bind(parameter++, n);
        m_chunk.bind(parameter, data);
        return m_chunk.run();
    }

    template <typename Row, typename Place>
    Result<void> writeRowChunks(const char* table, std::span<const Row> rows, Place&& place) {
        return writeChunks(
            table, rows.size(), chunkRows,
            [&](std::size_t first, std::size_t count) { return packColumns(toColumns(rows.subspan(first, count))); },
            place);
    }
    template <typename Rows, typename Place>
    Result<void> writeRowChunks(const char* table, const Rows& rows, Place&& place) {
        return writeRowChunks(table, std::span<const typename Rows::value_type>(rows.data(), rows.size()), place);
    }

    // Applies f to each row of a chunk, collecting its time range.
    template <typename F>
    static void spanOf(Chunk& c, F&& f) {
        Span span;
        for (std::int64_t i = c.firstRow; i < c.firstRow + c.rows; ++i)
            f(span, std::size_t(i));
        c.timeBegin = span.begin.value;
        c.timeEnd = span.end.value;
    }

    void placeEvents(Chunk& c) const {
        c.firstWarp = m_trace.warpOfEvent(std::uint64_t(c.firstRow));
        c.lastWarp = m_trace.warpOfEvent(std::uint64_t(c.firstRow + c.rows - 1));
        Span span;
        for (std::int64_t w = c.firstWarp; w <= c.lastWarp; ++w) {
            const Warp& warp = m_trace.warps[std::size_t(w)];
            const std::uint64_t first = std::max(warp.firstEvent, std::uint64_t(c.firstRow));
            const std::uint64_t end = std::min(warp.firstEvent + warp.eventCount, std::uint64_t(c.firstRow + c.rows));
            if (first < end)
                span.add(m_trace.events.time(first, warp.start), m_trace.events.time(end - 1, warp.start));
        }
        c.timeBegin = span.begin.value;
        c.timeEnd = span.end.value;
    }

    Result<void> writeLarge() {
        const Trace& t = m_trace;
        const auto nowhere = [](Chunk&) {};
        auto ok = writeRowChunks("blocks", t.blocks, [&](Chunk& c) {
            spanOf(c, [&](Span& s, std::size_t i) { s.add(t.blocks[i].start, t.blocks[i].end); });
            c.firstWarp = t.blocks[std::size_t(c.firstRow)].firstWarp;
            const Block& last = t.blocks[std::size_t(c.firstRow + c.rows - 1)];
            c.lastWarp = std::int64_t(last.firstWarp) + last.warpCount - 1;
        });
        if (ok)
            ok = writeRowChunks("warps", t.warps, [&](Chunk& c) {
                spanOf(c, [&](Span& s, std::size_t i) { s.add(t.warps[i].start, t.warps[i].end); });
                c.firstWarp = c.firstRow;
                c.lastWarp = c.firstRow + c.rows - 1;
            });
        if (ok)
            ok = writeChunks(
                "events", t.events.size(), eventChunkRows,
                [&, starts = warpStarts(t.warps)](std::size_t first, std::size_t) {
                    return packEvents(t.events.chunk(first >> eventChunkBits), starts, first);
                },
                [&](Chunk& c) { placeEvents(c); });
        if (ok)
            ok = writeRowChunks("states", t.states, [&](Chunk& c) {
                spanOf(c, [&](Span& s, std::size_t i) { s.add(t.states[i].begin, t.states[i].end); });
            });
        if (ok)
            ok = writeRowChunks("accesses", t.accesses, [&](Chunk& c) {
                c.firstWarp = t.warpOfEvent(t.accesses[std::size_t(c.firstRow)].event);
                c.lastWarp = t.warpOfEvent(t.accesses[std::size_t(c.firstRow + c.rows - 1)].event);
            });
        if (ok)
            ok = writeRowChunks("access_addresses", t.accessAddresses, nowhere);
        if (ok)
            ok = writeRowChunks("access_values", t.accessValues, nowhere);
        if (ok)
            ok = writeRowChunks("kept_words", t.kept.words, nowhere);
        if (ok)
            ok = writeChunks(
                "machine_bytes", t.codes.bytes.size(), chunkRows,
                [&](std::size_t first, std::size_t count) {
                    return compress(std::span(t.codes.bytes).subspan(first, count));
                },
                nowhere);
        return ok;
    }

    Result<void> writePyramid() {
        const auto pyramid = buildPyramid(m_trace, m_progress);
        if (!pyramid)
            return Error{say::WritingCancelled};
        const auto spanOfNodes = [](const auto& nodes) {
            return [&](Chunk& c) { spanOf(c, [&](Span& s, std::size_t i) { s.add(nodes[i].begin, nodes[i].end); }); };
        };
        auto ok = writeRowChunks("event_nodes", pyramid->events, spanOfNodes(pyramid->events));
        if (ok)
            ok = writeRowChunks("state_nodes", pyramid->states, spanOfNodes(pyramid->states));
        return ok;
    }

    const Trace& m_trace;
    Database& m_database;
    Progress& m_progress;
    Statement m_chunk;
};

Result<void> writeDatabase(const Trace& trace, const std::filesystem::path& path, Progress& progress) {
    auto database = Database::create(path);
    if (!database)
        return database.error();
    // The file becomes visible only by the rename, when all of it is on the disk.
    const std::string pragmas = fmt::format("PRAGMA page_size = 4096; PRAGMA synchronous = NORMAL;"
                                            "PRAGMA encoding = 'UTF-8'; PRAGMA application_id = {};"
                                            "PRAGMA user_version = {}; BEGIN",
                                            traceApplicationId, traceFileVersion);
    if (auto ok = database->run(pragmas); !ok)
        return ok;
    if (auto ok = Writer(trace, *database, progress).writeAll(); !ok)
        return ok;
    return database->run("COMMIT");
}

// The error of the temporary file is told of the file that was asked for.
Error notWritten(Error error, const std::filesystem::path& path) {
    error.file = path.string();
    error.message = say::NotRecorded(error.message);
    return error;
}

} // namespace

Result<void> writeTrace(const Trace& trace, const std::filesystem::path& path, Progress& progress) {
    std::error_code code;
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    if (path.filename().empty() || std::filesystem::is_directory(path, code))
        return Error{say::RecordingFolder, path.string(), 0, 0, say::NameOfFile};
    if (!std::filesystem::is_directory(folder, code))
        return Error{say::RecordingNoFolder(folder.string()), path.string()};
    if (auto ok = validate(trace); !ok)
        return notWritten(ok.error(), path);

    Part part(path); // SQLite would not say why it cannot be made
    if (const std::error_code why = part.problem())
        return Error{say::RecordingWrite(why.message()), path.string(), 0, 0, say::FolderForFiles};
    if (auto ok = writeDatabase(trace, part.path(), progress); !ok)
        return notWritten(ok.error(), path);
    if (const std::error_code why = part.finish())
        return notWritten(Error{why.message()}, path);
    return {};
}

} // namespace warpglass
